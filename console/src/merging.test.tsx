// Merging two entries: from a list, from the desk, and the duplicate warning while a new one is written.
import { batchesApi } from '@mokuroku/contract/batches'
import { mediaApi, type MediaRow } from '@mokuroku/contract/media'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { allDrafts, draftsOf } from '#api/drafts.ts'
import { textOf } from '#lib/editorText.ts'
import {
  aBatch,
  aMedia,
  answer,
  answerEvent,
  aTag,
  editor,
  fail,
  findToast,
  hold,
  requests,
  currentUrl,
  list,
  main,
  open,
  withoutServer,
  write,
} from './testing.tsx'

withoutServer()

const titled = (title: string, description = '') => ({ en: { title, description } })
const one = aMedia({ _id: 'm1', version: 3, translations: titled('Kokoro'), episodes: 12 })
const other = aMedia({ _id: 'm2', version: 5, translations: titled('Kokoro!', 'A novel.'), mediaType: 'NOVEL' })

const aFound = (media: MediaRow) => ({ ...media, relatedMedia: [], characterCount: 0, ratingHistogram: [] })

test('merges two selected entries, with a choice for each field that differs, and sends both versions', async () => {
  list.media(one, other)
  answer(mediaApi.find, ({ path }) => aFound(path.endsWith('m1') ? one : other))
  answer(mediaApi.merge, { batch: 'b1' })
  const merged = aBatch({
    _id: 'b1',
    what: 'merge',
    change: { from: 'm1', into: 'm2', pick: {} },
    changed: 1,
    refused: 0,
  })
  answerEvent(batchesApi.stream, { event: 'batch', id: 'b1', data: merged })
  await open('/media')
  const user = userEvent.setup()
  await user.click(await main().findByRole('checkbox', { name: 'Select Kokoro' }))
  await screen.findByRole('region', { name: 'Selection' })
  expect(screen.queryByRole('button', { name: 'Merge' })).toBeNull()
  await user.click(main().getByRole('checkbox', { name: 'Select Kokoro!' }))
  await user.click(await screen.findByRole('button', { name: 'Merge' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge two entries' }))
  const group = async (name: string) => within(await dialog.findByRole('group', { name }))
  const stays = await group('Which one do you want to keep?')
  expect(document.activeElement).toBe(stays.getByRole('radio', { checked: true }))
  await user.click(stays.getByRole('radio', { name: /Kokoro!/ }))
  const title = await group('Title · English')
  expect(title.getByRole('radio', { name: 'Kokoro!' })).toHaveProperty('checked', true)
  await user.click(title.getByRole('radio', { name: 'Kokoro' }))
  // A value that one entry lacks is taken from the other.
  expect((await group('Description · English')).getByRole('radio', { name: 'A novel.' })).toHaveProperty(
    'checked',
    true,
  )
  expect(dialog.queryByRole('group', { name: 'Tags' })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Merge' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const sent = requests.find(({ path }) => path === '/api/media/m2/merge')
  expect(sent).toMatchObject({
    body: { from: { _id: 'm1', version: 3 }, pick: { 'translations.en.title': 'from' } },
  })
  await main().findByText('2 items merged')
})

/** Presses Merge for both; `later` is what the other entry is from then on. */
const mergeBoth = async (later = other) => {
  list.media(one, other)
  answer(mediaApi.find, ({ path }) => aFound(path.endsWith('m1') ? one : other))
  await open('/media')
  const user = userEvent.setup()
  for (const box of await main().findAllByRole('checkbox', { name: /^Select Kokoro/ })) await user.click(box)
  await user.click(await screen.findByRole('button', { name: 'Merge' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge two entries' }))
  await dialog.findByRole('group', { name: 'Title · English' })
  answer(mediaApi.find, ({ path }) => aFound(path.endsWith('m1') ? one : later))
  await user.click(dialog.getByRole('button', { name: 'Merge' }))
  return dialog
}

test('a merge that is refused because the permission was withdrawn says so, and closes', async () => {
  const message = 'Access denied. You do not have permission for this action.'
  fail(mediaApi.merge, 403, { code: 'forbidden', message })
  await mergeBoth()
  expect((await findToast('Failed to merge')).textContent).toContain(message)
  expect(screen.queryByRole('dialog')).toBeNull()
})

describe('a merge without a response', () => {
  const repeated = () => requests.filter(({ path }) => path === '/api/media/m1/merge')

  test('is repeated by Retry, and may have happened', async () => {
    fail(mediaApi.merge, 0)
    const dialog = await mergeBoth()
    expect((await dialog.findByRole('alert')).textContent).toMatch(/^Failed to merge\. /)
    fail(mediaApi.merge, 409, { code: 'merged', message: 'It was merged.', from: 'm2', into: 'm1', batch: 'b1' })
    await userEvent.click(dialog.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(repeated()).toHaveLength(2)
    await waitFor(() => expect(requests.map(({ path }) => path)).toContain('/api/batches/b1'))
  })

  test('is not taken for one of somebody else', async () => {
    fail(mediaApi.merge, 409, { code: 'merged', message: 'It was merged.', from: 'm2', into: 'm9', batch: 'b1' })
    const dialog = await mergeBoth()
    await dialog.findByRole('alert')
    expect(repeated()).toHaveLength(1)
  })
})

describe('a merge of what others have changed in the meantime', () => {
  const gone = /^One of the two entries has been deleted, or merged into another one/

  test.each([
    ['deleted', 404, { code: 'notFound', message: 'Resource not found.' }],
    ['merged', 409, { code: 'merged', message: 'It was merged.', from: 'm2', into: 'm9', batch: 'b1' }],
    // With the choices of somebody else, not with those of the user.
    ['merged into the other', 409, { code: 'merged', message: 'It was merged.', from: 'm2', into: 'm1', batch: 'b1' }],
  ])('says that an entry is %s, and what to do; there is nothing to retry', async (_, status, body) => {
    fail(mediaApi.merge, status, body)
    const dialog = await mergeBoth()
    expect((await dialog.findByRole('alert')).textContent).toMatch(gone)
    expect(dialog.queryByRole('button', { name: 'Retry' })).toBeNull()
    expect(dialog.queryByRole('radio')).toBeNull()
    expect(dialog.getByRole('button', { name: 'Merge' }).getAttribute('aria-disabled')).toBe('true')
  })

  test.each([412, 409])('shows the entries as they are now after a %d, which can be merged then', async (status) => {
    fail(mediaApi.merge, status, { code: 'stale', message: 'Changed.' })
    const dialog = await mergeBoth({ ...other, version: 6, episodes: 13 })
    await dialog.findByRole('radio', { name: '13' })
    expect((await dialog.findByRole('alert')).textContent).toMatch(/^One of the two entries has been changed/)
    answer(mediaApi.merge, { batch: 'b1' })
    await userEvent.click(dialog.getByRole('button', { name: 'Merge' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(requests.findLast(({ path }) => path === '/api/media/m1/merge')).toMatchObject({
      body: { from: { _id: 'm2', version: 6 } },
    })
  })

  test('does not replace an entry by the one that it was merged into', async () => {
    answer(mediaApi.find, ({ path }) => aFound(path.endsWith('m1') ? one : { ...other, _id: 'm9' }))
    list.media(one, other)
    await open('/media')
    const user = userEvent.setup()
    for (const box of await main().findAllByRole('checkbox', { name: /^Select Kokoro/ })) await user.click(box)
    await user.click(await screen.findByRole('button', { name: 'Merge' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Merge two entries' }))
    expect((await dialog.findByRole('alert')).textContent).toMatch(gone)
  })
})

test('the URL of a merged entry redirects to the entry it was merged into', async () => {
  answer(mediaApi.find, aFound(one))
  await open('/media/m9').catch(() => undefined)
  await waitFor(() => expect(currentUrl()).toBe('/media/m1'))
})

describe('a draft of an entry that was merged into another', () => {
  const start = { mediaType: 'ANIME', translations: titled('Kokoro!'), isOngoing: true, releaseDate: one.releaseDate }
  const base = textOf(start)
  const draftOf = (changed: string) => {
    const draft = { id: 'd', text: changed, base, version: 5, at: new Date().toISOString() }
    localStorage.setItem('draft:me:media/m2:d', JSON.stringify(draft))
  }
  const text = async () => JSON.parse((await editor()).state.doc.toString()) as unknown
  const save = () => userEvent.click(main().getByRole('button', { name: 'Save Changes' }))
  const lastUpdate = () => requests.findLast(({ method }) => method === 'PUT')
  const restore = () => userEvent.click(main().getByRole('button', { name: 'Restore draft' }))
  const openMerged = async (changed: string) => {
    draftOf(changed)
    answer(mediaApi.find, aFound(one))
    answer(mediaApi.update, aFound({ ...one, version: 4 }))
    await open('/media/m2/edit').catch(() => undefined)
    expect(await screen.findByText(/^It belongs to an entry that has been merged into this one/)).toBeDefined()
    expect(currentUrl()).toBe('/media/m1/edit')
    expect([draftsOf('me', 'media/m1').length, draftsOf('me', 'media/m2').length]).toEqual([1, 0])
    await editor()
  }

  test('is offered there, and adds only what was changed', async () => {
    await openMerged(textOf({ ...start, isOngoing: false }))
    await restore()
    await waitFor(async () => expect(await text()).toMatchObject({ isOngoing: false, translations: one.translations }))
    await save()
    await waitFor(() => expect(lastUpdate()).toMatchObject({ path: '/api/media/m1', base: '"3"' }))
    expect(lastUpdate()?.body).toMatchObject({ isOngoing: false, translations: one.translations, episodes: 12 })
    await waitFor(() => expect(allDrafts('me')).toEqual([]))
  })

  test('asks about what both have changed, and stays offered until that is resolved', async () => {
    await openMerged(textOf({ ...start, translations: titled('Kokoro, a novel') }))
    await restore()
    await userEvent.click(await screen.findByRole('button', { name: 'Back to editing' }))
    expect(draftsOf('me', 'media/m1')).toHaveLength(1)
    await restore()
    await userEvent.click(await screen.findByRole('button', { name: 'All mine' }))
    await userEvent.click(screen.getByRole('button', { name: 'Merge into draft' }))
    await waitFor(async () =>
      expect(await text()).toMatchObject({ translations: titled('Kokoro, a novel'), episodes: 12 }),
    )
  })

  test('cannot overwrite anything if it is no valid entry', async () => {
    await openMerged('{ "isOngoing": ')
    await restore()
    await write({ ...start, isOngoing: false })
    await save()
    await waitFor(() => expect(lastUpdate()).toMatchObject({ path: '/api/media/m1', base: '"0"' }))
  })
})

test('shows a likely duplicate above the fields while a new entry is written', async () => {
  answer(mediaApi.likely, { data: [{ entity: other, evidence: { titles: ['Kokoro!'], daysApart: 0 } }] })
  await open('/media/new')
  const match = await screen.findByRole('link', { name: /Kokoro!/ })
  expect(match.getAttribute('href')).toBe('/media/m2')
  await userEvent.click(main().getByRole('radio', { name: 'Form' }))
  const [title] = await main().findAllByRole('textbox', { name: /Title/ })
  expect(title && match.compareDocumentPosition(title)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(screen.getByText('One entry may be the same')).toBeDefined()
})

test('says that looking for duplicates of a new entry failed, and why; Retry looks again', async () => {
  fail(mediaApi.likely, 503, { code: 'unavailable', message: 'The database is unavailable.' })
  await open('/media/new')
  expect(await screen.findByText('Failed to look for duplicates')).toBeDefined()
  expect(screen.getByText('Server error. Please try again later. The database is unavailable.')).toBeDefined()
  answer(mediaApi.likely, { data: [{ entity: other, evidence: { titles: ['Kokoro!'], daysApart: 0 } }] })
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: /Kokoro!/ })).toBeDefined()
  expect(screen.queryByText('Failed to look for duplicates')).toBeNull()
})

test('what is known of the duplicates of a new entry stays until the next answer', async () => {
  fail(mediaApi.likely, 409)
  await open('/media/new')
  const failed = () => screen.queryByText('Failed to look for duplicates') !== null
  const match = () => screen.queryByRole('link', { name: /Kokoro!/ }) !== null
  await waitFor(() => expect(failed()).toBe(true))
  const asked = () => requests.filter(({ path }) => path === '/api/media/duplicates').length
  const ask = async (title: string) => {
    const before = asked()
    const release = hold(mediaApi.likely)
    await write({ mediaType: 'ANIME', translations: titled(title), isOngoing: true, releaseDate: one.releaseDate })
    await waitFor(() => expect(asked()).toBeGreaterThan(before))
    return release
  }
  // Longer than the editor waits before it asks.
  const writeInvalid = async () => {
    await write('{')
    await new Promise((resolve) => setTimeout(resolve, 700))
  }
  const fails = await ask('Kokor')
  expect(failed()).toBe(true)
  fails()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Retry' }).getAttribute('aria-disabled')).toBeNull())
  await writeInvalid()
  expect([failed(), match()]).toEqual([true, false])
  answer(mediaApi.likely, { data: [{ entity: other, evidence: { titles: ['Kokoro!'], daysApart: 0 } }] })
  const finds = await ask('Kokoro')
  expect(failed()).toBe(true)
  finds()
  await waitFor(() => expect([failed(), match()]).toEqual([false, true]))
  await writeInvalid()
  expect([failed(), match()]).toEqual([false, true])
  answer(mediaApi.likely, { data: [] })
  const findsNothing = await ask('Kokoro!!')
  expect(match()).toBe(true)
  findsNothing()
  await waitFor(() => expect(match()).toBe(false))
})

test('dates that differ in the time only are told apart', async () => {
  const second = { ...one, _id: 'm2', releaseDate: '1914-04-20T15:00:00.000Z' }
  list.media(one, second)
  answer(mediaApi.find, ({ path }) => aFound(path.endsWith('m1') ? one : second))
  await open('/media')
  for (const box of await main().findAllByRole('checkbox', { name: 'Select Kokoro' })) await userEvent.click(box)
  await userEvent.click(await screen.findByRole('button', { name: 'Merge' }))
  const group = await screen.findByRole('group', { name: 'Release date' })
  expect(group.textContent).toMatch(/April 20, 1914April 20, 1914 at 03:00\sPM UTC$/)
  const whole = screen.getByRole('group', { name: 'Which one do you want to keep?' })
  expect(whole.textContent).toMatch(/April 20, 1914 at 03:00\sPM UTC/)
})

describe('two entries that look the same', () => {
  const same = aMedia({ _id: 'm1', translations: titled('Kokoro') })
  const choices = async (second: MediaRow, language: 'en' | 'zh' = 'en') => {
    list.media(aFound(same), aFound(second))
    answer(mediaApi.find, ({ path }) => aFound(path.endsWith('m1') ? same : second))
    await open('/media', { language })
    const user = userEvent.setup()
    const boxes = await main().findAllByRole('checkbox', { name: /Kokoro/ })
    for (const box of boxes) await user.click(box)
    await user.click(await screen.findByRole('button', { name: language === 'zh' ? '合并' : 'Merge' }))
    const group = await screen.findByRole('group', { name: /Which one|保留哪一个/ })
    return within(group)
      .getAllByRole('radio')
      .map((radio) => radio.closest('label')?.textContent)
  }

  const texts = { title: 'Kokoro', description: '' }
  const richer = aMedia({
    _id: 'm2',
    translations: { en: texts, ja: texts },
    releaseDate: '2026-02-05T00:00:00.000Z',
    tags: [aTag({ _id: 't1' }), aTag({ _id: 't2' })],
    createdAt: '2025-01-05T00:00:00.000Z',
  })

  test('are told apart by what differs: their date, languages, links and creation', async () => {
    const [first, last] = await choices(richer)
    expect(first).toMatch(/1 language · 0 links · created /)
    expect(last).toMatch(/February 5, 2026 · 2 languages · 2 links · created January 5, 2025/)
  })

  test('are told apart in Chinese, too', async () => {
    expect((await choices(richer, 'zh'))[1]).toMatch(/2026年2月5日 · 2 种语言 · 2 个关联 · 创建于 2025年1月5日/)
  })

  test('are told apart by their ids if nothing else differs', async () => {
    expect(await choices(aMedia({ _id: 'm2', translations: titled('Kokoro') }))).toEqual([
      expect.stringMatching(/m1$/),
      expect.stringMatching(/m2$/),
    ])
  })
})
