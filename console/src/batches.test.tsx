import { batchesApi } from '@mokuroku/contract/batches'
import { mediaApi } from '@mokuroku/contract/media'
import { searchApi } from '@mokuroku/contract/search'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { previewBulk, startBulk } from '#api/batches.ts'
import { aBatch, answer, currentUrl, fail, main, open, requests, withoutServer } from './testing.tsx'

withoutServer()

const pagination = { total: 1, page: 1, limit: 20 }
const nothing = { count: 0, ids: [] }

test('the list shows the change, the reason, the progress and the refused count of each batch', async () => {
  const running = aBatch({ _id: 'two', state: 'running', done: 1, change: { delete: true }, refused: 0 })
  const rollback = aBatch({ _id: 'three', kind: null, change: null, reason: 'Wrong tag' })
  answer(batchesApi.list, { data: [running, aBatch({ refused: 0 }), rollback], pagination })
  await open('/batches')
  expect(await screen.findByText('Set status, Add 2 tags')).toBeDefined()
  const names = screen.getAllByRole('progressbar').map((bar) => bar.getAttribute('aria-label'))
  expect(names).toEqual(['1 of 3 done'])
  expect(
    main()
      .getAllByText(/refused/)
      .map(({ textContent }) => textContent),
  ).toEqual([' · 1 refused'])
  expect(main().getByText('Rollback').closest('td')?.textContent).toBe('RollbackWrong tag')
})

test('the list names the tags of a batch, unless one was deleted, and counts with separators', async () => {
  const tagged = aBatch({ _id: 'two', change: { addTags: ['a'], removeTags: ['b', 'c'] } })
  const deleted = aBatch({ change: { addTags: ['a', 'gone'] }, changed: 1200, total: 8483, refused: 0 })
  answer(batchesApi.list, { data: [tagged, deleted], pagination })
  answer(searchApi.entries, ({ query: { ids = '' } }) => ({
    data: ids
      .split(',')
      .flatMap((id) =>
        id === 'gone' ? [] : [{ _id: id, cover: '' as const, translations: { en: { name: `Tag ${id}` } } }],
      ),
  }))
  await open('/batches')
  expect(await screen.findByText('Add tag Tag a, Remove tags Tag b and Tag c')).toBeDefined()
  expect(screen.getByText('Add 2 tags')).toBeDefined()
  expect(screen.getByText('1,200 / 8,483')).toBeDefined()
  expect(requests.filter(({ path }) => path === '/api/search/entries')).toHaveLength(1)
})

test('in Chinese, entries have their Chinese titles, and the title has a full-width colon; an item without a reason has an empty cell', async () => {
  answer(batchesApi.find, aBatch({ change: { set: { isOngoing: true } } }))
  const result = { kind: 'Media' as const, outcome: 'changed' as const, code: null, message: null, kept: [] }
  answer(batchesApi.results, {
    data: [{ ...result, _id: 'm', title: 'Kokoro', translations: { zh: { name: '心' } } }],
    pagination,
  })
  await open('/batches/one', { language: 'zh' })
  expect(await main().findByRole('heading', { level: 1, name: '批量操作：设置状态' })).toBeDefined()
  await main().findByRole('link', { name: '心' })
  expect(document.querySelector('tbody td:last-child')?.childNodes).toHaveLength(0)
})

test('an item without a title has a link, unlike one that no longer exists', async () => {
  const result = { kind: 'Media' as const, outcome: 'changed' as const, code: null, message: null, kept: [] }
  answer(batchesApi.find, aBatch())
  answer(batchesApi.results, {
    data: [
      { ...result, _id: 'm', title: '' },
      { ...result, _id: 'n', title: null },
    ],
    pagination,
  })
  await open('/batches/one')
  expect((await main().findByRole('link', { name: 'Untitled' })).getAttribute('href')).toBe('/media/m')
  expect(main().getByText('No longer exists')).toBeDefined()
})

