import { aMedia, aTag, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'

test('two entries of one work are merged with the keyboard alone, and the merge is rolled back', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const { _id: tag } = await aTag(request, token, { name: `${word} tag` })
  const kept = await aMedia(request, token, { title: `${word} one` })
  const gone = await aMedia(request, token, { title: `${word} two`, tags: [tag] })
  await page.goto(`/media?search=${word}&sort=createdAt`)
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(page.getByRole('link', { name: `${word} one`, exact: true })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await bar.getByRole('button', { name: 'Merge' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Merge two entries' })
  const stays = dialog.getByRole('group', { name: 'Which one do you want to keep?' })
  await expect(stays.getByRole('radio', { name: `${word} one` })).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
  await stays.getByRole('radio', { name: `${word} one` }).press('Space')
  await dialog.getByRole('button', { name: 'Merge' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('link', { name: `${word} two`, exact: true })).toBeHidden()

  // The URL of the merged media redirects to the survivor, which has the data of both.
  await page.goto(`/media/${gone._id}`)
  await expect(page).toHaveURL(new RegExp(`/media/${kept._id}$`))
  await expect(page.getByText(`${word} tag`).first()).toBeVisible()
  await expect(page.getByText(`${word} two`).first()).toBeVisible()

  // Other tests start batches at the same time: ours is the one that the redirect names.
  const headers = { authorization: `Bearer ${token}` }
  const redirect = await request.get(`/api/media/${gone._id}`, { headers, maxRedirects: 0 })
  const { batch } = (await redirect.json()) as { batch: string }
  await page.goto('/batches')
  await page.getByRole('main').locator(`a[href="/batches/${batch}"]`).first().press('Enter')
  await page.getByRole('button', { name: 'Roll back' }).press('Enter')
  const asking = page.getByRole('dialog')
  await asking.getByRole('textbox').fill('They are two.')
  await asking.getByRole('button', { name: 'Preview' }).press('Enter')
  await asking.getByRole('button', { name: 'Roll back' }).press('Enter')
  await expect(asking).toBeHidden()
  await expect
    .poll(async () => (await request.get(`/api/media/${gone._id}`, { headers, maxRedirects: 0 })).status())
    .toBe(200)
  await page.goto(`/media/${gone._id}`)
  await expect(page.getByRole('heading', { name: `${word} two` })).toBeVisible()
})
