import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

// What a test reads to go on with. What it expects is left to assertions that wait: lint refuses reads elsewhere.

/** The value of an attribute, once it has one. */
export async function attributeOf(locator: Locator, name: string): Promise<string> {
  await expect(locator).toHaveAttribute(name, /./)
  return (await locator.getAttribute(name)) ?? ''
}

/** The text of an element, once it has some. */
export async function textOf(locator: Locator): Promise<string> {
  await expect(locator).toHaveText(/\S/)
  return locator.innerText()
}

/** How large an element is shown, in CSS pixels; for `expect.poll`. */
export const heightOf = (locator: Locator) => async (): Promise<number> => (await locator.boundingBox())?.height ?? 0

/** How far below the top of the window an element is shown, in CSS pixels; for `expect.poll`. */
export const topOf = (locator: Locator) => async (): Promise<number> => (await locator.boundingBox())?.y ?? 0

/** The elements that a locator finds now; for lists that an assertion has found complete. */
export const eachOf = (locator: Locator): Promise<Locator[]> => locator.all()

/** The session's token, as the console keeps it. */
export const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('authToken'))
