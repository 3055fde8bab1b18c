import type { Page } from '@playwright/test'
import { aMedia, aTag, aWord, wrongTitles } from './support/catalogue.ts'
import { storedMedia } from './support/changes.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'

const field = (page: Page) => page.getByLabel('Title in Chinese')
const rows = (page: Page) => page.getByRole('list', { name: 'Queue' }).getByRole('listitem')
const heading = (page: Page) => page.getByRole('heading', { level: 2 })

test('twenty wrong titles can be corrected in two minutes with the keyboard alone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { tag, media } = await wrongTitles(request, token, 20)
  let actions = 0
  const press = async (key: string) => {
    actions += 1
    await page.keyboard.press(key)
  }
  const began = Date.now()
  await page.goto(`/work?finding=copied:zh&tags=${tag}`)
  for (const { translations } of media) {
    await expect(heading(page)).toHaveText(translations.ja?.title ?? '')
    await expect(field(page)).toBeFocused()
    await press('ControlOrMeta+a')
    actions += 1
    await page.keyboard.insertText(`改正 ${translations.ja?.title.split(' ')[0]}`)
    await press('ControlOrMeta+Enter')
  }
  await expect(page.getByText('Nothing is left in this queue.')).toBeVisible()
  await expect(page.getByText(/^20 of 20/)).toBeVisible()
  expect(actions).toBeLessThanOrEqual(60)
  expect(Date.now() - began).toBeLessThan(120_000)
  for (const each of media.slice(0, 1).concat(media.slice(-1))) {
    const { translations } = await storedMedia(request, token, each)
    expect(translations.zh?.title).toBe(`改正 ${translations.ja?.title.split(' ')[0]}`)
  }
})

