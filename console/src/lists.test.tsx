// What all lists have in common, list by list.
import { assetsApi } from '@mokuroku/contract/assets'
import { auditApi } from '@mokuroku/contract/audit'
import { authApi } from '@mokuroku/contract/auth'
import { batchesApi } from '@mokuroku/contract/batches'
import { charactersApi } from '@mokuroku/contract/characters'
import { commentsApi } from '@mokuroku/contract/comments'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { historyApi, type HistoryStatistics } from '@mokuroku/contract/history'
import { importsApi } from '@mokuroku/contract/imports'
import { TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { mediaApi } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { revisionsApi } from '@mokuroku/contract/revisions'
import type { Route } from '@mokuroku/contract/route'
import { tagsApi } from '@mokuroku/contract/tags'
import { tiersApi } from '@mokuroku/contract/tiers'
import { trashApi, type TrashRow } from '@mokuroku/contract/trash'
import { usersApi } from '@mokuroku/contract/users'
import type { AnyRoute } from '@tanstack/react-router'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import { escapeToRows } from '#ui/escapeToRows.ts'
import { router } from './routes.tsx'
import {
  aBatch,
  aCharacter,
  aMedia,
  anAsset,
  admin,
  answer,
  answerEvent,
  aRating,
  requests,
  type ConsoleRequest,
  aTag,
  aTier,
  aUser,
  button,
  fail,
  findToast,
  currentUrl,
  hold,
  list,
  main,
  open,
  reader,
  withoutServer,
} from './testing.tsx'

withoutServer()
beforeAll(escapeToRows)

interface List {
  path: string
  /** The list's query string for filters and a page. */
  query: string
  heading: string
  route: Route
  /** Stubs the response with two rows. */
  two: () => void
  /** The names of the two rows. */
  names: [string, string]
  failed: string
  /** `uses` says where an entity is used. */
  remove: { route: Route; failed: string; button: string; uses?: Route }
}

const entities: List[] = [
  {
    path: '/media',
    query: '?page=2&type=NOVEL',
    heading: 'Media List',
    route: mediaApi.list,
    two: () => list.media(aMedia(), aMedia({ _id: 'n', translations: { en: { title: 'Botchan', description: '' } } })),
    names: ['Kokoro', 'Botchan'],
    failed: 'Failed to load media',
    remove: { route: mediaApi.remove, uses: mediaApi.uses, failed: 'Failed to delete media', button: 'Delete Kokoro' },
  },
  {
    path: '/characters',
    query: '?page=2',
    heading: 'Characters',
    route: charactersApi.list,
    two: () =>
      list.characters(aCharacter(), aCharacter({ _id: 'd', translations: { en: { name: 'K', description: '' } } })),
    names: ['Sensei', 'K'],
    failed: 'Failed to load characters',
    remove: {
      route: charactersApi.remove,
      uses: charactersApi.uses,
      failed: 'Failed to delete character',
      button: 'Delete Sensei',
    },
  },
  {
    path: '/tags',
    query: '?type=GENRE',
    heading: 'Tags',
    route: tagsApi.list,
    two: () => list.tags(aTag(), aTag({ _id: 'v', translations: { en: { name: 'Romance', description: '' } } })),
    names: ['Mystery', 'Romance'],
    failed: 'Failed to load tags',
    remove: { route: tagsApi.remove, uses: tagsApi.uses, failed: 'Failed to delete tag', button: 'Delete Mystery' },
  },
  {
    path: '/assets',
    query: '?type=AUDIO',
    heading: 'Assets',
    route: assetsApi.list,
    two: () => list.assets(anAsset(), anAsset({ _id: 'b', filename: 'ending.ogg' })),
    names: ['opening.ogg', 'ending.ogg'],
    failed: 'Failed to load assets',
    remove: { route: assetsApi.remove, failed: 'Failed to delete asset', button: 'Delete opening.ogg' },
  },
  {
    path: '/ratings',
    query: '?limit=25',
    heading: 'Ratings',
    route: ratingsApi.list,
    two: () =>
      list.ratings(
        aRating(),
        aRating({ _id: 's', userId: { _id: 'w', username: 'soseki', avatar: '', fullName: '' } }),
      ),
    names: ['natsume', 'soseki'],
    failed: 'Failed to load ratings',
    remove: {
      route: ratingsApi.remove,
      failed: 'Failed to delete rating',
      button: 'Delete natsume’s rating of Kokoro',
    },
  },
  {
    path: '/users',
    query: '?role=user',
    heading: 'Users',
    route: usersApi.list,
    two: () => list.users(aUser(), aUser({ _id: 'w', username: 'soseki' })),
    names: ['natsume', 'soseki'],
    failed: 'Failed to load users',
    remove: { route: usersApi.remove, failed: 'Failed to delete user', button: 'Delete natsume' },
  },
  {
    path: '/score-permissions',
    query: '',
    heading: 'Score Permissions',
    route: tiersApi.list,
    two: () => list.tiers(aTier(), aTier({ _id: 'x', name: 'Curator', requiredScore: 20 })),
    names: ['Editor', 'Curator'],
    failed: 'Failed to load permission tiers',
    remove: { route: tiersApi.remove, failed: 'Failed to delete permission tier', button: 'Delete Editor' },
  },
]

const aTrashRow = (given: Partial<TrashRow> = {}): TrashRow => ({
  kind: 'Tag',
  _id: 't',
  title: 'Mystery',
  deletedAt: '2026-01-05T00:00:00.000Z',
  deletedBy: { _id: 'u', username: 'natsume' },
  goneAt: '2099-01-05T00:00:00.000Z',
  mayRestore: true,
  mayPurge: true,
  ...given,
})

/** Expects that nothing in the skeleton next to the loading message can be focused. */
function expectUnfocusable(line: HTMLElement): void {
  const skeleton = line.closest('[aria-busy=true]')
  expect(skeleton?.querySelector('[inert], [aria-hidden]')).toBeTruthy()
  const focusable = skeleton?.querySelectorAll('a, button, input, select, textarea, [tabindex]') ?? []
  expect([...focusable].filter((each) => !each.closest('[inert]'))).toEqual([])
}

test('permissions that are granted while a list is open enable what the user may now do', async () => {
  list.tags(aTag())
  answerEvent(notificationsApi.stream, { event: 'permissions', data: {} })
  await open('/tags', { as: reader })
  answer(authApi.verify, { success: true, user: admin })
  expect(await main().findByRole('link', { name: 'Add New Tag' })).toBeDefined()
})

/** Expects an error in the place of the list, with its reason, and no toast besides. */
async function expectFailure(what: string): Promise<void> {
  const place = (await screen.findByText(what)).closest('[role=alert]')
  expect(place?.textContent).toContain('Server error. Please try again later.')
  expect(place?.closest('[role=log]')).toBeNull()
  for (const toasts of screen.getAllByRole('log')) expect(toasts.textContent).toBe('')
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
}

describe.each(entities)('$path', ({ path, query, heading, route, two, names, failed, remove }) => {
  test('shows an error when loading fails, and loads on Retry', async () => {
    fail(route, 503)
    await open(path)
    await expectFailure(failed)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading)
    two()
    await userEvent.click(button('Retry'))
    for (const name of names) expect((await main().findAllByText(name)).length).toBeGreaterThan(0)
    expect(screen.queryByText(failed)).toBeNull()
  })

  test('has nothing focusable in its skeleton while loading', async () => {
    const release = hold(route)
    two()
    await open(path)
    expectUnfocusable(await main().findByText(/^Loading /))
    release()
    for (const name of names) expect((await main().findAllByText(name)).length).toBeGreaterThan(0)
  })

  test('a row that someone else has deleted meanwhile is deleted, instead of an error', async () => {
    two()
    fail(remove.route, 404, { code: 'notFound', message: 'Resource not found.' })
    await open(path)
    await userEvent.click(await main().findByRole('button', { name: remove.button }))
    const question = await screen.findByRole('dialog')
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
    await screen.findByText(/ deleted( successfully)?$/)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByText(remove.failed)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test('shows an error when a deletion fails, and keeps the row', async () => {
    two()
    fail(remove.route, 500)
    if (remove.uses) fail(remove.uses, 500)
    await open(path)
    await userEvent.click(await main().findByRole('button', { name: remove.button }))
    const question = within(await screen.findByRole('dialog'))
    if (remove.uses) await question.findByText('Could not check where it is used.')
    await userEvent.click(question.getByRole('button', { name: 'Delete' }))
    expect((await findToast(remove.failed)).textContent).toContain('Server error. Please try again later.')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(main().getByRole('button', { name: remove.button })).toBeDefined()
  })

  test('j and k move between rows, and Enter opens one', async () => {
    two()
    await open(path + query)
    await main().findAllByText(names[1])
    const rows = [...document.querySelectorAll('[data-list-row]')].map((row) => row.querySelector('a'))
    expect(rows).toHaveLength(2)
    await userEvent.keyboard('j')
    expect(document.activeElement).toBe(rows[0])
    await userEvent.keyboard('j')
    expect(document.activeElement).toBe(rows[1])
    await userEvent.keyboard('k')
    expect(document.activeElement).toBe(rows[0])
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(currentUrl()).toMatch(new RegExp(`^${path}/`)))
  })

  test('disables deletion without permission and explains why', async () => {
    two()
    await open(path, { as: reader })
    await main().findAllByText(names[1])
    const refused = main().getByRole('button', { name: remove.button })
    expect(refused.getAttribute('aria-disabled')).toBe('true')
    expect(refused.getAttribute('title')).toMatch(/does not allow|Only /)
    await userEvent.click(refused)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

// Score permissions have no search.
test.each(entities.filter(({ path }) => path !== '/score-permissions'))(
  '$path: Escape moves from the search to the first row, and keeps what is searched for',
  async ({ path, two, names }) => {
    two()
    await open(`${path}?search=o`)
    await main().findAllByText(names[1])
    await userEvent.keyboard('/')
    const search = document.activeElement as HTMLInputElement
    // This one cancels a word that is being composed.
    fireEvent.keyDown(search, { key: 'Escape', isComposing: true })
    expect(document.activeElement).toBe(search)
    // The first one closes the suggestions, if there are any.
    await userEvent.keyboard('{Escape}{Escape}')
    expect(document.activeElement).toBe(document.querySelector('[data-list-row] a'))
    expect(search.value).toBe('o')
  },
)

// A new page size may move this field far below what is on screen.
test('Escape moves from the pager to the first row', async () => {
  list.media(aMedia())
  await open('/media')
  await main().findByRole('link', { name: 'Kokoro' })
  main().getByLabelText('Rows per page').focus()
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(document.querySelector('[data-list-row] a'))
})

test('a search that is typed just before another screen is opened does not follow to it', async () => {
  list.tags(aTag())
  await open('/tags')
  const { options } = (router.routesById as Record<string, AnyRoute>)['/shell/settings'] as AnyRoute
  const { promise, resolve } = Promise.withResolvers<undefined>()
  options.loader = () => promise
  onTestFinished(() => void delete options.loader)
  const visited: string[] = []
  onTestFinished(router.subscribe('onBeforeNavigate', ({ toLocation }) => void visited.push(toLocation.href)))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  fireEvent.change(await main().findByRole('searchbox'), { target: { value: 'c' } })
  fireEvent.click(screen.getByRole('link', { name: 'Settings' }))
  // The search is applied after 300 ms.
  await act(() => vi.advanceTimersByTimeAsync(400))
  resolve(undefined)
  expect(await main().findByRole('heading', { name: 'Settings' })).toBeDefined()
  expect(visited).toEqual(['/settings'])
})

test('a change that is refused because the tier has changed disables what the user may no longer do', async () => {
  list.tags(aTag())
  await open('/tags')
  const remove = await main().findByRole('button', { name: 'Delete Mystery' })
  fail(tagsApi.remove, 403, { code: 'forbidden', message: 'Access denied.' })
  answer(authApi.verify, { success: true, user: reader })
  await userEvent.click(remove)
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  const add = await main().findByRole('button', { name: 'Add New Tag' })
  expect(add.title).toBe('Your tier “Reader” does not allow adding tags.')
  expect(remove.getAttribute('aria-disabled')).toBe('true')
})

test.each([
  ['en', 'Kokoro'],
  ['zh', '心'],
] as const)(
  'in the language %s, the question before a deletion names uses in that language',
  async (language, name) => {
    list.tags(aTag())
    const translations = { en: { name: 'Kokoro' }, 'zh-Hans': { name: '心' } }
    answer(tagsApi.uses, {
      total: 1,
      by: [{ entityType: 'Media', fields: ['tags'], count: 1, isAtLeast: false }],
      first: [{ entityType: 'Media', entityId: 'm', title: 'Kokoro', translations, fields: ['tags'] }],
    })
    await open('/tags', { language })
    await userEvent.click(await main().findByRole('button', { name: /Mystery/ }))
    expect(await within(await screen.findByRole('dialog')).findByText(name)).toBeDefined()
  },
)

describe('other lists show an error when loading fails, and load on Retry', () => {
  test('the trash', async () => {
    fail(trashApi.list)
    await open('/trash')
    await expectFailure('Failed to load the trash')
    answer(trashApi.list, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
    await userEvent.click(button('Retry'))
    expect(await screen.findByText('The trash is empty')).toBeDefined()
  })

  test('the translation history and its statistics', async () => {
    fail(historyApi.recent)
    fail(historyApi.statistics)
    await open('/translations')
    await expectFailure('Failed to load statistics')
    await expectFailure('Failed to load translation history')
    answer(historyApi.recent, { data: [] })
    answer(historyApi.statistics, {
      totalCount: 7,
      rolledBackCount: 1,
      byEntityType: Object.fromEntries(
        TRANSLATED_KINDS.map((kind, at) => [kind.toLowerCase(), 4 - at]),
      ) as HistoryStatistics['byEntityType'],
    })
    const retries = main().getAllByRole('button', { name: 'Retry' })
    expect(retries).toHaveLength(2)
    for (const retry of retries) await userEvent.click(retry)
    expect(await screen.findByText('No translation history found')).toBeDefined()
    expect(await screen.findByText('Rolled Back')).toBeDefined()
  })

  test('the audit log', async () => {
    fail(auditApi.list)
    await open('/audit')
    await expectFailure('Failed to load the audit log')
    answer(auditApi.list, { data: [], older: null, newer: null })
    await userEvent.click(main().getAllByRole('button', { name: 'Retry' }).at(-1) ?? document.body)
    expect(await screen.findByText('No entries found')).toBeDefined()
  })
})

test.each<[string, Route, string]>([
  ['/batches', batchesApi.list, 'Failed to load batches'],
  ['/batches/one', batchesApi.results, 'Failed to load batches'],
  ['/import', importsApi.list, 'Failed to load imports'],
  ['/activities', dashboardApi.activities, 'Failed to load this'],
  ['/profile', authApi.sessions, 'Failed to load your sessions'],
  ['/work?target=ja&view=matrix', mediaApi.list, 'Failed to load the queue'],
  ['/media/m?tab=history', revisionsApi.list, 'Failed to load the history'],
  ['/media/m?comments=c', commentsApi.list, 'Failed to load comments'],
  ['/characters/c', charactersApi.media, 'Failed to load related media'],
])('%s shows why its list failed to load', async (path, route, what) => {
  answer(batchesApi.find, aBatch())
  answer(mediaApi.find, aMedia())
  answer(charactersApi.find, aCharacter())
  fail(route)
  await open(path)
  await expectFailure(what)
})

test('rows stay when they cannot be refetched, and a toast says so', async () => {
  list.tags(aTag())
  answer(tagsApi.remove, { success: true })
  await open('/tags')
  await userEvent.click(await main().findByRole('button', { name: 'Delete Mystery' }))
  fail(tagsApi.list)
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await findToast('Server error. Please try again later.')).toBeDefined()
  expect(main().getByText('Mystery')).toBeDefined()
})

test.each<[string, Route, () => void, string]>([
  [
    '/batches',
    batchesApi.list,
    () => answer(batchesApi.list, { data: [aBatch()], pagination: { total: 1, page: 1, limit: 20 } }),
    'Aiko',
  ],
  ['/assets', assetsApi.list, () => list.assets(anAsset()), 'opening.ogg'],
])('%s: rows that cannot be refreshed stay, with the reason', async (path, route, reply, row) => {
  reply()
  await open(path)
  await main().findAllByText(row)
  fail(route, 409, { message: 'Too old' })
  await queryClient.refetchQueries({ queryKey: [route.path] })
  expect((await main().findByText('Not refreshed: Too old')).closest('[role=status]')).not.toBeNull()
  expect(main().getAllByText(row)).not.toEqual([])
  expect(screen.queryByRole('alert')).toBeNull()
})

/** The requested page of a list of forty-five rows. */
const some = <Row,>({ query: { limit = '10', skip, page = '1' } }: ConsoleRequest, row: (id: string) => Row): Row[] => {
  const from = skip === undefined ? (Number(page) - 1) * Number(limit) : Number(skip)
  return Array.from({ length: Math.max(0, Math.min(Number(limit), 45 - from)) }, (_, at) => row(`${from + at}`))
}
const paged = ({ query: { limit = '10', page = '1' } }: ConsoleRequest) => ({
  total: 45,
  page: Number(page),
  limit: Number(limit),
  pages: 5,
})

/** Presses a button several times before anything is rendered again. */
const press = (name: string, times: number) =>
  act(() => {
    for (let at = 0; at < times; at += 1) fireEvent.click(button(name))
  })

describe.each<{ path: string; size: number; route: Route; reply: () => void }>([
  {
    path: '/characters',
    size: 10,
    route: charactersApi.list,
    reply: () =>
      answer(charactersApi.list, (call) => ({
        characters: some(call, (_id) => aCharacter({ _id })),
        pagination: paged(call),
      })),
  },
  {
    path: '/tags',
    size: 20,
    route: tagsApi.list,
    reply: () => answer(tagsApi.list, (call) => ({ tags: some(call, (_id) => aTag({ _id })), total: 45 })),
  },
  {
    path: '/ratings',
    size: 10,
    route: ratingsApi.list,
    reply: () =>
      answer(ratingsApi.list, (call) => ({ ratings: some(call, (_id) => aRating({ _id })), pagination: paged(call) })),
  },
  {
    path: '/users',
    size: 10,
    route: usersApi.list,
    reply: () =>
      answer(usersApi.list, (call) => ({
        success: true,
        data: some(call, (_id) => aUser({ _id })),
        total: 45,
        pages: 5,
      })),
  },
  {
    path: '/trash',
    size: 20,
    route: trashApi.list,
    reply: () =>
      answer(trashApi.list, (call) => ({ data: some(call, (_id) => aTrashRow({ _id })), pagination: paged(call) })),
  },
  {
    path: '/assets',
    size: 20,
    route: assetsApi.list,
    reply: () =>
      answer(assetsApi.list, (call) => ({
        data: some(call, (_id) => anAsset({ _id })),
        pagination: { total: 45, limit: 20, skip: 0 },
      })),
  },
  {
    path: '/batches',
    size: 20,
    route: batchesApi.list,
    reply: () =>
      answer(batchesApi.list, (call) => ({ data: some(call, (_id) => aBatch({ _id })), pagination: paged(call) })),
  },
])('pagination of $path', ({ path, size, route, reply }) => {
  test('requests the page in the URL, and shows the range of rows', async () => {
    reply()
    await open(path)
    expect(await screen.findByText(`Showing 1 to ${size} of 45 results`)).toBeDefined()
    expect(button('Previous')).toHaveProperty('disabled', true)
    await userEvent.click(button('Next'))
    expect(await screen.findByText(`Showing ${size + 1} to ${2 * size} of 45 results`)).toBeDefined()
    expect(currentUrl()).toBe(`${path}?page=2`)
    await userEvent.click(button('Previous'))
    await waitFor(() => expect(currentUrl()).toBe(path))
  })

  test('quick presses of Next and Previous all count, up to the last page', async () => {
    reply()
    const last = Math.ceil(45 / size)
    await open(path)
    await screen.findByText(`Showing 1 to ${size} of 45 results`)
    press('Next', last + 1)
    expect(await screen.findByText(`Showing ${(last - 1) * size + 1} to 45 of 45 results`)).toBeDefined()
    expect(currentUrl()).toBe(`${path}?page=${last}`)
    press('Previous', last + 1)
    await waitFor(() => expect(currentUrl()).toBe(path))
  })

  test('a page that failed, and its Retry, show nothing of the previous one', async () => {
    reply()
    await open(path)
    await screen.findByText(`Showing 1 to ${size} of 45 results`)
    const boxes = () => main().queryAllByRole('checkbox', { checked: true })
    await userEvent.keyboard('{Control>}a{/Control}')
    const isSelecting = main().queryAllByRole('checkbox').length > 0
    expect(boxes().length > 0).toBe(isSelecting)
    fail(route, 409)
    await userEvent.click(button('Next'))
    const retry = await main().findByRole('button', { name: 'Retry' })
    const release = hold(route)
    await userEvent.click(retry)
    await waitFor(() => expect(retry.getAttribute('aria-disabled')).toBe('true'))
    expect(main().queryByText(/45/)).toBeNull()
    expect(boxes()).toEqual([])
    release()
    await waitFor(() => expect(retry.getAttribute('aria-disabled')).toBeNull())
  })

  test('ends at the last row, and offers the first page from beyond it', async () => {
    reply()
    const last = Math.ceil(45 / size)
    await open(`${path}?page=${last}`)
    expect(await screen.findByText(`Showing ${(last - 1) * size + 1} to 45 of 45 results`)).toBeDefined()
    expect(button('Next')).toHaveProperty('disabled', true)
    cleanup()
    await open(`${path}?page=${last + 5}`)
    await userEvent.click(await main().findByRole('button', { name: 'Go to the first page' }))
    expect(await screen.findByText(`Showing 1 to ${size} of 45 results`)).toBeDefined()
  })
})

test('quick presses of Next all count in the matrix, up to the last page', async () => {
  answer(mediaApi.list, ({ query: { limit } }) => many(Number(limit), (_id) => aMedia({ _id })), { total: 150 })
  await open('/work?view=matrix')
  await main().findByRole('button', { name: 'Next' })
  press('Next', 4)
  await waitFor(() => expect(currentUrl()).toBe('/work?page=3&view=matrix'))
})

const many = <Row,>(count: number, row: (id: string) => Row) => Array.from({ length: count }, (_, at) => row(`${at}`))
const COUNTED = { total: 10_001, page: 2000, pages: 1001, limit: 10, skip: 39_980 }

test.each<[string, number, () => void]>([
  [
    '/ratings',
    10,
    () => answer(ratingsApi.list, { ratings: many(10, (_id) => aRating({ _id })), pagination: COUNTED }),
  ],
  ['/assets', 20, () => answer(assetsApi.list, { data: many(20, (_id) => anAsset({ _id })), pagination: COUNTED })],
])(
  '%s: of more than ten thousand rows, says so, and leads to those that are not counted',
  async (path, size, reply) => {
    reply()
    await open(`${path}?page=2000&search=k`)
    const first = 1999 * size + 1
    expect(await screen.findByText(`Showing ${first} to ${first + size - 1} of 10000+ results`)).toBeDefined()
    expect(button('Next')).toHaveProperty('disabled', false)
  },
)

test('the trash is counted up to ten thousand, and says that there are more', async () => {
  answer(trashApi.list, { data: many(20, (_id) => aTrashRow({ _id })), pagination: COUNTED })
  await open('/trash')
  expect(await screen.findByText('Showing 1 to 20 of 10000+ results')).toBeDefined()
})

test.each<[string, number, () => void]>([
  [
    '/ratings',
    10,
    () => answer(ratingsApi.list, { ratings: many(10, (_id) => aRating({ _id })), pagination: COUNTED }),
  ],
  ['/assets', 20, () => answer(assetsApi.list, { data: many(20, (_id) => anAsset({ _id })), pagination: COUNTED })],
  ['/batches', 20, () => answer(batchesApi.list, { data: many(20, (_id) => aBatch({ _id })), pagination: COUNTED })],
])('%s: a total of 10,001 that was counted to the end is shown as it is', async (path, size, reply) => {
  reply()
  await open(path)
  expect(await screen.findByText(`Showing 1 to ${size} of 10001 results`)).toBeDefined()
})

test.each([
  ['/tags?search=nothing', 'No tags found', () => list.tags()],
  ['/users?search=nothing', 'No users found', () => list.users()],
  ['/assets?search=nothing', 'No assets found', () => list.assets()],
])('%s: an empty result says so, and Reset clears the filters', async (address, empty, reply) => {
  reply()
  await open(address)
  expect(await screen.findByText(empty)).toBeDefined()
  await userEvent.click(main().getAllByRole('button', { name: 'Reset' }).at(-1) ?? document.body)
  await waitFor(() => expect(currentUrl()).toBe(address.replace(/\?.*/, '')))
})

test.each<[string, () => void, string]>([
  ['/users', () => list.users(aUser()), 'Only administrators can change accounts.'],
  ['/score-permissions', () => list.tiers(aTier()), 'Only administrators can change permission tiers.'],
])('%s is read-only for a moderator', async (path, reply, reason) => {
  reply()
  await open(path, { as: { ...reader, role: 'moderator' } })
  const [refused] = await main().findAllByTitle(reason)
  await userEvent.click(refused ?? document.body)
  expect(await findToast(reason)).toBeDefined()
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
  if (path === '/users') expect(screen.getByPlaceholderText('Search by name or email')).toBeDefined()
})

test('an empty list of characters offers to add one', async () => {
  list.characters()
  await open('/characters')
  expect(await screen.findByText('No characters found')).toBeDefined()
  const [inHead, inEmptyState] = main().getAllByRole('link', { name: 'Add New Character' })
  // On phones, the head has room for its icon only.
  expect(inHead?.querySelector('.wide-only')).not.toBeNull()
  expect(inEmptyState?.querySelector('.wide-only')).toBeNull()
  expect(main().queryByRole('button', { name: 'Next' })).toBeNull()
})

test.each<[string, () => void, string]>([
  ['/ratings', () => list.ratings(), 'No ratings found'],
  ['/users', () => list.users(), 'No users found'],
  ['/assets?page=2', () => list.assets(), 'No assets found'],
])('%s says that it is empty, without a pager', async (path, reply, empty) => {
  reply()
  await open(path)
  expect(await screen.findByText(empty)).toBeDefined()
  expect(main().queryByRole('navigation', { name: 'Pages' })).toBeNull()
  // Only announced.
  expect(
    main()
      .queryByText(/^Showing 0/)
      ?.closest('.sr-only'),
  ).not.toBeNull()
})

test('two filters that are changed before the list is rendered again both apply', async () => {
  list.assets(anAsset())
  await open('/assets')
  const status = await main().findByLabelText('Status')
  const type = main().getByLabelText('Type')
  act(() => {
    fireEvent.change(type, { target: { value: 'VIDEO' } })
    fireEvent.change(status, { target: { value: 'ERROR' } })
  })
  await waitFor(() => expect(currentUrl()).toBe('/assets?status=ERROR&type=VIDEO'))
})

test('a list whose filters leave one page announces how many rows there are', async () => {
  answer(assetsApi.list, ({ query }) => ({
    data: [anAsset({ _id: 'one' })],
    pagination: { page: 1, pages: 3, limit: 20, skip: 0, total: query.status ? 1 : 45 },
  }))
  await open('/assets')
  const said = await main().findByText('Showing 1 to 1 of 45 results')
  await userEvent.selectOptions(main().getByLabelText('Status'), 'Error')
  await waitFor(() => expect(said.textContent).toBe('Showing 1 to 1 of 1 results'))
  expect(said.isConnected && said.getAttribute('aria-live')).toBe('polite')
  expect(main().queryByRole('navigation', { name: 'Pages' })).toBeNull()
})

describe('the trash', () => {
  const none = { data: [], pagination: { total: 0, page: 1, limit: 20 } }

  test('explains itself when empty, also for a single type', async () => {
    answer(trashApi.list, none)
    await open('/trash')
    expect(await screen.findByText('The trash is empty')).toBeDefined()
    expect(screen.getByText(/You can restore deleted items here for 30 days/)).toBeDefined()
    cleanup()
    await open('/trash?kind=Tier')
    expect(await screen.findByText('No item deleted in the last 30 days matches these filters.')).toBeDefined()
    await userEvent.click(main().getAllByRole('button', { name: 'Reset' }).at(-1) ?? document.body)
    await waitFor(() => expect(currentUrl()).toBe('/trash'))
  })

  test('marks what expires soon, and reports a failed permanent deletion', async () => {
    const soon = new Date(Date.now() + 5 * 3_600_000).toISOString()
    answer(trashApi.list, { ...none, data: [aTrashRow({ goneAt: soon })] })
    fail(trashApi.purge)
    await open('/trash')
    await userEvent.click(await main().findByRole('button', { name: 'Delete Mystery permanently' }))
    expect(document.querySelector('[data-tone="danger"]')?.textContent).toBe('Less than a day')
    await userEvent.type(within(await screen.findByRole('dialog')).getByRole('textbox'), 'delete{Enter}')
    expect(await findToast('Failed to delete permanently')).toBeDefined()
    expect(main().getByRole('button', { name: 'Delete Mystery permanently' })).toBeDefined()
  })
})

test.each<[string, string, () => void]>([
  ['/media?finding=nonsense&page=0&type=FILM', 'finding=nonsense, type=FILM', () => list.media(aMedia())],
  ['/media?columns=nonsense&tgas=t', 'tgas=t', () => list.media(aMedia())],
  ['/characters?finding=nonsense', 'finding=nonsense', () => list.characters(aCharacter())],
  ['/tags?type=NONE', 'type=NONE', () => list.tags(aTag())],
  ['/users?role=king', 'role=king', () => list.users(aUser())],
  ['/assets?status=LOST', 'status=LOST', () => list.assets(anAsset())],
  [`/ratings?search=${'k'.repeat(201)}`, `search=${'k'.repeat(201)}`, () => list.ratings(aRating())],
  [
    '/trash?kind=Film',
    'kind=Film',
    () => answer(trashApi.list, { data: [aTrashRow()], pagination: { total: 1, page: 1, limit: 20 } }),
  ],
  ['/activities?type=FILM', 'type=FILM', () => undefined],
  ['/audit?area=nonsense&usre=mori', 'area=nonsense, usre=mori', () => undefined],
  ['/translations?entityType=Film', 'entityType=Film', () => undefined],
])('%s: says which filters of the URL were not understood', async (address, leftOut, reply) => {
  reply()
  await open(address)
  const says = 'Part of this address was not understood as a filter, and was left out: '
  expect(await main().findByText(says + leftOut)).toBeDefined()
})

test('a filter of the URL that was not understood is named in Chinese, and forgotten with the next filter', async () => {
  list.tags(aTag())
  await open('/tags?type=NONE', { language: 'zh' })
  expect(await main().findByText('地址中有无法识别的筛选条件，已忽略：type=NONE')).toBeDefined()
  await userEvent.selectOptions(main().getByLabelText('类型'), 'GENRE')
  await waitFor(() => expect(main().queryByText(/无法识别/)).toBeNull())
})

test.each([
  ['en', 'Work through', 'Your tier “Reader” does not allow editing your own content.'],
  ['zh', '逐条处理', '您的等级“Reader”不能编辑自己的内容。'],
] as const)(
  'a list says why a user who may edit nothing cannot work through it (%s)',
  async (language, name, reason) => {
    list.media(aMedia())
    await open('/media', { as: reader, language })
    expect((await main().findByRole('button', { name })).title).toBe(reason)
    expect(main().queryByRole('link', { name })).toBeNull()
  },
)
