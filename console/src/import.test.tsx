import { batchesApi } from '@mokuroku/contract/batches'
import { type Import, type ImportRow, importsApi } from '@mokuroku/contract/imports'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { undoByKey } from '#ui/undoByKey.ts'
import { queryClient } from '#api/queryClient.ts'
import {
  aBatch,
  anImport,
  answer,
  answerEvent,
  currentUrl,
  fail,
  findToast,
  hold,
  main,
  open,
  reader,
  requests,
  signInAgain,
  withoutServer,
} from './testing.tsx'

withoutServer()
beforeAll(undoByKey)

const sentTo = (end: string) => requests.filter(({ path }) => path.endsWith(end)).length

const aRow = (more: Partial<ImportRow>): ImportRow => ({
  row: 2,
  outcome: 'new',
  cells: { 'Title (English)': 'A quiet harbour', Werk: 'x' },
  reason: null,
  errors: [],
  _id: null,
  kind: null,
  match: null,
  matchRow: null,
  changes: [],
  ...more,
})
const ROWS = [
  aRow({}),
  aRow({
    row: 3,
    outcome: 'changed',
    _id: 'm',
    kind: 'Media',
    match: 'Kokoro',
    changes: [{ path: 'translations.en.title', from: 'Kokoro', to: 'Kokoro revised' }],
  }),
  aRow({
    row: 4,
    outcome: 'refused',
    reason: 'mediaType: Must be one of ANIME',
    cells: { 'Title (English)': 'A noisy harbour' },
    errors: [
      {
        path: 'mediaType',
        message: 'Must be one of ANIME, MANGA, NOVEL',
        code: 'oneOf',
        params: { values: ['ANIME', 'MANGA', 'NOVEL'] },
      },
      { path: 'translations.en.title', message: 'Must have at most 5 characters' },
    ],
  }),
  aRow({ row: 5, outcome: 'duplicates', matchRow: 2 }),
]
const withRows = (one: Import) => ({ ...one, rows: ROWS, pagination: { total: 4, page: 1, limit: 20 } })

test('lists imports, takes the kind from the URL, and offers to check pasted cells', async () => {
  answer(importsApi.list, { data: [{ ...anImport(), rollback: null }], pagination: { total: 1, page: 1, limit: 20 } })
  answer(importsApi.create, anImport())
  answer(importsApi.find, withRows(anImport()))
  await open('/import?kind=Tag')
  expect(await screen.findByRole('link', { name: 'spring.csv' })).toBeDefined()
  expect(screen.getByLabelText('Row type')).toHaveProperty('value', 'Tag')
  await userEvent.type(screen.getByLabelText('Or paste cells'), 'name')
  expect(screen.getByRole('button', { name: 'Check pasted rows' })).toBeDefined()
})

