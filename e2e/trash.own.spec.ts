import type { APIRequestContext, Page } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord, uploaded } from './support/catalogue.ts'
import { aPixel } from './support/files.ts'
import { expect, goTo, hold, noSidewaysScroll, noViolations } from './support/fixtures.ts'
import { dialog, toast } from './support/locators.ts'
import { test } from './support/ownServer.ts'
import { aPerson, aRating, aTier, aUser, become } from './support/people.ts'
import { leftOf, topOf } from './support/reading.ts'

// Uses its own server, because entities deleted by other tests would push the expected ones off the first page.

const table = (page: Page) => page.getByRole('table', { name: 'Trash' })
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name })
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function remove(request: APIRequestContext, token: string, address: string) {
  const answer = await request.delete(address, as(token))
  expect(answer.status(), await answer.text()).toBe(200)
}

/** Creates a tag and moves it to the trash. */
async function aDeletedTag(request: APIRequestContext, token: string, name = aWord()) {
  const { _id } = await aTag(request, token, { name })
  await remove(request, token, `/api/tags/${_id}`)
  return { _id, name }
}

const statusOf = async (request: APIRequestContext, token: string, address: string) =>
  (await request.get(address, as(token))).status()

test('lists deleted entities with kind, user, time and remaining days @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const media = await aMedia(request, token, { title: `Media ${word}` })
  const rated = await aMedia(request, token, { title: `Rated ${word}` })
  const character = await aCharacter(request, token, { name: `Character ${word}` })
  const rating = await aRating(request, token, { mediaId: rated._id, score: 8.5 })
  const user = await aUser(request, token, { username: `user_${word}` })
  const tier = await aTier(request, token, { name: `Tier ${word}` })
  await remove(request, token, `/api/media/${media._id}`)
  await remove(request, token, `/api/characters/${character._id}`)
  await remove(request, token, `/api/ratings/${rating._id}`)
  await remove(request, token, `/api/users/${user._id}`)
  await remove(request, token, `/api/score-permissions/${tier._id}`)
  await aDeletedTag(request, token, `Tag ${word}`)
  await page.goto('/trash')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trash')
  for (const [name, kind] of [
    [`Media ${word}`, 'Media'],
    [`Character ${word}`, 'Character'],
    [`Tag ${word}`, 'Tag'],
    [`Rated ${word}`, 'Rating'],
    [`user_${word}`, 'User'],
    [`Tier ${word}`, 'Permission tier'],
  ] as const) {
    await expect(row(page, name).getByText(kind, { exact: true })).toBeVisible()
    await expect(row(page, name)).toContainText('admin')
    await expect(row(page, name)).toContainText('30 days')
    await expect(row(page, name).getByRole('time')).toHaveAttribute('datetime', /^20\d\d-/)
  }
  await expect(row(page, `Rated ${word}`)).toContainText('8.5')
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('nothing moves when the trash has loaded, and the bar of a selection covers none of its buttons @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  for (let each = 0; each < 3; each++) await aDeletedTag(request, token)
  const release = await hold(page, '/api/trash?*')
  await page.goto('/trash?kind=Tag')
  const rows = page.locator('main table')
  await expect(rows).toBeVisible()
  const before = await topOf(rows)()
  const left = leftOf(page.getByRole('button', { name: 'Add condition' }))
  const leftBefore = await left()
  release()
  await page.getByRole('checkbox').nth(1).check()
  await expect.poll(topOf(rows)).toBe(before)
  await expect.poll(left).toBe(leftBefore)
  const all = page.getByRole('button', { name: /^All [\d,]+ that match$/ })
  const isCovered = (button: Element) => {
    const { right, top, height } = button.getBoundingClientRect()
    return document.elementFromPoint(right - 4, top + height / 2) !== button
  }
  await expect.poll(() => all.evaluate(isCovered)).toBe(false)
})

test('a user sees only their own entities in the trash', async ({ page, request, token }) => {
  const { name } = await aDeletedTag(request, token)
  const tier = await aTier(request, token, { permissions: { canCreateTag: true, canEditOwnContent: true } })
  const person = await aPerson(request, token, { scores: tier.requiredScore })
  const own = await aDeletedTag(request, person.token)
  await become(page, person)
  await page.goto('/trash')
  await expect(row(page, own.name)).toBeVisible()
  await expect(row(page, name)).toHaveCount(0)
  await row(page, own.name)
    .getByRole('button', { name: `Restore ${own.name}` })
    .click()
  await expect(toast(page, 'Tag restored')).toBeVisible()
  await expect(page.getByText('The trash is empty', { exact: true })).toBeVisible()
})

