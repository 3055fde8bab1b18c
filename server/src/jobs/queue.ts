// The job queue: rows of one table, claimed by workers under a lease. Every change of a running job names the claim
// that it is made under.
import type { ExpressionBuilder } from 'kysely'
import { advisoryLock, afterCommit, db, engine, type Reader, type Transaction, transaction } from '#database/db.ts'
import { deleteRows } from '#database/deleteRows.ts'
import type { Tables } from '#database/tables.ts'
import { DAY_MS, momentIn, now, time } from '#lib/clock.ts'
import { traceparent } from '#lib/tracing.ts'
import { publishJobs } from './signal.ts'
import { type Ending, isRepeated, type Note, workOf, isUnfinishedState, UNFINISHED } from './work.ts'

export type JobRow = Tables['jobs']

/** How long a claim is valid without being renewed, in milliseconds. */
export const LEASE_MS = 30_000
/**
 * After how many consecutive failures, or crashes of its process, a job is given up, unless its kind says otherwise.
 */
const MAX_ATTEMPTS = 8
/** The backoff after the first failure, in milliseconds. It doubles with each further one, up to the second number. */
const [FIRST_BACKOFF_MS, MAX_BACKOFF_MS] = [1000, 60_000]
/** No repeated job, and no other, is queued for longer, in milliseconds, unless a clock was wrong. */
const [MAX_INTERVAL_MS, MAX_WAIT_MS] = [2 * DAY_MS, 5 * MAX_BACKOFF_MS]
/** How long finished jobs are kept. */
const KEPT_MS = 90 * DAY_MS

/** Thrown if a worker does not, or no longer, hold the claim on a job. */
export class ClaimLost extends Error {
  constructor() {
    super('The job was cancelled, or another process has taken it over')
  }
}

interface NewJob {
  id: string
  kind: string
  payload: Record<string, unknown>
  /** Jobs of the same lane run one at a time, in the order in which they were added. Lanes take turns. */
  lane?: string
  /** The total amount of work, for the progress. */
  total?: number
}

/** Adds a job in a transaction that does more; it starts after the commit. */
export async function enqueue(tx: Transaction, { id, kind, payload, lane, total = 0 }: NewJob): Promise<void> {
  await tx
    .insertInto('jobs')
    .values(newRow({ _id: id, kind, payload, lane: lane ?? null, total }))
    .execute()
  afterCommit(tx, publishJobs)
}

/**
 * Adds a job, replacing the one with the same id, whose worker loses its claim. With `unlessUnfinished`, a queued or
 * running job stays as it is. Returns whether the job was added.
 */
export async function put(tx: Transaction, given: NewJob, { unlessUnfinished = false } = {}): Promise<boolean> {
  const { id, kind, payload, lane = null, total = 0 } = given
  const row = newRow({ _id: id, kind, payload, lane, total })
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('jobs')
    .values(row)
    .onConflict((conflict) => {
      const update = conflict.column('_id').doUpdateSet(row)
      return unlessUnfinished ? update.where('jobs.state', 'not in', UNFINISHED) : update
    })
    .executeTakeFirst()
  afterCommit(tx, publishJobs)
  return numInsertedOrUpdatedRows > 0n
}

/** Deletes a job, finished or not; its worker loses the claim. */
export const drop = async (tx: Transaction, id: string): Promise<void> =>
  void (await tx.deleteFrom('jobs').where('_id', '=', id).execute())

/** Makes running jobs available at once. For a server that starts alone: the workers that had claimed them are gone. */
export const freeClaims = async (tx: Transaction): Promise<void> =>
  void (await tx
    .updateTable('jobs')
    .set({ leaseUntil: new Date(0).toISOString() })
    .where('state', '=', 'running')
    .execute())

/** Adds a job that is already done, in the transaction that did it. */
export async function addDone(tx: Transaction, { id, kind, payload, total = 0 }: NewJob): Promise<void> {
  const at = now()
  const row = newRow({ _id: id, kind, payload, lane: null, total })
  await tx
    .insertInto('jobs')
    .values({ ...row, state: 'done', done: total, startedAt: at, finishedAt: at })
    .execute()
}

