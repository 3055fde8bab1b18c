import type { Page } from '@playwright/test'
import { aMedia } from './support/catalogue.ts'
import { content, save } from './support/editor.ts'
import { expect, noSidewaysScroll, noViolations } from './support/fixtures.ts'
import { latestEmailTo, test } from './support/ownServer.ts'

test.use({ expectedErrors: [/status of 412|changed since you opened it/] })

const SECTIONS = ['general', 'ai', 'search', 'storage', 'mail', 'security', 'retention', 'about']
const reset = { general: { siteName: 'Mokuroku', languages: ['en', 'zh'], defaultLanguage: 'en' } }

async function put(request: Page['request'], token: string, data: object) {
  const answer = await request.put('/api/settings', { data, headers: { authorization: `Bearer ${token}` } })
  expect(answer.status(), await answer.text()).toBe(200)
}

test('the marks of many wanted languages wrap in a row of a list @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const languages = ['en', 'zh-Hans', 'zh-Hant', 'ja', 'ko', 'th', 'ar', 'ru']
  await put(request, token, { general: { languages } })
  await aMedia(request, token)
  await page.goto('/media')
  await expect(page.locator('main [data-language="ru"]').first()).toBeInViewport({ ratio: 1 })
  await noSidewaysScroll(page)
  await put(request, token, reset)
})

test('every section has its own URL, fits, and is accessible @phone', async ({ signedIn: page }) => {
  for (const section of SECTIONS) {
    await page.goto(section === 'general' ? '/settings' : `/settings?section=${section}`)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await noViolations(page)
    await noSidewaysScroll(page)
  }
  await expect(page.getByRole('link', { name: 'CC BY 4.0' })).toBeVisible()
  await expect(page.getByText('bangumi-data 0.')).toBeVisible()
  await page.goto('/settings?section=storage')
  await page.getByRole('link', { name: '0 · 0 Bytes' }).click()
  await expect(page).toHaveURL('/assets?unused=true')
})

test('saved settings take effect, appear in the history, and do not overwrite other changes', async ({
  signedIn: page,
  request,
  token,
}) => {
  await test.step('sections are links on a desktop', async () => {
    await page.goto('/settings')
    const sections = page.getByRole('navigation', { name: 'Sections' })
    await sections.getByRole('link', { name: 'Security' }).click()
    await expect(page).toHaveURL('/settings?section=security')
    await expect(sections.locator('[aria-current]')).toHaveText(['Security'])
    await page.getByLabel('Session length').selectOption('1 day')
    await save(page).click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Session length')).toHaveValue('24')
  })

  await test.step('a new site name and language take effect', async () => {
    await page.goto('/settings')
    await page.getByLabel('Site name').fill('図書室')
    await page.getByLabel('Add a language').fill('no language')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Invalid language tag')).toBeVisible()
    await page.getByLabel('Add a language').fill('JA')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Chinese' }).click()
    await page.getByLabel('Default language').selectOption('Japanese')
    await noViolations(page)
    await save(page).click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    await expect(page.getByRole('complementary').getByText('図書室')).toBeVisible()
    await expect(page).toHaveTitle('Settings · Admin Dashboard · 図書室')
    await page.goto('/tags/new')
    await expect(content(page)).toContainText('"ja": {')
    await expect(content(page)).not.toContainText('"zh": {')
    await put(request, token, reset)
  })

  await test.step('the history lists who changed which settings, without the API key', async () => {
    await put(request, token, { general: { siteName: 'Earlier' } })
    await put(request, token, { general: { siteName: 'Later' }, ai: { apiKey: 'sk-secret' } })
    await page.goto('/settings')
    await page.getByRole('link', { name: 'History' }).click()
    await expect(page).toHaveURL('/settings/history')
    await expect(page.getByText('Changed site name and API key')).toBeVisible()
    await expect(page.getByText('sk-secret')).toHaveCount(0)
    await noViolations(page)
    await put(request, token, { ...reset, ai: { apiKey: '' } })
  })

  await test.step('a save that conflicts with another window shows both values; either can be used', async () => {
    await page.goto('/settings')
    await page.getByLabel('Site name').fill('Mine')
    await put(request, token, { general: { siteName: 'Theirs' } })
    await save(page).click()
    const messages = page.getByRole('status').filter({ hasText: 'You changed this in another window' })
    await expect(messages).toContainText('Other window: Theirs')
    await expect(messages).toContainText('This window: Mine')
    await expect(page.getByLabel('Site name')).toHaveValue('Mine')
    await noViolations(page)
    await page.getByRole('button', { name: 'Use the value from the other window: Site name' }).click()
    await expect(page.getByLabel('Site name')).toHaveValue('Theirs')
    await expect(messages).toHaveCount(0)
    await page.getByLabel('Site name').fill('Mine again')
    await put(request, token, { general: { siteName: 'Theirs again' } })
    await save(page).click()
    await expect(messages).toBeVisible()
    await save(page).click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Site name')).toHaveValue('Mine again')
    await put(request, token, reset)
  })
})

test('the API key, the search index and the test email', async ({ signedIn: page, folder }) => {
  await test.step('an API key can be set but never read, and belongs to its host', async () => {
    await page.goto('/settings?section=ai')
    await page.getByLabel('Provider address').fill('ftp://models.example.org')
    await save(page).click()
    await expect(page.getByText('Must be an http or https address')).toBeVisible()
    await page.getByLabel('Provider address').fill('http://127.0.0.1:1/v1')
    await page.getByLabel('Model').fill('small')
    await page.getByLabel('API key').fill('sk-secret')
    await save(page).click()
    await expect(page.getByText('A key is saved.')).toBeVisible()
    await expect(page.getByLabel('API key')).toHaveValue('')
    await noViolations(page)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.locator('form [role="status"]').first()).not.toBeEmpty()
    await page.getByLabel('Provider address').fill('https://elsewhere.example.org/v1')
    await expect(page.getByText('belongs to another host')).toBeVisible()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('button', { name: 'Remove the key' }).click()
    await expect(page.getByText('The key will be removed when you save.')).toBeVisible()
    await save(page).click()
    await expect(page.getByText('No key. Some endpoints need none.')).toBeVisible()
  })

  await test.step('rebuilding the search index shows its progress and its result', async () => {
    await page.goto('/settings?section=search')
    await expect(page.getByText('Ready', { exact: true })).toBeVisible()
    // Such a small index is rebuilt faster than the screen renders: hold back the progress until its start is seen.
    const seen = Promise.withResolvers<void>()
    await page.route('**/api/search/index', async (route) => {
      if (route.request().method() === 'GET') await seen.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Rebuild index' }).click()
    await expect(page.getByRole('progressbar', { name: 'Rebuilding the index' })).toBeVisible()
    await expect(page.getByText('Being rebuilt')).toBeVisible()
    seen.resolve()
    await expect(page.getByText('Ready', { exact: true })).toBeVisible()
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    await expect(page.getByText(/^Rebuilt: \d+ entr(y|ies)$/)).toBeVisible()
  })

  await test.step('the test email is sent to the user who requests it', async () => {
    await page.goto('/settings?section=mail')
    await page.getByRole('button', { name: 'Send test message to myself' }).click()
    await expect(page.getByText('The message to admin@example.org is saved in the outbox folder')).toBeVisible()
    expect(await latestEmailTo('admin@example.org', folder)).toContain('Subject: Test message from')
    await noViolations(page)
  })
})
