// Lists and changes the queue for administrators.
import { reasonText } from '@mokuroku/contract/reasons'
import type { JobQuery, QueuedJob } from '@mokuroku/contract/jobs'
import { afterCommit, db, locked, type Transaction } from '#database/db.ts'
import { notFound, Refusal } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { publishJobs } from './signal.ts'
import { cancel, type JobRow } from './queue.ts'
import { isRepeated, workOf, isUnfinishedState } from './work.ts'

/** A page of the queue, the latest due first. */
export async function listJobs({ page, limit, state }: JobQuery) {
  const jobs = db.selectFrom('jobs').$if(state !== undefined, (query) => query.where('state', '=', state ?? 'queued'))
  const { total } = await jobs.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await jobs
    .selectAll()
    .orderBy('dueAt', 'desc')
    .orderBy('_id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { data: rows.map(shown), pagination: { total, page, limit } }
}

/** Makes a queued or failed job due now. Throws 404, and 409 for any other job. */
export async function retryJob(tx: Transaction, id: string): Promise<QueuedJob> {
  const job = await lockedJob(tx, id)
  if (!isStartable(job)) throw new Refusal(409, 'notStartable', reasonText('jobNotStartable'))
  const fresh = { state: 'queued', dueAt: now(), attempts: 0, error: null, finishedAt: null } as const
  await tx.updateTable('jobs').set(fresh).where('_id', '=', id).execute()
  if (job.state === 'failed') await workOf(job.kind)?.restarted?.(tx, id)
  afterCommit(tx, publishJobs)
  return shown({ ...job, ...fresh })
}

/** Cancels a job. Throws 404, and 409 for a finished or a repeated job. */
export async function cancelJob(tx: Transaction, id: string): Promise<QueuedJob> {
  const job = await lockedJob(tx, id)
  if (isRepeated(job)) throw new Refusal(409, 'repeated', reasonText('jobRepeated'))
  if (!(await cancel(tx, id, { unlessDone: true }))) throw new Refusal(409, 'finished', reasonText('jobFinished'))
  return shown({ ...job, state: 'cancelled', finishedAt: now(), error: null })
}

const lockedJob = async (tx: Transaction, id: string): Promise<JobRow> =>
  (await locked(tx.selectFrom('jobs').selectAll().where('_id', '=', id)).executeTakeFirst()) ?? notFound('Job')

function shown(job: JobRow): QueuedJob {
  const { payload: _, claim: __, leaseUntil: ___, lane: ____, ...row } = job
  return {
    ...row,
    isRepeated: isRepeated(job),
    canRetry: isStartable(job),
    canCancel: !isRepeated(job) && isUnfinishedState(job.state) && (job.total === 0 || job.done < job.total),
  }
}

const isStartable = ({ state }: JobRow): boolean => state === 'queued' || state === 'failed'
