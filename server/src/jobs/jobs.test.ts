import { beforeEach, expect, test } from 'vitest'
import { momentIn, time } from '#lib/clock.ts'
import { db, transaction } from '#database/db.ts'
import { newId } from '#lib/ids.ts'
import { idle, withApp } from '#test/app.ts'
import { publishJobs } from './signal.ts'
import {
  addOnce,
  cancel,
  ClaimLost,
  drop,
  enqueue,
  finish,
  freeClaims,
  LEASE_MS,
  put,
  queueLag,
  renew,
  repeat,
  retry,
} from './queue.ts'
import { type Job, JobFailed, registerWork } from './work.ts'
import { startWorker } from './worker.ts'

withApp()

/** What each job of the kind `test` does, by the id of the job. */
const works = new Map<string, (job: Job) => Promise<void>>()
const endings: [string, string][] = []
registerWork('test', {
  run: async (job) => works.get(job._id)?.(job),
  ended: async (_, id, ending) => void endings.push([id, ending]),
})
registerWork('alone', { hasOwnSlot: true, run: async (job) => works.get(job._id)?.(job) })
beforeEach(() => void endings.splice(0))

const add = async (given: { kind?: string; lane?: string; id?: string; run?: (job: Job) => Promise<void> } = {}) => {
  const { kind = 'test', id = newId(), lane, run } = given
  if (run) works.set(id, run)
  await transaction((tx) => enqueue(tx, { id, kind, payload: { given: 1 }, ...(lane && { lane }) }))
  return id
}
const jobOf = (id: string) => db.selectFrom('jobs').selectAll().where('_id', '=', id).executeTakeFirstOrThrow()
const set = (id: string, changes: object) => db.updateTable('jobs').set(changes).where('_id', '=', id).execute()
/**
 * Occupies the worker of the server with as many jobs as it runs at a time, so that another worker gets the next job.
 * Call the returned function to end them.
 */
async function occupyWorker(): Promise<() => void> {
  const gates: (() => void)[] = []
  for (let slot = 0; slot < 3; slot++) await add({ run: () => new Promise((resolve) => void gates.push(resolve)) })
  await expect.poll(() => gates.length).toBe(3)
  return () => {
    for (const open of gates) open()
  }
}
const abortOf = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve))
const ago = (ms: number) => momentIn(-ms)

test('an added job starts in the same process with its payload, and ends once', async () => {
  const payloads: unknown[] = []
  const id = await add({ run: async ({ payload }) => void payloads.push(payload) })
  await idle()
  expect(await jobOf(id)).toMatchObject({ state: 'done', claim: null, attempts: 1 })
  expect(payloads).toEqual([{ given: 1 }])
  expect(endings).toEqual([[id, 'done']])
})

