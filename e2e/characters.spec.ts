import type { APIRequestContext, Page } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord } from './support/catalogue.ts'
import { content, save, write } from './support/editor.ts'
import { expect, hold, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { heading } from './support/locators.ts'

const cards = (page: Page) => page.getByRole('list', { name: 'Characters' }).getByRole('listitem')
const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search characters' })
const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

const ready = async (page: Page, address = '/characters') => {
  await page.goto(address)
  await expect(cards(page).first()).toBeVisible()
}

/** Waits for the characters of the sample catalogue, which is loaded after the server has started. */
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

test('the search opens a character by any of its names, and Enter waits for the results', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const { _id } = await aCharacter(request, token, {
    translations: { en: { name: `Naomi ${word}`, description: '' }, vi: { name: `Bà ${word}`, description: '' } },
  })
  await ready(page)
  const box = searchBox(page)

  await test.step('finds a character by a name in another language', async () => {
    await page.keyboard.press('/')
    await expect(box).toBeFocused()
    await box.fill(`ba ${word}`)
    await expect(page.getByRole('option', { name: `Naomi ${word}` })).toBeVisible()
    await noViolations(page)
    // Enter selects the first hit, which is highlighted.
    await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(heading(page)).toHaveText(`Naomi ${word}`)
    await page.goBack()
    await expect(cards(page).first()).toBeVisible()
  })

  await test.step('Enter waits for the results; Esc and typing cancel it', async () => {
    const release = await hold(page, '/api/search?*')
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
    release()
    await expect(page).toHaveURL(`/characters/${_id}`)
  })

  await test.step('the Filter button lists what it finds', async () => {
    await ready(page)
    await box.fill(`ba ${word}`)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await expect(cards(page)).toHaveCount(1)
    await expect(cards(page)).toContainText(`Naomi ${word}`)
  })
})

test('deleting a character shows where it is used, and can be undone', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const media = await aMedia(request, token, { title: `Story of ${word}` })
  await aCharacter(request, token, { name: `${word} goes`, mediaRefs: [media._id] })
  await ready(page)
  await page.getByRole('button', { name: `Delete ${word} goes` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are you sure you want to delete this character?')
  await expect(dialog).toContainText('It is used by 1 media.')
  await expect(dialog.getByRole('listitem')).toHaveText(`Story of ${word}`)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await noViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Delete ${word} goes` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('It is used by 1 media.')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Character deleted')).toBeVisible()
  await expect(cards(page).filter({ hasText: word })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Character restored')).toBeVisible()
  await expect(cards(page).filter({ hasText: word })).toContainText('1 media')
})

test('the detail screen shows all data of a character', async ({ signedIn: page, request, token }) => {
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

test('a character is created and edited as JSON', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await test.step('creating one opens its screen', async () => {
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

  await test.step('saving an edit returns to the list', async () => {
    const tag = await aTag(request, token, { name: `Trait ${word}` })
    const media = await aMedia(request, token, { title: `Story ${word}` })
    const stored = await aCharacter(request, token, { name: word, tags: [tag._id], mediaRefs: [media._id] })
    await page.goto(`/characters/${stored._id}/edit`)
    await expect(heading(page)).toHaveText('Edit Character')
    // The editor shows the name of an entity after its id.
    await expect(content(page)).toContainText(`“Trait ${word}”`, { timeout: 20_000 })
    await expect(content(page)).toContainText(`“Story ${word}”`)
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
})
