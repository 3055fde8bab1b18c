import { aiApi, type AiStatus } from '@mokuroku/contract/ai'
import type { Asset } from '@mokuroku/contract/assets'
import { batchesApi } from '@mokuroku/contract/batches'
import { denial } from '@mokuroku/contract/denials'
import { type Finding, findingsApi } from '@mokuroku/contract/findings'
import { findingsIn } from '@mokuroku/contract/findings/checks'
import type { Media } from '@mokuroku/contract/media'
import { mediaApi } from '@mokuroku/contract/media'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { searchApi } from '@mokuroku/contract/search'
import { type TagInput, tagsApi } from '@mokuroku/contract/tags'
import { suggestionsApi, workApi } from '@mokuroku/contract/work'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { draftsOf, keepDraft } from '#api/drafts.ts'
import { router } from './routes.tsx'
import {
  aBatch,
  aHit,
  aMedia,
  anAsset,
  answer,
  answerEvent,
  aTag,
  requests,
  fail,
  failMissing,
  failOnce,
  findToast,
  hits,
  hold,
  list,
  main,
  open,
  reader,
  withoutServer,
} from './testing.tsx'

vi.mock('@mokuroku/contract/findings/checks', { spy: true })
withoutServer()

/** Who may edit only their own entries. */
const owner = { ...reader, permissions: { ...reader.permissions, canEditOwnContent: true } }

const since = '2026-01-05T00:00:00.000Z'

/** A revision `r<version>` of the media `a`, which changed these paths. */
const revisionOf = (version: number, paths: string[]) => ({
  _id: `r${version}`,
  entityType: 'Media' as const,
  entityId: 'a',
  version,
  action: 'update' as const,
  origin: 'person' as const,
  batch: null,
  reason: null,
  paths,
  username: 'admin',
  userId: 'me' as string | null,
  createdAt: since,
})

const until = '2026-01-05T00:05:00.000Z'
const IDS = ['a', 'b', 'c']
/** What the server has stored of each. */
let stored: Record<string, Media>

const STATUS: AiStatus = {
  provider: 'reference',
  model: '',
  sources: [],
  isElsewhere: false,
  isAllowed: true,
  streamsPerUser: 1,
  tokensToday: 0,
  dailyTokens: 0,
}

const titled = (id: string, title: string) => ({
  en: { title: `Title ${id}`, description: '' },
  ...(title && { ja: { title, description: '' } }),
})

beforeEach(() => {
  stored = Object.fromEntries(IDS.map((id) => [id, aMedia({ _id: id, translations: titled(id, '') })]))
  answer(workApi.claim, ({ body }) => {
    const { after = '' } = body as { after?: string }
    const left = IDS.filter((id) => id > after && !stored[id]?.translations.ja?.title)
    return { ids: left, total: IDS.filter((id) => !stored[id]?.translations.ja?.title).length, until }
  })
  answer(workApi.release, { success: true })
  answer(mediaApi.find, ({ path }) => stored[path.split('/').at(-1) ?? ''] ?? aMedia())
  answer(mediaApi.update, ({ path, body }) => {
    const id = path.split('/').at(-1) ?? ''
    const { version = 1 } = stored[id] ?? {}
    const saved = aMedia({ ...(body as Media), _id: id, version: version + 1, tags: [], relatedMedia: [] })
    stored[id] = saved
    return saved
  })
  answer(revisionsApi.list, ({ query }) => {
    const { version = 1 } = stored[query.entityId ?? ''] ?? {}
    return { data: Array.from({ length: version }, (_, at) => revisionOf(version - at, [])) }
  })
  answer(aiApi.status, STATUS)
  answer(findingsApi.find, { data: [{ code: 'missing', language: 'ja', field: 'title', since }], dismissed: [] })
  answer(findingsApi.dismiss, { success: true })
  answer(findingsApi.undismiss, { success: true })
  answer(suggestionsApi.list, {
    data: [
      { text: '心', origin: 'reference', source: 'bangumi-data', url: 'https://example.org' },
      { text: '心 二', origin: 'related', source: 'Kokoro', entityId: 'k' },
    ],
    late: false,
  })
})

const ADDRESS = '/work?finding=missing%3Aja'
const field = () => screen.findByLabelText<HTMLInputElement>('Title in Japanese')
const shown = (id: string) => main().findByRole('heading', { level: 2, name: `Title ${id}` })
const row = (at: number) => main().getByRole('list', { name: 'Queue' }).children[at]
const saves = () => requests.filter(({ method }) => method === 'PUT')
const sent = () => saves().at(-1)?.body
const key = (name: string, code: string, held: object) => fireEvent.keyDown(document.body, { key: name, code, ...held })
const save = () => key('Enter', 'Enter', { ctrlKey: true })

test('a queue of duplicates asks to merge', async () => {
  await open('/work?finding=duplicate')
  expect(await main().findByText(/^Merge it with its duplicate/)).toBeDefined()
})

/** Opens a queue of duplicates, with the twin of each entry. */
async function openDuplicates(ids: string[], twinOf: Record<string, string>) {
  answer(workApi.claim, { ids, total: ids.length, until })
  answer(findingsApi.find, { data: [{ code: 'duplicate', since }], dismissed: [] })
  answer(mediaApi.find, ({ path }) => aMedia({ _id: path.split('/').at(-1), translations: titled(path.slice(-1), '') }))
  answer(mediaApi.likely, ({ body }) => {
    const twin = twinOf[(body as { _id: string })._id]
    const entity = aMedia({ _id: twin, translations: titled(twin ?? '', '') })
    return { data: twin ? [{ entity, evidence: { titles: ['Title'], daysApart: 0 } }] : [] }
  })
  answer(mediaApi.merge, { batch: 'b1' })
  answer(batchesApi.rollback, { batch: 'b2' })
  answerEvent(batchesApi.stream, { event: 'batch', id: 'b2', data: aBatch({ _id: 'b2' }) })
  await open('/work?finding=duplicate')
  await shown('a')
}

const isMergeFocused = () => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Merge: /)

/** Merges the current entry with its twin, with the keyboard. */
async function mergeCurrent() {
  await waitFor(isMergeFocused)
  const user = userEvent.setup()
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findAllByRole('radio')
  await user.click(dialog.getByRole('button', { name: 'Merge' }))
}

