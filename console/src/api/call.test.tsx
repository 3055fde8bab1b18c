import { ApiError } from '@mokuroku/contract/call'
import { authApi } from '@mokuroku/contract/auth'
import { bulkOf } from '@mokuroku/contract/bulk'
import { importsApi } from '@mokuroku/contract/imports'
import { mediaApi } from '@mokuroku/contract/media'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { trashApi } from '@mokuroku/contract/trash'
import { usersApi } from '@mokuroku/contract/users'
import { afterEach, expect, test, vi } from 'vitest'
import { messageOf } from '#i18n/errors.ts'
import { call, countedCall, isDoneByOthers } from './call.ts'
import { lostConnection } from './connection.ts'
import { q } from './query.ts'
import { queryClient } from './queryClient.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The signal of the only request, which is not answered until it is aborted. */
function withoutAnswer(): () => AbortSignal | undefined {
  let used: AbortSignal | undefined
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    used = signal
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  return () => used
}

test('a read that is not answered in time fails as without a response; one that is abandoned is aborted', async () => {
  const timeout = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
  withoutAnswer()
  const abandoned = new AbortController()
  const first = call(mediaApi.find, { id: 'a', signal: abandoned.signal })
  const second = call(mediaApi.find, { id: 'b' })
  abandoned.abort()
  await expect(first).rejects.toBe(abandoned.signal.reason)
  timeout.abort()
  await expect(second).rejects.toEqual(new ApiError(0, undefined))
})

test('a read that was not answered in time is not repeated; one that found no connection is, once', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  const fetched = vi.fn().mockRejectedValue(new DOMException('', 'TimeoutError'))
  vi.stubGlobal('fetch', fetched)
  const read = () => queryClient.fetchQuery({ ...q(mediaApi.find, { id: 'a' }), retryDelay: 0 })
  await expect(read()).rejects.toMatchObject({ status: 0 })
  expect(fetched).toHaveBeenCalledTimes(1)
  fetched.mockRejectedValue(new TypeError())
  await expect(read()).rejects.toMatchObject({ status: 0 })
  expect(fetched).toHaveBeenCalledTimes(3)
})

test('the same write is sent once until its response, another one at once', async () => {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body))
    return Promise.resolve(Response.json({}))
  })
  const rename = (username: string) => call(authApi.updateProfile, { body: { username }, base: 1 })
  await Promise.all([rename('mori'), rename('mori'), rename('natsume')])
  await rename('mori')
  expect(bodies).toEqual(['mori', 'natsume', 'mori'].map((username) => ({ username })))
})

test('only a write that a proxy refuses as too large is told to send less', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('Too large', { status: 413 })))
  const read = await call(mediaApi.find, { id: 'a' }).catch(messageOf)
  const list = await countedCall(mediaApi.list, { query: {} }).catch(messageOf)
  const write = await call(mediaApi.remove, { id: 'a' }).catch(messageOf)
  expect([read, list]).toEqual(['An unexpected error occurred', 'An unexpected error occurred'])
  expect(write).toContain('Send less')
})

test('a write is awaited without a time limit', () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const signal = withoutAnswer()
  void call(mediaApi.remove, { id: 'a' })
  expect(signal()?.aborted).toBe(false)
  expect(timeout).not.toHaveBeenCalled()
})

/** Answers each request with the next of these; 0: no response. */
function answers(...given: (0 | { status: number; body?: object })[]) {
  const next = () => given.shift() ?? 0
  vi.stubGlobal('fetch', () => {
    const now = next()
    if (now === 0) return Promise.reject(new TypeError())
    return Promise.resolve(now.body ? Response.json(now.body, now) : new Response('<html>', now))
  })
}

const failureOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 'no failure',
    (error: unknown) => messageOf(error),
  )

test('the failure of a write that may have happened says so', async () => {
  const lost = 'Network error. Please check your connection.'
  const server = 'Server error. Please try again later.'
  const maybe = 'It may have gone through.'
  const remove = () => failureOf(call(mediaApi.remove, { id: 'c' }))
  answers(0, { status: 502 }, { status: 500, body: { code: 'internal' } }, { status: 404, body: { code: 'notFound' } })
  expect(await remove()).toBe(`${lost} ${maybe}`)
  expect(await remove()).toBe(`${server} ${maybe}`)
  // The server has undone it.
  expect(await remove()).toBe(server)
  answers(0, 0, 0, 0, 0)
  expect(await failureOf(call(mediaApi.find, { id: 'a' }))).toBe(lost)
  expect(await failureOf(call(bulkOf('Media'), { body: { ids: ['a'], change: { delete: true }, dryRun: true } }))).toBe(
    lost,
  )
  expect(await failureOf(call(authApi.login, { body: { email: 'a@example.org', password: 'b' } }))).toBe(lost)
  lostConnection.set('server')
  expect(await remove()).toBe(lost)
  lostConnection.set(undefined)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  expect(await remove()).toBe(lost)
})

test('a deletion may have happened if the connection was lost between it and its response', async () => {
  const response = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => response.promise)
  const remove = () => failureOf(call(mediaApi.remove, { id: 'd', base: 1 }))
  const failure = remove()
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  response.reject(new TypeError())
  expect(await failure).toBe('Network error. Please check your connection. It may have gone through.')
  online.mockReturnValue(true)
  answers({ status: 404, body: { code: 'notFound' } })
  expect(await remove()).toBe('no failure')
})

test('a deletion of what somebody else has deleted is no failure', async () => {
  answers({ status: 404, body: { code: 'notFound', message: 'Media not found' } })
  expect(isDoneByOthers(await call(mediaApi.remove, { id: 'a', base: 1 }))).toBe(true)
  // It may have been restored instead.
  answers({ status: 404, body: { code: 'notFound', message: 'Media not found' } })
  expect(await failureOf(call(trashApi.purge, { kind: 'Media', id: 'a' }))).toBe('Resource not found.')
})

test('the failure of a write to what has been deleted says so, and whether it can be restored', async () => {
  const missing = (name: string) => answers({ status: 404, body: { code: 'notFound', message: `${name} not found` } })
  const gone = 'Resource not found. This item has been deleted in the meantime.'
  missing('User')
  expect(await failureOf(call(usersApi.update, { id: 'a', body: { isActive: false } }))).toBe(
    `${gone} Try again once it has been restored.`,
  )
  missing('Import')
  expect(await failureOf(call(importsApi.cancel, { id: 'a' }))).toBe(gone)
  missing('User')
  expect(await failureOf(call(usersApi.restore, { id: 'a' }))).toBe(
    'Resource not found. This item has been permanently deleted.',
  )
  missing('User')
  expect(await failureOf(call(revisionsApi.restore, { id: 'a', body: {} }))).toBe(
    `${gone} Try again once it has been restored.`,
  )
  missing('User')
  expect(await failureOf(call(usersApi.find, { id: 'a' }))).toBe('Resource not found.')
  // That of a proxy.
  answers({ status: 404 })
  expect(await failureOf(call(usersApi.restore, { id: 'b' }))).toBe('Resource not found.')
})

test('a deletion that finds nothing after one without an answer has succeeded', async () => {
  const gone = { status: 404 }
  const remove = () => failureOf(call(mediaApi.remove, { id: 'b', base: 1 }))
  answers(gone, 0, gone)
  expect(await remove()).toBe('Resource not found.')
  expect(await remove()).toMatch(/^Network error/)
  expect(await remove()).toBe('no failure')
})
