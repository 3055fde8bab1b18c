import type { Work } from '@mokuroku/contract/dashboard'
import type { Page } from '@playwright/test'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, become } from './support/people.ts'

test('the data of the dashboard is requested before the script has loaded, and only once', async ({
  signedIn: page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const entry = Promise.withResolvers<void>()
  await page.route('**/assets/index-*.js', async (route) => {
    await entry.promise
    await route.continue()
  })
  const calls = ['/admin/recent-activities', '/admin/stats', '/api/auth/verify', '/api/dashboard/work', '/api/site']
  const callsAsked = () => asked.filter((path) => calls.includes(path)).toSorted()
  await page.goto('/', { waitUntil: 'commit' })
  await expect.poll(callsAsked).toEqual(calls)
  await expect(page.locator('.splash > .seal')).toBeVisible()
  entry.resolve()
  await expect(page.getByRole('img', { name: 'Tag Usage by Category' })).toBeVisible()
  expect(callsAsked()).toEqual(calls)
})

test.describe('the dashboard', () => {
  // The browser logs the failed call.
  test.use({ expectedErrors: [/500|Server error/] })

  test('shows statistics, chart, activities and errors', async ({ signedIn: page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    await expect(page.getByText('Welcome to your admin dashboard')).toBeVisible()
    for (const text of [
      'Total Media',
      'Anime, Manga & Novels',
      'Total characters in database',
      'Categories and descriptors',
      'Images, videos & audio',
      'Tag Usage by Category',
      'Recent Activities',
    ])
      await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('img', { name: 'Tag Usage by Category' })).toBeVisible()
    await noViolations(page)
    await noSidewaysScroll(page)

    await test.step('the chart can be read with the keyboard, and as a table', async () => {
      await page.getByRole('img', { name: 'Tag Usage by Category' }).focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('status').filter({ hasText: /THEME/ })).toContainText('Tags Count')
      await page.getByRole('button', { name: 'Show table' }).click()
      const table = page.getByRole('table', { name: 'Tag Usage by Category' })
      for (const name of ['GENRE', 'THEME', 'CHARACTER TRAIT', 'CONTENT WARNING', 'CUSTOM'])
        await expect(table.getByRole('rowheader', { name })).toBeVisible()
      // Scroll to the top: axe reports links that are half hidden below the top bar as too small.
      await page.evaluate(() => window.scrollTo(0, 0))
      await noViolations(page)
    })

    await test.step('View All opens the activities, which can be filtered by type', async () => {
      await page.getByRole('link', { name: 'View All' }).click()
      await expect(page).toHaveURL('/activities')
      await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
      await page.getByLabel('Type').selectOption('CATALOGUE_IMPORTED')
      await expect(page).toHaveURL('/activities?type=CATALOGUE_IMPORTED')
      await expect(page.getByText('Catalogue imported').nth(1)).toBeVisible()
      await page.goBack()
      await expect(page).toHaveURL('/activities')
      await noViolations(page)
      await noSidewaysScroll(page)
    })

    await test.step('a failed call shows an error', async () => {
      await page.route('**/admin/stats', (route) => route.fulfill({ status: 500, json: {} }))
      await page.goto('/')
      await expect(page.getByText('Server error. Please try again later.', { exact: true }).first()).toBeVisible()
      await noViolations(page)
    })
  })
})

/** Pairs of overlapping texts in the chart, and clipped texts. Rotated texts are compared as rotated rectangles. */
const collisions = (page: Page) =>
  page.getByRole('img', { name: /Tag Usage by Category|各类别标签使用情况/ }).evaluate((svg) => {
    type Point = readonly [number, number]
    const texts = [...svg.querySelectorAll('text')].filter((text) => getComputedStyle(text).visibility === 'visible')
    const boxes = texts.map((text) => {
      const { x, y, width, height } = text.getBBox()
      const matrix = text.getScreenCTM() ?? new DOMMatrix()
      const corners = [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ].map(([at = 0, down = 0]): Point => {
        const point = new DOMPoint(at, down).matrixTransform(matrix)
        return [point.x, point.y]
      })
      return { name: text.textContent ?? '', corners }
    })
    // Two rectangles do not overlap if a side of one separates them (separating axis theorem), within 1.5 pixels.
    const areApart = (one: Point[], other: Point[]) =>
      one.some(([x1, y1], index) => {
        const [x2, y2] = one[(index + 1) % 4] ?? [x1, y1]
        const [nx, ny] = [y2 - y1, x1 - x2]
        const length = Math.hypot(nx, ny) || 1
        return other.every(([x, y]) => ((x - x1) * nx + (y - y1) * ny) / length >= -1.5)
      })
    const frame = svg.getBoundingClientRect()
    const cut = boxes.filter(({ corners }) =>
      corners.some(([x, y]) => x < frame.left - 1 || x > frame.right + 1 || y < frame.top - 1 || y > frame.bottom + 1),
    )
    const pairs = boxes.flatMap((one, index) => boxes.slice(index + 1).map((other) => [one, other] as const))
    return [
      ...cut.map(({ name }) => `${name} is cut`),
      ...pairs
        .filter(([one, other]) => !areApart(one.corners, other.corners) && !areApart(other.corners, one.corners))
        .map(([one, other]) => `${one.name} over ${other.name}`),
    ]
  })

