import type { APIRequestContext, Page } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord, uploaded } from './support/catalogue.ts'
import { aChangedMedia, changeMedia, storedMedia } from './support/changes.ts'
import { builtFile } from './support/files.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { toast } from './support/locators.ts'
import { aRating, aScore, aTier, aUser } from './support/people.ts'

const versions = (page: Page) => page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
const changes = (page: Page) => page.getByRole('list', { name: 'Comparison' }).getByRole('listitem')
const change = (page: Page, field: string) =>
  changes(page).filter({ has: page.getByRole('heading', { name: field, exact: true }) })
const from = (page: Page) => page.getByRole('combobox', { name: 'From' })
const to = (page: Page) => page.getByRole('combobox', { name: 'To' })

async function put(request: APIRequestContext, token: string, address: string, data: object) {
  const answer = await request.put(address, { data, headers: { authorization: `Bearer ${token}` } })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** A WAV file with the given number of seconds of silence. */
function aSound(seconds: number) {
  const head = Buffer.from(
    '524946460000000057415645666d74201000000001000100401f0000401f0000010008006461746100000000',
    'hex',
  )
  head.writeUInt32LE(36 + 8000 * seconds, 4)
  head.writeUInt32LE(8000 * seconds, 40)
  const buffer = Buffer.concat([head, Buffer.alloc(8000 * seconds, 128)])
  return { name: `${aWord()}.wav`, mimeType: 'audio/wav', buffer }
}

const ready = async (page: Page, address: string) => {
  await page.goto(address)
  await expect(versions(page).first()).toBeVisible()
}

test('the history tab lists the versions with their authors, and loads only when opened', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { media, english } = await aChangedMedia(request, token, ['One', 'Two'])
  const asked: string[] = []
  page.on('request', (sent) => asked.push(sent.url()))
  const code = builtFile('src/parts/history/History.tsx')
  const isOfHistory = (url: string) => url.includes('/api/revisions') || url.endsWith(code)
  await page.goto(`/media/${media._id}`)
  await expect(page.getByRole('heading', { level: 1, name: english })).toBeVisible()
  const views = page.getByRole('navigation', { name: 'Views' })
  await expect(views.getByRole('link', { name: 'Details' })).toHaveAttribute('aria-current', 'page')
  expect(asked.filter(isOfHistory)).toEqual([])

  await views.getByRole('link', { name: 'History' }).click()
  await expect(page).toHaveURL(`/media/${media._id}?tab=history`)
  await expect(versions(page)).toHaveCount(2)
  expect(asked.filter(isOfHistory).length).toBeGreaterThan(1)
  await expect(views.getByRole('link', { name: 'History' })).toHaveAttribute('aria-current', 'page')
  await expect(views.getByRole('link', { name: 'Details' })).not.toHaveAttribute('aria-current', 'page')
  await expect(versions(page).first()).toContainText(/Changed title \(/)
  await expect(versions(page).first()).toContainText('admin')
  await expect(versions(page).first()).toContainText('Version 2')
  await expect(versions(page).first().getByText('Person', { exact: true })).toBeVisible()
  await expect(versions(page).first().getByRole('time')).toHaveAttribute('datetime', /^20\d\d-/)
  await expect(versions(page).last()).toContainText('Created')
  await noSidewaysScroll(page)
  await noViolations(page)

  await page.goBack()
  await expect(versions(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Media Assets' })).toBeVisible()
  await page.goForward()
  await expect(versions(page)).toHaveCount(2)

  await test.step('a long model name fits, in Chinese', async () => {
    await page.route('/api/revisions?*', async (route) => {
      const { data } = (await (await route.fetch()).json()) as { data: object[] }
      const run = { prompt: '', sources: [], startedAt: '', milliseconds: 1, inputTokens: 1, outputTokens: 1 }
      const model = { ...run, _id: '1', provider: 'model', model: 'a-model-with-a-rather-long-name-4.5', paths: [] }
      await route.fulfill({ json: { data: data.map((row) => ({ ...row, provenance: [model] })) } })
    })
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.reload()
    await page.getByRole('link', { name: '与当前版本对比：版本 1' }).click()
    await expect(page.getByText('1 处不同')).toBeVisible()
    await expect(page.getByText('AI: a-model-with-a-rather-long-name-4.5').first()).toBeVisible()
    await noSidewaysScroll(page)
    await noViolations(page)
  })
})

test('a version shows its changes, and can be compared with any other and with now @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const [love, war, hero] = [
    await aTag(request, token, { name: aWord() }),
    await aTag(request, token, { name: aWord() }),
    await aCharacter(request, token, { name: aWord() }),
  ]
  const nameOf = ({ translations }: { translations: Record<string, { name: string }> }) => translations.en?.name ?? ''
  const media = await aMedia(request, token, { title: 'The old heart' })
  await changeMedia(request, token, media, { tags: [love._id], episodes: 12 })
  const translations = { en: { title: 'The new heart', description: '' }, ja: { title: '心', description: '' } }
  await changeMedia(request, token, media, {
    translations,
    tags: [war._id],
    characters: [hero._id],
    episodes: 13,
    isOngoing: false,
    releaseDate: '2027-02-03T00:00:00.000Z',
  })
  await ready(page, `/media/${media._id}?tab=history`)
  await expect(versions(page).first()).toContainText(/Changed .*,.*,.*and \d more/)
  await versions(page).first().getByRole('link').first().click()
  await expect(page).toHaveURL(/from=.+&tab=history&to=.+/)

  await expect(change(page, 'Title (English)').locator('del')).toHaveText(['old'])
  await expect(change(page, 'Title (English)').locator('ins')).toHaveText(['new'])
  await expect(change(page, 'Title (English)').locator('p[lang="en"]')).toBeVisible()
  await expect(change(page, 'Title (Japanese)').locator('p[lang="ja"] ins')).toHaveText('心')
  await expect(change(page, 'Tags').locator('ins')).toHaveText(nameOf(war))
  await expect(change(page, 'Tags').locator('del')).toHaveText(nameOf(love))
  await expect(change(page, 'Characters').locator('ins')).toHaveText(nameOf(hero))
  await expect(change(page, 'Episodes')).toContainText('12')
  await expect(change(page, 'Episodes')).toContainText('13')
  await expect(change(page, 'Status').locator('del, ins')).toHaveText(['Ongoing', 'Completed'])
  await expect(change(page, 'Release date').locator('del, ins')).toHaveText(['January 5, 2026', 'February 3, 2027'])
  await expect(page.getByText('7 differences')).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)

  // Compare the oldest version with the next one, using the select boxes; then with the current one.
  await from(page).selectOption({ index: 2 })
  await to(page).selectOption({ index: 2 })
  await expect(page.getByText('2 differences')).toBeVisible()
  await expect(change(page, 'Tags').locator('ins')).toHaveText(nameOf(love))
  await to(page).selectOption('Now (version 3)')
  await expect(page.getByText('7 differences')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('2 differences')).toBeVisible()
  await from(page).selectOption('Nothing (before it was created)')
  await expect(change(page, 'Type').locator('ins')).toHaveText('Anime')
  await expect(page.getByRole('button', { name: /^Restore/ })).toHaveCount(0)
})

