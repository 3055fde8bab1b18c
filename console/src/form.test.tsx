// The form and the JSON editor: two views of one text.
import { assetsApi } from '@mokuroku/contract/assets'
import { authApi } from '@mokuroku/contract/auth'
import { mediaApi } from '@mokuroku/contract/media'
import { tiersApi } from '@mokuroku/contract/tiers'
import { usersApi } from '@mokuroku/contract/users'
import { charactersApi } from '@mokuroku/contract/characters'
import { searchApi, type SearchEntry } from '@mokuroku/contract/search'
import { type Tag, tagsApi } from '@mokuroku/contract/tags'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { router } from './routes.tsx'
import {
  aHit,
  aMedia,
  anAsset,
  answer,
  requests,
  aTag,
  aTier,
  aUser,
  admin,
  editor,
  fail,
  findToast,
  hits,
  hold,
  holdUploads,
  list,
  main,
  open,
  problems,
  reader,
  withoutServer,
  write,
} from './testing.tsx'

withoutServer()

const IMAGE = new File(['x'], 'cover.png', { type: 'image/png' })

const keeps = () => answer(authApi.updatePreferences, ({ body }) => body as { columns: object })
const text = async () => (await editor()).state.doc.toString()
const json = async () => JSON.parse(await text()) as Record<string, unknown>
const form = async () => within(await screen.findByRole('group', { name: /: form$/ }))
const box = async (name: string | RegExp) => (await form()).findByLabelText<HTMLInputElement>(name)

/** Opens an editor and switches to the form. */
async function openForm(path: string, how?: Parameters<typeof open>[1]) {
  keeps()
  await open(path, how)
  await editor()
  await userEvent.click(main().getByRole('radio', { name: 'Form' }))
  await form()
}

async function fill(name: string | RegExp, value: string) {
  const field = await box(name)
  await userEvent.clear(field)
  if (value) await userEvent.type(field, value)
}

/** Presses keys together with Control in the focused element. */
const press = (key: string) => userEvent.keyboard(`{Control>}${key}{/Control}`)

test('JSON is the default; Ctrl+E toggles the form, and the choice is saved with the account', async () => {
  answer(mediaApi.find, aMedia())
  keeps()
  await open('/media/m/edit')
  const view = await editor()
  expect(main().getByRole<HTMLInputElement>('radio', { name: 'JSON' }).checked).toBe(true)
  expect(screen.queryByRole('group', { name: /: form$/ })).toBeNull()
  await press('e')
  expect((await box('Title (English)')).value).toBe('Kokoro')
  expect(requests.filter(({ path }) => path === '/api/auth/preferences').map(({ body }) => body)).toEqual([
    { columns: {}, editor: 'form' },
  ])
  await press('e')
  await waitFor(() => expect(screen.queryByRole('group', { name: /: form$/ })).toBeNull())
  expect((await editor()) === view).toBe(true)
})

test('a change in one view appears in the other, as a minimal edit of the text', async () => {
  answer(mediaApi.find, aMedia({ aliases: ['The heart'] }))
  await openForm('/media/m/edit')
  const before = await text()
  await userEvent.type(await box('Title (English)'), '!')
  expect(await text()).toBe(before.replace('"Kokoro"', '"Kokoro!"'))
  await fill('Episodes', '12')
  expect((await json()).episodes).toBe(12)
  await fill('Duration (minutes)', '24')
  expect((await json()).duration).toBe(24)
  await userEvent.click(main().getByRole('radio', { name: 'Ongoing' }))
  expect((await json()).isOngoing).toBe(true)
  await userEvent.selectOptions(await box('Type'), 'Manga')
  expect((await json()).mediaType).toBe('MANGA')
  await userEvent.type(await box('Add other names'), 'こころ')
  expect((await json()).aliases).toEqual(['The heart', 'こころ'])
  await write({ ...(await json()), originalTitle: 'こころ', aliases: [] })
  expect((await box('Original title')).value).toBe('こころ')
  expect((await form()).queryByLabelText('Other names 1')).toBeNull()
})

test('both views share one undo history', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  const before = await text()
  await userEvent.click(await box('Title (English)'))
  // Pasted, because typing with a pause would be undone in several steps.
  await userEvent.paste(' and more')
  await userEvent.click(main().getByRole('radio', { name: 'Ongoing' }))
  await press('z')
  expect((await json()).isOngoing).toBe(false)
  expect(await text()).toContain('Kokoro and more')
  await press('z')
  expect(await text()).toBe(before)
  expect((await box('Title (English)')).value).toBe('Kokoro')
  await press('y')
  await waitFor(async () => expect((await box('Title (English)')).value).toBe('Kokoro and more'))
  // A change made in the JSON view can also be undone in the form.
  await write('{}')
  expect((await box('Title (English)')).value).toBe('')
  ;(await box('Title (English)')).focus()
  await press('z')
  expect((await box('Title (English)')).value).toBe('Kokoro and more')
})