/** Makes sure that a repeated job exists, and runs soon after a start. */
export async function repeat(kind: string): Promise<void> {
  await db
    .insertInto('jobs')
    .values(newRow({ _id: kind, kind, payload: {}, lane: null, total: 0 }))
    .onConflict((conflict) =>
      conflict.column('_id').doUpdateSet({ dueAt: now(), attempts: 0 }).where('jobs.state', '=', 'queued'),
    )
    .execute()
  publishJobs()
}

/**
 * Runs the only job of a kind: a finished one starts again, and a queued one becomes due and continues where it was.
 * With `anew`, one that is running is run again afterwards, as it may have missed what has changed. Returns whether it
 * was neither queued nor running.
 */
export async function addOnce(tx: Transaction, kind: string, { anew = false } = {}): Promise<boolean> {
  const isAdded = await put(tx, { id: kind, kind, payload: {} }, { unlessUnfinished: true })
  const given = tx.updateTable('jobs').where('_id', '=', kind)
  await given.set({ dueAt: now() }).where('state', '=', 'queued').where('dueAt', '>', now()).execute()
  // Later than the `dueAt` of the current run: the difference tells `finish` to run the job again.
  if (anew)
    await given
      .set({ dueAt: momentIn(1) })
      .where('state', '=', 'running')
      .execute()
  return isAdded
}

/** Whether a job is queued or running: a server is working on it, or the next one to start will. */
export async function isUnfinished(id: string): Promise<boolean> {
  const row = await db.selectFrom('jobs').select('state').where('_id', '=', id).executeTakeFirst()
  return isUnfinishedState(row?.state)
}

const newRow = (row: Pick<JobRow, '_id' | 'kind' | 'payload' | 'lane' | 'total'>): JobRow => ({
  ...row,
  state: 'queued',
  dueAt: now(),
  attempts: 0,
  claim: null,
  leaseUntil: null,
  done: 0,
  error: null,
  createdAt: now(),
  startedAt: null,
  finishedAt: null,
  traceparent: traceparent(),
})

/**
 * Cancels an unfinished job; its worker stops at the next step. False if it is finished; with `unlessDone`, also if all
 * its work is done and only its end is not recorded yet.
 */
export async function cancel(tx: Transaction, id: string, { unlessDone = false } = {}): Promise<boolean> {
  const cancelled = await end(tx, id, 'cancelled', { unlessDone })
  if (cancelled) afterCommit(tx, publishJobs)
  return cancelled
}

/**
 * Claims the next due job of these kinds: a queued one, or one whose lease has expired. `claim` is unique to each
 * claim.
 */
export async function claimNext(claim: string, kinds: string[]): Promise<JobRow | undefined> {
  // First checked without a transaction, since SQLite has only one writer at a time.
  if (!(await claimable(db, kinds).executeTakeFirst())) return undefined
  return transaction(async (tx) => {
    const query = claimable(tx, kinds)
    const found = await (engine === 'postgres' ? query.forUpdate().skipLocked() : query).executeTakeFirst()
    if (!found) return undefined
    if (found.attempts >= attemptsOf(found) && !isRepeated(found)) {
      await end(tx, found._id, 'failed', { error: 'It ended with its process too often.' })
      // Wakes the worker, since other jobs may be due.
      afterCommit(tx, publishJobs)
      return undefined
    }
    return tx
      .updateTable('jobs')
      .set((set) => ({
        state: 'running',
        claim,
        leaseUntil: leaseEnd(),
        startedAt: found.startedAt ?? now(),
        attempts: set('attempts', '+', 1),
      }))
      .where('_id', '=', found._id)
      .returningAll()
      .executeTakeFirst()
  })
}

/** The unfinished jobs that may be claimed, the one that has been due longest first. */
function claimable(from: Reader, kinds: string[]) {
  const at = now()
  return from
    .selectFrom('jobs')
    .selectAll()
    .where('state', 'in', UNFINISHED)
    .where('kind', 'in', kinds)
    .where((row) =>
      row.or([
        row.and([row('state', '=', 'queued'), isDue(row, at, kinds)]),
        row.and([row('state', '=', 'running'), row('leaseUntil', '<', at)]),
        // A lease that ends far in the future was written while a clock was wrong.
        row.and([row('state', '=', 'running'), row('leaseUntil', '>', momentIn(3 * LEASE_MS))]),
      ]),
    )
    .where(isNextOfLane)
    .orderBy('dueAt')
    .orderBy('_id')
    .limit(1)
}

