// The trash, and the links to it.
import { TRASH_KINDS } from '@mokuroku/contract/kinds'
import { mediaApi } from '@mokuroku/contract/media'
import { tagsApi } from '@mokuroku/contract/tags'
import { tiersApi } from '@mokuroku/contract/tiers'
import { trashApi, type TrashRow } from '@mokuroku/contract/trash'
import { usersApi } from '@mokuroku/contract/users'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { AREAS } from '#lib/areas.ts'
import { router } from './routes.tsx'
import {
  answer,
  aUser,
  requests,
  fail,
  failMissing,
  findToast,
  currentUrl,
  list,
  main,
  open,
  reader,
  withoutServer,
} from './testing.tsx'

withoutServer()

const aTrashRow = (given: Partial<TrashRow> = {}): TrashRow => ({
  kind: 'Tag',
  _id: 't',
  title: 'Mystery',
  deletedAt: '2026-01-05T00:00:00.000Z',
  deletedBy: { _id: 'u', username: 'natsume' },
  goneAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  mayRestore: true,
  mayPurge: true,
  ...given,
})
const holds = (...rows: TrashRow[]) =>
  answer(trashApi.list, ({ query: { kind } }) => {
    const data = rows.filter((row) => !kind || row.kind === kind)
    return { data, pagination: { total: data.length, page: 1, limit: 20 } }
  })
const type = () => main().getByRole<HTMLSelectElement>('combobox', { name: 'Type' })
const button = (name: string) => main().findByRole('button', { name })

test('has no more days left than deleted entities are kept, also where the clock of the browser is behind', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  holds(aTrashRow({ deletedAt: inDays(0.5), goneAt: inDays(30.5) }))
  await open('/trash')
  expect(await main().findByText('30 days')).toBeDefined()
})

test('the type filter is kept in the URL, and cleared by Reset', async () => {
  holds(aTrashRow(), aTrashRow({ kind: 'Media', _id: 'm', title: 'Kokoro' }))
  await open('/trash')
  await main().findByText('Mystery')
  expect([...type().options].map(({ textContent }) => textContent)).toEqual([
    'All Types',
    ...TRASH_KINDS.map((kind) => AREAS[kind].en.name),
  ])
  await userEvent.selectOptions(type(), 'Media')
  await waitFor(() => expect(main().queryByText('Mystery')).toBeNull())
  expect(main().getByText('Kokoro')).toBeDefined()
  expect(currentUrl()).toBe('/trash?kind=Media')
  router.history.back()
  expect(await main().findByText('Mystery')).toBeDefined()
  router.history.forward()
  await waitFor(() => expect(type().value).toBe('Media'))
  await userEvent.click(await button('Reset'))
  await waitFor(() => expect(currentUrl()).toBe('/trash'))
})

test('the trash is searched by name, by who deleted and by when, and what is older is one click away', async () => {
  const older = '2026-01-20T12:00:00.000Z'
  answer(trashApi.list, ({ query: { deletedTo, search } }) => ({
    data: search && !deletedTo ? [] : [aTrashRow()],
    pagination: { total: search && !deletedTo ? 0 : 1, page: 1, limit: 20 },
    ...(search && !deletedTo && { older }),
  }))
  answer(usersApi.find, aUser({ _id: 'u', username: 'natsume' }))
  await open('/trash?deletedBy=u&deletedFrom=2026-01-04T12%3A00%3A00.000Z')
  expect(await main().findByText('1 result')).toBeDefined()
  expect(await main().findByRole('button', { name: 'Remove condition: Deleted by natsume' })).toBeDefined()
  expect(main().getByText('Deleted from January 4, 2026')).toBeDefined()
  await userEvent.click(await button('Add condition'))
  const conditions = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Filter by' })
  expect([...conditions.options].map(({ textContent }) => textContent)).toEqual(['Deleted by', 'Date of deletion'])
  await userEvent.keyboard('{Escape}')
  await userEvent.type(main().getByRole('searchbox', { name: 'Search the trash' }), 'myst')
  expect(
    await main().findByText(/^The 10,000 items deleted last were searched, back to January 20, 2026/),
  ).toBeDefined()
  await userEvent.click(await button('Search older ones'))
  expect(await main().findByText('Mystery')).toBeDefined()
  expect(main().getByText('Deleted January 4, 2026 – January 20, 2026')).toBeDefined()
  expect(new URLSearchParams(currentUrl().split('?')[1]).get('deletedTo')).toBe(older)
})