test('at a queue of duplicates, the keyboard merges, goes on and undoes; skipped entries stay skipped', async () => {
  await openDuplicates(['a', 'b', 'c', 'd'], { b: 'c', c: 'b', d: 'e' })
  key('s', 'KeyS', { altKey: true })
  await shown('b')
  await mergeCurrent()
  await shown('d')
  await waitFor(isMergeFocused)
  await findToast('Merged successfully')
  expect([0, 1, 2].map((at) => row(at)?.textContent)).toEqual([
    expect.stringContaining('Skipped'),
    expect.stringContaining('Merged'),
    expect.stringContaining('Merged'),
  ])
  expect(main().getByText(/^2 of 4/)).toBeTruthy()
  key('z', 'KeyZ', { altKey: true })
  await findToast('Undone')
  await shown('b')
  await waitFor(isMergeFocused)
  expect(main().getByText(/^0 of 4/)).toBeTruthy()
  expect(requests.find(({ path }) => path === '/api/batches/b1/rollback')).toBeDefined()
  // After a reload, the queue goes on behind the skipped entry.
  expect(JSON.parse(localStorage.getItem(`work:${reader._id}:Media?finding=duplicate`) ?? '')).toMatchObject({
    after: 'a',
  })
})

test('a pair that is no duplicate is settled once: the other entry is not asked about, until that is undone', async () => {
  const settled = new Set<string>()
  const both = ({ body }: { body: unknown }) => ((body as { entityId: string }).entityId === 'a' ? ['a', 'b'] : ['c'])
  await openDuplicates(['a', 'b', 'c'], { a: 'b', b: 'a', c: 'e' })
  answer(findingsApi.marks, ({ query }) => ({
    data: (query.ids ?? '')
      .split(',')
      .flatMap((entityId) => (settled.has(entityId) ? [] : [{ entityId, code: 'duplicate' as const, language: '' }])),
  }))
  answer(findingsApi.dismiss, (request) => {
    both(request).forEach((id) => settled.add(id))
    return { success: true as const }
  })
  answer(findingsApi.undismiss, (request) => {
    both(request).forEach((id) => settled.delete(id))
    return { success: true as const }
  })
  requests.length = 0
  key('n', 'KeyN', { altKey: true })
  await shown('c')
  expect(main().getByText(/^2 of 3/)).toBeTruthy()
  // One request, however many are waiting.
  expect(requests.filter(({ path }) => path.startsWith('/api/findings/'))).toHaveLength(2)
  key('z', 'KeyZ', { altKey: true })
  await shown('a')
  expect(main().getByText(/^0 of 3/)).toBeTruthy()
  expect(row(1)?.textContent).not.toContain('Not a problem')
  // Settled by somebody else meanwhile: not a failure.
  fail(findingsApi.dismiss, 404)
  key('n', 'KeyN', { altKey: true })
  await shown('b')
  expect(row(0)?.textContent).toContain('Not a problem')
  expect(main().queryByText(/not saved/)).toBeNull()
})

test('an entry of any queue says that its duplicates could not be looked for', async () => {
  answer(findingsApi.find, { data: [{ code: 'duplicate', since }], dismissed: [] })
  fail(mediaApi.likely, 503)
  await open(ADDRESS)
  const place = (await main().findByText('Failed to look for duplicates')).closest('[role=alert]')
  expect(place?.textContent).toContain('Server error. Please try again later.')
})

test('a queue of duplicates says that they could not be looked for, and tries again', async () => {
  await openDuplicates(['a', 'b'], { b: 'c' })
  fail(mediaApi.likely, 503, { message: 'Unavailable.' })
  key('s', 'KeyS', { altKey: true })
  await shown('b')
  await main().findByText('Failed to look for duplicates')
  answer(mediaApi.likely, { data: [{ entity: aMedia({ _id: 'c' }), evidence: { titles: ['Title'], daysApart: 0 } }] })
  await userEvent.click(main().getByRole('button', { name: 'Retry' }))
  await waitFor(isMergeFocused)
})

test('a skipped entry that is merged counts as done, and as skipped once that is undone', async () => {
  await openDuplicates(['a', 'b', 'c'], { b: 'a', c: 'e' })
  key('s', 'KeyS', { altKey: true })
  await shown('b')
  expect(main().getByText('1 skipped')).toBeTruthy()
  await mergeCurrent()
  await shown('c')
  expect(main().getByText(/^2 of 3/)).toBeTruthy()
  expect(main().queryByText('1 skipped')).toBeNull()
  key('z', 'KeyZ', { altKey: true })
  await shown('b')
  expect(main().getByText(/^0 of 3/)).toBeTruthy()
  expect(main().getByText('1 skipped')).toBeTruthy()
  key('z', 'KeyZ', { altKey: true })
  await shown('a')
  expect(main().queryByText('1 skipped')).toBeNull()
})

test('the languages without a title are named in one sentence, other findings in one each', async () => {
  const missing = ['ja', 'fr', 'ko'].map((language) => ({ code: 'missing' as const, language, field: 'title', since }))
  answer(findingsApi.find, { data: [...missing, { code: 'noCover', since }], dismissed: [] })
  await open(ADDRESS)
  const sentence = await main().findByText('There is no title or name in Japanese, French, and Korean.')
  expect([...(sentence.closest('ul')?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    sentence.textContent,
    'There is no cover.',
  ])
})

test('states no progress before the queue is known', async () => {
  const release = hold(workApi.claim)
  await open(ADDRESS)
  await main().findByRole('progressbar')
  expect(main().queryByText(/^0 of/)).toBeNull()
  release()
  expect(await main().findByText(/^0 of 3/)).toBeDefined()
})

test('saves a chosen suggestion, and shows it as done only after the server responds', async () => {
  await open(ADDRESS)
  await shown('a')
  await main().findByText('From Kokoro')
  key('2', 'Digit2', { altKey: true })
  await waitFor(async () => expect((await field()).value).toBe('心 二'))
  let acknowledge: () => void = () => undefined
  const held = new Promise<void>((resolve) => (acknowledge = resolve))
  const { fetch: answered } = globalThis
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    if (given[1]?.method === 'PUT') await held
    return answered(...given)
  })
  save()
  await shown('b')
  expect(row(0)?.textContent).toContain('Saving…')
  expect(main().getByText(/^0 of 3/)).toBeTruthy()
  acknowledge()
  await waitFor(() => expect(row(0)?.textContent).toContain('Saved'))
  expect(main().getByText(/^1 of 3/)).toBeTruthy()
  expect(saves()).toMatchObject([{ base: '"1"', body: { translations: { ja: { title: '心 二', description: '' } } } }])
})