test('a job that is added in a failed transaction does not exist', async () => {
  const id = newId()
  const failed = transaction(async (tx) => {
    await enqueue(tx, { id, kind: 'test', payload: {} })
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  await expect(jobOf(id)).rejects.toThrow('no result')
})

test('jobs of a lane run one at a time, in order, and in parallel with other lanes', async () => {
  const order: string[] = []
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  await add({ lane: 'a', run: async () => (await gate, void order.push('first')) })
  await add({ lane: 'a', run: async () => void order.push('second') })
  await add({ lane: 'b', run: async () => void order.push('other') })
  await expect.poll(() => order).toEqual(['other'])
  open()
  await idle()
  expect(order).toEqual(['other', 'first', 'second'])
})

test('jobs of a kind with its own slot run one at a time, and hold up no others', async () => {
  const gates: (() => void)[] = []
  const slow = () => new Promise<void>((resolve) => void gates.push(resolve))
  for (let count = 0; count < 4; count++) await add({ kind: 'alone', run: slow })
  const other = await add()
  await expect.poll(async () => (await jobOf(other)).state).toBe('done')
  for (let started = 1; started <= 4; started++) {
    await expect.poll(() => gates.length).toBe(started)
    gates.at(-1)?.()
  }
})

test('lanes take turns: a long one delays the only job of another by one job', async () => {
  const order: string[] = []
  const run = (name: string) => async () => void order.push(name)
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  await add({ kind: 'alone', lane: 'long', run: async () => (await gate, void order.push('long 1')) })
  for (const each of [2, 3, 4]) await add({ kind: 'alone', lane: 'long', run: run(`long ${each}`) })
  await add({ kind: 'alone', lane: 'short', run: run('short') })
  open()
  await idle()
  expect(order).toEqual(['long 1', 'short', 'long 2', 'long 3', 'long 4'])
})

test('a job that waits for an earlier one of its lane does not make the queue lag', async () => {
  const first = await add({ lane: 'lag', kind: 'lost' })
  await set(first, { state: 'running', claim: 'one', leaseUntil: ago(-LEASE_MS) })
  const second = await add({ lane: 'lag', kind: 'lost' })
  await set(second, { dueAt: ago(60_000) })
  expect(await queueLag()).toBeLessThan(60_000)
  await set(first, { state: 'done' })
  expect(await queueLag()).toBeGreaterThanOrEqual(60_000)
  await set(second, { state: 'done' })
})

test('retries a failing job, and finally gives up', async () => {
  let count = 0
  const id = await add({ run: () => ((count += 1), Promise.reject(new Error('it broke'))) })
  const ended = async () => {
    if ((await jobOf(id)).state === 'failed') return true
    // Without waiting for the backoff to end.
    await set(id, { dueAt: ago(0) })
    publishJobs()
    return false
  }
  await expect.poll(ended).toBe(true)
  expect(await jobOf(id)).toMatchObject({ attempts: 8, error: 'Error: it broke' })
  expect(count).toBe(8)
  expect(endings).toEqual([[id, 'failed']])
})

test('waits exponentially longer before each retry of a job', async () => {
  const id = await add({ kind: 'lost' })
  for (let attempts = 1; attempts < 8; attempts++) {
    await set(id, { state: 'running', claim: 'one', leaseUntil: ago(-LEASE_MS), attempts })
    const before = time()
    await retry(await jobOf(id), 'it broke', false)
    // With jitter: 0.5 to 1.5 times 1, 2, 4, … seconds, up to a minute.
    const wait = Math.min(1000 * 2 ** (attempts - 1), 60_000)
    const { dueAt, ...job } = await jobOf(id)
    expect(job).toMatchObject({ state: 'queued', claim: null, attempts, error: 'it broke' })
    expect(Date.parse(dueAt)).toBeGreaterThanOrEqual(before + wait / 2)
    expect(Date.parse(dueAt)).toBeLessThanOrEqual(time() + wait * 1.5)
  }
  await transaction((tx) => drop(tx, id))
})

test('gives up on a job that crashes its process every time', async () => {
  const id = await add({ kind: 'lost' })
  await set(id, { kind: 'test', state: 'running', claim: 'gone', leaseUntil: ago(1), attempts: 8 })
  publishJobs()
  await expect.poll(() => jobOf(id)).toMatchObject({ state: 'failed' })
})

test('a claim holds until its lease expires; then another process runs the job, and the old one cannot write', async () => {
  const id = await add({ kind: 'lost' })
  const lost = { ...(await jobOf(id)), claim: 'one' }
  await set(id, {
    kind: 'test',
    state: 'running',
    claim: 'one',
    leaseUntil: momentIn(LEASE_MS),
  })
  publishJobs()
  await transaction((tx) => renew(tx, lost, 3))
  expect(await jobOf(id)).toMatchObject({ state: 'running', claim: 'one', done: 3 })
  await set(id, { leaseUntil: ago(1) })
  publishJobs()
  await expect.poll(async () => (await jobOf(id)).state).toBe('done')
  for (const write of [() => transaction((tx) => renew(tx, lost)), () => finish(lost), () => retry(lost, 'x', false)])
    await expect(write()).rejects.toThrow(ClaimLost)
  expect(await jobOf(id)).toMatchObject({ state: 'done', done: 3 })
})

test('a server that starts alone resumes the jobs of a crashed one at once', async () => {
  const id = await add({ kind: 'lost' })
  const leaseUntil = momentIn(LEASE_MS)
  await set(id, { kind: 'test', state: 'running', claim: 'one', leaseUntil, attempts: 1 })
  await transaction(freeClaims)
  publishJobs()
  await expect.poll(() => jobOf(id)).toMatchObject({ state: 'done', attempts: 2 })
  // Before the lease has expired.
  expect(time()).toBeLessThan(Date.parse(leaseUntil))
})

test('replacing a running job takes it away from its worker', async () => {
  let go = (): void => undefined
  const gate = new Promise<void>((resolve) => (go = resolve))
  const given: unknown[] = []
  const id = await add({ run: async ({ payload }) => (given.push(payload), gate) })
  await expect.poll(() => given.length).toBe(1)
  const again = { id, kind: 'test', payload: { given: 2 } }
  await transaction((tx) => put(tx, again, { unlessUnfinished: true }))
  expect(await jobOf(id)).toMatchObject({ state: 'running', payload: { given: 1 } })
  await transaction((tx) => put(tx, again))
  await expect.poll(() => given.length).toBe(2)
  go()
  await idle()
  expect(given).toEqual([{ given: 1 }, { given: 2 }])
  expect(endings).toEqual([[id, 'done']])
})

test('a lease years ahead, from a wrong clock, counts as expired', async () => {
  const id = await add({ kind: 'lost' })
  await set(id, { kind: 'test', state: 'running', claim: 'one', leaseUntil: ago(-1e11) })
  publishJobs()
  await expect.poll(async () => (await jobOf(id)).state).toBe('done')
})

test('a job that is due later than any would wait, from a wrong clock, runs at once', async () => {
  const runs: string[] = []
  const [MINUTE, DAY] = [60_000, 86_400_000]
  registerWork('each day', { everyMs: DAY, run: async () => void runs.push('each day') })
  registerWork('single', { run: async ({ payload }) => void runs.push(String(payload.name)) })
  const dueIn = async (ms: number, _id: string, kind = 'single') => {
    await transaction(async (tx) => {
      await enqueue(tx, { id: _id, kind, payload: { name: _id } })
      await tx
        .updateTable('jobs')
        .set({ dueAt: ago(-ms) })
        .where('_id', '=', _id)
        .execute()
    })
  }
  await dueIn(MINUTE, 'soon')
  await dueIn(DAY, 'each day', 'each day')
  publishJobs()
  await idle()
  expect(runs).toEqual([])
  await dueIn(10 * MINUTE, 'an hour wrong')
  await expect.poll(() => runs).toEqual(['an hour wrong'])
  await set('each day', { dueAt: ago(-120 * DAY) })
  publishJobs()
  await expect.poll(() => runs).toEqual(['an hour wrong', 'each day'])
  // It is due again once its run has ended.
  await expect.poll(async () => Date.parse((await jobOf('each day')).dueAt)).toBeLessThan(time() + DAY + MINUTE)
  for (const id of ['soon', 'each day']) await transaction((tx) => drop(tx, id))
})

test('a job that is cancelled while running stops at its next step, and reports its end once', async () => {
  let isLost = false
  let reportStart = (): void => undefined
  const isUnderWay = new Promise<void>((resolve) => (reportStart = resolve))
  let go = (): void => undefined
  const gate = new Promise<void>((resolve) => (go = resolve))
  const id = await add({
    run: async ({ hold }) => {
      reportStart()
      await gate
      await transaction((tx) => hold(tx, 1)).catch((error: unknown) => {
        isLost = error instanceof ClaimLost
        throw error
      })
    },
  })
  await isUnderWay
  expect(await transaction((tx) => cancel(tx, id))).toBe(true)
  go()
  await expect.poll(() => isLost).toBe(true)
  expect(await transaction((tx) => cancel(tx, id))).toBe(false)
  expect(await jobOf(id)).toMatchObject({ state: 'cancelled', done: 0 })
  expect(endings).toEqual([[id, 'cancelled']])
})

test('a stopping worker returns its job to the queue, and another one resumes it', async () => {
  const freeWorker = await occupyWorker()
  const signals: AbortSignal[] = []
  const id = await add({
    run: async ({ signal }) => {
      signals.push(signal)
      if (signals.length === 1) await abortOf(signal)
    },
  })
  const stop = startWorker({ failed: () => undefined })
  await expect.poll(() => signals.length).toBe(1)
  await stop()
  expect(await jobOf(id)).toMatchObject({ state: 'queued', attempts: 0, claim: null })
  freeWorker()
  await expect.poll(async () => (await jobOf(id)).state).toBe('done')
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('a job that runs to its end while its worker stops is done, and not run again', async () => {
  const freeWorker = await occupyWorker()
  let count = 0
  registerWork('whole', {
    ignoresSignal: true,
    run: ({ signal }) => ((count += 1), abortOf(signal).then(() => undefined)),
  })
  const id = await add({ kind: 'whole' })
  const stop = startWorker({ failed: () => undefined })
  await expect.poll(() => count).toBe(1)
  await stop()
  freeWorker()
  expect(await jobOf(id)).toMatchObject({ state: 'done' })
  await idle()
  expect(count).toBe(1)
})

test('progress resets the number of failures also if the worker stops afterwards', async () => {
  const freeWorker = await occupyWorker()
  const runs: AbortSignal[] = []
  const id = newId()
  works.set(id, async ({ signal, hold }) => {
    await transaction((tx) => hold(tx, 1))
    if (runs.push(signal) === 1) await abortOf(signal)
  })
  await transaction((tx) => enqueue(tx, { id, kind: 'test', payload: {} }))
  await set(id, { attempts: 6 })
  const stop = startWorker({ failed: () => undefined })
  await expect.poll(() => runs.length).toBe(1)
  await stop()
  expect(await jobOf(id)).toMatchObject({ state: 'queued', attempts: 0 })
  freeWorker()
  await idle()
})

test('an end that cannot be stored while the database is away is stored later, and the job not run again', async () => {
  const away = Object.assign(new Error('No answer'), { code: '08006' })
  let [count, isAway] = [0, true]
  registerWork('away', {
    run: async () => void (count += 1),
    ended: async () => {
      if (!isAway) return
      isAway = false
      throw away
    },
  })
  const id = await add({ kind: 'away' })
  await expect.poll(async () => (await jobOf(id)).state).toBe('done')
  expect(count).toBe(1)
})

test('repeated work has one job, which is rescheduled after each run', async () => {
  let count = 0
  registerWork('daily', { everyMs: 60_000, run: async () => void (count += 1) })
  await Promise.all([repeat('daily'), repeat('daily')])
  await idle()
  const job = await jobOf('daily')
  expect(count).toBeGreaterThan(0)
  expect(job).toMatchObject({ state: 'queued', claim: null })
  expect(Date.parse(job.dueAt)).toBeGreaterThan(time() + 50_000)
})

test('a singleton job runs again if requested after it is done, or anew while it is running', async () => {
  let count = 0
  let go = (): void => undefined
  const isOpen = new Promise<void>((resolve) => (go = resolve))
  registerWork('once', { run: () => ((count += 1) === 1 ? isOpen : Promise.resolve()) })
  const ask = (anew = false) => transaction((tx) => addOnce(tx, 'once', { anew }))
  await ask()
  await expect.poll(() => count).toBe(1)
  await ask()
  await ask(true)
  go()
  await idle()
  expect(count).toBe(2)
  await ask()
  await idle()
  expect(count).toBe(3)
  expect(await jobOf('once')).toMatchObject({ state: 'done' })
})

test('requesting a waiting singleton job runs it now, with its saved payload', async () => {
  const done: unknown[] = []
  registerWork('waiting', { run: async ({ payload }) => void done.push(payload) })
  const ask = () => transaction((tx) => addOnce(tx, 'waiting'))
  await ask()
  await idle()
  const later = { state: 'queued', dueAt: momentIn(60_000), payload: { at: 7 } } as const
  await set('waiting', later)
  await ask()
  await idle()
  expect(done).toEqual([{}, { at: 7 }])
})

test('a job that throws JobFailed fails at once, without a retry', async () => {
  const id = await add({ run: () => Promise.reject(new JobFailed('There is nobody of this name')) })
  await expect.poll(async () => (await jobOf(id)).state).toBe('failed')
  expect(await jobOf(id)).toMatchObject({ attempts: 1, error: 'There is nobody of this name' })
})
