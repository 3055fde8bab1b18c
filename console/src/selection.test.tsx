// Selecting rows in lists, and bulk actions on them.
import { batchesApi } from '@mokuroku/contract/batches'
import type { BulkPreview } from '@mokuroku/contract/bulk'
import { charactersApi } from '@mokuroku/contract/characters'
import { TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { languagesApi } from '@mokuroku/contract/languages'
import { mediaApi } from '@mokuroku/contract/media'
import { searchApi } from '@mokuroku/contract/search'
import { tagsApi } from '@mokuroku/contract/tags'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import { updateMe } from '#api/session.ts'
import { escapeToRows } from '#ui/escapeToRows.ts'
import { undoByKey } from '#ui/undoByKey.ts'
import { router } from './routes.tsx'
import {
  aCharacter,
  admin,
  aHit,
  aMedia,
  aBatch,
  answer,
  answerEvent,
  type ConsoleRequest,
  requests,
  aTag,
  currentUrl,
  findToast,
  hold,
  fail,
  hits,
  list,
  main,
  open,
  reader,
  withoutServer,
} from './testing.tsx'

withoutServer()
beforeAll(undoByKey)
beforeAll(escapeToRows)

const three = ['Kokoro', 'Botchan', 'Sanshiro'].map((title, at) =>
  aMedia({ _id: `m${at}`, translations: { en: { title, description: '' } } }),
)
/** Completeness of a language that is not used. */
const NONE = Object.fromEntries(TRANSLATED_KINDS.map((kind) => [kind, { filled: 0, of: 0 }])) as Record<
  Translated,
  { filled: number; of: number }
>
const nothing = { count: 0, ids: [] }
const aPreview = (ids: string[], more: Partial<BulkPreview> = {}): BulkPreview => ({
  changes: { count: ids.length, ids },
  unchanged: nothing,
  refused: { ...nothing, reasons: [] },
  ...more,
})
const bulkCalls = () => requests.filter(({ path }) => path.endsWith('/bulk')).map(({ body }) => body)
const selected = () => main().queryAllByRole('row', { selected: true }).length
const bar = async () => within(await screen.findByRole('region', { name: 'Selection' }))

async function openMedia(path = '/media', as?: typeof reader) {
  list.media(...three)
  await open(path, as && { as })
  await screen.findByRole('link', { name: 'Kokoro' })
}

test('x selects the focused row, Shift extends, Esc clears the selection, and the focus stays', async () => {
  await openMedia()
  await userEvent.keyboard('j')
  expect(document.activeElement?.textContent).toBe('Kokoro')
  await userEvent.keyboard('x')
  expect(main().getByRole('checkbox', { name: 'Select Kokoro' })).toHaveProperty('checked', true)
  await userEvent.keyboard('{Shift>}JJ{/Shift}')
  expect(selected()).toBe(3)
  expect((await bar()).getByText('3 selected')).toBeDefined()
  await userEvent.keyboard('{Shift>}K{/Shift}')
  expect(selected()).toBe(2)
  expect(document.activeElement?.textContent).toBe('Botchan')
  await userEvent.keyboard('{Escape}')
  expect(selected()).toBe(0)
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  expect(document.activeElement?.textContent).toBe('Botchan')
})

test('clearing the selection from its bar moves the focus to the row that was selected last', async () => {
  await openMedia()
  const box = (title: string) => main().getByRole('checkbox', { name: `Select ${title}` })
  const clear = async () => (await bar()).getByRole('button', { name: 'Clear selection (Esc)' })
  await userEvent.click(box('Sanshiro'))
  await userEvent.click(box('Kokoro'))
  await userEvent.click(await clear())
  expect(document.activeElement).toBe(box('Kokoro'))
  await userEvent.click(box('Sanshiro'))
  ;(await clear()).focus()
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(box('Sanshiro'))
})

test('a moves to the actions, even before their code has loaded', async () => {
  await openMedia()
  await userEvent.keyboard('jxa')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Add tags'))
  // Not again when the actions change.
  await userEvent.keyboard('{Escape}jx')
  await bar()
  expect(document.activeElement?.textContent).toBe('Botchan')
})

test('Shift+click selects a range, and Ctrl+A the page', async () => {
  await openMedia()
  const user = userEvent.setup()
  await user.click(main().getByRole('checkbox', { name: 'Select Kokoro' }))
  await user.keyboard('{Shift>}')
  await user.click(main().getByRole('checkbox', { name: 'Select Sanshiro' }))
  await user.keyboard('{/Shift}')
  expect(selected()).toBe(3)
  await user.keyboard('{Escape}{Control>}a{/Control}')
  expect(selected()).toBe(3)
})

test('Shift+click beside a checkbox selects a range, also in Firefox, where the label does not pass it on', async () => {
  await openMedia()
  const box = (title: string) => main().getByRole('checkbox', { name: `Select ${title}` })
  await userEvent.click(box('Kokoro'))
  addEventListener('click', (event) => event.preventDefault(), { capture: true, once: true })
  fireEvent.click(box('Sanshiro').parentElement as HTMLElement, { shiftKey: true })
  expect(selected()).toBe(3)
  expect(document.activeElement).toBe(box('Sanshiro'))
})

test.each([
  ['en', 'Delete', 'Failed to preview the change', 'Retry', '1 item will be deleted'],
  ['zh', '删除', '无法预览更改', '重试', '将删除 1 项'],
] as const)('a preview that failed can be retried (%s)', async (language, remove, failed, retry, found) => {
  list.media(aMedia())
  fail(mediaApi.bulk, 409)
  await open('/media', { language })
  await userEvent.click((await main().findAllByRole('checkbox')).at(-1) ?? document.body)
  await userEvent.click((await screen.findAllByRole('button', { name: remove })).at(-1) ?? document.body)
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText(failed)).toBeDefined()
  answer(mediaApi.bulk, aPreview(['m']))
  await userEvent.click(dialog.getByRole('button', { name: retry }))
  expect(await dialog.findByText(found)).toBeDefined()
  expect(dialog.queryByText(failed)).toBeNull()
})