test('a field is in a group named like its entry, and the rate, which changes with time alone, is not announced', async () => {
  const progress = { done: 2, skipped: 0, of: 5, after: '', workedMs: 60_000, at: Date.now() }
  localStorage.setItem('work:me:Media?finding=missing%3Aja', JSON.stringify(progress))
  await open(ADDRESS)
  const group = await main().findByRole('group', { name: 'Title a' })
  expect(group.contains(await field())).toBe(true)
  expect(main().getByText('2 of 5').getAttribute('role')).toBe('status')
  expect(main().getByText('2 a minute').closest('[role="status"]')).toBeNull()
  key('s', 'KeyS', { altKey: true })
  expect((await main().findByRole('group', { name: 'Title b' })).contains(await field())).toBe(true)
  expect(group.isConnected).toBe(false)
})

test('the progress in a queue is forgotten 30 days after it was last continued', async () => {
  const daysAgo = (days: number) =>
    JSON.stringify({ done: 1, skipped: 0, of: 4, after: '', workedMs: 0, at: Date.now() - days * 86_400_000 })
  localStorage.setItem('work:me:Media?finding=missing%3Aja', daysAgo(29))
  localStorage.setItem('work:me:Media?finding=noCover', daysAgo(31))
  localStorage.setItem('work:me:Tag?finding=noCover', 'damaged')
  await open(ADDRESS)
  await shown('a')
  expect(main().getByText(/^1 of 4/)).toBeTruthy()
  expect(Object.keys(localStorage).filter((name) => name.startsWith('work:'))).toEqual([
    'work:me:Media?finding=missing%3Aja',
  ])
})

test('an entry that arrives late does not take the focus from the choice of the language', async () => {
  await open(ADDRESS)
  const box = await field()
  await waitFor(() => expect(document.activeElement).toBe(box))
  const answerLate = hold(mediaApi.find)
  const choice = main().getByLabelText('Language')
  await userEvent.selectOptions(choice, 'zh')
  act(() => choice.focus())
  answerLate()
  await screen.findByLabelText('Title in Chinese')
  expect(document.activeElement).toBe(choice)
})

test('suggestions that fail to load say why, and load on Retry', async () => {
  fail(suggestionsApi.list)
  await open(ADDRESS)
  await shown('a')
  expect(await main().findByText('Failed to load suggestions. Server error. Please try again later.')).toBeDefined()
  expect(main().queryByText('No suggestions')).toBeNull()
  answer(suggestionsApi.list, { data: [{ text: '心', origin: 'reference', source: 'bangumi-data' }], late: false })
  await userEvent.click(main().getByRole('button', { name: 'Retry' }))
  expect(await main().findByRole('button', { name: /^心/ })).toBeDefined()
  expect(main().queryByText(/^Failed to load suggestions/)).toBeNull()
})

test('a rejected save comes back with the reason and the input once nothing new is left', async () => {
  fail(mediaApi.update, 403, { message: 'Access denied.', reason: 'Only moderators and administrators can do this.' })
  await open(ADDRESS)
  await shown('a')
  await userEvent.type(await field(), 'むだ')
  save()
  await shown('b')
  await waitFor(() => expect(row(0)?.textContent).toContain('Only moderators and administrators can do this.'))
  key('s', 'KeyS', { altKey: true })
  await shown('c')
  key('s', 'KeyS', { altKey: true })
  await shown('a')
  expect((await field()).value).toBe('むだ')
  expect(main().getByRole('alert').textContent).toContain('Only moderators and administrators can do this.')
})

const GONE = 'Resource not found. This item has been deleted in the meantime. Try again once it has been restored.'

test('a text for an entry that was deleted meanwhile comes back with that reason', async () => {
  failMissing(mediaApi.update, 'Media')
  await open(ADDRESS)
  await shown('a')
  await userEvent.type(await field(), 'むだ')
  save()
  await shown('b')
  await userEvent.click(await main().findByRole('button', { name: 'Show' }))
  await shown('a')
  expect((await field()).value).toBe('むだ')
  expect(main().getByRole('alert').textContent).toBe(`Not saved: ${GONE}`)
})

test('without a connection, each text stays with its entry, and what was not saved can be shown', async () => {
  await open(ADDRESS)
  fail(mediaApi.update, 0)
  for (const [at, id] of ['a', 'b'].entries()) {
    await shown(id)
    fireEvent.change(await field(), { target: { value: `Text ${id}` } })
    save()
    await waitFor(() => expect(row(at)?.textContent).toContain('Not saved'))
  }
  await shown('c')
  expect((await field()).value).toBe('')
  fireEvent.change(await field(), { target: { value: 'Text c' } })
  await main().findByText('2 not saved, kept on this device')
  await userEvent.click(main().getByRole('button', { name: 'Show' }))
  await shown('a')
  const drafts = () => ['a', 'b', 'c'].map((id) => draftsOf('me', `work/media/${id}/ja/title`)[0]?.text)
  await waitFor(() => expect(drafts()).toEqual(['Text a', 'Text b', 'Text c']))
  answer(mediaApi.update, aMedia({ version: 2 }))
  save()
  await main().findByText('1 not saved, kept on this device')
})

test('a save and a dismissal are undone, the last first', async () => {
  await open(ADDRESS)
  await shown('a')
  await userEvent.type(await field(), '心')
  save()
  await shown('b')
  key('n', 'KeyN', { altKey: true })
  await shown('c')
  await main().findByText(/^2 of 3/)
  key('z', 'KeyZ', { altKey: true })
  await shown('b')
  expect(requests.find(({ method }) => method === 'DELETE')?.body).toMatchObject({ entityId: 'b', code: 'missing' })
  key('z', 'KeyZ', { altKey: true })
  await shown('a')
  await main().findByText(/^0 of 3/)
  expect(stored.a?.translations).toEqual(titled('a', ''))
  expect(saves().at(-1)).toMatchObject({ base: '"2"' })
  await findToast('Undone')
})

test('the size of the queue follows a save, a dismissal and their undo', async () => {
  const dismissed = new Set<string>()
  answer(workApi.claim, () => {
    const ids = IDS.filter((id) => !dismissed.has(id) && !stored[id]?.translations.ja?.title)
    return { ids, total: ids.length, until }
  })
  const noting = (note: (id: string) => void) => (request: { body: unknown }) => {
    note((request.body as { entityId: string }).entityId)
    return { success: true as const }
  }
  answer(
    findingsApi.dismiss,
    noting((id) => dismissed.add(id)),
  )
  answer(
    findingsApi.undismiss,
    noting((id) => dismissed.delete(id)),
  )
  const says = (size: number) => main().findByText(`${size} in this queue`)
  await open(ADDRESS)
  await says(3)
  await userEvent.type(await field(), '心')
  save()
  await says(2)
  key('n', 'KeyN', { altKey: true })
  await says(1)
  key('z', 'KeyZ', { altKey: true })
  await says(2)
  key('z', 'KeyZ', { altKey: true })
  await says(3)
})