test('buttons say why there is nothing to import, to check or to add', async () => {
  answer(importsApi.list, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  await open('/import')
  await userEvent.click(await screen.findByRole('button', { name: 'Check pasted rows' }))
  await findToast('Paste cells into the field first.')
  cleanup()
  answer(
    importsApi.find,
    withRows(anImport({ counts: { new: 0, changed: 0, unchanged: 4, refused: 0, duplicates: 0 } })),
  )
  await open('/import/one')
  expect((await screen.findByRole('button', { name: 'Import' })).title).toBe('Nothing would change.')
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  await findToast('Enter a language tag, such as ko or pt-BR.')
  expect(requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/imports'))).toEqual([])
})

test('an import that failed leads to choosing another file for the same kind', async () => {
  const reason = 'This workbook is damaged and cannot be read. Save it again, or as CSV.'
  const one = anImport({ entityType: 'Tag', state: 'failed', total: 0, reason })
  answer(importsApi.find, { ...one, rows: [], pagination: { total: 0, page: 1, limit: 20 } })
  await open('/import/one')
  expect(await main().findByText(reason)).toBeDefined()
  expect(main().getByRole('link', { name: 'Choose another file' }).getAttribute('href')).toBe('/import?kind=Tag')
  expect(main().queryByRole('button', { name: 'Check again' })).toBeNull()
})

test.each([
  { state: 'failed', reason: 'The account was not active at that time.' },
  { state: 'cancelled', reason: null },
] as const)('an import that is $state can be checked again once all of its rows have been read', async (ended) => {
  answer(importsApi.find, withRows(anImport(ended)))
  answer(importsApi.map, anImport({ state: 'checking' }))
  await open('/import/one')
  expect(await main().findByText(ended.reason ?? 'This import was cancelled.')).toBeDefined()
  await userEvent.click(main().getByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(sentTo('/mapping')).toBe(1))
  const { mapping, emptyCells } = anImport()
  expect(requests.find(({ path }) => path.endsWith('/mapping'))?.body).toEqual({ mapping, emptyCells })
})

test('users are first offered the kind of rows that they may write', async () => {
  answer(importsApi.list, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  const permissions = { ...reader.permissions, canCreateTag: true }
  await open('/import', { as: { ...reader, permissions } })
  expect(await screen.findByLabelText('Row type')).toHaveProperty('value', 'Tag')
  expect(main().queryByRole('link', { name: 'Your permissions' })).toBeNull()
  await userEvent.selectOptions(screen.getByLabelText('Row type'), 'Media')
  expect(await main().findByRole('link', { name: 'Your permissions' })).toBeDefined()
  expect(currentUrl()).toBe('/import?kind=Media')
})

test('of several files dropped anywhere, none is uploaded', async () => {
  answer(importsApi.list, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  await open('/import')
  const files = [new File(['name'], 'spring.csv'), new File(['name'], 'autumn.csv')]
  await screen.findByText('Choose a file, or drop it here')
  const isLeft = fireEvent.drop(main().getByRole('heading', { level: 1 }), {
    dataTransfer: { types: ['Files'], files },
  })
  expect(isLeft).toBe(false)
  expect(await findToast('Choose one file at a time.')).toBeDefined()
  expect(screen.queryByRole('progressbar')).toBeNull()
})

test('a file of a user who may not import is answered with the reason, and the way to the permissions', async () => {
  answer(importsApi.list, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  await open('/import', { as: reader })
  const reason = 'Your tier “Reader” does not allow adding media.'
  expect(await main().findByText(reason)).toBeDefined()
  expect(main().getByRole('link', { name: 'Your permissions' }).getAttribute('href')).toBe('/profile')
  await userEvent.upload(main().getByLabelText(/^Choose a file/), new File(['name'], 'spring.csv'), {
    applyAccept: false,
  })
  // As a toast, too.
  await waitFor(() => expect(screen.getAllByText(reason)).toHaveLength(2))
  expect(requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/imports'))).toEqual([])
})

test('an import previews the outcome of each row, and is applied with the likely duplicates on request', async () => {
  answer(importsApi.find, withRows(anImport()))
  answer(importsApi.apply, { batch: 'b' })
  await open('/import/one')
  expect(await screen.findByText('1 row will be created, 1 row will be changed')).toBeDefined()
  expect(screen.getByText('2 rows will be left out')).toBeDefined()
  const rows = within(await screen.findByRole('table', { name: 'Rows' }))
  expect(rows.getByText('revised', { exact: false })).toBeDefined()
  expect(rows.getByText('Must be one of Anime, Manga, Novel', { exact: false })).toBeDefined()
  expect(rows.getByLabelText('Title (English)')).toHaveProperty('value', 'A noisy harbour')
  expect(rows.getByText('Probably the same as row 2')).toBeDefined()
  await userEvent.click(main().getByRole('button', { name: /^Refused/ }))
  await waitFor(() => expect(currentUrl()).toContain('outcome=refused'))
  await userEvent.selectOptions(screen.getByLabelText('Likely duplicates'), 'write')
  expect(screen.getByText('2 rows will be created, 1 row will be changed')).toBeDefined()
  await userEvent.click(main().getByRole('button', { name: 'Import' }))
  await waitFor(() =>
    expect(requests.find(({ path }) => path.endsWith('/apply'))?.body).toEqual({ duplicates: 'write' }),
  )
})

const faulty = (row: number, cells: Record<string, string>, ...paths: string[]) =>
  aRow({ row, outcome: 'refused', cells, errors: paths.map((path) => ({ path, message: 'Is wrong' })) })
const REFUSED = [
  faulty(3, { Title: 'One', Tags: 'Quiet; Loud', Date: 'spring' }, 'tags.0', 'tags.1', 'releaseDate'),
  faulty(4, { Title: '', Tags: '', Date: 'autumn' }, 'translations', 'releaseDate', 'mediaType'),
]
const refusedOnly = (more: Partial<Import> = {}) => ({
  ...anImport({ mapping: { Title: 'translations.en.title', Tags: 'tags', Date: 'releaseDate' }, ...more }),
  rows: REFUSED,
  pagination: { total: 2, page: 1, limit: 20 },
})

test('the cells of refused rows are corrected with the keyboard, and sent together', async () => {
  answer(importsApi.find, refusedOnly())
  answer(importsApi.correct, refusedOnly({ state: 'checking' }))
  await open('/import/one')
  const dates = await main().findAllByLabelText('Release date')
  expect(dates.map((each) => (each as HTMLInputElement).value)).toEqual(['spring', 'autumn'])
  // One field for both tags; the type has no column.
  expect(main().getAllByLabelText(/^(Tags|Type)/)).toHaveLength(1)
  await userEvent.clear(dates[0] as HTMLElement)
  await userEvent.keyboard('2026-04-01{Enter}Two{Enter}2026-10-01')
  expect(main().getByText('3 cells corrected')).toBeDefined()
  await userEvent.clear(dates[1] as HTMLElement)
  await userEvent.keyboard('autumn')
  expect(main().getByText('2 cells corrected')).toBeDefined()
  await userEvent.keyboard('{Enter}{Enter}')
  await waitFor(() =>
    expect(requests.find(({ path }) => path.endsWith('/cells'))?.body).toEqual({
      corrections: [
        { row: 3, header: 'Date', text: '2026-04-01' },
        { row: 4, header: 'Title', text: 'Two' },
      ],
    }),
  )
  await waitFor(() => expect(main().queryByText(/corrected/)).toBeNull())
})

test('after corrections, the next cell has the focus once the rows are those of the finished check', async () => {
  answer(importsApi.find, refusedOnly())
  answer(importsApi.correct, refusedOnly({ state: 'checking' }))
  await open('/import/one?outcome=refused')
  const [date] = await main().findAllByLabelText('Release date')
  await userEvent.clear(date as HTMLElement)
  await userEvent.keyboard('2026-04-01')
  let isFirst = true
  answer(importsApi.find, ({ query }) => {
    if (query.outcome === undefined || !isFirst) return refusedOnly()
    isFirst = false
    return { ...refusedOnly({ state: 'checking' }), rows: [] }
  })
  await userEvent.click(main().getByRole('button', { name: 'Save and check again' }))
  await waitFor(() => expect(document.activeElement?.matches('[data-cell]')).toBe(true))
  expect(document.activeElement).toBe(main().getAllByLabelText('Tags')[0])
})

test('once nothing is left to correct, the summary is announced and has the focus', async () => {
  answer(importsApi.find, refusedOnly())
  answer(importsApi.correct, refusedOnly({ state: 'checking', progress: { done: 0, total: 4 } }))
  await open('/import/one?outcome=refused')
  const region = (await main().findByText(/will be left out/)).closest('[role="status"]')
  const [date] = await main().findAllByLabelText('Release date')
  await userEvent.clear(date as HTMLElement)
  await userEvent.keyboard('2026-04-01')
  const none = { rows: [], pagination: { total: 0, page: 1, limit: 20 } }
  let isFirst = true
  answer(importsApi.find, ({ query }) => {
    if (query.outcome === undefined || !isFirst) {
      const counts = { new: 4, changed: 0, unchanged: 0, refused: 0, duplicates: 0 }
      return { ...anImport({ counts }), ...none }
    }
    isFirst = false
    return { ...anImport({ state: 'checking' }), ...none }
  })
  await userEvent.keyboard('{Control>}s{/Control}')
  await waitFor(() => expect(document.activeElement).toBe(region))
  expect(region?.textContent).toBe('4 rows will be created')
})

test('a refused status is answered with its words, not with those of the file format', async () => {
  const error = { path: 'isOngoing', message: 'Must be true or false', code: 'boolean' }
  const row = aRow({ outcome: 'refused', errors: [error] })
  answer(importsApi.find, { ...withRows(anImport()), rows: [row] })
  await open('/import/one')
  expect(await main().findByText('Must be one of Completed, Ongoing', { exact: false })).toBeDefined()
})

test('corrections that were saved do not go back to the old cells if the rows cannot be refreshed', async () => {
  answer(importsApi.find, refusedOnly())
  answer(importsApi.correct, refusedOnly({ state: 'checking' }))
  await open('/import/one')
  const [title] = await main().findAllByLabelText('Title (English)')
  await userEvent.type(title as HTMLElement, 'Two')
  fail(importsApi.find, 409, { message: 'Too old' })
  await userEvent.click(main().getByRole('button', { name: 'Save and check again' }))
  await main().findByText('Not refreshed: Too old')
  const row = main().getByText('Two').closest('tr') as HTMLElement
  expect(within(row).getByText('Waiting')).toBeDefined()
  expect(within(row).queryByText('Is wrong', { exact: false })).toBeNull()
  expect(main().getByRole('progressbar')).toBeDefined()
})

test('an import that is checked once more does not show the end of the last check meanwhile', async () => {
  let one = anImport({ state: 'checking' })
  answer(importsApi.find, () => withRows(one))
  answerEvent(importsApi.stream, { event: 'import', id: '1', data: anImport() })
  await open('/import/one')
  expect(await main().findByText('Ready')).toBeDefined()
  const show = (next: Import) => {
    one = next
    return act(() => queryClient.invalidateQueries())
  }
  await show(anImport({ filename: 'loaded.csv' }))
  await main().findByText('loaded.csv')
  hold(importsApi.stream)
  await show(anImport({ state: 'checking' }))
  // Until it answers; after five seconds of silence, the state would be read.
  await waitFor(() => expect(requests.filter(({ path }) => path === '/api/imports/one/stream')).toHaveLength(2))
  expect(main().queryByText('Ready')).toBeNull()
  expect(main().getByText('Checking')).toBeDefined()
})

test('an import that is checked once more before the end of the last check was read is followed anew', async () => {
  let one = anImport({ state: 'checking' })
  answer(importsApi.find, () => withRows(one))
  answerEvent(importsApi.stream, { event: 'import', id: '1', data: anImport() })
  await open('/import/one')
  expect(await main().findByText('Ready')).toBeDefined()
  hold(importsApi.stream)
  one = anImport({ state: 'checking', version: 2 })
  await act(() => queryClient.invalidateQueries())
  expect(await main().findByText('Checking')).toBeDefined()
  expect(main().queryByText('Ready')).toBeNull()
})

test('Enter that ends the composition of a word stays in the cell', async () => {
  answer(importsApi.find, refusedOnly())
  await open('/import/one')
  const [first, second] = await main().findAllByLabelText('Release date')
  first?.focus()
  fireEvent.keyDown(first as HTMLElement, { key: 'Enter', keyCode: 229 })
  expect(document.activeElement).toBe(first)
  fireEvent.keyDown(first as HTMLElement, { key: 'Enter' })
  fireEvent.keyDown(document.activeElement as HTMLElement, { key: 'Enter' })
  expect(document.activeElement).toBe(second)
})

test('corrections are kept if they cannot be sent and on other pages, and are not left without a question', async () => {
  answer(importsApi.find, refusedOnly())
  fail(importsApi.correct, 409, { message: 'Too late' })
  await open('/import/one')
  await userEvent.type((await main().findAllByLabelText('Release date'))[0] as HTMLElement, '!')
  await userEvent.click(main().getByRole('button', { name: 'Save and check again' }))
  await findToast('Too late')
  await userEvent.click(main().getByRole('button', { name: /^Refused/ }))
  await waitFor(() => expect(currentUrl()).toContain('outcome=refused'))
  expect((await main().findAllByLabelText('Release date'))[0]).toHaveProperty('value', 'spring!')
  await userEvent.click(main().getByRole('link', { name: 'Back to Import' }))
  await screen.findByText('Your changes have not been checked yet, and are lost if you leave.')
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  await userEvent.click(main().getByRole('button', { name: 'Discard' }))
  expect((await main().findAllByLabelText('Release date'))[0]).toHaveProperty('value', 'spring')
})

test.each([
  ['a conflict', 412],
  ['no response', 502],
])('corrections name the version that they began with, and after %s the one that is shown', async (_, status) => {
  answer(importsApi.find, refusedOnly())
  await open('/import/one')
  await userEvent.type((await main().findAllByLabelText('Release date'))[0] as HTMLElement, '!')
  // Something else is stored, and refetched before the corrections are sent.
  answer(importsApi.find, refusedOnly({ version: 2 }))
  await act(() => queryClient.refetchQueries())
  const bases = () => requests.filter(({ path }) => path.endsWith('/cells')).map(({ base }) => base)
  fail(importsApi.correct, status, { message: 'Somebody else did', code: 'stale' })
  await userEvent.click(main().getByRole('button', { name: 'Save and check again' }))
  await screen.findByText(/Somebody else did|It may have gone through/)
  expect((await main().findAllByLabelText('Release date'))[0]).toHaveProperty('value', 'spring!')
  answer(importsApi.correct, refusedOnly({ version: 3 }))
  await userEvent.click(main().getByRole('button', { name: 'Save and check again' }))
  await waitFor(() => expect(bases()).toEqual(['"1"', '"2"']))
})

test('an import is not started, but can be deleted, while there are corrections that have not been checked', async () => {
  answer(importsApi.find, refusedOnly())
  answer(importsApi.list, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  answer(importsApi.remove, { success: true })
  await open('/import/one')
  await userEvent.type((await main().findAllByLabelText('Release date'))[0] as HTMLElement, '!')
  await userEvent.click(main().getByRole('button', { name: 'Import' }))
  await findToast('Check or discard your changes first.')
  await userEvent.click(main().getByRole('button', { name: 'Delete import' }))
  await waitFor(() => expect(currentUrl()).toBe('/import'))
  expect(requests.some(({ path }) => path.endsWith('/apply'))).toBe(false)
})

test('corrections are there after signing in again', async () => {
  answer(importsApi.find, refusedOnly())
  fail(importsApi.correct, 401)
  await open('/import/one')
  await userEvent.type((await main().findAllByLabelText('Release date'))[0] as HTMLElement, '!')
  await userEvent.click(main().getByRole('button', { name: 'Save and check again' }))
  await signInAgain('/import/one')
  expect((await main().findAllByLabelText('Release date'))[0]).toHaveProperty('value', 'spring!')
  await userEvent.click(main().getByRole('button', { name: 'Discard' }))
})

test('once an import is applied in another window, corrections of its cells are no longer offered', async () => {
  answer(importsApi.find, refusedOnly())
  await open('/import/one')
  const [date] = await main().findAllByLabelText('Release date')
  await userEvent.type(date as HTMLElement, ' 2026')
  expect(main().getByText('1 cell corrected')).toBeDefined()
  answer(importsApi.find, refusedOnly({ state: 'done', batch: 'b' }))
  fail(importsApi.correct, 409)
  await userEvent.click(main().getByRole('button', { name: 'Save and check again' }))
  await waitFor(() => expect(main().queryByText(/corrected/)).toBeNull())
  await findToast('Failed to correct the cells')
})

test('a cell of which only the beginning is shown, and those of an applied import, are not corrected', async () => {
  const long = { ...refusedOnly(), rows: [faulty(3, { Date: `${'x'.repeat(999)}…` }, 'releaseDate')] }
  answer(importsApi.find, long)
  await open('/import/one')
  await main().findByText('Is wrong', { exact: false })
  expect(main().queryByLabelText('Release date')).toBeNull()
  cleanup()
  answer(importsApi.find, refusedOnly({ state: 'done', batch: 'b' }))
  await open('/import/one')
  expect(await main().findAllByText('Is wrong', { exact: false })).not.toEqual([])
  expect(main().queryByLabelText('Release date')).toBeNull()
})

test('rows of translations link to their entry, and further languages cannot be added', async () => {
  const one = anImport({
    entityType: 'Translation',
    columns: [
      { header: 'id', samples: ['m'] },
      { header: 'lang', samples: ['ko'] },
      { header: 'name', samples: ['마음'] },
    ],
    mapping: { id: '_id', lang: 'language', name: 'title' },
    fields: ['_id', 'language', 'title', 'description'],
  })
  const row = aRow({
    outcome: 'new',
    cells: { id: 'm', lang: 'ko', name: '마음' },
    _id: 'm',
    kind: 'Character',
    match: 'Sensei',
    changes: [{ path: 'translations.ko.name', from: '', to: '마음' }],
  })
  answer(importsApi.find, { ...one, rows: [row], pagination: { total: 1, page: 1, limit: 20 } })
  await open('/import/one')
  expect((await screen.findByRole('link', { name: 'Sensei' })).getAttribute('href')).toBe('/characters/m')
  expect(screen.getByLabelText('Field of “lang”')).toHaveProperty('value', 'language')
  expect(screen.queryByLabelText('Add another language')).toBeNull()
})

test('a column is mapped to a field, also of a new language, and the rows are checked again', async () => {
  answer(importsApi.find, withRows(anImport()))
  answer(importsApi.map, anImport())
  await open('/import/one')
  await userEvent.type(await screen.findByLabelText('Add another language'), 'ko')
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  const field = screen.getByLabelText<HTMLSelectElement>('Field of “Werk”')
  // Its options are rendered when they are needed: a wide file in many languages would have tens of thousands.
  expect(field.options).toHaveLength(1)
  await userEvent.click(field)
  await userEvent.selectOptions(field, 'Title (Korean)')
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await waitFor(() =>
    expect(requests.find(({ path }) => path.endsWith('/mapping'))?.body).toEqual({
      mapping: { 'Title (English)': 'translations.en.title', Werk: 'translations.ko.title' },
      emptyCells: 'keep',
    }),
  )
})

test('after changed columns, the next cell to correct has the focus once the rows are checked', async () => {
  answer(importsApi.find, refusedOnly())
  answer(importsApi.map, refusedOnly({ state: 'checking' }))
  await open('/import/one')
  await userEvent.selectOptions(await screen.findByLabelText('Empty cells'), 'Clear existing values')
  let isFirst = true
  answer(importsApi.find, () => {
    const state = isFirst ? 'checking' : 'ready'
    isFirst = false
    return refusedOnly({ state, emptyCells: 'clear' })
  })
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(document.activeElement?.matches('[data-cell]')).toBe(true))
})

test('changed columns are neither left without a question nor passed over by an import, and can be discarded', async () => {
  answer(importsApi.find, withRows(anImport()))
  await open('/import/one')
  expect(await screen.findByLabelText('Empty cells')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull()
  const field = screen.getByLabelText<HTMLSelectElement>('Field of “Werk”')
  await userEvent.click(field)
  await userEvent.selectOptions(field, 'Original title')
  await userEvent.selectOptions(screen.getByLabelText('Empty cells'), 'clear')
  expect(screen.getByText('Changes not checked yet')).toBeDefined()
  await userEvent.click(main().getByRole('button', { name: 'Import' }))
  await findToast('Check or discard your changes first.')
  await userEvent.click(main().getByRole('link', { name: 'Back to Import' }))
  await screen.findByText('Your changes have not been checked yet, and are lost if you leave.')
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  expect(field.value).toBe('originalTitle')
  await userEvent.click(main().getByRole('button', { name: 'Discard' }))
  expect(field.value).toBe('')
  expect(screen.getByLabelText('Empty cells')).toHaveProperty('value', 'keep')
  expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull()
  expect(requests.some(({ path }) => path.endsWith('/apply'))).toBe(false)
})

test('after changed columns, corrections are checked', async () => {
  answer(importsApi.find, refusedOnly())
  await open('/import/one')
  await userEvent.type((await main().findAllByLabelText('Release date'))[0] as HTMLElement, '!')
  await userEvent.selectOptions(screen.getByLabelText('Empty cells'), 'clear')
  expect(screen.queryByText('1 cell corrected')).toBeNull()
  answer(importsApi.map, anImport())
  answer(importsApi.find, refusedOnly({ emptyCells: 'clear' }))
  await userEvent.click(main().getByRole('button', { name: 'Check again' }))
  expect(await screen.findByText('1 cell corrected')).toBeDefined()
  expect(screen.getByLabelText('Empty cells')).toHaveProperty('value', 'clear')
  await userEvent.click(main().getByRole('button', { name: 'Discard' }))
})

test('changed columns that were checked are not shown as changes once others have changed them back', async () => {
  answer(importsApi.find, withRows(anImport()))
  answer(importsApi.map, anImport())
  await open('/import/one')
  await userEvent.selectOptions(await screen.findByLabelText('Empty cells'), 'clear')
  answer(importsApi.find, withRows(anImport({ emptyCells: 'clear' })))
  await userEvent.click(main().getByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull())
  answer(importsApi.find, withRows(anImport()))
  await act(async () => queryClient.invalidateQueries())
  await waitFor(() => expect(screen.getByLabelText('Empty cells')).toHaveProperty('value', 'keep'))
  expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull()
})

test('changed columns are there after signing in again', async () => {
  answer(importsApi.find, withRows(anImport()))
  fail(importsApi.map, 401)
  await open('/import/one')
  await userEvent.type(await screen.findByLabelText('Add another language'), 'ko')
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  const field = screen.getByLabelText('Field of “Werk”')
  await userEvent.click(field)
  await userEvent.selectOptions(field, 'Title (Korean)')
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await signInAgain('/import/one')
  expect(await screen.findByLabelText('Field of “Werk”')).toHaveProperty('value', 'translations.ko.title')
  await userEvent.click(main().getByRole('button', { name: 'Discard' }))
})

test('an applied import links to its batch', async () => {
  answer(importsApi.find, withRows(anImport({ state: 'done', batch: 'b' })))
  answer(batchesApi.find, () => {
    throw new Error('it is followed')
  })
  await open('/import/one')
  expect(await screen.findByText('Imported')).toBeDefined()
  expect(screen.getByRole('link', { name: 'View batch' }).getAttribute('href')).toBe('/batches/b')
  expect(screen.queryByRole('table', { name: 'Columns' })).toBeNull()
})

test.each([
  [anImport().counts, 'Media', '2 items created or changed'],
  [{ ...anImport().counts, changed: 0 }, 'Media', '2 items created'],
  [{ ...anImport().counts, new: 0, duplicates: 0 }, 'Media', '2 items changed'],
  [{ ...anImport().counts, changed: 0 }, 'Translation', '2 items changed'],
] as const)('an applied import of %o %s says what it did', async (counts, entityType, says) => {
  answer(importsApi.find, withRows(anImport({ state: 'done', batch: 'one', counts, entityType })))
  const change = { filename: 'spring.csv' }
  answerEvent(batchesApi.stream, { event: 'batch', id: 'one', data: aBatch({ what: 'import', change, refused: 0 }) })
  await open('/import/one')
  expect(await screen.findByText(says)).toBeDefined()
})

test('the preview and the errors of cells are shown in Chinese', async () => {
  answer(importsApi.find, withRows(anImport()))
  await open('/import/one', { language: 'zh' })
  expect(await screen.findByText('将新建 1 行，将更改 1 行')).toBeDefined()
  expect(await screen.findByText(/类型/)).toBeDefined()
  expect(
    main().getByText('必须是以下之一：Anime（动画）、Manga（漫画）、Novel（小说）', { exact: false }),
  ).toBeDefined()
  expect(await screen.findByRole('option', { name: '标题（英语）' })).toBeDefined()
})

test.each([
  ['/import', importsApi.list, 'spring.csv'],
  ['/import/one', importsApi.find, 'Rows'],
])('%s: what cannot be refreshed stays, with the reason', async (path, route, shown) => {
  answer(importsApi.list, { data: [{ ...anImport(), rollback: null }], pagination: { total: 1, page: 1, limit: 20 } })
  answer(importsApi.find, withRows(anImport()))
  await open(path)
  await main().findAllByText(shown)
  fail(route, 409, { message: 'Too old' })
  await queryClient.refetchQueries({ queryKey: [route.path] })
  await main().findByText('Not refreshed: Too old')
  expect(main().getAllByText(shown)).not.toEqual([])
})

test('the limit of a file is not broken between number and unit', async () => {
  answer(importsApi.list, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  await open('/import', { language: 'zh' })
  expect((await screen.findByText(/最大 100/)).textContent).toContain('最大 100\u00a0MB')
})

test.each([
  [404, 'Import not found', 'It may have been deleted, or the address may be wrong.'],
  [500, 'Error', 'Failed to load the import'],
])('an import that is answered with %i has a title, and a link to the list', async (status, title, says) => {
  fail(importsApi.find, status)
  await open('/import/one')
  expect(await main().findByRole('heading', { level: 1, name: title })).toBeDefined()
  expect(main().getByText(says)).toBeDefined()
  expect(main().getByRole('link', { name: 'Back to Import' })).toBeDefined()
  expect(main().queryByRole('button', { name: 'Retry' }) !== null).toBe(status === 500)
})

test('Ctrl+Z on the page of an import, which may be old, does not undo it', async () => {
  const counts = { new: 3, changed: 0, unchanged: 0, refused: 0, duplicates: 0 }
  answer(importsApi.find, withRows(anImport({ state: 'done', batch: 'b', counts })))
  answerEvent(batchesApi.stream, { event: 'batch', id: '3', data: aBatch({ _id: 'b', what: 'import' }) })
  answer(batchesApi.rollback, { batch: 'b2' })
  await open('/import/one')
  const undo = await main().findByRole('button', { name: 'Undo' })
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(sentTo('/rollback')).toBe(0)
  await userEvent.click(undo)
  await waitFor(() => expect(sentTo('/rollback')).toBe(1))
})

test('an import that was undone says so after a reload, by whom and when', async () => {
  const rollback = aBatch({ _id: 'b2', changed: 3, refused: 0, createdBy: { _id: 'u', username: 'Ken' } })
  const counts = { new: 3, changed: 0, unchanged: 0, refused: 0, duplicates: 0 }
  answer(importsApi.find, withRows(anImport({ state: 'done', batch: 'b', counts })))
  answerEvent(batchesApi.stream, { event: 'batch', id: '3', data: aBatch({ _id: 'b', what: 'import', rollback }) })
  await open('/import/one')
  expect(await main().findByText(/^Undone: 3 items deleted/)).toBeDefined()
  expect(main().getByText('By Ken, January 5, 2026', { exact: false })).toBeDefined()
  expect(main().queryByRole('button', { name: 'Undo' })).toBeNull()
})

test.each([
  ['en', 'done', 0, 'Undone', 'By Ken, '],
  ['en', 'done', 1, 'Partly undone', 'By Ken, '],
  ['en', 'running', 0, 'Being undone', 'By Ken, '],
  ['zh', 'done', 0, '已撤销', '操作人：Ken，'],
] as const)(
  'the list (%s) says that an import was undone, by whom and when: %s, %i refused',
  async (language, state, refused, says, by) => {
    const rollback = aBatch({ _id: 'b2', state, refused, createdBy: { _id: 'u', username: 'Ken' } })
    const undone = { ...anImport({ state: 'done', batch: 'b' }), rollback }
    const kept = { ...anImport({ _id: 'two', filename: 'kept.csv', state: 'done', batch: 'c' }), rollback: null }
    answer(importsApi.list, { data: [undone, kept], pagination: { total: 2, page: 1, limit: 20 } })
    await open('/import', { language })
    expect(await main().findByText(says)).toBeDefined()
    expect(main().getAllByText(by, { exact: false })).toHaveLength(1)
  },
)

test('a refused type of a tag is answered with words that a cell may have', async () => {
  const values = ['GENRE', 'CHARACTER_TRAIT']
  const error = { path: 'type', message: 'Must be one of GENRE, CHARACTER_TRAIT', code: 'oneOf', params: { values } }
  const row = aRow({ outcome: 'refused', errors: [error] })
  answer(importsApi.find, { ...withRows(anImport({ entityType: 'Tag' })), rows: [row] })
  await open('/import/one')
  expect(await main().findByText('Must be one of Genre, Character Trait', { exact: false })).toBeDefined()
  cleanup()
  await open('/import/one', { language: 'zh' })
  expect(await main().findByText('Genre（题材）、Character trait（角色属性）', { exact: false })).toBeDefined()
})

test('deleting an import leads to the list, without loading the import again', async () => {
  answer(importsApi.find, withRows(anImport()))
  answer(importsApi.list, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  answer(importsApi.remove, { success: true })
  await open('/import/one')
  await userEvent.click(await main().findByRole('button', { name: 'Delete import' }))
  await waitFor(() => expect(currentUrl()).toBe('/import'))
  await main().findByRole('heading', { name: 'Import', level: 1 })
  const since = requests.slice(requests.findIndex(({ method }) => method === 'DELETE') + 1)
  expect(since.filter(({ path }) => path === '/api/imports/one')).toEqual([])
})

test('an import that is deleted while it is shown does not offer to restore it', async () => {
  answer(importsApi.find, withRows(anImport()))
  await open('/import/one')
  await main().findByRole('button', { name: 'Delete import' })
  fail(importsApi.find, 404)
  await queryClient.invalidateQueries()
  await main().findByText('Deleted in the meantime')
  expect(main().getByText('You see it as it was.')).toBeDefined()
  expect(main().queryByText(/Not refreshed/)).toBeNull()
})

test('a row without a title says so in the language of the console', async () => {
  answer(importsApi.find, { ...withRows(anImport()), rows: [aRow({ cells: {} })] })
  await open('/import/one', { language: 'zh' })
  expect((await main().findByText('无标题')).getAttribute('lang')).toBeNull()
})

test('the language of a row’s link is that of its text', async () => {
  const row = aRow({
    outcome: 'changed',
    _id: 'm',
    kind: 'Media',
    match: 'Kokoro',
    cells: { 'Title (English)': 'こころ' },
  })
  answer(importsApi.find, { ...withRows(anImport()), rows: [row] })
  await open('/import/one')
  expect((await main().findByRole('link', { name: 'Kokoro' })).getAttribute('lang')).toBeNull()
})
