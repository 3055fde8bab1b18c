import { authApi } from '@mokuroku/contract/auth'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { mediaApi } from '@mokuroku/contract/media'
import { siteApi } from '@mokuroku/contract/site'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const SESSION = [authApi.verify.path, siteApi.find.path]
const DASHBOARD = [dashboardApi.stats, dashboardApi.work, dashboardApi.recentActivities].map(({ path }) => path)
const tokenUntil = (exp: number) => `h.${btoa(JSON.stringify({ exp }))}.s`
const TOKEN = tokenUntil(9e9)

let asked: string[] = []
let status = 200

beforeEach(() => {
  asked = []
  status = 200
  // Only fetch is stubbed.
  vi.stubGlobal('fetch', (url: string, { headers }: { headers: { authorization?: string } }) => {
    asked.push(url)
    return Promise.resolve(Response.json({ of: headers.authorization }, { status }))
  })
})
afterEach(() => {
  document.head.replaceChildren()
  history.replaceState(null, '', '/')
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Loads what runs before the entry, at a path and with a stored token, and returns `call`. */
async function load(path: string, token: string | undefined) {
  history.replaceState(null, '', path)
  if (token) localStorage.setItem('authToken', token)
  vi.resetModules()
  await import('./early.ts')
  return (await import('#api/call.ts')).call
}

test.each([
  ['the dashboard', '/', TOKEN, [...SESSION, ...DASHBOARD]],
  ['another screen', '/media', TOKEN, SESSION],
  ['nobody signed in', '/', undefined, []],
  ['a session that is over', '/', tokenUntil(1), []],
])('requests sent before the entry script loads: %s', async (_, path, token, calls) => {
  await load(path, token)
  expect(asked).toEqual(calls)
})

test('sends early requests under a base path and to a separate API host', async () => {
  document.head.innerHTML =
    '<meta name="base-path" content="/catalogue"><meta name="api-host" content="https://api.example.org">'
  await load('/catalogue', TOKEN)
  expect(asked).toEqual([...SESSION, ...DASHBOARD].map((path) => `https://api.example.org${path}`))
})

test('uses an early response for one call, and sends a request for the next', async () => {
  const call = await load('/', TOKEN)
  const before = asked.length
  await expect(call(dashboardApi.stats)).resolves.toEqual({ of: `Bearer ${TOKEN}` })
  expect(asked).toHaveLength(before)
  await call(dashboardApi.stats)
  expect(asked.slice(before)).toEqual([dashboardApi.stats.path])
})

test('discards an early response in another session, after a write, or after a minute', async () => {
  vi.useFakeTimers()
  let call = await load('/', TOKEN)
  const { token } = await import('#api/session.ts')
  token.set(tokenUntil(8e9))
  await expect(call(dashboardApi.stats)).resolves.toEqual({ of: `Bearer ${tokenUntil(8e9)}` })

  call = await load('/', TOKEN)
  await call(mediaApi.remove, { id: 'm' })
  let before = asked.length
  await call(dashboardApi.stats)
  expect(asked).toHaveLength(before + 1)

  call = await load('/', TOKEN)
  vi.advanceTimersByTime(60_000)
  before = asked.length
  await call(dashboardApi.stats)
  expect(asked).toHaveLength(before + 1)
})

test('preloads the font', async () => {
  await load('/', TOKEN)
  expect(document.querySelector('link[rel="preload"][as="font"][href$=".woff2"]')).not.toBeNull()
})

test('creates the first number formatter before the app renders', async () => {
  const made = vi.spyOn(Intl, 'NumberFormat')
  await load('/', TOKEN)
  await expect.poll(() => made.mock.calls.length).toBe(1)
  made.mockRestore()
})

test('an early 401 ends the session like any other', async () => {
  status = 401
  const call = await load('/', TOKEN)
  await expect(call(authApi.verify)).rejects.toMatchObject({ status: 401 })
  expect(localStorage.getItem('authToken')).toBeNull()
})

test('an early call without a response fails like any other', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const call = await load('/', TOKEN)
  await expect(call(authApi.verify)).rejects.toMatchObject({ status: 0 })
})