test('undo keeps what others changed before the save', async () => {
  const ofOthers = { originalTitle: 'Kokoro', translations: { en: { title: 'Renamed', description: '' } } }
  await open(ADDRESS)
  await shown('a')
  answer(mediaApi.update, ({ body }) => {
    const { translations, ...fields } = body as Media
    const merged = { ...translations, ...ofOthers.translations }
    return (stored.a = aMedia({ ...fields, ...ofOthers, translations: merged, _id: 'a', version: 3 }))
  })
  await userEvent.type(await field(), '心')
  save()
  await waitFor(() => expect(row(0)?.textContent).toContain('Saved'))
  key('z', 'KeyZ', { altKey: true })
  await findToast('Undone')
  expect(saves().at(-1)).toMatchObject({ base: '"3"', body: { originalTitle: 'Kokoro' } })
  expect(sent()).toHaveProperty('translations', ofOthers.translations)
})

test('a save that wrote nothing, as others had made the same change, is not undone', async () => {
  await open(ADDRESS)
  await shown('a')
  answer(mediaApi.update, () => (stored.a = aMedia({ _id: 'a', version: 2, translations: titled('a', '心') })))
  answer(revisionsApi.list, { data: [{ ...revisionOf(2, []), userId: 'other' }, revisionOf(1, [])] })
  await userEvent.type(await field(), '心')
  save()
  await waitFor(() => expect(row(0)?.textContent).toContain('Saved'))
  key('z', 'KeyZ', { altKey: true })
  await findToast('There is nothing to undo.')
  expect(saves()).toHaveLength(1)
  // The work goes on where it was.
  key('s', 'KeyS', { altKey: true })
  await waitFor(() => expect(row(1)?.textContent).toContain('Skipped'))
})

test('a skipped entry that is opened again can be saved, and no longer counts as skipped', async () => {
  await open(ADDRESS)
  await shown('a')
  key('s', 'KeyS', { altKey: true })
  await shown('b')
  expect(main().getByText('1 skipped')).toBeTruthy()
  await userEvent.click(within(row(0) as HTMLElement).getByRole('button'))
  await shown('a')
  expect(main().queryByText('1 skipped')).toBeNull()
  expect(main().getByRole('button', { name: 'Undo' }).getAttribute('aria-disabled')).toBe('true')
  await userEvent.type(await field(), '心')
  save()
  await waitFor(() => expect(row(0)?.textContent).toContain('Saved'))
})

test('shows an error and Retry if the next entry failed to load in advance', async () => {
  const next = { ...mediaApi.find, path: '/api/media/b' }
  fail(next, 503, { message: 'Unavailable.' })
  await open(ADDRESS)
  await shown('a')
  key('s', 'KeyS', { altKey: true })
  await main().findByText('Failed to load the queue')
  answer(next, () => stored.b as Media)
  await userEvent.click(main().getByRole('button', { name: 'Retry' }))
  await shown('b')
})

/** A draft that the user began with version 1 of an entry; since then, somebody else has written its title. */
function leaveDraft() {
  stored.a = aMedia({ _id: 'a', version: 5, translations: titled('a', 'theirs') })
  const at = new Date().toISOString()
  keepDraft('me', 'work/media/a/ja/title', { id: 'desk', text: 'mine', base: '', version: 1, at })
}

test('saves a draft with the version that it began with, so that newer texts of others are a conflict', async () => {
  leaveDraft()
  answer(workApi.claim, { ids: ['a', 'b'], total: 2, until })
  await open('/work?target=ja')
  await shown('a')
  await userEvent.type(await field(), '!')
  fail(mediaApi.update, 0)
  save()
  await waitFor(() => expect(row(0)?.textContent).toContain('Not saved: Network error.'))
  key('s', 'KeyS', { altKey: true })
  await shown('a')
  save()
  await waitFor(() => expect(saves()).toHaveLength(2))
  expect(saves()).toMatchObject([
    { base: '"1"', body: { translations: { ja: { title: 'mine!' } } } },
    { base: '"1"', body: { translations: { ja: { title: 'mine!' } } } },
  ])
})

const cell = (column: number) => document.querySelector<HTMLElement>(`[data-cell="0 ${column}"]`)
const isFocusIn = (column: number) => expect(cell(column)?.contains(document.activeElement)).toBe(true)
/** Writes into a cell of the first row, and waits for its state. */
async function write(column: number, text: string, state: string) {
  fireEvent.doubleClick(cell(column) as HTMLElement)
  const box = within(cell(column) as HTMLElement).getByRole('textbox')
  fireEvent.change(box, { target: { value: text } })
  fireEvent.keyDown(box, { key: 'Enter' })
  await waitFor(() => expect(cell(column)?.dataset.state).toBe(state))
}

test('the matrix saves a draft with the version that it began with', async () => {
  leaveDraft()
  answer(mediaApi.list, () => [stored.a as Media])
  await open('/work?target=ja&view=matrix')
  await waitFor(() => expect(cell(2)?.dataset.state).toBe('draft'))
  fail(mediaApi.update, 503)
  await write(2, 'mine!', 'failed')
  await write(2, 'mine!', 'failed')
  expect(saves()).toMatchObject([{ base: '"1"' }, { base: '"1"' }])
})

test('moving through the matrix does not check the texts again', async () => {
  answer(mediaApi.list, [stored.a as Media])
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  vi.mocked(findingsIn).mockClear()
  fireEvent.focus(cell(0) as HTMLElement)
  fireEvent.keyDown(cell(0) as HTMLElement, { key: 'ArrowRight' })
  await waitFor(() => isFocusIn(1))
  expect(findingsIn).not.toHaveBeenCalled()
})

test('typing into a cell of the matrix replaces its text, and is no shortcut', async () => {
  answer(mediaApi.list, [stored.a as Media])
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  act(() => cell(0)?.focus())
  const user = userEvent.setup()
  await user.keyboard('ga?')
  expect(router.state.location.pathname).toBe('/work')
  expect(cell(0)?.querySelector('input')?.value).toBe('ga?')
  await user.keyboard('{Escape}')
  expect(cell(0)?.textContent).toBe('Title a')
  await user.keyboard('x{ArrowRight}y{Enter}')
  await waitFor(() => expect(saves()).toMatchObject([{ body: { translations: { en: { title: 'xy' } } } }]))
})

test('the box in which a composition begins stays while the text is composed; cancelled, the cell is as it was', async () => {
  answer(mediaApi.list, [stored.a as Media])
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  act(() => cell(0)?.focus())
  const box = document.activeElement as HTMLInputElement
  fireEvent.compositionStart(box)
  fireEvent.change(box, { target: { value: 'に' } })
  expect(document.activeElement).toBe(box)
  expect(cell(0)?.querySelector('input')).toBe(box)
  fireEvent.change(box, { target: { value: '' } })
  fireEvent.compositionEnd(box)
  expect(cell(0)?.textContent).toBe('Title a')
  isFocusIn(0)
})

