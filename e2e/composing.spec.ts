// Input methods (IME) for Chinese, Japanese and Korean: text that is still being composed must not trigger anything.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import { aMedia, aWord } from './support/catalogue.ts'
import { content, write } from './support/editor.ts'
import { expect, hold, test } from './support/fixtures.ts'

/** Longer than the search debounce, in milliseconds. Waiting is the only way to see that no search is sent. */
const REST = 600

/** Simulates an input method: composes a text, handles a key press itself, and commits the text. */
async function inputMethod(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page)
  // The browser learns with the next frame which field is focused, and would end a composition that began before.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return {
    compose: (text: string) =>
      session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length }),
    press: async (key: string) => {
      const sent = { key, code: key, windowsVirtualKeyCode: 229 }
      await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...sent })
      await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...sent })
    },
    commit: (text: string) => session.send('Input.insertText', { text }),
  }
}

/** Records the search queries that the page sends. */
function searches(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (sent) => {
    const { pathname, searchParams } = new URL(sent.url())
    if (pathname === '/api/search') asked.push(searchParams.get('q') ?? '')
  })
  return asked
}

test('search and command palette ignore a text that is being composed, and the Enter key of its IME', async ({
  signedIn: page,
  request,
  token,
}) => {
  await test.step('the search box', async () => {
    const title = `源氏${aWord()}`
    await aMedia(request, token, { title })
    await page.goto('/media')
    const box = page.getByRole('combobox', { name: 'Search media' })
    await box.click()
    const asked = searches(page)
    const method = await inputMethod(page)
    for (const text of ['g', 'げ', 'げん', 'げんじ']) await method.compose(text)
    await expect(box).toHaveValue('げんじ')
    await sleep(REST)
    await method.press('Enter')
    await method.press('ArrowDown')
    expect(asked).toEqual([])
    await expect(page).toHaveURL('/media')
    await method.commit(title)
    await expect(box).toHaveValue(title)
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([new RegExp(title)])
    expect(asked).toEqual([title])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/media?search=${encodeURIComponent(title)}`)
  })

  await test.step('the command palette', async () => {
    const title = `心${aWord()}`
    await aMedia(request, token, { title })
    await page.goto('/media')
    await expect(page.getByRole('table', { name: 'Media List' }).getByRole('cell').first()).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    const box = page.getByRole('dialog').getByRole('combobox')
    await expect(box).toBeFocused()
    const asked = searches(page)
    const method = await inputMethod(page)
    for (const text of ['ko', 'こ', 'ここ', 'こころ']) await method.compose(text)
    await sleep(REST)
    await method.press('Enter')
    expect(asked).toEqual([])
    await expect(page).toHaveURL('/media')
    await method.commit(title)
    await expect(page.getByRole('option').filter({ hasText: title }).first()).toBeVisible()
    expect(new Set(asked)).toEqual(new Set([title]))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  })

  await test.step('the box in the place of the palette, whose code is loading', async () => {
    await page.goto('/media')
    await expect(page.getByRole('table', { name: 'Media List' }).getByRole('cell').first()).toBeVisible()
    const load = await hold(page, '**/*.js')
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
    const method = await inputMethod(page)
    await method.compose('ko')
    const arrived = page.waitForResponse(/\.js$/)
    load()
    await (await arrived).finished()
    await sleep(REST)
    await method.compose('こ')
    await method.commit('心')
    await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('心')
  })
})

test('the editor accepts composed text, and the Enter key of the IME accepts no completion', async ({
  signedIn: page,
}) => {
  await page.goto('/media/new')
  await write(page, '{\n"translations": {\n"ja": { "title": "" }\n}\n}')
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  for (let each = 0; each < '" }'.length; each++) await page.keyboard.press('ArrowLeft')
  const method = await inputMethod(page)
  for (const text of ['g', 'げ', 'げん', 'げんじ']) await method.compose(text)
  await expect(content(page)).toContainText('"ja": { "title": "げんじ" }')
  await method.press('Enter')
  await expect(content(page)).toContainText('"ja": { "title": "げんじ" }')
  await method.commit('源氏')
  await expect(content(page)).toContainText('"ja": { "title": "源氏" }')

  // In autocompletion, the Enter key of the input method does not accept an option.
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('"med')
  const options = page.locator('.cm-tooltip-autocomplete').getByRole('option')
  await expect(options.first()).toContainText('"mediaType"')
  await method.compose('い')
  await method.press('Enter')
  await expect(content(page)).not.toContainText('"mediaType"')
  await expect(content(page)).toContainText('"medい')
})