test.describe('restoring a version', () => {
  // The browser logs the refused call.
  test.use({ expectedErrors: [/412|changed since you opened it/] })

  test('can restore one field or everything, and detects conflicts', async ({ signedIn: page, request, token }) => {
    const titled = (title: string) => ({ en: { title, description: '' } })

    await test.step('restores one field, and can be undone', async () => {
      const media = await aMedia(request, token, { title: 'One' })
      await changeMedia(request, token, media, { translations: titled('Two'), isOngoing: false })
      const stored = () => storedMedia(request, token, media)
      await ready(page, `/media/${media._id}?tab=history`)
      await page.getByRole('link', { name: 'Compare with now: version 1' }).click()
      const sent = page.waitForRequest(/\/api\/revisions\/.*\/restore/)
      await page.getByRole('button', { name: 'Restore title (English) from version 1' }).click()
      expect((await sent).postDataJSON()).toEqual({ paths: ['translations.en.title'], base: 2 })
      await expect(toast(page, 'Restored from version 1')).toBeVisible()
      expect(await stored()).toMatchObject({ translations: titled('One'), isOngoing: false, version: 3 })
      await expect(page.getByRole('heading', { level: 1, name: 'One' })).toBeVisible()
      // The current version has changed: only the other field still differs.
      await expect(page.getByText('1 difference')).toBeVisible()
      await expect(to(page).getByRole('option', { selected: true })).toHaveText('Now (version 3)')

      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(toast(page, 'Restore undone')).toBeVisible()
      expect(await stored()).toMatchObject({ translations: titled('Two'), isOngoing: false })
      await expect(page.getByText('2 differences')).toBeVisible()
      await page.goto(`/media/${media._id}?tab=history`)
      await expect(versions(page)).toHaveCount(4)
      await expect(versions(page).first().getByText('Rollback', { exact: true })).toBeVisible()
    })

    await test.step('restores a whole version at once', async () => {
      const tag = await aTag(request, token)
      const media = await aMedia(request, token, { title: 'One' })
      const translations = { en: { title: 'Two', description: 'More' }, fr: { title: 'Deux', description: '' } }
      await changeMedia(request, token, media, { translations, tags: [tag._id], episodes: 3 })
      await ready(page, `/media/${media._id}?tab=history`)
      await page.getByRole('link', { name: 'Compare with now: version 1' }).click()
      await page.getByRole('button', { name: 'Restore all from version 1' }).click()
      await expect(toast(page, 'Restored from version 1')).toBeVisible()
      const stored = await storedMedia(request, token, media)
      expect(stored.translations).toEqual(titled('One'))
      expect(stored.tags).toEqual([])
      expect(stored).not.toHaveProperty('episodes')
      await expect(page.getByText('Both versions are identical.')).toBeVisible()
    })

    await test.step('resolves conflicts as in an editor', async () => {
      const media = await aMedia(request, token, { title: 'One' })
      await changeMedia(request, token, media, { translations: titled('Two'), isOngoing: false })
      // Without the stream, the screen does not learn of the next change.
      await page.route('**/api/notifications/stream*', () => undefined)
      await ready(page, `/media/${media._id}?tab=history`)
      await page.getByRole('link', { name: 'Compare with now: version 1' }).click()
      const all = page.getByRole('button', { name: 'Restore all from version 1' })
      await expect(all).toBeVisible()
      await changeMedia(request, token, media, { translations: titled('Three'), isOngoing: false, episodes: 9 })
      await all.click()
      await expect(page.getByRole('heading', { name: 'You changed this in another window' })).toBeFocused()
      const clash = page.getByRole('group', { name: 'Title (English)' })
      await expect(clash).toContainText('Three')
      await expect(clash).toContainText('One')
      await noViolations(page)
      await clash.getByRole('radio', { name: /^This window/ }).check({ force: true })
      await page.getByRole('button', { name: 'Save merged' }).click()
      await expect(toast(page, 'Restored from version 1')).toBeVisible()
      expect(await storedMedia(request, token, media)).toMatchObject({
        translations: titled('One'),
        isOngoing: true,
        episodes: 9,
      })
    })
  })
})

