import { authApi } from '@mokuroku/contract/auth'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deliver, resumeDeliveries, undelivered } from './delivery.ts'
import { storedKeys } from './browserStorage.ts'
import { token } from './session.ts'

// Only fetch is stubbed. undefined: no response came.
let status: number | undefined
let body = '{}'
const sent: string[] = []
const tokenOf = (name: string, exp = 9e9) =>
  `h.${btoa(JSON.stringify({ exp, name }))}.signature-of-${name}`.padEnd(64, '-')
const left = () => storedKeys('undelivered:').length

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (url: string, { method, headers }: { method: string; headers: { authorization: string } }) => {
    sent.push(`${method} ${url} ${headers.authorization.slice(7)}`)
    return status === undefined ? Promise.reject(new TypeError()) : Promise.resolve(new Response(body, { status }))
  })
})
afterEach(async () => {
  status = 200
  body = '{}'
  await vi.advanceTimersByTimeAsync(3_600_000)
  localStorage.clear()
  sent.length = 0
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function signOut(used: string) {
  token.set(used)
  deliver(authApi.logout, {})
  token.remove()
  await vi.advanceTimersByTimeAsync(0)
}

test.each([[200], [401]])('a sign-out answered with %i is sent once and leaves nothing in storage', async (answer) => {
  status = answer
  await signOut(tokenOf('a'))
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(sent).toEqual([`POST /api/auth/logout ${tokenOf('a')}`])
  expect([left(), undelivered.get()]).toEqual([0, []])
})

test.each([[undefined], [429], [500], [503], [404]])(
  'a sign-out answered with %s is retried with backoff',
  async (answer) => {
    status = answer
    await signOut(tokenOf('a'))
    expect([left(), undelivered.get()]).toEqual([1, [authApi.logout.path]])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent.length).toBe(5)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(sent.length).toBeLessThan(25)
    status = 200
    await vi.advanceTimersByTimeAsync(300_000)
    expect([left(), undelivered.get()]).toEqual([0, []])
  },
)

test('a sign-out is sent although its token has expired by the clock of the browser', async () => {
  status = 200
  await signOut(tokenOf('a', 1000))
  expect(sent).toEqual([`POST /api/auth/logout ${tokenOf('a', 1000)}`])
  expect([left(), undelivered.get()]).toEqual([0, []])
})

test.each([[200], [401]])('a sign-out that a proxy answers with %i and a page is retried', async (answer) => {
  status = answer
  body = '<h1>Sign in to this network</h1>'
  await signOut(tokenOf('a'))
  expect([left(), undelivered.get()]).toEqual([1, [authApi.logout.path]])
  body = '{}'
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent.length, left(), undelivered.get()]).toEqual([2, 0, []])
})

test('sends a sign-out with the token of its own session, whoever has signed in since', async () => {
  status = undefined
  await signOut(tokenOf('a'))
  await signOut(tokenOf('b'))
  token.set(tokenOf('c'))
  sent.length = 0
  status = 200
  dispatchEvent(new Event('online'))
  resumeDeliveries()
  await vi.advanceTimersByTimeAsync(0)
  expect(new Set(sent)).toEqual(new Set(['a', 'b'].map((name) => `POST /api/auth/logout ${tokenOf(name)}`)))
  expect(left()).toBe(0)
  expect(localStorage.getItem('authToken')).toBe(tokenOf('c'))
})

test('resumes deliveries of an earlier visit or another tab, and drops unreadable ones', async () => {
  status = undefined
  await signOut(tokenOf('old'))
  const [key = ''] = storedKeys('undelivered:')
  const kept = localStorage.getItem(key) ?? ''
  localStorage.clear()
  await vi.advanceTimersByTimeAsync(600_000)
  sent.length = 0
  status = 200
  localStorage.setItem(key, kept)
  localStorage.setItem('undelivered:broken', '{"method":1}')
  dispatchEvent(new StorageEvent('storage', { key }))
  resumeDeliveries()
  await vi.advanceTimersByTimeAsync(0)
  expect(new Set(sent)).toEqual(new Set([`POST /api/auth/logout ${tokenOf('old')}`]))
  expect(left()).toBe(0)
})

test('what another tab has added is sent here only if that tab does not send it', async () => {
  status = undefined
  await signOut(tokenOf('other'))
  const [key = ''] = storedKeys('undelivered:')
  const added = localStorage.getItem(key) ?? ''
  localStorage.clear()
  resumeDeliveries()
  await vi.advanceTimersByTimeAsync(600_000)
  sent.length = 0
  status = 200
  const change = () => void dispatchEvent(new StorageEvent('storage', { key }))
  localStorage.setItem(key, added)
  change()
  await vi.advanceTimersByTimeAsync(1000)
  localStorage.removeItem(key)
  change()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(sent).toEqual([])
  localStorage.setItem(key, added)
  change()
  await vi.advanceTimersByTimeAsync(600_000)
  expect([sent, left()]).toEqual([[`POST /api/auth/logout ${tokenOf('other')}`], 0])
})

test.each(['full', 'denied'])('a sign-out is sent, and retried, although the local storage is %s', async (storage) => {
  const fail = () => {
    throw new DOMException('', storage === 'full' ? 'QuotaExceededError' : 'SecurityError')
  }
  const getItem = storage === 'full' ? () => null : fail
  vi.stubGlobal('localStorage', { getItem, setItem: fail, removeItem: fail, clear: () => undefined })
  status = undefined
  await signOut(tokenOf('a'))
  expect([sent.length, undelivered.get()]).toEqual([1, [authApi.logout.path]])
  status = 200
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(sent).toEqual([1, 2].map(() => `POST /api/auth/logout ${tokenOf('a')}`))
  expect(undelivered.get()).toEqual([])
})