/** Whether a queued job is due, or will be so late that it was queued while a clock was wrong. */
function isDue(row: ExpressionBuilder<Tables, 'jobs'>, at: string, kinds: string[]) {
  const repeated = kinds.filter((kind) => isRepeated({ kind }))
  return row.or([
    row('dueAt', '<=', at),
    row('dueAt', '>', momentIn(MAX_INTERVAL_MS)),
    row.and([row('dueAt', '>', momentIn(MAX_WAIT_MS)), row('kind', 'not in', ['', ...repeated])]),
  ])
}

/** Whether a job waits for no earlier job of its lane. */
const isNextOfLane = (row: ExpressionBuilder<Tables, 'jobs'>) =>
  row.or([
    row('lane', 'is', null),
    row.not(
      row.exists(
        row
          .selectFrom('jobs as earlier')
          .select('earlier._id')
          .whereRef('earlier.lane', '=', 'jobs.lane')
          .whereRef('earlier._id', '<', 'jobs._id')
          .where('earlier.state', 'in', UNFINISHED),
      ),
    ),
  ])

/** For how long the queue has not started a job that is due, in milliseconds; negative if none is due yet. */
export async function queueLag(): Promise<number> {
  const oldest = await db
    .selectFrom('jobs')
    .select('dueAt')
    .where('state', '=', 'queued')
    .where(isNextOfLane)
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst()
  return oldest ? time() - Date.parse(oldest.dueAt) : 0
}

/** The milliseconds until the next job of these kinds is due, at most `atMost`. */
export async function untilNext(kinds: string[], atMost: number): Promise<number> {
  const next = await db
    .selectFrom('jobs')
    .select('dueAt')
    .where('state', '=', 'queued')
    .where('kind', 'in', kinds)
    .where('dueAt', '>', now())
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst()
  return next ? Math.max(0, Math.min(atMost, Date.parse(next.dueAt) - time())) : atMost
}

/**
 * Renews a lease and records progress; returns the failures so far, and when the job was due. Progress resets the
 * number of consecutive failures. Throws `ClaimLost`.
 */
export async function renew(
  tx: Pick<Transaction, 'updateTable'>,
  { _id, claim }: Pick<JobRow, '_id' | 'claim'>,
  done?: number,
  { payload, total }: Note = {},
): Promise<Pick<JobRow, 'attempts' | 'dueAt'>> {
  const held = await tx
    .updateTable('jobs')
    .set((set) => ({
      leaseUntil: leaseEnd(),
      ...(done !== undefined && { done: set('done', '+', done), attempts: 0 }),
      ...(payload && { payload }),
      ...(total !== undefined && { total }),
    }))
    .where('_id', '=', _id)
    .where('claim', '=', claim)
    .where('state', '=', 'running')
    .returning(['attempts', 'dueAt'])
    .executeTakeFirst()
  if (!held) throw new ClaimLost()
  return held
}

/**
 * Ends a job that was done. A repeated job is queued for its next run; one that was requested again meanwhile is due at
 * once.
 */
export const finish = (job: JobRow): Promise<void> =>
  transaction(async (tx) => {
    const { dueAt } = await renew(tx, job)
    const { everyMs } = workOf(job.kind) ?? {}
    if (dueAt !== job.dueAt) await requeue(tx, job, 0, 0)
    else if (everyMs === undefined) await end(tx, job._id, 'done')
    else await requeue(tx, job, everyMs, 0)
  })

/** Returns a job to the queue, for another process or the next start. This attempt does not count as a failure. */
export const release = (job: JobRow): Promise<void> =>
  transaction(async (tx) => {
    const { attempts } = await renew(tx, job)
    await requeue(tx, job, 0, Math.max(0, attempts - 1))
  })

/**
 * Queues a failed job for a retry, with exponential backoff and jitter. After too many failures it ends, unless
 * `isUnlimited`: jobs that fail because of the machine are retried until they succeed.
 */
