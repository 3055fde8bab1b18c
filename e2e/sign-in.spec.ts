import type { Page } from '@playwright/test'
import { admin, expect, fillSignIn, hold, noSidewaysScroll, noViolations, signIn, test } from './support/fixtures.ts'
import { storedToken } from './support/reading.ts'

test.use({ expectedErrors: [/status of (401|429|503)|net::ERR_(FAILED|INTERNET_DISCONNECTED)/] })

test('shows the logo until scripts have loaded, and a message if scripts are disabled', async ({ browser, page }) => {
  const script = Promise.withResolvers<void>()
  await page.route('**/assets/index-*.js', async (route) => {
    await script.promise
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.locator('.splash > .seal')).toBeVisible()
  await expect(page.locator('noscript')).toBeHidden()
  script.resolve()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await expect(page.locator('.splash')).toBeHidden()

  for (const [colorScheme, ink] of [
    ['light', 'rgb(0, 0, 0)'],
    ['dark', 'rgb(255, 255, 255)'],
  ] as const) {
    const context = await browser.newContext({ javaScriptEnabled: false, colorScheme })
    const without = await context.newPage()
    await without.goto('/login')
    await expect(without.locator('.splash > .seal')).toBeInViewport()
    await expect(without.locator('noscript')).toBeInViewport()
    await expect(without.locator('noscript')).toHaveCSS('color', ink)
    await context.close()
  }
})

test('if the scripts cannot be loaded, says so, and a reload keeps the token of an emailed link', async ({ page }) => {
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/reset-password#token=none')
  const reload = page.getByText('You can reload the page.', { exact: false })
  const seal = page.locator('.splash > .seal')
  await expect(seal).toBeVisible()
  await expect(reload).toBeHidden()
  // Where Splash.tsx has it.
  const offset = (logo: Element) => Math.abs(logo.getBoundingClientRect().y + 20 - innerHeight / 2)
  await expect.poll(() => seal.evaluate(offset)).toBeLessThanOrEqual(1)
  await expect(reload).toBeVisible()
  await expect(page.getByText('可以重新加载页面')).toBeVisible()
  // It would lead to the address without the token.
  await expect(page.locator('.splash').getByRole('link')).toHaveCount(0)
  await noViolations(page)
  await page.unroute('**/assets/*.js')
  await page.reload()
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible()
  await expect(reload).toBeHidden()
})

test('while the session cannot be verified, says that loading takes longer', async ({ signedIn: page }) => {
  const release = await hold(page, '**/api/auth/verify')
  await page.goto('/profile')
  const reload = page.getByText('You can reload the page.', { exact: false })
  // The splash screen of the scripts.
  await expect(page.getByRole('status')).toHaveText('Loading...')
  await expect(reload).toBeHidden()
  await expect(reload).toBeVisible()
  await noViolations(page)
  release()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(reload).toBeHidden()
})

test('a signed-out visitor is redirected to /login, and the form reports errors', async ({ page }) => {
  for (const path of ['/', '/media?page=2', '/settings', '/nowhere']) {
    await page.goto(path)
    await expect(page).toHaveURL('/login')
  }
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await expect(page.getByText('Sign in to access the admin panel')).toBeVisible()
  await noViolations(page)
  await noSidewaysScroll(page)

  await test.step('the form is validated on submit, and then on every change', async () => {
    await page.getByLabel('Email').fill('x')
    await expect(page.getByText('Invalid email address')).toBeHidden()
    await page.getByLabel('Email').fill('')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByText('Email is required')).toBeVisible()
    await expect(page.getByText('Password is required')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.getByLabel('Email').fill('x')
    await expect(page.getByText('Invalid email address')).toBeVisible()
    await noViolations(page)
  })

  await test.step('the error of the field that was submitted from is an alert', async () => {
    await page.getByLabel('Email').press('Enter')
    await expect(page.getByRole('alert')).toHaveText(['Invalid email address'])
    // Again, with the same error: an alert that stays one would not be announced.
    const alerts = await page.getByRole('alert').evaluateHandle((alert) => {
      const roles: (string | null)[] = []
      new MutationObserver(() => roles.push(alert.role)).observe(alert, { attributeFilter: ['role'] })
      return roles
    })
    await page.getByLabel('Email').press('Enter')
    await expect.poll(() => alerts.jsonValue()).toEqual([null, 'alert'])
  })

  await test.step('a refused sign-in shows a banner above the form and no toast', async () => {
    await fillSignIn(page, { ...admin, password: 'wrong' })
    await expect(page.getByRole('alert')).toHaveText(['Login failed. Please check your credentials.'])
    await noViolations(page)
    await page.route('**/api/auth/login', (route) => route.abort())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert')).toHaveText(['Network error. Please check your connection.'])
  })
})

test('signing in opens the dashboard, and signing out ends the session', async ({ page }) => {
  await signIn(page)
  await expect(page).toHaveTitle('Dashboard · Admin Dashboard')
  await page.goto('/login')
  await expect(page).toHaveURL('/')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  const stored = await storedToken(page)
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByText(admin.email)).toBeVisible()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByLabel('Email')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect.poll(() => storedToken(page)).toBeNull()
  await expect.poll(() => verified(page, stored)).toBe(401)
})