test('in the JSON view, undo works wherever the focus is, but in a text field of its own', async () => {
  answer(mediaApi.find, aMedia())
  await open('/media/m/edit')
  const view = await editor()
  const before = await text()
  await write('{}')
  main().getByRole('radio', { name: 'JSON' }).focus()
  await press('z')
  expect(await text()).toBe(before)
  await press('y')
  expect(await text()).toBe('{}')
  view.focus()
  await press('f')
  ;(await main().findByRole('textbox', { name: 'Find' })).focus()
  await press('z')
  expect(await text()).toBe('{}')
})

test('invalid JSON is kept; the form says so and links to the JSON view', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  await write('{ "mediaType": ')
  expect(await screen.findByText(/cannot be shown as a form/)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Show the JSON' }))
  await waitFor(() => expect(screen.queryByText(/cannot be shown as a form/)).toBeNull())
  expect(await text()).toBe('{ "mediaType": ')
})

test('unknown fields and values of the wrong type are kept and shown as JSON', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  const odd = { ...(await json()), originalTitle: 5, extra: { deep: [1] } }
  await write(odd)
  await userEvent.type(await box('Title (English)'), '!')
  expect(await json()).toMatchObject({ originalTitle: 5, extra: { deep: [1] } })
  expect((await box('Original title')).value).toBe('5')
  await waitFor(() => expect(main().getByText('Unknown field')).toBeDefined())
  await userEvent.click(main().getByRole('button', { name: 'Remove Extra' }))
  expect(await json()).not.toHaveProperty('extra')
})

test('e moves to the first field of the form', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  await box('Original title')
  ;(document.activeElement as HTMLElement).blur()
  await userEvent.keyboard('e')
  expect(screen.getByRole('group', { name: /: form$/ }).contains(document.activeElement)).toBe(true)
})

test('shows errors at their fields, and focuses the first one after a rejected save', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  await fill('Episodes', 'twelve')
  expect((await json()).episodes).toBe('twelve')
  await press('s')
  await waitFor(async () => expect(document.activeElement).toBe(await box('Episodes')))
  const field = await box('Episodes')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  const said = (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(said).toContain('Must be a number')
  expect(problems()).toContain('episodes: Must be a number')
  expect(requests.filter(({ method, path }) => method === 'PUT' && path === '/api/media/m')).toEqual([])
  await fill('Episodes', '１２')
  expect((await json()).episodes).toBe(12)
  await waitFor(() => expect(problems()).toBe(''))
})

test('after a rejected save, what is scrolled to last is the field, not the list of problems', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  await fill('Episodes', 'twelve')
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
  await press('s')
  await waitFor(async () => expect(document.activeElement).toBe(await box('Episodes')))
  expect(scrolled.mock.contexts.length).toBeGreaterThan(1)
  expect(scrolled.mock.contexts.at(-1)).toBe(await box('Episodes'))
})

test('shows a validation error from the server at its field, and focuses the field', async () => {
  answer(usersApi.find, aUser())
  fail(usersApi.update, 400, { message: 'No.', errors: [{ path: 'username', message: 'It is taken.' }] })
  await openForm('/users/u/edit')
  await userEvent.type(await box('Username'), 'x')
  ;(await box('Score')).focus()
  await press('s')
  await findToast('Failed to update user')
  await waitFor(async () => expect((await box('Username')).getAttribute('aria-invalid')).toBe('true'))
  expect(document.activeElement).toBe(await box('Username'))
})

test('clicking a listed problem focuses its field', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  await waitFor(() => expect(main().getAllByText('There is no title or name in Chinese.').length).toBeGreaterThan(0))
  await userEvent.click(main().getByRole('button', { name: /^Title \(Chinese\): There is no title/ }))
  await waitFor(async () => expect(document.activeElement).toBe(await box('Title (Chinese)')))
})

test('languages: wanted ones have a row, typing creates the translation, findings are at the field', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  const chinese = await box('Title (Chinese)')
  await waitFor(() => expect(chinese.getAttribute('aria-describedby')).toMatch(/-warning$/))
  const before = await text()
  await userEvent.type(chinese, '心')
  expect((await json()).translations).toEqual({
    en: { title: 'Kokoro', description: '' },
    zh: { title: '心', description: '' },
  })
  expect(document.activeElement).toBe(chinese)
  await press('z')
  expect(await text()).toBe(before)
  await userEvent.selectOptions(await box('Add a language'), 'ja')
  await waitFor(async () => expect(document.activeElement).toBe(await box('Title (Japanese)')))
  await userEvent.keyboard('こころ')
  expect((await json()).translations).toHaveProperty('ja.title', 'こころ')
  await userEvent.click(main().getByRole('button', { name: 'Remove English' }))
  expect(Object.keys((await json()).translations as object)).toEqual(['ja'])
})

test('a key on the list of languages is left to a browser that cannot open it', async () => {
  await openForm('/media/new')
  vi.stubGlobal('CSS', { supports: () => true })
  const languages = await box('Add a language')
  Object.assign(languages, { matches: () => false })
  expect(fireEvent.keyDown(languages, { key: 'j' })).toBe(true)
})

