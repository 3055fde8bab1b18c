// The translation history and its dialogs.
import { type HistoryEntry, historyApi, type HistoryStatistics } from '@mokuroku/contract/history'
import { TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { languagesApi } from '@mokuroku/contract/languages'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { AREAS } from '#lib/areas.ts'
import { endOfMinute } from '#lib/days.ts'
import { router } from './routes.tsx'
import {
  answer,
  requests,
  fail,
  findToast,
  currentUrl,
  main,
  open,
  optionsOf,
  reader,
  select,
  withoutServer,
} from './testing.tsx'

withoutServer()

const moment = '2026-01-05T00:00:00.000Z'
const anEntry = (given: Partial<HistoryEntry> = {}): HistoryEntry => ({
  _id: 'h',
  entityType: 'Media',
  entityId: 'm',
  entityTitle: 'Kokoro',
  language: 'fr',
  field: 'title',
  oldValue: 'One',
  newValue: 'Two',
  updatedBy: 'mori',
  updatedById: 'me',
  isRolledBack: false,
  entityState: 'present',
  canRestore: false,
  rolledBackBy: null,
  rollbackReason: null,
  rolledBackAt: null,
  createdAt: moment,
  origin: 'person',
  batch: null,
  ...given,
})
const aRun = {
  _id: 'run',
  provider: 'model' as const,
  model: 'some-model-4',
  prompt: '',
  sources: [],
  startedAt: moment,
  milliseconds: 1,
  inputTokens: 1,
  outputTokens: 1,
  isEstimate: false,
}
const shows = (...data: HistoryEntry[]) => answer(historyApi.recent, { data })
const entries = () => within(main().getByRole('list', { name: 'Translation History' })).getAllByRole('listitem')
const found = async () => {
  await main().findByRole('list', { name: 'Translation History' })
  return entries()
}
const text = (element: Element | undefined, selector: string) =>
  [...(element?.querySelectorAll(selector) ?? [])].map(({ textContent }) => textContent)
const dialog = () => within(screen.getByRole('dialog'))
const askRollback = async () => {
  await userEvent.click(await main().findByRole('button', { name: /^Rollback/ }))
  return dialog()
}
const rollBack = async (reason: string) => {
  await userEvent.type(dialog().getByLabelText(/^Reason/), reason)
  await userEvent.click(dialog().getByRole('button', { name: 'Roll back' }))
}
const rollbacks = () => requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])

beforeEach(() => {
  const none = Object.fromEntries(TRANSLATED_KINDS.map((kind) => [kind, { filled: 0, of: 0 }])) as Record<
    Translated,
    { filled: number; of: number }
  >
  const unchanged = Object.fromEntries(
    TRANSLATED_KINDS.map((kind) => [kind.toLowerCase(), 0]),
  ) as HistoryStatistics['byEntityType']
  answer(languagesApi.list, {
    data: ['en', 'ja', 'zh-Hant'].map((tag) => ({
      tag,
      family: tag.slice(0, 2),
      wanted: false,
      name: tag,
      ...none,
    })),
  })
  answer(historyApi.statistics, {
    totalCount: 1234,
    rolledBackCount: 5,
    byEntityType: { ...unchanged, media: 1000, character: 200, tag: 34 },
  })
  shows(anEntry())
})

test('the statistics show how much was changed and rolled back', async () => {
  await open('/translations')
  for (const [name, value] of [
    ['Total Changes', '1,234'],
    ['Rolled Back', '5'],
    ['Media', '1,000'],
    ['Characters', '200'],
  ] as const) {
    const terms = await main().findAllByText(name)
    const term = terms.find(({ tagName }) => tagName === 'DT')
    await waitFor(() => expect(term?.parentElement?.textContent).toContain(value))
  }
})