test('a sign-out that does not reach the server shows a message, and is retried later', async ({ page, context }) => {
  const notice = page.getByText('the server could not be reached. Your session there will be ended')
  await signIn(page)
  await page.reload()
  const held = await storedToken(page)
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await expect(notice).toBeVisible()
  expect(await verified(page, held)).toBe(200)

  await page.route('**/api/auth/logout', (route) => route.abort())
  await context.setOffline(false)
  await page.reload()
  await expect(notice).toBeVisible()
  await noViolations(page)
  await noSidewaysScroll(page)
  await expect.poll(() => storedToken(page)).toBeNull()
  expect(await verified(page, held)).toBe(200)

  const other = await context.newPage()
  await other.route('**/api/auth/logout', (route) => route.abort())
  await signIn(other)
  await expect(page).toHaveURL('/')
  const next = await storedToken(page)
  await page.unroute('**/api/auth/logout')
  // Wait for loading to end, because going offline would abort it.
  for (const each of [page, other])
    await expect(each.getByRole('button', { name: 'User menu', expanded: false })).toBeVisible()
  await context.setOffline(true)
  await context.setOffline(false)
  await expect.poll(() => verified(page, held)).toBe(401)
  expect(await verified(page, next)).toBe(200)
  await expect(other).toHaveURL('/')
})

test('a failed sign-out is retried when the console is opened again', async ({ page }) => {
  await signIn(page)
  const held = await storedToken(page)
  await page.route('**/api/auth/logout', (route) => route.fulfill({ status: 503, json: { message: 'Out of order' } }))
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByText('the server could not be reached')).toBeVisible()
  expect(await verified(page, held)).toBe(200)
  await page.unroute('**/api/auth/logout')
  await page.reload()
  await expect.poll(() => verified(page, held)).toBe(401)
  await expect(page.getByLabel('Email')).toBeVisible()
  await expect(page.getByText('the server could not be reached')).toBeHidden()
})

test('an unreachable server keeps the user signed in, and offers Retry', async ({ signedIn: page }) => {
  await page.route('**/api/auth/verify', (route) => route.abort())
  await page.goto('/media')
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await noViolations(page)
  await expect.poll(() => storedToken(page)).not.toBeNull()
  await page.unroute('**/api/auth/verify')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Media List' })).toBeVisible()
})

/** The status with which the server answers a call with this token. */
async function verified(page: Page, held: string | null): Promise<number> {
  const answer = await page.request.get('/api/auth/verify', { headers: { authorization: `Bearer ${held}` } })
  return answer.status()
}
