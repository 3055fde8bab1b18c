// Other users in the same editor, and what they save. Stream events are simulated.
import { mediaApi } from '@mokuroku/contract/media'
import { type RevisionRow, revisionsApi } from '@mokuroku/contract/revisions'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { undo } from '@codemirror/commands'
import { expect, test } from 'vitest'
import { opened, coEditors } from '#api/openEntity.ts'
import {
  aMedia,
  answer,
  button,
  editor,
  fail,
  findToast,
  hold,
  main,
  open,
  reader,
  requests,
  settled,
  withoutServer,
  write,
} from './testing.tsx'

withoutServer()

const person = (username: string) => ({ _id: username, username, avatar: '' })
const titled = (title: string) => ({ en: { title, description: '' } })

const revision = (version: number, given: Partial<RevisionRow> = {}): RevisionRow => ({
  _id: String(version),
  entityType: 'Media',
  entityId: 'm',
  version,
  action: 'update',
  origin: 'person',
  batch: null,
  reason: null,
  username: 'aoi',
  userId: 'aoi',
  paths: [],
  createdAt: '2026-01-06T09:30:00.000Z',
  ...given,
})

/** Opens the editor of a media item in version 1; then somebody saves it, or deletes it. */
async function saved(theirs: Parameters<typeof aMedia>[0] | 'deleted', ...revisions: RevisionRow[]) {
  answer(mediaApi.find, aMedia())
  await open('/media/m/edit')
  await editor()
  if (theirs === 'deleted') fail(mediaApi.find, 404)
  else answer(mediaApi.find, aMedia({ version: 1 + revisions.length, ...theirs }))
  answer(revisionsApi.list, { data: [...revisions, revision(1, { action: 'create' })] })
  coEditors.set({ version: 1 + revisions.length })
}

const text = async () => JSON.parse((await editor()).state.doc.toString()) as Record<string, unknown>
const takeIn = async () => main().findByRole('button', { name: 'Merge changes' })

test('shows who else has the editor open, with a count when there are many', async () => {
  answer(mediaApi.find, aMedia())
  await open('/media/m/edit')
  await editor()
  expect(opened.get()).toEqual({ entityType: 'Media', entityId: 'm' })
  const say = (people: string[], count = people.length) =>
    coEditors.set({ editors: { entityId: 'm', people: people.map(person), count } })
  say(['aoi'])
  expect((await screen.findByText('Also open: aoi')).closest('[role="status"]')).not.toBeNull()
  say(['aoi', 'rin'])
  await screen.findByText('Also open: aoi and rin')
  say(['aoi', 'rin', 'sen', 'yui', 'kei'], 12)
  await screen.findByText('Also open: aoi, rin, sen, and 9 more')
  say([])
  await waitFor(() => expect(screen.queryByText(/^Also open/)).toBeNull())
})

test('a read-only editor, or one that was left, does not count as open', async () => {
  answer(mediaApi.find, aMedia())
  await open('/media/m/edit', { as: reader })
  await editor()
  expect(opened.get()).toBeUndefined()
  await open('/media/m/edit')
  await editor()
  expect(opened.get()).toBeDefined()
  await open('/tags')
  expect(opened.get()).toBeUndefined()
})

test('merges what another user saved into the draft, and bases the next save on it', async () => {
  await saved({ isOngoing: true, originalTitle: 'こころ' }, revision(2))
  await write({ ...(await text()), translations: titled('Mine') })
  expect((await screen.findAllByText('Changed by aoi, 2 fields'))[0]?.closest('[role="status"]')).not.toBeNull()
  main().getByText('Status, original title')
  await userEvent.click(await takeIn())
  expect(await text()).toMatchObject({ translations: titled('Mine'), isOngoing: true, originalTitle: 'こころ' })
  expect(screen.queryByText('Changed by aoi, 2 fields')).toBeNull()
  // The next save is based on the merged version.
  answer(mediaApi.update, aMedia({ version: 3 }))
  await userEvent.click(main().getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(requests.findLast(({ method }) => method === 'PUT')).toMatchObject({ base: '"2"' }))
})

test('merges what another user saved into the form as well', async () => {
  await saved({ originalTitle: 'こころ' }, revision(2))
  await userEvent.keyboard('{Control>}e{/Control}')
  const title = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title (English)' })
  await userEvent.type(title, '!')
  await userEvent.click(await takeIn())
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Original title' }).value).toBe('こころ')
  expect(title.value).toBe('Kokoro!')
})

test('undoing a merge restores the text and the offer to merge', async () => {
  await saved({ isOngoing: true }, revision(2))
  await userEvent.click(await takeIn())
  expect(await text()).toMatchObject({ isOngoing: true })
  undo(await editor())
  expect(await text()).toMatchObject({ isOngoing: false })
  await takeIn()
})

test('asks which side to keep in a conflict, and saves nothing yet', async () => {
  await saved({ translations: titled('Theirs'), isOngoing: true }, revision(3), revision(2, { username: 'rin' }))
  await write({ ...(await text()), translations: titled('Mine') })
  await userEvent.click(await takeIn())
  await screen.findByText(/^aoi and rin saved a newer version on January 6, 2026/)
  await userEvent.click(main().getByRole('radio', { name: /^Mine/ }))
  await userEvent.click(main().getByRole('button', { name: 'Merge into draft' }))
  expect(await text()).toMatchObject({ translations: titled('Mine'), isOngoing: true })
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([])
})

test('a choice is named after its side and its text, without what was removed', async () => {
  await saved({ translations: titled('Frankenstein A') }, revision(2))
  await write({ ...(await text()), translations: titled('Frankenstein P') })
  await userEvent.click(await takeIn())
  await main().findByRole('radio', { name: 'Mine: Frankenstein P' })
  await main().findByRole('radio', { name: 'Theirs: Frankenstein A' })
})

