import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

// Functions that read a value which the test uses afterwards. Assertions must wait instead (scripts/readOnce.ts): lint
// reports reads in tests.

/** The value of an attribute, once it is not empty. */
export async function attributeOf(locator: Locator, name: string): Promise<string> {
  await expect(locator).toHaveAttribute(name, /./)
  return (await locator.getAttribute(name)) ?? ''
}

/** The text of an element, once it is not empty. */
export async function textOf(locator: Locator): Promise<string> {
  await expect(locator).toHaveText(/\S/)
  return locator.innerText()
}

/** The height of an element, in CSS pixels; for `expect.poll`. */
export const heightOf = (locator: Locator) => async (): Promise<number> => (await locator.boundingBox())?.height ?? 0

/** The distance of an element from the top of the viewport, in CSS pixels; for `expect.poll`. */
export const topOf = (locator: Locator) => async (): Promise<number> => (await locator.boundingBox())?.y ?? 0

/** The distance of an element from the left of the viewport, in CSS pixels; for `expect.poll`. */
export const leftOf = (locator: Locator) => async (): Promise<number> => (await locator.boundingBox())?.x ?? 0

/** The elements that a locator matches now; for lists that an assertion has found complete. */
export const eachOf = (locator: Locator): Promise<Locator[]> => locator.all()

/** The session token that the console has stored. */
export const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('authToken'))
