import * as z from 'zod/mini'
import { SuccessResponse } from './common.ts'
import { type TrashKind, TRASH_KINDS, pathOf } from './kinds.ts'
import { del, get, post } from './route.ts'

/** How long what was deleted can be restored, in days. */
export const TRASH_DAYS = 30

export const TrashRow = z.object({
  kind: z.enum(TRASH_KINDS),
  _id: z.string(),
  /** What people know it by, in English or whatever it has; of a rating, the title of its media. */
  title: z.string(),
  /** Its name by language, for a reader of another one; absent where names have no language. */
  translations: z.optional(z.record(z.string(), z.object({ name: z.string() }))),
  /** Of a rating. */
  score: z.optional(z.number()),
  /** Bytes; of an asset. */
  size: z.optional(z.number()),
  deletedAt: z.string(),
  /** Who deleted it, by the name they had then. */
  deletedBy: z.object({ _id: z.string(), username: z.string() }),
  /** From this moment on it cannot be restored, and is deleted for good. */
  goneAt: z.string(),
  /** Whether who asks may restore it; `reason` says why not. */
  mayRestore: z.boolean(),
  reason: z.optional(z.string()),
  /** Whether who asks may delete it for good now. */
  mayPurge: z.boolean(),
})
export type TrashRow = z.output<typeof TrashRow>

export const TrashQuery = z.object({
  kind: z.optional(z.enum(TRASH_KINDS)),
  page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(500)), 1),
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
})

/** `total` stops at 10,001. */
const Pagination = z.object({ total: z.number(), page: z.number(), limit: z.number() })

export const trashApi = {
  /** Newest first. Moderators and admins see everything, others what they made. */
  list: get('/api/trash', {
    query: TrashQuery,
    response: z.object({ data: z.array(TrashRow), pagination: Pagination }),
  }),
  /** Deletes for good, now. What pointed at it gives it up; its revisions stay. */
  purge: del('/api/trash/:kind/:id', { response: SuccessResponse }),
}

/** The call that takes a thing of a kind out of the trash: its area's own. Answers the thing. */
export const restoreOf = (kind: TrashKind) =>
  post(`${pathOf(kind)}/:id/restore`, { response: z.looseObject({ _id: z.string() }) })
