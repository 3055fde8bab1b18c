import { type View, viewsApi } from '@mokuroku/contract/views'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import {
  answer,
  fail,
  failMissing,
  requests,
  findToast,
  currentUrl,
  list,
  main,
  open,
  signInAgain,
  withoutServer,
} from './testing.tsx'

withoutServer()

const view = (given: Partial<View> = {}): View => ({
  _id: 'v1',
  version: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  name: 'Without Chinese',
  entityType: 'Media',
  filters: { finding: 'missing:zh' },
  sort: '-updatedAt',
  columns: ['title', 'rating'],
  shared: false,
  createdBy: 'me',
  username: 'mori',
  canEdit: true,
  ...given,
})
const others = view({ _id: 'v2', name: 'Novels', filters: { type: 'NOVEL' }, sort: null, columns: [], shared: true })
let views: View[]

beforeEach(() => {
  views = [view(), { ...others, createdBy: 'kay', username: 'kay', canEdit: false }]
  answer(viewsApi.list, () => ({ data: views }))
  answer(viewsApi.create, ({ body }) => view({ _id: 'v3', ...(body as object) }))
  answer(viewsApi.update, ({ body }) => view(body as object))
  answer(viewsApi.remove, { success: true })
  list.media()
  list.characters()
})

const sent = (method: string) =>
  waitFor(() => {
    const call = requests.find((each) => each.method === method && each.path.startsWith('/api/views'))
    if (!call) throw new Error(`No ${method}`)
    return call
  })
const sidebar = () => within(screen.getByRole('navigation', { name: 'Main' }))

test('a view is listed below its list, restores its filters, sort and columns, and is marked while shown', async () => {
  await open('/media')
  const link = await sidebar().findByRole('link', { name: 'Without Chinese' })
  expect(link.getAttribute('aria-current')).toBeNull()
  await userEvent.click(link)
  await waitFor(() => expect(currentUrl()).toBe('/media?columns=title%2Crating&finding=missing%3Azh&sort=-updatedAt'))
  expect(sidebar().getByRole('link', { name: 'Without Chinese' }).getAttribute('aria-current')).toBe('page')
  const shared = sidebar().getByRole('link', { name: /^Novels/ })
  expect(within(shared).getByRole('img', { name: 'shared' })).toBeDefined()
  expect(within(shared).getByText('by kay')).toBeDefined()
  expect(sidebar().queryByRole('button', { name: 'Edit the view Novels' })).toBeNull()
  await userEvent.click(sidebar().getByRole('button', { name: 'Views (2)', expanded: true }))
  expect(sidebar().getByRole('button', { name: 'Views (2)', expanded: false })).toBeDefined()
})

test('many views are folded at first', async () => {
  views = Array.from({ length: 21 }, (_, at) => view({ _id: `v${at}`, name: `View ${at}` }))
  await open('/media')
  await userEvent.click(await sidebar().findByRole('button', { name: 'Views (21)', expanded: false }))
  expect(sidebar().getByRole('link', { name: 'View 20' }).title).toBe('View 20')
})

test('saves what the list shows as a named view, without what it ignores in the URL', async () => {
  await open('/media?colour=red&page=2&search=frieren&sort=-createdAt&type=OPERA')
  await userEvent.click(await main().findByRole('button', { name: 'Save view' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this view' }))
  expect(dialog.getByLabelText('Name')).toBe(document.activeElement)
  await userEvent.type(dialog.getByLabelText('Name'), ' Frieren {Enter}')
  expect((await sent('POST')).body).toEqual({
    name: 'Frieren',
    entityType: 'Media',
    filters: { search: 'frieren' },
    sort: '-createdAt',
    columns: [],
    shared: false,
  })
  await findToast('View Frieren saved')
})

test('a view can be renamed, shared and replaced by what the list shows now', async () => {
  await open('/media?colour=red&type=MANGA')
  await userEvent.click(await sidebar().findByRole('button', { name: 'Edit the view Without Chinese' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'View' }))
  await userEvent.clear(dialog.getByLabelText('Name'))
  await userEvent.type(dialog.getByLabelText('Name'), 'Manga')
  await userEvent.click(dialog.getByLabelText('Share with everyone'))
  await userEvent.click(dialog.getByLabelText(/^Update it to the current filters/))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const { body, base } = await sent('PUT')
  expect([body, base]).toEqual([
    { name: 'Manga', entityType: 'Media', filters: { type: 'MANGA' }, sort: null, columns: [], shared: true },
    '"3"',
  ])
})

test('Undo restores a deleted view', async () => {
  await open('/media')
  await userEvent.click(await sidebar().findByRole('button', { name: 'Edit the view Without Chinese' }))
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: 'View' })).getByRole('button', { name: 'Delete' }),
  )
  expect((await sent('DELETE')).path).toBe('/api/views/v1')
  await findToast('View Without Chinese deleted')
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  const { name, entityType, filters, sort, columns, shared } = view()
  expect((await sent('POST')).body).toEqual({ name, entityType, filters, sort, columns, shared })
})