test('language and type filters are kept in the URL, and cleared by Reset', async () => {
  await open('/translations')
  await found()
  await waitFor(() => expect(optionsOf('Language')).toContain('Traditional Chinese'))
  // Languages in use come after the common ones.
  expect(optionsOf('Language')).toEqual([
    'All Languages',
    'Chinese',
    'English',
    'Vietnamese',
    'French',
    'Russian',
    'Spanish',
    'Thai',
    'Japanese',
    'Traditional Chinese',
  ])
  expect(optionsOf('Type')).toEqual(['All Types', ...TRANSLATED_KINDS.map((kind) => AREAS[kind].en.name)])
  await userEvent.selectOptions(select('Language'), 'Thai')
  await waitFor(() => expect(currentUrl()).toBe('/translations?language=th'))
  await userEvent.selectOptions(select('Type'), 'Tag')
  await waitFor(() => expect(currentUrl()).toBe('/translations?entityType=Tag&language=th'))
  await waitFor(() =>
    expect(requests.findLast(({ path }) => path === historyApi.recent.path)?.query).toMatchObject({
      language: 'th',
      entityType: 'Tag',
    }),
  )
  router.history.back()
  await waitFor(() => expect(select('Type').value).toBe(''))
  router.history.forward()
  await waitFor(() => expect(select('Type').value).toBe('Tag'))
  expect(select('Language').value).toBe('th')
  await userEvent.click(main().getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(currentUrl()).toBe('/translations'))
  expect(select('Language').value).toBe('')
})

test('has pages of twenty, and disables Next when fewer arrive', async () => {
  answer(historyApi.recent, ({ query: { skip } }) => ({
    data: Array.from({ length: skip === '20' ? 1 : 20 }, (_, at) => anEntry({ _id: `${skip}-${at}` })),
  }))
  await open('/translations?language=fr')
  expect(await found()).toHaveLength(20)
  const button = (name: string) => main().getByRole<HTMLButtonElement>('button', { name })
  expect(button('Previous').disabled).toBe(true)
  await userEvent.click(button('Next'))
  await waitFor(() => expect(entries()).toHaveLength(1))
  expect(currentUrl()).toBe('/translations?language=fr&page=2')
  expect(main().getByText('Page 2')).toBeDefined()
  expect(button('Next').disabled).toBe(true)
  await userEvent.click(button('Previous'))
  await waitFor(() => expect(entries()).toHaveLength(20))
})

test('an empty result says so and offers Reset', async () => {
  shows()
  await open('/translations?language=fr')
  expect(await main().findByText('No translation history found')).toBeDefined()
  expect(main().getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true)
  shows(anEntry())
  // One beside the filters, one in the empty state.
  const resets = main().getAllByRole('button', { name: 'Reset' })
  expect(resets).toHaveLength(2)
  await userEvent.click(resets.at(-1) ?? document.body)
  expect(await found()).toHaveLength(1)
})

test('a trashed entry cannot be rolled back, and links to the trash only if it can be restored', async () => {
  shows(
    anEntry({ entityState: 'trashed', canRestore: true }),
    anEntry({ _id: 'i', entityState: 'trashed', oldValue: '', newValue: '' }),
  )
  await open('/translations')
  const [restorable, hidden] = await found()
  expect(restorable?.textContent).toContain('It is in the trash and cannot be rolled back.')
  expect(hidden?.textContent).toContain('This item is in the trash or deleted.')
  expect(main().queryByRole('button', { name: /^Rollback/ })).toBeNull()
  const links = main().getAllByRole('link', { name: 'Restore it first' })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/trash?kind=Media'])
})

test('rolling back an added text says that there was no text before', async () => {
  shows(anEntry({ oldValue: '', newValue: 'Le pauvre cœur' }))
  answer(historyApi.rollback, { success: true, data: anEntry() })
  await open('/translations')
  const question = await askRollback()
  expect(question.getByText(/There was no text before this change/)).toBeDefined()
  await rollBack('Not needed')
  expect(await findToast('Translation rolled back')).toBeDefined()
  expect(rollbacks()).toEqual([['/api/translation-history/rollback/h', { reason: 'Not needed' }]])
})

test('shows the current text if it has changed since, and overwrites only the text that was shown', async () => {
  const changed = (current: string) => ({ code: 'changed', message: 'The text has changed.', current })
  await open('/translations')
  await askRollback()
  fail(historyApi.rollback, 409, changed('Three'))
  await rollBack('Back to one')
  expect((await dialog().findByRole('status')).textContent).toContain('The text has changed since then')
  expect(text(screen.getByRole('dialog'), 'del')).toEqual(['Three'])
  expect(text(screen.getByRole('dialog'), 'ins')).toEqual(['One'])
  fail(historyApi.rollback, 409, changed('Four'))
  const overwrite = dialog().getByRole('button', { name: 'Overwrite and roll back' })
  await userEvent.click(overwrite)
  expect(await dialog().findByText(/The text has changed again\./)).toBeDefined()
  expect(text(screen.getByRole('dialog'), 'del')).toEqual(['Four'])
  answer(historyApi.rollback, { success: true, data: anEntry() })
  await userEvent.click(overwrite)
  expect(await findToast('Translation rolled back')).toBeDefined()
  expect(rollbacks().map(([, body]) => body)).toEqual([
    { reason: 'Back to one' },
    { reason: 'Back to one', current: 'Three' },
    { reason: 'Back to one', current: 'Four' },
  ])
})

