import type { APIRequestContext, Page } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations } from './support/fixtures.ts'
import { test } from './support/ownServer.ts'
import { aPerson, aRating, aScore, aTier, aUser, become } from './support/people.ts'

// The server is the worker's own: what other tests delete meanwhile would push aside what a test looks for.
test.describe.configure({ timeout: 60_000 })

const table = (page: Page) => page.getByRole('table', { name: 'Trash' })
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name })
const type = (page: Page) => page.getByRole('combobox', { name: 'Type' })
const dialog = (page: Page) => page.getByRole('dialog')
const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function remove(request: APIRequestContext, token: string, address: string) {
  const answer = await request.delete(address, as(token))
  expect(answer.status(), await answer.text()).toBe(200)
}

/** A tag in the trash, and its name. */
async function aDeletedTag(request: APIRequestContext, token: string, name = aWord()) {
  const { _id } = await aTag(request, token, { name })
  await remove(request, token, `/api/tags/${_id}`)
  return { _id, name }
}

const statusOf = async (request: APIRequestContext, token: string, address: string) =>
  (await request.get(address, as(token))).status()

test('what was deleted is listed: what, by whom, when, and how long it stays @phone', async ({
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

test('the type filters, lives in the address, and goes with Reset', async ({ signedIn: page, request, token }) => {
  const { name } = await aDeletedTag(request, token)
  const media = await aMedia(request, token, { title: aWord() })
  await remove(request, token, `/api/media/${media._id}`)
  await page.goto('/trash')
  await expect(row(page, name)).toBeVisible()
  await expect(type(page).getByRole('option')).toHaveText([
    'All Types',
    'Media',
    'Character',
    'Tag',
    'Asset',
    'Rating',
    'User',
    'Permission tier',
  ])
  await type(page).selectOption('Media')
  await expect(page).toHaveURL('/trash?kind=Media')
  await expect(row(page, media.translations.en?.title ?? '')).toBeVisible()
  await expect(row(page, name)).toHaveCount(0)
  await page.goBack()
  await expect(row(page, name)).toBeVisible()
  await page.goForward()
  await page.reload()
  await expect(type(page)).toHaveValue('Media')
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL('/trash')
})

test('restoring brings a thing back, and says so', async ({ signedIn: page, request, token }) => {
  const { _id, name } = await aDeletedTag(request, token)
  await page.goto('/trash?kind=Tag')
  await row(page, name)
    .getByRole('button', { name: `Restore ${name}` })
    .click()
  await expect(toast(page, 'Tag restored')).toBeVisible()
  await expect(row(page, name)).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  expect(await statusOf(request, token, `/api/tags/${_id}`)).toBe(200)
})

test('deleting for good wants a word typed, and cannot be undone', async ({ signedIn: page, request, token }) => {
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

test('Escape leaves everything where it is, and gives the focus back', async ({ signedIn: page, request, token }) => {
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

test('a moderator restores, and is told who may delete for good', async ({ page, request, token }) => {
  const { name } = await aDeletedTag(request, token)
  const user = await aUser(request, token)
  await remove(request, token, `/api/users/${user._id}`)
  await become(page, await aPerson(request, token, { role: 'moderator' }))
  await page.goto('/trash')
  const purge = row(page, name).getByRole('button', { name: `Delete ${name} permanently` })
  await expect(purge).toHaveAttribute('aria-disabled', 'true')
  await purge.click({ force: true })
  await expect(toast(page, 'Only administrators can delete permanently.')).toBeVisible()
  const restoreUser = row(page, user.username).getByRole('button', { name: `Restore ${user.username}` })
  await expect(restoreUser).toHaveAttribute('aria-disabled', 'true')
  await restoreUser.click({ force: true })
  await expect(toast(page, 'Only administrators can do this.')).toBeVisible()
  await row(page, name)
    .getByRole('button', { name: `Restore ${name}` })
    .click()
  await expect(toast(page, 'Tag restored')).toBeVisible()
})

test('a user sees what was theirs only', async ({ page, request, token }) => {
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

test('it is reached from the user menu, the palette and each list', async ({ signedIn: page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  await expect(page).toHaveURL('/trash')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('trash')
  await page.getByRole('option', { name: 'Trash' }).click()
  await expect(page).toHaveURL('/trash')
  for (const [address, kind] of [
    ['/media', 'Media'],
    ['/characters', 'Character'],
    ['/tags', 'Tag'],
    ['/assets', 'Asset'],
    ['/ratings', 'Rating'],
    ['/users', 'User'],
    ['/score-permissions', 'Tier'],
  ] as const) {
    await page.goto(address)
    const link = page.getByRole('main').getByRole('link', { name: 'Trash', exact: true })
    await expect(link).toHaveAttribute('href', `/trash?kind=${kind}`)
  }
})

test.describe('when something fails', () => {
  test.use({ expectedErrors: [/./] })

  test('a thing whose place is taken is not restored, and the reason told', async ({
    signedIn: page,
    request,
    token,
  }) => {
    const requiredScore = aScore()
    const tier = await aTier(request, token, { requiredScore })
    await remove(request, token, `/api/score-permissions/${tier._id}`)
    const other = await aTier(request, token, { requiredScore })
    await page.goto('/trash?kind=Tier')
    await row(page, tier.name)
      .getByRole('button', { name: `Restore ${tier.name}` })
      .click()
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('Failed to restore permission tier')
    await expect(alert).toContainText(`The tier “${other.name}” already has the required score`)
    await expect(row(page, tier.name)).toBeVisible()
  })
})

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' })

  test('the trash is in Chinese', async ({ signedIn: page, request, token }) => {
    const { name } = await aDeletedTag(request, token)
    await page.goto('/trash?kind=Tag')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('回收站')
    const deleted = page.getByRole('table', { name: '回收站' }).getByRole('row').filter({ hasText: name })
    await expect(deleted).toContainText('30 天')
    await deleted.getByRole('button', { name: `彻底删除 ${name}` }).click()
    await dialog(page).getByRole('textbox', { name: '输入“删除”以确认' }).fill('删除')
    await noViolations(page)
    await dialog(page).getByRole('button', { name: '彻底删除' }).click()
    await expect(toast(page, '已彻底删除')).toBeVisible()
  })
})
