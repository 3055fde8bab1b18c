import { type BrowserContext, expect, type Page, test as base } from '@playwright/test'
import axe from 'axe-core'
import { LOADING_MS, sampleLoaded } from './ready.ts'

export const admin = { email: 'admin@example.org', password: 'correct horse battery' }

/** How often the shared session of a worker re-authenticates, in milliseconds. */
const CONFIRM_MS = 4 * 60_000

type Fixtures = {
  /**
   * Console errors that a test provokes, such as the browser's message about a refused call. Only one pattern, because
   * Playwright interprets a longer array as a fixture value with options.
   */
  expectedErrors: RegExp[]
  /** The page, signed in as the admin with a shared session. Tests that sign out use `signIn` instead. */
  signedIn: Page
  faultless: void
}

type Worker = {
  /** The URL of the server: the shared one, unless a test has its own (ownServer.ts). */
  server: string
  /** The admin's token. */
  token: string
  /** Whether the server loads the sample catalogue; if so, tests wait for it. */
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
      // A confirmation of the password is valid for ten minutes, but a run takes longer.
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

/** Signs in the pages of a context initially. Avoids `setStorageState`, which would open another page. */
export const signInAt = (context: BrowserContext, origin: string, token: string) =>
  context.addInitScript(
    ([at, value]) => {
      if (location.origin !== at || localStorage.getItem('wasSignedIn')) return
      localStorage.setItem('wasSignedIn', 'yes')
      localStorage.setItem('authToken', value)
    },
    [origin, token] as const,
  )

/** Signs in through the form, by default as the admin, and waits for the dashboard. */
export async function signIn(page: Page, account = admin): Promise<void> {
  await page.goto('/login')
  await fillSignIn(page, account)
  await expect(page).toHaveURL('/')
}

/** Fills in the form of /login, by default for the admin, and submits it. */
export async function fillSignIn(page: Page, { email, password } = admin): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Navigates like a link within the app: the page is not reloaded and keeps its cache. */
export const goTo = (page: Page, address: string) => page.evaluate((to) => history.pushState({}, '', to), address)

/** Holds back requests to `url` until the returned function is called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

/** The maximum viewport width of a phone, in CSS pixels. */
const PHONE = 480

/** Screens, with what is open on them, whose contrast this worker has checked in both themes. */
const contrasted = new Set<string>()

/**
 * Expects that axe finds no violations of WCAG 2.2 A and AA on the current page. On the desktop, also checks the
 * contrast in the other theme, which is the same on phones: once per screen and kind of overlay, since each check takes
 * half a second.
 */
export async function noViolations(page: Page): Promise<void> {
  // The rows of an earlier request are dimmed until the new ones have arrived.
  await expect(page.locator('[data-stale]')).toHaveCount(0)
  expect(await findings(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])).toEqual([])
  if ((page.viewportSize()?.width ?? 0) <= PHONE) return
  const place = await page.evaluate(() => {
    const open = [
      ...document.querySelectorAll('[role=dialog], [role=menu], [role=listbox], [role=status], [role=alert]'),
    ]
    const names = open.map((each) => `${each.role} ${each.ariaLabel ?? each.querySelector('h2')?.textContent ?? ''}`)
    // The values of these choose what the screen shows; those of others only its data.
    const chosen = new Set(['view', 'tab', 'section'])
    const query = [...new URLSearchParams(location.search)].map(([name, value]) =>
      chosen.has(name) ? `${name}=${value}` : name,
    )
    return [location.pathname.replaceAll(/[\w-]{20,}/g, ':id'), ...new Set([...query, ...names])].join()
  })
  if (contrasted.has(place)) return
  contrasted.add(place)
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  expect(await findings(page, ['color-contrast'])).toEqual([])
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
}

/** The violations that axe finds for these tags or rules. It runs in the page itself, because there are no frames. */
async function findings(page: Page, runOnly: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async (only) => {
    // Disable animations, during which axe would measure a wrong contrast.
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
    document.adoptedStyleSheets.push(still)
    // Scroll to the top: axe reports controls that are half hidden below the top bar as too small.
    const { scrollX, scrollY } = window
    window.scrollTo({ left: 0, top: 0, behavior: 'instant' })
    // Wait for the next frame, in which a change of theme is rendered.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const found = await axe.run({ runOnly: only, resultTypes: ['violations'] })
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still)
    const top = window.scrollY
    window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' })
    return found.violations.map((each) => ({ ...each, top }))
  }, runOnly)
  return violations.map(({ id, nodes, top }) => `${id}: ${nodes.map(descriptionOf).join(' | ')} (scrolled by ${top})`)
}

/** Describes a violation: the element, the message, and related elements. */
const descriptionOf = ({ html, any: [check] }: axe.NodeResult): string =>
  [html, check?.message, ...(check?.relatedNodes ?? []).map((related) => related.html)]
    .map((part) => (part ?? '').slice(0, 160))
    .join(' ')

/** Expects that the page does not scroll horizontally. */
export async function noSidewaysScroll(page: Page): Promise<void> {
  const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  await expect.poll(() => page.evaluate(tooWide), { message: 'pixels too wide' }).toBeLessThanOrEqual(0)
}

export { expect }