test.each([
  ['2023-9-29', '2023-09-29T00:00:00.000Z'],
  ['29 Sep 2023', '2023-09-29T00:00:00.000Z'],
  ['2023年9月29日', '2023-09-29T00:00:00.000Z'],
])('the date field accepts %s', async (typed, kept) => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  expect((await box('Release date')).value).toBe('1914-04-20')
  await fill('Release date', typed)
  expect((await json()).releaseDate).toBe(kept)
  expect((await box('Release date')).value).toBe(typed)
  await userEvent.tab()
  expect((await box('Release date')).value).toBe('2023-09-29')
  expect(main().getByText('September 29, 2023')).toBeDefined()
})

test('the date field says that a time is in UTC', async () => {
  answer(mediaApi.find, aMedia({ releaseDate: '2023-09-29T09:30:00.000Z' }))
  await openForm('/media/m/edit')
  expect((await box('Release date')).value).toBe('2023-09-29 09:30')
  expect(main().getByText('September 29, 2023 at 09:30 AM UTC')).toBeDefined()
})

test('the date field explains that a year alone is not a date', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  await fill('Release date', '2023')
  expect(await main().findByText(/Give the year, the month and the day/)).toBeDefined()
  expect((await json()).releaseDate).toBe('2023')
})

test('a description has room for three lines in browsers without `field-sizing`', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  expect((await box('Description (English)')).getAttribute('rows')).toBe('3')
})

test('pasting lines adds several names, and an emptied name is removed', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  await userEvent.click(await box('Add other names'))
  await userEvent.paste('One\nTwo\n\nThree')
  expect((await json()).aliases).toEqual(['One', 'Two', 'Three'])
  await fill('Other names 2', '')
  expect((await json()).aliases).toEqual(['One', '', 'Three'])
  await userEvent.click(await box('Original title'))
  expect((await json()).aliases).toEqual(['One', 'Three'])
})

test('removing a name removes that one, even if the focus leaves an emptied one', async () => {
  answer(mediaApi.find, aMedia({ aliases: ['One', 'Two', 'Three', 'Four'] }))
  await openForm('/media/m/edit')
  await fill('Other names 1', '')
  await userEvent.click((await form()).getByRole('button', { name: 'Remove Three' }))
  expect((await json()).aliases).toEqual(['', 'Two', 'Four'])
  await userEvent.click(await box('Original title'))
  expect((await json()).aliases).toEqual(['Two', 'Four'])
})

test('pastes text as text even if its picture is copied with it, and no image behind a dialog', async () => {
  answer(mediaApi.find, aMedia())
  const upload = holdUploads(anAsset({ _id: 'i', type: 'IMAGE' }))
  upload(201)
  await openForm('/media/m/edit')
  const title = await box('Original title')
  /** Returns whether the browser inserts the text. */
  const paste = (copied: string) => fireEvent.paste(title, { clipboardData: { files: [IMAGE], getData: () => copied } })
  expect(paste('Kokoro')).toBe(true)
  await fill('Original title', 'Kokoro')
  await userEvent.click(main().getByRole('button', { name: 'Reset' }))
  expect(paste('')).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect((await json()).cover).toBe('')
  expect(paste('')).toBe(false)
  await findToast('Uploaded')
  expect((await json()).cover).toBe('i')
})

test('a tier is edited with checkboxes, numbers and custom permissions', async () => {
  answer(tiersApi.find, aTier())
  answer(tiersApi.preview, { userCount: 0, gains: {}, losses: {}, first: [] })
  await openForm('/score-permissions/s/edit')
  await userEvent.click(await box('Create media'))
  await fill('Upload size (MB)', '50')
  await userEvent.type(await box('Name'), '2')
  expect(await json()).toMatchObject({ name: 'Editor2', permissions: { canCreateMedia: true, maxUploadSizeMB: 50 } })
  const added = within(main().getByRole('group', { name: 'Custom permissions' }))
  await userEvent.type(added.getByLabelText('Add custom permissions'), 'beta{Enter}')
  expect(await json()).toMatchObject({ permissions: { customPermissions: { beta: true } } })
})

test('Enter that ends the composition of a word adds no custom permission', async () => {
  answer(tiersApi.find, aTier())
  answer(tiersApi.preview, { userCount: 0, gains: {}, losses: {}, first: [] })
  await openForm('/score-permissions/s/edit')
  const name = await box('Add custom permissions')
  await userEvent.type(name, '審')
  fireEvent.keyDown(name, { key: 'Enter', keyCode: 229 })
  expect(name.value).toBe('審')
  fireEvent.keyDown(name, { key: 'Enter' })
  expect(await json()).toMatchObject({ permissions: { customPermissions: { 審: true } } })
})

