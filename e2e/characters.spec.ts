import type { APIRequestContext, Page } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { heightOf } from './support/reading.ts'

const LONG = `${'The Most Honourable Bearer of Far Too Many Names '.repeat(5)}and One More`
const JAPANESE = '骨川直美之助大権現左衛門尉源朝臣'
const THAI = 'ปู่ที่น้ำเชี่ยวผู้กู้โลก'

test.describe.configure({ timeout: 60_000 })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const cards = (page: Page) => page.getByRole('list', { name: 'Characters' }).getByRole('listitem')
const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search characters' })
const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const content = (page: Page) => page.locator('.cm-content')
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })

const ready = async (page: Page, address = '/characters') => {
  await page.goto(address)
  await expect(cards(page).first()).toBeVisible()
}

/** The sample catalogue is loaded while the server already answers. */
async function sample(request: APIRequestContext, token: string): Promise<number> {
  let total = 0
  await expect
    .poll(
      async () => {
        const answer = await request.get('/api/characters', { headers: { authorization: `Bearer ${token}` } })
        total = ((await answer.json()) as { pagination: { total: number } }).pagination.total
        return total
      },
      { timeout: 90_000, intervals: [500, 2000] },
    )
    .toBeGreaterThan(70)
  return total
}

/** As a user whose tier grants nothing. */
const asReader = (page: Page) =>
  page.route('/api/auth/verify', async (route) => {
    const answer = await route.fetch()
    const { user } = (await answer.json()) as { user: { permissions: Record<string, unknown> } }
    const permissions = Object.fromEntries(Object.keys(user.permissions).map((flag) => [flag, false]))
    await route.fulfill({ json: { success: true, user: { ...user, role: 'user', tier: 'Reader', permissions } } })
  })

test('a card tells name, original name, tags and media, and leads on', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const tags = await Promise.all(['One', 'Two', 'Three', 'Four', 'Five'].map((name) => aTag(request, token, { name })))
  const media = await aMedia(request, token)
  const { _id } = await aCharacter(request, token, {
    translations: { ja: { name: JAPANESE, description: '' }, en: { name: `Naomi ${word}`, description: '' } },
    originalName: JAPANESE,
    tags: tags.map((tag) => tag._id),
    mediaRefs: [media._id],
  })
  await ready(page)
  await expect(heading(page)).toHaveText('Characters')
  await expect(page.getByRole('link', { name: 'Add New Character' })).toHaveAttribute('href', '/characters/new')

  const card = cards(page).filter({ hasText: word })
  await expect(card.getByRole('link', { name: `Naomi ${word}`, exact: true })).toHaveAttribute('lang', 'en')
  await expect(card.getByText(JAPANESE)).toHaveAttribute('lang', 'ja')
  await expect(card).toContainText('No img')
  for (const name of ['One', 'Two', 'Three']) await expect(card.getByText(name, { exact: true })).toBeVisible()
  await expect(card.getByText('Four')).toHaveCount(0)
  await expect(card.getByText('+2 more', { exact: true })).toBeVisible()
  await expect(card.getByText('1 media', { exact: true })).toBeVisible()
  const action = (verb: string) => card.getByRole('link', { name: `${verb} Naomi ${word}` })
  await expect(action('View')).toHaveAttribute('href', `/characters/${_id}`)
  await expect(action('Edit')).toHaveAttribute('href', `/characters/${_id}/edit`)
  await noViolations(page)
})

test('the search opens a character by any of its names', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aCharacter(request, token, {
    translations: { en: { name: `Naomi ${word}`, description: '' }, vi: { name: `Bà ${word}`, description: '' } },
  })
  await ready(page)
  await page.keyboard.press('/')
  await expect(searchBox(page)).toBeFocused()
  await searchBox(page).fill(`ba ${word}`)
  await expect(page.getByRole('option', { name: `Naomi ${word}` })).toBeVisible()
  await noViolations(page)
  // Enter takes the first hit, which is marked.
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(`Naomi ${word}`)
})

test('an empty box offers the ten newest of the own characters', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aCharacter(request, token, { name: `${word} newest` })
  await ready(page)
  const asked = page.waitForRequest(/\/api\/characters\?.*userId=/)
  await searchBox(page).focus()
  expect(new URL((await asked).url()).searchParams.get('limit')).toBe('20')
  const options = page.getByRole('listbox', { name: 'Your recent characters' }).getByRole('option')
  await expect(options.filter({ hasText: `${word} newest` })).toBeVisible()
  await expect.poll(() => options.count()).toBeLessThanOrEqual(10)
})

