import type { Page } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord } from './support/catalogue.ts'
import { aChangedMedia, aLanguage, changeMedia, storedMedia } from './support/changes.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, become } from './support/people.ts'
import { attributeOf } from './support/reading.ts'

test.describe.configure({ timeout: 60_000 })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const entries = (page: Page) => page.getByRole('list', { name: 'Translation History' }).getByRole('listitem')
const dialog = (page: Page) => page.getByRole('dialog')
const reason = (page: Page) => dialog(page).getByRole('textbox', { name: 'Reason' })
const rollback = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Rollback/ })
const language = (page: Page) => page.getByRole('combobox', { name: 'Language' })
const type = (page: Page) => page.getByRole('combobox', { name: 'Type' })

const ready = async (page: Page, address: string) => {
  await page.goto(address)
  await expect(entries(page).first()).toBeVisible()
}

test('a change tells what it is of, how the text changed, by whom and when @phone', async ({
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

test('what is in the trash is not offered for rollback, and who may restore it is led there', async ({
  signedIn: page,
  request,
  token,
}) => {
  const tag = aLanguage()
  const { media } = await aChangedMedia(request, token, ['Put away', 'Put away again'], { language: tag })
  await ready(page, `/translations?language=${tag}`)
  await expect(rollback(page)).toHaveCount(1)
  await request.delete(`/api/media/${media._id}`, { headers: { authorization: `Bearer ${token}` } })
  await page.reload()
  await expect(entries(page).first()).toContainText('It is in the trash and cannot be rolled back.')
  await expect(rollback(page)).toHaveCount(0)
  await noSidewaysScroll(page)
  await noViolations(page)
  await entries(page).first().getByRole('link', { name: 'Restore it first' }).click()
  await expect(page).toHaveURL('/trash?kind=Media')
})

test('the filter offers every language in use, and a language means its family', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { media } = await aChangedMedia(request, token, ['旧题目', '新题目'], { language: 'zh-Hant' })
  await ready(page, '/translations')
  const options = language(page).getByRole('option')
  await expect(options.filter({ hasText: 'Traditional Chinese' })).toHaveCount(1)
  await expect(options.filter({ hasText: 'Japanese' })).toHaveCount(1)
  await language(page).selectOption('Chinese')
  await expect(page).toHaveURL('/translations?language=zh')
  await expect(page.locator(`a[href="/media/${media._id}"]`).first()).toBeVisible()
})

test('the texts of what is in the trash are for those who may restore it', async ({ page, request, token }) => {
  const tag = aLanguage()
  const { media } = await aChangedMedia(request, token, ['Hidden away', 'Hidden away again'], { language: tag })
  await request.delete(`/api/media/${media._id}`, { headers: { authorization: `Bearer ${token}` } })
  await become(page, await aPerson(request, token))
  await ready(page, `/translations?language=${tag}`)
  await expect(entries(page).first()).toContainText('This item is in the trash or deleted.')
  await expect(page.getByText('Hidden away')).toHaveCount(0)
  await noViolations(page)
})

test('the statistics count what was changed and rolled back', async ({ signedIn: page, request, token }) => {
  await aChangedMedia(request, token, ['A', 'B'])
  await page.goto('/translations')
  for (const name of ['Total Changes', 'Rolled Back', 'Media', 'Characters'])
    await expect(page.getByRole('term').filter({ hasText: name })).toBeVisible()
  const values = page.getByRole('definition').filter({ hasText: /^[\d,]+$/ })
  await expect(values).toHaveCount(4)
  const answer = await request.get('/api/translation-history/statistics', {
    headers: { authorization: `Bearer ${token}` },
  })
  const { totalCount } = (await answer.json()) as { totalCount: number }
  const shown = async () => Number((await values.first().innerText()).replaceAll(',', ''))
  await expect.poll(shown).toBeGreaterThan(0)
  await expect.poll(shown).toBeLessThanOrEqual(totalCount)
})

test('language and type filter, live in the address, and go with Reset', async ({ signedIn: page, request, token }) => {
  const tag = await aTag(request, token)
  const data = { ...tag, translations: { ...tag.translations, th: { name: aWord(), description: '' } } }
  const { type: kind, translations, icon, color, parentTag, status } = data
  const headers = { authorization: `Bearer ${token}` }
  await request.put(`/api/tags/${tag._id}`, {
    data: { type: kind, translations, icon, color, parentTag, status },
    headers,
  })
  await ready(page, '/translations')
  // Those that are in use follow.
  await expect(language(page).getByRole('option')).toContainText([
    'All Languages',
    'Chinese',
    'English',
    'Vietnamese',
    'French',
    'Russian',
    'Spanish',
    'Thai',
  ])
  await expect(type(page).getByRole('option')).toHaveText(['All Types', 'Media', 'Character', 'Tag'])
  await language(page).selectOption('Thai')
  await expect(page).toHaveURL('/translations?language=th')
  const asked = page.waitForRequest(/translation-history\/recent\?.*language=th.*entityType=Tag/)
  await type(page).selectOption('Tag')
  await asked
  await expect(page).toHaveURL('/translations?entityType=Tag&language=th')
  await expect(entries(page).filter({ hasText: translations.th.name })).toHaveCount(1)
  await expect(entries(page).getByText('Thai').first()).toBeVisible()
  await expect(entries(page).getByText('Media', { exact: true })).toHaveCount(0)
  await page.goBack()
  await expect(type(page)).toHaveValue('')
  await page.goForward()
  await page.reload()
  await expect(language(page)).toHaveValue('th')
  await expect(type(page)).toHaveValue('Tag')
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL('/translations')
  await expect(language(page)).toHaveValue('')
})

test('pages twenty at a time; Next is disabled when fewer come', async ({ signedIn: page, request, token }) => {
  const titles = Array.from({ length: 22 }, (_, number) => `Title ${number}`)
  const { language: tag } = await aChangedMedia(request, token, titles)
  await ready(page, `/translations?language=${tag}`)
  await expect(entries(page)).toHaveCount(20)
  const [previous, next] = [page.getByRole('button', { name: 'Previous' }), page.getByRole('button', { name: 'Next' })]
  await expect(previous).toBeDisabled()
  const asked = page.waitForRequest(/recent\?.*skip=20/)
  await next.click()
  await asked
  await expect(page).toHaveURL(`/translations?language=${tag}&page=2`)
  await expect(entries(page)).toHaveCount(1)
  await expect(page.getByText('Page 2')).toBeVisible()
  await expect(next).toBeDisabled()
  await previous.click()
  await expect(entries(page)).toHaveCount(20)
})

test('nothing found says so, and what to do next', async ({ signedIn: page }) => {
  await page.goto(`/translations?language=${aLanguage()}`)
  await expect(page.getByText('No translation history found', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await noViolations(page)
  await page.getByRole('main').getByRole('button', { name: 'Reset' }).last().click()
  await expect(entries(page).first()).toBeVisible()
})

test('a rollback asks for the reason, tells who, why and when, and can be undone', async ({
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

  // The rollback and its undoing are changes of their own; those that were taken back are marked.
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
})

test('the rollback of a text that was added says that it removes it', async ({ signedIn: page, request, token }) => {
  const media = await aMedia(request, token)
  const tag = aLanguage()
  const texts = { ...media.translations, [tag]: { title: 'Le pauvre cœur', description: '' } }
  await changeMedia(request, token, media, { translations: texts })
  await ready(page, `/translations?language=${tag}`)
  await rollback(page).click()
  await expect(dialog(page)).toContainText('There was no text before this change')
  await reason(page).fill('Not needed')
  await dialog(page).getByRole('button', { name: 'Roll back' }).click()
  await expect(page.getByText('Translation rolled back')).toBeVisible()
  expect((await storedMedia(request, token, media)).translations).toEqual(media.translations)
})

test.describe('a text that has changed since', () => {
  test.use({ expectedErrors: [/./] })

  test('is shown as it is now, and overwritten only when that was seen', async ({ signedIn: page, request, token }) => {
    const { media, language: tag } = await aChangedMedia(request, token, ['One', 'Two'])
    const title = async () => (await storedMedia(request, token, media)).translations[tag]?.title
    const become3 = (text: string) =>
      changeMedia(request, token, media, {
        translations: { ...media.translations, [tag]: { title: text, description: '' } },
      })
    await ready(page, `/translations?language=${tag}`)
    await rollback(page).click()
    await become3('Three')
    await reason(page).fill('Back to one')
    await dialog(page).getByRole('button', { name: 'Roll back', exact: true }).click()
    await expect(dialog(page).getByRole('status')).toContainText('The text has changed since then')
    await expect(dialog(page).locator('del')).toHaveText(['Three'])
    await expect(dialog(page).locator('ins')).toHaveText(['One'])
    expect(await title()).toBe('Three')
    await noViolations(page)
    await become3('Four')
    const overwrite = dialog(page).getByRole('button', { name: 'Overwrite and roll back' })
    await overwrite.click()
    await expect(dialog(page)).toContainText('The text has changed again.')
    await expect(dialog(page).locator('del')).toHaveText(['Four'])
    expect(await title()).toBe('Four')
    await overwrite.click()
    await expect(page.getByText('Translation rolled back')).toBeVisible()
    expect(await title()).toBe('One')
  })

  test('somebody else’s rollback is announced, and shown', async ({ signedIn: page, request, token }) => {
    const { language: tag } = await aChangedMedia(request, token, ['One', 'Two'])
    await ready(page, `/translations?language=${tag}`)
    const id = await attributeOf(entries(page).locator('[data-entry]'), 'data-entry')
    await rollback(page).click()
    const headers = { authorization: `Bearer ${token}` }
    await request.post(`/api/translation-history/rollback/${id}`, { data: { reason: 'First' }, headers })
    await reason(page).fill('Second')
    await dialog(page).getByRole('button', { name: 'Roll back' }).click()
    await expect(page.getByRole('alert')).toContainText('Failed to roll back translation')
    await expect(page.getByRole('alert')).toContainText('already been rolled back')
    await expect(dialog(page)).toHaveCount(0)
    await expect(entries(page).last()).toContainText('First')
  })
})

test.describe('a rollback that fails', () => {
  test.use({ expectedErrors: [/./] })

  test('shows an error, and keeps the reason for another try', async ({ signedIn: page, request, token }) => {
    const { language: tag } = await aChangedMedia(request, token, ['One', 'Two'])
    let isDown = true
    await page.route('/api/translation-history/rollback/*', (route) =>
      isDown ? route.fulfill({ status: 500, json: { message: 'No' } }) : route.fallback(),
    )
    await ready(page, `/translations?language=${tag}`)
    await rollback(page).click()
    await reason(page).fill('Back')
    await dialog(page).getByRole('button', { name: 'Roll back' }).click()
    await expect(page.getByRole('alert')).toContainText('Failed to roll back translation')
    await expect(page.getByRole('alert')).toContainText('Server error. Please try again later.')
    await expect(reason(page)).toHaveValue('Back')
    isDown = false
    await dialog(page).getByRole('button', { name: 'Roll back' }).click()
    await expect(page.getByText('Translation rolled back')).toBeVisible()
  })
})

test('users roll back their own changes; those of others are refused with the reason', async ({
  page,
  request,
  token,
}) => {
  const person = await aPerson(request, token)
  const tag = aLanguage()
  await aChangedMedia(request, token, ['Theirs one', 'Theirs two'], { language: tag })
  await become(page, person)
  await ready(page, `/translations?language=${tag}`)
  await expect(rollback(page)).toHaveAttribute('aria-disabled', 'true')
  await rollback(page).click({ force: true })
  await expect(
    page.getByRole('status').filter({ hasText: 'does not allow editing other people’s content' }),
  ).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await page.route('/api/translation-history/recent*', async (route) => {
    const answer = await route.fetch()
    const { data } = (await answer.json()) as { data: { updatedById: string }[] }
    await route.fulfill({ json: { data: data.map((entry) => ({ ...entry, updatedById: person.user._id })) } })
  })
  await page.reload()
  await expect(rollback(page)).not.toHaveAttribute('aria-disabled', 'true')
})

test('several changes of a user are previewed, rolled back as a batch, and undone @phone', async ({
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

test('a change of a batch offers to roll back the whole batch', async ({ signedIn: page, request, token }) => {
  const by = await aPerson(request, token, { role: 'moderator' })
  const { media, language: tag } = await aChangedMedia(request, token, ['A', 'B'], { by: by.token })
  const headers = { authorization: `Bearer ${token}` }
  const to = new Date(Date.now() + 60_000).toISOString()
  const data = { reason: 'All', by: { username: by.user.username, from: '2020-01-01T00:00:00.000Z', to } }
  await request.post('/api/translation-history/rollback', { data, headers })
  await ready(page, `/translations?language=${tag}`)
  await entries(page).first().getByRole('button', { name: 'Roll back its whole batch' }).click()
  await expect(dialog(page).getByRole('heading', { name: 'Roll back a batch' })).toBeVisible()
  await expect(dialog(page)).toContainText('1 change would be rolled back')
  await reason(page).fill('It was right')
  await dialog(page).getByRole('button', { name: 'Roll back 1 change' }).click()
  await expect(dialog(page)).toContainText('1 change rolled back')
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  expect((await storedMedia(request, token, media)).translations[tag]?.title).toBe('B')
})

test('what is from AI names the model, or reference data, which is none', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { language: tag } = await aChangedMedia(request, token, ['One', 'Two', 'Three'])
  await page.route('/api/translation-history/recent*', async (route) => {
    const { data } = (await (await route.fetch()).json()) as { data: object[] }
    const ai = [
      { provider: 'model', model: 'some-model-4' },
      { provider: 'reference', model: 'bangumi-data' },
    ]
    await route.fulfill({ json: { data: data.map((entry, at) => ({ ...entry, ai: ai[at] })) } })
  })
  await ready(page, `/translations?language=${tag}`)
  await expect(entries(page).first()).toContainText('AI: some-model-4')
  await expect(entries(page).last()).toContainText('Reference data')
  await expect(entries(page).last()).not.toContainText('AI')
})

test('a long text is cut to what changed, and shown whole when asked', async ({ signedIn: page, request, token }) => {
  const around = 'It was a dark and stormy night; the rain fell in torrents. '.repeat(5)
  const { language: tag } = await aChangedMedia(request, token, [`${around}old ${around}`, `${around}new ${around}`])
  await ready(page, `/translations?language=${tag}`)
  const text = entries(page).locator(`p[lang="${tag}"]`)
  await expect(text).toHaveText(/^….*oldnew.*…$/)
  await entries(page).getByRole('button', { name: 'Show all' }).click()
  await expect(text).toHaveText(`${around}oldnew ${around.trim()}`)
})

test('the keyboard alone goes through the list and rolls back', async ({ signedIn: page, request, token }) => {
  const character = await aCharacter(request, token)
  const { language: tag, english } = await aChangedMedia(request, token, ['One', 'Two', 'Three'])
  expect(character._id).toBeTruthy()
  await ready(page, `/translations?language=${tag}`)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(entries(page).last().getByRole('link', { name: english })).toBeFocused()
  await page.keyboard.press('k')
  await expect(entries(page).first().getByRole('link', { name: english })).toBeFocused()
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

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' })

  test('the screen and its panel are in Chinese', async ({ signedIn: page, request, token }) => {
    const { language: tag } = await aChangedMedia(request, token, ['One', 'Two'])
    await page.goto('/translations')
    await expect(heading(page)).toHaveText('翻译历史')
    const languages = page.getByRole('combobox', { name: '语言' })
    const options = languages.getByRole('option')
    // Languages in use follow.
    for (const [at, name] of ['全部语言', '中文', '英语', '越南语', '法语', '俄语', '西班牙语', '泰语'].entries())
      await expect(options.nth(at)).toHaveText(name)
    await page.goto(`/translations?language=${tag}`)
    await page.getByRole('button', { name: /^回滚/ }).click()
    await dialog(page).getByRole('button', { name: '回滚' }).click()
    await expect(dialog(page)).toContainText('请输入原因')
    await noViolations(page)
    await page.goto(`/translations?language=${aLanguage()}`)
    await expect(page.getByText('没有翻译历史', { exact: true })).toBeVisible()
  })
})
