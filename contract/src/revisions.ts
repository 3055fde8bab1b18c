import * as z from 'zod/mini'
import { distinct, Id, Moment, offset, Version, WholeNumber } from './common.ts'
import { ORIGINS } from './history.ts'
import { KINDS } from './kinds.ts'
import { Provenance } from './provenance.ts'
import { get, post } from './route.ts'

/** One write of one entity. `paths`: what it changed, such as `releaseDate` or `translations.en.title`. */
export const RevisionRow = z.object({
  _id: z.string(),
  entityType: z.string(),
  entityId: z.string(),
  version: WholeNumber,
  /** `purge`: permanent deletion. */
  action: z.enum(['create', 'update', 'delete', 'restore', 'purge']),
  origin: z.enum(ORIGINS),
  batch: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  username: z.string(),
  userId: z.nullable(z.string()),
  paths: z.array(z.string()),
  /** The AI answers that parts of it come from. */
  provenance: z.optional(z.array(Provenance)),
  createdAt: Moment,
})
export type RevisionRow = z.output<typeof RevisionRow>

/** A revision with a snapshot: the fields of the entity after that write. */
export const Revision = z.object({ ...RevisionRow.shape, snapshot: z.record(z.string(), z.unknown()) })
export type Revision = z.output<typeof Revision>

export const RevisionQuery = z.object({
  entityType: z.enum(KINDS),
  entityId: Id,
  ...offset(20),
})

const Paths = z.array(z.string().check(z.maxLength(200))).check(z.maxLength(1000), distinct())

export const RevisionRestore = z.strictObject({
  /** The paths to restore: fields, languages (`translations.en`) or texts. The default is everything. */
  paths: z.optional(Paths.check(z.minLength(1))),
  /** The version that the user saw: later changes by others are merged, or the call is refused with 412. */
  base: z.optional(Version),
  /** After such a 412: the version that it returned, and the paths to overwrite nevertheless. */
  settled: z.optional(z.strictObject({ version: Version, paths: Paths })),
})
export type RevisionRestore = z.output<typeof RevisionRestore>

export const revisionsApi = {
  list: get('/api/revisions', {
    query: RevisionQuery,
    response: z.object({ data: z.array(RevisionRow) }),
    cached: true,
  }),
  find: get('/api/revisions/:id', { response: Revision, cached: true }),
  /**
   * Writes the values of a revision again. `version` is the entity's version afterwards; `isChanged` is false if it had
   * these values already, and no version was created.
   */
  restore: post('/api/revisions/:id/restore', {
    body: RevisionRestore,
    response: z.object({
      success: z.boolean(),
      entityType: z.string(),
      entityId: z.string(),
      version: WholeNumber,
      isChanged: z.boolean(),
    }),
  }),
}
