import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** The content of the JSON editor. It is loaded as a separate chunk, so it may take a while to appear. */
export const content = (page: Page) => page.locator('.cm-content')
export const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
export const problems = (page: Page) => page.locator('#problems')

/** Replaces the whole text of the editor, as if it were pasted. */
export async function write(page: Page, value: unknown) {
  await content(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
}

/** The whole text of the editor, once it has loaded. */
export async function written(page: Page): Promise<string> {
  await expect(content(page).locator('.cm-line').last()).toHaveText('}')
  return (await content(page).locator('.cm-line').allTextContents()).join('\n')
}