export const retry = (job: JobRow, error: string, isUnlimited: boolean): Promise<void> =>
  transaction(async (tx) => {
    const held = await renew(tx, job)
    const attempts = Math.max(1, held.attempts)
    if (attempts >= attemptsOf(job) && !isUnlimited && !isRepeated(job)) await end(tx, job._id, 'failed', { error })
    else {
      const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS)
      await requeue(tx, job, backoff * (0.5 + Math.random()), Math.min(attempts, attemptsOf(job) - 1), error)
    }
  })

/** Ends a job that a retry would not help. */
export const giveUp = (job: JobRow, error: string): Promise<void> =>
  transaction(async (tx) => {
    await renew(tx, job)
    await end(tx, job._id, 'failed', { error })
  })

async function requeue(
  tx: Transaction,
  { _id }: Pick<JobRow, '_id'>,
  waitMs: number,
  attempts: number,
  error: string | null = null,
): Promise<void> {
  const dueAt = momentIn(waitMs)
  await tx
    .updateTable('jobs')
    .set({ state: 'queued', dueAt, attempts, claim: null, leaseUntil: null, error })
    .where('_id', '=', _id)
    .execute()
}

/** Ends an unfinished job. False if it is finished or does not exist. */
async function end(
  tx: Transaction,
  id: string,
  ending: Ending,
  { error = null, unlessDone = false }: { error?: string | null; unlessDone?: boolean } = {},
): Promise<boolean> {
  const ended = await tx
    .updateTable('jobs')
    .set({ state: ending, finishedAt: now(), claim: null, leaseUntil: null, error })
    .where('_id', '=', id)
    .where('state', 'in', UNFINISHED)
    .$if(unlessDone, (query) =>
      query.where((row) => row.or([row('total', '=', 0), row('done', '<', row.ref('total'))])),
    )
    .returning(['kind', 'lane'])
    .executeTakeFirst()
  if (!ended) return false
  const { kind, lane } = ended
  if (lane !== null) await toBack(tx, lane)
  await workOf(kind)?.ended?.(tx, id, ending)
  return true
}

/** Makes the next job of a lane due after the jobs of other lanes that wait now, so that a long lane delays no other. */
async function toBack(tx: Transaction, lane: string): Promise<void> {
  const first = tx
    .selectFrom('jobs')
    .select('_id')
    .where('lane', '=', lane)
    .where('state', 'in', UNFINISHED)
    .orderBy('_id')
    .limit(1)
  const next = await (engine === 'postgres' ? first.forUpdate().skipLocked() : first).executeTakeFirst()
  if (!next) return
  await tx
    .updateTable('jobs')
    .set({ dueAt: now() })
    .where('_id', '=', next._id)
    .where('state', '=', 'queued')
    .where('dueAt', '<', now())
    .execute()
}

/**
 * Deletes jobs that finished long ago, and with them batches. What these wrote can still be rolled back, since the
 * revisions name the batch.
 */
export async function deleteOldJobs(): Promise<void> {
  const before = momentIn(-KEPT_MS)
  const batches = await db
    .selectFrom('batches')
    .innerJoin('jobs', 'jobs._id', 'batches._id')
    .select('batches._id')
    .where('jobs.finishedAt', '<', before)
    .execute()
  for (const { _id } of batches) await deleteRows(db, 'batchRows', ['batch', '=', _id])
  await deleteRows(db, 'jobs', ['finishedAt', '<', before])
}

/**
 * The number of unfinished jobs in a lane. Locks the lane until the transaction ends: whoever calls this before adding
 * a job waits.
 */
export async function unfinishedIn(tx: Transaction, lane: string): Promise<number> {
  await advisoryLock(tx, lane)
  const { count } = await tx
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('lane', '=', lane)
    .where('state', 'in', UNFINISHED)
    .executeTakeFirstOrThrow()
  return count
}

const attemptsOf = ({ kind }: Pick<JobRow, 'kind'>): number => workOf(kind)?.attempts ?? MAX_ATTEMPTS
const leaseEnd = (): string => momentIn(LEASE_MS)