test('rolling back a batch requires a reason, shows a preview, and opens the rollback', async () => {
  answer(batchesApi.find, ({ path }) =>
    path.endsWith('/two') ? aBatch({ _id: 'two', what: 'rollback', change: null, rollsBack: 'one' }) : aBatch(),
  )
  answer(batchesApi.results, {
    data: [
      {
        kind: 'Media',
        _id: 'm',
        title: 'Kokoro',
        outcome: 'refused',
        code: 'changed',
        message: 'Others have changed this since then. Their changes were kept.',
        kept: ['mediaType', 'translations.ja.title'],
      },
    ],
    pagination,
  })
  answer(batchesApi.rollback, ({ body }) =>
    (body as { dryRun?: boolean }).dryRun
      ? { changes: { count: 2, ids: [] }, unchanged: nothing, refused: { ...nothing, reasons: [] } }
      : { batch: 'two' },
  )
  await open('/batches/one')
  expect(await screen.findByText('Kept: type, title (Japanese)')).toBeDefined()
  await userEvent.click(main().getByRole('button', { name: 'Roll back' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Preview' }))
  expect(await screen.findByText('Please enter a reason')).toBeDefined()
  await userEvent.type(screen.getByLabelText(/^Reason/), 'a mistake')
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
  expect(await screen.findByText(/^2 would be rolled back/)).toBeDefined()
  const confirm = screen.getAllByRole('button', { name: 'Roll back' }).at(-1) ?? document.body
  // The second click of a double click on "Preview", which was in its place.
  fireEvent.click(confirm, { detail: 2 })
  await userEvent.type(screen.getByLabelText(/^Reason/), '!')
  await userEvent.click(confirm)
  await waitFor(() => expect(currentUrl()).toBe('/batches/two'))
  const original = await main().findByRole('link', { name: 'View the original batch' })
  expect(original.getAttribute('href')).toBe('/batches/one')
  expect(requests.filter(({ path }) => path.endsWith('/rollback')).map(({ body }) => body)).toEqual([
    { reason: 'a mistake', dryRun: true },
    { reason: 'a mistake!' },
  ])
})

test('the dialog of a rollback stays if somebody else rolls the batch back meanwhile, and has nothing to do', async () => {
  answer(batchesApi.find, aBatch())
  answer(batchesApi.results, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  await open('/batches/one')
  await userEvent.click(await main().findByRole('button', { name: 'Roll back' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Roll back batch' }))
  await userEvent.type(dialog.getByLabelText(/^Reason/), 'a mistake')
  answer(batchesApi.find, aBatch({ rollback: aBatch({ _id: 'two', refused: 0 }) }))
  answer(batchesApi.rollback, {
    changes: nothing,
    unchanged: { ...nothing, count: 3 },
    refused: { ...nothing, reasons: [] },
  })
  await userEvent.click(dialog.getByRole('button', { name: 'Preview' }))
  await screen.findByText('Rolled back')
  expect(dialog.getByRole('status').textContent).toMatch(/^0 would be rolled back, 3 would stay as before/)
  const confirm = dialog.getByRole('button', { name: 'Roll back' })
  expect(confirm.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(confirm)
  expect(requests.filter(({ path }) => path.endsWith('/rollback'))).toHaveLength(1)
})

test('previews and starts a bulk change through the API of its kind', async () => {
  await open('/profile')
  const change = { isOngoing: true }
  const preview = { changes: { count: 1, ids: ['m'] }, unchanged: nothing, refused: { ...nothing, reasons: [] } }
  answer(mediaApi.bulk, ({ body }) => ((body as { dryRun?: boolean }).dryRun ? preview : { batch: 'one' }))
  expect(await previewBulk('Media', { ids: ['m'], change })).toEqual(preview)
  expect(await startBulk('Media', { filter: { type: 'NOVEL' }, change }, 'a key')).toBe('one')
})

test.each([
  [404, 'Batch not found', 'It may have been deleted, or the address may be wrong.'],
  [500, 'Error', 'Failed to load the batch'],
])('a batch that is answered with %i has a title, and a link to the list', async (status, title, says) => {
  fail(batchesApi.find, status)
  await open('/batches/one')
  expect(await main().findByRole('heading', { level: 1, name: title })).toBeDefined()
  expect(main().getByText(says)).toBeDefined()
  expect(main().getByRole('link', { name: 'Back to Batches' }).getAttribute('href')).toBe('/batches')
  expect(main().queryByRole('button', { name: 'Retry' }) !== null).toBe(status === 500)
})

test('a batch that was rolled back says so, by whom and when', async () => {
  const batch = aBatch({ rollback: aBatch({ _id: 'two', createdBy: { _id: 'u', username: 'Ken' }, refused: 0 }) })
  answer(batchesApi.list, { data: [batch], pagination: { total: 1, page: 1, limit: 20 } })
  await open('/batches')
  expect(await main().findByText('Rolled back')).toBeDefined()
  answer(batchesApi.find, batch)
  answer(batchesApi.results, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  await userEvent.click(main().getByRole('link', { name: /^Set/ }))
  const link = await main().findByRole('link', { name: 'View the rollback' })
  expect(link.getAttribute('href')).toBe('/batches/two')
  expect(main().getByText('Ken')).toBeDefined()
  expect(main().queryByRole('button', { name: 'Roll back' })).toBeNull()
})

test.each([
  ['a rollback that refused some', { state: 'done', refused: 1 }],
  ['a cancelled rollback', { state: 'cancelled', refused: 0 }],
] as const)('what is left after %s can be rolled back', async (_what, rollback) => {
  answer(batchesApi.find, aBatch({ rollback: aBatch({ _id: 'two', ...rollback }) }))
  answer(batchesApi.results, { data: [], pagination: { total: 0, page: 1, limit: 20 } })
  await open('/batches/one')
  expect(await main().findByText('Partly rolled back')).toBeDefined()
  expect(main().getByRole('button', { name: 'Roll back' })).toBeDefined()
})
