import * as z from 'zod/mini'
import {
  Id,
  Moment,
  NamesByLanguage,
  Pagination,
  SuccessResponse,
  text,
  Timestamp,
  WholeNumber,
  wholeParam,
} from './common.ts'
import { type TrashKind, TRASH_KINDS, pathOf } from './kinds.ts'
import { del, get, post } from './route.ts'

/** How long deleted entities can be restored, in days. */
export const TRASH_DAYS = 30

export const TrashRow = z.object({
  kind: z.enum(TRASH_KINDS),
  _id: z.string(),
  /** Its title or name, in English if it has one; for a rating, the title of its media. */
  title: z.string(),
  /** Its title or name by language; absent for kinds whose names have no language. */
  translations: z.optional(NamesByLanguage),
  /** Of ratings only. */
  score: z.optional(z.number()),
  /** Of assets only, in bytes. */
  size: z.optional(WholeNumber),
  deletedAt: Moment,
  /** The user who deleted it, with the name at that time. */
  deletedBy: z.object({ _id: z.string(), username: z.string() }),
  /** When it is deleted permanently and can no longer be restored. */
  goneAt: Moment,
  /** Whether the caller may restore it; if not, `reason` says why. */
  mayRestore: z.boolean(),
  reason: z.optional(z.string()),
  /** Whether the caller may delete it permanently now. */
  mayPurge: z.boolean(),
})
export type TrashRow = z.output<typeof TrashRow>

export const TrashQuery = z.object({
  kind: z.optional(z.enum(TRASH_KINDS)),
  /** A part of any of its titles or names; for a rating, of the titles of its media. */
  search: z.optional(text(200).check(z.trim())),
  /** The id of the user who deleted it. */
  deletedBy: z.optional(Id),
  /** Deleted at or after this moment. */
  deletedFrom: z.optional(Timestamp),
  /** Deleted before this moment (exclusive). */
  deletedTo: z.optional(Timestamp),
  page: z.prefault(wholeParam(1, 500), 1),
  limit: z.prefault(wholeParam(1, 100), 20),
})

export const trashApi = {
  /**
   * Newest first. Moderators and administrators see everything, other users only what they created. `total` is capped
   * at 10,001. `search` and `deletedBy` look through the 10,000 rows deleted last; if there are more, `older` is the
   * `deletedTo` with which to continue.
   */
  list: get('/api/trash', {
    query: TrashQuery,
    response: z.object({ data: z.array(TrashRow), pagination: Pagination, older: z.optional(z.string()) }),
  }),
  /** Deletes permanently, now. Links to it are removed; its revisions are kept. */
  purge: del('/api/trash/:kind/:id', { response: SuccessResponse }),
}

/** The route of a kind that restores an entity from the trash. Returns the entity. */
export const restoreOf = (kind: TrashKind) =>
  post(`${pathOf(kind)}/:id/restore`, { response: z.looseObject({ _id: z.string() }) })
