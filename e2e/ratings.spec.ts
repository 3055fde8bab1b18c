import type { Rating } from '@mokuroku/contract/ratings'
import type { APIRequestContext, Page } from '@playwright/test'
import { aMedia, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { alert, heading } from './support/locators.ts'
import { aPerson, aRating, become } from './support/people.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Ratings' }).getByRole('row')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const score = (page: Page) => page.getByRole('spinbutton', { name: 'Score' })

async function stored(request: APIRequestContext, token: string, { _id }: { _id: string }) {
  const answer = await request.get(`/api/ratings/${_id}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status(), rating: (await answer.json()) as Rating }
}

const change = (request: APIRequestContext, token: string, { _id }: Rating, data: object) =>
  request.put(`/api/ratings/${_id}`, { data, headers: { authorization: `Bearer ${token}` } })

test('the list fits, delete asks first, and Undo restores the rating', async ({ signedIn: page, request, token }) => {
  const [{ user, token: theirs }, other] = [await aPerson(request, token), await aPerson(request, token)]
  const media = await aMedia(request, token, { title: `The Long Title of ${aWord()} `.repeat(5) })
  await aRating(request, other.token, { mediaId: media._id, score: 8, comment: 'Slow, then not. '.repeat(20) })
  const rating = await aRating(request, theirs, { mediaId: media._id, score: 3.5 })
  await page.goto('/ratings?limit=25')
  await expect(heading(page)).toHaveText('Ratings')
  await expect(row(page, other.user.username)).toContainText('Slow, then not.')
  await noSidewaysScroll(page)
  await noViolations(page)
  await page.getByRole('button', { name: `Delete ${user.username}’s rating` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are you sure you want to delete this rating?')
  await expect(dialog).toContainText(`3.5, given by ${user.username}`)
  await noViolations(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await stored(request, token, rating)).status).toBe(200)
  await page.getByRole('button', { name: `Delete ${user.username}’s rating` }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Rating deleted')).toBeVisible()
  await expect(row(page, user.username)).toHaveCount(0)
  expect((await stored(request, token, rating)).status).toBe(404)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Rating restored')).toBeVisible()
  await expect(row(page, user.username)).toHaveCount(1)

  await test.step('the list and the form are accessible in Chinese', async () => {
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.reload()
    await expect(heading(page)).toHaveText('评分')
    await noViolations(page)
    await page.goto(`/ratings/${rating._id}`)
    await page.getByRole('button', { name: '修改评分' }).click()
    await noViolations(page)
  })
})

test.describe('the score of a rating', () => {
  // The browser logs the refused call.
  test.use({ expectedErrors: [/412|changed since you opened it/] })

  test('is edited in place, without losing changes by others', async ({ signedIn: page, request, token }) => {
    await test.step('the score is validated and saved, and the comment is kept', async () => {
      const { user, token: theirs } = await aPerson(request, token)
      const media = await aMedia(request, token)
      const rating = await aRating(request, theirs, { mediaId: media._id, score: 4.9, comment: 'One line.\nAnother.' })
      await page.goto(`/ratings/${rating._id}`)
      await expect(heading(page)).toHaveText('Rating Details')
      await expect(page.getByRole('link', { name: media.translations.en?.title ?? '' })).toHaveAttribute(
        'href',
        `/media/${media._id}`,
      )
      await expect(page.getByText(user.username)).toBeVisible()
      await expect(page.getByText('One line.')).toHaveCSS('white-space', 'pre-line')
      await noViolations(page)

      const edit = page.getByRole('button', { name: 'Edit Rating' })
      await edit.focus()
      await page.keyboard.press('Enter')
      await expect(score(page)).toBeFocused()
      await expect(score(page)).toHaveValue('4.9')
      await expect(score(page)).toHaveAttribute('min', '0')
      await expect(score(page)).toHaveAttribute('max', '10')
      await expect(score(page)).toHaveAttribute('step', '0.1')
      await noSidewaysScroll(page)
      await noViolations(page)
      await page.keyboard.type('9.9')
      await page.keyboard.press('Escape')
      await expect(edit).toBeFocused()
      expect((await stored(request, token, rating)).rating.score).toBe(4.9)

      await edit.click()
      for (const wrong of ['10.1', '7.25', '-1', '']) {
        await score(page).fill(wrong)
        await page.getByRole('button', { name: 'Save' }).click()
        await expect(page.getByText('Enter a score from 0 to 10, in steps of 0.1.')).toBeVisible()
      }
      await noViolations(page)
      await score(page).fill('8.4')
      const sent = page.waitForRequest((call) => call.method() === 'PUT')
      await score(page).press('Enter')
      const put = await sent
      expect(put.postDataJSON()).toEqual({ score: 8.4, comment: 'One line.\nAnother.' })
      expect(put.headers()['if-match']).toBe('"1"')
      await expect(page.getByText('Rating updated successfully')).toBeVisible()
      await expect(page.locator('[data-tone=success]').filter({ hasText: '8.4' })).toBeVisible()
      await expect(edit).toBeFocused()

      await edit.click()
      await score(page).fill('1')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(page.locator('[data-tone=success]').filter({ hasText: '8.4' })).toBeVisible()
      expect((await stored(request, token, rating)).rating).toMatchObject({ score: 8.4, comment: rating.comment })
    })

    await test.step('a score that someone else has changed is shown before it is overwritten', async () => {
      const { token: theirs } = await aPerson(request, token)
      const media = await aMedia(request, token)
      const rating = await aRating(request, theirs, { mediaId: media._id, score: 4, comment: 'Mine' })
      await page.goto(`/ratings/${rating._id}`)
      const edit = page.getByRole('button', { name: 'Edit Rating' })
      await edit.click()
      await change(request, theirs, rating, { score: 6, comment: 'Mine, again' })
      await score(page).fill('9')
      await score(page).press('Enter')
      await expect(alert(page, 'This rating was changed to 6.0 elsewhere.')).toContainText('Mine, again')
      await expect(score(page)).toHaveValue('9')
      await noViolations(page)
      expect((await stored(request, token, rating)).rating.score).toBe(6)
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Rating updated successfully')).toBeVisible()
      expect((await stored(request, token, rating)).rating).toMatchObject({ score: 9, comment: 'Mine, again' })

      await edit.click()
      await change(request, theirs, rating, { score: 2 })
      await score(page).fill('10')
      await score(page).press('Enter')
      await expect(alert(page, 'This rating was changed to 2.0 elsewhere')).toBeVisible()
      await score(page).press('Escape')
      await expect(page.locator('[data-tone=danger]').filter({ hasText: '2.0' })).toBeVisible()
    })

    await test.step('a comment that someone else has changed is merged', async () => {
      const { token: theirs } = await aPerson(request, token)
      const media = await aMedia(request, token)
      const rating = await aRating(request, theirs, { mediaId: media._id, score: 4, comment: 'Before' })
      await page.goto(`/ratings/${rating._id}`)
      await page.getByRole('button', { name: 'Edit Rating' }).click()
      await change(request, theirs, rating, { score: 4, comment: 'After' })
      await score(page).fill('5')
      await score(page).press('Enter')
      await expect(page.getByText('Those changes and yours were merged.')).toBeVisible()
      await expect(page.getByText('After', { exact: true })).toBeVisible()
      expect((await stored(request, token, rating)).rating).toMatchObject({ score: 5, comment: 'After' })
    })
  })
})

test.describe('on the screen of a media item', () => {
  const card = (page: Page) => page.getByRole('region', { name: /^Ratings & Reviews/ })
  const mine = (page: Page) => page.getByRole('group', { name: 'Your rating' })
  const bins = (page: Page) => page.getByRole('table', { name: 'Ratings by score' }).getByRole('cell')
  /** The user's score, once no dialog is open: messages that an open one shows have a tone, too. */
  const expectScore = async (page: Page, shown: string, tone: string) => {
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(mine(page).locator(`[data-tone=${tone}]`)).toHaveText(shown)
  }

  test('a user adds, edits and deletes a rating, and the histogram is updated @phone', async ({
    page,
    request,
    token,
  }) => {
    const [me, other] = [await aPerson(request, token), await aPerson(request, token)]
    const media = await aMedia(request, token)
    await aRating(request, other.token, { mediaId: media._id, score: 0.4 })
    await become(page, me)
    await page.goto(`/media/${media._id}`)
    await expect(bins(page)).toHaveText(['1', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0'])
    const rate = mine(page).getByRole('button', { name: 'Rate this' })
    await rate.click()
    await expect(score(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(rate).toBeFocused()
    await page.keyboard.press('Enter')
    await score(page).fill('11')
    await score(page).press('Enter')
    await expect(page.getByText('Enter a score from 0 to 10, in steps of 0.1.')).toBeVisible()
    await noViolations(page)
    await score(page).fill('7.5')
    await page.getByLabel('Comment').fill('Read it twice.')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Rating saved')).toBeVisible()
    await expectScore(page, '7.5', 'warning')
    await expect(bins(page)).toHaveText(['1', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0'])
    await expect(card(page).getByRole('heading')).toContainText('2')
    const review = card(page).getByRole('listitem').filter({ hasText: me.user.username })
    await expect(review).toContainText('Read it twice.')
    await noSidewaysScroll(page)
    await noViolations(page)

    await mine(page).getByRole('button', { name: 'Edit your rating' }).click()
    await score(page).fill('9')
    const sent = page.waitForRequest((call) => call.method() === 'PUT')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await sent).postDataJSON()).toEqual({ score: 9, comment: 'Read it twice.' })
    await expect(page.getByText('Rating updated successfully')).toBeVisible()
    await expectScore(page, '9.0', 'success')
    await expect(bins(page)).toHaveText(['1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0'])
    await mine(page).getByRole('button', { name: 'Delete your rating' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Rating restored')).toBeVisible()
    await expectScore(page, '9.0', 'success')
    await mine(page).getByRole('button', { name: 'Delete your rating' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(mine(page).getByRole('button', { name: 'Rate this' })).toBeVisible()

    await test.step('the labels of the histogram do not overlap at 320 pixels', async () => {
      await page.setViewportSize({ width: 320, height: 740 })
      await page.route(`/api/media/${media._id}`, async (route) => {
        const answer = await route.fetch()
        const ratingHistogram = [0, 1, 22, 333, 4444, 55_555, 1, 1, 88, 999, 10_000]
        await route.fulfill({ json: { ...((await answer.json()) as object), ratingCount: 71_444, ratingHistogram } })
      })
      await page.goto(`/media/${media._id}`)
      const figure = page.getByRole('figure')
      await expect(figure).toBeVisible()
      await expect(figure.getByText('4K', { exact: true })).toBeVisible()
      await noSidewaysScroll(page)
      const overlap = await figure.evaluate((element) => {
        const boxes = [...element.querySelectorAll('[aria-hidden] span:not(:has(*))')]
          .filter(({ textContent }) => textContent)
          .map((each) => each.getBoundingClientRect())
        return boxes.filter((box, at) =>
          boxes.some(
            (next, index) =>
              index > at &&
              box.left < next.right - 1 &&
              next.left < box.right - 1 &&
              box.top < next.bottom - 1 &&
              next.top < box.bottom - 1,
          ),
        ).length
      })
      expect(overlap).toBe(0)
    })
  })
})
