// The frame around every screen.
import { authApi } from '@mokuroku/contract/auth'
import { type Notification, notificationsApi } from '@mokuroku/contract/notifications'
import { type Hit, searchApi } from '@mokuroku/contract/search'
import { tagsApi } from '@mokuroku/contract/tags'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { router } from './routes.tsx'
import { aHit, answer, aTag, currentUrl, editor, fail, hits, open, requests, withoutServer, write } from './testing.tsx'

withoutServer()

test('the sidebar links to the eleven areas in order, and an administrator to the audit log', async () => {
  await open('/')
  expect(screen.getAllByText('Admin Panel').length).toBeGreaterThan(0)
  const sidebar = within(screen.getByRole('navigation', { name: 'Main' }))
  const AREAS = [
    ['Dashboard', '/'],
    ['Media', '/media'],
    ['Characters', '/characters'],
    ['Tags', '/tags'],
    ['Assets', '/assets'],
    ['Translations', '/translations'],
    ['Batches', '/batches'],
    ['Ratings', '/ratings'],
    ['Score Permissions', '/score-permissions'],
    ['Users', '/users'],
    ['Settings', '/settings'],
    ['Audit Log', '/audit'],
  ] as const
  const names = new Set<string | null>(AREAS.map(([name]) => name))
  const shown = sidebar.getAllByRole('link').map(({ textContent }) => textContent)
  // A further kind is listed between them.
  expect(shown.filter((name) => names.has(name))).toEqual([...names])
  for (const [name, path] of AREAS) {
    await userEvent.click(sidebar.getByRole('link', { name }))
    await waitFor(() => expect(currentUrl()).toBe(path))
    expect(await screen.findByRole('heading', { level: 1 })).toBeDefined()
  }
})

test('the palette finds an action by any of its words', async () => {
  await open('/')
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox'), 'media add')
  expect(await screen.findByRole('option', { name: 'Add New Media' })).toBeDefined()
})

test.each([
  ['en', /^Go to a screen: dashboard, media, .*translations \(l\), .*score permissions \(p\), users, settings$/],
  ['zh', /^前往页面：仪表盘 \(d\)、作品 \(m\)、/],
] as const)('the list of shortcuts names each screen with its letter after g (%s)', async (language, names) => {
  await open('/', { language })
  await userEvent.keyboard('?')
  const keys = await screen.findByText(/^d m c t a .*l b r p u s$/)
  expect(within(await screen.findByRole('dialog')).getByText(names)).toBeDefined()
  expect(keys.tagName).toBe('KBD')
})

test('a letter opens a screen right after g, but not with Ctrl, and not in a field', async () => {
  await open('/tags')
  await userEvent.keyboard('g{Control>}c{/Control}')
  await userEvent.keyboard('g')
  const field = await screen.findByRole<HTMLInputElement>('searchbox')
  act(() => field.focus())
  await userEvent.keyboard('c')
  expect(field.value).toBe('c')
  await waitFor(() => expect(currentUrl()).toBe('/tags?search=c'))
  act(() => field.blur())
  await userEvent.keyboard('gs')
  await waitFor(() => expect(currentUrl()).toBe('/settings'))
})

test('Back closes the palette and stays on the screen, also if that has unsaved changes', async () => {
  answer(tagsApi.find, aTag())
  await open('/')
  await act(() => router.navigate({ to: '/tags/$id/edit', params: { id: 't' } }))
  await write({ ...(JSON.parse((await editor()).state.doc.toString()) as object), color: '#112233' })
  await userEvent.keyboard('{Control>}k{/Control}')
  await screen.findByRole('dialog')
  act(() => history.back())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(currentUrl()).toBe('/tags/t/edit'))
  act(() => history.back())
  await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(currentUrl()).toBe('/tags/t/edit'))
})

test('the palette offers the screen of a typed name before the entries that resemble it', async () => {
  hits(aHit({ translations: { en: { title: 'Medalist', description: '' } } }))
  await open('/')
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox'), 'media')
  await screen.findAllByRole('option', { name: /^Medalist/ })
  expect(screen.getAllByRole('option')[0]?.textContent).toBe('Media')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(currentUrl()).toBe('/media'))
})

