import { readFile } from 'node:fs/promises'
import { aMedia, aTag, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'

test('thirty media items are tagged in four actions with the keyboard alone, and undone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const name = aWord()
  const { _id: tag } = await aTag(request, token, { name })
  for (let each = 0; each < 30; each++) await aMedia(request, token, { title: `${word} ${each}` })
  const tagged = async () => {
    const answer = await request.get(`/api/media?tags=${tag}&limit=100`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return ((await answer.json()) as unknown[]).length
  }
  const actions: string[] = []
  const act = async (what: string, ...keys: string[]) => {
    actions.push(what)
    for (const key of keys) await page.keyboard.press(key)
  }
  await page.goto(`/media?search=${word}`)
  await expect(page.getByText('30 results')).toBeVisible()

  await act('the page', 'ControlOrMeta+a')
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(bar.getByText('10 selected')).toBeVisible()
  await act('all that match', 'ControlOrMeta+a')
  await expect(bar.getByText('All 30 that match are selected')).toBeVisible()
  await act('the tag', 't', ...Array.from(name), 'Enter')
  const dialog = page.getByRole('dialog', { name: 'Add tags: 30 items' })
  await expect(dialog.getByText('30 items will change')).toBeVisible()
  await act('apply', 'Enter')
  await expect(dialog).toBeHidden()
  await expect(bar.getByText('30 items changed')).toBeVisible()
  expect(actions).toHaveLength(4)
  expect(await tagged()).toBe(30)

  await bar.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(bar.getByText('Undone: 30 items restored')).toBeVisible()
  expect(await tagged()).toBe(0)
  await page.keyboard.press('Escape')
  await expect(bar.getByText('Undone: 30 items restored')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(bar.getByText('All 30 that match are selected')).toBeHidden()
})

test('a message that appears while a dialog is open is above it and can be dismissed', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  await aMedia(request, token, { title: word })
  await page.goto(`/media?search=${word}`)
  await page.getByRole('checkbox', { name: `Select ${word}` }).click()
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Apply' }).press('Enter')
  const message = page.getByRole('log').filter({ hasText: 'Choose what to change first.' })
  await expect(message).toBeVisible()
  await message.getByRole('button').click()
  await expect(message).toBeHidden()
  await expect(dialog).toBeVisible()
})

test('a selection spans pages, and can be exported and deleted', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  for (let each = 0; each < 3; each++) await aMedia(request, token, { title: `${word} ${each}` })
  await page.goto(`/media?search=${word}&sort=createdAt&limit=2`)
  const bar = page.getByRole('region', { name: 'Selection' })
  await page.getByRole('checkbox', { name: `Select ${word} 0` }).check()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('checkbox', { name: `Select ${word} 2` }).check()
  await expect(bar.getByText('2 selected')).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
  await bar.getByRole('button', { name: 'Export' }).click()
  const exporting = page.getByRole('dialog', { name: 'Export: 2 items' })
  await exporting.getByLabel('Columns').selectOption('Choose columns')
  await noSidewaysScroll(page)
  await noViolations(page)
  const arriving = page.waitForEvent('download')
  await exporting.getByRole('button', { name: 'Export' }).click()
  const table = await readFile(await (await arriving).path(), 'utf8')
  expect(table).toContain(`${word} 0`)
  expect(table).toContain(`${word} 2`)
  expect(table).not.toContain(`${word} 1`)
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByRole('checkbox', { name: `Select ${word} 0` })).toBeChecked()
  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete: 2 items' })
  await expect(dialog.getByText('2 items will be deleted')).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(bar.getByText('2 items deleted')).toBeVisible()
  await expect(page.getByText('1 result', { exact: true })).toBeVisible()
})
