import type { Import, ImportRow } from '@mokuroku/contract/imports'
import { aMedia, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'

test('a spreadsheet of 200 rows is previewed and imported once, and undone once', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const { _id } = await aMedia(request, token, { title: `${word} before` })
  const rows = Array.from({ length: 199 }, (_, at) => `,${word} ${at},Novel,2021-03-04`)
  const csv = ['_id,Title (English),Type,Release date', `${_id},${word} after,,`, ...rows].join('\r\n')
  const count = async () => {
    const answer = await request.get(`/api/media?search=${word}&limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return Number(answer.headers()['x-total-count'])
  }
  await page.goto('/media')
  await page.getByRole('link', { name: 'Import' }).click()
  await expect(page).toHaveURL('/import?kind=Media')
  await noViolations(page)
  const file = { name: 'titles.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel('Choose a file').setInputFiles(file)
  await expect(page.getByText('199 rows will be created, 1 row will be changed')).toBeVisible()
  expect(await count()).toBe(1)
  await expect(page.getByRole('table', { name: 'Rows' }).locator('ins')).toHaveText('after')
  await noSidewaysScroll(page)
  await noViolations(page)

  await page.getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await expect(page.getByText('200 items created or changed')).toBeVisible()
  expect(await count()).toBe(200)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText('Undone: 200 items deleted or restored')).toBeVisible()
  expect(await count()).toBe(1)
})

test('refused cells are corrected in the preview with the keyboard, and then imported @phone', async ({
  signedIn: page,
  isMobile,
}) => {
  const word = aWord()
  const rows = [`${word} one,Novella,2021-03-04`, `${word} two,Novel,spring`, `${word} three,Novel,2021-03-04`]
  const csv = ['Title (English),Type,Release date', ...rows].join('\r\n')
  await page.goto('/import?kind=Media')
  const file = { name: 'refused.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel('Choose a file').setInputFiles(file)
  await expect(page.getByText('2 rows will be left out')).toBeVisible()
  await page.getByRole('button', { name: /^Refused/ }).press('Enter')
  await expect(page).toHaveURL(/outcome=refused/)
  const table = page.getByRole('table', { name: 'Rows' })
  // A card has no heading above its number.
  await expect(table.getByText(/^Row \d$/).first()).toBeVisible({ visible: isMobile })
  // At the lower edge of the window, where the bar appears.
  await table.getByLabel('Type').evaluate((field) => field.scrollIntoView({ block: 'end' }))
  await table.getByLabel('Type').fill('Novel')
  const isCovered = (field: Element) => {
    const { left, top } = field.getBoundingClientRect()
    return document.elementFromPoint(left + 8, top + 8) !== field
  }
  await expect.poll(() => table.getByLabel('Type').evaluate(isCovered)).toBe(false)
  await table.getByLabel('Type').press('Enter')
  await expect(table.getByLabel('Release date')).toBeFocused()
  await table.getByLabel('Release date').fill('in spring')
  await table.getByLabel('Release date').press('Enter')
  await page.keyboard.press('Enter')
  // What is still refused is next.
  await expect(page.getByRole('button', { name: /^Refused/ })).toHaveText(/1$/)
  await expect(table.getByLabel('Release date')).toBeFocused()
  await table.getByLabel('Release date').fill('2021-03-05')
  await noViolations(page)
  await noSidewaysScroll(page)
  await table.getByLabel('Release date').press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByText('3 rows will be created')).toBeVisible()
  await expect(page.getByText('No rows with this outcome')).toBeVisible()
  await page.getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await expect(page.getByText('3 items created')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText('Undone: 3 items deleted')).toBeVisible()
})

test('importing an unmodified export of the catalogue changes nothing', async ({ request, token }) => {
  const headers = { authorization: `Bearer ${token}` }
  for (const [path, entityType, format] of [
    ['media', 'Media', 'csv'],
    ['media', 'Media', 'xlsx'],
    ['characters', 'Character', 'csv'],
    ['tags', 'Tag', 'csv'],
  ] as const) {
    const since = new Date().toISOString()
    const exported = await request.get(`/api/${path}/export?format=${format}`, { headers })
    const file = { name: `${path}.${format}`, mimeType: 'text/csv', buffer: await exported.body() }
    const made = await request.post('/api/imports', { headers, multipart: { file, entityType } })
    expect(made.status()).toBe(201)
    const { _id } = (await made.json()) as { _id: string }
    const found = async (query: string) => {
      const answer = await request.get(`/api/imports/${_id}?${query}`, { headers })
      return (await answer.json()) as Pick<Import, 'state' | 'total' | 'counts'> & { rows: ImportRow[] }
    }
    await expect.poll(async () => (await found('limit=1')).state, { timeout: 60_000 }).toBe('ready')
    const { total, counts } = await found('limit=1')
    expect(counts).toMatchObject({ new: 0, duplicates: 0 })
    expect(counts.unchanged).toBeGreaterThan(total / 2)
    // The only differences are entities that other tests have changed or deleted since the export.
    for (const outcome of ['changed', 'refused'] as const)
      for (let page = 1; (page - 1) * 100 < counts[outcome]; page++)
        for (const row of (await found(`outcome=${outcome}&limit=100&page=${page}`)).rows) {
          const answer = await request.get(`/api/${path}/${row._id ?? row.cells._id ?? ''}`, { headers })
          const { updatedAt = '' } = answer.ok() ? ((await answer.json()) as { updatedAt: string }) : {}
          expect(answer.status() === 404 || updatedAt >= since, JSON.stringify(row)).toBe(true)
        }
    await request.delete(`/api/imports/${_id}`, { headers })
  }
})