test('a user has a role select and a masked password field, which is omitted when empty', async () => {
  answer(usersApi.find, aUser())
  await openForm('/users/u/edit')
  await userEvent.selectOptions(await box('Role'), 'Moderator')
  const password = await box('Password')
  expect(password.type).toBe('password')
  await userEvent.type(password, 'a better one')
  expect(await json()).toMatchObject({ role: 'moderator', password: 'a better one' })
  await userEvent.clear(password)
  expect(await json()).not.toHaveProperty('password')
})

const entries = (...all: SearchEntry[]) =>
  answer(searchApi.entries, ({ query: { ids = '' } }) => ({
    data: all.filter(({ _id }) => ids.split(',').includes(_id)),
  }))

const ID = (last: number) => `0198aaaa-bbbb-7ccc-8ddd-${String(last).padStart(12, '0')}`

test('references whose names fail to load say so', async () => {
  answer(mediaApi.find, aMedia({ characters: [ID(1)], cover: { _id: ID(2), url: '/files/a' } }))
  fail(searchApi.entries, 500)
  await openForm('/media/m/edit')
  expect(await main().findAllByText('(name could not be loaded)')).toHaveLength(2)
  expect(main().getByRole('button', { name: 'Remove (name could not be loaded)' })).toBeDefined()
})

test('names that failed to load are looked up again once the user returns', async () => {
  answer(mediaApi.find, aMedia({ characters: [ID(1), ID(2)] }))
  fail(searchApi.entries, 500)
  await openForm('/media/m/edit')
  expect(await main().findAllByText('(name could not be loaded)')).toHaveLength(2)
  const calls = () => requests.filter(({ path }) => path === '/api/search/entries').length
  const before = calls()
  fireEvent.focus(window)
  await waitFor(() => expect(calls()).toBe(before + 1))
  entries({ _id: ID(1), translations: { en: { name: 'Sensei' } }, cover: '' })
  fireEvent(window, new Event('online'))
  expect(await main().findByText('Sensei')).toBeDefined()
  expect(calls()).toBe(before + 2)
})

test('references are chips with name, type and year, looked up in bulk', async () => {
  const related = Array.from({ length: 60 }, (_, at) => aMedia({ _id: ID(at), translations: {} }))
  answer(mediaApi.find, aMedia({ relatedMedia: related, characters: [ID(99)] }))
  entries(
    ...related.map(({ _id }, at) => ({
      _id,
      translations: { ja: { title: `吾輩は猫である ${at}` } },
      cover: '' as const,
      mediaType: 'NOVEL',
      releaseDate: '1905-01-01T00:00:00.000Z',
    })),
  )
  await openForm('/media/m/edit')
  const chips = within(main().getByRole('group', { name: /^Related media/ }))
  expect((await chips.findByText('吾輩は猫である 0')).lang).toBe('ja')
  expect(main().getByRole('group', { name: 'Related media 60' })).toBeDefined()
  expect(chips.getAllByText('Novel · 1905')).toHaveLength(40)
  // One call by the form, and one by the hidden JSON editor for what it displays.
  const calls = requests.filter(({ path, query }) => path === '/api/search/entries' && query.indexName === 'media')
  expect(calls.length).toBeLessThan(3)
  expect(await within(main().getByRole('group', { name: /^Characters/ })).findByText('not found')).toBeDefined()
  await userEvent.click(chips.getByRole('button', { name: 'Show 20 more' }))
  expect(await chips.findAllByText('Novel · 1905')).toHaveLength(60)
  await userEvent.click(chips.getByRole('button', { name: 'Remove 吾輩は猫である 1' }))
  expect((await json()).relatedMedia).toEqual(related.filter((_, at) => at !== 1).map(({ _id }) => _id))
  // It would open its list, and a phone's keyboard.
  expect(document.activeElement).not.toBe(chips.getByRole('combobox'))
})

test('tags are found by name, and created in place if there is no match', async () => {
  answer(mediaApi.find, aMedia())
  hits(
    aHit({
      _id: 't1',
      translations: { en: { name: 'Mystery' } },
      match: { text: 'Mystery', language: 'en', kind: 'exact' },
    }),
  )
  answer(tagsApi.create, ({ body }) => aTag({ ...(body as object), _id: 't2' }))
  await openForm('/media/m/edit')
  const find = await box('Add tags')
  await userEvent.type(find, 'mystery')
  await screen.findByRole('option', { name: 'Mystery' })
  expect(screen.queryByRole('option', { name: /^Create/ })).toBeNull()
  await userEvent.keyboard('{Enter}')
  expect((await json()).tags).toEqual(['t1'])
  await main().findByText('Mystery was added')
  hits()
  await userEvent.type(find, '異世界')
  await screen.findByRole('option', { name: 'Create “異世界”' })
  await userEvent.keyboard('{Enter}')
  await findToast('“異世界” was created')
  expect((await json()).tags).toEqual(['t1', 't2'])
  expect(requests.find(({ method, path }) => method === 'POST' && path === '/api/tags')?.body).toMatchObject({
    type: 'GENRE',
    translations: { ja: { name: '異世界', description: '' } },
  })
  expect(main().getByText('異世界').lang).toBe('ja')
  await main().findByText('異世界 was added')
  await press('z')
  expect((await json()).tags).toEqual(['t1'])
  await main().findByText('異世界 was removed')
})

