import { aiApi } from '@mokuroku/contract/ai'
import { tagsApi } from '@mokuroku/contract/tags'
import { RouterContextProvider } from '@tanstack/react-router'
import { act, cleanup, render, renderHook, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseLanguage, followLanguage, restoreLanguage } from '#api/preferences.ts'
import { call } from '#api/call.ts'
import { queryClient } from '#api/queryClient.ts'
import { stream } from '#api/stream.ts'
import { session } from '#api/session.ts'
import { followOtherTabs, followSession, restoreSession, signOut } from '#api/signIn.ts'
import { useLanguage } from '#i18n/messages.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { dismiss, toast } from '#ui/toast.ts'
import { App } from './App.tsx'
import { router } from './routes.tsx'

// Only fetch is stubbed; the answers below are those of the server's own tests.
type Answer = [status: number, body: unknown]
const answers = new Map<string, Answer | 'none'>()
const asked: string[] = []
/** The authorization header of each request. */
const tokens: (string | null)[] = []
const me = { _id: '1', username: 'mori', email: 'mori@example.org', role: 'admin' }
const stats = { mediaCount: 8522, characterCount: 74, tagCount: 79, assetCount: 113, tagUsage: {} }
const tokenUntil = (exp: number) => `h.${btoa(JSON.stringify({ exp }))}.s`
const GOOD = tokenUntil(9e9)

beforeEach(() => {
  vi.stubGlobal('fetch', (url: string, { method = 'GET', headers }: RequestInit = {}) => {
    // Anybody may request the site name, and the request reveals nothing about the caller.
    if (url !== '/api/site') asked.push(`${method} ${url}`)
    tokens.push(new Headers(headers).get('authorization'))
    const answer = answers.get(url) ?? [404, {}]
    if (answer === 'none') return Promise.reject(new TypeError('Failed to fetch'))
    return Promise.resolve(new Response(JSON.stringify(answer[1]), { status: answer[0] }))
  })
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  answers.set('/api/auth/verify', [200, { success: true, user: me }])
  answers.set('/api/auth/login', [200, { token: GOOD, user: me }])
  // Otherwise a sign-out that the local storage does not take would be sent again during the tests of another file.
  answers.set('/api/auth/logout', [200, { success: true }])
  answers.set('/admin/stats', [200, stats])
  answers.set('/admin/recent-activities', [200, []])
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
  answers.clear()
  asked.length = 0
  tokens.length = 0
  for (let id = 0; id < 100; id += 1) dismiss(id)
  vi.unstubAllGlobals()
})

/** Starts the app as main.tsx does. */
function open(path: string, token?: string): Promise<void> {
  if (token) localStorage.setItem('authToken', token)
  router.history.replace(path)
  const restored = restoreSession()
  render(<App />)
  return restored
}

async function signIn(password = 'password') {
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText('Email'), 'mori@example.org')
  await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

test('redirects a visitor to /login, and to the dashboard after signing in', async () => {
  await open('/tags')
  await signIn()
  expect(await screen.findByText('8,522')).toBeDefined()
  expect(location.pathname).toBe('/')
  expect(localStorage.getItem('authToken')).toBe(GOOD)
})

test('requests the dashboard data once, while the session is still being verified', async () => {
  answers.set('/api/dashboard/work', [200, { findings: [], languages: [] }])
  const restored = open('/', GOOD)
  expect(session.get().state).toBe('loading')
  expect(asked).toContain('GET /admin/stats')
  await restored
  expect(await screen.findByText('8,522')).toBeDefined()
  for (const path of ['/admin/stats', '/api/dashboard/work', '/admin/recent-activities'])
    expect(asked.filter((each) => each === `GET ${path}`)).toHaveLength(1)
})

test('validates the sign-in form on submit, then on every change', async () => {
  await open('/login')
  const user = userEvent.setup()
  const email = await screen.findByLabelText('Email')
  await user.type(email, 'mori')
  expect(screen.queryByText('Invalid email address')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByText('Invalid email address')).toBeDefined()
  expect(screen.getByText('Password is required')).toBeDefined()
  await user.clear(email)
  expect(await screen.findByText('Email is required')).toBeDefined()
  expect(asked).toEqual([])
})

test.each<[string, Answer | 'none', string]>([
  ['the server says why', [401, { message: 'This account is not active.' }], 'This account is not active.'],
  ['the server says nothing', [401, {}], 'Login failed. Please check your credentials.'],
  [
    'the server fails',
    [500, { code: 'internal', message: 'Server error. Please try again later.', requestId: '0197-ab' }],
    'Server error. Please try again later. Request id: 0197-ab',
  ],
  ['no answer comes', 'none', 'Network error. Please check your connection.'],
])('a failed sign-in shows a banner and no toast: %s', async (_, answer, message) => {
  answers.set('/api/auth/login', answer)
  await open('/login')
  await signIn()
  const alerts = await screen.findAllByRole('alert')
  expect(alerts.map(({ textContent }) => textContent)).toEqual([message])
})