test('in the matrix, Delete empties a cell, and Ctrl+Z undoes what was written, the last first', async () => {
  answer(mediaApi.list, [stored.a as Media])
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  act(() => cell(0)?.focus())
  const user = userEvent.setup()
  await user.keyboard('{Control>}z{/Control}')
  await findToast('There is nothing to undo.')
  await user.keyboard('First{Enter}{Delete}')
  await waitFor(() => expect(stored.a?.translations.en?.title).toBe(''))
  await user.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(stored.a?.translations.en?.title).toBe('First'))
  await user.click(main().getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(stored.a?.translations.en?.title).toBe('Title a'))
  isFocusIn(0)
  expect(saves()).toHaveLength(4)
})

test('in the matrix, what was pasted at once is undone at once', async () => {
  answer(mediaApi.list, [stored.a as Media])
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  act(() => cell(0)?.focus())
  fireEvent.paste(cell(0) as HTMLElement, { clipboardData: { getData: () => 'Heart\t心' } })
  await userEvent.click(await screen.findByRole('button', { name: /^Write 2/ }))
  await waitFor(() => expect(stored.a?.translations).toMatchObject({ en: { title: 'Heart' }, zh: { title: '心' } }))
  await userEvent.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(stored.a?.translations).toMatchObject({ en: { title: 'Title a' }, zh: { title: '' } }))
})

test('typing into a cell of an entry that the user may not edit says so', async () => {
  answer(mediaApi.list, [{ ...(stored.a as Media), createdBy: 'someone' }])
  await open('/work?view=matrix', { as: reader })
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  act(() => cell(0)?.focus())
  await userEvent.keyboard('x')
  await screen.findByText(/does not allow editing/)
  await userEvent.keyboard('{Delete}')
  expect(cell(0)?.textContent).toBe('Title a')
  expect(saves()).toEqual([])
})

test('a matrix that the user may not edit says so at once, and why', async () => {
  answer(mediaApi.list, [{ ...(stored.a as Media), createdBy: 'someone' }])
  await open('/work?view=matrix', { as: reader })
  const why = 'Your tier “Reader” does not allow editing other people’s content.'
  expect((await main().findByText(why)).closest('[role=status]')?.textContent).toContain('Read-only')
  expect(main().getByRole('link', { name: 'Your permissions' })).toBeDefined()
  expect(main().getByRole('grid').getAttribute('aria-readonly')).toBe('true')
})

test('a row of the matrix that the user may not edit says why as soon as it is reached', async () => {
  const me = { ...reader, permissions: { ...reader.permissions, canEditOwnContent: true } }
  answer(mediaApi.list, [aMedia({ _id: 'a', createdBy: me._id }), aMedia({ _id: 'b', createdBy: 'someone' })])
  await open('/work?view=matrix', { as: me })
  await waitFor(() => expect(cell(0)).not.toBeNull())
  const [own, other] = ['0 0', '1 0'].map((at) => document.querySelector<HTMLElement>(`[data-cell="${at}"]`))
  act(() => own?.focus())
  expect(main().queryByText(/does not allow editing/)).toBeNull()
  act(() => other?.focus())
  expect(await main().findByText(/does not allow editing/)).toBeDefined()
  expect([own, other].map((each) => each?.getAttribute('aria-readonly'))).toEqual([null, 'true'])
})

test('the matrix offers no save of a text whose row the user may no longer edit', async () => {
  leaveDraft()
  answer(mediaApi.list, [{ ...(stored.a as Media), createdBy: 'someone' }])
  await open('/work?target=ja&view=matrix', { as: reader })
  expect(await main().findByText('1 not saved, kept on this device')).toBeDefined()
  expect(main().queryByRole('button', { name: 'Save all' })).toBeNull()
})

test('in the matrix, taking the text of others keeps what was saved in the row since', async () => {
  const translations = { en: { title: 'E', description: '' }, zh: { title: 'Z', description: '' } }
  answer(mediaApi.list, [aMedia({ _id: 'a', translations })])
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(1)?.textContent).toBe('Z'))
  const theirs = { translations: { ...translations, zh: { title: 'theirs', description: '' } } }
  const stale = { base: {}, mine: {}, theirs, conflicts: ['translations.zh.title'], version: 2, updatedAt: since }
  fail(mediaApi.update, 412, { code: 'stale', message: 'Changed.', ...stale })
  await write(1, 'mine', 'conflict')
  const english = { ...theirs.translations, en: { title: 'E2', description: '' } }
  answer(mediaApi.update, aMedia({ _id: 'a', version: 3, translations: english }))
  await write(0, 'E2', 'saved')
  fireEvent.focus(cell(1) as HTMLElement)
  await userEvent.click(await main().findByRole('button', { name: 'Take theirs' }))
  expect(cell(1)?.textContent).toBe('theirs')
  await write(0, 'E', 'saved')
  expect(saves().at(-1)).toMatchObject({ base: '"3"', body: { translations: { en: { title: 'E' } } } })
})

const draft = (language: string) => draftsOf('me', `work/media/a/${language}/title`)[0]?.text

test('in the matrix, a text stays a draft until it is saved, even if an earlier one of its cell is saved', async () => {
  answer(mediaApi.list, [stored.a as Media])
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  const release = hold(mediaApi.update)
  await write(0, 'First', 'saving')
  fireEvent.doubleClick(cell(0) as HTMLElement)
  fireEvent.change(within(cell(0) as HTMLElement).getByRole('textbox'), { target: { value: 'Second' } })
  await waitFor(() => expect(draft('en')).toBe('Second'))
  release()
  await waitFor(() => expect(stored.a?.version).toBe(2))
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(draft('en')).toBe('Second')
})

test('a text of the matrix that is refused after it was left is reported, and stays a draft', async () => {
  answer(mediaApi.list, () => [stored.a as Media])
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  const release = hold(mediaApi.update)
  fail(mediaApi.update, 503)
  await write(0, 'Heart', 'saving')
  await router.navigate({ to: '/media' })
  release()
  await findToast('Not saved')
  expect(draft('en')).toBe('Heart')
})

test('the matrix says what was not saved wherever the focus is, and leads to it', async () => {
  answer(mediaApi.list, () => [stored.a as Media])
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  failMissing(mediaApi.update, 'Media')
  await write(0, 'Heart', 'failed')
  act(() => cell(1)?.focus())
  expect((await main().findByText('1 not saved, kept on this device')).role).toBe('status')
  await userEvent.click(main().getByRole('button', { name: 'Show' }))
  isFocusIn(0)
  expect(await main().findByText(`Not saved: ${GONE}`)).toBeDefined()
  expect(main().queryByRole('button', { name: 'Show' })).toBeNull()
})

