import type { Page } from '@playwright/test'
import { aChangedMedia, aLanguage, changeMedia, storedMedia } from './support/changes.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { dialog, heading } from './support/locators.ts'
import { aPerson } from './support/people.ts'

const entries = (page: Page) => page.getByRole('list', { name: 'Translation History' }).getByRole('listitem')
const reason = (page: Page) => dialog(page).getByRole('textbox', { name: 'Reason' })
const rollback = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Rollback/ })

const ready = async (page: Page, address: string) => {
  await page.goto(address)
  await expect(entries(page).first()).toBeVisible()
}

test('an entry shows the entity, the text difference, the author and the time @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const tag = aLanguage()
  const { media, english } = await aChangedMedia(request, token, ['私は東京に行きます', '私は京都に行きます'], {
    language: tag,
  })
  await changeMedia(request, token, media, {
    translations: { ...media.translations, [tag]: { title: '私は京都に行きます', description: '先生と私' } },
  })
  await ready(page, `/translations?language=${tag}`)
  await expect(heading(page)).toHaveText('Translation History')
  await expect(entries(page)).toHaveCount(2)

  const [newest, title] = [entries(page).first(), entries(page).last()]
  await expect(title.getByRole('link', { name: english })).toHaveAttribute('href', `/media/${media._id}`)
  await expect(title.getByText('Media', { exact: true })).toBeVisible()
  await expect(title).toContainText('Title')
  await expect(title.locator('p[lang]', { hasText: '京都' })).toHaveAttribute('lang', tag)
  await expect(title.locator('del')).toHaveText(['東京'])
  await expect(title.locator('ins')).toHaveText(['京都'])
  await expect(title).toContainText('admin')
  await expect(title.getByRole('time')).toHaveAttribute('datetime', /^20\d\d-/)
  await expect(newest).toContainText('Description')
  await expect(newest.locator('ins')).toHaveText(['先生と私'])
  await expect(newest.locator('del')).toHaveCount(0)
  await noSidewaysScroll(page)
  await noViolations(page)
})

test.describe('a rollback', () => {
  // The browser logs the refused call.
  test.use({ expectedErrors: [/409|changed since/] })

  test('asks for a reason, is marked with author and reason, can be undone, and reports conflicts', async ({
    signedIn: page,
    request,
    token,
  }) => {
    const { media, language: tag, english } = await aChangedMedia(request, token, ['The old heart', 'The new heart'])
    const title = async () => (await storedMedia(request, token, media)).translations[tag]?.title
    await ready(page, `/translations?language=${tag}`)
    await rollback(page).click()
    await expect(dialog(page).getByRole('heading', { name: 'Roll back translation' })).toBeVisible()
    await expect(dialog(page)).toContainText(english)
    await expect(dialog(page).locator('del')).toHaveText(['new'])
    await expect(dialog(page).locator('ins')).toHaveText(['old'])
    await expect(reason(page)).toBeFocused()
    for (const wrong of ['', '   ']) {
      await reason(page).fill(wrong)
      await dialog(page).getByRole('button', { name: 'Roll back' }).click()
      await expect(dialog(page)).toContainText('Please enter a reason')
    }
    await noViolations(page)
    await reason(page).fill('It is the old one')
    await expect(dialog(page)).not.toContainText('Please enter a reason')
    await dialog(page).getByRole('button', { name: 'Roll back' }).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(page.getByText('Translation rolled back')).toBeVisible()
    expect(await title()).toBe('The old heart')
    await expect(entries(page).last().getByRole('link', { name: english })).toBeFocused()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Rollback undone')).toBeVisible()
    expect(await title()).toBe('The new heart')

    // The rollback and its undoing are separate entries; entries that were rolled back are marked.
    await expect(entries(page)).toHaveCount(3)
    await expect(entries(page).first()).not.toHaveAttribute('data-rolled-back', 'true')
    await expect(entries(page).nth(1)).toContainText('The rollback was undone')
    const marked = entries(page).last()
    await expect(marked).toHaveAttribute('data-rolled-back', 'true')
    await expect(marked).toContainText(/Rolled back by admin on .*20\d\d/)
    await expect(marked).toContainText('It is the old one')
    await expect(marked.getByRole('button', { name: /^Rollback/ })).toHaveCount(0)
    const redness = async () => {
      const colour = await marked.getByText(/Rolled back by/).evaluate((element) => getComputedStyle(element).color)
      const [r = 0, g = 0, b = 0] = colour.match(/\d+/g)?.map(Number) ?? []
      return r - g - b
    }
    await expect.poll(redness).toBeGreaterThan(0)
    await noSidewaysScroll(page)
    await noViolations(page)

    await test.step('works with the keyboard alone', async () => {
      const { language: other, english: name } = await aChangedMedia(request, token, ['One', 'Two', 'Three'])
      await ready(page, `/translations?language=${other}`)
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await expect(entries(page).last().getByRole('link', { name })).toBeFocused()
      await page.keyboard.press('k')
      await expect(entries(page).first().getByRole('link', { name })).toBeFocused()
      // Skip the link to the user who changed it.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(reason(page)).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toHaveCount(0)
      await expect(rollback(page).first()).toBeFocused()
      await page.keyboard.press('Enter')
      await page.keyboard.type('By keys')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Translation rolled back')).toBeVisible()
    })

    await test.step('asks before it overwrites a text that has changed since then', async () => {
      const { media: shared, language: other } = await aChangedMedia(request, token, ['One', 'Two'])
      await ready(page, `/translations?language=${other}`)
      await rollback(page).click()
      const translations = { ...shared.translations, [other]: { title: 'Three', description: '' } }
      await changeMedia(request, token, shared, { translations })
      await reason(page).fill('Back to one')
      await dialog(page).getByRole('button', { name: 'Roll back', exact: true }).click()
      await expect(dialog(page).getByRole('status')).toContainText('The text has changed since then')
      expect((await storedMedia(request, token, shared)).translations[other]?.title).toBe('Three')
      await noViolations(page)
      await dialog(page).getByRole('button', { name: 'Overwrite and roll back' }).click()
      await expect(page.getByText('Translation rolled back')).toBeVisible()
      expect((await storedMedia(request, token, shared)).translations[other]?.title).toBe('One')
    })

    await test.step('is not offered for an entity in the trash, but links to the trash', async () => {
      await request.delete(`/api/media/${media._id}`, { headers: { authorization: `Bearer ${token}` } })
      await ready(page, `/translations?language=${tag}`)
      await expect(entries(page).first()).toContainText('It is in the trash and cannot be rolled back.')
      await expect(rollback(page)).toHaveCount(0)
      await noSidewaysScroll(page)
      await noViolations(page)
      await entries(page).first().getByRole('link', { name: 'Restore it first' }).click()
      await expect(page).toHaveURL('/trash?kind=Media')
    })

    await test.step('the empty history is accessible in Chinese', async () => {
      await page.evaluate(() => localStorage.setItem('language', 'zh'))
      await page.goto(`/translations?language=${aLanguage()}`)
      await expect(page.getByText('暂无翻译历史', { exact: true })).toBeVisible()
      await noViolations(page)
    })
  })
})

