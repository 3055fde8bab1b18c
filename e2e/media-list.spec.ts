import type { Locator, Page } from '@playwright/test'
import { aMedia, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, become } from './support/people.ts'
import { attributeOf, textOf } from './support/reading.ts'

const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search media' })
const rows = (page: Page) =>
  page
    .getByRole('table', { name: 'Media List' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const ready = async (page: Page, address = '/media') => {
  await page.goto(address)
  await expect(rows(page).first()).toBeVisible({ timeout: 15_000 })
}

test('the first screen fits ten rows of 56 pixels, and titles have room in narrower windows', async ({
  signedIn: page,
}) => {
  await ready(page)
  await expect(rows(page)).toHaveCount(10)
  await expect(async () => {
    const tenth = await rows(page).nth(9).boundingBox()
    expect((tenth?.y ?? 1000) + (tenth?.height ?? 0)).toBeLessThanOrEqual(900)
    expect(Math.round(tenth?.height ?? 0)).toBeGreaterThanOrEqual(56)
    expect(Math.round(tenth?.height ?? 0)).toBeLessThanOrEqual(57)
  }).toPass({ timeout: 15_000 })
  const title = rows(page).first().getByRole('cell').first()
  for (const width of [1000, 900, 800])
    await test.step(`${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 700 })
      await expect.poll(async () => (await title.boundingBox())?.width ?? 0).toBeGreaterThan(180)
      await noSidewaysScroll(page)
    })
})

test('filters are applied with Filter, kept in the URL, and cleared with Reset', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  await aMedia(request, token, { title: `${word} one`, mediaType: 'MANGA', isOngoing: false })
  await aMedia(request, token, { title: `${word} two`, mediaType: 'MANGA', isOngoing: true })
  await aMedia(request, token, { title: `${word} three`, mediaType: 'ANIME', isOngoing: true })
  await ready(page, `/media?search=${word}`)
  await expect(rows(page)).toHaveCount(3)

  const type = page.getByRole('combobox', { name: 'Type' })
  const status = page.getByRole('combobox', { name: 'Status' })
  await expect(type.getByRole('option')).toHaveText(['All Types', 'Anime', 'Manga', 'Novel'])
  await expect(status.getByRole('option')).toHaveText(['All Status', 'Ongoing', 'Completed'])
  await type.selectOption('Manga')
  await expect(rows(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page).toHaveURL(`/media?search=${word}&type=MANGA`)
  await status.selectOption('Completed')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(`/media?isOngoing=false&search=${word}&type=MANGA`)

  await page.goBack()
  await expect(rows(page)).toHaveCount(2)
  await expect(status).toHaveValue('')
  await page.goForward()
  await expect(status).toHaveValue('false')
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await expect(type).toHaveValue('MANGA')

  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL('/media')
  await expect(searchBox(page)).toHaveValue('')
  await expect(type).toHaveValue('')
  await expect(status).toHaveValue('')
  await expect(rows(page)).toHaveCount(10)
})

test('the search box works with the keyboard alone', async ({ signedIn: page, request, token: adminsToken }) => {
  // The recent media of the administrator are also those of the tests that run at the same time.
  const author = await aPerson(request, adminsToken, { role: 'moderator' })
  await become(page, author)
  const { token } = author
  const word = aWord()
  const secret = aWord()
  for (const name of ['a', 'b']) await aMedia(request, token, { title: `${word} ${name}` })
  const translations = {
    en: { title: `${word} c`, description: '' },
    fr: { title: `Trouvé ${secret}`, description: '' },
  }
  const { _id: entityId } = await aMedia(request, token, { translations })
  await test.step('a row shows its open comments', async () => {
    const comment = { entityType: 'Media', entityId, text: 'Which edition?' }
    const headers = { authorization: `Bearer ${token}` }
    const answer = await request.post('/api/comments', { data: comment, headers })
    expect(answer.status(), await answer.text()).toBe(201)
    await ready(page, `/media?search=${secret}`)
    const row = rows(page).filter({ hasText: `${word} c` })
    await expect(row.getByRole('link', { name: '1 open comment' })).toBeVisible()
    await noViolations(page)
  })

  await ready(page)
  const options = page.getByRole('listbox').getByRole('option')

  await test.step('offers the user’s recent media while it is empty', async () => {
    await page.keyboard.press('/')
    await expect(searchBox(page)).toBeFocused()
    const recent = page.getByRole('listbox', { name: 'Your recent media' }).getByRole('option')
    await expect(recent.filter({ hasText: `${word} c` })).toBeVisible()
    await noViolations(page)
  })

  await test.step('shows in which language the text was found', async () => {
    await page.keyboard.type(secret)
    await expect(options).toHaveText([/found in French/])
    await expect(options).toContainText(`${word} c`)
    await noSidewaysScroll(page)
    await noViolations(page)
    await page.keyboard.press('ControlOrMeta+a')
  })

  const active = page.getByRole('listbox').getByRole('option', { selected: true })
  await test.step('arrow keys, Home and End move through the suggestions', async () => {
    await page.keyboard.type(word)
    await expect(options).toHaveCount(3)
    await expect(searchBox(page)).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('ArrowDown')
    await expect(active).toHaveId(await attributeOf(searchBox(page), 'aria-activedescendant'))
    const first = await textOf(active)
    await page.keyboard.press('End')
    await expect(active).not.toHaveText(first, { useInnerText: true })
    await page.keyboard.press('Home')
    await expect(active).toHaveText(first, { useInnerText: true })
    await page.keyboard.press('ArrowUp')
    await expect(active).toHaveCount(0)
  })

  await test.step('Esc closes the suggestions, Enter searches, and Esc moves the focus to the rows', async () => {
    await page.keyboard.press('Escape')
    await expect(options).toHaveCount(0)
    await expect(searchBox(page)).toBeFocused()
    await expect(searchBox(page)).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/media?search=${word}`)
    await expect(rows(page)).toHaveCount(3)
    await expect(searchBox(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    const link = (row: Locator) => row.getByRole('link').first()
    await expect(link(rows(page).first())).toBeFocused()
    await page.keyboard.press('j')
    await expect(link(rows(page).nth(1))).toBeFocused()
    await expect(searchBox(page)).toHaveValue(word)
  })

  await test.step('Enter opens the selected suggestion, and Back focuses its row', async () => {
    await page.keyboard.press('/')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    // The option also contains a cover, the type and the year.
    const chosen = (await textOf(active)).split('\n').find((line) => line.startsWith(`${word} `)) ?? ''
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(chosen)
    await page.goBack()
    await expect(rows(page)).toHaveCount(3)
    await expect(page.getByRole('link', { name: chosen, exact: true })).toBeFocused()
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/media\/[\w-]{36}$/)
  })
})

test('delete asks first, and Undo restores the media item', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aMedia(request, token, { title: `${word} stays` })
  await aMedia(request, token, { title: `${word} goes` })
  await ready(page, `/media?search=${word}`)
  await page.getByRole('button', { name: `Delete ${word} goes` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are you sure you want to delete this media?')
  await expect(dialog).toContainText(`${word} goes`)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await noViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Delete ${word} goes` })).toBeFocused()
  await expect(rows(page)).toHaveCount(2)

  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Media deleted')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Media restored')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
})