test('once the last row is restored, the focus is on nothing that deletes', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const last = await aDeletedTag(request, token, `${word} one`)
  const first = await aDeletedTag(request, token, `${word} two`)
  await page.goto(`/trash?kind=Tag&search=${word}`)
  await row(page, last.name)
    .getByRole('button', { name: `Restore ${last.name}` })
    .press('Enter')
  await expect(row(page, last.name)).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Restore ${first.name}` })).toBeFocused()
})

test('Ctrl+Z is Undo of a message, except in a text field', async ({ signedIn: page, request, token }) => {
  const name = aWord()
  const { _id } = await aTag(request, token, { name })
  await page.goto(`/tags?search=${name}`)
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Tag deleted')).toBeVisible()
  // While it is hovered, it stays.
  await toast(page, 'Tag deleted').hover()
  await page.getByRole('searchbox', { name: 'Search tags' }).press('ControlOrMeta+z')
  await expect(toast(page, 'Tag deleted')).toBeVisible()
  await page.getByRole('main').focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toast(page, 'Tag deleted')).toBeHidden()
  await expect.poll(() => statusOf(request, token, `/api/tags/${_id}`)).toBe(200)
})

test('entities are restored or permanently deleted', async ({ signedIn: page, request, token }) => {
  await test.step('restores an entity, and shows a toast', async () => {
    const { _id, name } = await aDeletedTag(request, token)
    await page.goto('/trash?kind=Tag')
    await row(page, name)
      .getByRole('button', { name: `Restore ${name}` })
      .click()
    await expect(toast(page, 'Tag restored')).toBeVisible()
    await expect(row(page, name)).toHaveCount(0)
    await expect(page.locator(':focus')).toBeVisible()
    expect(await statusOf(request, token, `/api/tags/${_id}`)).toBe(200)
  })

  await test.step('Escape cancels the dialog, and returns the focus', async () => {
    const { name } = await aDeletedTag(request, token)
    await page.goto('/trash?kind=Tag')
    const purge = row(page, name).getByRole('button', { name: `Delete ${name} permanently` })
    await purge.focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(purge).toBeFocused()
    await expect(row(page, name)).toBeVisible()
  })

  await test.step('permanent deletion requires a typed word, and cannot be undone', async () => {
    const { _id, name } = await aDeletedTag(request, token)
    await page.goto('/trash?kind=Tag')
    await row(page, name)
      .getByRole('button', { name: `Delete ${name} permanently` })
      .click()
    await expect(dialog(page)).toContainText('Delete permanently?')
    await expect(dialog(page)).toContainText(name)
    const box = dialog(page).getByRole('textbox', { name: 'Type “delete” to confirm' })
    const confirm = dialog(page).getByRole('button', { name: 'Delete permanently' })
    await expect(box).toBeFocused()
    await box.fill('delet')
    await page.keyboard.press('Enter')
    await confirm.click({ force: true })
    await expect(toast(page, 'Type “delete” first.')).toBeVisible()
    await noViolations(page)
    expect((await request.get('/api/trash?kind=Tag&limit=100', as(token))).ok()).toBe(true)
    await box.fill(' Delete ')
    await confirm.click()
    await expect(toast(page, 'Permanently deleted')).toBeVisible()
    await expect(row(page, name)).toHaveCount(0)
    expect((await request.post(`/api/tags/${_id}/restore`, as(token))).status()).toBe(404)
  })

  await test.step('the confirmation is accessible in Chinese', async () => {
    await aDeletedTag(request, token)
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.reload()
    await page
      .getByRole('button', { name: /^彻底删除/ })
      .first()
      .click()
    await expect(dialog(page)).toBeVisible()
    await noViolations(page)
  })
})

test('a deleted asset is no longer shown as a cover', async ({ signedIn: page, request, token }) => {
  const title = aWord()
  const { headers } = as(token)
  const file = { name: `${title}.png`, mimeType: 'image/png', buffer: aPixel() }
  const asset = await uploaded(request, token, file)
  const media = await aMedia(request, token, { title })
  const data = { ...media, cover: asset._id }
  expect((await request.put(`/api/media/${media._id}`, { data, headers })).status()).toBe(200)
  await page.goto(`/media?search=${title}`)
  await expect(page.getByRole('row').filter({ hasText: title }).locator('img')).toBeVisible()
  await goTo(page, `/assets/${asset._id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(file.name)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(dialog(page)).toContainText('It is used by 1 media.')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/assets')
  await goTo(page, `/media?search=${title}`)
  await expect(page.getByRole('row').filter({ hasText: title })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: title }).locator('img')).toHaveCount(0)
})
