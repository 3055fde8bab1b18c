// The form view of the editor, in a browser: keyboard use, layout, and synchronization with the JSON view.
import { authApi } from '@mokuroku/contract/auth'
import type { Media } from '@mokuroku/contract/media'
import type { APIRequestContext, Page } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord } from './support/catalogue.ts'
import { content, save, written } from './support/editor.ts'
import { aPixel } from './support/files.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, aTier, aUser, become, type Person } from './support/people.ts'
import { leftOf, topOf } from './support/reading.ts'

const form = (page: Page) => page.getByRole('group', { name: /: form$/ })
const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/

/** Signs in with a new account that prefers the form; preferences are stored, so the account is not shared. */
async function aFormUser(page: Page, request: APIRequestContext, token: string): Promise<Person> {
  const person = await aPerson(request, token, { role: 'admin' })
  const headers = { authorization: `Bearer ${person.token}` }
  const data = { columns: {}, editor: 'form' }
  const answer = await request.put(authApi.updatePreferences.path, { data, headers })
  expect(answer.status(), await answer.text()).toBe(200)
  await become(page, person)
  return person
}

/** Pastes a file, as if from the clipboard. */
const pasteImage = (page: Page, name: string) =>
  page.evaluate(
    ([bytes, filename]) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(bytes)], filename, { type: 'image/png' }))
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    },
    [[...aPixel()], name] as const,
  )

test('a whole novel can be entered with the keyboard alone, without seeing an id', async ({ page, request, token }) => {
  await aFormUser(page, request, token)
  const [tags, character] = [[aWord(), aWord()], aWord()]
  for (const name of tags) await aTag(request, token, { name })
  await aCharacter(request, token, { name: character })
  const [title, newTag, newCharacter] = [aWord(), aWord(), aWord()]
  let actions = 0
  const type = async (text: string) => {
    actions += 1
    await page.keyboard.insertText(text)
  }
  const press = async (key: string) => {
    actions += 1
    await page.keyboard.press(key)
  }
  const tabTo = async (name: string) => {
    const field = form(page).getByLabel(name, { exact: true })
    for (let times = 0; times < 20; times += 1) {
      if (await field.evaluate((element) => element === document.activeElement)) return
      await press('Tab')
    }
    throw new Error(`${name} is not reached by Tab`)
  }
  const pick = async (name: string, option: string) => {
    await tabTo(name)
    await type(option)
    await expect(page.getByRole('listbox').getByRole('option').first()).toContainText(option)
    await press('Enter')
    await expect(form(page).getByRole('button', { name: `Remove ${option}` })).toBeVisible()
  }

  await page.goto('/media/new')
  await form(page).getByLabel('Title (English)').click()
  await type(title)
  await tabTo('Description (English)')
  await type('A student meets Sensei on a beach.')
  await tabTo('Title (Chinese)')
  await type('心')
  await pasteImage(page, `${title}.png`)
  actions += 1
  await expect(form(page).getByRole('img', { name: `${title}.png` })).toBeVisible()
  await tabTo('Type')
  await press('n')
  await tabTo('Ongoing')
  await press('ArrowLeft')
  await tabTo('Release date')
  await press('ControlOrMeta+a')
  await type('20 Apr 1914')
  await pick('Add characters', character)
  await pick('Add characters', newCharacter)
  for (const name of [...tags, newTag]) await pick('Add tags', name)
  await expect(page.getByRole('main')).not.toContainText(ID, { useInnerText: true })
  await noViolations(page)
  await press('ControlOrMeta+s')
  await expect(page).toHaveURL(/\/media\/[\da-f-]{36}$/)
  // Half of the actions move from field to field.
  expect(actions).toBeLessThan(60)

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const answer = await request.get(`/api/media/${id}`, { headers: { authorization: `Bearer ${token}` } })
  const media = (await answer.json()) as Media
  expect(media).toMatchObject({
    mediaType: 'NOVEL',
    isOngoing: false,
    releaseDate: '1914-04-20T00:00:00.000Z',
    translations: { en: { title, description: 'A student meets Sensei on a beach.' }, zh: { title: '心' } },
  })
  expect([media.tags.length, media.characters.length, media.cover !== '']).toEqual([3, 2, true])
})