test('delete says where it is used, and Undo brings it back', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const media = await aMedia(request, token, { title: `Story of ${word}` })
  await aCharacter(request, token, { name: `${word} goes`, mediaRefs: [media._id] })
  await ready(page)
  await page.getByRole('button', { name: `Delete ${word} goes` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are you sure you want to delete this character?')
  await expect(dialog).toContainText('It is used by 1 media:')
  await expect(dialog.getByRole('listitem')).toHaveText(`Story of ${word}`)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await noViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Delete ${word} goes` })).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Character deleted')).toBeVisible()
  await expect(cards(page).filter({ hasText: word })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Character restored')).toBeVisible()
  await expect(cards(page).filter({ hasText: word })).toContainText('1 media')
})

test('who may not write sees why', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const { _id } = await aCharacter(request, token, { name: word })
  await asReader(page)
  await ready(page)
  const add = page.getByRole('button', { name: 'Add New Character' })
  await add.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your tier “Reader” does not allow adding characters.')).toBeVisible()
  for (const verb of ['Edit', 'Delete']) {
    const button = page.getByRole('button', { name: `${verb} ${word}` })
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(button).toHaveAttribute('title', 'Your tier “Reader” does not allow editing your own content.')
  }
  await noViolations(page)
  await page.goto(`/characters/${_id}`)
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
})

test('long names in any script keep the layout @phone', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const tags = [await aTag(request, token, { name: LONG })]
  const { _id } = await aCharacter(request, token, {
    translations: {
      en: { name: `${word} ${LONG}`, description: 'First line\n\nSecond line' },
      th: { name: THAI.repeat(4), description: THAI.repeat(20) },
    },
    originalName: JAPANESE.repeat(6),
    tags: tags.map((tag) => tag._id),
  })
  await aCharacter(request, token, { name: `${word}${'w'.repeat(300)}` })
  await ready(page)
  await expect(cards(page).filter({ hasText: word })).toHaveCount(2)
  await noSidewaysScroll(page)
  await noViolations(page)

  await page.goto(`/characters/${_id}`)
  await expect(heading(page)).toContainText(word)
  await expect(heading(page)).toHaveAttribute('lang', 'en')
  const details = region(page, 'Details')
  await expect.poll(heightOf(details.getByText('First line'))).toBeGreaterThan(60)
  await details.getByRole('tab', { name: 'Thai' }).click()
  await expect(details.getByRole('tabpanel').locator('[lang=th]').first()).toContainText(THAI)
  await expect(page.getByText('This character is not linked to any media.')).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('the detail shows all of a character', async ({ signedIn: page, request, token }) => {
  test.setTimeout(120_000)
  await sample(request, token)
  const answer = await request.get('/api/search?indexName=characters&q=Hikaru+Genji', {
    headers: { authorization: `Bearer ${token}` },
  })
  const { hits } = (await answer.json()) as { hits: { _id: string }[] }
  await page.goto(`/characters/${hits[0]?._id}`)
  await expect(heading(page)).toHaveText('Hikaru Genji')
  await expect(page).toHaveTitle('Hikaru Genji · Admin Dashboard')
  const details = region(page, 'Details')
  for (const fact of ['Original name', 'Created', 'Last updated', 'Tags'])
    await expect(details.getByRole('term').filter({ hasText: fact })).toBeVisible()
  await expect(details.getByText('光源氏').first()).toHaveAttribute('lang', 'ja')
  await details.getByRole('tab', { name: 'Japanese' }).click()
  await expect(details.getByRole('tabpanel').locator('[lang=ja]').first()).toContainText('光源氏')
  const media = region(page, /^Related Media/)
  await expect(media.getByRole('article').filter({ hasText: 'The Tale of Genji' }).first()).toBeVisible()
  const first = media.getByRole('article').first()
  await expect(first.getByText(/^(Anime|Manga|Novel)$/)).toBeVisible()
  await expect(first.getByText(/^(Ongoing|Completed)$/)).toBeVisible()
  await expect(page.locator('main img').first()).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
  await first.getByRole('link').click()
  await expect(page).toHaveURL(/\/media\/[\w-]{36}$/)
})

test('Enter waits for what the search finds; Esc and typing take it back', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const { _id } = await aCharacter(request, token, { name: word })
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('/api/search?*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/characters')
  const box = searchBox(page)
  await box.fill(word)
  await box.press('Enter')
  await expect(box).toHaveAttribute('aria-busy', 'true')
  await box.press('Escape')
  await expect(box).not.toHaveAttribute('aria-busy')
  await box.press('Enter')
  await box.pressSequentially(' ')
  await expect(box).not.toHaveAttribute('aria-busy')
  await expect(page).toHaveURL('/characters')
  await box.press('Enter')
  answer()
  await expect(page).toHaveURL(`/characters/${_id}`)
})

test('deleting on the detail leads back to the list', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const { _id } = await aCharacter(request, token, { name: word })
  await page.goto(`/characters/${_id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toContainText('Not used anywhere.')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/characters')
  await expect(page.getByText('Character deleted')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cards(page).filter({ hasText: word })).toBeVisible()
})

test('a new character is written as JSON', async ({ signedIn: page }) => {
  const word = aWord()
  await page.goto('/characters/new')
  await expect(heading(page)).toHaveText('Create New Character')
  await expect(content(page)).toContainText('"originalName": ""', { timeout: 20_000 })
  await expect(content(page)).toContainText('"mediaRefs": []')
  await expect(page.getByRole('button', { name: 'AI Enhance Translations' })).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
  await write(page, { translations: { en: { name: word, description: 'New' } }, originalName: word })
  await save(page).click()
  await expect(page.getByText('Character created successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/characters\/[\w-]{36}$/)
  await expect(heading(page)).toHaveText(word)
})

test('editing saves and leads back to the list', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const tag = await aTag(request, token, { name: `Trait ${word}` })
  const media = await aMedia(request, token, { title: `Story ${word}` })
  const stored = await aCharacter(request, token, { name: word, tags: [tag._id], mediaRefs: [media._id] })
  await page.goto(`/characters/${stored._id}/edit`)
  await expect(heading(page)).toHaveText('Edit Character')
  // Behind the ids stand the names of what they belong to.
  await expect(content(page)).toContainText(`“Trait ${word}”`, { timeout: 20_000 })
  await expect(content(page)).toContainText(`“Story ${word}”`)
  await write(page, '{ "translations": ')
  await save(page).click()
  await expect(page.locator('#problems')).toContainText('Invalid JSON format')
  await write(page, { translations: { en: { name: 5, description: '' } } })
  await save(page).click()
  await expect(page.locator('#problems')).toContainText('Validation errors:')
  await expect(page.locator('#problems')).toContainText('translations.en.name: ')
  await write(page, {
    translations: { en: { name: `${word} renamed`, description: '' } },
    tags: [tag._id],
    mediaRefs: [media._id],
  })
  await save(page).click()
  await expect(page.getByText('Character updated successfully')).toBeVisible()
  await expect(page).toHaveURL('/characters')
  await expect(cards(page).filter({ hasText: `${word} renamed` })).toContainText('1 media')
})

test.describe('faults', () => {
  test.use({ expectedErrors: [/./] })

  test('a detail is loading, fails, is retried, or is not there', async ({ signedIn: page, request, token }) => {
    const { _id, translations } = await aCharacter(request, token)
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(`/api/characters/${_id}`, async (route) => {
      await held
      await route.fulfill({ status: 500, json: {} })
    })
    await page.goto(`/characters/${_id}`)
    await expect(page.getByText('Loading character details...')).toBeVisible()
    await noViolations(page)
    answer()
    await expect(page.getByText('Failed to load character details')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to Characters' })).toBeVisible()
    await noViolations(page)
    await page.unroute(`/api/characters/${_id}`)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(heading(page)).toHaveText(translations.en?.name ?? '')

    await page.goto('/characters/00000000-0000-7000-8000-000000000000')
    await expect(heading(page)).toHaveText('Character not found')
    await noViolations(page)
    await page.goto('/characters/00000000-0000-7000-8000-000000000000/edit')
    await expect(page.getByText('Character not found')).toBeVisible()
  })
})

test('the palette opens a character', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aCharacter(request, token, { name: `Naomi ${word}` })
  await ready(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search', exact: true }).fill(word)
  await page.getByRole('option', { name: `Naomi ${word}` }).click()
  await expect(heading(page)).toHaveText(`Naomi ${word}`)
})

test('speaks Chinese', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const { _id } = await aCharacter(request, token, {
    translations: {
      en: { name: `English ${word}`, description: '' },
      'zh-Hans': { name: `中文 ${word}`, description: '' },
    },
  })
  await page.addInitScript(() => localStorage.setItem('language', 'zh'))
  await page.goto('/characters')
  await expect(page.getByRole('list', { name: '角色' }).getByRole('listitem').first()).toBeVisible()
  await expect(heading(page)).toHaveText('角色')
  await expect(page.getByRole('link', { name: `中文 ${word}`, exact: true })).toHaveAttribute('lang', 'zh-Hans')
  await expect(page.getByText(/^第 1–10 项，共 \d+ 项$/)).toBeVisible()
  await noViolations(page)
  await page.goto(`/characters/${_id}`)
  await expect(page.getByText('此角色尚未关联任何作品。')).toBeVisible()
  await noViolations(page)
})

/** Replaces the whole text, as pasting it does. */
async function write(page: Page, value: unknown) {
  await content(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
}
