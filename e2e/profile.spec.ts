import type { Browser, Locator, Page } from '@playwright/test'
import { aWord } from './support/catalogue.ts'
import { expect, fillSignIn, hold, noSidewaysScroll, noViolations, signIn, test } from './support/fixtures.ts'
import { aPerson, become, PASSWORD, type Person } from './support/people.ts'

const card = (page: Page, title: string) => page.getByRole('region', { name: title })
const sessions = (page: Page) => page.getByRole('table', { name: 'Sessions' }).getByRole('row')
const right = (page: Page, name: string) =>
  card(page, 'Your permissions')
    .locator('dl[aria-label] > div')
    .filter({ has: page.getByText(name, { exact: true }) })

/** A page in another browser context, in which the person is signed in with a separate session. */
async function otherPage(browser: Browser, baseURL: string | undefined, { user }: Person): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-GB' })).newPage()
  await signIn(page, { email: user.email ?? '', password: PASSWORD })
  return page
}

test('the profile opens from the user menu; name, theme and language can be changed there', async ({
  page,
  request,
  token,
}) => {
  const me = await aPerson(request, token)
  const name = aWord()
  await become(page, me)
  await test.step('opens from the user menu', async () => {
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

  await test.step('a new name is validated, saved, and shown in the user menu at once', async () => {
    const box = page.getByLabel('Username')
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
    // The toast covers neither the menus of the top bar nor what is below it.
    const edge = (part: Locator, side: 'left' | 'right' | 'top' | 'bottom') =>
      part.evaluate((at, which) => at.getBoundingClientRect()[which], side)
    const toast = page.getByRole('log').locator('> *')
    const menus = await edge(page.getByRole('button', { name: /^Notifications/ }), 'left')
    const title = await edge(page.getByRole('heading', { level: 1 }), 'top')
    await expect.poll(() => edge(toast, 'right')).toBeLessThan(menus)
    await expect.poll(() => edge(toast, 'bottom')).toBeLessThan(title)
    // Nor the search, which becomes narrower. It stays as long as the pointer is on it.
    await toast.hover()
    await page.setViewportSize({ width: 1024, height: 900 })
    const search = await edge(page.getByRole('button', { name: /^Search or jump to/ }), 'right')
    await expect.poll(() => edge(toast, 'left')).toBeGreaterThan(search)
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect(box).toHaveValue(name)
    await page.getByRole('button', { name: 'User menu' }).click()
    await expect(page.getByRole('menu').getByText(name)).toBeVisible()
    await page.reload()
    await expect(box).toHaveValue(name)
  })

  await test.step('theme and language can be changed', async () => {
    await page.getByRole('radio', { name: 'System' }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
    await page.getByText('简体中文').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('个人资料')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('个人资料')
    await expect(page.getByRole('region', { name: '登录设备' }).getByText('当前设备')).toBeVisible()
    await expect(page.getByText(/当前等级“.+”/).first()).toBeVisible()
    await noSidewaysScroll(page)
    await noViolations(page)
  })
})

test.describe('the profile image', () => {
  // The browser logs the refused file.
  test.use({ expectedErrors: [/415|not accepted|cannot|Only pictures/] })

  test('can be chosen and removed; a file that is not an image is refused', async ({ page, request, token }) => {
    await become(page, await aPerson(request, token))
    await page.goto('/profile')
    await test.step('an image', async () => {
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

    await test.step('a file that is not an image', async () => {
      const file = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('not a picture at all') }
      await card(page, 'Profile').locator('input[type=file]').setInputFiles(file)
      await expect(page.getByText('Failed to save the image')).toBeVisible()
      await expect(card(page, 'Profile').getByRole('button', { name: 'Choose image' })).toBeEnabled()
    })
  })
})

test.describe('sessions', () => {
  // The browser logs refused calls.
  test.use({ expectedErrors: [/40[01]|current password/] })

  test('of other browsers can be ended one by one, all at once, and by a new password', async ({
    page,
    browser,
    baseURL,
    request,
    token,
  }) => {
    const me = await aPerson(request, token)
    const account = (password: string) => ({ email: me.user.email ?? '', password })
    const other = await otherPage(browser, baseURL, me)
    await become(page, me)
    await test.step('ending a session signs out the other browser at once', async () => {
      await other.goto('/media')
      await expect(other.getByRole('heading', { level: 1 })).toHaveText('Media List')
      await page.goto('/profile')
      await expect(sessions(page)).toHaveCount(3)
      const current = sessions(page).filter({ hasText: 'This session' })
      await expect(current).toHaveCount(1)
      await current.getByRole('button').press('Enter')
      await expect(page.getByText('This is your current session.').first()).toBeVisible()
      const theirs = sessions(page).filter({ hasText: 'Chrome on Linux' }).filter({ hasNotText: 'This session' })
      await expect(theirs).toContainText('127.0.0.1')
      await theirs.getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
      await expect(page.getByText('Session ended')).toBeVisible()
      await expect(sessions(page)).toHaveCount(2)
      await expect(other).toHaveURL('/login')
      await expect(other.getByText('Session expired. Please login again.')).toBeVisible()
    })

    await test.step('signing out everywhere else asks first', async () => {
      await fillSignIn(other, account(PASSWORD))
      await expect(other).toHaveURL('/media')
      const another = await otherPage(browser, baseURL, me)
      await page.reload()
      await expect(sessions(page)).toHaveCount(4)
      await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
      const question = page.getByRole('dialog')
      await expect(question).toContainText('will have to sign in again')
      await noViolations(page)
      await question.getByRole('button', { name: 'Sign out' }).click()
      await expect(sessions(page)).toHaveCount(2)
      for (const each of [other, another]) await expect(each).toHaveURL('/login')
      await another.context().close()
      await page.getByRole('button', { name: 'Sign out everywhere else' }).press('Enter')
      await expect(page.getByText('You have no other sessions.').first()).toBeVisible()
    })

    await test.step('a new password requires the current one, and ends all other sessions', async () => {
      await fillSignIn(other, account(PASSWORD))
      await expect(other).toHaveURL('/media')
      await page.reload()
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
      await fillSignIn(other, account('an even better one'))
      await expect(other).toHaveURL('/media')
    })
    await other.context().close()
  })
})

test('the sessions stay where they are when the permissions arrive later @phone', async ({ page, request, token }) => {
  await become(page, await aPerson(request, token))
  const release = await hold(page, '**/api/score-permissions*')
  await page.goto('/profile')
  await expect(page.getByLabel('Username')).toBeVisible()
  const theirs = sessions(page).filter({ hasText: 'This session' })
  const top = () => theirs.evaluate((row) => row.getBoundingClientRect().top + scrollY)
  const reason = right(page, 'Create tags').getByText('Your tier')
  await expect(reason).toHaveCount(1)
  await expect(reason).toBeHidden()
  const before = await top()
  release()
  await expect(reason).toBeVisible()
  await expect.poll(top).toBeCloseTo(before, 0)
})

test('with wide text spacing, the title of a card and its button do not overlap @phone', async ({ signedIn: page }) => {
  await page.goto('/profile')
  const title = page.getByRole('heading', { name: /^Sessions/ }).locator('span')
  const button = page.getByRole('button', { name: 'Sign out everywhere else' })
  await expect(button).toBeVisible()
  // WCAG 1.4.12. By script, as the Content-Security-Policy allows no style elements.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }')
    document.adoptedStyleSheets = [sheet]
  })
  const overlap = async () => {
    const [one, other] = [await button.boundingBox(), await title.boundingBox()]
    return one && other && one.x < other.x + other.width && one.y < other.y + other.height
  }
  await expect.poll(overlap).toBe(false)
})
