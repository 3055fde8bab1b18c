import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Character } from '@mokuroku/contract/characters'
import type { Media } from '@mokuroku/contract/media'
import type { Page } from '@playwright/test'
import { startServer } from '../server/test/process.ts'
import { aWord } from './support/catalogue.ts'
import { content, save as saveChanges } from './support/editor.ts'
import { aPixel } from './support/files.ts'
import { admin, expect, noSidewaysScroll, noViolations, signInAt, test as base } from './support/fixtures.ts'
import { type ExternalServices, jsonBlock, startExternalServices } from './support/model.ts'
import { eachOf } from './support/reading.ts'

interface Ai extends ExternalServices {
  /** The URL of a server that uses this model and this search service. */
  url: string
  token: string
  create: <Entity>(area: string, data: object) => Promise<Entity>
  find: <Entity>(path: string) => Promise<Entity>
}

/** Worker fixture: a server with a fake model and a fake search service, whose replies each test sets. */
const test = base.extend<{ page: Page }, { ai: Ai }>({
  ai: [
    async ({ playwright }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'mokuroku-ai-'))
      const other = await startExternalServices()
      const env = {
        DATA_DIR: folder,
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
        AI_BASE_URL: other.baseUrl,
        AI_MODEL: 'lantern-1',
        AI_SEARCH_URL: other.searchUrl,
        STAND_INS: other.host,
        NODE_OPTIONS: `--import ${new URL('../server/test/standIns.ts', import.meta.url).href}`,
      }
      const server = await startServer(env, { isSource: true })
      const request = await playwright.request.newContext({ baseURL: server.url })
      const { token } = (await (await request.post('/api/auth/login', { data: admin })).json()) as { token: string }
      const headers = { authorization: `Bearer ${token}` }
      const create = async <Entity>(area: string, data: object) => {
        const answer = await request.post(`/api/${area}`, { data, headers })
        expect(answer.status(), await answer.text()).toBe(201)
        return (await answer.json()) as Entity
      }
      const find = async <Entity>(path: string) => (await (await request.get(path, { headers })).json()) as Entity
      await use({ ...other, url: server.url, token, create, find })
      await request.dispose()
      other.close()
      await server.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  page: async ({ page, context, ai }, use) => {
    await signInAt(context, ai.url, ai.token)
    await use(page)
  },
})

// In one worker, because starting the server takes longer than most of these tests.
test.describe.configure({ mode: 'default' })

const topic = (page: Page) => page.getByLabel('Topic')
const source = (page: Page, side: 1 | 2) => page.getByRole('textbox', { name: `Source ${side}` })
const box = (page: Page, side: 1 | 2) => page.getByRole('region', { name: `Source ${side}`, exact: true })
const selected = (page: Page) => page.getByRole('region', { name: 'Selected Data' })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const response = (page: Page) => page.getByRole('textbox', { name: 'AI response' })

const suggestion = (title: string, more: object = {}) => ({
  mediaType: 'ANIME',
  translations: { en: { title, description: 'Two sisters keep a light.' } },
  originalTitle: '灯守り',
  releaseDate: '2011-04-07T00:00:00.000Z',
  duration: 24,
  episodes: 12,
  isOngoing: false,
  characters: [
    {
      translations: { en: { name: `Aya ${title}`, description: 'The elder one.' } },
      originalName: `文${title}`,
      tags: ['Female'],
      assets: [],
      cover: '',
    },
  ],
  tags: ['Drama', 'Slice of Life'],
  cover: '',
  assets: [],
  ...more,
})

async function generate(page: Page, ai: Ai, about: string) {
  await page.goto(`${ai.url}/media/compare`)
  await topic(page).fill(about)
  await button(page, 'Generate').click()
}