test('a bulk rollback of a user’s changes is previewed, applied and undone @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const vandal = await aPerson(request, token, { role: 'moderator' })
  const options = { by: vandal.token }
  const { media: twice, language: first } = await aChangedMedia(request, token, ['A', 'B', 'C'], options)
  const { media: touched, language: second } = await aChangedMedia(request, token, ['Mine', 'Theirs'], options)
  const again = { ...touched.translations, [second]: { title: 'Somebody else’s', description: '' } }
  await changeMedia(request, token, touched, { translations: again })
  const title = async () => (await storedMedia(request, token, twice)).translations[first]?.title

  await ready(page, '/translations')
  await page.getByRole('button', { name: 'Bulk rollback' }).click()
  const user = dialog(page).getByRole('combobox', { name: 'User' })
  const preview = dialog(page).getByRole('button', { name: 'Preview' })
  await preview.click()
  await expect(dialog(page)).toContainText('Please choose a user')
  await dialog(page).getByLabel('From').fill('2099-01-01T00:00')
  await expect(dialog(page)).toContainText('The end must be after the start')
  await dialog(page).getByLabel('From').fill('2020-01-01T00:00')
  await user.fill(vandal.user.username)
  await dialog(page).getByRole('option', { name: vandal.user.username }).click()
  await expect(user).toHaveValue(vandal.user.username)
  await noViolations(page)
  // The open suggestions push the button down: it must not move away between the press and the click.
  await user.click()
  await expect(dialog(page).getByRole('option', { name: vandal.user.username })).toBeVisible()

  const asked = page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/rollback'))
  await preview.click()
  expect((await asked).postDataJSON()).toMatchObject({ dryRun: true, by: { username: vandal.user.username } })
  await expect(dialog(page)).toContainText('2 changes would be rolled back')
  await expect(dialog(page).locator('del')).toHaveText(['C', 'B'])
  await expect(dialog(page).locator('ins')).toHaveText(['B', 'A'])
  await dialog(page).getByText('1 change is skipped').click()
  await expect(dialog(page)).toContainText('changed since')
  expect(await title()).toBe('C')
  await noViolations(page)

  const run = dialog(page).getByRole('button', { name: 'Roll back 2 changes' })
  await run.click()
  await expect(dialog(page)).toContainText('Please enter a reason')
  await reason(page).fill('Vandalism')
  await run.click()
  await expect(dialog(page)).toContainText('2 changes rolled back')
  await expect(dialog(page)).toContainText(/Batch: [\da-f-]{36}/)
  expect(await title()).toBe('A')
  await noViolations(page)
  await dialog(page).getByRole('button', { name: 'Undo all' }).click()
  await expect(page.getByText('The batch was undone')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  expect(await title()).toBe('C')
})
