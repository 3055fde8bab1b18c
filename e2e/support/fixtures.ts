import { type BrowserContext, expect, type Page, test as base } from '@playwright/test'
import axe from 'axe-core'
import { LOADING_MS, sampleLoaded } from './ready.ts'

export const admin = { email: 'admin@example.org', password: 'correct horse battery' }

/** How often the session that all tests of a worker share enters the password again. */
const CONFIRM_MS = 4 * 60_000

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
  /** Whether the server has the sample catalogue, which is waited for. */
  hasSample: boolean
  loaded: void
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
      // The password counts for ten minutes, and a run lasts longer.
      const headers = { authorization: `Bearer ${token}` }
      const confirm = () => request.post('/api/auth/confirm', { data: { password: admin.password }, headers })
      const confirming = setInterval(() => void confirm(), CONFIRM_MS)
      await use(token)
      clearInterval(confirming)
      await request.dispose()
    },
    { scope: 'worker' },
  ],

  hasSample: [({ browserName: _ }, use) => use(true), { scope: 'worker' }],

  loaded: [
    async ({ playwright, server, token, hasSample }, use) => {
      const request = await playwright.request.newContext({ baseURL: server })
      if (hasSample) await sampleLoaded(request, token)
      await request.dispose()
      await use()
    },
    { scope: 'worker', auto: true, timeout: LOADING_MS },
  ],

  signedIn: async ({ page, baseURL, context, token }, use) => {
    await signInAt(context, new URL(baseURL ?? '').origin, token)
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

/** Every page of the context is signed in at first. Not by `setStorageState`, which opens a page of its own for it. */
export const signInAt = (context: BrowserContext, origin: string, token: string) =>
  context.addInitScript(
    ([at, value]) => {
      if (location.origin !== at || localStorage.getItem('wasSignedIn')) return
      localStorage.setItem('wasSignedIn', 'yes')
      localStorage.setItem('authToken', value)
    },
    [origin, token] as const,
  )

/** Signs in through the form, as the admin unless told otherwise, and waits for the dashboard. */
export async function signIn(page: Page, account = admin): Promise<void> {
  await page.goto('/login')
  await fillSignIn(page, account)
  await expect(page).toHaveURL('/')
}

/** Fills in the form of /login, as the admin unless told otherwise, and sends it. */
export async function fillSignIn(page: Page, { email, password } = admin): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Goes to a screen as a link does: the page is not loaded anew, and keeps what it has read. */
export const goTo = (page: Page, address: string) => page.evaluate((to) => history.pushState({}, '', to), address)

/** Holds back the answers of calls to `url` until the function that it returns is called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

/** The widest that counts as a phone, in CSS pixels. */
const PHONE = 480

/**
 * Expects no finding of axe against WCAG 2.2 A and AA in what the page shows now; on a desk its contrast in the other
 * theme too, which is the same on a phone.
 */
export async function noViolations(page: Page): Promise<void> {
  expect(await findings(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])).toEqual([])
  if ((page.viewportSize()?.width ?? 0) <= PHONE) return
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  expect(await findings(page, ['color-contrast'])).toEqual([])
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
}

/** What axe finds by these tags or rules. It runs in the page itself, which has no frames to be looked into. */
async function findings(page: Page, runOnly: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async (only) => {
    // What moves changes, frame by frame, the contrast that axe measures.
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
    document.adoptedStyleSheets.push(still)
    // Where a test has scrolled to, a control can lie half beneath the bar on top, which axe takes for too small.
    const { scrollX, scrollY } = window
    window.scrollTo({ left: 0, top: 0, behavior: 'instant' })
    // A change of theme is drawn with the next frame.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const found = await axe.run({ runOnly: only, resultTypes: ['violations'] })
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still)
    const top = window.scrollY
    window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' })
    return found.violations.map((each) => ({ ...each, top }))
  }, runOnly)
  return violations.map(({ id, nodes, top }) => `${id}: ${nodes.map(saidOf).join(' | ')} (scrolled by ${top})`)
}

/** What is wrong with an element, and with what beside it. */
const saidOf = ({ html, any: [check] }: axe.NodeResult): string =>
  [html, check?.message, ...(check?.relatedNodes ?? []).map((related) => related.html)]
    .map((part) => (part ?? '').slice(0, 160))
    .join(' ')

/** Expects that nothing makes the page wider than its window. */
export async function noSidewaysScroll(page: Page): Promise<void> {
  const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  await expect.poll(() => page.evaluate(tooWide), { message: 'pixels too wide' }).toBeLessThanOrEqual(0)
}

export { expect }