test('a preview that could not be fetched again can be retried', async () => {
  list.media(aMedia())
  answer(mediaApi.bulk, aPreview(['m']))
  await open('/media')
  await userEvent.click((await main().findAllByRole('checkbox')).at(-1) ?? document.body)
  await userEvent.click((await screen.findAllByRole('button', { name: 'Delete' })).at(-1) ?? document.body)
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('1 item will be deleted')
  fail(mediaApi.bulk, 409)
  await queryClient.refetchQueries({ queryKey: ['bulkPreview'] })
  await dialog.findByText('Failed to preview the change')
  answer(mediaApi.bulk, aPreview(['m']))
  await userEvent.click(dialog.getByRole('button', { name: 'Retry' }))
  expect(await dialog.findByText('1 item will be deleted')).toBeDefined()
})

test('a change whose response was lost is repeated with its key, but not once its form was closed', async () => {
  list.media(aMedia())
  await open('/media')
  await userEvent.click((await main().findAllByRole('checkbox')).at(-1) ?? document.body)
  const openForm = async () => {
    answer(mediaApi.bulk, aPreview(['m']))
    await userEvent.click((await bar()).getByRole('button', { name: 'Delete' }))
    const form = within(await screen.findByRole('dialog'))
    await form.findByText('1 item will be deleted')
    fail(mediaApi.bulk, 0)
    return form
  }
  const isWrite = ({ path, body }: ConsoleRequest) => path.endsWith('/bulk') && !(body as { dryRun?: boolean }).dryRun
  const keys = () => requests.filter(isWrite).map(({ key }) => key)
  const form = await openForm()
  for (const count of [1, 2]) {
    await userEvent.click(form.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(keys()).toHaveLength(count))
    await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  }
  await userEvent.click(form.getByRole('button', { name: 'Cancel' }))
  await userEvent.click((await openForm()).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(keys()).toHaveLength(3))
  const [first, repeated, anew] = keys()
  expect(first).toBeTruthy()
  expect(repeated).toBe(first)
  expect(anew).not.toBe(first)
})