test('in the matrix, one button saves all that was not saved, also on an earlier visit', async () => {
  leaveDraft()
  answer(mediaApi.list, () => [stored.a as Media])
  await open('/work?target=ja&view=matrix')
  await waitFor(() => expect(cell(2)?.dataset.state).toBe('draft'))
  expect(main().getByText('1 not saved, kept on this device')).toBeDefined()
  failOnce(mediaApi.update, 503, {})
  await write(0, 'Heart', 'failed')
  expect(main().getByText('2 not saved, kept on this device')).toBeDefined()
  act(() => cell(1)?.focus())
  await userEvent.click(main().getByRole('button', { name: 'Save all' }))
  await waitFor(() => expect([cell(0)?.dataset.state, cell(2)?.dataset.state]).toEqual(['saved', 'saved']))
  expect(stored.a?.translations).toMatchObject({ en: { title: 'Heart' }, ja: { title: 'mine' } })
  expect(main().queryByRole('button', { name: 'Save all' })).toBeNull()
  isFocusIn(1)
})

test('a page of the matrix beyond the last one leads to the first one', async () => {
  answer(mediaApi.list, ({ query: { page } }) => (page === '1' ? [stored.a as Media] : []), { total: 1 })
  await open('/work?page=3&view=matrix')
  await main().findByText('This page is empty.')
  await userEvent.click(main().getByRole('button', { name: 'Go to the first page' }))
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
})

test('pasted cells that could not be saved stay drafts', async () => {
  answer(mediaApi.list, [stored.a as Media])
  fail(mediaApi.update, 503)
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  fireEvent.focus(cell(0) as HTMLElement)
  fireEvent.paste(cell(0) as HTMLElement, { clipboardData: { getData: () => 'Heart\t心' } })
  await userEvent.click(await screen.findByRole('button', { name: /^Write 2/ }))
  await waitFor(() => expect(cell(1)?.dataset.state).toBe('failed'))
  await waitFor(() => expect([draft('en'), draft('zh')]).toEqual(['Heart', '心']))
})

test('pasting what has no text leaves a cell as it is', async () => {
  answer(mediaApi.list, [stored.a as Media])
  await open('/work?view=matrix')
  await waitFor(() => expect(cell(0)?.textContent).toBe('Title a'))
  fireEvent.focus(cell(0) as HTMLElement)
  fireEvent.paste(cell(0) as HTMLElement, { clipboardData: { getData: () => '' } })
  expect(cell(0)?.textContent).toBe('Title a')
  fireEvent.paste(cell(0) as HTMLElement, { clipboardData: { getData: () => 'Heart' } })
  expect(within(cell(0) as HTMLElement).getByRole<HTMLInputElement>('textbox').value).toBe('Heart')
})

test('sends nothing if nothing has changed, and undoes nothing if nothing was done', async () => {
  await open(ADDRESS)
  await shown('a')
  save()
  await findToast('Nothing has changed. Skip it, or choose “Not a problem”.')
  key('z', 'KeyZ', { altKey: true })
  await findToast('There is nothing to undo.')
  expect(saves()).toEqual([])
})

test('shows why the queue cannot be loaded, and when it is empty', async () => {
  fail(workApi.claim, 503, { message: 'The database is down.' })
  await open(ADDRESS, { as: owner })
  await main().findByText('Failed to load the queue')
  answer(workApi.claim, { ids: [], total: 0, until })
  await userEvent.click(main().getByRole('button', { name: 'Retry' }))
  await main().findByText('Nothing is left in this queue.')
})

test.each([
  ['nothing is requested', reader, 0],
  ['the server says so', owner, 1],
] as const)(
  'a user who may edit nothing of a queue is told why, and led to the permissions: %s',
  async (_, as, claims) => {
    const reason = 'Your tier “Reader” does not allow editing your own content.'
    fail(workApi.claim, 403, { message: 'Access denied.', code: 'canEditOwnContent', reason })
    await open(ADDRESS, { as })
    expect((await main().findByRole('alert')).textContent).toContain(reason)
    expect(main().getByRole('link', { name: 'Your permissions' }).getAttribute('href')).toBe('/profile')
    expect(main().queryByRole('button', { name: 'Retry' })).toBeNull()
    expect(main().queryByText('Queue')).toBeNull()
    expect(requests.filter(({ path }) => path === workApi.claim.path)).toHaveLength(claims)
  },
)

test.each(['', '&view=matrix'])('a filter of /work?%s that was not understood is named', async (view) => {
  answer(workApi.claim, { ids: [], total: 0, until })
  list.media()
  await open(`/work?entityType=Film&finding=nonsense&page=1${view}`)
  const says = 'Part of this address was not understood as a filter, and was left out: '
  expect(await main().findByText(`${says}entityType=Film, finding=nonsense`)).toBeDefined()
})

test.each(['', '&view=matrix'])('while there are no entries, /work?%s leads to the first one', async (view) => {
  answer(workApi.claim, { ids: [], total: 0, until })
  list.tags()
  await open(`/work?entityType=Tag${view}`)
  const add = await main().findByRole('link', { name: 'Add New Tag' })
  expect(add.getAttribute('href')).toBe('/tags/new')
  expect(main().getByRole('link', { name: 'Import' }).getAttribute('href')).toBe('/import?kind=Tag')
  expect(main().getByText('There are no tags yet. Add the first one.')).toBeDefined()
})

test('asks the configured model on request, and sends its run along with the save', async () => {
  const model = 'Kotoba 1'
  answer(aiApi.status, { ...STATUS, provider: 'model', model })
  const run = {
    _id: 'run1',
    provider: 'model',
    model,
    prompt: 'enhance/1',
    sources: [],
    startedAt: since,
    milliseconds: 1,
    inputTokens: 1,
    outputTokens: 1,
    isEstimate: false,
  }
  const result = { en: { title: 'Title a', description: '' }, ja: { title: 'こころ', description: '' } }
  const events = [
    ['complete', { run, result, isKnown: false }],
    ['end', {}],
  ].map(([event, data]) => `event: ${event as string}\ndata: ${JSON.stringify(data)}\n\n`)
  const { fetch: answered } = globalThis
  const runs: (string | null)[] = []
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    const [address, { method, headers } = {}] = given
    if (method === 'PUT') runs.push(new Headers(headers).get('ai-runs'))
    if (typeof address !== 'string' || !address.includes('/api/ai/process')) return answered(...given)
    return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
  })
  await open(ADDRESS)
  await shown('a')
  await userEvent.click(await main().findByRole('button', { name: `Ask ${model}` }))
  await main().findByText('こころ')
  key('3', 'Digit3', { altKey: true })
  await waitFor(async () => expect((await field()).value).toBe('こころ'))
  save()
  await waitFor(() => expect(row(0)?.textContent).toContain('Saved'))
  expect(runs).toEqual(['run1'])
})

