// What the history of a media item shows, compares and restores.
import { assetsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { findingsApi } from '@mokuroku/contract/findings'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { type RevisionRow, revisionsApi } from '@mokuroku/contract/revisions'
import { usersApi } from '@mokuroku/contract/users'
import { act, cleanup, fireEvent, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { escapeToRows } from '#ui/escapeToRows.ts'
import {
  aMedia,
  answer,
  aUser,
  currentUrl,
  fail,
  findToast,
  list,
  main,
  open,
  reader,
  requests,
  withoutServer,
} from './testing.tsx'

withoutServer()
beforeAll(escapeToRows)

const moment = '2026-01-05T00:00:00.000Z'
/** The titles that were written, oldest first. */
let titles: string[]

const aRow = (version: number, more: Partial<RevisionRow> = {}): RevisionRow => ({
  _id: `r${version}`,
  entityType: 'Media',
  entityId: 'm',
  version,
  action: version === 1 ? 'create' : 'update',
  origin: 'person',
  batch: null,
  reason: null,
  username: 'mori',
  userId: 'u1',
  paths: version === 1 ? [] : ['translations.en.title'],
  createdAt: moment,
  ...more,
})
const snapshot = (version: number) => ({
  translations: { en: { title: titles[version - 1], description: '' } },
  isOngoing: version === 1,
})
const restored = () => requests.filter(({ method }) => method === 'POST').map(({ path, body }) => ({ path, body }))
const versions = async () => within(await main().findByRole('list', { name: 'Versions' })).getAllByRole('listitem')
const differences = () => [...document.querySelectorAll('ul del, ul ins')].map(({ textContent }) => textContent)
const compareFirst = async () =>
  userEvent.click(await main().findByRole('link', { name: 'Compare with now: version 1' }))
const title = (verb = 'Restore title (English) from version 1') => main().findByRole('button', { name: verb })

beforeEach(() => {
  titles = ['One', 'Two']
  answer(mediaApi.find, aMedia())
  answer(findingsApi.decisions, { data: [] })
  answer(charactersApi.ofMedia, [])
  answer(ratingsApi.ofMedia, [])
  answer(assetsApi.list, { data: [], pagination: { total: 0, limit: 20, skip: 0 } })
  list.media()
  answer(revisionsApi.list, ({ query: { skip = '0', limit = '20' } }) => ({
    data: titles
      .map((_, at) => aRow(at + 1))
      .toReversed()
      .slice(Number(skip), Number(skip) + Number(limit)),
  }))
  answer(revisionsApi.find, ({ path }) => {
    const version = Number(path.split('/r').at(-1))
    return { ...aRow(version), snapshot: snapshot(version) }
  })
  answer(revisionsApi.restore, { success: true, entityType: 'Media', entityId: 'm', version: 3, isChanged: true })
})

test('a history that fails to load shows an error, and loads on Retry', async () => {
  answer(findingsApi.find, { data: [], dismissed: [] })
  fail(revisionsApi.list, 500, { message: 'No' })
  await open('/media/m?tab=history')
  expect(await main().findByText('Failed to load the history')).toBeDefined()
  answer(revisionsApi.list, { data: [aRow(1)] })
  await userEvent.click(main().getByRole('button', { name: 'Retry' }))
  expect(await versions()).toHaveLength(1)
})

test('dismissals of findings, and their undoing, are listed between the versions with their user', async () => {
  titles = Array.from({ length: 22 }, (_, at) => `Title ${at}`)
  const at = (version: number) => `2026-01-05T00:${String(version).padStart(2, '0')}:00.000Z`
  answer(revisionsApi.list, ({ query: { skip = '0', limit = '20' } }) => ({
    data: titles
      .map((_, before) => aRow(before + 1, { createdAt: at(2 * before) }))
      .toReversed()
      .slice(Number(skip), Number(skip) + Number(limit)),
  }))
  const by = { userId: 'u2', username: 'sei' }
  answer(findingsApi.decisions, {
    data: [
      { _id: 'd3', code: 'copied', language: 'ja', isDismissed: false, ...by, createdAt: at(59) },
      { _id: 'd2', code: 'copied', language: 'ja', isDismissed: true, ...by, createdAt: at(41) },
      { _id: 'd1', code: 'noCover', isDismissed: true, userId: '', username: 'system', createdAt: at(1) },
    ],
  })
  await open('/media/m?tab=history')
  await main().findByText('Reopened: The text in Japanese equals the Japanese or original one.')
  const rows = await versions()
  expect(rows).toHaveLength(22)
  expect(rows[0]?.textContent).toContain('Reopened')
  expect(rows[0]?.textContent).toContain('sei')
  expect(rows[2]?.textContent).toContain('Dismissed: The text in Japanese')
  await userEvent.click(main().getByRole('button', { name: 'Next' }))
  await main().findByText('Dismissed: There is no cover.')
  expect((await versions()).map(({ textContent }) => /Dismissed/.test(textContent ?? ''))).toEqual([false, true, false])
})

test.each([
  [4, 'says that older ones are not kept', 1, 'Nothing (older versions are not kept)'],
  [1, 'that are all there says nothing', 0, 'Nothing (before it was created)'],
])('a list of versions from %i on %s; the oldest is compared with nothing', async (first, _says, count, nothing) => {
  titles = ['One', 'Two', 'Three', 'Four', 'Five']
  answer(revisionsApi.list, { data: [aRow(first + 1), aRow(first)] })
  await open('/media/m?tab=history')
  const rows = await versions()
  expect(main().queryAllByText('Older versions are not kept.')).toHaveLength(count)
  await userEvent.click(within(rows[1] ?? document.body).getAllByRole('link')[0] ?? document.body)
  const from = await main().findByLabelText<HTMLSelectElement>('From')
  expect(from.selectedOptions[0]?.textContent).toBe(nothing)
})

test('the list has pages of twenty, and compares each version with the previous one', async () => {
  titles = Array.from({ length: 22 }, (_, at) => `Title ${at}`)
  await open('/media/m?tab=history')
  const rows = await versions()
  expect(rows).toHaveLength(20)
  await userEvent.click(within(rows.at(-1) ?? document.body).getAllByRole('link')[0] ?? document.body)
  await waitFor(() => expect(differences()).toEqual(['1', '2']))
  await userEvent.click(main().getByRole('button', { name: 'Next' }))
  await waitFor(async () => expect(await versions()).toHaveLength(2))
  expect(currentUrl()).toContain('page=2')
  await userEvent.click(main().getByRole('link', { name: 'Compare with now: version 2' }))
  await waitFor(() => expect(differences()).toEqual(['1', '21']))
})

test('quick presses of Next and Previous all count, up to the last page that is known', async () => {
  titles = Array.from({ length: 62 }, (_, at) => `Title ${at}`)
  await open('/media/m?tab=history')
  await versions()
  const press = (name: string) =>
    act(() => {
      for (let at = 0; at < 3; at += 1) fireEvent.click(main().getByRole('button', { name }))
    })
  press('Next')
  await waitFor(() => expect(currentUrl()).toContain('page=2'))
  await userEvent.click(main().getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(currentUrl()).toContain('page=3'))
  press('Previous')
  await waitFor(() => expect(currentUrl()).toContain('page=1'))
})

test('a change of only the time of a date, or of only the order of a list, says what has changed', async () => {
  answer(revisionsApi.find, ({ path }) => {
    const version = Number(path.split('/r').at(-1))
    const others = Array.from({ length: 1198 }, (_, at) => `Name ${at}`)
    const aliases = [...(version === 1 ? ['One', 'Two'] : ['Two', 'One']), ...others]
    const releaseDate = version === 1 ? '2023-09-29T00:00:00.000Z' : '2023-09-29T15:00:00.000Z'
    return { ...aRow(version), snapshot: { translations: {}, aliases, releaseDate } }
  })
  await open('/media/m?tab=history')
  await compareFirst()
  await main().findByText('Different order')
  expect(main().getByText('1,200 unchanged')).toBeDefined()
  expect(differences()).toEqual(['September 29, 2023', expect.stringMatching(/^September 29, 2023 at 03:00\sPM UTC$/)])
})

test('versions can be browsed and restored with the keyboard alone', async () => {
  await open('/media/m?tab=history')
  const [first] = await versions()
  await userEvent.keyboard('j')
  const link = within(first ?? document.body).getAllByRole('link')[0]
  expect(document.activeElement).toBe(link)
  await userEvent.keyboard('{Enter}')
  const restore = await title()
  expect(document.activeElement).toBe(link)
  restore.focus()
  await userEvent.keyboard('{Enter}')
  expect(await findToast('Restored from version 1')).toBeDefined()
  expect(restored()[0]?.body).toMatchObject({ paths: ['translations.en.title'], base: 2 })
})

test('“Compare with now” moves the focus to the comparison, and j returns from there to the version', async () => {
  await open('/media/m?tab=history')
  const [, second] = await versions()
  const link = within(second ?? document.body).getByRole('link', { name: /^Compare with now/ })
  link.focus()
  await userEvent.keyboard('{Enter}')
  await title()
  expect(document.activeElement?.textContent).toBe('Comparison')
  await userEvent.keyboard('j')
  expect(document.activeElement).toBe(within(second ?? document.body).getAllByRole('link')[0])
})

test('a failed restore shows an error, and can be retried', async () => {
  await open('/media/m?tab=history')
  await compareFirst()
  fail(revisionsApi.restore, 0)
  await userEvent.click(await title())
  expect((await findToast('Failed to restore the version')).textContent).toContain(
    'Network error. Please check your connection.',
  )
  answer(revisionsApi.restore, { success: true, entityType: 'Media', entityId: 'm', version: 3, isChanged: true })
  await userEvent.click(await title())
  expect(await findToast('Restored from version 1')).toBeDefined()
})

test('a restore of what others have restored already says so, and offers no Undo of their change', async () => {
  await open('/media/m?tab=history')
  await compareFirst()
  answer(revisionsApi.restore, { success: true, entityType: 'Media', entityId: 'm', version: 3, isChanged: false })
  await userEvent.click(await title())
  const said = await findToast('Nothing to restore: the values are already the same')
  expect(within(said).queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a user without permission sees the history, and why restoring is denied', async () => {
  await open('/media/m?tab=history', { as: reader })
  await compareFirst()
  const restore = await title()
  expect(restore.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(restore)
  expect(await findToast('Your tier “Reader” does not allow editing other people’s content.')).toBeDefined()
  expect(restored()).toEqual([])
})

describe('a conflicting restore is resolved by choosing a side', () => {
  test.each([
    ['Mine', ['translations.en.title', 'isOngoing'], ['translations.en.title']],
    ['Theirs', ['isOngoing'], []],
  ])('%s', async (side, paths, overwritten) => {
    await open('/media/m?tab=history')
    await compareFirst()
    const text = (value: string) => ({ translations: { en: { title: value, description: '' } } })
    fail(revisionsApi.restore, 412, {
      code: 'stale',
      message: 'Someone else changed this.',
      base: { ...text('Two'), isOngoing: false },
      mine: { ...text('One'), isOngoing: true },
      theirs: { ...text('Three'), isOngoing: false },
      conflicts: ['translations.en.title'],
      version: 3,
      updatedAt: moment,
    })
    await userEvent.click(await main().findByRole('button', { name: 'Restore all from version 1' }))
    const heading = await main().findByRole('heading', { name: 'Someone else changed this' })
    expect(document.activeElement).toBe(heading)
    const clash = within(main().getByRole('group', { name: 'Title (English)' }))
    expect(clash.getByText(/Three/)).toBeDefined()
    expect(clash.getByText(/One/)).toBeDefined()
    await userEvent.click(clash.getByRole('radio', { name: new RegExp(`^${side}`) }))
    answer(revisionsApi.restore, { success: true, entityType: 'Media', entityId: 'm', version: 4, isChanged: true })
    await userEvent.click(main().getByRole('button', { name: 'Save merged' }))
    expect(await findToast('Restored from version 1')).toBeDefined()
    expect(restored().at(-1)?.body).toEqual({ paths, base: 2, settled: { version: 3, paths: overwritten } })
  })
})

test('a version names the AI model or reference data that contributed to it', async () => {
  const run = { prompt: '', sources: [], startedAt: moment, milliseconds: 1, inputTokens: 1, outputTokens: 1 }
  const provenance = [
    { ...run, _id: '1', provider: 'model' as const, model: 'a-model-4.5', paths: [], isEstimate: false },
    { ...run, _id: '2', provider: 'reference' as const, model: 'bangumi-data', paths: [], isEstimate: false },
  ]
  answer(revisionsApi.list, { data: [aRow(2, { provenance }), aRow(1)] })
  await open('/media/m?tab=history')
  const [first] = await versions()
  expect(first?.textContent).toContain('AI: a-model-4.5')
  expect(first?.textContent).toContain('Reference data')
})

test('the history is shown in Chinese', async () => {
  await open('/media/m?tab=history', { language: 'zh' })
  const [first] = within(await main().findByRole('list', { name: '版本' })).getAllByRole('listitem')
  expect(first?.textContent).toContain('更改了')
  expect(first?.textContent).toContain('标题（英语）')
  await userEvent.click(main().getByRole('link', { name: '与当前版本对比：版本 1' }))
  expect(await main().findByText('2 处不同')).toBeDefined()
  expect(main().getByRole('button', { name: '恢复版本 1 的标题（英语）' })).toBeDefined()
})

test.each([
  ['/users/u/history', reader, 'Only moderators and administrators can see this.'],
  ['/settings/history', { ...reader, role: 'moderator' as const }, 'Only administrators can see this.'],
])('%s says to whoever may not read it who may, without a request', async (path, as, reason) => {
  answer(usersApi.find, aUser())
  answer(revisionsApi.list, { data: [] })
  await open(path, { as })
  expect((await main().findByRole('alert')).textContent).toContain(reason)
  expect(main().queryByRole('button', { name: 'Retry' })).toBeNull()
  expect(requests.filter(({ path: called }) => called.startsWith(revisionsApi.list.path))).toEqual([])
})

test('the editor of an account links to its history only for users who may read it', async () => {
  answer(usersApi.find, aUser())
  await open('/users/u/edit', { as: reader })
  const refused = await main().findByRole('button', { name: 'History' })
  expect(refused.title).toBe('Only moderators and administrators can see this.')
  cleanup()
  await open('/users/u/edit', { as: { ...reader, role: 'moderator' } })
  expect((await main().findByRole('link', { name: 'History' })).getAttribute('href')).toBe('/users/u/history')
})
