// The queue: which job is whose, as rows of one table. Every change of a running job names the claim it is made under.
import { afterCommit, db, engine, oneAtATime, type Transaction, transaction } from '#database/db.ts'
import type { Tables } from '#database/tables.ts'
import { momentIn, now, time } from '#lib/clock.ts'
import { traceparent } from '#lib/tracing.ts'
import { publishJobs } from './bell.ts'
import { type Ending, type Note, workOf } from './work.ts'

export type JobRow = Tables['jobs']

/** For how long a claim holds without being renewed, in milliseconds. */
export const LEASE_MS = 30_000
/** How often a job may fail in a row, or end with its process, before it is given up, where its kind does not say. */
const MAX_ATTEMPTS = 8
/** The wait after the first failure, in milliseconds; twice as long after each further one, up to the second number. */
const [FIRST_BACKOFF_MS, MAX_BACKOFF_MS] = [1000, 60_000]

/** Thrown where a job is not, or no longer, claimed by who works on it. */
export class ClaimLost extends Error {
  constructor() {
    super('The job was cancelled, or another process has taken it over')
  }
}

interface NewJob {
  id: string
  kind: string
  payload: Record<string, unknown>
  /** Jobs of a lane are done one at a time, in the order in which they were added. */
  lane?: string
  /** How much there is to do. */
  total?: number
}

/** Adds a job with a transaction that does more; it is begun once that is committed. */
export async function enqueue(tx: Transaction, { id, kind, payload, lane, total = 0 }: NewJob): Promise<void> {
  await tx
    .insertInto('jobs')
    .values(newRow({ _id: id, kind, payload, lane: lane ?? null, total }))
    .execute()
  afterCommit(tx, publishJobs)
}

/**
 * Adds a job, in the place of the one that has its id; who works on that one has lost it. With `unlessUnfinished` one that
 * waits or is worked on stays as it is.
 */
export async function put(tx: Transaction, given: NewJob, { unlessUnfinished = false } = {}): Promise<void> {
  const { id, kind, payload, lane = null, total = 0 } = given
  const row = newRow({ _id: id, kind, payload, lane, total })
  await tx
    .insertInto('jobs')
    .values(row)
    .onConflict((conflict) => {
      const update = conflict.column('_id').doUpdateSet(row)
      return unlessUnfinished ? update.where('jobs.state', 'not in', ['queued', 'running']) : update
    })
    .execute()
  afterCommit(tx, publishJobs)
}

/** Takes a job away, finished or not; who works on it has lost it. */
export const drop = async (tx: Transaction, id: string): Promise<void> =>
  void (await tx.deleteFrom('jobs').where('_id', '=', id).execute())

/**
 * Has the jobs that were being worked on taken up at once. For a start with no other server beside it: whoever had them
 * is gone.
 */
export const freeClaims = async (tx: Transaction): Promise<void> =>
  void (await tx
    .updateTable('jobs')
    .set({ leaseUntil: new Date(0).toISOString() })
    .where('state', '=', 'running')
    .execute())

/** Adds a job that is done already, with the transaction that did it. */
export async function addDone(tx: Transaction, { id, kind, payload, total = 0 }: NewJob): Promise<void> {
  const at = now()
  const row = newRow({ _id: id, kind, payload, lane: null, total })
  await tx
    .insertInto('jobs')
    .values({ ...row, state: 'done', done: total, startedAt: at, finishedAt: at })
    .execute()
}

/** Makes sure that repeated work has its job, and that it is done soon after a start. */
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
 * Has the one job of a kind done: one that is finished begins anew, and one that waits is due and goes on where it was.
 * One that is under way is done once more after it where `anew` says that what it has done may not count.
 */
export async function addOnce(tx: Transaction, kind: string, { anew = false } = {}): Promise<void> {
  await put(tx, { id: kind, kind, payload: {} }, { unlessUnfinished: true })
  const given = tx.updateTable('jobs').where('_id', '=', kind)
  await given.set({ dueAt: now() }).where('state', '=', 'queued').where('dueAt', '>', now()).execute()
  // Later than when it was claimed, by which `finish` knows it.
  if (anew)
    await given
      .set({ dueAt: momentIn(1) })
      .where('state', '=', 'running')
      .execute()
}

