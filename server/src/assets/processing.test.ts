import { setTimeout as sleep } from 'node:timers/promises'
import { assetsApi } from '@mokuroku/contract/assets'
import { jobsApi } from '@mokuroku/contract/jobs'
import { trashApi } from '@mokuroku/contract/trash'
import { expect, onTestFinished, test, vi } from 'vitest'
import { time } from '#lib/clock.ts'
import { db, transaction } from '#database/db.ts'
import { publishJobs } from '#jobs/signal.ts'
import { drop, put } from '#jobs/queue.ts'
import { registerWork } from '#jobs/work.ts'
import { SandboxStarved } from '#sandbox/sandbox.ts'
import { assets, PROCESSING } from '#store/assets'
import { app, idle, jobOf, signedIn, withApp } from '#test/app.ts'
import { aPicture, keptKeys, send } from '#test/files.ts'
import { queueWaitingFiles } from './processing.ts'
import { storage } from './storage.ts'

withApp()

const setAsset = (id: string, changes: object) => db.updateTable('assets').set(changes).where('_id', '=', id).execute()
/** An uploaded image, with its storage key. */
async function aFile(token: string, name = 'a.png') {
  const { status, body } = await send(await aPicture(), name, { token })
  expect(status).toBe(201)
  const { storageKey } = await db
    .selectFrom('assets')
    .select('storageKey')
    .where('_id', '=', body._id)
    .executeTakeFirstOrThrow()
  await idle()
  return { id: body._id, status: body.status, storageKey }
}
/** Simulates a worker that died while processing an asset's file: its claim expires at `expires`, or never. */
async function underWay(id: string, expires?: number) {
  const leaseUntil = expires === undefined ? null : new Date(expires).toISOString()
  await transaction(async (tx) => {
    await assets.queueProcessing(tx, id)
    await tx
      .updateTable('jobs')
      .set({ state: 'running', claim: 'gone', leaseUntil, attempts: 1 })
      .where('_id', '=', id)
      .execute()
  })
}

test('removes the processing job when the file is ready', async () => {
  const { token } = await signedIn()
  const { id, status } = await aFile(token)
  expect(status).toBe('READY')
  expect(await jobOf(id)).toBeUndefined()
})

test('adds the job in the same transaction as the change of the asset', async () => {
  const { token } = await signedIn()
  const { id } = await aFile(token)
  const started = transaction(async (tx) => {
    await assets.queueProcessing(tx, id)
    throw new Error('no')
  })
  await expect(started).rejects.toThrow('no')
  expect([await jobOf(id), (await assets.row(id)) as object]).toMatchObject([undefined, { status: 'READY' }])
})

test('leaves a file to the process that claimed it, and takes it over when the claim expires', async () => {
  const { token, call } = await signedIn()
  const { id, storageKey } = await aFile(token)
  await storage.remove(storageKey)
  await underWay(id, time() + 20_000)
  await queueWaitingFiles()
  // A worker that looks for a job now finds none.
  await transaction((tx) => put(tx, { id: 'look', kind: 'nothing', payload: {} }))
  await sleep(300)
  expect([await jobOf(id), await call(assetsApi.find, { id })]).toMatchObject([
    { claim: 'gone' },
    { status: 'PENDING' },
  ])
  await underWay(id, time() - 1)
  await transaction((tx) => drop(tx, 'look'))
  publishJobs()
  await expect.poll(() => call(assetsApi.find, { id })).toMatchObject({ status: 'READY' })
  expect(await keptKeys()).toContain(storageKey)
})

test('class 16: processes the files of a user one at a time, and those of others meanwhile', async () => {
  const [busy, other] = [await signedIn(), await signedIn()]
  const [first, second, third] = [await aFile(busy.token), await aFile(busy.token), await aFile(other.token)]
  await underWay(first.id)
  await transaction(async (tx) => {
    for (const { id } of [second, third]) await assets.queueProcessing(tx, id)
  })
  await expect.poll(() => other.call(assetsApi.find, { id: third.id })).toMatchObject({ status: 'READY' })
  expect(await jobOf(second.id)).toMatchObject({ state: 'queued' })
  await setAsset(first.id, { status: 'ERROR' })
  await transaction((tx) => drop(tx, first.id))
  publishJobs()
  await expect.poll(() => busy.call(assetsApi.find, { id: second.id })).toMatchObject({ status: 'READY' })
})

test('a file is served, and has a thumbnail, only once it is ready, since until then it has its metadata', async () => {
  const { token, call } = await signedIn()
  const { id, storageKey } = await aFile(token)
  const shownAs = async (status: string) => {
    await setAsset(id, { status })
    const { statusCode } = await app.inject({ url: `/files/${storageKey}` })
    return [status, statusCode, 'thumbnail' in (await call(assetsApi.find, { id }))]
  }
  for (const status of ['PENDING', 'PROCESSING', 'ERROR']) expect(await shownAs(status)).toEqual([status, 404, false])
  expect(await shownAs('READY')).toEqual(['READY', 200, true])
})