test('deleting a view that someone else has deleted meanwhile reports it as deleted', async () => {
  failMissing(viewsApi.remove, 'View')
  await open('/media')
  const dialog = await edit()
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  const toast = await findToast('View Without Chinese deleted')
  expect(within(toast).queryByRole('button', { name: 'Undo' })).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

async function edit() {
  await userEvent.click(await sidebar().findByRole('button', { name: 'Edit the view Without Chinese' }))
  return within(await screen.findByRole('dialog', { name: 'View' }))
}
const lastPut = () => requests.findLast(({ method }) => method === 'PUT')
const refetched = () => queryClient.invalidateQueries()

test('a view that is deleted while it is edited keeps what was entered, and can be created anew', async () => {
  views = [view()]
  await open('/characters')
  const dialog = await edit()
  await userEvent.type(dialog.getByLabelText('Name'), ', new')
  views = []
  fail(viewsApi.update, 404)
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await dialog.findByText(
    'This view has been deleted in the meantime. What you have entered can be saved as a new one.',
  )
  expect(screen.queryByText('Failed to save the view')).toBeNull()
  expect(dialog.queryByRole('button', { name: 'Delete' })).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Save as a new view' }))
  expect((await sent('POST')).body).toMatchObject({ name: 'Without Chinese, new', filters: { finding: 'missing:zh' } })
  await findToast('View Without Chinese, new saved')
  expect(currentUrl()).toBe('/characters')
})

test('a view that another user no longer shares while an administrator edits it is saved, not created anew', async () => {
  views = [view({ createdBy: 'kay', shared: true })]
  await open('/characters')
  const dialog = await edit()
  await userEvent.type(dialog.getByLabelText('Name'), ', new')
  views = []
  await refetched()
  expect(dialog.getByRole('button', { name: 'Delete' })).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect((await sent('PUT')).body).toMatchObject({ name: 'Without Chinese, new' })
})

test('a view that another tab has changed is saved with its new version only once the user knows', async () => {
  await open('/characters')
  const dialog = await edit()
  await userEvent.type(dialog.getByLabelText('Name'), ', new')
  views = [view({ version: 4, shared: true, filters: { finding: 'missing:ja' } })]
  await refetched()
  const share = dialog.getByLabelText<HTMLInputElement>('Share with everyone')
  await waitFor(() => expect(share.checked).toBe(true))
  fail(viewsApi.update, 412, { code: 'stale', message: 'This has been changed in the meantime.' })
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await findToast('Failed to save the view')
  expect(lastPut()?.base).toBe('"3"')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(lastPut()?.base).toBe('"4"'))
  expect(lastPut()?.body).toMatchObject({
    name: 'Without Chinese, new',
    shared: true,
    filters: { finding: 'missing:ja' },
  })
})

test.each([
  ['nothing', '', { name: 'Renamed', shared: true }, '"4"'],
  ['a name', ', new', { name: 'Without Chinese, new', shared: true }, '"3"'],
])('a view that was changed while its dialog had %s entered, and the session ended', async (_, typed, body, base) => {
  await open('/media')
  const dialog = await edit()
  if (typed) await userEvent.type(dialog.getByLabelText('Name'), typed)
  fail(viewsApi.update, 401)
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  views = [view({ version: 4, name: 'Renamed', shared: true })]
  await signInAgain('/media')
  await userEvent.click(await sidebar().findByRole('button', { name: 'Edit the view Renamed' }))
  const again = within(await screen.findByRole('dialog', { name: 'View' }))
  await userEvent.click(again.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(lastPut()).toMatchObject({ body, base }))
})
