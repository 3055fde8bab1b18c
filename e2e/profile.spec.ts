import type { Browser, Page } from '@playwright/test'
import { aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, signIn, test } from './support/fixtures.ts'
import { aPerson, aScore, aTier, aUser, become, PASSWORD, type Person } from './support/people.ts'

const card = (page: Page, title: string) => page.getByRole('region', { name: title })
const sessions = (page: Page) => page.getByRole('table', { name: 'Sessions' }).getByRole('row')
const right = (page: Page, name: string) =>
  card(page, 'Your permissions')
    .locator('dl[aria-label] > div')
    .filter({ has: page.getByText(name, { exact: true }) })

/** Another browser, in which the person is signed in with a session of its own. */
async function otherPage(browser: Browser, baseURL: string | undefined, { user }: Person): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-GB' })).newPage()
  await signIn(page, { email: user.email ?? '', password: PASSWORD })
  return page
}

test('the profile is readable and reachable', async ({ page, request, token }) => {
  await become(page, await aPerson(request, token))
  await page.goto('/')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Your Profile' }).click()
  await expect(page).toHaveURL('/profile')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Profile')
  await expect(sessions(page)).toHaveCount(2)
  await expect(right(page, 'Rate content')).toContainText('Yes')
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('in Chinese', async ({ page, request, token }) => {
  await become(page, await aPerson(request, token))
  await page.addInitScript(() => localStorage.setItem('language', 'zh'))
  await page.goto('/profile')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('个人资料')
  await expect(page.getByRole('region', { name: '登录设备' }).getByText('当前设备')).toBeVisible()
  await expect(page.getByText(/当前等级“.+”/).first()).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('the name is changed, and shown in the user menu at once', async ({ page, request, token }) => {
  const me = await aPerson(request, token)
  const name = aWord()
  await become(page, me)
  await page.goto('/profile')
  const box = page.getByLabel('Name')
  await expect(box).toHaveValue(me.user.username)
  await expect(page.getByLabel('Email')).toHaveValue(me.user.email ?? '')
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await box.fill('ab')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Between 3 and 60 characters')).toBeVisible()
  await expect(box).toBeFocused()
  await box.fill(` ${name} `)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  await expect(box).toHaveValue(name)
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByRole('menu').getByText(name)).toBeVisible()
  await page.reload()
  await expect(box).toHaveValue(name)
})

test.describe('a name that another has', () => {
  test.use({ expectedErrors: [/409|already taken/] })

  test('is refused beside the field, and what was typed stays', async ({ page, request, token }) => {
    const { username } = await aUser(request, token)
    await become(page, await aPerson(request, token))
    await page.goto('/profile')
    await page.getByLabel('Name').fill(username.toUpperCase())
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('This username is already taken.')).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue(username.toUpperCase())
    await noViolations(page)
  })
})

test('a picture is chosen, shown, and taken away', async ({ page, request, token }) => {
  await become(page, await aPerson(request, token))
  await page.goto('/profile')
  const profile = card(page, 'Profile')
  await expect(profile.getByRole('button', { name: 'Choose image' })).toBeVisible()
  await profile.locator('input[type=file]').setInputFiles('docs/media-list.png')
  await expect(page.getByText('Image saved')).toBeVisible()
  const picture = profile.locator('img')
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(160)
  await page.reload()
  await expect(picture).toBeVisible()
  await profile.getByRole('button', { name: 'Remove image' }).click()
  await expect(picture).toHaveCount(0)
})

test.describe('a file that is no picture', () => {
  test.use({ expectedErrors: [/415|not accepted|cannot|Only pictures/] })

  test('is refused, and the picture stays as it was', async ({ page, request, token }) => {
    await become(page, await aPerson(request, token))
    await page.goto('/profile')
    const file = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('not a picture at all') }
    await card(page, 'Profile').locator('input[type=file]').setInputFiles(file)
    await expect(page.getByText('Failed to save the image')).toBeVisible()
    await expect(card(page, 'Profile').getByRole('button', { name: 'Choose image' })).toBeEnabled()
  })
})

test('who may not upload is told why', async ({ page, request, token }) => {
  const tier = await aTier(request, token, { permissions: { maxUploadSizeMB: 0 } })
  await become(page, await aPerson(request, token, { scores: tier.requiredScore }))
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Choose image' }).click({ force: true })
  await expect(page.getByText(`Your tier “${tier.name}” does not allow uploads.`).first()).toBeVisible()
})

test('why somebody may not do a thing is said, with the next tier that may', async ({ page, request, token }) => {
  const score = aScore()
  const mine = await aTier(request, token, { requiredScore: score, permissions: { canCreateMedia: true } })
  const next = await aTier(request, token, { requiredScore: score + 50, permissions: { canCreateTag: true } })
  await become(page, await aPerson(request, token, { scores: score + 10 }))
  await page.goto('/profile')
  await expect(card(page, 'Your permissions').getByText(mine.name, { exact: true })).toBeVisible()
  await expect(right(page, 'Create media')).toContainText('Yes')
  await expect(right(page, 'Create tags')).toContainText('No')
  const points = new Intl.NumberFormat('en').format(score + 50)
  await expect(right(page, 'Create tags')).toContainText(
    `Your tier “${mine.name}” does not include this. Tier “${next.name}” does; it requires a score of ${points}.`,
  )
  await expect(right(page, 'Upload files')).toContainText('Up to 2 MB')
  await expect(right(page, 'Manage users, score permissions and settings')).toContainText('Administrators only.')
})

test.describe('a new password', () => {
  test.use({ expectedErrors: [/40[01]|current password/] })

  test('needs the current one, and signs out everywhere else', async ({ page, browser, baseURL, request, token }) => {
    const me = await aPerson(request, token)
    const other = await otherPage(browser, baseURL, me)
    await become(page, me)
    await page.goto('/profile')
    const form = card(page, 'Password')
    await form.getByLabel('Current password').fill('not this one')
    await form.getByLabel('New password').fill('short')
    await form.getByRole('button', { name: 'Change password' }).click()
    await expect(form.getByText('At least 8 characters')).toHaveCount(2)
    await form.getByLabel('New password').fill('an even better one')
    await form.getByRole('button', { name: 'Change password' }).click()
    await expect(form.getByText('The current password is incorrect.')).toBeVisible()
    await expect(form.getByLabel('Current password')).toBeFocused()
    await noViolations(page)
    await form.getByLabel('Current password').fill(PASSWORD)
    await form.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Password changed. All other sessions have ended.')).toBeVisible()
    await expect(form.getByLabel('Current password')).toHaveValue('')
    await expect(sessions(page)).toHaveCount(2)
    await expect(other).toHaveURL('/login')
    await signIn(other, { email: me.user.email ?? '', password: 'an even better one' })
    await other.context().close()
  })
})

test('another browser is signed out from the sessions, and leaves its screen by itself', async ({
  page,
  browser,
  baseURL,
  request,
  token,
}) => {
  const me = await aPerson(request, token)
  const other = await otherPage(browser, baseURL, me)
  await other.goto('/media')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Media List')
  await become(page, me)
  await page.goto('/profile')
  await expect(sessions(page)).toHaveCount(3)
  const current = sessions(page).filter({ hasText: 'This session' })
  await expect(current).toHaveCount(1)
  await current.getByRole('button').click({ force: true })
  await expect(page.getByText('This is your current session.').first()).toBeVisible()
  const theirs = sessions(page).filter({ hasText: 'Chrome on Linux' }).filter({ hasNotText: 'This session' })
  await expect(theirs).toContainText('127.0.0.1')
  await theirs.getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
  await expect(page.getByText('Session ended')).toBeVisible()
  await expect(sessions(page)).toHaveCount(2)
  await expect(other).toHaveURL('/login')
  await expect(other.getByText('Session expired. Please login again.')).toBeVisible()
  await other.context().close()
})

test('everywhere else is signed out at once, after a question', async ({ page, browser, baseURL, request, token }) => {
  const me = await aPerson(request, token)
  const others = [await otherPage(browser, baseURL, me), await otherPage(browser, baseURL, me)]
  await become(page, me)
  await page.goto('/profile')
  await expect(sessions(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('will have to sign in again')
  await noViolations(page)
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect(sessions(page)).toHaveCount(2)
  for (const other of others) {
    await expect(other).toHaveURL('/login')
    await other.context().close()
  }
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click({ force: true })
  await expect(page.getByText('You have no other sessions.').first()).toBeVisible()
})

test('theme and language are chosen there too, with the keyboard', async ({ page, request, token }) => {
  await become(page, await aPerson(request, token))
  await page.goto('/profile')
  await page.getByRole('radio', { name: 'System' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
  await page.getByText('简体中文').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('个人资料')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('个人资料')
})

test.describe('when the sessions do not come', () => {
  test.use({ expectedErrors: [/500|: out of order/] })

  test('the card says so, and asks again', async ({ page, request, token }) => {
    await become(page, await aPerson(request, token))
    let fail = true
    await page.route('**/api/auth/sessions', (route) =>
      fail ? route.fulfill({ status: 500, json: { message: 'out of order' } }) : route.continue(),
    )
    await page.goto('/profile')
    await expect(page.getByText('Failed to load your sessions')).toBeVisible()
    fail = false
    await card(page, 'Sessions').getByRole('button', { name: 'Retry' }).click()
    await expect(sessions(page)).toHaveCount(2)
  })
})