const usage = (numbers: [number, number][]) =>
  Object.fromEntries(
    ['GENRE', 'THEME', 'CHARACTER_TRAIT', 'CONTENT_WARNING', 'CUSTOM'].map((type, index) => {
      const [count = 0, totalUsage = 0] = numbers[index] ?? []
      return [type, { count, totalUsage }]
    }),
  )
const stats = { mediaCount: 1, characterCount: 1, tagCount: 1, assetCount: 1 }

const USAGES: [string, [number, number][]][] = [
  [
    'far apart',
    [
      [24, 25_488],
      [18, 237],
      [12, 24],
      [9, 61],
      [16, 25_488],
    ],
  ],
  [
    'alike',
    [
      [24, 24],
      [18, 60],
      [12, 12],
      [9, 10],
      [0, 0],
    ],
  ],
]

test('the chart fits a phone from its first rendering', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      const chart = document.querySelector('svg[role=img]')
      if (!chart) return
      observer.disconnect()
      document.documentElement.dataset.chart = chart.getBoundingClientRect().right < innerWidth ? 'fits' : 'too wide'
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await page.goto('/')
  await expect(page.locator('[data-chart]')).toHaveAttribute('data-chart', 'fits')
})

test('labels of the chart do not overlap and are not cut off at any width', async ({ signedIn: page }) => {
  let numbers: [number, number][] = []
  await page.route('**/admin/stats', (route) => route.fulfill({ json: { ...stats, tagUsage: usage(numbers) } }))
  await page.goto('/')
  for (const language of ['en', 'zh'])
    for (const [what, given] of USAGES)
      await test.step(`${what}, ${language}`, async () => {
        numbers = given
        await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
        await page.reload()
        const name = language === 'zh' ? '各类别标签使用情况' : 'Tag Usage by Category'
        await expect(page.getByRole('img', { name })).toBeVisible()
        if (language === 'zh') await expect(page.getByRole('img', { name })).toContainText('主题')
        for (let width = 360; width <= 1920; width += 52) {
          await page.setViewportSize({ width, height: 900 })
          await expect.poll(() => collisions(page), { message: `${width} px` }).toEqual([])
        }
      })
})

/** Texts that overlap another one of their row, or stick out of it. */
function overlaps(rows: Element[]): string[] {
  return rows.flatMap((row) => {
    const end = row.getBoundingClientRect().right + 1
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
    const boxes: { text: string; box: DOMRect }[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const box of range.getClientRects()) boxes.push({ text: node.textContent ?? '', box })
    }
    return boxes.flatMap(({ text, box }, at) => [
      ...(box.right > end ? [`${text} sticks out`] : []),
      ...boxes
        .slice(at + 1)
        .filter(({ box: other }) => box.right > other.left + 1 && other.right > box.left + 1)
        // The boxes of consecutive lines overlap by a little.
        .filter(({ box: other }) => box.bottom > other.top + 5 && other.bottom > box.top + 5)
        .map((other) => `${text} over ${other.text}`),
    ])
  })
}

test('how a number has changed is never over the text beside it, at any width', async ({ signedIn: page }) => {
  const past = ['2026-01-01', '2026-01-02'].map((day, at) => ({ day, count: at, filled: at, of: 10 }))
  await page.route('**/api/dashboard/work', async (route) => {
    const work = await (await route.fetch()).json()
    for (const each of [...work.findings, ...work.languages.flatMap(({ shares }: { shares: object[] }) => shares)])
      Object.assign(each, { past })
    await route.fulfill({ json: work })
  })
  for (const language of ['en', 'zh'])
    await test.step(language, async () => {
      await page.goto('/')
      await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
      await page.reload()
      const rows = page.getByRole('listitem').filter({ hasText: /in [\d,]+ days|天内/ })
      await expect(rows.first()).toBeVisible()
      for (let width = 360; width <= 1920; width += 52) {
        await page.setViewportSize({ width, height: 900 })
        await expect.poll(() => rows.evaluateAll(overlaps), { message: `${width} px` }).toEqual([])
      }
    })
})

test('nothing moves when the work of a user who may not edit arrives late', async ({ page, request, token }) => {
  await become(page, await aPerson(request, token, { role: 'user' }))
  const released = Promise.withResolvers<void>()
  await page.route('**/api/dashboard/work*', async (route) => {
    await released.promise
    const work = (await (await route.fetch()).json()) as Work
    // What a language lacks needs a line, and depends on the other tests.
    const languages = work.languages.map((each) => ({
      ...each,
      shares: each.shares.map((share) => ({
        ...share,
        filled: share.of - Number(share.entityType === 'Media'),
        past: [],
      })),
    }))
    await route.fulfill({ json: { ...work, languages } })
  })
  await page.goto('/')
  const chart = page.getByRole('img', { name: 'Tag Usage by Category' })
  await expect(chart).toBeVisible()
  const top = async () => (await chart.boundingBox())?.y ?? 0
  const before = await top()
  released.resolve()
  await expect(page.getByText('Nothing to do')).toBeVisible()
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(20)
})
