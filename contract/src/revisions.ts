import * as z from 'zod/mini'
import { Id, Version } from './common.ts'
import { ORIGINS } from './history.ts'
import { KINDS } from './kinds.ts'
import { Provenance } from './provenance.ts'
import { get, post } from './route.ts'

/** One write of one entity. `paths` are what it changed: `releaseDate`, `translations.en.title`. */
export const RevisionRow = z.object({
  _id: z.string(),
  entityType: z.string(),
  entityId: z.string(),
  version: z.number(),
  /** `purge`: deleted for good. */
  action: z.enum(['create', 'update', 'delete', 'restore', 'purge']),
  origin: z.enum(ORIGINS),
  batch: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  username: z.string(),
  userId: z.nullable(z.string()),
  paths: z.array(z.string()),
  /** The answers of AI that parts of it are from. */
  provenance: z.optional(z.array(Provenance)),
  createdAt: z.string(),
})
export type RevisionRow = z.output<typeof RevisionRow>

/** With the fields of the entity as that write left them. */
export const Revision = z.object({ ...RevisionRow.shape, snapshot: z.record(z.string(), z.unknown()) })
export type Revision = z.output<typeof Revision>

export const RevisionQuery = z.object({
  entityType: z.enum(KINDS),
  entityId: Id,
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  skip: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(10_000_000)), 0),
})

const Paths = z.array(z.string().check(z.maxLength(200))).check(z.maxLength(1000))

export const RevisionRestore = z.strictObject({
  /** What to take from the revision: fields, languages (`translations.en`) or texts. Left out: everything. */
  paths: z.optional(Paths.check(z.minLength(1))),
  /** The version that the user saw: changes that others made since are then kept, or refused with 412. */
  base: z.optional(Version),
  /** After such a refusal: the version it showed, and where what stands there is overwritten all the same. */
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
  /** Writes the fields of a revision again. `version` is the one that the entity then has. */
  restore: post('/api/revisions/:id/restore', {
    body: RevisionRestore,
    response: z.object({ success: z.boolean(), entityType: z.string(), entityId: z.string(), version: z.number() }),
  }),
}
