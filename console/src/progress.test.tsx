import { aiApi } from '@mokuroku/contract/ai'
import { batchesApi } from '@mokuroku/contract/batches'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aBatch, answer, fail, hold, requests, withoutServer } from './testing.tsx'
import { rollBack, startRollback } from '#api/batches.ts'
import { followStream, stream } from '#api/stream.ts'

withoutServer()
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const reads = () => requests.filter(({ path }) => path === '/api/batches/b2').length

/** Rolls back a batch; the first read of the rollback finds it running, the second one ended. */
async function rolledBack() {
  answer(batchesApi.rollback, { batch: 'b2' })
  answer(batchesApi.find, () => aBatch({ _id: 'b2', state: reads() > 1 ? 'done' : 'running' }))
  let state = 'pending'
  const ended = rollBack('b', 'Wrong').then(
    () => (state = 'ended'),
    () => (state = 'failed'),
  )
  await vi.advanceTimersByTimeAsync(4000)
  expect([state, reads()]).toEqual(['pending', 0])
  await vi.advanceTimersByTimeAsync(2000)
  expect([state, reads()]).toEqual(['pending', 1])
  await vi.advanceTimersByTimeAsync(5000)
  await ended
  await vi.advanceTimersByTimeAsync(60_000)
  return [state, reads()]
}

test.each([
  ['is broken by a proxy', () => fail(batchesApi.stream, 502)],
  ['cannot be reached', () => fail(batchesApi.stream, 0)],
  ['fails on the server', () => fail(batchesApi.stream, 500, { code: 'internal' })],
  ['is never answered', () => void hold(batchesApi.stream)],
  ['is answered with something else', () => answer(batchesApi.stream, {} as never)],
])('if the stream of a batch %s, its state is read until it ends', async (_what, breakStream) => {
  breakStream()
  expect(await rolledBack()).toEqual(['ended', 2])
})

test('a stream that is not answered, or whose refusal never ends, fails and is disconnected', async () => {
  const endless = new Response(new ReadableStream(), { status: 502 })
  for (const answered of [new Promise(() => undefined), Promise.resolve(endless)]) {
    const sent: RequestInit[] = []
    vi.stubGlobal('fetch', (_url: string, init: RequestInit) => (sent.push(init), answered))
    const failure = stream(aiApi.process, { query: { text: 'Title', stream: 'true' } })
      .next()
      .catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(44_000)
    expect(sent[0]?.signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(2000)
    expect(await failure).toMatchObject({ status: 0 })
    expect([sent.length, sent[0]?.signal?.aborted]).toEqual([1, true])
  }
})

test('a tab has a stream only after it was shown for a second, until it is hidden for four', async () => {
  const sent: AbortSignal[] = []
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    sent.push(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  const areOpen = () => sent.filter(({ aborted }) => !aborted).length
  const setHidden = (is: boolean) => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(is)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  const leaving = new AbortController()
  followStream(notificationsApi.stream, {}, () => undefined, leaving.signal)
  await vi.advanceTimersByTimeAsync(1000)
  setHidden(true)
  await vi.advanceTimersByTimeAsync(3500)
  expect(areOpen()).toBe(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(areOpen()).toBe(0)
  setHidden(false)
  await vi.advanceTimersByTimeAsync(500)
  setHidden(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent.length).toBe(1)
  setHidden(false)
  await vi.advanceTimersByTimeAsync(1500)
  expect([sent.length, areOpen()]).toEqual([2, 1])
  leaving.abort()
})

test('a batch that may not be read is not followed any longer', async () => {
  answer(batchesApi.rollback, { batch: 'b2' })
  fail(batchesApi.stream, 404, { code: 'notFound' })
  fail(batchesApi.find, 404, { code: 'notFound' })
  const refused = rollBack('b', 'Wrong').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await refused).toMatchObject({ status: 404 })
  expect(reads()).toBe(1)
})

const starts = () => requests.filter(({ method }) => method === 'POST').length

test.each([0, 502])('a rollback whose response is lost (%i) is found, and not started twice', async (status) => {
  fail(batchesApi.rollback, status)
  fail(batchesApi.find, 0)
  await expect(startRollback(`lost ${status}`, 'Wrong')).rejects.toMatchObject({ status })
  answer(batchesApi.find, aBatch({ rollback: aBatch({ _id: 'b2', refused: 0 }) }))
  expect(await startRollback(`lost ${status}`, 'Wrong')).toBe('b2')
  expect(await startRollback(`another ${status}`, 'Wrong')).toBe('b2')
  expect(starts()).toBe(2)
})

test('after a lost response, what a partial rollback has left is rolled back again', async () => {
  fail(batchesApi.rollback, 0)
  answer(batchesApi.find, aBatch({ rollback: aBatch({ _id: 'b2', refused: 1 }) }))
  await expect(startRollback('partial', 'Wrong')).rejects.toMatchObject({ status: 0 })
  answer(batchesApi.rollback, { batch: 'b3' })
  expect(await startRollback('partial', 'Wrong')).toBe('b3')
})
