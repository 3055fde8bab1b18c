// What a phone has of its own: the drawer, lists of cards, one column. That the screens fit is looked at here, area by
// area, and where a test that is marked `@phone` has filled one; what they do is the same as on a desk.
import type { Page } from '@playwright/test'
import { aMedia, aWord } from './support/catalogue.ts'
import { aChangedMedia } from './support/changes.ts'
import { content } from './support/editor.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, aRating } from './support/people.ts'

test.describe.configure({ timeout: 90_000 })

/** Expects of the screen that is shown that it is all there, and fits. */
async function fits(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await noSidewaysScroll(page)
  await noViolations(page)
}

for (const [area, screens] of Object.entries({
  'the dashboard and its activities': [
    ['/', 'Dashboard'],
    ['/activities', 'Activities'],
  ],
  'media, characters and tags': [
    ['/media?type=NOVEL', 'Media List'],
    ['/media?search=zzzqqqxxxjjjwww', 'Media List'],
    ['/characters', 'Characters'],
    ['/tags', 'Tags'],
  ],
  'assets, translations and ratings': [
    ['/assets', 'Assets'],
    ['/translations', 'Translation History'],
    ['/ratings', 'Ratings'],
  ],
  'users, the profile and what is not there': [
    ['/users', 'Users'],
    ['/profile', 'Your Profile'],
    ['/nowhere', 'Page not found'],
  ],
  'the AI screens': [
    ['/media/compare', 'AI Media Comparison'],
    ['/media/standardize', 'AI Standardize'],
  ],
} as const))
  test(`${area} fit @phone`, async ({ signedIn: page }) => {
    for (const [path, heading] of screens) {
      await page.goto(path)
      await fits(page, heading)
    }
  })

test('the editors fit @phone', async ({ signedIn: page }) => {
  for (const [path, heading] of [
    ['/characters/new', 'Create New Character'],
    ['/tags/new', 'Create New Tag'],
    ['/users/new', 'Create New User'],
  ] as const) {
    await page.goto(path)
    await expect(content(page)).toBeVisible()
    await fits(page, heading)
  }
})

test('the screens before signing in fit @phone', async ({ page }) => {
  for (const [path, heading] of [
    ['/login', 'Admin Dashboard'],
    ['/forgot-password', /./],
    ['/reset-password#token=none', /./],
  ] as const) {
    await page.goto(path)
    await fits(page, heading)
  }
})

test('the sidebar is a drawer @phone', async ({ signedIn: page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await noViolations(page)
  await page.getByRole('dialog').getByRole('link', { name: 'Media' }).click()
  await expect(page).toHaveURL('/media')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await noSidewaysScroll(page)
})

test('a row is a card with its actions within reach @phone', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aMedia(request, token, { title: word })
  await page.goto(`/media?search=${word}`)
  const card = page.getByRole('row').filter({ hasText: word })
  for (const name of ['View', 'Edit', 'Delete']) {
    const smallest = async () => {
      const box = await card.getByLabel(`${name} ${word}`).boundingBox()
      return Math.min(box?.width ?? 0, box?.height ?? 0)
    }
    await expect.poll(smallest).toBeGreaterThanOrEqual(44)
  }
  await page.getByRole('columnheader', { name: 'Rating' }).getByRole('button').tap()
  await expect(page).toHaveURL(/sort=-averageRating/)
  await noSidewaysScroll(page)
  await card.getByLabel(`Delete ${word}`).tap()
  await expect(page.getByRole('dialog')).toContainText('Are you sure')
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('the sections of the settings are chosen from a list @phone', async ({ signedIn: page }) => {
  await page.goto('/settings')
  await page.getByRole('combobox', { name: 'Sections' }).selectOption('Mail')
  await expect(page).toHaveURL('/settings?section=mail')
  await expect(page.getByText('Not set up')).toBeVisible()
})

test('a comparison stands in the place of the versions, and leads back to them @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { media } = await aChangedMedia(request, token, ['One', 'Two'])
  const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
  await page.goto(`/media/${media._id}?tab=history`)
  await expect(versions).toHaveCount(2)
  await noSidewaysScroll(page)
  await noViolations(page)
  await versions.last().getByRole('link', { name: 'Compare version 1 with now' }).click()
  await expect(page.getByText('1 difference')).toBeVisible()
  await expect(versions.first()).toBeHidden()
  await expect(page.getByRole('main').locator(':focus')).toHaveText('Comparison')
  await page.getByRole('link', { name: 'All versions' }).click()
  await expect(versions).toHaveCount(2)
  await expect(versions.first()).toBeVisible()
})

test('a rating fits, and so does its form @phone', async ({ signedIn: page, request, token }) => {
  const person = await aPerson(request, token)
  const { _id: mediaId } = await aMedia(request, token, { title: `The Long Title of ${aWord()} `.repeat(5) })
  const { _id } = await aRating(request, person.token, { mediaId, comment: 'Slow, then not. '.repeat(20) })
  await page.goto(`/ratings/${_id}`)
  await fits(page, 'Rating Details')
  await page.getByRole('button', { name: 'Edit Rating' }).click()
  await page.getByRole('spinbutton', { name: 'Score' }).fill('11')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter a score from 0 to 10, in steps of 0.1.')).toBeVisible()
  await fits(page, 'Rating Details')
})

test('what a search suggests leaves Filter within reach @phone', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  for (let each = 0; each < 10; each++) await aMedia(request, token, { title: `${word} ${each}` })
  await page.goto('/media')
  const box = page.getByRole('combobox', { name: 'Search media' })
  await box.fill(word)
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(10)
  await expect.poll(async () => (await box.boundingBox())?.width ?? 0).toBeGreaterThan(130)
  await page.getByRole('button', { name: 'Filter', exact: true }).tap()
  await expect(page).toHaveURL(`/media?search=${word}`)
  await noSidewaysScroll(page)
})
