// The media list: its content, its filters and sort order, and the suggestions of its search field.
import { mediaApi } from '@mokuroku/contract/media'
import { searchApi } from '@mokuroku/contract/search'
import { siteApi } from '@mokuroku/contract/site'
import { tagsApi } from '@mokuroku/contract/tags'
import { usersApi } from '@mokuroku/contract/users'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import {
  aHit,
  aMedia,
  answer,
  requests,
  fail,
  findToast,
  currentUrl,
  hits,
  list,
  main,
  open,
  optionsOf,
  reader,
  select,
  withoutServer,
} from './testing.tsx'

withoutServer()

const JAPANESE = '転生したら骨だった件について語る直美の夏休み日記帳'

const text = (title: string) => ({ title, description: '' })
const titled = (_id: string, title: string) => aMedia({ _id, translations: { en: text(title) } })
const button = (name: string) => main().getByRole<HTMLButtonElement>('button', { name })
const row = (name: RegExp) => main().findByRole('row', { name })
const box = () => main().findByRole<HTMLInputElement>('combobox', { name: 'Search media' })
const chosen = (name: string) => select(name).selectedOptions[0]?.textContent
/** The queries of the list's first page, without those of the search field. */
const queries = () =>
  requests
    .filter(({ path, query }) => path === mediaApi.list.path && !query.userId)
    .map(({ query: { page, limit, ...query } }) => {
      expect([page, limit]).toEqual(['1', '10'])
      return query
    })

test('shows its heading, and links to the AI screens and to a new media item', async () => {
  list.media(aMedia())
  await open('/media')
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Media List')
  expect(main().getByText('Manage anime, manga and novels')).toBeDefined()
  const leadsTo = (name: string) => main().getByRole('link', { name }).getAttribute('href')
  expect(leadsTo('AI Compare')).toBe('/media/compare')
  expect(leadsTo('AI Standardize')).toBe('/media/standardize')
  expect(leadsTo('Add New Media')).toBe('/media/new')
})

test('the filters of an old view say that their tag and their user were deleted', async () => {
  list.media()
  fail(tagsApi.find, 404)
  fail(usersApi.find, 404)
  await open('/media?createdBy=gone&tags=gone')
  expect(await main().findByText('Any tag: a deleted tag')).toBeDefined()
  expect(await main().findByText('Created by a deleted user')).toBeDefined()
})

test('filters whose names fail to load say so, also where the tag is chosen', async () => {
  list.media()
  fail(tagsApi.find, 500)
  fail(usersApi.find, 500)
  await open('/media?createdBy=u&tags=t')
  const chip = await main().findByText('Any tag: (name could not be loaded)')
  expect(await main().findByText('Created by (name could not be loaded)')).toBeDefined()
  await userEvent.click(chip)
  expect(await screen.findByRole('button', { name: 'Remove (name could not be loaded)' })).toBeDefined()
})

test('a row shows title, original title, languages, type, date, status and rating', async () => {
  const translations = { ja: text(JAPANESE), en: text('Cinders'), th: text('') }
  const releaseDate = '2026-01-05T00:00:00.000Z'
  list.media(
    aMedia({ mediaType: 'MANGA', originalTitle: JAPANESE, translations, releaseDate }),
    aMedia({ _id: 'n', originalTitle: 'Nameless', translations: {}, isOngoing: true }),
    aMedia({ _id: 'o', translations: { en: text('Rated') }, averageRating: 7.46, ratingCount: 3 }),
  )
  await open('/media')
  const translated = within(await row(/Cinders/))
  expect(translated.getByRole('link', { name: 'Cinders' }).getAttribute('lang')).toBe('en')
  expect(translated.getByText(JAPANESE).getAttribute('lang')).toBe('ja')
  expect(translated.getByText(/ja · en$/)).toBeDefined()
  for (const said of ['No img', '2026-01-05', 'No ratings', 'Manga']) expect(translated.getByText(said)).toBeDefined()
  expect(translated.getByText('Completed').dataset.tone).toBe('success')
  const bare = within(await row(/Nameless/))
  for (const said of ['No translations', 'Novel']) expect(bare.getByText(said)).toBeDefined()
  expect(bare.getByText('Ongoing').dataset.tone).toBe('warning')
  expect(within(await row(/Rated/)).getByText('7.5')).toBeDefined()
})