test('adds tags to everything that matches the filters, after a preview', async () => {
  answer(searchApi.search, {
    status: 'ready',
    hits: [{ ...aTag(), translations: { en: { name: 'Isekai' } } }],
  } as never)
  answer(tagsApi.find, aTag({ translations: { en: { name: 'Isekai', description: '' } } }))
  answer(mediaApi.bulk, ({ body }) =>
    (body as { dryRun?: boolean }).dryRun
      ? aPreview(['m0', 'm1'], {
          unchanged: { count: 1, ids: ['m2'] },
          refused: { count: 1, ids: ['z'], reasons: [{ id: 'z', code: 'notFound', message: 'Media not found' }] },
        })
      : { batch: 'one' },
  )
  await openMedia('/media?type=NOVEL')
  await userEvent.keyboard('{Control>}aa{/Control}')
  await userEvent.keyboard('t')
  const dialog = within(await screen.findByRole('dialog', { name: /^Add tags: / }))
  await userEvent.type(dialog.getByRole('combobox'), 'Isekai')
  await userEvent.keyboard('{Enter}')
  expect(await dialog.findByText('2 items will change')).toBeDefined()
  expect(dialog.getByText('1 item already has it')).toBeDefined()
  expect(dialog.getByText('Media not found')).toBeDefined()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const change = { addTags: ['t'] }
  expect(bulkCalls()).toEqual([
    { filter: { type: 'NOVEL' }, change, dryRun: true },
    { filter: { type: 'NOVEL' }, change },
  ])
  expect((await bar()).getByRole('link', { name: 'View batch' }).getAttribute('href')).toBe('/batches/one')
})

test('a tag that does not exist yet is created in the dialog that adds it, but not in the one that removes it', async () => {
  hits()
  const created = aTag({ _id: 'new', translations: { en: { name: 'Isekai', description: '' } } })
  answer(tagsApi.create, created)
  answer(tagsApi.find, created)
  answer(mediaApi.bulk, aPreview(['m0']))
  await openMedia()
  await userEvent.keyboard('jxt')
  const dialog = within(await screen.findByRole('dialog', { name: /^Add tags: / }))
  await userEvent.type(dialog.getByRole('combobox'), 'Isekai')
  await dialog.findByRole('option', { name: 'Create “Isekai”' })
  await userEvent.keyboard('{Enter}')
  await findToast('“Isekai” was created')
  expect(await dialog.findByRole('button', { name: 'Remove Isekai' })).toBeDefined()
  await dialog.findByText('1 item will change')
  expect(bulkCalls()).toEqual([{ ids: ['m0'], change: { addTags: ['new'] }, dryRun: true }])
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await userEvent.click((await bar()).getByRole('button', { name: 'Remove tags' }))
  const other = within(await screen.findByRole('dialog', { name: /^Remove tags: / }))
  await userEvent.type(other.getByRole('combobox', { name: 'Remove tags' }), 'Isekai')
  await other.findByText('No results for “Isekai”')
  expect(other.queryByRole('option')).toBeNull()
})

test.each([
  ['en', admin, 'Create “mech”'],
  ['zh', admin, '新建“mech”'],
  ['en', reader, undefined],
] as const)('a tag whose name only resembles the text is not preselected (%s)', async (language, who, preselected) => {
  hits({
    ...aHit(),
    translations: { en: { name: 'To be checked', description: '' } },
    match: { text: 'To be checked', language: 'en', kind: 'typo' },
  })
  list.media(...three)
  await open('/media', { as: { ...who, permissions: { ...who.permissions, canEditAnyContent: true } }, language })
  await screen.findByRole('link', { name: 'Kokoro' })
  await userEvent.keyboard('jxt')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('combobox'), 'mech')
  const hit = await dialog.findByRole('option', { name: /To be checked/ })
  expect(hit.getAttribute('aria-selected')).toBe('false')
  expect(dialog.queryByRole('option', { selected: true })?.textContent).toBe(preselected)
  if (preselected) return
  await userEvent.keyboard('{Enter}')
  expect(bulkCalls()).toEqual([])
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(bulkCalls()).toMatchObject([{ change: { addTags: ['h'] }, dryRun: true }]))
})

test('a user who may not add tags is not offered to create one', async () => {
  hits()
  await openMedia('/media', { ...reader, permissions: { ...reader.permissions, canEditAnyContent: true } })
  await userEvent.keyboard('jxt')
  const dialog = within(await screen.findByRole('dialog', { name: /^Add tags: / }))
  await userEvent.type(dialog.getByRole('combobox'), 'Isekai')
  await dialog.findByText('No results for “Isekai”')
  expect(dialog.queryByRole('option')).toBeNull()
})