test('a long title in the queue is shown in full', async ({ signedIn: page, request, token }) => {
  const { tag } = await wrongTitles(request, token, 1)
  const title = `${aWord()} ${'の物語'.repeat(15)}`
  const text = { title, description: '' }
  await aMedia(request, token, { translations: { ja: text, zh: text }, tags: [tag] })
  await page.goto(`/work?finding=copied:zh&tags=${tag}`)
  const shown = page.getByRole('list', { name: 'Queue' }).getByText(title)
  await expect.poll(() => shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('the matrix is printed in full, with texts that wrap', async ({ signedIn: page, request, token }) => {
  const { tag } = await wrongTitles(request, token, 1)
  const title = `${aWord()} ${'の物語'.repeat(15)}`
  const text = { title, description: '' }
  await aMedia(request, token, { translations: { ja: text, zh: text }, tags: [tag] })
  await page.goto(`/work?finding=copied:zh&tags=${tag}&view=matrix`)
  const grid = page.getByRole('grid')
  const cell = grid.getByRole('gridcell').getByText(title).first()
  await expect(cell).toBeVisible()
  await page.setViewportSize({ width: 720, height: 300 })
  await page.emulateMedia({ media: 'print' })
  for (const box of [grid.locator('..'), cell])
    await expect
      .poll(() => box.evaluate((at) => [at.scrollHeight - at.clientHeight, at.scrollWidth - at.clientWidth]))
      .toEqual([0, 0])
})

test('the work desk: opened from a list, used by keyboard, kept on reload, conflicts resolved', async ({
  signedIn: page,
  request,
  token,
  expectedErrors,
}) => {
  expectedErrors.push(/412/)
  await test.step('a filtered list links to the work desk', async () => {
    const { tag, media } = await wrongTitles(request, token, 2)
    await page.goto(`/media?finding=copied%3Azh&tags=${tag}`)
    await page.getByRole('link', { name: 'Work through' }).click()
    await expect(page).toHaveURL(`/work?entityType=Media&finding=copied%3Azh&tags=${tag}`)
    await expect(heading(page)).toHaveText(media[0]?.translations.ja?.title ?? '')
    await noViolations(page)
    await noSidewaysScroll(page)
    await page.getByRole('button', { name: 'Skip' }).click()
    await expect(heading(page)).toHaveText(media[1]?.translations.ja?.title ?? '')
  })

  await test.step('skip, “no problem” and undo have shortcuts; the draft and the progress survive a reload', async () => {
    const { tag, media } = await wrongTitles(request, token, 4)
    const [first, second, third] = media.map(({ translations }) => translations.ja?.title ?? '')
    await page.goto(`/work?finding=copied:zh&tags=${tag}`)
    await expect(heading(page)).toHaveText(first ?? '')
    await expect(field(page)).toBeFocused()
    await noViolations(page)
    await page.keyboard.press('Alt+s')
    await expect(heading(page)).toHaveText(second ?? '')
    await page.keyboard.press('Alt+n')
    await expect(heading(page)).toHaveText(third ?? '')
    await expect(page.getByText(/^1 of 4/)).toBeVisible()
    await page.keyboard.press('Alt+z')
    await expect(heading(page)).toHaveText(second ?? '')
    await expect(page.getByText(/^0 of 4/)).toBeVisible()
    await page.keyboard.press('Alt+z')
    await expect(heading(page)).toHaveText(first ?? '')
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('改正')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(heading(page)).toHaveText(second ?? '')
    await expect(rows(page).first()).toContainText('Saved')
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('没有保存')
    await page.keyboard.press('Escape')
    await expect(heading(page)).toBeFocused()
    await page.reload()
    await expect(heading(page)).toHaveText(second ?? '')
    await expect(field(page)).toHaveValue('没有保存')
    await expect(page.getByText(/^1 of 4/)).toBeVisible()
  })

  await test.step('a conflict with another user’s change can be resolved', async () => {
    const { tag, media } = await wrongTitles(request, token, 1)
    const [one] = media
    await page.goto(`/work?finding=copied:zh&tags=${tag}`)
    await expect(field(page)).toBeFocused()
    const theirs = { ...one?.translations, zh: { title: '他们的', description: '' } }
    const { mediaType, isOngoing, releaseDate } = one ?? {}
    const answer = await request.put(`/api/media/${one?._id}`, {
      headers: { authorization: `Bearer ${token}` },
      data: { mediaType, isOngoing, releaseDate, translations: theirs },
    })
    expect(answer.status()).toBe(200)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('我的')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(page.getByRole('heading', { name: 'You changed this in another window' })).toBeFocused()
    await page.getByRole('button', { name: 'All of this window' }).click()
    await page.getByRole('button', { name: 'Save merged' }).click()
    await expect(page.getByText('Nothing is left in this queue.')).toBeVisible()
    const stored = await storedMedia(request, token, { _id: one?._id ?? '' })
    expect(stored.translations.zh?.title).toBe('我的')
  })
})

const cell = (page: Page, row: number, language: string) =>
  page
    .getByRole('grid', { name: 'Matrix: Title' })
    .getByRole('row')
    .nth(row)
    .getByRole('gridcell')
    .nth(['English', 'Chinese'].indexOf(language))

test('down a long matrix, the languages stay in sight, and cover no focused cell @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  // With two sentences about each text, which take several lines on a phone.
  const { tag } = await wrongTitles(request, token, 20)
  const isInSight = (box: Element) => {
    const { left, top, width, height } = box.getBoundingClientRect()
    return box.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  }
  await page.goto(`/work?tags=${tag}&view=matrix`)
  const focused = page.locator('td:focus-within')
  const expectInSight = async () => {
    await expect.poll(() => focused.evaluate(isInSight)).toBe(true)
    await expect.poll(() => page.getByRole('columnheader').last().evaluate(isInSight)).toBe(true)
  }
  await page.getByRole('gridcell').first().click()
  await page.keyboard.press('Control+End')
  await expectInSight()
  for (let each = 0; each < 4; each++) {
    await page.keyboard.press('PageUp')
    await expectInSight()
  }
  await page.getByRole('button', { name: 'Next' }).focus()
  await expect.poll(() => page.getByRole('columnheader').last().evaluate(isInSight)).toBe(true)
})

test.describe(() => {
  test.use({ expectedErrors: [/net::ERR/] })

  test('what is said of a cell has room beside texts that were not saved, which one button saves @phone', async ({
    signedIn: page,
    request,
    token,
  }) => {
    const { tag } = await wrongTitles(request, token, 2)
    await page.goto(`/work?tags=${tag}&view=matrix`)
    await page.route('/api/media/*', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
    await page.getByRole('gridcell').first().click()
    await page.keyboard.type('A title')
    await page.keyboard.press('Enter')
    await expect(page.getByText('1 not saved, kept on this device')).toBeVisible()
    const note = page.getByRole('status').filter({ has: page.locator('p') })
    await expect.poll(() => note.first().evaluate((line) => line.clientWidth)).toBeGreaterThan(200)
    await page.unroute('/api/media/*')
    await page.getByRole('button', { name: 'Save all' }).click()
    await expect(page.getByText('1 not saved, kept on this device')).toBeHidden()
    await noViolations(page)
  })
})

test('the matrix: cells are edited in place, a column is pasted, and conflicts are resolved', async ({
  signedIn: page,
  request,
  token,
  expectedErrors,
}) => {
  expectedErrors.push(/412/)
  await test.step('cells are edited in place, and a column is pasted after a preview', async () => {
    const { tag, media } = await wrongTitles(request, token, 3)
    await page.goto(`/work?tags=${tag}&view=matrix`)
    await expect(page.getByRole('columnheader')).toHaveText(['Entry', 'English', 'Chinese'])
    await cell(page, 1, 'English').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect(cell(page, 2, 'Chinese').getByRole('textbox')).toBeFocused()
    await expect(page.getByText('The text in Chinese equals the Japanese or original one.')).toBeVisible()
    await noViolations(page)
    await page.keyboard.press('Enter')
    await page.keyboard.insertText('改正')
    await page.keyboard.press('Escape')
    await expect(cell(page, 2, 'Chinese').getByRole('textbox')).toBeFocused()
    await expect(cell(page, 2, 'Chinese')).not.toContainText('改正')
    await page.keyboard.press('Enter')
    await page.keyboard.insertText('改正')
    await page.keyboard.press('Enter')
    await expect(cell(page, 3, 'Chinese').getByRole('textbox')).toBeFocused()
    await expect(cell(page, 2, 'Chinese')).toHaveText('改正Saved')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.type('ga')
    await page.keyboard.press('Enter')
    await expect(cell(page, 2, 'Chinese')).toHaveText('gaSaved')
    await page.keyboard.press('Control+z')
    await expect(cell(page, 2, 'Chinese')).toHaveText('改正Saved')
    await page.keyboard.press('Control+ArrowUp')
    await page.keyboard.press('Control+ArrowLeft')
    await expect(cell(page, 1, 'English').getByRole('textbox')).toBeFocused()
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'One\nTwo\nThree\nFour\n')
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    })
    const dialog = page.getByRole('dialog', { name: 'Paste' })
    await expect(dialog.getByRole('row')).toHaveCount(4)
    await expect(dialog).toContainText('Skipped (no matching cell, or no permission to edit): 1')
    await expect(cell(page, 1, 'English')).not.toContainText('One')
    await noViolations(page)
    await dialog.getByRole('button', { name: 'Write 3 texts' }).click()
    await expect(dialog).toBeHidden()
    for (const [at, text] of ['One', 'Two', 'Three'].entries())
      await expect(cell(page, at + 1, 'English')).toHaveText(`${text}Saved`)
    const titles = await Promise.all(media.map((each) => storedMedia(request, token, each)))
    expect(new Set(titles.map(({ translations }) => translations.en?.title))).toEqual(new Set(['One', 'Two', 'Three']))
  })

  await test.step('a text keeps its line breaks, and Shift+Enter adds one', async () => {
    const { _id: tag } = await aTag(request, token)
    const translations = { en: { title: 'One', description: 'First.\n\nSecond.' } }
    const one = await aMedia(request, token, { tags: [tag], translations })
    await page.goto(`/work?tags=${tag}&view=matrix&field=description`)
    const description = page.getByRole('gridcell').first()
    await description.dblclick()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.insertText('Third.')
    await noViolations(page)
    await page.keyboard.press('Enter')
    await expect(description).toContainText('Saved')
    const stored = await storedMedia(request, token, one)
    expect(stored.translations.en?.description).toBe('First.\n\nSecond.\nThird.')
  })

  await test.step('a conflict in a cell is shown and can be resolved', async () => {
    const { tag, media } = await wrongTitles(request, token, 1)
    const [one] = media
    await page.goto(`/work?tags=${tag}&view=matrix`)
    await cell(page, 1, 'Chinese').dblclick()
    await page.keyboard.insertText('我的')
    const { mediaType, isOngoing, releaseDate } = one ?? {}
    const translations = { ...one?.translations, zh: { title: '他们的', description: '' } }
    const headers = { authorization: `Bearer ${token}` }
    const data = { mediaType, isOngoing, releaseDate, translations }
    expect((await request.put(`/api/media/${one?._id}`, { headers, data })).status()).toBe(200)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Their text: 他们的')).toBeVisible()
    await expect(cell(page, 1, 'Chinese')).toContainText('我的')
    await noViolations(page)
    await noSidewaysScroll(page)
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await expect(cell(page, 1, 'Chinese')).toHaveText('我的Saved')
    const stored = await storedMedia(request, token, { _id: one?._id ?? '' })
    expect(stored.translations.zh?.title).toBe('我的')
  })
})