test('offers its filters, and ignores invalid values in the URL', async () => {
  list.media(aMedia())
  await open('/media?isOngoing=perhaps&page=-3&sort=colour&type=FILM')
  expect(await main().findByText('Page 1')).toBeDefined()
  expect(select('Type').value).toBe('')
  expect(optionsOf('Type')).toEqual(['All Types', 'Anime', 'Manga', 'Novel'])
  expect(optionsOf('Status')).toEqual(['All Status', 'Ongoing', 'Completed'])
  await waitFor(() => expect(queries().at(-1)).toEqual({}))
})

test('column headers sort by release date and rating: descending, ascending, then not at all', async () => {
  list.media(aMedia())
  await open('/media?search=moon')
  await row(/Kokoro/)
  for (const [name, column] of [
    ['Release Date', 'releaseDate'],
    ['Rating', 'averageRating'],
  ] as const) {
    const head = () => main().getByRole('columnheader', { name })
    expect(head().getAttribute('aria-sort')).toBe('none')
    for (const [order, sort] of [
      ['descending', `-${column}`],
      ['ascending', column],
    ]) {
      await userEvent.click(within(head()).getByRole('button'))
      await waitFor(() => expect(head().getAttribute('aria-sort')).toBe(order))
      expect(currentUrl()).toBe(`/media?search=moon&sort=${sort}`)
      await waitFor(() => expect(queries().at(-1)).toEqual({ search: 'moon', sort }))
    }
    await userEvent.click(within(head()).getByRole('button'))
    await waitFor(() => expect(currentUrl()).toBe('/media?search=moon'))
  }
})

test('a search sorts by best match unless a sort is chosen, and Reset sorts by newest', async () => {
  list.media(aMedia())
  await open('/media')
  expect(await main().findByText('Kokoro')).toBeDefined()
  expect(chosen('Sort')).toBe('Newest first')
  await userEvent.type(await box(), 'sun{Enter}')
  await waitFor(() => expect(currentUrl()).toBe('/media?search=sun'))
  expect(chosen('Sort')).toBe('Best match first')
  await waitFor(() => expect(queries().at(-1)).toEqual({ search: 'sun' }))
  await userEvent.selectOptions(select('Sort'), 'Newest first')
  await waitFor(() => expect(currentUrl()).toBe('/media?search=sun&sort=-createdAt'))
  await waitFor(() => expect(queries().at(-1)).toEqual({ search: 'sun', sort: '-createdAt' }))
  await userEvent.click(button('Reset'))
  await waitFor(() => expect(currentUrl()).toBe('/media'))
  expect(chosen('Sort')).toBe('Newest first')
})

test('pages with Previous and Next, and stops when fewer rows arrive', async () => {
  answer(
    mediaApi.list,
    ({ query: { page = '1' } }) =>
      Array.from({ length: 12 }, (_, at) => titled(`m${at}`, `Media ${at}`)).slice(
        (Number(page) - 1) * 10,
        Number(page) * 10,
      ),
    { total: 12 },
  )
  const rows = () => main().getAllByRole('row').length - 1
  await open('/media?search=moon')
  expect(await main().findByText('Media 9')).toBeDefined()
  expect(main().getByText('Page 1')).toBeDefined()
  expect(button('Previous').disabled).toBe(true)
  await userEvent.click(button('Next'))
  expect(await main().findByText('Page 2')).toBeDefined()
  expect(currentUrl()).toBe('/media?page=2&search=moon')
  await waitFor(() => expect(rows()).toBe(2))
  expect(button('Next').disabled).toBe(true)
  await userEvent.click(button('Previous'))
  await waitFor(() => expect(rows()).toBe(10))
})

test('without the total, Next is offered after a full page', async () => {
  answer(mediaApi.list, ({ query: { page = '1' } }) =>
    Array.from({ length: page === '1' ? 10 : 2 }, (_, at) => titled(`m${page}${at}`, `Media ${page}${at}`)),
  )
  const { fetch: answered } = globalThis
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    const response = await answered(...given)
    response.headers.delete('x-total-count')
    return response
  })
  await open('/media?type=ANIME')
  await main().findByText('Media 19')
  expect(document.body.textContent).not.toContain('NaN')
  await userEvent.click(button('Next'))
  await main().findByText('Media 21')
  expect(button('Next').disabled).toBe(true)
})

test('a page beyond the last offers the first page', async () => {
  answer(mediaApi.list, ({ query }) => (query.page === '9' ? [] : [aMedia()]))
  await open('/media?page=9&search=moon')
  expect(await main().findByText('No media found')).toBeDefined()
  await userEvent.click(button('Go to the first page'))
  await row(/Kokoro/)
  expect(currentUrl()).toBe('/media?search=moon')
})