test('takes up a file that waits without a job, but not one that has failed', async () => {
  const { token, call } = await signedIn()
  const [waiting, failed] = [(await aFile(token)).id, (await aFile(token)).id]
  await setAsset(waiting, { status: 'PROCESSING', attempts: 1 })
  await setAsset(failed, { status: 'ERROR', failure: 'x' })
  await queueWaitingFiles()
  await idle()
  expect(await call(assetsApi.find, { id: waiting })).toMatchObject({ status: 'READY' })
  expect(await call(assetsApi.find, { id: failed })).toMatchObject({ status: 'ERROR', failure: 'x' })
  expect(await assets.withoutJob()).toEqual([])
})

test('gives up a file that has crashed two processes, until a user retries it', async () => {
  const { token, call } = await signedIn()
  const { id } = await aFile(token)
  await setAsset(id, { status: 'PROCESSING', attempts: 2 })
  await queueWaitingFiles()
  await idle()
  const failure = 'The file takes too much time or memory to process. Try again, or upload it in another format.'
  expect(await call(assetsApi.find, { id })).toMatchObject({ status: 'ERROR', failure })
  expect(await jobOf(id)).toBeUndefined()
  // A user may retry it, which resets the attempts.
  await call(assetsApi.retry, { id })
  await expect.poll(() => call(assetsApi.find, { id })).toMatchObject({ status: 'READY' })
})

test('retries a file later if the machine is too busy, without counting it as a failed attempt', async () => {
  const { token, call } = await signedIn()
  const { id } = await aFile(token)
  const busy = vi.spyOn(storage, 'withFile').mockRejectedValue(new SandboxStarved('The machine is busy'))
  await transaction((tx) => assets.queueProcessing(tx, id))
  await expect.poll(() => jobOf(id)).toMatchObject({ state: 'queued', error: 'Error: The machine is busy' })
  await expect.poll(() => assets.row(id)).toMatchObject({ status: 'PROCESSING', attempts: 0 })
  busy.mockRestore()
  await expect.poll(() => call(assetsApi.find, { id })).toMatchObject({ status: 'READY' })
})

test('does not count an attempt whose outcome cannot be stored while the database is away', async () => {
  const { token, call } = await signedIn()
  const { id } = await aFile(token)
  const { storeFindings } = assets
  const gone = Object.assign(new Error('The database is away'), { code: '08006' })
  const stored = vi.spyOn(assets, 'storeFindings')
  onTestFinished(() => stored.mockRestore())
  stored.mockImplementationOnce(storeFindings).mockRejectedValueOnce(gone).mockRejectedValueOnce(gone)
  await transaction((tx) => assets.queueProcessing(tx, id))
  await expect.poll(() => call(assetsApi.find, { id })).toMatchObject({ status: 'READY' })
  expect(await assets.row(id)).toMatchObject({ attempts: 1 })
})

test('purging an asset deletes its job', async () => {
  const { token, call } = await signedIn()
  const { id, storageKey } = await aFile(token)
  await underWay(id)
  await call(assetsApi.remove, { id })
  await call(trashApi.purge, { kind: 'Asset', id })
  expect(await jobOf(id)).toBeUndefined()
  await idle()
  expect((await keptKeys()).filter((key) => key.includes(storageKey.replace(/\..*/, '')))).toEqual([])
})

test('cancelling the job marks the file as failed, and it can be retried', async () => {
  const { token, call } = await signedIn()
  const { id } = await aFile(token)
  await underWay(id)
  const { data } = await call(jobsApi.list, { query: {} })
  expect(data.find(({ _id }) => _id === id)).toMatchObject({ kind: PROCESSING, state: 'running', canCancel: true })
  expect(await call(jobsApi.cancel, { id })).toMatchObject({ state: 'cancelled' })
  const cancelled = { status: 'ERROR', failure: 'Processing was cancelled. Try again.' }
  expect(await call(assetsApi.find, { id })).toMatchObject(cancelled)
  expect(await jobOf(id)).toBeUndefined()
  await call(assetsApi.retry, { id })
  await expect.poll(() => call(assetsApi.find, { id })).toMatchObject({ status: 'READY' })
})

test('processes files while all workers for other jobs are busy', async () => {
  const { token } = await signedIn()
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  let busy = 0
  registerWork('busy', { run: () => ((busy += 1), gate) })
  for (const id of ['one', 'two', 'three'])
    await transaction((tx) => put(tx, { id: `busy ${id}`, kind: 'busy', payload: {} }))
  await expect.poll(() => busy).toBe(3)
  expect((await send(await aPicture(), 'beside.png', { token })).body).toMatchObject({ status: 'READY' })
  open()
})
