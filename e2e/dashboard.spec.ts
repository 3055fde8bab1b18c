import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'

test('the dashboard shows numbers, chart and activities @phone', async ({ signedIn: page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await expect(page.getByText('Welcome to your admin dashboard')).toBeVisible()
  for (const text of [
    'Total Media',
    'Anime, Manga & Novels',
    'Total characters in database',
    'Categories and descriptors',
    'Images, videos & audio',
    'Tag Usage by Category',
    'Recent Activities',
  ])
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('img', { name: 'Tag Usage by Category' })).toBeVisible()
  await noViolations(page)
  await noSidewaysScroll(page)
})

test('the chart is read with the keyboard, and as a table', async ({ signedIn: page }) => {
  await page.goto('/')
  await page.getByRole('img', { name: 'Tag Usage by Category' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('status').filter({ hasText: /THEME/ })).toContainText('Tags Count')
  await page.getByRole('button', { name: 'Show table' }).click()
  const table = page.getByRole('table', { name: 'Tag Usage by Category' })
  for (const name of ['GENRE', 'THEME', 'CHARACTER TRAIT', 'CONTENT WARNING', 'CUSTOM'])
    await expect(table.getByRole('rowheader', { name })).toBeVisible()
  await noViolations(page)
})

test('View All opens the activities, by type and by page @phone', async ({ signedIn: page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'View All' }).click()
  await expect(page).toHaveURL('/activities')
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await page.getByLabel('Type').selectOption('CATALOGUE_IMPORTED')
  await expect(page).toHaveURL('/activities?type=CATALOGUE_IMPORTED')
  await expect(page.getByText('Sample catalogue loaded').first()).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/activities')
  await noViolations(page)
  await noSidewaysScroll(page)
})

test.describe('faults', () => {
  test.use({ expectedErrors: [/./] })

  for (const [status, text, json] of [
    [403, 'Access denied. You do not have permission for this action.', {}],
    [404, 'Resource not found.', {}],
    [429, 'Too many requests. Please try again later.', {}],
    [500, 'Server error. Please try again later.', {}],
    [502, 'Server error. Please try again later.', {}],
    [503, 'Server error. Please try again later.', {}],
    [504, 'Server error. Please try again later.', {}],
    [409, 'A sentence of the server', { message: 'A sentence of the server' }],
    [418, 'An unexpected error occurred', {}],
    [0, 'Network error. Please check your connection.', {}],
  ] as const)
    test(`a call that ends in ${status || 'nothing'} is told in the words of the specification`, async ({
      signedIn: page,
    }) => {
      await page.route('**/admin/stats', (route) => (status ? route.fulfill({ status, json }) : route.abort()))
      await page.goto('/')
      await expect(page.getByText(text, { exact: true }).first()).toBeVisible({ timeout: 15_000 })
      await page.unroute('**/admin/stats')
      await page.getByRole('button', { name: 'Retry' }).first().click()
      await expect(page.getByText('Total characters in database')).toBeVisible()
    })

  test('the loading texts stand while it loads', async ({ signedIn: page }) => {
    let go = () => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    await page.route('**/admin/**', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/')
    for (const text of ['Loading...', 'Loading chart data...', 'Loading recent activities...'])
      await expect(page.getByText(text, { exact: true }).first()).toBeAttached()
    go()
    await expect(page.getByText('Total characters in database')).toBeVisible()
  })
})