test('a conflict with oneself is called that of two windows', async () => {
  await saved({ translations: titled('Theirs') }, revision(2, { userId: 'me', username: 'mori' }))
  await write({ ...(await text()), translations: titled('Mine') })
  await userEvent.click(await takeIn())
  await main().findByRole('heading', { name: 'You changed this in another window' })
  expect(main().getByText(/^You saved a newer version on January 6, 2026/)).toBeDefined()
  expect(main().getAllByRole('radio', { name: /^(This|Other) window: / })).toHaveLength(2)
})

test('leaves invalid JSON unchanged', async () => {
  await saved({ isOngoing: true }, revision(2))
  await write('{ "half": ')
  await userEvent.click(await takeIn())
  expect((await editor()).state.doc.toString()).toBe('{ "half": ')
})

test('shows who deleted the entry', async () => {
  await saved('deleted', revision(2, { action: 'delete' }))
  expect(await screen.findAllByText('Deleted by aoi')).not.toHaveLength(0)
  expect(screen.queryByRole('button', { name: 'Merge changes' })).toBeNull()
})

test('shows who merged the entry into another', async () => {
  await saved({ _id: 'survivor' }, revision(2, { action: 'delete' }))
  expect(await screen.findAllByText('Merged into another entry by aoi')).not.toHaveLength(0)
})

test('shows what the user changed in another window', async () => {
  await saved({ isOngoing: true }, revision(2, { userId: 'me', username: 'mori' }))
  expect(await screen.findAllByText('You changed this in another window, 1 field')).not.toHaveLength(0)
})

test('takes what arrived although its response was lost as saved, not as a change in another window', async () => {
  answer(mediaApi.find, aMedia())
  fail(mediaApi.update, 0)
  await open('/media/m/edit')
  await write({ ...(await text()), isOngoing: true })
  await userEvent.click(button('Save Changes'))
  await findToast('Failed to update media')
  answer(mediaApi.find, aMedia({ version: 2, isOngoing: true }))
  answer(revisionsApi.list, { data: [revision(2, { userId: 'me', username: 'mori' })] })
  coEditors.set({ version: 2 })
  await findToast('Media updated successfully')
  expect(screen.queryByText('Failed to update media')).toBeNull()
  await main().findByText('No changes')
  expect(screen.queryByText(/another window/)).toBeNull()
  // What was entered before can be undone, which is a change to what is stored now.
  answer(mediaApi.update, aMedia({ version: 3 }))
  undo(await editor())
  await main().findByText(/^Unsaved changes/)
  await userEvent.click(button('Save Changes'))
  await waitFor(() => expect(requests.findLast(({ method }) => method === 'PUT')?.base).toBe('"2"'))
})

test('what arrived although its response was lost is no unsaved change where it is stored in another form', async () => {
  answer(mediaApi.find, aMedia())
  fail(mediaApi.update, 0)
  await open('/media/m/edit')
  await write({ ...(await text()), releaseDate: '1914-05-01T00:00:00Z' })
  await userEvent.click(button('Save Changes'))
  await findToast('Failed to update media')
  answer(mediaApi.find, aMedia({ version: 2, releaseDate: '1914-05-01T00:00:00.000Z' }))
  answer(revisionsApi.list, { data: [revision(2, { userId: 'me', username: 'mori' })] })
  coEditors.set({ version: 2 })
  await findToast('Media updated successfully')
  await main().findByText('No changes')
  expect(await text()).toMatchObject({ releaseDate: '1914-05-01T00:00:00.000Z' })
})

test('the line above the editor shows the title that is stored now', async () => {
  await saved({ translations: titled('Their title') }, revision(2))
  expect(await screen.findByText('Their title', { selector: 'span' })).toBeDefined()
})

test('an editor that is opened again fetches the entry, also if the one before was left while it fetched', async () => {
  answer(mediaApi.find, aMedia())
  await open('/media/m/edit')
  await editor()
  answer(mediaApi.find, aMedia({ version: 2 }))
  answer(revisionsApi.list, { data: [revision(2)] })
  const fetched = () => requests.filter(({ path }) => path === '/api/media/m').length
  const release = hold(mediaApi.find)
  coEditors.set({ version: 2 })
  await waitFor(() => expect(fetched()).toBe(2))
  await userEvent.click(screen.getByRole('link', { name: 'Audit Log' }))
  await screen.findByRole('heading', { level: 1, name: 'Audit Log' })
  release()
  await settled()
  answer(mediaApi.find, aMedia({ version: 3, originalTitle: 'こころ' }))
  history.back()
  await waitFor(async () => expect(await text()).toMatchObject({ originalTitle: 'こころ' }))
})

test('does not announce a version that changed no edited field', async () => {
  await saved({}, revision(2))
  await waitFor(() => expect(requests.some(({ path }) => path === revisionsApi.list.path)).toBe(true))
  await settled()
  expect(screen.queryByText(/Changed by/)).toBeNull()
})

test('is shown in Chinese', async () => {
  answer(mediaApi.find, aMedia())
  await open('/media/m/edit', { language: 'zh' })
  await editor()
  answer(mediaApi.find, aMedia({ version: 2, isOngoing: true }))
  answer(revisionsApi.list, { data: [revision(2)] })
  coEditors.set({ version: 2, editors: { entityId: 'm', people: [person('aoi')], count: 1 } })
  await screen.findByText('同时打开：aoi')
  expect(await screen.findAllByText('aoi 修改了 1 个字段')).not.toHaveLength(0)
})