test.each([
  ['en', 'Japanese', 'English', 'original title'],
  ['zh', '日语', '英语', '原名'],
] as const)('the palette names languages, and marks an original title (%s)', async (language, ja, en, original) => {
  const match = (text: string, tag = '') => ({ text, language: tag, kind: 'exact' as const })
  const found: Record<string, Hit[]> = {
    media: [
      aHit({ translations: {}, originalTitle: 'こころ', match: match('こころ') }),
      aHit({ _id: 'b', translations: { en: { title: 'Botchan' } }, match: match('坊っちゃん', 'ja') }),
    ],
    tags: [aHit({ translations: { en: { name: 'Heart' } }, match: match('Heart', 'en') })],
    characters: [aHit({ translations: {}, originalTitle: '林黛玉', match: match('林黛玉') })],
  }
  answer(searchApi.search, ({ query: { indexName = '' } }) => ({
    status: 'ready' as const,
    hits: found[indexName] ?? [],
  }))
  await open('/', { language })
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox'), 'kokoro')
  expect((await screen.findByText('こころ')).lang).toBe('ja')
  expect(screen.getByRole('option', { name: /Botchan/ }).textContent).toContain(`坊っちゃん · ${ja}`)
  expect(screen.getByRole('option', { name: /Heart/ }).textContent).toBe(`Heart${en}`)
  expect(screen.getByRole('option', { name: /林黛玉/ }).textContent).toBe(`林黛玉${original}`)
})