test('a failed creation in place shows an error and keeps the name', async () => {
  answer(mediaApi.find, aMedia())
  hits()
  fail(charactersApi.create)
  await openForm('/media/m/edit')
  const find = await box('Add characters')
  await userEvent.type(find, 'Sensei')
  await userEvent.click(await screen.findByRole('option', { name: 'Create “Sensei”' }))
  await findToast('Failed to create this')
  expect(find.value).toBe('Sensei')
  expect((await json()).characters).toEqual([])
})

test.each([
  ['Кампус', 'ru'],
  ['โรงเรียน', 'th'],
  ['Campus', 'en'],
])('a tag created as %s has its name in the language of its script', async (name, language) => {
  answer(mediaApi.find, aMedia())
  hits()
  answer(tagsApi.create, ({ body }) => aTag({ ...(body as object), _id: 'new' }))
  await openForm('/media/m/edit')
  await userEvent.type(await box('Add tags'), name)
  await userEvent.click(await screen.findByRole('option', { name: `Create “${name}”` }))
  await findToast(`“${name}” was created`)
  const sent = requests.find(({ method, path }) => method === 'POST' && path === '/api/tags')
  expect((sent?.body as Tag | undefined)?.translations).toEqual({ [language]: { name, description: '' } })
})

test('does not offer to create a media item in place, nor a tag without permission', async () => {
  answer(mediaApi.find, aMedia({ createdBy: 'me' }))
  hits()
  const writer = { ...reader, permissions: { ...reader.permissions, canEditOwnContent: true } }
  await openForm('/media/m/edit', { as: writer })
  for (const name of ['Add related media', 'Add tags']) {
    await userEvent.type(await box(name), 'nothing')
    await screen.findByText(/^No results for/)
    expect(screen.queryByRole('option', { name: /^Create/ })).toBeNull()
    await userEvent.clear(await box(name))
  }
})

test('a cover is chosen from a gallery, and can be removed', async () => {
  answer(mediaApi.find, aMedia({ cover: { _id: ID(7), url: '/files/7' } }))
  entries({ _id: ID(7), translations: {}, originalTitle: 'old.webp', cover: { _id: ID(7), url: '/files/7' } })
  list.assets(anAsset({ _id: ID(8), type: 'IMAGE', filename: 'new.webp', url: '/files/8' }))
  await openForm('/media/m/edit')
  const cover = within(main().getByRole('group', { name: 'Cover' }))
  expect((await cover.findByRole<HTMLImageElement>('img', { name: 'old.webp' })).src).toContain('/files/7')
  await userEvent.click(cover.getByRole('button', { name: 'Choose image' }))
  await userEvent.click(await cover.findByRole('radio', { name: 'new.webp' }))
  expect((await json()).cover).toBe(ID(8))
  expect(cover.getByRole<HTMLImageElement>('img', { name: 'new.webp' }).src).toContain('/files/8')
  await userEvent.click(cover.getByRole('button', { name: 'Remove Cover' }))
  expect((await json()).cover).toBe('')
  expect(cover.getByRole('status').textContent).toBe('No image')
})

test('a gallery says that it is loading', async () => {
  answer(mediaApi.find, aMedia())
  list.assets()
  const release = hold(assetsApi.list)
  await openForm('/media/m/edit')
  const cover = within(main().getByRole('group', { name: 'Cover' }))
  await userEvent.click(cover.getByRole('button', { name: 'Choose image' }))
  expect((await cover.findByText('Loading images…')).role).toBe('status')
  release()
  expect(await cover.findByText('No images found')).toBeDefined()
  expect(cover.queryByText('Loading images…')).toBeNull()
})

test('a gallery that failed shows no images of the previous search during Retry', async () => {
  answer(mediaApi.find, aMedia())
  list.assets(anAsset({ _id: ID(8), type: 'IMAGE', filename: 'new.webp', url: '/files/8' }))
  await openForm('/media/m/edit')
  const cover = within(main().getByRole('group', { name: 'Cover' }))
  await userEvent.click(cover.getByRole('button', { name: 'Choose image' }))
  await cover.findByRole('radio', { name: 'new.webp' })
  fail(assetsApi.list, 409)
  await userEvent.type(cover.getByRole('searchbox'), 'old')
  const retry = await cover.findByRole('button', { name: 'Retry' })
  hold(assetsApi.list)
  await userEvent.click(retry)
  await waitFor(() => expect(retry.getAttribute('aria-disabled')).toBe('true'))
  expect(cover.queryByRole('radio', { name: 'new.webp' })).toBeNull()
})