test('every other kind has a history', async ({ signedIn: page, request, token }) => {
  await test.step('characters and ratings, in a tab', async () => {
    const character = await aCharacter(request, token, { name: 'Sensei' })
    await put(request, token, `/api/characters/${character._id}`, {
      translations: { en: { name: 'Teacher', description: '' } },
    })
    await ready(page, `/characters/${character._id}?tab=history`)
    await page.getByRole('link', { name: 'Compare with now: version 1' }).click()
    await page.getByRole('button', { name: 'Restore name (English) from version 1' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Sensei' })).toBeVisible()

    const media = await aMedia(request, token)
    const rating = await aRating(request, token, { mediaId: media._id, score: 7, comment: 'Fine' })
    await put(request, token, `/api/ratings/${rating._id}`, { score: 3.5, comment: 'Not so fine' })
    await ready(page, `/ratings/${rating._id}?tab=history`)
    await expect(versions(page).first()).toContainText('Changed score and comment')
    await versions(page).first().getByRole('link').first().click()
    await expect(change(page, 'Score').locator('del, ins')).toHaveText(['7', '3.5'])
    await page.getByRole('button', { name: 'Restore score from version 1' }).click()
    await expect(toast(page, 'Restored from version 1')).toBeVisible()
  })

  await test.step('assets, in a tab that can restore a replaced file', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const asset = await uploaded(request, token, aSound(1))
    const replaced = await request.put(`/api/assets/${asset._id}/file`, {
      headers,
      multipart: { file: aSound(2) },
    })
    expect(replaced.status()).toBe(200)
    await put(request, token, `/api/assets/${asset._id}`, { isPublic: false })
    await ready(page, `/assets/${asset._id}?tab=history`)
    await expect(versions(page)).toHaveCount(3)
    await expect(versions(page).nth(1)).toContainText('Changed file')
    await page.getByRole('link', { name: 'Compare with now: version 1' }).click()
    await expect(change(page, 'Visibility').locator('del, ins')).toHaveText(['Public', 'Private'])
    await expect(change(page, 'File').locator('del')).toHaveText('7.86 KB')
    await page.getByRole('button', { name: 'Restore file from version 1' }).click()
    await expect(toast(page, 'Restored from version 1')).toBeVisible()
    const stored = async (): Promise<unknown> => (await request.get(`/api/assets/${asset._id}`, { headers })).json()
    await expect.poll(stored).toMatchObject({ duration: 1, isPublic: false, status: 'READY' })
  })

  await test.step('tags, tiers and users, opened from their editors', async () => {
    const tag = await aTag(request, token, { name: 'Quiet' })
    const { type, translations, icon, parentTag, status } = tag
    await put(request, token, `/api/tags/${tag._id}`, { type, translations, icon, parentTag, status, color: '#aabbcc' })
    await page.goto(`/tags/${tag._id}/edit`)
    await page.getByRole('link', { name: 'History' }).click()
    await expect(page).toHaveURL(`/tags/${tag._id}/history`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('History of Quiet')
    await versions(page).first().getByRole('link').first().click()
    await expect(change(page, 'Colour').locator('del, ins')).toHaveText(['#336699', '#aabbcc'])
    await noSidewaysScroll(page)
    await noViolations(page)
    await page.getByRole('button', { name: 'Restore colour from version 1' }).click()
    await expect(toast(page, 'Restored from version 1')).toBeVisible()

    const tier = await aTier(request, token, { permissions: { canUploadVideo: false } })
    const { name, description, requiredScore, isActive, permissions } = tier
    const wider = { ...permissions, canUploadVideo: true, maxUploadSizeMB: 50 }
    const changed = { name, description, requiredScore, isActive, permissions: wider }
    await put(request, token, `/api/score-permissions/${tier._id}`, changed)
    await page.goto(`/score-permissions/${tier._id}/edit`)
    await page.getByRole('link', { name: 'History' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`History of ${name}`)
    await versions(page).first().getByRole('link').first().click()
    const flags = change(page, 'Permissions')
    await expect(flags.getByRole('term')).toHaveText(['Upload videos', 'Upload size (MB)'])
    await expect(flags.locator('del, ins')).toHaveText(['No', 'Yes', '2', '50'])

    const user = await aUser(request, token)
    await put(request, token, `/api/users/${user._id}`, { password: 'another good password', scores: aScore() })
    await page.goto(`/users/${user._id}/edit`)
    await page.getByRole('link', { name: 'History' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`History of ${user.username}`)
    await expect(versions(page).first()).toContainText(/Changed (score and password|password and score)/)
    await versions(page).first().getByRole('link').first().click()
    await expect(change(page, 'Score')).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('argon2')
    await noViolations(page)
  })
})
