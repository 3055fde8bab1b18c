import type { MediaRow } from '@mokuroku/contract/media'
import type { APIRequestContext, Page } from '@playwright/test'
import { aMedia, aWord, wrongTitles } from './support/catalogue.ts'
import { expect, hold, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { heading } from './support/locators.ts'
import { eachOf, heightOf, textOf, topOf } from './support/reading.ts'

const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

/** The id of a novel in the sample catalogue that has characters, ratings, a cover and related media, once loaded. */
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

test('shows all data of a media item @phone', async ({ signedIn: page, request, token }) => {
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

test('Back returns to the list with its filters, even after a reload', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aMedia(request, token, {
    mediaType: 'MANGA',
    translations: { en: { title: word, description: 'First line\nSecond line' } },
  })
  await page.goto(`/media?search=${word}&type=MANGA`)
  await page.getByRole('link', { name: word, exact: true }).click()
  await expect(heading(page)).toHaveText(word)
  await test.step('empty sections are accessible, and the description keeps its line breaks', async () => {
    await expect(page.getByText('No characters associated with this media')).toBeVisible()
    await expect.poll(heightOf(page.getByText('First line'))).toBeGreaterThan(40)
    await noSidewaysScroll(page)
    await noViolations(page)
  })
  await page.reload()
  await page.getByRole('link', { name: 'Back to Media List' }).click()
  await expect(page).toHaveURL(`/media?search=${word}&type=MANGA`)
})

test('comments open from their URL, can be added, and are accessible @phone', async ({
  signedIn: page,
  request,
  token,
  hasTouch,
}) => {
  const { _id } = await aMedia(request, token)
  await page.goto(`/media/${_id}?comments=open`)
  const comments = page.getByRole('dialog', { name: 'Comments' })
  await expect(comments.getByText('No comments yet')).toBeVisible()
  await expect(comments.getByLabel('New comment')).toBeFocused()
  // The key is not mentioned where the pointer is a finger.
  await expect(comments.getByText('Ctrl Enter sends.')).toBeVisible({ visible: !hasTouch })
  await page.keyboard.type(`Which edition? ${'x'.repeat(100)}`)
  await page.keyboard.press('Control+Enter')
  await expect(comments.getByRole('button', { name: /^Resolve/ })).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Comments (1)' })).toBeFocused()
})

test('of many comments the newest are shown first, at the one that a notification is about', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { _id: entityId } = await aMedia(request, token)
  const headers = { authorization: `Bearer ${token}` }
  const ids: string[] = []
  for (let at = 1; at <= 101; at += 1) {
    const data = { entityType: 'Media', entityId, text: `Remark ${at}` }
    const answer = await request.post('/api/comments', { data, headers })
    ids.push(((await answer.json()) as { _id: string })._id)
  }
  await page.goto(`/media/${entityId}?comments=${ids[49]}`)
  const comments = page.getByRole('dialog', { name: 'Comments' })
  await expect(comments.getByText('Remark 50', { exact: true })).toBeInViewport()
  // Only the comments were scrolled.
  await expect(comments.getByRole('heading', { name: 'Comments' })).toBeInViewport({ ratio: 1 })
  await expect(comments.getByText(/^Remark/).last()).toHaveText('Remark 101')
  await expect(comments.getByText(/^Remark/).first()).toHaveText('Remark 2')
  await comments.getByRole('button', { name: 'Show earlier comments' }).click()
  await expect(comments.getByText(/^Remark/).first()).toHaveText('Remark 1')
})

test('findings that arrive late, and their list, move nothing under the pointer @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { media } = await wrongTitles(request, token, 1)
  const release = await hold(page, '**/api/findings/*')
  await page.goto(`/media/${media[0]?._id}`)
  await expect(card(page, 'Ratings')).toBeVisible()
  const tab = page.getByRole('link', { name: 'History', exact: true })
  const top = await topOf(tab)()
  release()
  const findings = page.getByText(/^Found by the checks/)
  await expect(findings).toBeVisible()
  await expect.poll(topOf(tab)).toBe(top)
  // So that a second press closes the list.
  const closed = await topOf(findings)()
  await findings.click()
  await expect(page.getByRole('button', { name: /^Not a problem/ }).first()).toBeVisible()
  await expect.poll(topOf(findings)).toBeCloseTo(closed, 0)
  await noSidewaysScroll(page)
})
