import type { MediaRow } from '@mokuroku/contract/media'
import type { APIRequestContext, Page } from '@playwright/test'
import { aMedia, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { eachOf, heightOf, textOf } from './support/reading.ts'

const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test.describe.configure({ timeout: 60_000 })

/** A novel of the sample catalogue with characters, ratings, a cover and related media. It is loaded at the start. */
async function genji(request: APIRequestContext, token: string): Promise<string> {
  let found: MediaRow | undefined
  await expect
    .poll(
      async () => {
        const query = 'search=The+Tale+of+Genji&type=NOVEL'
        const answer = await request.get(`/api/media?${query}`, { headers: { authorization: `Bearer ${token}` } })
        const media = (await answer.json()) as MediaRow[]
        found = media.find(
          ({ ratingCount, translations }) => ratingCount > 0 && translations.en?.title === 'The Tale of Genji',
        )
        return found?._id
      },
      { timeout: 80_000, intervals: [500, 2000] },
    )
    .toBeTruthy()
  return `/media/${found?._id}`
}

test('shows all of a media @phone', async ({ signedIn: page, request, token }) => {
  test.setTimeout(100_000)
  await page.goto(await genji(request, token))
  await expect(heading(page)).toHaveText('The Tale of Genji')
  await expect(heading(page)).toHaveAttribute('lang', 'en')
  await expect(page).toHaveTitle('The Tale of Genji · Admin Dashboard')

  const details = card(page, 'Details')
  await expect(details.getByText('源氏物語').first()).toHaveAttribute('lang', 'ja')
  for (const fact of ['Original title', 'Type', 'Status', 'Release date', 'Average rating', 'Tags'])
    await expect(details.getByRole('term').filter({ hasText: fact })).toBeVisible()
  await expect(details.getByText('Novel', { exact: true })).toBeVisible()
  await expect(details.getByText('Completed', { exact: true })).toBeVisible()

  await details.getByRole('tab', { name: 'English' }).focus()
  await page.keyboard.press('End')
  await expect(details.getByRole('tab').last()).toBeFocused()
  await expect(details.getByRole('tab').last()).toHaveAttribute('aria-selected', 'true')
  await details.getByRole('tab', { name: 'Japanese' }).click()
  await expect(details.getByRole('tabpanel').locator('[lang=ja]').first()).toContainText('源氏物語')

  const characters = card(page, /^Characters/)
  await expect(characters.getByRole('listitem').filter({ hasText: 'Hikaru Genji' })).toContainText('光源氏')
  await expect(async () => {
    const count = await characters.getByRole('listitem').count()
    await expect(characters.getByRole('heading')).toHaveText(`Characters${count}`, { timeout: 1000 })
  }).toPass()

  const ratings = card(page, /^Ratings & Reviews/)
  await expect(ratings.getByRole('listitem').first()).toContainText(/\d\.\d/)
  for (const badge of await eachOf(ratings.locator('[data-tone]'))) {
    const score = Number(await textOf(badge))
    await expect(badge).toHaveAttribute('data-tone', score >= 8 ? 'success' : score >= 5 ? 'warning' : 'danger')
  }
  await expect(
    card(page, /^Media Assets/)
      .locator('img')
      .first(),
  ).toBeVisible()
  await expect(
    card(page, /^Related Media/)
      .getByRole('article')
      .first(),
  ).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('an empty media says what is missing @phone', async ({ signedIn: page, request, token }) => {
  const title = aWord()
  const { _id } = await aMedia(request, token, {
    mediaType: 'MANGA',
    translations: { en: { title, description: 'First line\nSecond line' }, th: { title: 'ปู่ที่น้ำเชี่ยว', description: '' } },
  })
  await page.goto(`/media/${_id}`)
  await expect(heading(page)).toHaveText(title)
  await expect(page.getByText('No characters associated with this media')).toBeVisible()
  await expect(page.getByText('No ratings yet')).toBeVisible()
  await expect(page.getByText('No assets available')).toBeVisible()
  await expect(page.getByText('No ratings', { exact: true }).first()).toBeVisible()
  const description = page.getByText('First line')
  await expect.poll(heightOf(description)).toBeGreaterThan(40)
  await page.getByRole('tab', { name: 'Thai' }).click()
  await expect(page.getByText('No description in this language')).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('Back keeps the filters of the list', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aMedia(request, token, { title: word, mediaType: 'MANGA' })
  await page.goto(`/media?search=${word}&type=MANGA`)
  await page.getByRole('link', { name: word, exact: true }).click()
  await expect(heading(page)).toHaveText(word)
  await page.reload()
  await page.getByRole('link', { name: 'Back to Media List' }).click()
  await expect(page).toHaveURL(`/media?search=${word}&type=MANGA`)
})

test('Edit leads to the editor, and pointing at a media fetches it', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const { _id } = await aMedia(request, token, { title: word })
  await page.goto(`/media?search=${word}`)
  const fetched = page.waitForResponse(`**/api/media/${_id}`)
  await page.getByRole('link', { name: word, exact: true }).hover()
  await fetched
  await page.goto(`/media/${_id}`)
  await expect(page.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', `/media/${_id}/edit`)
  await page.getByRole('link', { name: 'Back to Media List' }).click()
  await expect(page).toHaveURL('/media')
})

test('delete leads back to the list, and Undo brings the media back', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const { _id } = await aMedia(request, token, { title: word })
  await page.goto(`/media/${_id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are you sure you want to delete this media?')
  await noViolations(page)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/media')
  await expect(page.getByText('Media deleted')).toBeVisible()
  await expect(page.getByRole('link', { name: word, exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Media restored')).toBeVisible()
  await page.goto(`/media/${_id}`)
  await expect(heading(page)).toHaveText(word)
})

test.describe('faults', () => {
  test.use({ expectedErrors: [/./] })

  test('a failure says so, offers Retry and the way back', async ({ signedIn: page, request, token }) => {
    const { _id, translations } = await aMedia(request, token)
    await page.route(`/api/media/${_id}`, (route) => route.abort())
    await page.goto(`/media/${_id}`)
    await expect(heading(page)).toHaveText('Error')
    await expect(page.getByText('Failed to load media details')).toBeVisible()
    await expect(page.getByText('Network error. Please check your connection.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to Media List' })).toBeVisible()
    await noViolations(page)
    await page.unroute(`/api/media/${_id}`)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(heading(page)).toHaveText(translations.en?.title ?? '')
  })
})

test('speaks Chinese', async ({ signedIn: page, request, token }) => {
  const title = `中文 ${aWord()}`
  const { _id } = await aMedia(request, token, {
    translations: { en: { title: 'English', description: '' }, 'zh-Hans': { title, description: '' } },
  })
  await page.addInitScript(() => localStorage.setItem('language', 'zh'))
  await page.goto(`/media/${_id}`)
  await expect(heading(page)).toHaveText(title)
  await expect(heading(page)).toHaveAttribute('lang', 'zh-Hans')
  await expect(page.getByRole('tab', { selected: true })).toHaveText('简体中文')
  await expect(page.getByText('该作品暂无角色')).toBeVisible()
  await noViolations(page)
})