test('removes an expired token without calling the server', async () => {
  await open('/', tokenUntil(1000))
  expect(await screen.findByLabelText('Email')).toBeDefined()
  expect(localStorage.getItem('authToken')).toBeNull()
  expect(asked).toEqual([])
})

test('a user whose browser does not store the token is signed in until the page is closed', async () => {
  const setItem = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  vi.stubGlobal('localStorage', { getItem: () => null, setItem, removeItem: () => undefined, clear: () => undefined })
  await open('/login')
  await signIn()
  expect(await screen.findByText('8,522')).toBeDefined()
  expect(tokens.at(-1)).toBe(`Bearer ${GOOD}`)
  signOut()
  expect(await screen.findByLabelText('Email')).toBeDefined()
})

test('removes a rejected token and shows one message, however many calls fail', async () => {
  answers.set('/admin/stats', [401, {}])
  answers.set('/admin/recent-activities', [401, {}])
  await open('/', GOOD)
  expect(await screen.findByLabelText('Email')).toBeDefined()
  expect(localStorage.getItem('authToken')).toBeNull()
  await waitFor(() => expect(screen.getAllByText('Session expired. Please login again.')).toHaveLength(1))
})

test('what was said in an earlier session, and can be undone there, is gone after signing in', async () => {
  answers.set('/admin/stats', [401, {}])
  await open('/', GOOD)
  await screen.findByText('Session expired. Please login again.')
  act(() => void toast.undo('Deleted', () => undefined))
  answers.set('/admin/stats', [200, stats])
  await signIn()
  await screen.findByText('Welcome to your admin dashboard')
  expect(screen.getByRole('log').textContent).toBe('')
})

test('says at signing in that a clock is wrong by which the new session is over', async () => {
  answers.set('/api/auth/login', [200, { token: tokenUntil(1000), user: me }])
  await open('/login')
  await signIn()
  expect(await screen.findByText('The clock of this device is wrong')).toBeDefined()
  expect(await screen.findByText('Welcome to your admin dashboard')).toBeDefined()
})

test('returns to the same page when signing in after the session has ended', async () => {
  answers.set('/api/auth/verify', [401, {}])
  await open('/activities?type=RATING_ADDED', GOOD)
  await signIn()
  await waitFor(() => expect(location.pathname + location.search).toBe('/activities?type=RATING_ADDED'))
})

test('keeps the token when the server does not respond, and recovers on Retry', async () => {
  answers.set('/api/auth/verify', 'none')
  await open('/', GOOD)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(localStorage.getItem('authToken')).toBe(GOOD)
  answers.set('/api/auth/verify', [200, { success: true, user: me }])
  await userEvent.click(retry)
  expect(await screen.findByText('8,522')).toBeDefined()
})

test('asks a server that does not respond again, without a click, until it does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  try {
    answers.set('/api/auth/verify', 'none')
    await open('/', GOOD)
    const retry = await screen.findByRole('button', { name: 'Retry' })
    await act(() => vi.advanceTimersByTimeAsync(12_000))
    expect(retry.isConnected).toBe(true)
    answers.set('/api/auth/verify', [200, { success: true, user: me }])
    await act(() => vi.advanceTimersByTimeAsync(5000))
    expect(await screen.findByText('8,522')).toBeDefined()
  } finally {
    vi.useRealTimers()
  }
})

test('says why the server could not verify the session, and keeps the request id of an internal error', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const alert = async () => (await screen.findByRole('alert')).textContent
  try {
    answers.set('/api/auth/verify', 'none')
    await open('/', GOOD)
    expect(await alert()).toMatch(/^Cannot reach the server.*tries again every few seconds/)
    cleanup()
    answers.set('/api/auth/verify', [503, { code: 'unavailable', message: 'The database is busy.' }])
    await open('/', GOOD)
    expect(await alert()).toMatch(/^Something went wrong.*The database is busy\. You are still signed in/)
    cleanup()
    answers.set('/api/auth/verify', [500, { code: 'internal', requestId: '0197-ab' }])
    await open('/', GOOD)
    expect(await alert()).toMatch(/^Something went wrong.*Request id: 0197-ab/)
    answers.set('/api/auth/verify', [500, { code: 'internal', requestId: '0197-ac' }])
    await act(() => vi.advanceTimersByTimeAsync(12_000))
    expect(await alert()).toMatch(/Request id: 0197-ab/)
  } finally {
    vi.useRealTimers()
  }
})

test('shows "Page not found" for an unknown URL', async () => {
  await open('/nowhere', GOOD)
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/')
})