test('an avatar is chosen from a gallery, stored as a URL, and can be removed', async () => {
  answer(usersApi.find, aUser())
  list.assets(anAsset({ type: 'IMAGE', filename: 'me.webp', url: '/files/8', thumbnail: '/files/8/small' }))
  await openForm('/users/u/edit')
  await userEvent.click(await main().findByRole('button', { name: 'Choose image' }))
  await userEvent.click(await main().findByRole('radio', { name: 'me.webp' }))
  expect((await box('Avatar')).value).toBe('/files/8/small')
  await userEvent.click(main().getByRole('button', { name: 'Remove avatar' }))
  expect((await json()).avatar).toBe('')
})

test('the header shows the type and year of the edited entry', async () => {
  answer(mediaApi.find, aMedia())
  await open('/media/m/edit')
  await editor()
  expect(main().getByText('Novel · 1914')).toBeDefined()
})

test('the tier of a user is chosen by name, and stays in sync with the score', async () => {
  answer(usersApi.find, aUser({ scores: 12 }))
  list.tiers(
    aTier({ _id: 'n', name: 'Newcomer', requiredScore: 0 }),
    aTier(),
    aTier({ _id: 'v', name: 'Veteran', requiredScore: 50 }),
  )
  await openForm('/users/u/edit')
  const tier = await box('Tier')
  await waitFor(() => expect(tier.value).toBe('10'))
  await userEvent.selectOptions(tier, '50')
  expect(await json()).toMatchObject({ scores: 50 })
  expect((await box('Score')).value).toBe('50')
  await fill('Score', '3')
  expect((await box('Tier')).value).toBe('0')
})

test('in the form, Save is in the bar with the state; in the JSON view, it is above', async () => {
  answer(mediaApi.find, aMedia())
  await openForm('/media/m/edit')
  const saving = () => main().getByRole('button', { name: 'Save Changes' })
  const isInBar = () => saving().closest('section')?.textContent?.includes('No changes') ?? false
  expect(isInBar()).toBe(true)
  await userEvent.click(main().getByRole('radio', { name: 'JSON' }))
  expect(isInBar()).toBe(false)
})

test('the form is read-only without permission', async () => {
  answer(mediaApi.find, aMedia({ aliases: ['Heart'] }))
  await openForm('/media/m/edit', { as: { ...reader, preferences: { columns: {} } } })
  expect((await box('Title (English)')).readOnly).toBe(true)
  expect((await box('Type')).disabled).toBe(true)
  expect((await form()).queryByRole('button', { name: /^Remove/ })).toBeNull()
  expect((await form()).queryByRole('combobox', { name: /^Add/ })).toBeNull()
  fireEvent.paste(await box('Other names 1'), { clipboardData: { getData: () => 'One\nTwo', files: [] } })
  const isLeftToBrowser = fireEvent.paste(main().getByRole('heading', { level: 1 }), {
    clipboardData: { getData: () => '', files: [IMAGE] },
  })
  expect(isLeftToBrowser).toBe(true)
  expect((await json()).aliases).toEqual(['Heart'])
})

test('the form is shown in Chinese', async () => {
  answer(mediaApi.find, aMedia())
  keeps()
  await open('/media/m/edit', { language: 'zh' })
  await editor()
  await userEvent.click(main().getByRole('radio', { name: '表单' }))
  expect((await main().findByLabelText<HTMLInputElement>('标题（英语）')).value).toBe('Kokoro')
  expect(main().getByLabelText<HTMLInputElement>('发行日期').value).toBe('1914-04-20')
  expect(await main().findByRole('button', { name: '封面：没有封面。' })).toBeDefined()
})

test('entries that are being created are added to what has been chosen meanwhile', async () => {
  answer(mediaApi.find, aMedia())
  hits()
  answer(tagsApi.create, ({ body }) => aTag({ ...(body as Tag), _id: (body as Tag).translations.en?.name ?? '' }))
  await openForm('/media/m/edit')
  const find = await box('Add tags')
  const release = hold(tagsApi.create)
  for (const name of ['Campus', 'Drama']) {
    await userEvent.type(find, name)
    await userEvent.click(await screen.findByRole('option', { name: `Create “${name}”` }))
  }
  const match = { text: 'Mystery', language: 'en', kind: 'exact' } as const
  hits(aHit({ _id: 't1', translations: { en: { name: 'Mystery' } }, match }))
  await userEvent.type(find, 'mystery')
  await userEvent.click(await screen.findByRole('option', { name: 'Mystery' }))
  release()
  await waitFor(async () => expect((await json()).tags).toEqual(['t1', 'Campus', 'Drama']))
})

