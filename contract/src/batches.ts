import * as z from 'zod/mini'
import { BatchStarted, BulkPreview } from './bulk.ts'
import { page } from './common.ts'
import { Reason } from './history.ts'
import { KINDS } from './kinds.ts'
import { get, post } from './route.ts'

/** What becomes of background work. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A change of many entities, the rows of an import, a batch that takes another one back, or two entities that became one. */
export const BATCH_WHATS = ['change', 'import', 'rollback', 'merge'] as const
export type BatchKind = (typeof BATCH_WHATS)[number]

/** What became of one entity: written, as it was to be already, or left for a reason. */
export const BATCH_OUTCOMES = ['changed', 'unchanged', 'refused'] as const
export type BatchOutcome = (typeof BATCH_OUTCOMES)[number]

/** How many batches of a user may be unfinished, and how long finished ones are listed, in days. */
export const MAX_OPEN_BATCHES = 5
export const BATCH_DAYS = 90

/** Work on many entities in the background. All its revisions name it, so that it can be rolled back as one. */
export const Batch = z.object({
  _id: z.string(),
  what: z.enum(BATCH_WHATS),
  /** What is changed; null for a rollback, which may be of several kinds. */
  kind: z.nullable(z.enum(KINDS)),
  /**
   * `set`: the values of fields, by name; `addTags`, `removeTags`: ids; `delete` or `restore`; of a merge `from`,
   * `into` and `pick`; of an import its id, the name of the file, and what becomes of likely duplicates. Null for a
   * rollback.
   */
  change: z.nullable(z.record(z.string(), z.unknown())),
  /** The batch that this one takes back. */
  rollsBack: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  state: z.enum(JOB_STATES),
  total: z.number(),
  /** `changed`, `unchanged` and `refused` together. */
  done: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  refused: z.number(),
  createdBy: z.object({ _id: z.string(), username: z.string() }),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
})
export type Batch = z.output<typeof Batch>

/** What became of one entity of a batch. */
export const BatchResult = z.object({
  kind: z.enum(KINDS),
  _id: z.string(),
  /** As it is now; '' when it has been deleted for good. */
  title: z.string(),
  /** '' until its turn. */
  outcome: z.enum([...BATCH_OUTCOMES, '']),
  /** Why it was refused, or why a part of it was kept. */
  code: z.nullable(z.string()),
  message: z.nullable(z.string()),
  /** The paths that a rollback left as they are, because others changed them since. */
  kept: z.array(z.string()),
})
export type BatchResult = z.output<typeof BatchResult>

const Pagination = z.object({ total: z.number(), page: z.number(), limit: z.number() })

export const BatchQuery = z.object(page(20))
export const BatchResultQuery = z.object({ ...page(20), outcome: z.optional(z.enum(BATCH_OUTCOMES)) })

export const BatchRollbackStart = z.strictObject({ reason: Reason, dryRun: z._default(z.boolean(), false) })
export type BatchRollbackStart = z.output<typeof BatchRollbackStart>

/** Comes first as the batch is, and then whenever it has changed; the stream ends with the batch. */
export const BatchEvent = z.object({ event: z.literal('batch'), id: z.string(), data: Batch })
export type BatchEvent = z.output<typeof BatchEvent>

/** A user's own batches; moderators and administrators see those of all. */
export const batchesApi = {
  /** Newest first. */
  list: get('/api/batches', {
    query: BatchQuery,
    response: z.object({ data: z.array(Batch), pagination: Pagination }),
  }),
  find: get('/api/batches/:id', { response: Batch }),
  /** In the order in which they are worked on; of one outcome, or all. */
  results: get('/api/batches/:id/results', {
    query: BatchResultQuery,
    response: z.object({ data: z.array(BatchResult), pagination: Pagination }),
  }),
  stream: get('/api/batches/:id/stream', { response: BatchEvent, stream: true }),
  /** Stops it: what is written stays, and can be rolled back. */
  cancel: post('/api/batches/:id/cancel', { response: Batch }),
  /**
   * Takes back what a batch wrote, of any kind that revisions name: what others changed since is kept. With `dryRun` it
   * answers 200 with a preview; otherwise 202 with a batch of its own, which can be rolled back as well.
   */
  rollback: post('/api/batches/:id/rollback', {
    body: BatchRollbackStart,
    response: z.union([BatchStarted, BulkPreview]),
    status: 202,
  }),
}