test('offers the bulk actions of media', async () => {
  await openMedia()
  await userEvent.keyboard('jx')
  const names = async () => (await bar()).getAllByRole('button').map(({ textContent }) => textContent)
  expect(await names()).toEqual([
    'Select all on this page',
    'All 3 that match',
    'Add tags',
    'Remove tags',
    'Set type',
    'Set status',
    'Set cover',
    'Delete',
    'Export',
    '',
  ])
  expect((await bar()).getByRole('link', { name: 'AI Standardize' }).getAttribute('href')).toBe(
    '/media/standardize?id=m0',
  )
})

test('exports the selection with the chosen columns, and remembers the choice', async () => {
  answer(languagesApi.list, {
    data: ['en', 'ja', 'ko'].map((tag) => {
      const filled = tag === 'ko' ? 0 : 1
      return { tag, name: tag, family: tag, wanted: false, ...NONE, Media: { filled, of: 3 } }
    }),
  })
  await openMedia('/media?type=NOVEL')
  await userEvent.keyboard('{Control>}aa{/Control}')
  await userEvent.click((await bar()).getByRole('button', { name: 'Export' }))
  let dialog = within(await screen.findByRole('dialog', { name: 'Export: 3 items' }))
  await waitFor(() => expect(dialog.getByLabelText('Columns')).toHaveProperty('disabled', false))
  await userEvent.selectOptions(dialog.getByLabelText('Columns'), 'Choose columns')
  expect(await dialog.findByLabelText('Title (Japanese)')).toHaveProperty('checked', true)
  await userEvent.click(dialog.getByRole('button', { name: 'Select none' }))
  await userEvent.click(dialog.getByLabelText('Title (Japanese)'))
  await userEvent.click(dialog.getByLabelText('Original title'))
  await userEvent.click(dialog.getByLabelText('Id of the entry (_id)'))
  expect(dialog.getByText(/importing the file again cannot update/)).toBeDefined()
  expect(dialog.queryByLabelText('Title (Korean)')).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Export' }))
  await waitFor(() => expect(requests.filter(({ path }) => path.endsWith('/export'))).toHaveLength(1))
  expect(requests.find(({ path }) => path.endsWith('/export'))?.body).toEqual({
    filter: { type: 'NOVEL' },
    format: 'csv',
    bom: true,
    columns: ['translations.ja.title', 'originalTitle'],
  })
  await findToast('Failed to export')
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await userEvent.click((await bar()).getByRole('button', { name: 'Export' }))
  dialog = within(await screen.findByRole('dialog', { name: 'Export: 3 items' }))
  expect(await dialog.findByLabelText('Original title')).toHaveProperty('checked', true)
  expect(dialog.getByLabelText('Title (English)')).toHaveProperty('checked', false)
})

test('an export that is cancelled while it is prepared saves no file, and is no failure', async () => {
  await openMedia('/media')
  await userEvent.click(main().getByRole('button', { name: 'Export' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Export/ }))
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  let arrive: ((file: Response) => void) | undefined
  vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) => {
    return new Promise<Response>((resolve, reject) => {
      arrive = resolve
      signal?.addEventListener('abort', () => reject(new Error('Aborted')))
    })
  })
  await userEvent.click(dialog.getByRole('button', { name: 'Export' }))
  await waitFor(() => expect(arrive).toBeDefined())
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  arrive?.(new Response('a file'))
  await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  expect(saved).not.toHaveBeenCalled()
  expect(screen.queryByText('Failed to export')).toBeNull()
})

