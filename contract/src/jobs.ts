import * as z from 'zod/mini'
import { JOB_STATES } from './batches.ts'
import { Moment, page, Pagination, WholeNumber } from './common.ts'
import { get, post } from './route.ts'

/** A background job, without its payload. */
export const QueuedJob = z.object({
  _id: z.string(),
  /** The kind of job: `mail.send`, `search.rebuild`, `batch`, … */
  kind: z.string(),
  state: z.enum(JOB_STATES),
  /** The progress: `done` of `total`; both are 0 if the total is unknown. */
  done: WholeNumber,
  total: WholeNumber,
  /** The number of attempts since it last made progress. */
  attempts: WholeNumber,
  /** The error message of the last failure. */
  error: z.nullable(z.string()),
  createdAt: Moment,
  /** When it is, or was, due to start. */
  dueAt: Moment,
  startedAt: z.nullable(Moment),
  finishedAt: z.nullable(Moment),
  /** Whether it is a recurring job, such as the daily ones. */
  isRepeated: z.boolean(),
  /** Whether it can be started now, because it is queued or has failed. */
  canRetry: z.boolean(),
  canCancel: z.boolean(),
})
export type QueuedJob = z.output<typeof QueuedJob>

export const JobQuery = z.strictObject({ ...page(20), state: z.optional(z.enum(JOB_STATES)) })
export type JobQuery = z.output<typeof JobQuery>

/** The job queue of all servers. Moderators and administrators can read it, only administrators retry and cancel. */
export const jobsApi = {
  /** Latest due time first. */
  list: get('/api/jobs', {
    query: JobQuery,
    response: z.object({
      data: z.array(QueuedJob),
      pagination: Pagination,
    }),
  }),
  /** Starts a queued or failed job now. */
  retry: post('/api/jobs/:id/retry', { response: QueuedJob }),
  /** Cancels a job, which then stops at its next step. Recurring jobs cannot be cancelled. */
  cancel: post('/api/jobs/:id/cancel', { response: QueuedJob }),
}