test('shows the number of matches, and the chosen number of rows per page', async () => {
  answer(siteApi.find, { name: 'Site', defaultLanguage: 'en', languages: ['en', 'zh'], findings: ['missing'] })
  answer(
    mediaApi.list,
    ({ query: { limit = '10' } }) => Array.from({ length: Number(limit) }, (_, at) => titled(`m${at}`, `Media ${at}`)),
    {
      total: 1200,
    },
  )
  await open('/media?finding=missing%3Azh')
  const chips = within(await main().findByRole('list', { name: 'Active filters' }))
  expect(await chips.findByText('No title or name: Chinese')).toBeDefined()
  expect(await main().findByText('1,200 results')).toBeDefined()
  await userEvent.selectOptions(select('Rows per page'), '25 rows')
  expect(await main().findByText('Media 24')).toBeDefined()
  expect(currentUrl()).toBe('/media?finding=missing%3Azh&limit=25')
})

test.each([
  ['en', 'Add New Media', 'Import'],
  ['zh', '新建作品', '导入'],
] as const)('an empty catalogue offers to add an entry and to import (%s)', async (language, add, importing) => {
  list.media()
  await open('/media', { language })
  await waitFor(() => expect(main().getAllByText(add)).toHaveLength(2))
  const [, offered] = main().getAllByRole('link', { name: importing })
  expect(offered?.getAttribute('href')).toBe('/import?kind=Media')
  expect(within(offered ?? document.body).getByText(importing).className).not.toContain('sr-only')
})

test('an empty result says so and offers Reset', async () => {
  answer(mediaApi.list, ({ query }) => (query.search ? [] : [aMedia()]))
  await open('/media?search=nothing')
  expect(await main().findByText('No media found')).toBeDefined()
  expect(button('Next').disabled).toBe(true)
  await userEvent.click(main().getAllByRole('button', { name: 'Reset' }).at(-1) ?? document.body)
  await row(/Kokoro/)
  expect(currentUrl()).toBe('/media')
})

