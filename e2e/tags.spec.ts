import type { Tag } from '@mokuroku/contract/tags'
import type { APIRequestContext, Page } from '@playwright/test'
import { aCharacter, aTag, aWord } from './support/catalogue.ts'
import { content, save, write } from './support/editor.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { heading } from './support/locators.ts'

const cards = (page: Page) => page.getByRole('list', { name: 'Tags' }).getByRole('listitem')

const ready = async (page: Page, address = '/tags') => {
  await page.goto(address)
  await expect(cards(page).first()).toBeVisible()
}

async function stored(request: APIRequestContext, token: string, { _id }: { _id: string }) {
  const answer = await request.get(`/api/tags/${_id}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status(), tag: (await answer.json()) as Tag }
}

test('a used tag can be replaced before it is deleted', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const old = await aTag(request, token, { name: `${word} old` })
  const fresh = await aTag(request, token, { name: `${word} fresh` })
  await aTag(request, token, { name: `${word} child`, parentTag: old._id })
  for (const name of ['Ane', 'Bo', 'Cai'])
    await aCharacter(request, token, { name: `${name} ${word}`, tags: [old._id] })
  await ready(page, `/tags?search=${word}`)
  await page.getByRole('button', { name: `Delete ${word} old` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('It is used by 3 characters and 1 tag as its parent.')
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

test('a tag is created and edited as JSON', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await test.step('creating one returns to the list', async () => {
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

  await test.step('saving an edit returns to the list', async () => {
    const parent = await aTag(request, token, { name: `Parent ${word}` })
    const tag = await aTag(request, token, { name: word, parentTag: parent._id })
    await page.goto(`/tags/${tag._id}/edit`)
    await expect(heading(page)).toHaveText('Edit Tag')
    await expect(content(page)).toContainText(`“Parent ${word}”`, { timeout: 20_000 })
    const { type: kind, icon, color } = tag
    const translations = { en: { name: `${word} renamed`, description: '' } }
    await write(page, { type: kind, icon, color, translations, parentTag: null, status: 'HIDDEN' })
    await save(page).click()
    await expect(page.getByText('Tag updated successfully')).toBeVisible()
    await expect(page).toHaveURL('/tags')
    await expect(cards(page).filter({ hasText: `${word} renamed` })).toContainText('Hidden')
  })
})
