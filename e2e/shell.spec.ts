import type { Page } from '@playwright/test'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'

const AREAS = [
  ['Dashboard', '/'],
  ['Media', '/media'],
  ['Characters', '/characters'],
  ['Tags', '/tags'],
  ['Assets', '/assets'],
  ['Translations', '/translations'],
  ['Batches', '/batches'],
  ['Ratings', '/ratings'],
  ['Score Permissions', '/score-permissions'],
  ['Users', '/users'],
  ['Settings', '/settings'],
  ['Audit Log', '/audit'],
] as const

test('the sidebar leads to the eleven areas in their order, and an administrator to the audit log', async ({
  signedIn: page,
}) => {
  await page.goto('/')
  await expect(page.getByText('Admin Panel').first()).toBeVisible()
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(links).toHaveText(AREAS.map(([name]) => name))
  for (const [name, path] of AREAS) {
    await links.filter({ hasText: name }).first().click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
})

test('the sidebar is 256 pixels wide, 64 when collapsed, and stays so', async ({ signedIn: page }) => {
  await page.goto('/')
  const sidebar = page
    .getByRole('navigation', { name: 'Main' })
    .locator('xpath=ancestor-or-self::*[self::aside or self::nav][last()]')
  const width = async () => Math.round((await sidebar.boundingBox())?.width ?? 0)
  await expect.poll(width).toBe(256)
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await expect.poll(width).toBe(64)
  await page.reload()
  await expect.poll(width).toBe(64)
  await expect(page.getByRole('link', { name: 'Score Permissions' })).toBeVisible()
  await noViolations(page)
})

test('an unknown path says so and leads back', async ({ signedIn: page }) => {
  await page.goto('/nowhere')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await noViolations(page)
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(page).toHaveURL('/')
})

test('the palette finds screens and titles, with the keyboard alone', async ({ signedIn: page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  const box = page.getByRole('combobox')
  await expect(box).toBeFocused()
  await noViolations(page)
  await box.fill('Score Perm')
  await expect(page.getByRole('option', { name: 'Score Permissions' })).toBeVisible()
  await box.fill('源氏物語')
  await expect(page.getByRole('option').filter({ hasText: 'The Tale of Genji' }).first()).toBeVisible()
  await noViolations(page)
  await page.keyboard.press('Escape')
  await expect(box).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible()
  await noViolations(page)
})

test('keys lead from screen to screen, and from a row to its editor and back', async ({ signedIn: page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect(page).toHaveURL('/media')
  const rows = page.getByRole('table', { name: 'Media List' }).locator('tbody tr')
  await expect(rows).toHaveCount(10)
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/\/media\/[\da-f-]{36}\/edit$/)
  await page.goBack()
  await expect(rows).toHaveCount(10)
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await expect(page.getByLabel('Filter by')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  // The rows have Edit links too.
  await expect(rows).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Edit/ })).toBeVisible()
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/\/media\/[\da-f-]{36}\/edit$/)
})

test('Enter in the palette waits for what is searched, and Esc takes it back', async ({ signedIn: page }) => {
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('/api/search?*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  const box = page.getByRole('combobox')
  await box.fill('源氏物語')
  await box.press('Enter')
  await expect(box).toHaveAttribute('aria-busy', 'true')
  await box.press('Escape')
  await expect(box).not.toHaveAttribute('aria-busy')
  await box.press('Enter')
  answer()
  await expect(page).toHaveURL(/\/media\/[\da-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/Genji|源氏/)
})

test('the console speaks Chinese, and remembers it @phone', async ({ signedIn: page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitemradio', { name: '简体中文' }).click()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Dashboard')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Dashboard')
  await noViolations(page)
  await noSidewaysScroll(page)
})

test('the theme is chosen in the user menu, and remembered', async ({ signedIn: page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  const isDark = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  await expect.poll(isDark).toBe('dark')
  await page.reload()
  await expect.poll(isDark).toBe('dark')
})

test('the first Tab leads past the navigation', async ({ signedIn: page }) => {
  await page.goto('/media')
  await expect(page.getByRole('heading', { name: 'Media List' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
})

for (const [when, press] of [
  [
    'is asked for before',
    async (page: Page, arrive: () => void) => {
      await page.getByRole('button', { name: 'User menu' }).click()
      arrive()
    },
  ],
  [
    'is pressed while',
    async (page: Page, arrive: () => void) => {
      await page.getByRole('button', { name: 'User menu' }).hover()
      await page.mouse.down()
      arrive()
      await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
      await page.mouse.up()
    },
  ],
] as const)
  test(`a menu that ${when} its code comes opens when it has come`, async ({ signedIn: page }) => {
    const code = Promise.withResolvers<void>()
    await page.route('**/assets/UserMenu-*.js', async (route) => {
      await code.promise
      await route.continue()
    })
    await page.goto('/')
    await press(page, code.resolve)
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  })