test('actions without permission are disabled and explain why', async () => {
  list.media(aMedia({ createdBy: 'me' }))
  await open('/media', { as: reader })
  await row(/Kokoro/)
  expect(button('Add New Media').getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(button('Add New Media'))
  await findToast('Your tier “Reader” does not allow adding media.')
  for (const name of ['Edit Kokoro', 'Delete Kokoro']) {
    expect(button(name).getAttribute('aria-disabled')).toBe('true')
    expect(button(name).title).toBe('Your tier “Reader” does not allow editing your own content.')
  }
  button('Delete Kokoro').focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('is shown in Chinese', async () => {
  const translations = { en: text('English'), 'zh-Hans': text('中文') }
  list.media(aMedia({ translations, releaseDate: '2026-01-05T00:00:00.000Z' }))
  await open('/media', { language: 'zh' })
  expect((await main().findByRole('link', { name: '中文' })).getAttribute('lang')).toBe('zh-Hans')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('作品列表')
  expect(main().getByText('2026-01-05')).toBeDefined()
})

describe('the search box', () => {
  const searches = () => requests.filter(({ path }) => path === searchApi.search.path).map(({ query }) => query)

  test('suggests at most ten results for the trimmed input, after a debounce', async () => {
    list.media(aMedia())
    hits(...Array.from({ length: 11 }, (_, at) => aHit({ _id: `h${at}` })))
    await open('/media')
    await userEvent.type(await box(), ' moon ')
    await waitFor(() =>
      expect(
        main()
          .getAllByRole('option')
          .filter(({ id }) => id).length,
      ).toBe(10),
    )
    expect(searches()).toEqual([{ q: 'moon', limit: '10', indexName: 'media' }])
  })

  test('shows the matched language, opens the media item, and reports an empty result', async () => {
    list.media(aMedia())
    hits(
      aHit({
        translations: { en: text('Shown'), fr: text('Trouvé') },
        match: { text: 'Trouvé', language: 'fr', kind: 'exact' },
      }),
    )
    await open('/media')
    await userEvent.type(await box(), 'trouve')
    const found = within(await main().findByRole('option', { name: /Shown/ }))
    expect(found.getByText(/found in French/)).toBeDefined()
    expect(found.getByText('Trouvé').lang).toBe('fr')
    expect(found.getByText('Shown').lang).toBe('en')
    hits()
    await userEvent.type(await box(), ' nothing')
    expect(await main().findByText('No results for “trouve nothing”')).toBeDefined()
    hits(aHit())
    await userEvent.clear(await box())
    await userEvent.type(await box(), 'kokoro')
    await userEvent.click(await main().findByRole('option', { name: /Kokoro/ }))
    await waitFor(() => expect(currentUrl()).toBe('/media/h'))
  })

  test('suggests the ten newest media items of the user while empty', async () => {
    answer(mediaApi.list, ({ query }) =>
      query.userId === undefined
        ? []
        : Array.from({ length: 11 }, (_, at) => ({
            ...titled(`m${at}`, `Media ${at}`),
            createdAt: `2026-01-${10 + at}T00:00:00.000Z`,
          })),
    )
    await open('/media')
    await userEvent.click(await box())
    const recent = await main().findByRole('listbox', { name: 'Your recent media' })
    const shown = within(recent).getAllByRole('option')
    expect(shown).toHaveLength(10)
    expect(shown[0]?.textContent).toContain('Media 10')
    expect(requests.find(({ query }) => query.userId)?.query).toEqual({ userId: 'me', limit: '50' })
  })

  test('shows an error when the search or the recent items fail', async () => {
    fail(mediaApi.list)
    fail(searchApi.search, 0)
    await open('/media')
    await userEvent.click(await box())
    expect(await main().findByText('Failed to load your recent media')).toBeDefined()
    await userEvent.type(await box(), 'genji')
    expect(await main().findByText('Failed to perform search')).toBeDefined()
  })

  test('says that the index is being built, and retries', async () => {
    list.media()
    answer(searchApi.search, { status: 'indexing', hits: [] })
    await open('/media')
    await userEvent.type(await box(), 'kokoro')
    expect(await main().findByText('Search index is being built. Please try again in a moment.')).toBeDefined()
    hits(aHit())
    expect(await main().findByRole('option', { name: 'Kokoro' })).toBeDefined()
  })
})

test('the date of a filter can be typed digit by digit', async () => {
  list.media()
  await open('/media')
  await userEvent.click(await main().findByRole('button', { name: 'Add condition' }))
  await userEvent.selectOptions(await screen.findByLabelText('Filter by'), 'Updated since')
  const since = screen.getByLabelText<HTMLInputElement>('Updated since')
  // What a browser reports while a year is typed; more than four digits are not a date.
  for (const value of ['0002-01-05', '0020-01-05', '0202-01-05', '2024-01-05']) {
    fireEvent.change(since, { target: { value } })
    expect(since.value).toBe(value)
  }
  fireEvent.change(since, { target: { value: '20245-01-05' } })
  expect(since.value).toBe('')
})

test('a page of one row says so', async () => {
  list.media(aMedia())
  await open('/media?limit=1')
  await main().findByRole('link', { name: 'Kokoro' })
  expect(optionsOf('Rows per page')).toEqual(['1 row', '10 rows', '25 rows', '50 rows', '100 rows'])
})

test('with Caps Lock, shortcuts are those of the keys, and only Shift extends a selection', async () => {
  list.media(aMedia(), aMedia({ _id: 'other' }))
  await open('/media')
  const [first, second] = await main().findAllByRole('link', { name: 'Kokoro' })
  const press = (key: string, shiftKey = false) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, shiftKey })
  press('J')
  expect(document.activeElement).toBe(first)
  press('X')
  press('J')
  expect(document.activeElement).toBe(second)
  expect(await screen.findByText('1 selected', { selector: '[role="status"]' })).toBeDefined()
  press('x', true)
  expect(await screen.findByText('2 selected', { selector: '[role="status"]' })).toBeDefined()
})

test('e says why the focused row, or what the screen shows, may not be edited', async () => {
  list.media(aMedia())
  await open('/media', { as: reader })
  await main().findByRole('link', { name: 'Kokoro' })
  await userEvent.keyboard('je')
  await findToast('Your tier “Reader” does not allow editing other people’s content.')
  expect(currentUrl()).toBe('/media')
})

test('on a keyboard without Latin letters, shortcuts are where these are; elsewhere, they follow the letters', async () => {
  list.media(aMedia())
  await open('/media')
  const first = await main().findByRole('link', { name: 'Kokoro' })
  const press = (key: string, code: string, more = {}) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, code, ...more })
  // Dvorak
  press('h', 'KeyJ')
  expect(document.activeElement).not.toBe(first)
  press('о', 'KeyJ')
  expect(document.activeElement).toBe(first)
  press('л', 'KeyK', { ctrlKey: true })
  expect(await screen.findByRole('dialog', { name: 'Search' })).toBeDefined()
  press('л', 'KeyK', { ctrlKey: true })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  press('п', 'KeyG')
  press('е', 'KeyT')
  await waitFor(() => expect(currentUrl()).toBe('/tags'))
})