test('asks the model about each entry on its own, until the desk is left', async () => {
  answer(aiApi.status, { ...STATUS, provider: 'model', model: 'Kotoba 1' })
  const { fetch: answered } = globalThis
  const signals: AbortSignal[] = []
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    const [address, { signal } = {}] = given
    if (typeof address !== 'string' || !address.includes('/api/ai/process') || !signal) return answered(...given)
    signals.push(signal)
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
    )
  })
  list.media()
  await open(ADDRESS)
  await shown('a')
  await userEvent.click(await main().findByRole('button', { name: 'Ask Kotoba 1' }))
  await main().findByRole('button', { name: 'Asking…' })
  key('s', 'KeyS', { altKey: true })
  await shown('b')
  await main().findByRole('button', { name: 'Ask Kotoba 1' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  await router.navigate({ to: '/media' })
  await waitFor(() => expect(signals.map(({ aborted }) => aborted)).toEqual([true]))
})

test('an answer about an entry that is no longer shown names it', async () => {
  answer(aiApi.status, { ...STATUS, provider: 'model', model: 'Kotoba 1' })
  const { fetch: answered } = globalThis
  let fails: () => void = () => undefined
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    const [address] = given
    if (typeof address !== 'string' || !address.includes('/api/ai/process')) return answered(...given)
    return new Promise((_, reject) => (fails = () => reject(new TypeError('offline'))))
  })
  await open(ADDRESS)
  await shown('a')
  await userEvent.click(await main().findByRole('button', { name: 'Ask Kotoba 1' }))
  await main().findByRole('button', { name: 'Asking…' })
  key('s', 'KeyS', { altKey: true })
  await shown('b')
  fails()
  await findToast('Title a: Failed to get a suggestion')
  await userEvent.click(await main().findByRole('button', { name: 'Ask Kotoba 1' }))
  await main().findByRole('button', { name: 'Asking…' })
  fails()
  await findToast('Failed to get a suggestion')
})

test('says in Chinese why the model cannot be asked', async () => {
  const reason = denial('assist', 'Reader')
  answer(aiApi.status, { ...STATUS, provider: 'model', model: 'Kotoba 1', isAllowed: false, reason })
  await open(ADDRESS, { language: 'zh' })
  expect((await main().findByRole('button', { name: /Kotoba 1/ })).title).toMatch(/^您的等级“Reader”/)
})

/** Media with one finding, by which the queue is filtered. */
function withFinding(finding: Omit<Finding, 'since'>, given: Partial<Media>) {
  stored = Object.fromEntries(IDS.map((id) => [id, aMedia({ _id: id, translations: titled(id, 'x'), ...given })]))
  answer(workApi.claim, ({ body }) => {
    const { after = '' } = body as { after?: string }
    return { ids: IDS.filter((id) => id > after), total: 3, until }
  })
  answer(findingsApi.find, { data: [{ ...finding, since }], dismissed: [] })
}
/** Stub of XMLHttpRequest, which uploads use instead of `fetch`. */
const uploadAnsweredBy = (asset: Asset) =>
  class extends EventTarget {
    upload = new EventTarget()
    status = 201
    responseText = JSON.stringify(asset)
    open = () => undefined
    setRequestHeader = () => undefined
    send = () => this.dispatchEvent(new Event('load'))
  }

test.each([
  ['noTags', 'tags', 'Add tags'],
  ['noCharacters', 'characters', 'Add characters'],
] as const)('%s is resolved at the desk by choosing names, and undone', async (code, property, label) => {
  withFinding({ code, field: property }, { [property]: [] })
  hits(aHit({ _id: 'picked', translations: { en: { name: 'Natsume', title: '', description: '' } } }))
  list.characters()
  await open(`/work?finding=${code}`)
  await shown('a')
  await userEvent.type(main().getByRole('combobox', { name: label }), 'nat')
  await screen.findByRole('option', { name: /^Natsume/ })
  await userEvent.keyboard('{Enter}')
  await main().findByRole('button', { name: 'Remove Natsume' })
  save()
  await shown('b')
  await waitFor(() => expect(sent()).toMatchObject({ [property]: ['picked'] }))
  key('z', 'KeyZ', { altKey: true })
  await shown('a')
  expect(sent()).toMatchObject({ [property]: [] })
})

test('a missing tag is created at the desk', async () => {
  withFinding({ code: 'noTags', field: 'tags' }, { tags: [] })
  hits()
  answer(tagsApi.create, ({ body }) => aTag({ ...(body as object), _id: 'created' }))
  await open('/work?finding=noTags')
  await shown('a')
  await userEvent.type(main().getByRole('combobox', { name: 'Add tags' }), 'Isekai')
  await screen.findByRole('option', { name: 'Create “Isekai”' })
  await userEvent.keyboard('{Enter}')
  await main().findByRole('button', { name: 'Remove Isekai' })
  save()
  await waitFor(() => expect(sent()).toMatchObject({ tags: ['created'] }))
})

test('a save at the desk waits for the tags that are being created, in whatever order they arrive', async () => {
  withFinding({ code: 'noTags', field: 'tags' }, { tags: [] })
  hits()
  answer(tagsApi.create, ({ body }) =>
    aTag({ ...(body as TagInput), _id: (body as TagInput).translations.en?.name ?? '' }),
  )
  await open('/work?finding=noTags')
  await shown('a')
  const create = async (name: string) => {
    const release = hold(tagsApi.create)
    await userEvent.type(main().getByRole('combobox', { name: 'Add tags' }), name)
    await screen.findByRole('option', { name: `Create “${name}”` })
    await userEvent.keyboard('{Enter}')
    return release
  }
  const releases = [await create('Slow'), await create('Quick')]
  save()
  for (const release of releases.toReversed()) release()
  await waitFor(() => expect(sent()).toBeDefined())
  expect((sent() as { tags: string[] }).tags.toSorted()).toEqual(['Quick', 'Slow'])
})

test('the desk of a user without entries of her own does not call the catalogue empty', async () => {
  answer(workApi.claim, { ids: [], total: 0, until })
  await open('/work', { as: owner })
  await main().findByText('Nothing is left in this queue.')
})