test('a tag that is being created does not replace the parent tag chosen meanwhile', async () => {
  answer(tagsApi.find, aTag())
  hits()
  answer(tagsApi.create, ({ body }) => aTag({ ...(body as Tag), _id: 'new' }))
  await openForm('/tags/t/edit')
  const find = await box('Add parent tag')
  const release = hold(tagsApi.create)
  await userEvent.type(find, 'Campus')
  await userEvent.click(await screen.findByRole('option', { name: 'Create “Campus”' }))
  const match = { text: 'Drama', language: 'en', kind: 'exact' } as const
  hits(aHit({ _id: 'd', translations: { en: { name: 'Drama' } }, match }))
  await userEvent.type(find, 'drama')
  await userEvent.click(await screen.findByRole('option', { name: 'Drama' }))
  release()
  await findToast('“Campus” was created')
  expect((await json()).parentTag).toBe('d')
})

const cover = async () => (await form()).getByLabelText('Upload', { selector: 'input' })
const puts = () => requests.filter(({ method, path }) => method === 'PUT' && path === '/api/media/m')

test('Esc closes the images, and the focus is where they were opened', async () => {
  answer(mediaApi.find, aMedia())
  answer(assetsApi.list, { data: [anAsset({ _id: 'i', type: 'IMAGE' })], pagination: { total: 1, limit: 12, skip: 0 } })
  await openForm('/media/m/edit')
  const button = (await form()).getByRole('button', { name: 'Choose image' })
  await userEvent.click(button)
  ;(await form()).getByRole('searchbox', { name: 'Find an image by filename' }).focus()
  await userEvent.keyboard('{Escape}')
  expect((await form()).queryByRole('searchbox')).toBeNull()
  expect(document.activeElement).toBe(button)
})

test('a save waits for the upload of an image and for the creation of an entry', async () => {
  answer(mediaApi.find, aMedia())
  answer(mediaApi.update, aMedia({ version: 2 }))
  hits()
  answer(tagsApi.create, ({ body }) => aTag({ ...(body as object), _id: 'new' }))
  const upload = holdUploads(anAsset({ _id: 'i', type: 'IMAGE' }))
  await openForm('/media/m/edit')
  const create = hold(tagsApi.create)
  await userEvent.upload(await cover(), IMAGE)
  await userEvent.type(await box('Add tags'), 'Campus')
  await userEvent.click(await screen.findByRole('option', { name: 'Create “Campus”' }))
  await userEvent.click(main().getByRole('button', { name: 'Save Changes' }))
  expect(main().getByRole('button', { name: 'Uploading…' }).getAttribute('aria-disabled')).toBe('true')
  upload(201)
  await findToast('Uploaded')
  expect(puts()).toEqual([])
  create()
  await findToast('Media updated successfully')
  expect(puts().map(({ body }) => body)).toEqual([expect.objectContaining({ cover: 'i', tags: ['new'] })])
})

test('leaving during an upload asks first, even if nothing else has changed', async () => {
  answer(mediaApi.find, aMedia())
  list.media()
  const upload = holdUploads(anAsset({ _id: 'i', type: 'IMAGE' }))
  await openForm('/media/m/edit')
  await userEvent.upload(await cover(), IMAGE)
  void router.navigate({ to: '/media' })
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  expect(dialog.getByText(/^An image is still being uploaded/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Stay' }))
  upload(201)
  await waitFor(async () => expect((await json()).cover).toBe('i'))
})

test('nothing is saved if the upload that a save waits for fails', async () => {
  answer(mediaApi.find, aMedia())
  const upload = holdUploads(anAsset())
  await openForm('/media/m/edit')
  await userEvent.upload(await cover(), IMAGE)
  await press('s')
  await main().findByRole('button', { name: 'Uploading…' })
  upload(503)
  await findToast('Failed to upload image')
  await main().findByRole('button', { name: 'Save Changes' })
  expect(puts()).toEqual([])
})

test('an image that is being uploaded does not replace one chosen from the gallery meanwhile', async () => {
  answer(mediaApi.find, aMedia())
  list.assets(anAsset({ _id: 'g', type: 'IMAGE', filename: 'gallery.png' }))
  const upload = holdUploads(anAsset({ _id: 'i', type: 'IMAGE' }))
  await openForm('/media/m/edit')
  await userEvent.upload(await cover(), IMAGE)
  await userEvent.click((await form()).getByRole('button', { name: 'Choose image' }))
  await userEvent.click(await screen.findByRole('radio', { name: 'gallery.png' }))
  upload(201)
  await findToast('Uploaded')
  expect((await json()).cover).toBe('g')
})

test('while conflicts are resolved, keys and pasted images do not change the document behind them', async () => {
  answer(mediaApi.find, aMedia())
  const [en, ja] = ['Mine', 'Theirs'].map((title) => ({ en: { title, description: '' } }))
  const conflicts = ['translations.en.title']
  const stale = { base: {}, mine: { translations: en }, theirs: { translations: ja }, conflicts, version: 2 }
  fail(mediaApi.update, 412, { code: 'stale', message: 'Changed.', ...stale, updatedAt: '2026-01-05T00:00:00.000Z' })
  const upload = holdUploads(anAsset({ _id: 'i', type: 'IMAGE' }))
  upload(201)
  await openForm('/media/m/edit')
  await fill('Title (English)', 'Mine')
  await press('s')
  await main().findByText('Back to editing')
  await press('z')
  fireEvent.paste(document.body, { clipboardData: { files: [IMAGE], getData: () => '' } })
  await userEvent.click(main().getByText('Back to editing'))
  expect(await json()).toMatchObject({ translations: { en: { title: 'Mine' } }, cover: '' })
})

test('the response to an earlier choice of a view does not undo a later one', async () => {
  answer(mediaApi.find, aMedia())
  keeps()
  await open('/media/m/edit')
  await editor()
  const [first, saved] = [
    hold(authApi.updatePreferences),
    () => requests.filter(({ path }) => path.endsWith('/preferences')),
  ]
  for (const name of ['Form', 'JSON']) await userEvent.click(main().getByRole('radio', { name }))
  expect(saved()).toHaveLength(1)
  const second = hold(authApi.updatePreferences)
  first()
  await waitFor(() => expect(saved()).toHaveLength(2))
  expect(main().getByRole<HTMLInputElement>('radio', { name: 'JSON' }).checked).toBe(true)
  second()
})

test.each([
  ['form', 'Title (English)'],
  ['json', /: JSON$/],
] as const)('an editor that is opened with E focuses its first field (%s)', async (view, label) => {
  answer(mediaApi.find, aMedia())
  await open('/media/m', { as: { ...admin, preferences: { columns: {}, editor: view } } })
  await main().findByRole('link', { name: 'Edit' })
  await userEvent.keyboard('e')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)))
})

