import type { Media } from '@mokuroku/contract/media'
import type { APIRequestContext, Page } from '@playwright/test'
import { aMedia, aWord } from './support/catalogue.ts'
import { content, problems, save, write } from './support/editor.ts'
import { expect, fillSignIn, noSidewaysScroll, noViolations, signIn, test } from './support/fixtures.ts'
import { aPerson } from './support/people.ts'
import { attributeOf, storedToken } from './support/reading.ts'

// Refused calls are logged in the browser's console, by the browser and by the console app.
const REFUSED = [
  /Failed to load resource: .* (40[014]|412|500)|changed since you opened it|Some values|not found|HTTP 500|Please sign in/,
]

const edit = (media: Media) => `/media/${media._id}/edit`

/** Opens an editor and waits until it accepts input. */
async function open(page: Page, path: string) {
  await page.goto(path)
  // The editor is a separate chunk, and the largest one.
  await expect(content(page)).toBeVisible({ timeout: 20_000 })
}

const fields = (media: Media) => {
  const { mediaType, translations, originalTitle, isOngoing, releaseDate, duration, episodes } = media
  return { mediaType, translations, originalTitle, isOngoing, releaseDate, duration, episodes }
}
const titled = (media: Media, en: object, more: object = {}) => ({
  ...fields(media),
  translations: { ...media.translations, en: { ...media.translations.en, ...en } },
  ...more,
})

