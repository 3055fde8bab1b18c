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
])('before the entry is there, what it will ask is asked: %s', async (_, path, token, calls) => {
  await load(path, token)
  expect(asked).toEqual(calls)
})

test('under a path, and apart from the API, too', async () => {
  document.head.innerHTML =
    '<meta name="base-path" content="/catalogue"><meta name="api-host" content="https://api.example.org">'
  await load('/catalogue', TOKEN)
  expect(asked).toEqual([...SESSION, ...DASHBOARD].map((path) => `https://api.example.org${path}`))
})

test('an early answer is used once, and nothing is asked twice', async () => {
  const call = await load('/', TOKEN)
  const before = asked.length
  await expect(call(dashboardApi.stats)).resolves.toEqual({ of: `Bearer ${TOKEN}` })
  expect(asked).toHaveLength(before)
  await call(dashboardApi.stats)
  expect(asked.slice(before)).toEqual([dashboardApi.stats.path])
})

test('an early answer is not for another session, nor for the time after a write or a minute', async () => {
  vi.useFakeTimers()
  let call = await load('/', TOKEN)
  localStorage.setItem('authToken', tokenUntil(8e9))
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

test('the font comes before the text that is set in it', async () => {
  await load('/', TOKEN)
  expect(document.querySelector('link[rel="preload"][as="font"][href$=".woff2"]')).not.toBeNull()
})

test('the first formatter of numbers is made before there is a screen', async () => {
  const made = vi.spyOn(Intl, 'NumberFormat')
  await load('/', TOKEN)
  await vi.waitFor(() => expect(made).toHaveBeenCalledOnce())
  made.mockRestore()
})

test('an early refusal ends the session as any other', async () => {
  status = 401
  const call = await load('/', TOKEN)
  await expect(call(authApi.verify)).rejects.toMatchObject({ status: 401 })
  expect(localStorage.getItem('authToken')).toBeNull()
})

test('an early call without an answer fails as any other', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const call = await load('/', TOKEN)
  await expect(call(authApi.verify)).rejects.toMatchObject({ status: 0 })
})