test('an editor is not focused if it is opened after an attempt by key has failed', async () => {
  answer(mediaApi.find, aMedia())
  list.media()
  await open('/media/m', { as: { ...admin, preferences: { columns: {}, editor: 'form' } } })
  const link = await main().findByRole('link', { name: 'Edit' })
  link.addEventListener('click', (event) => event.preventDefault(), { once: true, capture: true })
  await userEvent.keyboard('e')
  await router.navigate({ to: '/media' })
  await router.navigate({ to: '/media/$id/edit', params: { id: 'm' } })
  await main().findByLabelText('Title (English)')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
  await new Promise((done) => setTimeout(done))
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('a conflict about a link names both entries, and its field as the form does', async () => {
  answer(mediaApi.find, aMedia())
  entries(
    { _id: ID(1), translations: {}, originalTitle: 'mine.png', cover: '' },
    { _id: ID(2), translations: {}, originalTitle: 'theirs.png', cover: '' },
  )
  const described = (description: string) => ({ en: { title: 'Mine', description } })
  fail(mediaApi.update, 412, {
    code: 'stale',
    message: 'Changed.',
    base: { cover: '', isOngoing: false, releaseDate: null, translations: described('') },
    mine: {
      cover: ID(1),
      isOngoing: true,
      releaseDate: '2026-01-05T00:00:00.000Z',
      translations: described('2026-01-05T00:00:00 begins it.'),
    },
    theirs: {
      cover: ID(2),
      isOngoing: false,
      releaseDate: '2026-01-05T09:30:00.000Z',
      episodes: 2,
      translations: described('Another.'),
    },
    conflicts: ['cover', 'isOngoing', 'releaseDate', 'translations.en.description'],
    version: 2,
    updatedAt: '2026-01-05T00:00:00.000Z',
  })
  await openForm('/media/m/edit')
  await fill('Title (English)', 'Mine')
  await press('s')
  const panel = within(await main().findByRole('region', { name: 'Someone else changed this' }))
  const clash = (name: string) => panel.getByRole('group', { name }).textContent
  await panel.findByText('mine.png')
  await panel.findByText('theirs.png')
  expect(clash('Cover')).toBe('CoverBeforeemptyMineMine:mine.pngTheirsTheirs:theirs.png')
  expect(clash('Status')).toContain('Mine:Ongoing')
  expect(clash('Description (English)')).toContain('2026-01-05T00:00:00 begins it.')
  expect(clash('Release date')).toMatch(/Mine:January 5, 2026 ?TheirsTheirs:January 5, 2026 at 09:30\sAM UTC/)
  expect(main().getByText(/^Their other changes/).textContent).toBe('Their other changes (kept): episodes')
})

test('says why a dropped image is not uploaded', async () => {
  answer(mediaApi.find, aMedia())
  const upload = holdUploads(anAsset({ _id: 'i', type: 'IMAGE' }))
  await openForm('/media/m/edit')
  const area = (await form()).getByRole('button', { name: 'Choose image' })
  const drop = (...files: File[]) => fireEvent.drop(area, { dataTransfer: { files } })
  drop(new File(['x'], 'notes.txt', { type: 'text/plain' }))
  await findToast('Not an image.')
  drop(IMAGE, IMAGE)
  await findToast('Choose one image at a time.')
  drop(new File(['x'], 'cover.heic'))
  await main().findByText(/^Uploading…/)
  drop(IMAGE)
  await findToast('Wait until the other image is uploaded.')
  upload(201)
  await findToast('Uploaded')
})
