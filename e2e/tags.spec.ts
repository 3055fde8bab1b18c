import type { Tag } from '@mokuroku/contract/tags'
import type { APIRequestContext, Page } from '@playwright/test'
import { aCharacter, aTag, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'

const LONG = `${'An Exceedingly Particular Descriptor '.repeat(6)}Indeed`
const THAI = 'ปู่ที่น้ำเชี่ยวผู้กู้โลก'

test.describe.configure({ timeout: 60_000 })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const cards = (page: Page) => page.getByRole('list', { name: 'Tags' }).getByRole('listitem')
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search tags' })
const type = (page: Page) => page.getByRole('combobox', { name: 'Type' })
const content = (page: Page) => page.locator('.cm-content')
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })

const ready = async (page: Page, address = '/tags') => {
  await page.goto(address)
  await expect(cards(page).first()).toBeVisible()
}

async function stored(request: APIRequestContext, token: string, { _id }: { _id: string }) {
  const answer = await request.get(`/api/tags/${_id}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status(), tag: (await answer.json()) as Tag }
}

test('a card tells all of a tag', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const { _id } = await aTag(request, token, {
    type: 'CHARACTER_TRAIT',
    color: '#12ab34',
    status: 'DEPRECATED',
    translations: {
      en: { name: `Loyal ${word}`, description: 'Does not leave.' },
      ja: { name: `忠実 ${word}`, description: '' },
    },
  })
  await aTag(request, token, { name: `Dark ${word}`, type: 'CONTENT_WARNING', status: 'HIDDEN' })
  await aCharacter(request, token, { tags: [_id] })
  await ready(page, `/tags?search=${word}`)
  await expect(heading(page)).toHaveText('Tags')
  await expect(page.getByRole('link', { name: 'Add New Tag' })).toHaveAttribute('href', '/tags/new')
  await expect(cards(page)).toHaveCount(2)

  const card = cards(page).filter({ hasText: 'Loyal' })
  await expect(card.getByRole('link', { name: `Loyal ${word}`, exact: true })).toHaveAttribute('lang', 'en')
  await expect(card.getByText('Character Trait', { exact: true })).toBeVisible()
  await expect(card.getByText('Deprecated', { exact: true })).toBeVisible()
  await expect(card.getByText('Does not leave.')).toHaveAttribute('lang', 'en')
  await expect(card).toContainText('en · ja')
  await expect(card.locator('[data-colour]')).toHaveAttribute('data-colour', '#12ab34')
  await expect(card.getByRole('definition')).toHaveText(['1', '0', '1'])
  await expect(card.getByRole('term')).toHaveText(['Usage', 'Media', 'Characters'])

  const other = cards(page).filter({ hasText: 'Dark' })
  await expect(other.getByText('Content Warning', { exact: true })).toBeVisible()
  await expect(other.getByText('Hidden', { exact: true })).toBeVisible()
  await expect(other).toContainText('No description')
  await expect(page.getByRole('button', { name: 'Next' })).toHaveCount(0)
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('a tag without a colour is grey, and one without texts says so', async ({ signedIn: page, request, token }) => {
  const tag = await aTag(request, token)
  await page.route('/api/tags?*', (route) =>
    route.fulfill({ json: { tags: [{ ...tag, color: '', translations: {} }], total: 1 } }),
  )
  await ready(page)
  await expect(cards(page).locator('[data-colour]')).toHaveCSS('background-color', 'rgb(113, 128, 150)')
  await expect(cards(page)).toContainText('No translations')
})

test('search and type filter, live in the address, and go with Reset', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aTag(request, token, { name: `${word} one`, type: 'GENRE' })
  await aTag(request, token, { name: `${word} two`, type: 'THEME' })
  await ready(page)
  await expect(type(page).getByRole('option')).toHaveText([
    'All Types',
    'Genre',
    'Theme',
    'Character Trait',
    'Content Warning',
    'Custom',
  ])
  await page.keyboard.press('/')
  await expect(searchBox(page)).toBeFocused()
  await searchBox(page).fill(`  ${word} `)
  await expect(page).toHaveURL(`/tags?search=${word}`)
  await expect(cards(page)).toHaveCount(2)
  await type(page).selectOption('Theme')
  await expect(page).toHaveURL(`/tags?search=${word}&type=THEME`)
  await expect(cards(page)).toHaveCount(1)
  await page.goBack()
  await expect(cards(page)).toHaveCount(2)
  await expect(type(page)).toHaveValue('')
  await page.goForward()
  await page.reload()
  await expect(cards(page)).toHaveCount(1)
  await expect(searchBox(page)).toHaveValue(word)
  await expect(type(page)).toHaveValue('THEME')
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL('/tags')
  await expect(searchBox(page)).toHaveValue('')
  await expect(type(page)).toHaveValue('')
  await expect.poll(() => cards(page).count()).toBeGreaterThan(2)
})

test('delete asks first, and Undo brings the tag back', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aTag(request, token, { name: `${word} stays` })
  await aTag(request, token, { name: `${word} goes` })
  await ready(page, `/tags?search=${word}`)
  await page.getByRole('button', { name: `Delete ${word} goes` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are you sure you want to delete this tag?')
  await expect(dialog).toContainText('Not used anywhere.')
  await expect(dialog.getByText('Replace it with another tag')).toHaveCount(0)
  await noViolations(page)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Tag deleted')).toBeVisible()
  await expect(cards(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Tag restored')).toBeVisible()
  await expect(cards(page)).toHaveCount(2)
})

test('a used tag can be replaced before it is deleted @phone', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const old = await aTag(request, token, { name: `${word} old` })
  const fresh = await aTag(request, token, { name: `${word} fresh` })
  await aTag(request, token, { name: `${word} child`, parentTag: old._id })
  for (const name of ['Ane', 'Bo', 'Cai'])
    await aCharacter(request, token, { name: `${name} ${word}`, tags: [old._id] })
  await ready(page, `/tags?search=${word}`)
  await page.getByRole('button', { name: `Delete ${word} old` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('It is used by 3 characters and 1 tag as its parent:')
  await expect(dialog).toContainText(`Bo ${word}`)
  const box = dialog.getByRole('combobox', { name: 'Search for the replacement' })
  await box.fill(word)
  await expect(dialog.getByRole('option', { name: `${word} fresh` })).toBeVisible()
  await expect(dialog.getByRole('option', { name: `${word} old` })).toHaveCount(0)
  await noViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('option')).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await box.fill(`${word} fresh`)
  await dialog.getByRole('option', { name: `${word} fresh` }).click()
  await expect(dialog.getByRole('status').filter({ hasText: 'Will be replaced with' })).toContainText(`${word} fresh`)
  await expect(dialog.getByRole('button', { name: 'Do not replace' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(box).toBeFocused()
  await box.fill(`${word} fresh`)
  await expect(dialog.getByRole('option').first()).toContainText(`${word} fresh`)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status').filter({ hasText: 'Will be replaced with' })).toContainText(`${word} fresh`)
  await noViolations(page)
  await noSidewaysScroll(page)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(`Tag replaced with “${word} fresh” and deleted`)).toBeVisible()
  await expect(cards(page)).toHaveCount(2)
  expect((await stored(request, token, fresh)).tag.characterCount).toBe(3)
  expect((await stored(request, token, old)).status).toBe(404)
  await expect(cards(page).filter({ hasText: 'fresh' }).getByRole('definition').first()).toHaveText('3')
})

test('long names in any script keep the layout @phone', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aTag(request, token, { translations: { en: { name: `${word} ${LONG}`, description: LONG.repeat(3) } } })
  await aTag(request, token, {
    translations: Object.fromEntries(
      ['th', 'zh-Hans', 'zh-Hant', 'ja', 'ko', 'vi', 'fr', 'ru', 'es', 'pt-BR', 'de'].map((tag) => [
        tag,
        { name: `${THAI.repeat(3)} ${word}`, description: '' },
      ]),
    ),
    status: 'DEPRECATED',
    type: 'CONTENT_WARNING',
  })
  await aTag(request, token, { name: `${word}${'w'.repeat(300)}` })
  await ready(page, `/tags?search=${word}`)
  await expect(cards(page)).toHaveCount(3)
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('a new tag is written as JSON', async ({ signedIn: page }) => {
  const word = aWord()
  await page.goto('/tags/new')
  await expect(heading(page)).toHaveText('Create New Tag')
  await expect(content(page)).toContainText('"color": "#000000"', { timeout: 20_000 })
  await expect(content(page)).toContainText('"type": "GENRE"')
  await expect(content(page)).toContainText('"status": "ACTIVE"')
  await expect(page.getByRole('button', { name: 'AI Enhance Translations' })).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
  const tag = {
    type: 'THEME',
    translations: { en: { name: word, description: '' } },
    icon: null,
    color: 'red',
    parentTag: null,
    status: 'ACTIVE',
  }
  await write(page, tag)
  await save(page).click()
  await expect(page.locator('#problems')).toContainText('Validation errors:')
  await expect(page.locator('#problems')).toContainText('color: Must be a hash followed by six hex digits')
  await write(page, { ...tag, color: '#aa3366' })
  await save(page).click()
  await expect(page.getByText('Tag created successfully')).toBeVisible()
  await expect(page).toHaveURL('/tags')
  await expect(cards(page).filter({ hasText: word })).toBeVisible()
})

test('editing saves and leads back to the list', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const parent = await aTag(request, token, { name: `Parent ${word}` })
  const tag = await aTag(request, token, { name: word, parentTag: parent._id })
  await page.goto(`/tags/${tag._id}/edit`)
  await expect(content(page)).toContainText(`“Parent ${word}”`, { timeout: 20_000 })
  const { type: kind, icon, color } = tag
  const translations = { en: { name: `${word} renamed`, description: '' } }
  await write(page, { type: kind, icon, color, translations, parentTag: null, status: 'HIDDEN' })
  await save(page).click()
  await expect(page.getByText('Tag updated successfully')).toBeVisible()
  await expect(page).toHaveURL('/tags')
  await expect(cards(page).filter({ hasText: `${word} renamed` })).toContainText('Hidden')
})

test.describe('faults', () => {
  test.use({ expectedErrors: [/./] })

  test('an editor that cannot load or save says so', async ({ signedIn: page, request, token }) => {
    const tag = await aTag(request, token)
    await page.route(`/api/tags/${tag._id}`, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(`/tags/${tag._id}/edit`)
    await expect(page.getByText('Failed to load tag data')).toBeVisible()
    await noViolations(page)
    await page.unroute(`/api/tags/${tag._id}`)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(content(page)).toBeVisible({ timeout: 20_000 })
    const { type: kind, icon, translations, parentTag, status } = tag
    await write(page, { type: kind, icon, translations, parentTag, status, color: '#123456' })
    await page.route(`/api/tags/${tag._id}`, (route) => route.fulfill({ status: 500, json: {} }))
    await save(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to update tag' })).toBeVisible()
    await page.goto('/tags/00000000-0000-7000-8000-000000000000/edit')
    await expect(page.getByText('Tag not found')).toBeVisible()
  })
})

test('the palette opens the editor of a tag', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aTag(request, token, { name: `Mood ${word}` })
  await ready(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search', exact: true }).fill(word)
  await page.getByRole('option', { name: `Mood ${word}` }).click()
  await expect(heading(page)).toHaveText('Edit Tag')
})

test('speaks Chinese', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aTag(request, token, {
    type: 'CONTENT_WARNING',
    translations: {
      en: { name: `English ${word}`, description: '' },
      zh: { name: `中文 ${word}`, description: '说明' },
    },
  })
  await page.addInitScript(() => localStorage.setItem('language', 'zh'))
  await page.goto(`/tags?search=${word}`)
  await expect(heading(page)).toHaveText('标签')
  await expect(page.getByRole('link', { name: `中文 ${word}`, exact: true })).toHaveAttribute('lang', 'zh')
  await expect(page.getByRole('listitem').getByText('内容预警')).toBeVisible()
  await noViolations(page)
})

/** Replaces the whole text, as pasting it does. */
async function write(page: Page, value: unknown) {
  await content(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
}