test('two sources are compared field by field, and a selection from both is saved', async ({ page, ai }) => {
  const title = `Lantern ${aWord()}`
  const related = await ai.create<Media>('media', mediaNamed(`Harbour ${aWord()}`))
  const friend = await ai.create<{ _id: string; translations: Record<string, { name: string }> }>('characters', {
    translations: { en: { name: `Sen ${aWord()}`, description: '' } },
  })
  ai.modelSays(jsonBlock(suggestion(title)))
  ai.searchSays(jsonBlock(suggestion(title, { episodes: 13, tags: ['Slice of Life', 'Drama'] })))
  await generate(page, ai, title)
  // The first AI call of a server takes longer, because it loads the reference data.
  await expect(source(page, 1)).toHaveValue(/Two sisters keep a light/, { timeout: 45_000 })
  await expect(source(page, 2)).toHaveValue(/"episodes": 13/)
  await expect(box(page, 1)).toContainText('Complete')
  await expect(box(page, 1)).toContainText('lantern-1')
  await expect(box(page, 2)).toContainText('Complete')

  const row = (name: string) =>
    page
      .getByRole('region', { name: 'Comparison' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name, exact: true }) })
  await expect(row('Episodes')).toContainText('They differ')
  await expect(row('Tags')).toContainText('Both agree')
  await expect(source(page, 1)).not.toHaveValue(/```/)
  const asked = JSON.parse(ai.asked.search.at(-1)?.prompt ?? '{}') as { requirement?: string }
  expect(asked).toMatchObject({ query: title, maxResults: 300, searchDepth: 'basic' })
  expect(asked.requirement).toContain('"translations": { "<language tag>"')
  await expect(row('Release date')).toContainText('April 7, 2011')
  await noViolations(page)

  await expect(button(page, 'Save Media')).toHaveAttribute('title', 'Select a title first.')
  await button(page, 'Select all of source 1').click()
  await button(page, 'Select Episodes of source 2').click()
  await expect(button(page, 'Selected Episodes of source 2')).toHaveAttribute('aria-pressed', 'true')
  await expect(button(page, 'Select Episodes of source 1')).toHaveAttribute('aria-pressed', 'false')

  await selected(page)
    .getByRole('combobox', { name: 'Search for related media' })
    .fill(related.translations.en?.title ?? '')
  await page.getByRole('option').first().click()
  await expect(page.getByText('Related media added')).toBeVisible()
  await selected(page)
    .getByRole('combobox', { name: 'Search for related media' })
    .fill(related.translations.en?.title ?? '')
  await page.getByRole('option').first().click()
  await expect(page.getByText('This media is already added as related media')).toBeVisible()
  const characterSearch = selected(page).getByRole('combobox', { name: 'Search for characters' })
  for (const said of ['Character added', 'This character is already added']) {
    await characterSearch.fill(friend.translations.en?.name ?? '')
    await page.getByRole('option').first().click()
    await expect(page.getByText(said)).toBeVisible()
  }
  const picture = aPixel()
  const file = { name: 'cover.png', mimeType: 'image/png', buffer: picture }
  await selected(page).locator('input[type=file][aria-label="Upload Cover"]').setInputFiles(file)
  await expect(page.getByText('Image uploaded successfully for 灯守り')).toBeVisible()
  await selected(page).locator(`input[type=file][aria-label="Upload an image of Aya ${title}"]`).setInputFiles(file)
  await expect(page.getByText(`Image uploaded successfully for Aya ${title}`)).toBeVisible()

  await button(page, 'Edit JSON').click()
  await expect(content(page)).toContainText(title)
  await expect(button(page, 'Hide JSON Editor')).toBeVisible()
  await button(page, 'Save Media').click()
  await expect(page.getByText('Media saved successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/media\/[\da-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)

  const media = await ai.find<Media>(`/api/media/${page.url().split('/').at(-1)}`)
  expect(media).toMatchObject({
    episodes: 13,
    duration: 24,
    originalTitle: '灯守り',
  })
  expect(media.cover).toHaveProperty('_id')
  expect(media.characters).toHaveLength(2)
  expect(media.relatedMedia.map(({ _id }) => _id)).toEqual([related._id])
  expect(media.tags).toHaveLength(2)
  const { data } = await ai.find<{ data: { origin: string }[] }>(
    `/api/revisions?entityType=Media&entityId=${media._id}`,
  )
  expect(data.at(-1)?.origin).toBe('ai')
})

test('a character that may already exist is linked only if the user chooses so', async ({ page, ai }) => {
  const title = `Jetty ${aWord()}`
  const name = `Aya ${title}`
  const known = await ai.create<Character>('characters', {
    translations: { en: { name, description: 'Of another tale.' } },
  })
  await ai.create('media', { ...mediaNamed(`Tale of ${title}`), characters: [known._id] })
  const save = async () => {
    await button(page, 'Save Media').click()
    await expect(page.getByText('Media saved successfully!')).toBeVisible()
    await expect(page).toHaveURL(/\/media\/[\da-f-]{36}$/)
    return ai.find<Media>(`/api/media/${page.url().split('/').at(-1)}`)
  }
  const pick = async (about: string) => {
    ai.modelSays(jsonBlock(suggestion(about, { characters: suggestion(title).characters })))
    ai.searchSays(jsonBlock(suggestion(about, { characters: [] })))
    await generate(page, ai, about)
    await expect(box(page, 2).getByRole('status')).toHaveText('Complete')
    await button(page, 'Select all of source 1').click()
    const matches = selected(page).getByRole('group', { name: `Is “${name}” one of the catalogue?` })
    await expect(matches).toContainText(`Tale of ${title}`)
    await expect(button(page, 'Save Media')).toHaveAttribute('title', /^For each possible match/)
    return matches
  }
  const matches = await pick(title)
  await noViolations(page)
  await noSidewaysScroll(page)
  await matches.getByRole('button', { name: `Use the existing one: ${name}` }).click()
  await expect(matches).toContainText('The existing character stays as it is')
  await expect(selected(page).getByText('In the catalogue', { exact: true })).toBeVisible()
  const linked = await save()
  expect(linked.characters).toEqual([known._id])
  expect(await ai.find(`/api/characters/${known._id}`)).toMatchObject({
    translations: { en: { description: 'Of another tale.' } },
  })

  const again = await pick(`${title} II`)
  await again.getByRole('button', { name: 'Create a new one' }).click()
  const { characters } = await save()
  expect(characters).not.toContain(known._id)
  expect(await ai.find(`/api/characters/${characters[0]}`)).toMatchObject({
    translations: { en: { name, description: 'The elder one.' } },
  })
})

test.describe('found images', () => {
  test.use({ expectedErrors: [/404/] })

  test('can be used as the cover and as a character’s image @phone', async ({ page, ai }) => {
    const title = `Signal ${aWord()}`
    const second = { translations: { en: { name: `Sen ${title}`, description: '' } }, tags: [], assets: [], cover: '' }
    const said = suggestion(title)
    ai.modelSays(jsonBlock({ ...said, characters: [...said.characters, { ...second, originalName: `千${title}` }] }))
    ai.searchSays({ begin: jsonBlock(said), images: ['Front', 'Front', 'Aya by the window', ''] })
    await generate(page, ai, title)
    const found = page.getByRole('region', { name: 'Found images' })
    await expect(found.getByRole('listitem')).toHaveCount(3, { timeout: 45_000 })
    const picture = found.getByRole('img', { name: 'Aya by the window' })
    await expect(() => picture.scrollIntoViewIfNeeded()).toPass()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
    await expect(() => found.getByRole('listitem').last().scrollIntoViewIfNeeded()).toPass()
    await expect(found.getByText('Failed to fetch this image')).toBeVisible()
    await expect(source(page, 1)).toHaveValue(/千/)
    await button(page, 'Select all of source 1').click()
    // Wait until the buttons are rendered as pressed, so that axe measures their final colours.
    await expect(button(page, /^Selected Episodes/).first()).toHaveAttribute('aria-pressed', 'true')
    await noViolations(page)
    await noSidewaysScroll(page)
    await found.getByLabel('Use Front for').selectOption('Cover')
    await found.getByLabel('Use Aya by the window for').selectOption(`Aya ${title}`)
    await expect(found.getByLabel('Use Front for')).toHaveValue('cover')
    await button(page, 'Save Media').click()
    await expect(page.getByText('Media saved successfully!')).toBeVisible({ timeout: 30_000 })
    const media = await ai.find<Media>(`/api/media/${page.url().split('/').at(-1)}`)
    const { _id } = media.cover as { _id: string }
    expect(await ai.find(`/api/assets/${_id}`)).toMatchObject({ dimensions: { width: 400, height: 600 } })
    const characters = await Promise.all(media.characters.map((id) => ai.find<Character>(`/api/characters/${id}`)))
    expect(characters.filter(({ cover }) => cover)).toHaveLength(1)
  })
})

test('selected data can be removed, survives a reload, and is never treated as markup', async ({ page, ai }) => {
  await test.step('selected data can be removed, and possible duplicates are pointed out', async () => {
    const title = `Beacon ${aWord()}`
    // Other tests leave media with the same original title; those that share more titles are listed first.
    await ai.create('media', { ...mediaNamed(title), originalTitle: '灯守り' })
    ai.modelSays(jsonBlock(suggestion(title)))
    ai.searchSays(jsonBlock(suggestion(title)))
    await generate(page, ai, title)
    await button(page, 'Select all of source 1').click()
    await expect(page.getByText('May already be in the catalogue')).toBeVisible()
    await expect(selected(page).getByRole('link', { name: title })).toBeVisible()
    await button(page, `Remove Aya ${title}`).click()
    await expect(selected(page).getByText('No characters')).toBeVisible()
  })

  await test.step('selected data survives a reload as a draft', async () => {
    const title = `Draft ${aWord()}`
    ai.modelSays(jsonBlock(suggestion(title)))
    ai.searchSays(jsonBlock(suggestion(title)))
    await generate(page, ai, title)
    await button(page, 'Select all of source 1').click()
    await expect(selected(page).getByText(title).first()).toBeVisible()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await button(page, 'Restore draft').click()
    await expect(selected(page).getByText(title).first()).toBeVisible()
  })

  await test.step('the output of a model is displayed as text, never as markup', async () => {
    const hostile = '<img src=x onerror="document.title=\'pwned\'"><script>document.title="pwned"</script>'
    ai.modelSays(`${hostile}\n${jsonBlock(suggestion(`Safe ${hostile}`))}`)
    ai.searchSays(hostile)
    await generate(page, ai, 'Lantern')
    await expect(source(page, 1)).toHaveValue(/<script>/)
    await button(page, 'Select all of source 1').click()
    await expect(page).toHaveTitle(/AI Media Comparison/)
    await expect(page.locator('main img[src="x"], main script')).toHaveCount(0)
  })
})

test.describe('failures', () => {
  test.use({ expectedErrors: [/Failed to load resource|ApiError|HTTP 5\d\d|Resource not found/] })

  test('failed sources show an error, and can be retried one by one', async ({ page, ai }) => {
    await test.step('an answer without data is reported', async () => {
      ai.modelSays(jsonBlock(suggestion('Lantern')))
      ai.searchSays('A tale of two sisters, of 2011.')
      await generate(page, ai, 'Lantern')
      const said = 'This answer contains only text, no data in the requested format.'
      await expect(box(page, 2).getByRole('listitem')).toHaveText([said])
      const comparison = page.getByRole('region', { name: 'Comparison' })
      await expect(comparison).toContainText(`Source 2 has nothing to compare: ${said}`)
      await expect(comparison).not.toContainText('no value')
      await noViolations(page)
      ai.searchSays(jsonBlock(suggestion('Lantern')))
      await box(page, 2).getByRole('button', { name: 'Retry' }).click()
      await expect(comparison.getByText('Both agree').first()).toBeVisible()
      expect(ai.asked.model.filter(({ prompt }) => prompt.includes('repair'))).toHaveLength(0)
    })

    await test.step('an interrupted answer stays readable, and is used only if it contains valid data', async () => {
      ai.modelSays({ begin: 'The beginning of an answer, and then', breaks: true })
      ai.searchSays({ begin: 'Half a', breaks: true })
      await generate(page, ai, 'Lantern')
      await expect(box(page, 1).getByRole('alert')).toContainText('Connection to AI service failed')
      await expect(source(page, 1)).toHaveValue('The beginning of an answer, and then')
      ai.modelSays({ begin: jsonBlock(suggestion('Lantern that broke')), breaks: true })
      await box(page, 1).getByRole('button', { name: 'Retry' }).click()
      await expect(button(page, 'Select all of source 1')).toBeVisible()
    })

    await test.step('unreachable sources are reported', async () => {
      ai.modelSays({ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 })
      ai.searchSays({ status: 500 })
      await generate(page, ai, 'Lantern')
      await expect(box(page, 1).getByRole('alert')).toContainText(
        'Error connecting to AI service 1. Please try again.',
        {
          timeout: 30_000,
        },
      )
      await expect(box(page, 2).getByRole('alert')).toContainText('Search request failed')
      await expect(page.getByText('Failed to connect to AI services')).toBeVisible()
      await noViolations(page)
      await noSidewaysScroll(page)
      ai.modelSays(jsonBlock(suggestion('Lantern')))
      await box(page, 1).getByRole('button', { name: 'Retry' }).click()
      await expect(box(page, 1)).toContainText('Complete')
    })

    await test.step('failures are reported in Chinese', async () => {
      await page.evaluate(() => localStorage.setItem('language', 'zh'))
      ai.modelSays({ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 })
      ai.searchSays(jsonBlock(suggestion('Lantern')))
      await page.goto(`${ai.url}/media/compare`)
      await page.getByLabel('作品名').fill('Lantern')
      await button(page, '生成').click()
      await expect(page.getByRole('alert')).toContainText('AI 服务出错。', { timeout: 30_000 })
      await expect(page.getByText('完成').first()).toBeVisible()
      await noViolations(page)
      await noSidewaysScroll(page)
    })
  })

  test('an enhancement without usable data, and a media item that loads only in part', async ({ page, ai }) => {
    await test.step('an answer without usable data is reported as a failed enhancement', async () => {
      const media = await ai.create<Media>('media', mediaNamed(aWord()))
      ai.modelSays('I would rather not.', 'I would still rather not.')
      await page.goto(`${ai.url}/media/${media._id}/edit`)
      await button(page, 'AI Enhance Translations').click()
      await expect(page.getByText('Failed to enhance translations')).toBeVisible()
      ai.modelSays({ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 })
      await button(page, 'AI Enhance Translations').click()
      await expect(page.getByText('Connection to AI service failed')).toBeVisible({ timeout: 30_000 })
    })

    await test.step('a media item that cannot be loaded is standardized with its data from the list', async () => {
      const word = aWord()
      const media = await ai.create<Media>('media', mediaNamed(`Partly ${word}`))
      await page.route(`**/api/media/${media._id}`, (route) => route.fulfill({ status: 500, body: '{}' }))
      await page.goto(`${ai.url}/media/standardize`)
      await page.getByRole('combobox', { name: 'Search media' }).fill(`Partly ${word}`)
      await page.getByRole('option').first().click()
      await expect(page.getByText('Failed to fetch complete media data')).toBeVisible({ timeout: 15_000 })
      await expect(page.getByText('Failed to load related media.')).toBeVisible()
      await noViolations(page)
      const translations = { en: { title: '', description: 'Whole again.' } }
      ai.modelSays(jsonBlock([{ id: media._id, translations }]))
      await button(page, 'Process with AI').click()
      await button(page, 'Save Standardized Translations').click()
      await expect(page.getByText('Successfully updated 1 media items')).toBeVisible()
      const saved = await ai.find<Media>(`/api/media/${media._id}`)
      expect(saved.translations.en).toEqual({ title: `Partly ${word}`, description: 'Whole again.' })
    })
  })
})

test('Stop also cancels the request to the model', async ({ page, ai }) => {
  ai.asked.model.length = 0
  ai.modelSays({ begin: 'It begins', hangs: true })
  ai.searchSays({ begin: 'It begins', hangs: true })
  await generate(page, ai, 'Lantern')
  await expect(source(page, 1)).toHaveValue('It begins')
  await box(page, 1).getByRole('button', { name: 'Stop' }).click()
  await expect(box(page, 1)).toContainText('Stopped')
  await expect.poll(() => ai.asked.model[0]?.isCancelled).toBe(true)
  await page.goto(`${ai.url}/media`)
  await expect.poll(() => ai.asked.search.at(-1)?.isCancelled).toBe(true)
})

test('several media items are standardized in one batch, text by text, and undone at once', async ({ page, ai }) => {
  const word = aWord()
  const second = await ai.create<Media>('media', mediaNamed(`Second ${word}`))
  const third = await ai.create<Media>('media', mediaNamed(`Third ${word}`))
  const first = await ai.create<Media>('media', {
    ...mediaNamed(`First ${word}`),
    relatedMedia: [second._id, third._id],
  })
  await page.goto(`${ai.url}/media/standardize`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('AI Standardize')
  await button(page, 'Process with AI').press('Enter')
  await expect(page.getByText('Please select a media first')).toBeVisible()
  await page.getByRole('combobox', { name: 'Search media' }).fill(`First ${word}`)
  await page.getByRole('option').first().click()
  await expect(page.getByText('0 of 2 selected')).toBeVisible()
  await button(page, 'Select All').click()
  await expect(page.getByText('2 of 2 selected')).toBeVisible()
  await button(page, 'Unselect All').click()
  await page.getByRole('checkbox', { name: new RegExp(`Second ${word}`) }).check()
  await expect(page.getByText('1 of 2 selected')).toBeVisible()

  ai.modelSays(
    jsonBlock([
      { id: first._id, translations: { en: { title: `The First ${word}`, description: 'A first tale.' } } },
      { id: second._id, translations: { en: { title: `The Second ${word}`, description: 'A second tale.' } } },
    ]),
  )
  await button(page, 'Process with AI').click()
  await expect(response(page)).toHaveValue(/A second tale/)
  const result = page.getByRole('region', { name: 'Standardized translations' })
  // Texts written by people are not preselected for replacement; missing texts are.
  const cells = result.getByRole('group', { name: `Proposed texts of First ${word}` })
  await expect(cells.getByRole('checkbox', { name: 'Accept: Title · English' })).not.toBeChecked()
  await expect(cells.getByRole('checkbox', { name: 'Accept: Description · English' })).toBeChecked()
  await expect(cells.locator('ins')).toHaveText(['The '])
  await cells.getByRole('checkbox', { name: 'Accept: Title · English' }).check()
  await noViolations(page)
  await button(page, 'Save Standardized Translations').click()
  await expect(page.getByText('Successfully updated 2 media items')).toBeVisible()

  const texts = async (id: string) => (await ai.find<Media>(`/api/media/${id}`)).translations.en
  expect(await texts(first._id)).toEqual({ title: `The First ${word}`, description: 'A first tale.' })
  expect(await texts(second._id)).toEqual({ title: `Second ${word}`, description: 'A second tale.' })
  expect(await texts(third._id)).toEqual({ title: `Third ${word}`, description: '' })
  await button(page, 'Undo').click()
  await expect(page.getByText('The batch was rolled back')).toBeVisible()
  expect(await texts(first._id)).toEqual({ title: `First ${word}`, description: '' })
  expect(await texts(second._id)).toEqual({ title: `Second ${word}`, description: '' })

  await test.step('missing answers can be requested again, and without accepted texts nothing is saved', async () => {
    const other = await ai.create<Media>('media', mediaNamed(`Second ${word}`))
    const one = await ai.create<Media>('media', { ...mediaNamed(`First ${word}`), relatedMedia: [other._id] })
    const item = ({ _id }: Media, description: string) => ({
      id: _id,
      translations: { en: { title: '', description } },
    })
    await page.goto(`${ai.url}/media/standardize?id=${one._id}`)
    await button(page, 'Select All').click()
    ai.modelSays(jsonBlock([item(one, 'One.')]), 'Nothing more to say.')
    await button(page, 'Process with AI').click()
    await expect(page.getByText('1 media item has no answer yet.')).toBeVisible()
    ai.modelSays(jsonBlock([item(other, 'Two.')]))
    await button(page, 'Continue with the remaining one').click()
    await expect(page.getByRole('group', { name: `Proposed texts of Second ${word}` })).toContainText('Two.')
    await expect(page.getByRole('group', { name: `Proposed texts of First ${word}` })).toContainText('One.')
    for (const none of await eachOf(page.getByRole('button', { name: 'Accept none' }))) await none.click()
    await button(page, 'Save Standardized Translations').click({ force: true })
    await expect(page.getByText('No standardized data to save')).toBeVisible()
  })
})

test('translations are enhanced in the editor, and accepted ones are merged @phone', async ({ page, ai }) => {
  const word = aWord()
  const media = await ai.create<Media>('media', mediaNamed(`Lamp ${word}`))
  await page.goto(`${ai.url}/media/${media._id}/edit`)
  ai.modelSays(
    jsonBlock({
      en: { title: `The Lamp ${word}`, description: 'A lamp burns.' },
      zh: { title: `灯 ${word}`, description: '' },
    }),
  )
  await button(page, 'AI Enhance Translations').click()
  await expect(response(page)).toHaveValue(/A lamp burns/)
  await expect(page.getByRole('checkbox', { name: 'Accept: Title · English' })).not.toBeChecked()
  await noViolations(page)
  await noSidewaysScroll(page)
  await button(page, 'Merge 2 texts').click()
  await expect(page.getByText('Translations enhanced successfully')).toBeVisible()
  await expect(content(page)).toContainText('A lamp burns.')
  // The focus was on a button that is gone.
  await page.keyboard.press('Control+z')
  await expect(content(page)).not.toContainText('A lamp burns.')
  await page.keyboard.press('Control+y')
  await expect(content(page)).toContainText('A lamp burns.')
  await expect(content(page)).toContainText(`Lamp ${word}`)
  await saveChanges(page).click()
  await expect(page.getByText('Media updated successfully')).toBeVisible()
  const { translations } = await ai.find<Media>(`/api/media/${media._id}`)
  expect(translations).toEqual({
    en: { title: `Lamp ${word}`, description: 'A lamp burns.' },
    zh: { title: `灯 ${word}`, description: '' },
  })
  const { data } = await ai.find<{ data: { origin: string }[] }>(
    `/api/revisions?entityType=Media&entityId=${media._id}`,
  )
  expect(data[0]?.origin).toBe('ai')
})

base('without a model, reference data is used and named as the source', async ({ signedIn: page }) => {
  await page.goto('/media/compare')
  await expect(page.getByText('No AI model is set up')).toBeVisible()
  await topic(page).fill('鋼の錬金術師')
  await button(page, 'Generate').click()
  await expect(box(page, 1)).toContainText('Reference data')
  await expect(box(page, 1)).toContainText('bangumi-data (CC BY 4.0)')
  await box(page, 2)
    .getByRole('button', { name: 'Stop' })
    .click({ timeout: 3000 })
    .catch(() => undefined)
  await button(page, 'Select all of source 1').click()
  await expect(selected(page).getByText('Fullmetal Alchemist').first()).toBeVisible()
  await noViolations(page)
  await noSidewaysScroll(page)

  await test.step('the screens are accessible in Chinese and in the dark theme', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.goto('/media/compare')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('AI 对比')
    await noViolations(page)
    await page.goto('/media/standardize')
    await expect(page.getByText('尚未选择作品')).toBeVisible()
    await noViolations(page)
  })
})

const mediaNamed = (title: string) => ({
  mediaType: 'ANIME',
  translations: { en: { title, description: '' } },
  isOngoing: false,
  releaseDate: '2011-04-07T00:00:00.000Z',
})