test('a moderator can restore, and sees who can delete permanently and restore users', async () => {
  holds(
    aTrashRow({ mayPurge: false }),
    aTrashRow({
      kind: 'User',
      _id: 'u',
      title: 'soseki',
      mayPurge: false,
      mayRestore: false,
      reason: 'Only administrators can do this.',
    }),
  )
  await open('/trash', { as: { ...reader, role: 'moderator' } })
  for (const [name, reason] of [
    ['Delete Mystery permanently', 'Only administrators can delete permanently.'],
    ['Restore soseki', 'Only administrators can do this.'],
  ] as const) {
    const refused = await button(name)
    expect(refused.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(refused)
    expect(await findToast(reason)).toBeDefined()
  }
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
  expect((await button('Restore Mystery')).getAttribute('aria-disabled')).not.toBe('true')
})

test('shows the reason when a restore conflicts with another entry', async () => {
  holds(aTrashRow({ kind: 'Tier', _id: 's', title: 'Editor' }))
  fail(tiersApi.restore, 409, { message: 'The tier “Curator” already has the required score 10.' })
  await open('/trash?kind=Tier')
  await userEvent.click(await button('Restore Editor'))
  expect((await findToast('Failed to restore permission tier')).textContent).toContain(
    'The tier “Curator” already has the required score',
  )
  expect(main().getByText('Editor')).toBeDefined()
})

test('restoring what somebody else has permanently deleted says so', async () => {
  holds(aTrashRow({ kind: 'Tier', _id: 's', title: 'Editor' }))
  failMissing(tiersApi.restore, 'Permission tier')
  await open('/trash?kind=Tier')
  await userEvent.click(await button('Restore Editor'))
  const toast = await findToast('Failed to restore permission tier')
  expect(toast.textContent).toContain('This item has been permanently deleted.')
})

test('permanent deletion of what somebody else has restored does not say that it is deleted', async () => {
  holds(aTrashRow())
  failMissing(trashApi.purge, 'Media')
  await open('/trash')
  await userEvent.click(await button('Delete Mystery permanently'))
  const question = within(await screen.findByRole('dialog'))
  await userEvent.type(question.getByRole('textbox'), 'delete')
  await userEvent.click(question.getByRole('button', { name: 'Delete permanently' }))
  expect((await findToast('Failed to delete permanently')).textContent).toContain('It is no longer in the trash')
})

test('permanent deletion asks for the confirmation word in the language of the user', async () => {
  holds(aTrashRow())
  answer(trashApi.purge, { success: true })
  await open('/trash', { language: 'zh' })
  expect(await screen.findByRole('heading', { level: 1, name: '回收站' })).toBeDefined()
  const row = (await main().findByText('Mystery')).closest('tr')
  expect(row?.textContent).toContain('30 天')
  await userEvent.click(await button('彻底删除 Mystery'))
  const question = within(await screen.findByRole('dialog'))
  await userEvent.type(question.getByRole('textbox', { name: '输入“删除”以确认' }), '删除')
  await userEvent.click(question.getByRole('button', { name: '彻底删除' }))
  expect(await findToast('已彻底删除')).toBeDefined()
})

describe('the trash is reached', () => {
  test('from the user menu and the command palette', async () => {
    holds()
    await open('/profile')
    await userEvent.click(await screen.findByRole('button', { name: 'User menu' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Trash' }))
    await waitFor(() => expect(currentUrl()).toBe('/trash'))
    router.history.push('/profile')
    await waitFor(() => expect(currentUrl()).toBe('/profile'))
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.type(await screen.findByRole('combobox', { name: 'Search' }), 'trash')
    await userEvent.click(await screen.findByRole('option', { name: 'Trash' }))
    await waitFor(() => expect(currentUrl()).toBe('/trash'))
  })

  test.each([
    ['/media', 'Media', () => list.media()],
    ['/characters', 'Character', () => list.characters()],
    ['/tags', 'Tag', () => list.tags()],
    ['/assets', 'Asset', () => list.assets()],
    ['/ratings', 'Rating', () => list.ratings()],
    ['/users', 'User', () => list.users()],
    ['/score-permissions', 'Tier', () => list.tiers()],
  ] as const)('from %s', async (path, kind, reply) => {
    reply()
    await open(path)
    const link = await main().findByRole('link', { name: 'Trash' })
    expect(link.getAttribute('href')).toBe(`/trash?kind=${kind}`)
  })
})

describe('bulk restore', () => {
  const rows = [
    aTrashRow({ kind: 'Media', _id: 'm1', title: 'Kokoro' }),
    aTrashRow({ kind: 'Media', _id: 'm2', title: 'Botchan' }),
    aTrashRow({ kind: 'Tag', _id: 't1', title: 'Mystery' }),
    aTrashRow({ kind: 'Asset', _id: 'a1', title: 'cover.png' }),
  ]
  const started = () => requests.filter(({ path }) => path.endsWith('/bulk')).map(({ path, body }) => [path, body])

  test('restores what is selected with the keyboard, in one batch for each kind', async () => {
    holds(...rows)
    answer(mediaApi.bulk, { batch: 'b1' })
    answer(tagsApi.bulk, { batch: 'b2' })
    await open('/trash')
    await main().findByText('Kokoro')
    expect(main().queryByRole('checkbox', { name: 'Select cover.png' })).toBeNull()
    const key = (name: string, shiftKey = false) =>
      fireEvent.keyDown(document.activeElement ?? document.body, { key: name, shiftKey })
    key('j')
    key('x')
    key('j')
    key('j')
    key('X', true)
    expect((await main().findAllByText('3 selected'))[0]).toBeDefined()
    await userEvent.click(await button('Restore 3'))
    await waitFor(() =>
      expect(started()).toEqual([
        ['/api/media/bulk', { ids: ['m1', 'm2'], change: { restore: true } }],
        ['/api/tags/bulk', { ids: ['t1'], change: { restore: true } }],
      ]),
    )
    await waitFor(() => expect(main().queryAllByText('3 selected')).toEqual([]))
  })

  test('shows the batch of one kind if that of the next kind is refused', async () => {
    holds(...rows)
    answer(mediaApi.bulk, { batch: 'b1' })
    fail(tagsApi.bulk, 409, { message: 'x' })
    await open('/trash')
    for (const title of ['Kokoro', 'Mystery'])
      await userEvent.click(await main().findByRole('checkbox', { name: `Select ${title}` }))
    await userEvent.click(await button('Restore 2'))
    await findToast('Failed to restore the selected items')
    expect((await main().findByRole('link', { name: 'View batch' })).getAttribute('href')).toBe('/batches/b1')
  })

  test('restores all matches of one kind by the filter', async () => {
    const data = rows.filter(({ kind }) => kind === 'Media')
    answer(trashApi.list, { data, pagination: { total: 214, page: 1, limit: 20 } })
    answer(mediaApi.bulk, { batch: 'b1' })
    await open('/trash?kind=Media')
    await userEvent.click(await main().findByRole('checkbox', { name: 'Select all on this page' }))
    await userEvent.click(await button('All 214 that match'))
    await userEvent.click(await button('Restore 214'))
    await waitFor(() => expect(started()).toEqual([['/api/media/bulk', { filter: {}, change: { restore: true } }]]))
  })

  test('offers all matches by no other filter than the kind', async () => {
    const data = rows.filter(({ kind }) => kind === 'Media')
    answer(trashApi.list, { data, pagination: { total: 214, page: 1, limit: 20 } })
    await open('/trash?kind=Media&search=kokoro')
    await userEvent.click(await main().findByRole('checkbox', { name: 'Select all on this page' }))
    expect(await button('Restore 2')).toBeDefined()
    expect(main().queryByRole('button', { name: 'All 214 that match' })).toBeNull()
  })
})
