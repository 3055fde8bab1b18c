import * as z from 'zod/mini'
import { JOB_STATES } from './batches.ts'
import { page } from './common.ts'
import { get, post } from './route.ts'

/** A piece of background work; what it works on is not shown. */
export const QueuedJob = z.object({
  _id: z.string(),
  /** Which work it is: `mail.send`, `search.rebuild`, `batch`, … */
  kind: z.string(),
  state: z.enum(JOB_STATES),
  /** Of `total`, where that is known; else 0 of 0. */
  done: z.number(),
  total: z.number(),
  /** How often it was begun since it last got on. */
  attempts: z.number(),
  /** What it failed of, in the words of the server. */
  error: z.nullable(z.string()),
  createdAt: z.string(),
  /** When it is, or was, to be begun. */
  dueAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  /** Whether it is done again and again, as the work of every day is. */
  isRepeated: z.boolean(),
  /** Whether it can be begun now: it waits, or has failed. */
  canRetry: z.boolean(),
  canCancel: z.boolean(),
})
export type QueuedJob = z.output<typeof QueuedJob>

export const JobQuery = z.strictObject({ ...page(20), state: z.optional(z.enum(JOB_STATES)) })
export type JobQuery = z.output<typeof JobQuery>

/** The queue of background work, of all servers; for moderators and administrators. */
export const jobsApi = {
  /** The latest due first. */
  list: get('/api/jobs', {
    query: JobQuery,
    response: z.object({
      data: z.array(QueuedJob),
      pagination: z.object({ total: z.number(), page: z.number(), limit: z.number() }),
    }),
  }),
  /** Begins it now: one that waits, or that was given up. */
  retry: post('/api/jobs/:id/retry', { response: QueuedJob }),
  /** Stops it at its next step. What is repeated cannot be cancelled. */
  cancel: post('/api/jobs/:id/cancel', { response: QueuedJob }),
}