/** Whether a job has yet to come to its end: what a server does now, or does at its next start. */
export async function isUnfinished(id: string): Promise<boolean> {
  const row = await db.selectFrom('jobs').select('state').where('_id', '=', id).executeTakeFirst()
  return row?.state === 'queued' || row?.state === 'running'
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

/** Cancels a job that is not finished; what works on it stops at its next step. False when it is finished. */
export async function cancel(tx: Transaction, id: string): Promise<boolean> {
  const cancelled = await end(tx, id, 'cancelled')
  if (cancelled) afterCommit(tx, publishJobs)
  return cancelled
}

/**
 * Takes the next job of these kinds that is due: one that waits, or one whose claim has lapsed. `claim` is new with each
 * claim.
 */
export async function claimNext(claim: string, kinds: string[]): Promise<JobRow | undefined> {
  // Looked for first without a transaction, for SQLite has one writer at a time.
  if (!(await claimable(db, kinds).executeTakeFirst())) return undefined
  return transaction(async (tx) => {
    const query = claimable(tx, kinds)
    const found = await (engine === 'postgres' ? query.forUpdate().skipLocked() : query).executeTakeFirst()
    if (!found) return undefined
    if (found.attempts >= attemptsOf(found) && !isRepeated(found)) {
      await end(tx, found._id, 'failed', 'It ended with its process too often.')
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

/** The unfinished jobs that may be taken, the one that was due first at the front. */
function claimable(from: Pick<Transaction, 'selectFrom'>, kinds: string[]) {
  const at = now()
  return from
    .selectFrom('jobs')
    .selectAll()
    .where('state', 'in', ['queued', 'running'])
    .where('kind', 'in', kinds)
    .where((row) =>
      row.or([
        row.and([row('state', '=', 'queued'), row('dueAt', '<=', at)]),
        row.and([row('state', '=', 'running'), row('leaseUntil', '<', at)]),
        // A claim that is far in the future was made while a clock was wrong.
        row.and([row('state', '=', 'running'), row('leaseUntil', '>', momentIn(3 * LEASE_MS))]),
      ]),
    )
    .where((row) =>
      row.or([
        row('lane', 'is', null),
        row.not(
          row.exists(
            row
              .selectFrom('jobs as earlier')
              .select('earlier._id')
              .whereRef('earlier.lane', '=', 'jobs.lane')
              .whereRef('earlier._id', '<', 'jobs._id')
              .where('earlier.state', 'in', ['queued', 'running']),
          ),
        ),
      ]),
    )
    .orderBy('dueAt')
    .orderBy('_id')
    .limit(1)
}

/** How long until the next job of these kinds is due, in milliseconds, and no longer than `atMost`. */
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
 * Renews a claim, notes how far the job is, and answers what it has failed and was due so far. Throws `ClaimLost`. A job
 * that gets on has not failed in a row.
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

/** Ends a job that was done; work that is repeated waits for its next time, and what was asked for anew is due again. */
export const finish = (job: JobRow): Promise<void> =>
  transaction(async (tx) => {
    const { dueAt } = await renew(tx, job)
    const { everyMs } = workOf(job.kind) ?? {}
    if (dueAt !== job.dueAt) await requeue(tx, job, 0, 0)
    else if (everyMs === undefined) await end(tx, job._id, 'done')
    else await requeue(tx, job, everyMs, 0)
  })

/** Puts a job back for another process, or the next start. */
export const release = (job: JobRow): Promise<void> =>
  transaction(async (tx) => {
    await renew(tx, job)
    await requeue(tx, job, 0, job.attempts - 1)
  })

/**
 * Puts back a job that failed, to be tried after a while: longer each time, and never at the same moment as others. One
 * that failed too often ends, unless it `mayLast`: what the machine fails is tried until it works.
 */
export const retry = (job: JobRow, error: string, mayLast: boolean): Promise<void> =>
  transaction(async (tx) => {
    const held = await renew(tx, job)
    const attempts = Math.max(1, held.attempts)
    if (attempts >= attemptsOf(job) && !mayLast && !isRepeated(job)) await end(tx, job._id, 'failed', error)
    else {
      const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS)
      await requeue(tx, job, backoff * (0.5 + Math.random()), Math.min(attempts, attemptsOf(job) - 1), error)
    }
  })

/** Ends a job that another try would not help. */
export const giveUp = (job: JobRow, error: string): Promise<void> =>
  transaction(async (tx) => {
    await renew(tx, job)
    await end(tx, job._id, 'failed', error)
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

/** Ends an unfinished job. False when it is finished, or not there. */
async function end(tx: Transaction, id: string, ending: Ending, error: string | null = null): Promise<boolean> {
  const ended = await tx
    .updateTable('jobs')
    .set({ state: ending, finishedAt: now(), claim: null, leaseUntil: null, error })
    .where('_id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returning('kind')
    .executeTakeFirst()
  if (ended) await workOf(ended.kind)?.ended?.(tx, id, ending)
  return ended !== undefined
}

/** How many jobs of a lane are not finished; nobody adds one to it until the transaction ends. */
export async function unfinishedIn(tx: Transaction, lane: string): Promise<number> {
  await oneAtATime(tx, lane)
  const { count } = await tx
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('lane', '=', lane)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  return count
}

const attemptsOf = ({ kind }: Pick<JobRow, 'kind'>): number => workOf(kind)?.attempts ?? MAX_ATTEMPTS
const isRepeated = ({ kind }: Pick<JobRow, 'kind'>): boolean => workOf(kind)?.everyMs !== undefined

const leaseEnd = (): string => momentIn(LEASE_MS)
