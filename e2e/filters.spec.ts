import type { APIRequestContext, Page } from '@playwright/test'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Media List' }).locator('tbody tr')
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' })
const results = (page: Page) => page.getByRole('status').filter({ hasText: /result/ })

async function aTag(request: APIRequestContext, token: string, name: string): Promise<string> {
  const answer = await request.post('/api/tags', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      type: 'CUSTOM',
      translations: { en: { name, description: '' } },
      icon: null,
      color: '#336699',
      parentTag: null,
      status: 'ACTIVE',
    },
  })
  expect(answer.status()).toBe(201)
  return ((await answer.json()) as { _id: string })._id
}

async function aMedia(request: APIRequestContext, token: string, title: string, tags: string[]): Promise<void> {
  const answer = await request.post('/api/media', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      mediaType: 'NOVEL',
      translations: { en: { title, description: '' } },
      isOngoing: false,
      releaseDate: '1914-09-20T00:00:00.000Z',
      tags,
    },
  })
  expect(answer.status()).toBe(201)
}

test('filters are added with the keyboard, shown as chips, kept in the URL, and removed one by one', async ({
  signedIn: page,
  request,
  token,
}) => {
  const name = `Shelf ${crypto.randomUUID().slice(0, 8)}`
  const tag = await aTag(request, token, name)
  await aMedia(request, token, `${name} one`, [tag])
  await aMedia(request, token, `${name} two`, [tag])
  await page.goto('/media')
  await expect(rows(page)).toHaveCount(10)
  await page.keyboard.press('f')
  const by = page.getByLabel('Filter by')
  await expect(by).toBeFocused()
  await by.selectOption('Tags')
  await page.getByRole('combobox', { name: 'Add a tag' }).fill(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(results(page)).toHaveText('2 results')
  await expect(chips(page)).toContainText(`Any tag: ${name}`)
  await expect(page).toHaveURL(`/media?tags=${tag}`)

  await page.keyboard.press('f')
  await by.selectOption('Release date')
  await page.getByLabel('From').fill('1914-09-21')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No media found')).toBeVisible()
  await page.reload()
  await expect(chips(page).getByRole('listitem')).toHaveCount(2)
  await noViolations(page)
  await page.getByRole('button', { name: /^Remove condition: Released/ }).click()
  await expect(rows(page)).toHaveCount(2)
  await chips(page)
    .getByRole('button', { name: `Any tag: ${name}`, exact: true })
    .click()
  await page.getByLabel('Match').selectOption('None of these tags')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(rows(page)).toHaveCount(10)
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(chips(page)).toBeHidden()
  await expect(page).toHaveURL('/media')

  await test.step('the number of rows and the page can be chosen', async () => {
    await page.getByLabel('Rows per page').selectOption('25 rows')
    await expect(rows(page)).toHaveCount(25)
    await page.getByLabel('Go to page').fill('3')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Page 3', { exact: true })).toBeVisible()
    await expect(page).toHaveURL('/media?limit=25&page=3')
  })
})

test('every kind with texts can be filtered by language', async ({ signedIn: page }) => {
  for (const path of ['/media', '/characters', '/tags'])
    await test.step(path, async () => {
      await page.goto(`${path}?language=ja&what=ever`)
      await expect(chips(page)).toHaveText('With Japanese')
      await expect(results(page)).toHaveText(/^[\d,]+ results?$/)
      await page.getByRole('button', { name: 'Add condition' }).click()
      await expect(page.getByLabel('Filter by')).toBeVisible()
      await noViolations(page)
      await noSidewaysScroll(page)
    })
})

test('the focus stays where a condition, a panel or a button disappears or is disabled', async ({
  signedIn: page,
  request,
  token,
}) => {
  const add = page.getByRole('button', { name: 'Add condition' })
  await page.goto('/media?page=2&finding=copied&hasCover=false')
  await expect(rows(page)).toHaveCount(10)

  await test.step('a panel returns it, also the first time', async () => {
    await page.keyboard.press('f')
    await expect(page.getByLabel('Filter by')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(add).toBeFocused()
  })

  await test.step('a disabled button gives it to what is beside it', async () => {
    await page.getByRole('button', { name: 'Previous' }).press('Enter')
    await expect(page).toHaveURL('/media?finding=copied&hasCover=false')
    await expect(page.getByRole('navigation', { name: 'Pages' }).locator(':focus')).toBeVisible()
  })

  await test.step('a removed condition gives it to the next one', async () => {
    await chips(page)
      .getByRole('button', { name: /^Remove/ })
      .first()
      .press('Enter')
    await expect(chips(page).getByRole('listitem')).toHaveCount(1)
    await expect(chips(page).getByRole('button').first()).toBeFocused()
  })

  await test.step('a deleted row gives it to the next one, though a dialog was open', async () => {
    const name = `Shelf ${crypto.randomUUID().slice(0, 8)}`
    for (const title of [`${name} one`, `${name} two`]) await aMedia(request, token, title, [])
    await page.goto(`/media?search=${encodeURIComponent(name)}`)
    await page.getByRole('button', { name: `Delete ${name} one` }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.locator('tr:focus-within')).toContainText(`${name} two`)
  })
})

test('on narrow screens, Reset ends the row of the first filter, and does not stand between two', async ({
  signedIn: page,
}) => {
  for (const width of [360, 720]) {
    await page.setViewportSize({ width, height: 740 })
    for (const path of ['/translations', '/users', '/audit']) {
      await page.goto(path)
      const bar = page.getByRole('search').filter({ has: page.getByRole('button', { name: 'Reset' }) })
      const reset = bar.getByRole('button', { name: 'Reset' })
      await expect(reset).toBeVisible()
      await expect(async () => {
        const end = await reset.evaluate((button) => {
          const { right, top, bottom } = button.getBoundingClientRect()
          const fields = [...(button.closest('form')?.querySelectorAll('input, select') ?? [])]
          return fields.filter((field) => {
            const box = field.getBoundingClientRect()
            return box.left > right && box.top < bottom && box.bottom > top
          }).length
        })
        expect(end).toBe(0)
      }).toPass()
      await noSidewaysScroll(page)
    }
  }
})
