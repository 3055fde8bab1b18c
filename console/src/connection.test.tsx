// What the console says while the server cannot be reached.
import { authApi } from '@mokuroku/contract/auth'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { tagsApi } from '@mokuroku/contract/tags'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import { admin, answer, answerEvent, aTag, fail, hold, list, open, withoutServer } from './testing.tsx'

withoutServer()

const OFFLINE = /You are offline/
const GONE = /The server cannot be reached/

/** Opens the list of tags, and waits until it follows the connection. */
async function openTags() {
  list.tags(aTag())
  await open('/tags')
  await screen.findAllByText('Mystery')
  await waitFor(() => expect(document.querySelector('main')?.previousElementSibling?.tagName).toBe('DIV'))
}

const isOnline = (is: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is)
  act(() => void dispatchEvent(new Event(is ? 'online' : 'offline')))
}

const isHidden = (is: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(is)
  document.dispatchEvent(new Event('visibilitychange'))
}

test('one line says that the browser is offline, without toasts, until the connection is back', async () => {
  hold(notificationsApi.stream)
  await openTags()
  fail(authApi.verify, 0)
  fail(tagsApi.list, 0)
  isOnline(false)
  expect((await screen.findByText(OFFLINE)).closest('[role=status]')).not.toBeNull()
  await act(() => queryClient.refetchQueries({ queryKey: [tagsApi.list.path] }))
  expect(queryClient.getQueryCache().find({ queryKey: [tagsApi.list.path], exact: false })?.state.status).toBe('error')
  for (const toasts of screen.getAllByRole('log')) expect(toasts.textContent).toBe('')
  answer(authApi.verify, { success: true, user: admin })
  isOnline(true)
  await waitFor(() => expect(screen.queryByText(OFFLINE)).toBeNull())
})

test('a browser that is offline beside its server is not called offline', async () => {
  hold(notificationsApi.stream)
  await openTags()
  isOnline(false)
  await new Promise((done) => setTimeout(done, 100))
  expect(screen.queryByText(OFFLINE)).toBeNull()
  isOnline(true)
})

test('several failures of the stream in a row show that the server is gone, and any answer that it is back', async () => {
  fail(notificationsApi.stream, 0)
  await openTags()
  fail(authApi.verify, 0)
  expect(screen.queryByText(GONE)).toBeNull()
  expect(await screen.findByText(GONE)).toBeDefined()
  await act(() => queryClient.refetchQueries({ type: 'active' }))
  await waitFor(() => expect(screen.queryByText(GONE)).toBeNull())
})

test('a stream that is not answered shows that the server is gone, and is opened again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  try {
    const release = hold(notificationsApi.stream)
    await openTags()
    fail(authApi.verify, 0)
    await act(() => vi.advanceTimersByTimeAsync(44_000))
    expect(screen.queryByText(GONE)).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(2000))
    expect(await screen.findByText(GONE)).toBeDefined()
    answerEvent(notificationsApi.stream, { event: 'unread', id: '1', data: { unread: 0 } })
    release()
    await act(() => vi.advanceTimersByTimeAsync(2000))
    await waitFor(() => expect(screen.queryByText(GONE)).toBeNull())
  } finally {
    vi.useRealTimers()
  }
})

test('a page that is hidden, and so has no stream, still finds that the server is back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  try {
    fail(notificationsApi.stream, 0)
    await openTags()
    fail(authApi.verify, 0)
    await act(() => vi.advanceTimersByTimeAsync(5000))
    expect(await screen.findByText(GONE)).toBeDefined()
    isHidden(true)
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(screen.getByText(GONE)).toBeDefined()
    answer(authApi.verify, { success: true, user: admin })
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    await waitFor(() => expect(screen.queryByText(GONE)).toBeNull())
  } finally {
    vi.useRealTimers()
    isHidden(false)
  }
})

test('what could not be loaded meanwhile is loaded once the server is back', async () => {
  fail(notificationsApi.stream, 0)
  await openTags()
  fail(authApi.verify, 0)
  fail(tagsApi.list, 0)
  await screen.findByText(GONE)
  await act(() => queryClient.resetQueries({ queryKey: [tagsApi.list.path] }))
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeDefined()
  list.tags(aTag())
  answer(authApi.verify, { success: true, user: admin })
  expect(await screen.findAllByText('Mystery')).toBeDefined()
  expect(screen.queryByText(GONE)).toBeNull()
})

test('what a proxy cannot reach while the stream is open is loaded later by itself, without a line', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  try {
    hold(notificationsApi.stream)
    await openTags()
    fail(tagsApi.list, 502)
    void queryClient.resetQueries({ queryKey: [tagsApi.list.path] })
    await act(() => vi.advanceTimersByTimeAsync(2000))
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeDefined()
    await act(() => vi.advanceTimersByTimeAsync(31_000))
    expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined()
    list.tags(aTag())
    await act(() => vi.advanceTimersByTimeAsync(31_000))
    expect(await screen.findAllByText('Mystery')).not.toHaveLength(0)
    expect(screen.queryByText(GONE)).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

test('what has become stale on screen is fetched again when a lost connection is back', async () => {
  fail(notificationsApi.stream, 0)
  await openTags()
  list.tags(aTag({ translations: { en: { name: 'Thriller', description: '' } } }))
  const sixMinutesAgo = Date.now() - 6 * 60_000
  queryClient.setQueriesData({ queryKey: [tagsApi.list.path] }, (same: unknown) => same, { updatedAt: sixMinutesAgo })
  answerEvent(notificationsApi.stream, { event: 'unread', id: '1', data: { unread: 0 } })
  expect(await screen.findAllByText('Thriller')).toBeDefined()
})

test('so is what has become stale while the computer slept, and all timers stood still', async () => {
  fail(notificationsApi.stream, 0)
  await openTags()
  list.tags(aTag({ translations: { en: { name: 'Thriller', description: '' } } }))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 9 * 3_600_000 })
  try {
    answerEvent(notificationsApi.stream, { event: 'unread', id: '1', data: { unread: 0 } })
    expect(await screen.findAllByText('Thriller')).toBeDefined()
  } finally {
    vi.useRealTimers()
  }
})

test('a server that refuses the stream is not called gone', async () => {
  fail(notificationsApi.stream, 0)
  await openTags()
  fail(authApi.verify, 0)
  await screen.findByText(GONE)
  fail(notificationsApi.stream, 429)
  await waitFor(() => expect(screen.queryByText(GONE)).toBeNull())
})
