import { aMedia, aWord } from './support/catalogue.ts'
import { content, save, write, written } from './support/editor.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, become } from './support/people.ts'

test('two users who edit the same entity see each other, and can take in each other’s saved changes', async ({
  page,
  browser,
  baseURL,
  request,
  token,
}) => {
  const media = await aMedia(request, token, { title: `Together ${aWord()}` })
  const [one, two] = [
    await aPerson(request, token, { role: 'moderator' }),
    await aPerson(request, token, { role: 'moderator' }),
  ]
  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-GB' })
  const other = await context.newPage()
  await become(page, one)
  await become(other, two)
  for (const each of [page, other]) {
    await each.goto(`/media/${media._id}/edit`)
    await expect(content(each)).toBeVisible()
  }
  await expect(page.getByText(`Also open: ${two.user.username}`)).toBeVisible()
  await expect(other.getByText(`Also open: ${one.user.username}`)).toBeVisible()

  const typed = (await written(page)).replace('"title": "Together', '"title": "Mine, together')
  await write(page, typed)
  const changed = JSON.parse(await written(other)) as object
  await write(other, { ...changed, originalTitle: 'いっしょに', isOngoing: false })
  await save(other).click()
  await expect(other).toHaveURL('/media')
  const notice = page.getByText(`Changed by ${two.user.username}, 2 fields`)
  await expect(notice.last()).toBeVisible()
  await expect(page.getByText('Also open:')).toBeHidden()
  await noViolations(page)
  await noSidewaysScroll(page)
  await page.getByRole('button', { name: 'Merge changes' }).click()
  await expect(content(page)).toContainText('いっしょに')
  await expect(content(page)).toContainText('Mine, together')
  await expect(notice).toHaveCount(0)

  // Undo restores the draft and the notice; take in the saved version again.
  await content(page).click()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(content(page)).not.toContainText('いっしょに')
  await expect(notice.last()).toBeVisible()
  await page.getByRole('button', { name: 'Merge changes' }).click()
  await save(page).click()
  await expect(page).toHaveURL('/media')
  await context.close()
})