test('whoever may read can export what a list shows, without selecting it', async () => {
  list.media(...three)
  await open('/media?page=2&sort=-releaseDate&type=NOVEL', { as: reader })
  await screen.findByRole('link', { name: 'Kokoro' })
  await userEvent.click(main().getByRole('button', { name: 'Export' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Export: 3 items' }))
  await userEvent.selectOptions(dialog.getByLabelText('Format'), 'NDJSON')
  await userEvent.click(dialog.getByRole('button', { name: 'Export' }))
  await waitFor(() =>
    expect(requests.find(({ path }) => path === '/api/media/export')?.body).toEqual({
      filter: { type: 'NOVEL' },
      format: 'ndjson',
      bom: false,
    }),
  )
})

test('cards can be selected like rows, and their status set', async () => {
  list.tags(aTag(), aTag({ _id: 'v', translations: { en: { name: 'Romance', description: '' } } }))
  answer(tagsApi.bulk, ({ body }) => ((body as { dryRun?: boolean }).dryRun ? aPreview(['t']) : { batch: 'one' }))
  await open('/tags')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Mystery' }))
  await userEvent.click((await bar()).getByRole('button', { name: 'Set status' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Set status: 1 item' }))
  await userEvent.selectOptions(dialog.getByLabelText('New value'), 'Hidden')
  expect(await dialog.findByText('1 item will change')).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(bulkCalls()).toContainEqual({ ids: ['t'], change: { status: 'HIDDEN' } }))
})

test('a new filter clears the selection and says so; a new sort keeps it', async () => {
  await openMedia()
  await userEvent.keyboard('jx')
  await userEvent.click(main().getByRole('button', { name: 'Rating' }))
  expect(selected()).toBe(1)
  await userEvent.selectOptions(main().getByLabelText('Type'), 'Novel')
  await userEvent.click(main().getByRole('button', { name: 'Filter' }))
  await findToast('The filters changed, so nothing is selected any more.')
  expect(selected()).toBe(0)
})

test('the selection of a list is there when the user returns to it, without what was deleted meanwhile', async () => {
  await openMedia('/media?type=NOVEL')
  await userEvent.keyboard('{Control>}a{/Control}')
  answer(mediaApi.find, three[0] ?? aMedia())
  await userEvent.click(main().getByRole('link', { name: 'Kokoro' }))
  await main().findByRole('heading', { level: 1, name: 'Kokoro' })
  act(() => history.back())
  expect((await bar()).getByText('3 selected')).toBeDefined()
  expect(selected()).toBe(3)
  answer(mediaApi.remove, { success: true })
  answer(mediaApi.uses, { total: 0, by: [], first: [] })
  await userEvent.click(main().getByRole('link', { name: 'Kokoro' }))
  await main().findByRole('heading', { level: 1, name: 'Kokoro' })
  await userEvent.click(main().getByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(currentUrl()).toBe('/media?type=NOVEL'))
  expect((await bar()).getByText('2 selected')).toBeDefined()
})

test('what was deleted or merged elsewhere leaves a selection to which the user returns, and this is said', async () => {
  await openMedia()
  await userEvent.keyboard('{Control>}a{/Control}')
  expect((await bar()).getByText('3 selected')).toBeDefined()
  answer(mediaApi.find, three[0] ?? aMedia())
  answer(searchApi.entries, ({ query: { ids = '' } }) => ({
    data: ids.split(',').flatMap((_id) => (_id === 'm1' ? [] : { ...aHit(), _id })),
  }))
  await userEvent.click(main().getByRole('link', { name: 'Kokoro' }))
  await main().findByRole('heading', { level: 1, name: 'Kokoro' })
  expect(requests.some(({ path }) => path === searchApi.entries.path)).toBe(false)
  act(() => history.back())
  await findToast('1 item no longer selected: deleted or merged into another entry meanwhile.')
  expect((await bar()).getByText('2 selected')).toBeDefined()
})

test('Back closes the dialog of an action, and the list behind it stays', async () => {
  await openMedia()
  await act(() => router.navigate({ to: '/media', search: { type: 'NOVEL' } }))
  await screen.findByRole('link', { name: 'Kokoro' })
  await userEvent.keyboard('jxt')
  await screen.findByRole('dialog', { name: 'Add tags: 1 item' })
  act(() => history.back())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(currentUrl()).toBe('/media?type=NOVEL'))
  expect(selected()).toBe(1)
})

test('the page cannot be selected while its rows are loading', async () => {
  list.media(...three)
  const release = hold(mediaApi.list)
  await open('/media')
  const page = await main().findByRole<HTMLInputElement>('checkbox', { name: 'Select all on this page' })
  expect(page.disabled).toBe(true)
  release()
  await main().findByRole('link', { name: 'Kokoro' })
  await userEvent.click(page)
  expect(selected()).toBe(3)
})

test('nothing can be selected without permission', async () => {
  await openMedia('/media', reader)
  expect(main().queryByRole('checkbox')).toBeNull()
  await userEvent.keyboard('jx')
  expect(selected()).toBe(0)
})

test('the result of a batch stays if the permission is withdrawn while it runs, and nothing can be selected any more', async () => {
  const data = aBatch({ change: { set: { isOngoing: false } }, changed: 1, refused: 2 })
  answerEvent(batchesApi.stream, { event: 'batch', id: 'one', data })
  await openMedia()
  answer(mediaApi.bulk, ({ body }) => ((body as { dryRun?: boolean }).dryRun ? aPreview(['m0']) : { batch: 'one' }))
  await userEvent.keyboard('jx')
  await userEvent.click((await bar()).getByRole('button', { name: 'Set status' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Set status: 1 item' }))
  await userEvent.selectOptions(dialog.getByRole('combobox'), 'Completed')
  await dialog.findByText('1 item will change')
  const release = hold(batchesApi.stream)
  await userEvent.click(dialog.getByRole('button', { name: 'Apply' }))
  await (await bar()).findByRole('progressbar')
  act(() => updateMe(reader))
  expect(main().queryByRole('checkbox')).toBeNull()
  expect(screen.queryByText('1 selected')).toBeNull()
  release()
  expect(await (await bar()).findByText('1 item changed · 2 refused')).toBeDefined()
})

test('deleted items leave the selection, and the result is shown until dismissed', async () => {
  answerEvent(batchesApi.stream, {
    event: 'batch',
    id: 'one',
    data: aBatch({ change: { delete: true }, changed: 1, refused: 0 }),
  })
  list.characters(aCharacter())
  answer(charactersApi.bulk, ({ body }) =>
    (body as { dryRun?: boolean }).dryRun ? aPreview(['c'], { unchanged: { count: 1, ids: ['d'] } }) : { batch: 'one' },
  )
  await open('/characters')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Sensei' }))
  await userEvent.click((await bar()).getByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete: 1 item' }))
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await dialog.findByText('1 item will be deleted')).toBeDefined()
  expect(dialog.getByText('1 item is in the trash already')).toBeDefined()
  const confirm = dialog.getByRole('button', { name: 'Delete' })
  expect(confirm.className).toContain('primary')
  await userEvent.click(confirm)
  await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull())
  expect(await screen.findByText('1 item deleted')).toBeDefined()
  ;(await bar()).getByRole('button', { name: 'Dismiss (Esc)' }).focus()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  expect(document.activeElement).toBe(main().getByRole('link', { name: 'Sensei' }))
})

test('from the result of a batch, j and Escape lead to where the focus was in the list, not to its first row', async () => {
  const data = aBatch({ change: { delete: true }, changed: 1, refused: 0 })
  answerEvent(batchesApi.stream, { event: 'batch', id: 'one', data })
  answer(mediaApi.bulk, ({ body }) => {
    if ((body as { dryRun?: boolean }).dryRun) return aPreview(['m1'])
    list.media(...three.filter(({ _id }) => _id !== 'm1'))
    return { batch: 'one' }
  })
  await openMedia()
  const rows = () => main().getAllByRole('row').slice(1)
  await userEvent.keyboard('jjx')
  await userEvent.click((await bar()).getByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete: 1 item' }))
  await dialog.findByText('1 item will be deleted')
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(rows()).toHaveLength(2))
  for (const key of ['j', '{Escape}']) {
    ;(await bar()).getByRole('button', { name: 'Dismiss (Esc)' }).focus()
    await userEvent.keyboard(key)
    expect(rows()[1]?.contains(document.activeElement)).toBe(true)
  }
})

test('Ctrl+Z is Undo of the result of a batch, except behind a dialog, and leaves the focus on the row', async () => {
  const data = aBatch({ change: { delete: true }, changed: 1, refused: 0 })
  answer(batchesApi.find, data)
  answerEvent(batchesApi.stream, { event: 'batch', id: 'one', data })
  list.characters(aCharacter())
  answer(charactersApi.bulk, ({ body }) => ((body as { dryRun?: boolean }).dryRun ? aPreview(['c']) : { batch: 'one' }))
  answer(batchesApi.rollback, { batch: 'two' })
  await open('/characters')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Sensei' }))
  await userEvent.click((await bar()).getByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete: 1 item' }))
  await dialog.findByText('1 item will be deleted')
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await (await bar()).findByRole('button', { name: 'Undo' })

  const undone = () => requests.filter(({ path }) => path.endsWith('/rollback')).map(({ body }) => body)
  await userEvent.click(main().getByRole('button', { name: 'Delete Sensei' }))
  const covering = within(await screen.findByRole('dialog'))
  await userEvent.keyboard('{Control>}z{/Control}')
  await userEvent.click(covering.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(undone()).toEqual([])

  const row = main().getByRole('link', { name: 'Sensei' })
  row.focus()
  await userEvent.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(undone()).toHaveLength(1))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
  expect(document.activeElement).toBe(row)
})
