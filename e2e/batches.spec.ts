import { aMedia, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'

test('a batch is viewed and rolled back with the keyboard alone', async ({ signedIn: page, request, token }) => {
  const headers = { authorization: `Bearer ${token}` }
  const title = aWord()
  const { _id } = await aMedia(request, token, { title, isOngoing: false })
  const data = { ids: [_id, 'nothing-has-this-id'], change: { isOngoing: true } }
  const answer = await request.post('/api/media/bulk', { data, headers })
  expect(answer.status(), await answer.text()).toBe(202)
  const { batch } = (await answer.json()) as { batch: string }

  await page.goto('/batches')
  const link = page.getByRole('table', { name: 'Batches' }).locator(`a[href="/batches/${batch}"]`)
  await expect(link).toHaveText('Set status')
  await noSidewaysScroll(page)
  await noViolations(page)
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Batch: Set status')
  const items = page.getByRole('table', { name: 'Items' })
  await expect(items.getByRole('row').filter({ hasText: title })).toContainText('Changed')
  await expect(items.getByRole('row').filter({ hasText: 'Media not found' })).toContainText('Refused')
  await noSidewaysScroll(page)
  await noViolations(page)

  await page.getByRole('button', { name: 'Roll back' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Roll back batch' })
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('a mistake')
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(dialog.getByRole('status')).toHaveText(/^1 would be rolled back/)
  await noViolations(page)
  await dialog.getByRole('button', { name: 'Roll back' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Batch: Rollback')
  await expect(page.getByText('Finished')).toBeVisible()
  await expect
    .poll(
      async () =>
        ((await (await request.get(`/api/media/${_id}`, { headers })).json()) as { isOngoing: boolean }).isOngoing,
    )
    .toBe(false)
})
