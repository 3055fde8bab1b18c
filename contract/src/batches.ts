import * as z from 'zod/mini'
import { BatchStarted, BulkPreview } from './bulk.ts'
import { Moment, NamesByLanguage, page, Pagination, WholeNumber } from './common.ts'
import { Reason } from './history.ts'
import { KINDS } from './kinds.ts'
import { get, post } from './route.ts'

/** The states of a background job. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A change of many entities, the rows of an import, the rollback of another batch, or a merge of two entities. */
const BATCH_WHATS = ['change', 'import', 'rollback', 'merge'] as const
export type BatchKind = (typeof BATCH_WHATS)[number]

/** The outcome for one entity: changed, already as requested, or left alone for a reason. */
export const BATCH_OUTCOMES = ['changed', 'unchanged', 'refused'] as const
export type BatchOutcome = (typeof BATCH_OUTCOMES)[number]

/** The maximum number of unfinished batches per user. */
export const MAX_OPEN_BATCHES = 5

/** What a batch and its rollback say of their progress. */
const progress = {
  _id: z.string(),
  state: z.enum(JOB_STATES),
  total: WholeNumber,
  /** The sum of `changed`, `unchanged` and `refused`. */
  done: WholeNumber,
  changed: WholeNumber,
  unchanged: WholeNumber,
  refused: WholeNumber,
  createdBy: z.object({ _id: z.string(), username: z.string() }),
  createdAt: Moment,
  startedAt: z.nullable(Moment),
  finishedAt: z.nullable(Moment),
}

/** A background job on many entities. All its revisions carry its id, so that it can be rolled back as a whole. */
export const Batch = z.object({
  ...progress,
  what: z.enum(BATCH_WHATS),
  /** The kind of the entities; null for a rollback, which may affect several kinds. */
  kind: z.nullable(z.enum(KINDS)),
  /**
   * `set`: field values by name; `addTags`, `removeTags`: ids; `delete` or `restore`. For a merge: `from`, `into` and
   * `pick`. For an import: its id, the filename, and how likely duplicates are handled. Null for a rollback.
   */
  change: z.nullable(z.record(z.string(), z.unknown())),
  /**
   * The id of the batch that this one rolls back; null for other batches, and for a rollback of translations that were
   * not all that one batch wrote.
   */
  rollsBack: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** The latest batch that rolls this one back, unless it changed nothing or was rolled back itself. */
  rollback: z.nullable(z.object(progress)),
})
export type Batch = z.output<typeof Batch>

/** The result for one entity of a batch. */
export const BatchResult = z.object({
  kind: z.enum(KINDS),
  _id: z.string(),
  /** The current title, '' if it has none; null if the entity has been deleted and the caller cannot restore it. */
  title: z.nullable(z.string()),
  /** Its title or name by language; absent if `title` is null, and for kinds whose names have no language. */
  translations: z.optional(NamesByLanguage),
  /** '' until it is processed. */
  outcome: z.enum([...BATCH_OUTCOMES, '']),
  /** Why it was refused, or why some of its values were kept. */
  code: z.nullable(z.string()),
  message: z.nullable(z.string()),
  /** The paths that a rollback kept, because others have changed them since. */
  kept: z.array(z.string()),
})
export type BatchResult = z.output<typeof BatchResult>

export const BatchQuery = z.object(page(20))
export const BatchResultQuery = z.object({ ...page(20), outcome: z.optional(z.enum(BATCH_OUTCOMES)) })

export const BatchRollbackStart = z.strictObject({ reason: Reason, dryRun: z._default(z.boolean(), false) })
export type BatchRollbackStart = z.output<typeof BatchRollbackStart>

/** Sent once with the current state, then after every change; the stream ends with the batch. */
export const BatchEvent = z.object({ event: z.literal('batch'), id: z.string(), data: Batch })
export type BatchEvent = z.output<typeof BatchEvent>

/** Users see their own batches; moderators and administrators see all. */
export const batchesApi = {
  /** Newest first. */
  list: get('/api/batches', {
    query: BatchQuery,
    response: z.object({ data: z.array(Batch), pagination: Pagination }),
  }),
  find: get('/api/batches/:id', { response: Batch }),
  /** In processing order; optionally only those with one outcome. */
  results: get('/api/batches/:id/results', {
    query: BatchResultQuery,
    response: z.object({ data: z.array(BatchResult), pagination: Pagination }),
  }),
  stream: get('/api/batches/:id/stream', { response: BatchEvent, stream: true }),
  /** Stops the batch. What has been written stays, and can be rolled back. */
  cancel: post('/api/batches/:id/cancel', { response: Batch }),
  /**
   * Rolls back the revisions of any batch; later changes by others are kept. With `dryRun`, answers 200 with a preview;
   * otherwise 202 with a new batch, which can itself be rolled back.
   */
  rollback: post('/api/batches/:id/rollback', {
    body: BatchRollbackStart,
    response: z.union([BatchStarted, BulkPreview]),
    status: 202,
  }),
}