async function stored(request: APIRequestContext, token: string, { _id }: { _id: string }): Promise<Media> {
  const answer = await request.get(`/api/media/${_id}`, { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as Media
}

/** Saves a media item through the API, as a second writer. */
async function put(request: APIRequestContext, token: string, { _id, version }: Media, data: object) {
  const headers = { authorization: `Bearer ${token}`, 'if-match': `"${version}"` }
  const answer = await request.put(`/api/media/${_id}`, { data, headers })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as Media
}

/** A media item whose texts show which writer changed them. */
const novel = (request: APIRequestContext, token: string) =>
  aMedia(request, token, {
    mediaType: 'NOVEL',
    originalTitle: 'こゝろ',
    translations: {
      en: { title: aWord(), description: 'A student meets Sensei on a beach.' },
      ja: { title: 'こころ', description: '先生と私の出会いを描く長編小説。' },
    },
  })

test('a new media item starts with the defaults, and can be saved', async ({ signedIn: page }) => {
  await open(page, '/media/new')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create New Media')
  await expect(content(page)).toHaveAttribute('aria-label', /Create New Media/)
  await expect(content(page)).toContainText('"mediaType": "ANIME"')
  await expect(page.locator('.cm-editor')).toHaveCSS('height', '500px')
  const title = aWord()
  await write(page, {
    mediaType: 'NOVEL',
    translations: { en: { title, description: '' } },
    isOngoing: false,
    releaseDate: '1914-04-20T00:00:00Z',
  })
  await save(page).click()
  await expect(page.getByText('Media saved successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/media\/[\da-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
})

test('an edit is saved with the keyboard, only once, and clears removed fields', async ({
  signedIn: page,
  request,
  token,
}) => {
  await test.step('saves the edit, and clears removed fields', async () => {
    const media = await novel(request, token)
    await open(page, edit(media))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit Media')
    await expect(page.getByText('No changes', { exact: true })).toBeVisible()
    const title = aWord()
    await write(page, titled(media, { title }, { originalTitle: undefined, episodes: 3 }))
    await page.keyboard.press('ControlOrMeta+s')
    await expect(page.getByText('Media updated successfully')).toBeVisible()
    await expect(page).toHaveURL('/media')
    const now = await stored(request, token, media)
    expect(now).toMatchObject({ translations: { en: { title } }, episodes: 3, version: media.version + 1 })
    expect(now).not.toHaveProperty('originalTitle')
    await open(page, edit(media))
    await expect(content(page)).toContainText(title)
    await expect(page.getByText('unsaved draft')).toHaveCount(0)
  })

  await test.step('saves once if the shortcut is pressed repeatedly', async () => {
    const media = await novel(request, token)
    let sent = 0
    const seen = Promise.withResolvers<void>()
    await page.route(`**/api/media/${media._id}`, async (route) => {
      if (route.request().method() === 'PUT') {
        sent++
        await seen.promise
      }
      await route.continue()
    })
    await open(page, edit(media))
    await write(page, titled(media, { title: aWord() }))
    for (let times = 0; times < 3; times++) await page.keyboard.press('ControlOrMeta+s')
    await expect(page.getByRole('button', { name: 'Saving…' })).toBeVisible()
    await page.keyboard.type('lost?')
    await expect(content(page)).not.toContainText('lost?')
    seen.resolve()
    await expect(page).toHaveURL('/media')
    expect(sent).toBe(1)
  })
})

test('errors and warnings are marked while typing, and link to their place', async ({
  signedIn: page,
  request,
  token,
}) => {
  await test.step('errors prevent saving', async () => {
    const media = await novel(request, token)
    await open(page, edit(media))
    await write(page, titled(media, { title: 3 }, { mediaType: 'OPERA', more: 1 }))
    await expect(page.locator('.cm-lintRange-error')).toHaveText(['"OPERA"', '3', /1|"more"/])
    await expect(page.locator('.cm-lint-marker-error')).toHaveCount(3)
    await save(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Validation errors:' })).toBeVisible()
    await expect(problems(page).getByRole('button')).toHaveText([
      'mediaType: Must be one of ANIME, MANGA, NOVEL',
      'translations.en.title: Must be text',
      'more: Unknown field',
    ])
    await problems(page).getByRole('button', { name: 'translations.en.title' }).click()
    await expect(content(page)).toBeFocused()
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('3')
    await page.keyboard.insertText('"mended"')
    await expect(problems(page).getByRole('button')).toHaveCount(2)
    expect((await stored(request, token, media)).version).toBe(media.version)
  })

  page.on('dialog', (dialog) => void dialog.accept())
  await test.step('warnings do not prevent saving', async () => {
    const media = await aMedia(request, token)
    await open(page, edit(media))
    const copy = { title: `犬夜叉 ${media._id.slice(-6)}`, description: '' }
    const translations = { en: media.translations.en, ja: copy, 'zh-Hans': copy }
    await write(page, { ...fields(media), translations })
    const warnings = page.locator('#warnings')
    const line = warnings.getByRole('button', {
      name: 'translations.zh-Hans.title: The text in Simplified Chinese equals',
    })
    await expect(line).toBeVisible()
    await expect(problems(page)).toBeHidden()
    await expect(page.locator('.cm-lintRange-warning').filter({ hasText: copy.title })).toBeVisible()
    await noViolations(page)
    await line.click()
    await expect(content(page)).toBeFocused()
    await save(page).click()
    await expect(page.getByText('Media updated successfully')).toBeVisible()
    const found = await request.get(`/api/findings/${media._id}`, { headers: { authorization: `Bearer ${token}` } })
    expect(((await found.json()) as { data: object[] }).data).toContainEqual(
      expect.objectContaining({ code: 'copied', language: 'zh-Hans', field: 'title' }),
    )
  })
})

test('completes field names, values, ids and languages, and always inserts valid JSON', async ({
  signedIn: page,
  request,
  token,
}) => {
  await aMedia(request, token, { translations: { 'pt-BR': { title: aWord(), description: '' } } })
  const related = await novel(request, token)
  const options = page.locator('.cm-tooltip-autocomplete').getByRole('option')
  await open(page, '/media/new')

  await test.step('completes a field and an id, and shows the name of the id', async () => {
    const word = related.translations.en?.title ?? ''
    await write(page, '{\n  \n}')
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('"med')
    await expect(options.first()).toContainText('"mediaType"')
    await page.keyboard.press('Enter')
    await expect(content(page)).toContainText('"mediaType": "ANIME"')
    await page.keyboard.type(',\n"rel')
    await expect(options.first()).toContainText('"relatedMedia"')
    await page.keyboard.press('Enter')
    await page.keyboard.type(`"${word.slice(0, 6)}`)
    await expect(options.filter({ hasText: word })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(content(page)).toContainText(`"relatedMedia": ["${related._id}"“${word}”]`)
  })

  await test.step('inserts commas, quotes and duplicates correctly', async () => {
    const other = await novel(request, token)
    const word = (media: Media) => media.translations.en?.title ?? ''
    await write(page, '{\n"translations": {\n"en": { "title": "", "description": "" } },\n"relatedMedia": []\n}')
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('"zh-Han')
    await expect(options.first()).toContainText('"zh-Hans"')
    await page.keyboard.press('Enter')
    await expect(content(page)).toContainText('"zh-Hans": { "title": "", "description": "" },')
    await page.keyboard.type('心')
    await expect(content(page)).toContainText('"zh-Hans": { "title": "心", "description": "" },')
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    // Enter waits for the search results, and the cursor then is after the closing quote.
    await page.keyboard.type(`"${word(related)}`)
    await page.keyboard.press('Enter')
    await expect(content(page)).toContainText(`"relatedMedia": ["${related._id}"“${word(related)}”]`)
    await page.keyboard.type(`, "${word(other)}`)
    await page.keyboard.press('Enter')
    await expect(content(page)).toContainText(`"${other._id}"“${word(other)}”]`)
    await page.keyboard.type(`, "${word(related)}`)
    await page.keyboard.press('Enter')
    await expect(options).toHaveCount(0)
    await expect(content(page)).toContainText(`, "${word(related)}"`)
    await expect(page.locator('.cm-line').last()).toHaveText('}')
  })

  await test.step('offers the languages in use as well as the common ones', async () => {
    await write(page, '{\n"translations": {\n}\n}')
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('"pt')
    await expect(page.locator('.cm-tooltip-autocomplete').getByRole('option')).toHaveText([/^"pt-BR"/])
    await page.keyboard.press('Enter')
    await expect(content(page)).toContainText('"pt-BR": { "title": "", "description": "" }')
  })
})

test('typing in a string keeps it valid, find and replace works, and Tab leaves the editor', async ({
  signedIn: page,
  context,
}) => {
  await open(page, '/media/new')

  await test.step('Enter, pasted text and undone completions keep a string valid', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await write(page, '{ "originalTitle": "Kokoro" }')
    await page.keyboard.press('Home')
    for (let at = 0; at < '{ "originalTitle": "Ko'.length; at++) await page.keyboard.press('ArrowRight')
    await page.evaluate(() => navigator.clipboard.writeText('one\n"two"\t'))
    await page.keyboard.press('ControlOrMeta+v')
    await expect(content(page)).toContainText(String.raw`"Koone\n\"two\"\tkoro"`)
    await page.keyboard.press('Enter')
    await page.keyboard.type(', "isOn')
    await expect(page.locator('.cm-tooltip-autocomplete').getByRole('option').first()).toContainText('"isOngoing"')
    await page.keyboard.press('Enter')
    await expect(content(page)).toHaveText(String.raw`{ "originalTitle": "Koone\n\"two\"\tkoro", "isOngoing": false }`)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(content(page)).toHaveText(String.raw`{ "originalTitle": "Koone\n\"two\"\tkoro", "isOn" }`)
  })

  await test.step('the find panel finds and replaces, and returns the focus', async () => {
    await write(page, '{ "a": "one", "b": "One", "c": "one" }')
    await page.keyboard.press('ControlOrMeta+f')
    const panel = page.getByRole('search', { name: 'Find and replace' })
    const find = panel.getByRole('textbox', { name: 'Find' })
    await expect(find).toBeFocused()
    await page.keyboard.type('one')
    await expect(panel.getByRole('status')).toHaveText('3 matches')
    await page.keyboard.press('Enter')
    await expect(panel.getByRole('status')).toHaveText('1 of 3')
    await page.keyboard.press('Shift+Enter')
    await expect(panel.getByRole('status')).toHaveText('3 of 3')
    await panel.getByRole('button', { name: 'Match case' }).click()
    await expect(panel.getByRole('status')).toHaveText('2 of 2')
    await panel.getByRole('textbox', { name: 'Replace with' }).fill('two')
    await panel.getByRole('button', { name: 'Replace all' }).click()
    await expect(content(page)).toHaveText('{ "a": "two", "b": "One", "c": "two" }')
    await panel.getByRole('button', { name: 'Regular expression' }).click()
    await find.fill('(')
    await expect(panel.getByText('This is not a valid regular expression')).toBeVisible()
    await noSidewaysScroll(page)
    await noViolations(page)
    await find.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(content(page)).toBeFocused()
  })

  await test.step('Tab leaves the editor', async () => {
    await content(page).click()
    await page.keyboard.press('Tab')
    await expect(content(page)).not.toBeFocused()
  })
})

test('asks before leaving only if there are unsaved changes', async ({ signedIn: page, request, token }) => {
  const media = await novel(request, token)
  const back = page.getByRole('link', { name: 'Back to Media List' })
  await open(page, edit(media))
  await back.click()
  await expect(page).toHaveURL('/media')
  // Filtered, because other tests may add media to the unfiltered list at any time.
  const list = `/media?search=${media.translations.en?.title}`
  await page.goto(list)
  await page.getByRole('link', { name: `Edit ${media.translations.en?.title}` }).click()
  await expect(content(page)).toBeVisible()
  await write(page, titled(media, { title: 'Mine' }))
  await back.click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL(edit(media))
  await expect(content(page)).toContainText('Mine')
  await page.goBack()
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(edit(media))
  await back.click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(list)
})

test.describe('editing from a list', () => {
  test.use({ expectedErrors: REFUSED })

  test('saving returns to the same page, filters, sort order, scroll position and row', async ({
    signedIn: page,
    request,
    token,
  }) => {
    const word = aWord()
    for (let at = 0; at < 12; at++) await aMedia(request, token, { title: `${word} ${at}`, mediaType: 'MANGA' })
    await page.setViewportSize({ width: 1440, height: 300 })
    const list = `/media?page=2&search=${word}&sort=createdAt&type=MANGA`
    const row = page.getByRole('link', { name: `${word} 11`, exact: true })
    const scrolled = () => page.evaluate(() => scrollY)
    const text = (description: string) => ({
      mediaType: 'MANGA',
      translations: { en: { title: `${word} 11`, description } },
      isOngoing: false,
      releaseDate: '1914-04-20T00:00:00Z',
    })
    const editFromRow = async () => {
      await page.goto(list)
      await expect(row).toBeVisible()
      await page.evaluate(() => scrollTo(0, 90))
      await expect.poll(scrolled).toBe(90)
      // Not click(), which would first scroll the row into view.
      await page.getByRole('link', { name: `Edit ${word} 11` }).dispatchEvent('click')
      await expect(content(page)).toContainText(word)
    }

    await test.step('after a reload of the editor', async () => {
      await editFromRow()
      await page.reload()
      await expect(content(page)).toContainText(word)
      await write(page, text(''))
      await save(page).click()
      await expect(page).toHaveURL(list)
      await expect(row).toBeFocused()
      await expect(row).toBeInViewport()
      await expect.poll(scrolled).toBe(90)
      await page.keyboard.press('k')
      await expect(page.getByRole('link', { name: `${word} 10`, exact: true })).toBeFocused()
    })

    await test.step('after signing in while editing', async () => {
      await editFromRow()
      const editor = page.url()
      await write(page, text('Later'))
      await page.route('**/api/media/*', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 401, json: { message: 'Please sign in.' } })
          : route.fallback(),
      )
      await save(page).click()
      await expect(page).toHaveURL('/login')
      await page.unroute('**/api/media/*')
      await page.reload()
      await fillSignIn(page)
      await expect(page).toHaveURL(editor)
      await expect(content(page)).toContainText(word)
      await write(page, { ...text('Later'), isOngoing: true })
      await save(page).click()
      await expect(page).toHaveURL(list)
      await expect(row).toBeFocused()
      await expect.poll(scrolled).toBe(90)
    })
  })
})

test('an entity that was opened from a list links back to its row there', async ({ signedIn: page }) => {
  // Oldest first, so that media created by other tests do not shift the rows.
  for (const list of [
    '/media?page=2&sort=createdAt&type=ANIME',
    '/characters?page=2&sort=createdAt',
    '/tags?sort=createdAt&type=GENRE',
    '/assets?type=IMAGE',
    '/ratings?limit=25',
    '/users?role=admin&sort=createdAt',
    '/score-permissions',
  ]) {
    const path = list.replace(/\?.*/, '')
    const first = page.locator(`[data-list-row] a[href^="${path}/"]`).first()
    await page.goto(list)
    const opened = page.locator(`a[href="${await attributeOf(first, 'href')}"]`)
    await first.click()
    const back = page.locator(`main header a[href="${list}"]`)
    await expect(back).toBeVisible()
    // Wait for loading to end: if the link is replaced between mouse down and mouse up, there is no click.
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    await back.click()
    await expect(page).toHaveURL(list)
    const row = page.locator('[data-list-row]').filter({ has: opened })
    await expect(row.locator('a, button').first()).toBeFocused()
  }
})

test('a reload asks first and offers the draft, and a discarded draft can be recovered', async ({
  signedIn: page,
  request,
  token,
}) => {
  const media = await novel(request, token)
  await open(page, edit(media))

  await test.step('a draft is restored', async () => {
    const mine = aWord()
    await write(page, titled(media, { title: mine }))
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    // Reload at once: the draft is also saved when the page unloads, not only after the debounce.
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
    await expect(page.getByText('You have an unsaved draft from')).toBeVisible()
    await expect(page.getByText('The entry has not changed since then.')).toBeVisible()
    await expect(content(page)).not.toContainText(mine)
    await page.getByRole('button', { name: 'Restore draft' }).click()
    await expect(content(page)).toContainText(mine)
    await content(page).click()
    await page.keyboard.press('ControlOrMeta+z')
    await expect(content(page)).not.toContainText(mine)
    await page.keyboard.press('ControlOrMeta+Shift+z')
    await expect(content(page)).toContainText(mine)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await expect(content(page)).not.toContainText(mine)
    await page.reload()
    await expect(content(page)).toBeVisible()
    await expect(page.getByText('You have an unsaved draft from')).toHaveCount(0)
  })

  await test.step('a discarded draft is recovered with Undo', async () => {
    const mine = aWord()
    await write(page, titled(media, { title: mine }))
    await page.reload()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByText('You have an unsaved draft from')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Restore draft' }).click()
    await expect(content(page)).toContainText(mine)
  })
})

test.describe('when the session ends while the user is editing', () => {
  test.use({ expectedErrors: REFUSED })
  test('the draft is kept, and signing in returns to the editor', async ({ page, request, token }) => {
    const media = await novel(request, token)
    await signIn(page)
    const own = await storedToken(page)
    await open(page, edit(media))
    const mine = aWord()
    await write(page, titled(media, { title: mine }))
    await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${own}` } })
    await page.keyboard.press('ControlOrMeta+s')
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Session expired. Please login again.')).toBeVisible()
    await fillSignIn(page)
    await expect(page).toHaveURL(edit(media))
    await page.getByRole('button', { name: 'Restore draft' }).click()
    await expect(content(page)).toContainText(mine)
    await save(page).click()
    await expect(page).toHaveURL('/media')
    expect((await stored(request, token, media)).translations.en?.title).toBe(mine)
  })
})

test.describe('conflicting changes', () => {
  test.use({ expectedErrors: REFUSED })

  test('are resolved one by one, can be postponed, and are also detected for a draft', async ({
    signedIn: page,
    request,
    token,
  }) => {
    const { token: theirToken } = await aPerson(request, token, { role: 'moderator' })
    await test.step('are resolved one by one, and all other changes of both are kept', async () => {
      const media = await novel(request, token)
      await open(page, edit(media))
      await write(page, {
        ...titled(media, { title: 'Mine', description: 'A student meets Sensei on a warm beach.' }),
        originalTitle: undefined,
        episodes: 7,
      })
      const theirs = titled(
        media,
        { title: 'Theirs', description: 'A student meets Sensei near a beach.' },
        { duration: 9 },
      )
      await put(request, theirToken, media, theirs)
      await page.keyboard.press('ControlOrMeta+s')
      const panel = page.getByRole('region', { name: 'Someone else changed this' })
      await expect(panel.getByRole('heading')).toBeFocused()
      await expect(panel.getByRole('group')).toHaveCount(2)
      await expect(panel).toContainText('Your other changes (kept): original title, episodes')
      await expect(panel).toContainText('Their other changes (kept): duration (minutes)')
      const description = panel.getByRole('group', { name: 'Description (English)' })
      await expect(description.locator('ins')).toHaveText(['warm ', 'near'])
      await expect(description.locator('[lang=en]').first()).toBeVisible()
      // Not all conflicts are resolved yet.
      await panel.getByRole('button', { name: 'Save merged' }).click({ force: true })
      await expect(page.getByText('Resolve every conflict first.')).toBeVisible()
      const title = panel.getByRole('group', { name: 'Title (English)' })
      await title.getByRole('radio', { name: /^Mine/ }).focus()
      await page.keyboard.press('Space')
      await description.getByRole('radio', { name: /^Mine/ }).focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await expect(description.getByRole('radio', { name: /^Theirs/ })).toBeChecked()
      await expect(panel).toContainText('2 of 2 chosen')
      await panel.getByRole('button', { name: 'Save merged' }).click()
      await expect(page).toHaveURL('/media')
      const now = await stored(request, token, media)
      expect(now).toMatchObject({
        translations: { en: { title: 'Mine', description: 'A student meets Sensei near a beach.' } },
        episodes: 7,
        duration: 9,
      })
      expect(now).not.toHaveProperty('originalTitle')
    })

    await test.step('can be postponed without losing text, and are shown again on the next save', async () => {
      const media = await novel(request, token)
      await open(page, edit(media))
      await write(page, titled(media, { title: 'Mine' }))
      const second = await put(request, theirToken, media, titled(media, { title: 'Theirs' }))
      await save(page).click()
      await page.getByRole('button', { name: 'Back to editing' }).click()
      await expect(content(page)).toContainText('Mine')
      await save(page).click()
      await page.getByRole('button', { name: 'All mine' }).click()
      // A third version is saved meanwhile: the user is asked again, with that version.
      await put(request, theirToken, second, titled(media, { title: 'Third' }))
      await page.getByRole('button', { name: 'Save merged' }).click()
      await expect(page.getByRole('group', { name: 'Title (English)' })).toContainText('Third')
      await expect(page.getByText('0 of 1 chosen')).toBeVisible()
      await page.getByRole('button', { name: 'All theirs' }).click()
      await page.keyboard.press('ControlOrMeta+s')
      await expect(page).toHaveURL('/media')
      expect((await stored(request, token, media)).translations.en?.title).toBe('Third')
    })

    await test.step('are detected for a draft that is based on an older version', async () => {
      const media = await novel(request, token)
      await open(page, edit(media))
      await write(page, titled(media, { title: 'Mine' }))
      await put(request, theirToken, media, titled(media, { title: 'Theirs' }))
      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await expect(page.getByText('The entry has changed since then.')).toBeVisible()
      await page.getByRole('button', { name: 'Restore draft' }).click()
      await expect(content(page)).toContainText('Mine')
      await save(page).click()
      await expect(page.getByRole('group', { name: 'Title (English)' })).toContainText('Theirs')
      expect((await stored(request, token, media)).translations.en?.title).toBe('Theirs')
    })
  })
})

test.describe(() => {
  test.use({ expectedErrors: REFUSED })

  test('the editor and the conflict screen are accessible and fit @phone', async ({
    signedIn: page,
    request,
    token,
  }) => {
    await test.step('problems, a draft, and the find panel', async () => {
      const media = await novel(request, token)
      await open(page, edit(media))
      await write(page, titled(media, { title: 3 }, { relatedMedia: [media._id], mediaType: 'OPERA' }))
      await expect(page.locator('.cm-title')).toHaveText(`“${media.translations.en?.title}”`)
      await save(page).click()
      await expect(page.getByRole('alert').filter({ hasText: 'Validation errors:' })).toBeVisible()
      await noSidewaysScroll(page)
      await noViolations(page)
      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await expect(page.getByRole('button', { name: 'Restore draft' })).toBeVisible()
      await content(page).click()
      await page.keyboard.press('ControlOrMeta+f')
      await expect(page.getByRole('search', { name: 'Find and replace' })).toBeVisible()
      await noSidewaysScroll(page)
      await noViolations(page)
    })

    await test.step('the conflict screen', async () => {
      const media = await novel(request, token)
      await open(page, edit(media))
      await write(page, titled(media, { title: 'Mine', description: '長い文章'.repeat(60) }))
      await put(request, token, media, titled(media, { title: 'Theirs', description: '長い文書'.repeat(60) }))
      await save(page).click()
      await expect(page.getByText('0 of 2 chosen')).toBeVisible()
      await page.getByRole('button', { name: 'All of this window' }).click()
      await noSidewaysScroll(page)
      await noViolations(page)
    })
  })
})
