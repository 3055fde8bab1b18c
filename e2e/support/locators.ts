import type { Page } from '@playwright/test'

/** The title of the screen. */
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })

export const dialog = (page: Page) => page.getByRole('dialog')

export const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

export const toast = (page: Page, text: string) => page.getByRole('log').filter({ hasText: text })
