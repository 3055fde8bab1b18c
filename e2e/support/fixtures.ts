import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'

export const admin = { email: 'admin@example.org', password: 'correct horse battery' }

type Fixtures = {
  /** Console errors that a test provokes on purpose, e.g. the browser's own line about a refused call. One pattern: Playwright takes a longer list for a value and its options. */
  expectedErrors: RegExp[]
  /** The page, signed in as the admin without the form. A test that signs out uses `signIn`, for the session is shared. */
  signedIn: Page
  faultless: void
}

type Worker = {
  /** The address of the server; the one that all tests share, unless a test has its own (ownServer.ts). */
  server: string
  /** Of the admin. */
  token: string
}

export const test = base.extend<Fixtures, Worker>({
  expectedErrors: [[], { option: true }],

  server: [({ browserName: _ }, use, { project }) => use(project.use.baseURL ?? ''), { scope: 'worker' }],

  token: [
    async ({ playwright, server }, use) => {
      const request = await playwright.request.newContext({ baseURL: server })
      const answer = await request.post('/api/auth/login', { data: admin })
      expect(answer.status(), await answer.text()).toBe(200)
      const { token } = (await answer.json()) as { token: string }
      await use(token)
      await request.dispose()
    },
    { scope: 'worker' },
  ],

  signedIn: async ({ page, baseURL, context, token }, use) => {
    const origin = new URL(baseURL ?? '').origin
    await context.setStorageState({
      cookies: [],
      origins: [{ origin, localStorage: [{ name: 'authToken', value: token }] }],
    })
    await use(page)
  },

  faultless: [
    async ({ page, expectedErrors }, use) => {
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(`${message.text()} (${message.location().url})`)
      })
      await use()
      expect(faults.filter((fault) => !expectedErrors.some((expected) => expected.test(fault)))).toEqual([])
    },
    { auto: true },
  ],
})

/** Signs in through the form, as the admin unless told otherwise, and waits for the dashboard. */
export async function signIn(page: Page, { email, password } = admin): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/')
}

/** Expects no finding of axe against WCAG 2.2 A and AA in what the page shows now. */
export async function noViolations(page: Page): Promise<void> {
  // Entry animations change the opacity, and with it the contrast that axe measures.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
        .map((animation) => animation.finished),
    ),
  )
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  expect(found).toEqual([])
}

/** Expects that nothing makes the page wider than its window. */
export async function noSidewaysScroll(page: Page): Promise<void> {
  const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  await expect.poll(() => page.evaluate(tooWide), { message: 'pixels too wide' }).toBeLessThanOrEqual(0)
}

export { expect }
