import { startServer } from '../server/test/process.ts'
import { type Catalogues, catalogues } from './support/catalogues.ts'
import { admin, expect, noSidewaysScroll, noViolations } from './support/fixtures.ts'
import { test as base } from './support/ownServer.ts'
import type { Page } from '@playwright/test'

/** Worker fixture: a server without a model, with fake public catalogues. */
const test = base.extend<object, { outside: Catalogues }>({
  outside: [
    async ({ browserName: _ }, use) => {
      const outside = await catalogues()
      await use(outside)
      outside.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ folder, outside }, use) => {
      const { url, end } = await startServer(
        {
          DATA_DIR: folder,
          ADMIN_EMAIL: admin.email,
          ADMIN_PASSWORD: admin.password,
          STAND_INS: outside.host,
          CATALOGUES: outside.host,
          NODE_OPTIONS: `--import ${new URL('../server/test/standIns.ts', import.meta.url).href}`,
        },
        { isSource: true },
      )
      await use(url)
      await end()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

// In one worker, because starting the server takes longer than most of these tests.
test.describe.configure({ mode: 'default' })

const box = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const bebop = {
  id: 1,
  type: 'ANIME',
  format: 'TV',
  countryOfOrigin: 'JP',
  status: 'FINISHED',
  episodes: 26,
  title: { romaji: 'Cowboy Bebop', english: 'Cowboy Bebop', native: 'カウボーイビバップ' },
  startDate: { year: 1998, month: 10, day: 23 },
  coverImage: null,
}

test('unreachable sources are named, do not count as agreement, and can be retried', async ({
  signedIn: page,
  outside,
}) => {
  outside.anilistKnows(undefined)
  await page.goto('/media/compare')
  await page.getByLabel('Topic').fill('カウボーイビバップ')
  await button(page, 'Generate').click()
  // The first AI call of a server takes longer, because it loads the reference data.
  await expect(box(page, 'Source 2')).toContainText('Complete, without AniList and Kitsu', { timeout: 45_000 })
  await expect(box(page, 'Source 2').getByRole('listitem')).toHaveText([
    'AniList cannot be reached.',
    'Kitsu cannot be reached.',
  ])
  await expect(page.getByRole('textbox', { name: 'Source 2' })).not.toHaveValue(/```/)
  const comparison = page.getByRole('region', { name: 'Comparison' })
  await expect(comparison).toContainText('Both columns come from one source: bangumi-data')
  await expect(comparison.getByText('Same source').first()).toBeVisible()
  await expect(comparison.getByText('Both agree')).toHaveCount(0)
  await expect(button(page, 'Select Type')).toHaveCount(1)
  await noViolations(page)
  await noSidewaysScroll(page)

  outside.anilistKnows([bebop])
  await box(page, 'Source 2').getByRole('button', { name: 'Retry' }).click()
  await expect(box(page, 'Source 2').getByRole('status')).toHaveText('Complete')
  await expect(comparison.getByText('Both agree').first()).toBeVisible()
  await expect(comparison).not.toContainText('Both columns come from')
  await expect(button(page, 'Select Episodes of source 2')).toBeVisible()

  await test.step('unreachable sources are named in Chinese, accessibly in the dark theme', async () => {
    outside.anilistKnows(undefined)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.goto('/media/compare')
    await page.getByLabel('作品名').fill('カウボーイビバップ')
    await button(page, '生成').click()
    await expect(box(page, '来源 2')).toContainText('完成，但缺少 AniList、Kitsu', { timeout: 45_000 })
    await expect(box(page, '来源 2').getByRole('listitem').first()).toHaveText('无法连接 AniList。')
    await expect(page.getByText('两栏内容出自同一来源：bangumi-data，不能互相印证。')).toBeVisible()
    await noViolations(page)
  })
})

test('an enhancement reports that the sources know nothing', async ({ signedIn: page, token }) => {
  const response = await page.request.post('/api/media', {
    data: {
      mediaType: 'ANIME',
      translations: { en: { title: 'The Clockwork Orchard of Vellamy', description: '' } },
      isOngoing: false,
      releaseDate: '1998-04-03T00:00:00.000Z',
    },
    headers: { authorization: `Bearer ${token}` },
  })
  const { _id } = (await response.json()) as { _id: string }
  await page.goto(`/media/${_id}/edit`)
  await button(page, 'AI Enhance Translations').click()
  const answer = box(page, 'AI response')
  await expect(answer.getByRole('listitem')).toHaveText(['The sources know nothing about this.'], { timeout: 45_000 })
  await expect(answer).not.toContainText('Nothing to improve')
  await noViolations(page)
  await noSidewaysScroll(page)
})
