// The card lists of characters and tags: their content, their filters, and the command palette that opens an item.
import { assetsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { searchApi } from '@mokuroku/contract/search'
import { tagsApi } from '@mokuroku/contract/tags'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import {
  anAsset,
  aCharacter,
  aHit,
  answer,
  requests,
  aTag,
  button,
  findToast,
  currentUrl,
  hold,
  list,
  main,
  open,
  reader,
  withoutServer,
} from './testing.tsx'

withoutServer()

const text = (name: string, description = '') => ({ name, description })
const leadsTo = (name: string) => main().getByRole('link', { name }).getAttribute('href')
const cardOf = async (name: string) =>
  within((await main().findByRole('link', { name })).closest('li') ?? document.body)

describe('characters', () => {
  test('a card shows name, original name, tags and media count, and links to view and edit', async () => {
    const original = '骨川直美之助大権現左衛門尉源朝臣'
    const names = ['One', 'Two', 'Three', 'Four', 'Five']
    list.characters(
      aCharacter({
        translations: { ja: text(original), en: text('Naomi') },
        originalName: original,
        tags: names.map((name) => aTag({ _id: name, translations: { en: text(name) } })),
        mediaCount: 1,
      }),
    )
    await open('/characters')
    const card = await cardOf('Naomi')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Characters')
    expect(leadsTo('Add New Character')).toBe('/characters/new')
    expect(card.getByRole('link', { name: 'Naomi' }).getAttribute('lang')).toBe('en')
    expect(card.getByText(original).lang).toBe('ja')
    for (const said of ['No img', 'One', 'Two', 'Three', '+2 more', '1 media'])
      expect(card.getByText(said)).toBeDefined()
    expect(card.queryByText('Four')).toBeNull()
    expect(leadsTo('View Naomi')).toBe('/characters/c')
    expect(leadsTo('Edit Naomi')).toBe('/characters/c/edit')
  })

  test('an empty search box suggests the ten newest characters of the user', async () => {
    const all = Array.from({ length: 11 }, (_, at) =>
      aCharacter({ _id: `c${at}`, translations: { en: text(`Number ${at}`) }, createdAt: `2026-01-${10 + at}` }),
    )
    list.characters(...all)
    await open('/characters')
    await userEvent.click(await main().findByRole('combobox', { name: 'Search characters' }))
    const recent = await main().findByRole('listbox', { name: 'Your recent characters' })
    const shown = within(recent).getAllByRole('option')
    expect(shown).toHaveLength(10)
    expect(shown[0]?.textContent).toContain('Number 10')
    expect(requests.find(({ query }) => query.userId)?.query).toMatchObject({ userId: 'me', limit: '20' })
  })

  test('are filtered by name with the Filter button, and all are shown again with Reset', async () => {
    answer(charactersApi.list, ({ query: { search } }) => {
      const characters = search ? [aCharacter()] : [aCharacter(), aCharacter({ _id: 'd', originalName: 'Other' })]
      const pagination = { total: characters.length, pages: 1, page: 1, limit: 10 }
      return { characters, pagination }
    })
    await open('/characters')
    expect(await main().findByText('2 results')).toBeDefined()
    await userEvent.type(main().getByRole('combobox', { name: 'Search characters' }), 'sensei')
    await userEvent.click(button('Filter'))
    await waitFor(() => expect(currentUrl()).toBe('/characters?search=sensei'))
    expect(await main().findByText('1 result')).toBeDefined()
    expect(main().getByText('Best match first')).toBeDefined()
    await userEvent.click(button('Reset'))
    expect(await main().findByText('2 results')).toBeDefined()
    expect(currentUrl()).toBe('/characters')
  })

  test('actions without permission are disabled and explain why', async () => {
    list.characters(aCharacter({ createdBy: 'me' }))
    await open('/characters', { as: reader })
    await cardOf('Sensei')
    await userEvent.click(button('Add New Character'))
    await findToast('Your tier “Reader” does not allow adding characters.')
    for (const name of ['Edit Sensei', 'Delete Sensei']) {
      expect(button(name).getAttribute('aria-disabled')).toBe('true')
      expect(button(name).title).toBe('Your tier “Reader” does not allow editing your own content.')
    }
  })

  test('are shown in Chinese', async () => {
    const translations = { en: text('English'), 'zh-Hans': text('中文') }
    answer(charactersApi.list, {
      characters: Array.from({ length: 10 }, (_, at) =>
        aCharacter({ _id: `c${at}`, ...(at === 0 && { translations }) }),
      ),
      pagination: { total: 74, pages: 8, page: 1, limit: 10 },
    })
    await open('/characters', { language: 'zh' })
    expect((await main().findByRole('link', { name: '中文' })).getAttribute('lang')).toBe('zh-Hans')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('角色')
    expect(main().getByRole('list', { name: '角色' })).toBeDefined()
    expect(main().getByText('第 1–10 项，共 74 项')).toBeDefined()
  })
})

describe('tags', () => {
  test('a card shows all details of a tag', async () => {
    list.tags(
      aTag({
        type: 'CHARACTER_TRAIT',
        color: '#12ab34',
        status: 'DEPRECATED',
        translations: { en: text('Loyal', 'Does not leave.'), ja: text('忠実') },
        usageCount: 1,
        characterCount: 1,
      }),
      aTag({ _id: 'd', type: 'CONTENT_WARNING', status: 'HIDDEN', translations: { en: text('Dark') } }),
    )
    await open('/tags')
    const card = await cardOf('Loyal')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Tags')
    expect(leadsTo('Add New Tag')).toBe('/tags/new')
    expect(card.getByRole('link', { name: 'Loyal' }).getAttribute('lang')).toBe('en')
    for (const said of ['Character Trait', 'Deprecated', /en · ja$/]) expect(card.getByText(said)).toBeDefined()
    expect(card.getByText('Does not leave.').lang).toBe('en')
    const texts = (role: string) => card.getAllByRole(role).map(({ textContent }) => textContent)
    expect(texts('term')).toEqual(['Usage', 'Media', 'Characters'])
    expect(texts('definition')).toEqual(['1', '0', '1'])
    expect(document.querySelector('[data-colour]')?.getAttribute('data-colour')).toBe('#12ab34')
    const other = await cardOf('Dark')
    for (const said of ['Content Warning', 'Hidden', 'No description']) expect(other.getByText(said)).toBeDefined()
    expect(main().queryByRole('button', { name: 'Next' })).toBeNull()
  })

  test('a tag without a colour is grey, and missing translations are stated', async () => {
    list.tags(aTag({ color: '', translations: {} }))
    await open('/tags')
    expect(await main().findByText('No translations')).toBeDefined()
    expect(document.querySelector<HTMLElement>('[data-colour]')?.style.background).toBe('#718096')
  })

  test('search and type apply immediately, are kept in the URL, and are cleared by Reset', async () => {
    list.tags(aTag())
    await open('/tags')
    await cardOf('Mystery')
    const box = () => main().getByRole<HTMLInputElement>('searchbox', { name: 'Search tags' })
    const type = () => main().getByRole<HTMLSelectElement>('combobox', { name: 'Type' })
    expect([...type().options].map((option) => option.text)).toEqual([
      'All Types',
      'Genre',
      'Theme',
      'Character Trait',
      'Content Warning',
      'Custom',
    ])
    const query = () => requests.findLast(({ path }) => path === tagsApi.list.path)?.query
    await userEvent.keyboard('/')
    expect(document.activeElement).toBe(box())
    await userEvent.type(box(), '  mood ')
    await waitFor(() => expect(currentUrl()).toBe('/tags?search=mood'))
    await waitFor(() => expect(query()).toMatchObject({ search: 'mood' }))
    await userEvent.selectOptions(type(), 'Theme')
    await waitFor(() => expect(currentUrl()).toBe('/tags?search=mood&type=THEME'))
    await waitFor(() => expect(query()).toMatchObject({ search: 'mood', type: 'THEME' }))
    await userEvent.click(button('Reset'))
    await waitFor(() => expect(currentUrl()).toBe('/tags'))
    expect([box().value, type().value]).toEqual(['', ''])
  })

  test('the filters are restored from the URL', async () => {
    list.tags(aTag())
    await open('/tags?search=mood&type=THEME')
    await cardOf('Mystery')
    expect(main().getByRole<HTMLInputElement>('searchbox', { name: 'Search tags' }).value).toBe('mood')
    expect(main().getByRole<HTMLSelectElement>('combobox', { name: 'Type' }).value).toBe('THEME')
  })

  test('deleting an unused tag asks first, offers no replacement, and can be undone', async () => {
    list.tags(aTag())
    answer(tagsApi.uses, { total: 0, by: [], first: [] })
    answer(tagsApi.remove, { success: true })
    answer(tagsApi.restore, aTag())
    await open('/tags')
    await cardOf('Mystery')
    await userEvent.click(button('Delete Mystery'))
    const question = within(await screen.findByRole('dialog'))
    expect(question.getByText('Are you sure you want to delete this tag?')).toBeDefined()
    expect(await question.findByText('Not used anywhere.')).toBeDefined()
    expect(question.queryByText('Replace it with another tag')).toBeNull()
    list.tags()
    await userEvent.click(question.getByRole('button', { name: 'Delete' }))
    const toast = within(await findToast('Tag deleted'))
    await waitFor(() => expect(main().queryByRole('link', { name: 'Mystery' })).toBeNull())
    list.tags(aTag())
    await userEvent.click(toast.getByRole('button', { name: 'Undo' }))
    await findToast('Tag restored')
    await cardOf('Mystery')
    expect(requests.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual([
      '/api/tags/t',
      '/api/tags/t/restore',
    ])
  })

  test('the end of a slow deletion does not close the dialog of another one', async () => {
    list.tags(aTag(), aTag({ _id: 'u', translations: { en: { name: 'Drama', description: '' } } }))
    answer(tagsApi.uses, { total: 0, by: [], first: [] })
    answer(tagsApi.remove, { success: true })
    await open('/tags')
    await cardOf('Mystery')
    const release = hold(tagsApi.remove)
    const press = async (name: string) => userEvent.click(within(await screen.findByRole('dialog')).getByText(name))
    await userEvent.click(button('Delete Mystery'))
    await press('Delete')
    await press('Cancel')
    await userEvent.click(button('Delete Drama'))
    await screen.findByRole('dialog')
    release()
    await findToast('Tag deleted')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(within(screen.getByRole('dialog')).getByText('Drama')).toBeDefined()
  })

  test('are shown in Chinese', async () => {
    const translations = { en: text('English'), zh: text('中文', '说明') }
    list.tags(aTag({ type: 'CONTENT_WARNING', translations }))
    await open('/tags', { language: 'zh' })
    const card = await cardOf('中文')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('标签')
    expect(card.getByRole('link', { name: '中文' }).getAttribute('lang')).toBe('zh')
    expect(card.getByText('内容预警')).toBeDefined()
  })
})

test.each([
  ['characters', '/characters/h', 'Naomi'],
  ['tags', '/tags/h/edit', 'Mood'],
] as const)('the command palette opens a result among the %s', async (index, address, name) => {
  list.characters(aCharacter())
  answer(charactersApi.find, aCharacter({ _id: 'h' }))
  answer(tagsApi.find, aTag({ _id: 'h' }))
  const hit = aHit({ translations: { en: text(name) }, match: { text: name, language: 'en', kind: 'exact' } })
  answer(searchApi.search, ({ query: { indexName } }) => ({
    status: 'ready' as const,
    hits: indexName === index ? [hit] : [],
  }))
  await open('/characters')
  await cardOf('Sensei')
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox', { name: 'Search' }), name)
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(name) }))
  await waitFor(() => expect(currentUrl()).toBe(address))
})

test('the command palette searches for the first 200 characters of a long pasted text', async () => {
  const searched = () => requests.filter(({ path }) => path === searchApi.search.path).map(({ query }) => query.q)
  answer(searchApi.search, { status: 'ready', hits: [] })
  await open('/tags')
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.click(await screen.findByRole('combobox', { name: 'Search' }))
  await userEvent.paste('x'.repeat(300))
  await waitFor(() => expect(searched()).toContain('x'.repeat(200)))
})

test('unused assets are moved to the trash as of when the server listed them, whatever the clock here says', async () => {
  const until = '2026-01-05T00:00:00.000Z'
  answer(assetsApi.list, { data: [anAsset()], pagination: { total: 1, limit: 20, skip: 0, size: 512, until } })
  answer(assetsApi.trashUnused, { success: true, count: 1, size: 512, batch: 'b' })
  await open('/assets?unused=true')
  await userEvent.click(await main().findByRole('button', { name: 'Move all to the trash' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Move to the trash' }))
  await findToast('1 asset moved to the trash')
  expect(requests.find(({ path }) => path === assetsApi.trashUnused.path)?.body).toEqual({ until })
})