describe('the bell', () => {
  const rolledBack: Notification = {
    _id: 'n',
    kind: 'CHANGES_ROLLED_BACK',
    data: {
      by: 'kay',
      reason: 'Not its name',
      count: 1,
      entityType: 'Media',
      entityId: 'm',
      title: 'Kokoro',
      language: 'en',
      field: 'title',
    },
    readAt: null,
    createdAt: '2026-01-05T00:00:00.000Z',
  }
  /** Simulates the stream event for this number of unread notifications. */
  const unread = (count: number) => {
    const { fetch: answered } = globalThis
    const event = `event: unread\nid: 1\ndata: ${JSON.stringify({ unread: count })}\n\n`
    vi.stubGlobal('fetch', (...given: Parameters<typeof fetch>) =>
      typeof given[0] === 'string' && given[0].endsWith('/api/notifications/stream')
        ? Promise.resolve(new Response(event, { headers: { 'content-type': 'text/event-stream' } }))
        : answered(...given),
    )
  }

  test('shows an error when its list fails to load, and an empty state after Retry', async () => {
    fail(notificationsApi.list, 500, { message: 'out of order' })
    await open('/profile')
    await userEvent.click(await screen.findByRole('button', { name: 'Notifications' }))
    const failed = await screen.findByText('Failed to load notifications')
    answer(notificationsApi.list, { data: [], unread: 0 })
    const list = within(failed.closest<HTMLElement>('[role="dialog"]') ?? document.body)
    await userEvent.click(list.getByRole('button', { name: 'Retry' }))
    expect(await list.findByText('No notifications yet')).toBeDefined()
    expect(list.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
  })

  test('names entries in the language of the console', async () => {
    const translations = { en: { name: 'Kokoro' }, zh: { name: '心' } }
    const data = { ...rolledBack.data, translations }
    answer(notificationsApi.list, { data: [{ ...rolledBack, data }], unread: 0 })
    await open('/profile', { language: 'zh' })
    await userEvent.click(await screen.findByRole('button', { name: '通知' }))
    expect((await screen.findByText('心')).getAttribute('lang')).toBe('zh')
  })

  test('says that a comment was deleted, in the place of its text, and links to the entity without its comments', async () => {
    const { entityType, entityId, title } = rolledBack.data
    const data = { by: 'kay', mentioned: true, commentId: 'c', entityType, entityId, title, text: '' }
    answer(notificationsApi.list, { data: [{ ...rolledBack, kind: 'COMMENTED', data }], unread: 0 })
    await open('/profile')
    await userEvent.click(await screen.findByRole('button', { name: 'Notifications' }))
    const link = (await screen.findByText('The comment was deleted.')).closest('a')
    expect(link?.getAttribute('href')).toBe(`/media/${entityId}`)
  })

  test('shows the latest notifications, and all of them on request', async () => {
    const all = Array.from({ length: 25 }, (_, at): Notification => ({ ...rolledBack, _id: `n${at}` }))
    answer(notificationsApi.list, ({ query }) => ({ data: all.slice(0, Number(query.limit)), unread: 0 }))
    await open('/profile')
    await userEvent.click(await screen.findByRole('button', { name: 'Notifications' }))
    expect(await screen.findAllByText('kay rolled back your change')).toHaveLength(20)
    await userEvent.click(screen.getByRole('button', { name: 'Show all notifications' }))
    await waitFor(() => expect(screen.getAllByText('kay rolled back your change')).toHaveLength(25))
    expect(screen.queryByRole('button', { name: 'Show all notifications' })).toBeNull()
  })

  test('closes its stream on pagehide, and opens it again on pageshow', async () => {
    const { fetch: answered } = globalThis
    const streams: AbortSignal[] = []
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (!url.endsWith('/api/notifications/stream')) return answered(url, init)
      const { signal } = init
      if (signal) streams.push(signal)
      const endless = new ReadableStream({
        start: (body) => signal?.addEventListener('abort', () => body.error(signal.reason)),
      })
      return Promise.resolve(new Response(endless, { headers: { 'content-type': 'text/event-stream' } }))
    })
    await open('/profile')
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    window.dispatchEvent(new Event('pagehide'))
    expect(streams.map(({ aborted }) => aborted)).toEqual([true])
    window.dispatchEvent(new Event('pageshow'))
    await waitFor(() => expect(streams.map(({ aborted }) => aborted)).toEqual([true, false]))
  })

  test('asks for the permissions again once its stream is back: a change was not reported meanwhile', async () => {
    const { fetch: answered } = globalThis
    const streams: ReadableStreamDefaultController[] = []
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (!url.endsWith('/api/notifications/stream')) return answered(url, init)
      const endless = new ReadableStream({ start: (body) => void streams.push(body) })
      return Promise.resolve(new Response(endless, { headers: { 'content-type': 'text/event-stream' } }))
    })
    const verified = () => requests.filter(({ path }) => path === authApi.verify.path).length
    await open('/profile')
    await waitFor(() => expect(streams).toHaveLength(1))
    const before = verified()
    streams[0]?.close()
    await waitFor(() => expect(streams).toHaveLength(2))
    await waitFor(() => expect(verified()).toBe(before + 1))
  })

  test.each([
    ['a 429', 429, '{"code":"tooMany"}'],
    ['an error of a proxy', 404, '404 page not found'],
  ])('asks for its stream again after %s', async (_what, status, body) => {
    const { fetch: answered } = globalThis
    const event = `event: unread\nid: 1\ndata: ${JSON.stringify({ unread: 3 })}\n\n`
    let asked = 0
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (!url.endsWith('/api/notifications/stream')) return answered(url, init)
      if (++asked === 1) return Promise.resolve(new Response(body, { status }))
      return Promise.resolve(new Response(event, { headers: { 'content-type': 'text/event-stream' } }))
    })
    await open('/profile')
    expect(await screen.findByRole('button', { name: 'Notifications, 3 unread notifications' })).toBeDefined()
  })

  test('is shown in Chinese', async () => {
    const data = { assetId: 'a', filename: 'a.png', failure: 'Processing was cancelled. Try again.' }
    const failed: Notification = { ...rolledBack, _id: 'f', kind: 'ASSET_FAILED', data }
    answer(notificationsApi.list, { data: [rolledBack, failed], unread: 1 })
    unread(1)
    await open('/profile', { language: 'zh' })
    await userEvent.click(await screen.findByRole('button', { name: /1 条未读通知/ }))
    expect(await screen.findByText(/kay 回滚了您的修改/)).toBeDefined()
    expect(screen.getByText('处理已取消。请重试。')).toBeDefined()
    expect(screen.getByRole('button', { name: '全部标为已读' })).toBeDefined()
  })
})
