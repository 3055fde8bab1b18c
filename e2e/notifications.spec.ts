import type { APIRequestContext, Page } from '@playwright/test'
import { aMedia, aWord, uploaded } from './support/catalogue.ts'
import { aLanguage, changeMedia } from './support/changes.ts'
import { aPixel } from './support/files.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, become, PASSWORD, type Person } from './support/people.ts'

const bell = (page: Page, unread?: number) =>
  page.getByRole('button', {
    name:
      unread === undefined
        ? /^Notifications/
        : unread === 0
          ? 'Notifications'
          : `Notifications, ${unread} unread notification${unread === 1 ? '' : 's'}`,
    exact: true,
  })
const popover = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const items = (page: Page) => popover(page).getByRole('listitem')
const as = ({ token }: Person) => ({ authorization: `Bearer ${token}` })

/** A media item with a title, in a unique language, that the person has changed, and the history entry of that change. */
async function aChange(request: APIRequestContext, person: Person) {
  const [language, old, title] = [aLanguage(), aWord(), aWord()]
  const titled = (text: string) => ({ translations: { [language]: { title: text, description: '' } } })
  const media = await aMedia(request, person.token, titled(old))
  await changeMedia(request, person.token, media, titled(title))
  const headers = as(person)
  const recent = await request.get(`/api/translation-history/recent?language=${language}`, { headers })
  const { data: entries } = (await recent.json()) as { data: { _id: string }[] }
  expect(entries).toHaveLength(1)
  return { media, language, old, title, entry: entries[0]?._id ?? '' }
}

/** Rolls a change back, as the admin. */
async function rolledBack(request: APIRequestContext, token: string, entry: string, reason = 'Not its name') {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await request.post(`/api/translation-history/rollback/${entry}`, { data: { reason }, headers })
  expect(answer.status(), await answer.text()).toBe(200)
}

test('when a change is rolled back, its author gets a notification that links to the entity', async ({
  page,
  browser,
  baseURL,
  request,
  token,
}) => {
  const [author, other] = [
    await aPerson(request, token, { role: 'moderator' }),
    await aPerson(request, token, { role: 'moderator' }),
  ]
  const { media, language, old, title } = await aChange(request, author)
  await become(page, author)
  await page.goto('/tags')
  await bell(page, 0).click()
  await expect(popover(page).getByText('No notifications yet')).toBeVisible()
  await expect(popover(page).getByRole('button', { name: 'Mark all as read' })).toHaveCount(0)
  await noSidewaysScroll(page)
  await noViolations(page)
  await page.keyboard.press('Escape')

  const otherPage = await (await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-GB' })).newPage()
  await become(otherPage, other)
  await otherPage.goto(`/translations?language=${language}`)
  await otherPage.getByRole('button', { name: new RegExp(`^Rollback: .*${title}`) }).click()
  await otherPage.getByLabel('Reason').fill('Not its name')
  await otherPage.getByRole('button', { name: 'Roll back', exact: true }).click()
  await expect(otherPage.getByRole('dialog')).toHaveCount(0)
  await expect(otherPage.getByText('Not its name').first()).toBeVisible()
  await otherPage.context().close()

  // From here on with the keyboard only.
  await expect(bell(page, 1)).toBeVisible()
  await bell(page).focus()
  await page.keyboard.press('Enter')
  await expect(items(page)).toContainText(`${other.user.username} rolled back your change`)
  await expect(items(page)).toContainText(old)
  await expect(items(page)).toContainText('Not its name')
  await expect(items(page).getByText('Unread')).toBeAttached()
  await noSidewaysScroll(page)
  await noViolations(page)
  await page.keyboard.press('Escape')
  await expect(popover(page)).toHaveCount(0)
  await expect(bell(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(items(page)).toHaveCount(1)
  await expect(popover(page).locator('[data-autofocus]')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(popover(page).getByRole('button', { name: 'Mark all as read' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(items(page).getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/media/${media._id}`)
  await expect(popover(page)).toHaveCount(0)
  await expect(bell(page, 0)).toBeVisible()
})

test('each kind of notification says what happened @phone', async ({ page, request, token }) => {
  const me = await aPerson(request, token, { role: 'moderator' })
  const { entry } = await aChange(request, me)
  await rolledBack(request, token, entry)
  const from = new Date().toISOString()
  await aChange(request, me)
  const by = { username: me.user.username, from, to: new Date().toISOString() }
  await request.post('/api/translation-history/rollback', { data: { reason: 'All mine', by }, headers: as(me) })
  const png = aPixel().subarray(0, 45)
  const file = { name: 'half-a-cover.png', mimeType: 'image/png', buffer: png }
  await uploaded(request, me.token, file)
  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1'
  const credentials = { email: me.user.email, password: PASSWORD }
  await request.post('/api/auth/login', { data: credentials, headers: { 'user-agent': iPhone } })

  await become(page, me)
  await page.goto('/profile')
  await bell(page, 4).click()
  await expect(items(page)).toHaveCount(4)
  await expect(items(page).nth(0)).toContainText('New sign-in to your account')
  await expect(items(page).nth(0)).toContainText('Safari on iPhone · 127.0.0.1')
  await expect(items(page).nth(1)).toContainText('An upload could not be processed')
  await expect(items(page).nth(1)).toContainText('half-a-cover.png')
  await expect(items(page).nth(2)).toContainText('1 change was rolled back')
  await expect(items(page).nth(3)).toContainText('admin rolled back your change')
  const leadsTo = () =>
    items(page)
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
  await expect
    .poll(leadsTo)
    .toEqual(['/profile', expect.stringMatching(/^\/assets\//), '/translations', expect.stringMatching(/^\/media\//)])
  await noSidewaysScroll(page)
  await noViolations(page)

  await test.step('the notifications are in Chinese, and accessible', async () => {
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.reload()
    await page.getByRole('button', { name: '4 条未读通知' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'admin 回滚了您的修改' })).toBeVisible()
    await noSidewaysScroll(page)
    await noViolations(page)
  })
})

test('all notifications are marked as read at once, in every tab', async ({ page, context, request, token }) => {
  const me = await aPerson(request, token, { role: 'moderator' })
  for (let each = 0; each < 12; each++) await rolledBack(request, token, (await aChange(request, me)).entry)
  await become(page, me)
  const other = await context.newPage()
  await become(other, me)
  for (const tab of [page, other]) {
    await tab.goto('/profile')
    await expect(bell(tab, 12)).toBeVisible()
    await expect(tab.getByText('9+', { exact: true })).toBeVisible()
  }
  await bell(page).click()
  await popover(page).getByRole('button', { name: 'Mark all as read' }).click()
  await expect(items(page).getByText('Unread')).toHaveCount(0)
  await expect(items(page)).toHaveCount(12)
  for (const tab of [page, other]) await expect(bell(tab, 0)).toBeVisible()
})

test.describe('while the browser is offline', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_INCOMPLETE_CHUNKED/] })

  test('no notification is lost: the missed ones arrive on reconnect', async ({ page, context, request, token }) => {
    const me = await aPerson(request, token, { role: 'moderator' })
    const changes = [await aChange(request, me), await aChange(request, me)]
    await become(page, me)
    await page.goto('/profile')
    await rolledBack(request, token, changes[0]?.entry ?? '')
    await expect(bell(page, 1)).toBeVisible()
    await context.setOffline(true)
    await rolledBack(request, token, changes[1]?.entry ?? '')
    await expect(bell(page, 1)).toBeVisible()
    await context.setOffline(false)
    await expect(bell(page, 2)).toBeVisible()
  })
})