test('a cover is chosen from the gallery, or uploaded from the clipboard', async () => {
  withFinding({ code: 'noCover', field: 'cover' }, { cover: '' })
  list.assets(anAsset({ _id: 'one', type: 'IMAGE', filename: 'one.png' }))
  vi.stubGlobal('XMLHttpRequest', uploadAnsweredBy(anAsset({ _id: 'pasted', type: 'IMAGE', filename: 'pasted.png' })))
  await open('/work?finding=noCover')
  await shown('a')
  expect(document.activeElement).toBe(main().getByRole('searchbox'))
  const one = await main().findByRole<HTMLInputElement>('radio', { name: 'one.png' })
  key('1', 'Digit1', { altKey: true })
  expect(one.checked).toBe(true)
  expect(document.activeElement).toBe(one)
  save()
  await shown('b')
  await waitFor(() => expect(sent()).toMatchObject({ cover: 'one' }))
  const files = [new File(['x'], 'pasted.png', { type: 'image/png' })]
  fireEvent.paste(document.body, { clipboardData: { files } })
  await findToast('Uploaded')
  expect(main().getByRole<HTMLInputElement>('radio', { name: 'pasted.png' }).checked).toBe(true)
  save()
  await shown('c')
  await waitFor(() => expect(sent()).toMatchObject({ cover: 'pasted' }))
})

test('a conflict at the desk names the images', async () => {
  withFinding({ code: 'noCover', field: 'cover' }, { cover: '' })
  list.assets(anAsset({ _id: 'one', type: 'IMAGE', filename: 'one.png' }))
  answer(searchApi.entries, {
    data: [
      { _id: 'one', translations: {}, originalTitle: 'one.png', cover: '' },
      { _id: 'two', translations: {}, originalTitle: 'two.png', cover: '' },
    ],
  })
  const stale = { base: { cover: '' }, mine: { cover: 'one' }, theirs: { cover: 'two' }, conflicts: ['cover'] }
  fail(mediaApi.update, 412, { code: 'stale', message: 'Changed.', ...stale, version: 2, updatedAt: since })
  await open('/work?finding=noCover')
  await shown('a')
  await userEvent.click(await main().findByRole('radio', { name: 'one.png' }))
  save()
  await userEvent.click(await main().findByRole('button', { name: /^Title a/ }))
  const clash = within(await main().findByRole('group', { name: 'Cover' }))
  await clash.findByText('two.png')
  expect(clash.getByText('one.png')).toBeDefined()
})

test('proposes a media item that is not yet released as ongoing', async () => {
  withFinding({ code: 'futureCompleted', field: 'releaseDate' }, { isOngoing: false })
  await open('/work?finding=futureCompleted')
  await shown('a')
  expect(main().getByRole<HTMLInputElement>('radio', { name: 'Ongoing' }).checked).toBe(true)
  save()
  await shown('b')
  await waitFor(() => expect(sent()).toMatchObject({ isOngoing: true }))
})

test('removes broken links, and undoes that by restoring the previous version', async () => {
  const broken = { _id: 'gone', filename: 'old.png', state: 'trash' } as const
  withFinding(
    {
      code: 'brokenLink',
      field: 'cover',
      links: [
        { ...broken, field: 'assets' },
        { ...broken, field: 'cover' },
      ],
    },
    {
      cover: '',
      assets: ['gone', 'kept'],
    },
  )
  list.assets()
  answer(revisionsApi.list, {
    data: [revisionOf(2, ['assets', 'cover']), revisionOf(1, [])],
  })
  answer(revisionsApi.restore, { success: true, entityType: 'Media', entityId: 'a', version: 3, isChanged: true })
  await open('/work?finding=brokenLink')
  await shown('a')
  expect(main().getByText('cover: old.png, in the trash')).toBeTruthy()
  save()
  await shown('b')
  await waitFor(() => expect(sent()).toMatchObject({ cover: '', assets: ['kept'] }))
  expect(requests.find(({ method }) => method === 'PUT')?.dropped).toBe('gone')
  key('z', 'KeyZ', { altKey: true })
  await shown('a')
  const restored = requests.find(({ path }) => path.endsWith('/restore'))
  expect(restored).toMatchObject({ path: '/api/revisions/r1/restore', body: { paths: ['assets', 'cover'], base: 2 } })
})

test('Undo restores links even if others have saved since', async () => {
  const links = [{ _id: 'gone', filename: 'old.png', state: 'trash', field: 'cover' }] as const
  withFinding({ code: 'brokenLink', field: 'cover', links: [...links] }, { cover: '' })
  list.assets()
  const versions = [4, 3, 2, 1].map((version) => revisionOf(version, ['cover']))
  answer(revisionsApi.list, ({ query }) => ({ data: versions.slice(0, Number(query.limit)) }))
  answer(revisionsApi.restore, { success: true, entityType: 'Media', entityId: 'a', version: 5, isChanged: true })
  await open('/work?finding=brokenLink')
  await shown('a')
  save()
  await shown('b')
  await waitFor(() => expect(row(0)?.textContent).toContain('Saved'))
  key('z', 'KeyZ', { altKey: true })
  await shown('a')
  const restored = requests.find(({ path }) => path.endsWith('/restore'))
  expect(restored).toMatchObject({ path: '/api/revisions/r1/restore', body: { paths: ['cover'], base: 2 } })
})

test('a save that is refused after the desk was left is reported', async () => {
  withFinding({ code: 'futureCompleted', field: 'releaseDate' }, { isOngoing: false })
  list.media()
  await open('/work?finding=futureCompleted')
  await shown('a')
  const release = hold(mediaApi.update)
  fail(mediaApi.update, 503)
  save()
  await shown('b')
  await router.navigate({ to: '/media' })
  release()
  await findToast('Not saved')
})

test('the second click of a double click does not save or skip the next entry unseen', async () => {
  withFinding({ code: 'futureCompleted', field: 'releaseDate' }, { isOngoing: false })
  await open('/work?finding=futureCompleted')
  await shown('a')
  for (const [detail, next] of [
    [1, 'b'],
    [2, 'b'],
  ] as const) {
    fireEvent.click(main().getByRole('button', { name: 'Save and continue' }), { detail })
    await shown(next)
  }
  for (const detail of [1, 2]) {
    fireEvent.click(main().getByRole('button', { name: 'Skip' }), { detail })
    await shown('c')
  }
  await waitFor(() => expect(row(0)?.textContent).toContain('Saved'))
  expect(saves()).toHaveLength(1)
})

test('the desk is shown in Chinese', async () => {
  await open(ADDRESS, { language: 'zh' })
  await screen.findByLabelText('日语标题')
  for (const name of ['保存并继续', '跳过', '没有问题', '撤销'])
    expect(main().getByRole('button', { name })).toBeTruthy()
})