test('a shortcut switches between form and JSON at the same field, and undo works across both', async ({
  page,
  request,
  token,
}) => {
  await aFormUser(page, request, token)
  const { _id } = await aMedia(request, token, { title: 'Kokoro' })
  await page.goto(`/media/${_id}/edit`)
  await form(page).getByLabel('Title (English)').click()
  await page.keyboard.press('End')
  // Inserted at once, because slow typing would be undone in several steps.
  await page.keyboard.insertText(' (1914)')
  await page.keyboard.press('ControlOrMeta+e')
  await expect(content(page)).toBeFocused()
  await expect(form(page)).toHaveCount(0)
  expect(JSON.parse(await written(page))).toMatchObject({ translations: { en: { title: 'Kokoro (1914)' } } })
  // The title is selected.
  await page.keyboard.insertText('"Botchan"')
  await page.keyboard.press('ControlOrMeta+e')
  await expect(form(page).getByLabel('Title (English)')).toBeFocused()
  await expect(form(page).getByLabel('Title (English)')).toHaveValue('Botchan')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(form(page).getByLabel('Title (English)')).toHaveValue('Kokoro (1914)')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(form(page).getByLabel('Title (English)')).toHaveValue('Kokoro')
  await expect(page.getByText('No changes', { exact: true })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(form(page).getByLabel('Title (English)')).toHaveValue('Kokoro (1914)')
  await save(page).click()
  await expect(page.getByText('Media updated successfully')).toBeVisible()
})

test('the shortcut shows the place of the JSON also in a form whose code is not loaded yet', async ({
  page,
  request,
  token,
}) => {
  await become(page, await aPerson(request, token, { role: 'admin' }))
  const { _id } = await aMedia(request, token, { title: 'Kokoro' })
  await page.goto(`/media/${_id}/edit`)
  await content(page).getByText('"Kokoro"').first().click()
  await page.keyboard.press('ControlOrMeta+e')
  await expect(form(page).getByLabel('Title (English)')).toBeFocused()
})

test('keys on the list of languages open it, and add no language that is only passed', async ({
  page,
  request,
  token,
}) => {
  await aFormUser(page, request, token)
  await page.goto('/media/new')
  const languages = form(page).getByLabel('Add a language', { exact: true })
  const isOpen = expect.poll(() => languages.evaluate((list) => list.matches(':open')))
  for (const key of ['ArrowDown', 't']) {
    await languages.press(key)
    await isOpen.toBe(true)
    await page.keyboard.press('Escape')
    await isOpen.toBe(false)
    await expect(form(page).getByLabel(/^Title \(/)).toHaveCount(2)
  }
})

test('saving stays in sight, and so does the field that was refused', async ({ page, request, token }) => {
  await aFormUser(page, request, token)
  page.on('dialog', (dialog) => void dialog.accept())
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto('/media/new')
    const title = form(page).getByLabel('Title (English)')
    await expect(title).toBeVisible()
    await expect(save(page)).toBeInViewport({ ratio: 1 })
    await title.fill('x'.repeat(1500))
    await page.keyboard.press('ControlOrMeta+s')
    await expect(title).toBeFocused()
    await expect(title).toHaveAttribute('aria-invalid', 'true')
    await expect(title).toBeInViewport({ ratio: 1 })
    await expect(save(page)).toBeInViewport({ ratio: 1 })
    await expect(page.getByText('Unsaved changes · a draft is kept on this device')).toBeInViewport()
  }
})

test('an image can be dropped on the cover', async ({ page, request, token }) => {
  await aFormUser(page, request, token)
  const { _id } = await aMedia(request, token)
  await page.goto(`/media/${_id}/edit`)
  const data = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(bytes)], 'dropped.png', { type: 'image/png' }))
      return transfer
    },
    [...aPixel()],
  )
  await form(page).getByText('No image').dispatchEvent('drop', { dataTransfer: data })
  await expect(form(page).getByRole('img', { name: 'dropped.png' })).toBeVisible()
})

test('the form of every kind fits and is accessible @phone', async ({ page, request, token }) => {
  await aFormUser(page, request, token)
  const [media, tag, character, user, tier] = [
    await aMedia(request, token),
    await aTag(request, token),
    await aCharacter(request, token),
    await aUser(request, token),
    await aTier(request, token),
  ]
  for (const path of [
    `/media/${media._id}`,
    `/tags/${tag._id}`,
    `/characters/${character._id}`,
    `/users/${user._id}`,
    `/score-permissions/${tier._id}`,
  ]) {
    await page.goto(`${path}/edit`)
    await expect(form(page)).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await noSidewaysScroll(page)
    await noViolations(page)
  }

  await test.step('a checkbox has no space for a label above it, except beside fields that have one', async () => {
    const [field, checkbox] = [form(page).getByLabel('Required score'), form(page).getByLabel('Active')]
    const isBelow = (await leftOf(checkbox)()) - (await leftOf(field)()) < 100
    const distance = async () => (await topOf(checkbox)()) - (await topOf(field)())
    await expect.poll(distance).toBeLessThan(isBelow ? 75 : 20)
  })
})