test('toasts are added to a live region that is there before them: of the open dialog, or else of the page', async () => {
  await open('/login')
  const page = screen.getByRole('log')
  expect(page.textContent).toBe('')
  act(() => void toast.success('Saved'))
  expect(page.textContent).toBe('Saved')
  const { unmount } = render(
    <RouterContextProvider router={router}>
      <Dialog title="Delete" onClose={() => undefined}>
        Are you sure?
      </Dialog>
    </RouterContextProvider>,
  )
  const inside = within(screen.getByRole('dialog')).getByRole('log')
  act(() => void toast.success('Deleted'))
  expect([page.textContent, inside.textContent]).toEqual(['', 'SavedDeleted'])
  unmount()
  expect(page.textContent).toBe('SavedDeleted')
})

test('a toast with a request id stays until it is dismissed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  try {
    await open('/login')
    act(() => void toast.error('Failed', 'Server error. Request id: 0197-ab', '0197-ab'))
    act(() => void toast.error('Refused', 'A comment says “Request id:”.'))
    expect(screen.getByText('Refused')).toBeDefined()
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(screen.queryByText('Refused')).toBeNull()
    expect(screen.getByText('Failed')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText('Failed')).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

test('follows the language that is chosen in another tab', async () => {
  followLanguage()
  await open('/login')
  expect(await screen.findByLabelText('Email')).toBeDefined()
  localStorage.setItem('language', 'zh')
  dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: 'zh' }))
  expect(await screen.findByLabelText('邮箱')).toBeDefined()
  await chooseLanguage('en')
})

test.each(['constructor', '__proto__', 'xx', ''])('is in English if the stored language is %j', async (stored) => {
  localStorage.setItem('language', stored)
  await restoreLanguage()
  expect(renderHook(useLanguage).result.current).toBe('en')
  localStorage.removeItem('language')
})

test('a late event about a sign-out in another tab does not end the session that began since', async () => {
  answers.set('/api/dashboard/work', [200, { findings: [], languages: [] }])
  followOtherTabs()
  await open('/', GOOD)
  const newer = tokenUntil(8e9)
  localStorage.setItem('authToken', newer)
  asked.length = 0
  dispatchEvent(new StorageEvent('storage', { key: 'authToken', newValue: null }))
  await waitFor(() => expect(session.get().state).toBe('in'))
  expect(asked).toContain('GET /api/auth/verify')
  expect(localStorage.getItem('authToken')).toBe(newer)
  localStorage.removeItem('authToken')
  dispatchEvent(new StorageEvent('storage', { key: 'authToken', newValue: null }))
  expect(session.get().state).toBe('out')
})

test('until a tab learns of a sign-in in another, what it sends is sent by its own user', async () => {
  followOtherTabs()
  await open('/', GOOD)
  const other = tokenUntil(8e9)
  localStorage.setItem('authToken', other)
  for (const [status, sent] of [
    [404, () => call(tagsApi.remove, { id: 'one' })],
    [404, () => stream(aiApi.process, { query: { text: 'Title', stream: 'true' } }).next()],
    [401, () => call(tagsApi.remove, { id: 'two' })],
  ] as const) {
    tokens.length = 0
    answers.set('/api/tags/two', [401, {}])
    await expect(sent()).rejects.toMatchObject({ status })
    expect(tokens[0]).toBe(`Bearer ${GOOD}`)
    expect([session.get().state, localStorage.getItem('authToken')]).toEqual(['in', other])
  }
  dispatchEvent(new StorageEvent('storage', { key: 'authToken', newValue: other }))
  await waitFor(() => expect(tokens.at(-1)).toBe(`Bearer ${other}`))
  await waitFor(() => expect(session.get().state).toBe('in'))
})

test('signing out does not end the session of another user, of whom the tab has not learnt yet', async () => {
  await open('/', GOOD)
  const other = tokenUntil(8e9)
  localStorage.setItem('authToken', other)
  act(signOut)
  expect([session.get().state, localStorage.getItem('authToken')]).toEqual(['out', other])
})

test('permissions that others have changed, and another session, apply once the tab is shown again', async () => {
  followSession()
  await open('/', GOOD)
  answers.set('/api/auth/verify', [200, { success: true, user: { ...me, role: 'moderator' } }])
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(session.get()).toMatchObject({ state: 'in', user: { role: 'moderator' } }))
  const newer = tokenUntil(8e9)
  localStorage.setItem('authToken', newer)
  answers.set('/api/auth/verify', [200, { success: true, user: { ...me, _id: '2', username: 'soseki' } }])
  document.dispatchEvent(new Event('visibilitychange'))
  expect(session.get().state).toBe('loading')
  await waitFor(() => expect(session.get()).toMatchObject({ state: 'in', user: { _id: '2', role: 'admin' } }))
  signOut()
  asked.length = 0
  document.dispatchEvent(new Event('visibilitychange'))
  expect(asked).toEqual([])
})