test('rollbacks are not marked as destructive, because they can be undone', async () => {
  const batch = 'b1b1b1b1-0000-4000-8000-000000000000'
  shows(anEntry({ batch }))
  answer(historyApi.rollbackAll, { success: true, dryRun: true, batch, count: 1, changes: [anEntry()], skipped: [] })
  await open('/translations')
  const question = await askRollback()
  expect(question.getByRole('button', { name: 'Roll back' }).className).toContain('primary')
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(main().getByRole('button', { name: 'Roll back its whole batch' }))
  expect((await dialog().findByRole('button', { name: 'Roll back 1 change' })).className).toContain('primary')
})

test('reports that another user has already rolled back the change', async () => {
  // A retry of one whose response another test lost would be no failure.
  const _id = 'taken'
  shows(anEntry({ _id }))
  await open('/translations')
  await askRollback()
  fail(historyApi.rollback, 409, { code: 'rolledBack', message: 'This change has already been rolled back.' })
  shows(anEntry({ _id, isRolledBack: true, rolledBackBy: 'kay', rolledBackAt: moment, rollbackReason: 'First' }))
  await rollBack('Second')
  expect((await findToast('Failed to roll back translation')).textContent).toContain('already been rolled back')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the retry of a rollback whose response was lost is no failure', async () => {
  await open('/translations')
  await askRollback()
  fail(historyApi.rollback, 0)
  await rollBack('Spam')
  await findToast('Failed to roll back translation')
  fail(historyApi.rollback, 409, { code: 'rolledBack', message: 'This change has already been rolled back.' })
  await userEvent.click(dialog().getByRole('button', { name: 'Roll back' }))
  await findToast('Translation rolled back')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a failed rollback shows an error, and keeps the reason for a retry', async () => {
  await open('/translations')
  const question = await askRollback()
  fail(historyApi.rollback, 500, { message: 'No' })
  await rollBack('Back')
  expect((await findToast('Failed to roll back translation')).textContent).toContain(
    'Server error. Please try again later.',
  )
  expect(question.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('Back')
  answer(historyApi.rollback, { success: true, data: anEntry() })
  await userEvent.click(question.getByRole('button', { name: 'Roll back' }))
  expect(await findToast('Translation rolled back')).toBeDefined()
})

test('entries are named in the language of the console', async () => {
  shows(anEntry({ entityTranslations: { en: { name: 'Kokoro' }, 'zh-Hans': { name: '心' } } }))
  await open('/translations', { language: 'zh' })
  expect((await main().findByRole('link', { name: '心' })).getAttribute('lang')).toBe('zh-Hans')
})

test('users can roll back their own changes, and see why they cannot roll back others', async () => {
  shows(anEntry({ updatedById: 'other' }), anEntry({ _id: 'i', entityTitle: 'Botchan' }))
  const as = { ...reader, permissions: { ...reader.permissions, canEditOwnContent: true } }
  await open('/translations', { as })
  const theirs = await main().findByRole('button', { name: /^Rollback.*Kokoro/ })
  expect(theirs.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(theirs)
  expect(await findToast('Your tier “Reader” does not allow editing other people’s content.')).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(
    main()
      .getByRole('button', { name: /^Rollback.*Botchan/ })
      .getAttribute('aria-disabled'),
  ).not.toBe('true')
})

test('a change of a batch offers to roll back the whole batch', async () => {
  const batch = 'b1b1b1b1-0000-4000-8000-000000000000'
  shows(anEntry({ batch }))
  answer(historyApi.rollbackAll, ({ body }) => ({
    success: true,
    dryRun: (body as { dryRun?: boolean }).dryRun ?? false,
    batch,
    count: 1,
    changes: [anEntry({ batch })],
    skipped: [],
  }))
  await open('/translations')
  await userEvent.click(await main().findByRole('button', { name: 'Roll back its whole batch' }))
  expect(dialog().getByRole('heading', { name: 'Roll back a batch' })).toBeDefined()
  expect(await dialog().findByText('1 change would be rolled back')).toBeDefined()
  await userEvent.type(dialog().getByLabelText(/^Reason/), 'It was right')
  await userEvent.click(dialog().getByRole('button', { name: 'Roll back 1 change' }))
  expect(await dialog().findByText('1 change rolled back')).toBeDefined()
  expect(rollbacks().at(-1)?.[1]).toMatchObject({ batch, reason: 'It was right' })
  await userEvent.click(dialog().getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('why a preview of a batch failed follows a full-width colon in Chinese, without a space', async () => {
  shows(anEntry({ batch: 'b1b1b1b1-0000-4000-8000-000000000000' }))
  fail(historyApi.rollbackAll, 503)
  await open('/translations', { language: 'zh' })
  await userEvent.click(await main().findByRole('button', { name: '回滚整个批量操作' }))
  expect((await dialog().findByRole('alert')).textContent).toBe('无法生成预览：服务器错误，请稍后再试。')
})

test('a preview of a batch that failed can be repeated', async () => {
  const batch = 'b1b1b1b1-0000-4000-8000-000000000000'
  shows(anEntry({ batch }))
  fail(historyApi.rollbackAll, 503)
  await open('/translations')
  await userEvent.click(await main().findByRole('button', { name: 'Roll back its whole batch' }))
  await dialog().findByText(/^Failed to create the preview/)
  answer(historyApi.rollbackAll, { success: true, dryRun: true, batch, count: 1, changes: [anEntry()], skipped: [] })
  await userEvent.click(dialog().getByRole('button', { name: 'Preview' }))
  expect(await dialog().findByText('1 change would be rolled back')).toBeDefined()
})

test('a bulk rollback starts at the field for the user', async () => {
  shows(anEntry())
  await open('/translations')
  await userEvent.click(await main().findByRole('button', { name: 'Bulk rollback' }))
  expect(document.activeElement).toBe(dialog().getByRole('combobox', { name: 'User' }))
})

test('a bulk rollback includes the newest change on screen, also if the clock of the browser is behind', async () => {
  const later = new Date(Date.now() + 13 * 3_600_000)
  shows(anEntry(), anEntry({ _id: 'i', createdAt: later.toISOString() }))
  await open('/translations')
  await userEvent.click(await main().findByRole('button', { name: 'Bulk rollback' }))
  const until = dialog().getByLabelText<HTMLInputElement>('To').value
  expect(endOfMinute(until).getTime()).toBeGreaterThanOrEqual(later.getTime())
})

test('an AI change names the model; reference data is not labelled as AI', async () => {
  shows(anEntry({ ai: aRun }), anEntry({ _id: 'i', ai: { ...aRun, provider: 'reference', model: 'bangumi-data' } }))
  await open('/translations')
  const [model, reference] = await found()
  expect(model?.textContent).toContain('AI: some-model-4')
  expect(reference?.textContent).toContain('Reference data')
  expect(reference?.textContent).not.toContain('AI')
})

test('a long text is shortened to the change, and expanded on request', async () => {
  const around = 'It was a dark and stormy night; the rain fell in torrents. '.repeat(5)
  shows(anEntry({ oldValue: `${around}old ${around}`, newValue: `${around}new ${around}` }))
  await open('/translations')
  const [entry] = await found()
  const shown = () => entry?.querySelector('p[lang="fr"]')?.textContent
  expect(shown()).toMatch(/^….*oldnew.*…$/)
  await userEvent.click(main().getByRole('button', { name: 'Show all' }))
  expect(shown()?.trim()).toBe(`${around}oldnew ${around.trim()}`)
})

test('the screen and the rollback dialog are shown in Chinese', async () => {
  await open('/translations', { language: 'zh' })
  expect(await screen.findByRole('heading', { level: 1, name: '翻译历史' })).toBeDefined()
  const names = ['全部语言', '中文', '英语', '越南语', '法语', '俄语', '西班牙语', '泰语']
  expect(optionsOf('语言').slice(0, 8)).toEqual(names)
  await userEvent.click(await main().findByRole('button', { name: /^回滚/ }))
  await userEvent.click(dialog().getByRole('button', { name: '回滚' }))
  expect(dialog().getByText('请输入原因')).toBeDefined()
})
