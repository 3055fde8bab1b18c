import { aMedia, aTag } from './support/catalogue.ts'
import { builtFile } from './support/files.ts'
import { expect, hold, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, aRating, aTier, become } from './support/people.ts'
import { eachOf, topOf } from './support/reading.ts'

test('the console can be switched to Chinese, and remembers it @phone', async ({ signedIn: page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitemradio', { name: '简体中文' }).click()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Dashboard')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Dashboard')
  await noViolations(page)
  await noSidewaysScroll(page)
  await page.goto('/media/new')
  const fontOf = (part: string) =>
    page
      .locator(part)
      .first()
      .evaluate((element) => getComputedStyle(element).fontFamily)
  await expect.poll(() => fontOf('.cm-line')).toMatch(/monospace.*Noto Sans CJK SC/)
  await expect.poll(() => fontOf('body')).toMatch(/^"?Inter.*Noto Sans CJK SC/)
})

test('skip link, sidebar, theme and unknown paths', async ({ signedIn: page }) => {
  await test.step('the first Tab focuses the skip link', async () => {
    await page.goto('/media')
    await expect(page.getByRole('heading', { name: 'Media List' })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  })

  await test.step('the skip link moves the focus only: an entry remembers the list that it was opened from', async () => {
    // The oldest first: other tests delete what they create.
    await page.goto('/media?sort=createdAt&type=ANIME')
    await page.locator('[data-list-row] a').first().click()
    const back = page.getByRole('link', { name: 'Back to Media List' })
    await expect(back).toHaveAttribute('href', '/media?sort=createdAt&type=ANIME')
    const address = page.url()
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page).toHaveURL(address)
    await expect(back).toHaveAttribute('href', '/media?sort=createdAt&type=ANIME')
  })

  await test.step('the sidebar is 256 pixels wide, 64 when collapsed, and stays collapsed after a reload', async () => {
    await page.goto('/')
    const sidebar = page
      .getByRole('navigation', { name: 'Main' })
      .locator('xpath=ancestor-or-self::*[self::aside or self::nav][last()]')
    const width = async () => Math.round((await sidebar.boundingBox())?.width ?? 0)
    await expect.poll(width).toBe(256)
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await expect.poll(width).toBe(64)
    await page.reload()
    await expect.poll(width).toBe(64)
    await expect(page.getByRole('link', { name: 'Score Permissions' })).toBeVisible()
    await noViolations(page)
  })

  await test.step('the theme can be chosen in the user menu, and is remembered', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    const isDark = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    await expect.poll(isDark).toBe('dark')
    await page.reload()
    await expect.poll(isDark).toBe('dark')
  })

  await test.step('an unknown path shows an error, and links back to the dashboard', async () => {
    await page.goto('/nowhere')
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await noViolations(page)
    await page.getByRole('link', { name: 'Back to Dashboard' }).click()
    await expect(page).toHaveURL('/')
  })
})

test('with reduced motion, a change of style is visible in the same frame', async ({ signedIn: page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/drafts')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your drafts')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('transition-duration', '0s')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toHaveCSS('transition-duration', '0s')
  // Fast navigations still show no progress bar.
  const progress = page.locator('[class*="_pending_"]').first()
  await progress.evaluate((element) => element.setAttribute('data-on', ''))
  await expect(progress).toHaveCSS('transition-delay', '0.15s')
})

for (const [path, call, heading] of [
  ['/profile', '/api/auth/profile', 'Password'],
  ['/settings?section=about', '/api/settings/about', 'Sample catalogue'],
] as const)
  test(`${path}: what is below stays in place when what is above has loaded`, async ({ signedIn: page }) => {
    const release = await hold(page, call)
    await page.goto(path)
    const below = page.getByRole('heading', { name: heading, exact: true })
    await expect(below).toBeVisible()
    const before = await topOf(below)()
    const answered = page.waitForResponse(`**${call}`)
    release()
    await answered
    await expect(page.getByText('Loading', { exact: false }).filter({ visible: true })).toHaveCount(0)
    await expect.poll(async () => Math.abs((await topOf(below)()) - before)).toBeLessThan(8)
  })

test('the place of the line that names the AI provider is kept while that loads', async ({ signedIn: page }) => {
  const main = page.getByRole('main')
  for (const width of [1440, 360])
    for (const [path, below] of [
      ['/media/compare', main.getByRole('region', { name: 'Source 1' })],
      ['/media/standardize', main.getByRole('button').last()],
    ] as const)
      await test.step(`${path} at ${width} pixels`, async () => {
        await page.setViewportSize({ width, height: 900 })
        const release = await hold(page, '**/api/ai/status')
        await page.goto(path)
        await expect(below).toBeVisible()
        const before = await topOf(below)()
        const answered = page.waitForResponse('**/api/ai/status')
        release()
        await answered
        await expect(main.getByText('No AI model is set up')).toBeVisible()
        await expect.poll(async () => Math.abs((await topOf(below)()) - before)).toBeLessThan(8)
        await page.unroute('**/api/ai/status')
      })
})

test('the icons of rows and cards have a contrast of 3:1 while they are dimmed', async ({ signedIn: page }) => {
  const contrast = (icon: Element) => {
    let opacity = 1
    let background = ''
    for (let each: Element | null = icon; each && !background; each = each.parentElement) {
      const style = getComputedStyle(each)
      opacity *= Number(style.opacity)
      if (!style.backgroundColor.endsWith(', 0)')) background = style.backgroundColor
    }
    const rgb = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const behind = rgb(background)
    const luminance = (colour: number[]) => {
      const [red = 0, green = 0, blue = 0] = colour
        .map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const shown = rgb(getComputedStyle(icon).color).map(
      (value, at) => value * opacity + (behind[at] ?? 0) * (1 - opacity),
    )
    const [darker = 0, lighter = 0] = [luminance(shown), luminance(behind)].toSorted((one, other) => one - other)
    return (lighter + 0.05) / (darker + 0.05)
  }
  for (const path of ['/media', '/characters', '/tags', '/assets'])
    for (const colorScheme of ['light', 'dark'] as const)
      await test.step(`${path}, ${colorScheme}`, async () => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto(path)
        const icon = page
          .getByRole('button', { name: /^Delete / })
          .last()
          .locator('svg')
        await expect.poll(() => icon.evaluate(contrast)).toBeGreaterThanOrEqual(3)
      })
})

test('a printed screen takes the whole page, in light colours, without the navigation', async ({ signedIn: page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/media')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(248, 246, 241)')
  await expect.poll(() => page.getByRole('main').boundingBox()).toMatchObject({ x: 0, y: 0 })
})

test('on paper, a list has all its columns instead of the actions, and no bar covers it', async ({
  signedIn: page,
}) => {
  await page.setViewportSize({ width: 718, height: 1047 })
  await page.goto('/media')
  await page.locator('[data-list-row]').last().getByRole('checkbox').check()
  await page.emulateMedia({ media: 'print' })
  for (const name of ['Release Date', 'Status', 'Rating'])
    await expect(page.getByRole('columnheader', { name })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Actions' })).toBeHidden()
  await expect(page.getByRole('row').getByRole('button', { name: /^Delete / })).toHaveCount(0)
  await expect(page.locator('[data-selection]')).toBeHidden()
  await expect(page.getByRole('main').getByRole('button', { name: /^(Filter|Export|Next)$/ })).toHaveCount(0)
  await noSidewaysScroll(page)
  // Nothing is cut off: no tooltip shows the rest.
  await page.goto('/users')
  await expect(page.locator('[data-list-row]').first()).toBeVisible()
  const cutOff = () =>
    page
      .locator('[data-list-row] *')
      .evaluateAll((all) =>
        all
          .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX === 'hidden')
          .map((each) => each.textContent),
      )
  await expect.poll(cutOff).toEqual([])
  await noSidewaysScroll(page)
})

test('in forced colors, the colours of tags and the place of what loads are visible', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { _id } = await aTag(request, token, { color: '#12ab34' })
  const { _id: media } = await aMedia(request, token, { tags: [_id] })
  await page.emulateMedia({ forcedColors: 'active' })
  const release = await hold(page, '**/api/tags?*')
  await page.goto('/tags?sort=-createdAt')
  const line = page.getByRole('main').locator('[aria-busy] [class*="_bar_"]').first()
  await expect(line).not.toHaveCSS('border-top-color', 'rgba(0, 0, 0, 0)')
  release()
  const colour = 'rgb(18, 171, 52)'
  await expect(page.locator('[data-colour="#12ab34"]').first()).toHaveCSS('background-color', colour)
  await page.goto(`/media/${media}`)
  await expect(page.getByRole('main').locator('[class*="_dot_"][style]').first()).toHaveCSS('background-color', colour)
})

test('tables fit beside the sidebar in narrow windows, with room for their first column', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { _id: mediaId } = await aMedia(request, token)
  const { _id } = await aRating(request, token, { mediaId })
  await request.delete(`/api/ratings/${_id}`, { headers: { authorization: `Bearer ${token}` } })
  await aRating(request, token, { mediaId })
  for (const width of [1100, 1000, 800])
    for (const path of ['/users', '/ratings', '/trash', '/audit'])
      await test.step(`${path} at ${width} pixels`, async () => {
        await page.setViewportSize({ width, height: 700 })
        await page.goto(path)
        const first = page.getByRole('main').getByRole('cell').first()
        await expect.poll(async () => (await first.boundingBox())?.width ?? 0).toBeGreaterThan(120)
        await noSidewaysScroll(page)
      })
})

test('in short windows, all of the menus, the sidebar and dialogs can be reached', async ({ signedIn: page }) => {
  const onTop = { trial: true }
  const user = page.getByRole('button', { name: 'User menu' })
  // A window of 1280 × 1024 pixels at 400 %, and a phone on its side.
  for (const [width, height] of [
    [320, 256],
    [740, 360],
  ] as const)
    await test.step(`the menus at ${width} × ${height} pixels`, async () => {
      await page.setViewportSize({ width, height })
      await page.goto('/')
      await user.click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click(onTop)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Notifications/ }).click()
      const panel = page.getByRole('dialog', { name: 'Notifications' })
      await expect(panel.getByRole('link').or(panel.getByText('No notifications')).first()).toBeVisible()
      const bottomOf = () => panel.evaluate((element) => element.getBoundingClientRect().bottom)
      await expect.poll(bottomOf).toBeLessThanOrEqual(height)
    })

  await test.step('a dialog above the keyboard of a phone', async () => {
    await page.setViewportSize({ width: 740, height: 180 })
    await page.goto('/users')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a user' })
    const name = dialog.getByRole('textbox', { name: 'Username' })
    await expect(name).toBeFocused()
    await expect(name).toBeInViewport({ ratio: 1 })
    await dialog.getByRole('button', { name: 'Send invitation' }).click(onTop)
    // The bar leaves the space to the page.
    await expect(page.getByRole('banner')).toHaveCSS('position', 'relative')
  })

  await test.step('the sidebar, collapsed or not', async () => {
    await page.setViewportSize({ width: 1024, height: 500 })
    await page.goto('/')
    const collapse = page.getByRole('button', { name: 'Collapse sidebar' })
    await expect.poll(async () => (await collapse.boundingBox())?.height).toBe(36)
    await collapse.click()
    await page.getByRole('button', { name: 'Expand sidebar' }).click()
    await expect(collapse).toBeVisible()
  })
})

test('what gets the focus is never hidden below the top bar', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.goto('/media')
  await page.locator('[data-list-row]').last().getByRole('button').focus()
  const isBelowBar = () =>
    page.evaluate(() => {
      const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
      return (document.activeElement?.getBoundingClientRect().top ?? 0) >= bar
    })
  for (let steps = 0; steps < 30; steps += 1) {
    await page.keyboard.press('Shift+Tab')
    await expect.poll(isBelowBar).toBe(true)
  }

  await test.step('nor beside the column of a table that stays', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/score-permissions?view=matrix')
    const tiers = page.getByRole('columnheader').getByRole('link')
    await tiers.last().focus()
    const isSeen = (link: Element) => {
      const { right, top, height } = link.getBoundingClientRect()
      return document.elementFromPoint(right - 2, top + height / 2) === link
    }
    for (const tier of (await eachOf(tiers)).toReversed()) {
      await expect(tier).toBeFocused()
      await expect.poll(() => tier.evaluate(isSeen)).toBe(true)
      await page.keyboard.press('Shift+Tab')
    }
  })
})

test('the console can be navigated with the keyboard', async ({ signedIn: page }) => {
  await test.step('the command palette finds screens and titles', async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    const box = page.getByRole('combobox')
    await expect(box).toBeFocused()
    await noViolations(page)
    await box.fill('Score Perm')
    await expect(page.getByRole('option', { name: 'Score Permissions' })).toBeVisible()
    await box.fill('源氏物語')
    await expect(page.getByRole('option').filter({ hasText: 'The Tale of Genji' }).first()).toBeVisible()
    await noViolations(page)
    await page.keyboard.press('Escape')
    await expect(box).toHaveCount(0)
    await page.keyboard.press('?')
    await expect(page.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible()
    await noViolations(page)
  })

  await test.step('shortcuts of a single key can be turned off, and on again from the palette', async () => {
    const single = page.getByRole('checkbox', { name: 'Use shortcuts of a single key' })
    const row = page.locator('[data-list-row]:focus-within')
    await single.press('Space')
    await page.goto('/media')
    await expect(page.locator('[data-list-row]')).toHaveCount(10)
    await page.keyboard.press('j')
    await page.keyboard.press('?')
    await page.keyboard.press('ControlOrMeta+k')
    await expect(row).toHaveCount(0)
    await page.getByRole('dialog').getByRole('combobox').fill('Keyboard shortcuts')
    await page.keyboard.press('Enter')
    await single.press('Space')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('j')
    await expect(row).toHaveCount(1)
  })

  await test.step('what is selected, current or pressed is marked in forced colors', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    // SelectedItem in Chromium's emulation.
    const marked = ['background-color', 'rgb(25, 103, 210)'] as const
    await page.goto('/media/new')
    const views = page.getByRole('group', { name: 'Edit as' }).locator('label')
    await expect(views.filter({ hasText: 'JSON' })).toHaveCSS(...marked)
    await expect(views.filter({ hasText: 'Form' })).not.toHaveCSS(...marked)
    await expect(page.getByRole('link', { name: 'Media', exact: true })).toHaveCSS(...marked)
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('option', { selected: true })).toHaveCSS(...marked)
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Dashboard', exact: true })).toHaveCSS(...marked)
    await expect(page.getByRole('link', { name: 'Admin Panel' })).not.toHaveCSS(...marked)
    await page.goto('/characters/new')
    const reset = page.getByRole('button', { name: 'Reset' })
    await expect(reset).toHaveAttribute('aria-disabled', 'true')
    const grey = await page.evaluate(() => {
      document.body.style.outlineColor = 'GrayText'
      return getComputedStyle(document.body).outlineColor
    })
    await expect(reset).toHaveCSS('color', grey)
    await page.emulateMedia({ forcedColors: 'none' })
  })

  await test.step('what is typed while the code of the command palette is loading is kept', async () => {
    await page.goto('/media')
    await expect(page.locator('[data-list-row]')).toHaveCount(10)
    const load = await hold(page, '**/*.js')
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('what was given up')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('xge')
    load()
    await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('xge')
    await page.keyboard.type('nji')
    await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('xgenji')
    await page.unroute('**/*.js')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('main').getByRole('checkbox', { checked: true })).toHaveCount(0)
  })

  await test.step('Enter in the command palette waits for the results, and Esc cancels it', async () => {
    const answer = await hold(page, '/api/search?*')
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    const box = page.getByRole('combobox')
    await box.fill('源氏物語')
    await box.press('Enter')
    await expect(box).toHaveAttribute('aria-busy', 'true')
    await box.press('Escape')
    await expect(box).not.toHaveAttribute('aria-busy')
    await box.press('Enter')
    answer()
    await expect(page).toHaveURL(/\/media\/[\da-f-]{36}$/)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/Genji|源氏/)
  })

  await test.step('shortcuts lead from screen to screen, and from a row to its editor and back', async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await expect(page).toHaveURL('/media')
    const rows = page.getByRole('table', { name: 'Media List' }).locator('tbody tr')
    await expect(rows).toHaveCount(10)
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await expect(page).toHaveURL(/\/media\/[\da-f-]{36}\/edit$/)
    await page.goBack()
    await expect(rows).toHaveCount(10)
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await expect(page.getByLabel('Filter by')).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    // Wait for the list to disappear: its rows have Edit links too.
    await expect(rows).toHaveCount(0)
    await expect(page.getByRole('link', { name: /^Edit/ })).toBeVisible()
    await page.keyboard.press('e')
    await expect(page).toHaveURL(/\/media\/[\da-f-]{36}\/edit$/)
  })
})

test('a menu that is pressed before its code has loaded opens after loading', async ({ signedIn: page }) => {
  const menu = page.getByRole('button', { name: 'User menu' })
  const signOut = page.getByRole('menuitem', { name: 'Sign out' })
  let code = Promise.withResolvers<void>()
  // Intercepted requests bypass the browser's cache, so every load of the page requests the file.
  await page.route(`**/${builtFile('src/shell/UserMenuList.tsx')}`, async (route) => {
    await code.promise
    await route.continue()
  })

  await test.step('clicked before the code arrives', async () => {
    await page.goto('/')
    await menu.click()
    code.resolve()
    await expect(signOut).toBeVisible()
  })

  await test.step('mouse button held while the code arrives', async () => {
    code = Promise.withResolvers<void>()
    await page.reload()
    await menu.hover()
    await page.mouse.down()
    code.resolve()
    await page.mouse.up()
    await expect(signOut).toBeVisible()
  })
})

test.describe('a menu whose code cannot be loaded', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED|The code of a screen or a part/] })

  test('shows an error in its place, and opens after Retry', async ({ signedIn: page }) => {
    const code = `**/${builtFile('src/shell/UserMenuList.tsx')}`
    await page.route(code, (route) => route.abort())
    await page.goto('/')
    await page.getByRole('button', { name: 'User menu' }).click()
    await expect(page.getByRole('alert')).toContainText('Failed to load this')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
    await noViolations(page)
    await page.unroute(code)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  })
})

test.describe('a screen whose code cannot be loaded', () => {
  // The router logs the last one if the code was preloaded while the pointer was on the link.
  test.use({
    expectedErrors: [/net::ERR_FAILED|The code of a screen or a part|Failed to fetch dynamically imported module/],
  })

  test('says that the network is the cause, and opens after Retry', async ({ signedIn: page }) => {
    const code = `**/${builtFile('src/ratings/RatingList.tsx')}`
    await page.goto('/')
    // As while the server cannot be reached, which the screen asks with HEAD.
    await page.route(code, (route) => route.abort())
    const asked = (url: URL) => url.pathname === '/ratings'
    await page.route(asked, (route, request) => (request.method() === 'HEAD' ? route.abort() : route.continue()))
    await page.getByRole('link', { name: 'Ratings', exact: true }).click()
    const error = page.getByRole('alert')
    await expect(error).toContainText('Network error. Please check your connection.')
    await noViolations(page)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(error).toContainText('Network error. Please check your connection.')
    await page.unroute(code)
    await page.unroute(asked)
    // The message stays while Retry is trying, and what is tried last may find the network back and open the screen.
    await expect(async () => {
      const retry = page.getByRole('button', { name: 'Retry' })
      if (await retry.isVisible()) await retry.click({ timeout: 2000 })
      await expect(error).toBeHidden({ timeout: 5000 })
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ratings', { timeout: 5000 })
    }).toPass({ timeout: 60_000 })
  })
})

test.describe('a screen of an older build', () => {
  test.use({ expectedErrors: [/status of 404|Unable to preload CSS|Failed to fetch dynamically imported module/] })

  test('whose style sheets and code are gone opens after the page has reloaded itself', async ({ signedIn: page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    let isOld = true
    page.on('request', (request) => (isOld &&= !request.isNavigationRequest()))
    await page.route('**/assets/*', (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()))
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await expect(page.getByLabel('Site name')).toBeVisible()
    expect(isOld).toBe(false)
  })
})

test.describe('missing permissions', () => {
  // The browser logs refused calls.
  test.use({ expectedErrors: [/403|Access denied/] })

  test('are explained to a read-only user, on screens that fit', async ({ page, request, token }) => {
    const tier = await aTier(request, token, { permissions: { canRateContent: false } })
    const me = await aPerson(request, token, { scores: tier.requiredScore })
    const other = await aPerson(request, token)
    const media = await aMedia(request, token)
    const rating = await aRating(request, other.token, { mediaId: media._id })
    await become(page, me)
    for (const [path, said] of [
      ['/audit', 'Only administrators can read the audit log.'],
      ['/settings', 'Access denied. You do not have permission for this action.'],
      [`/users?search=${other.user.username}`, 'Visible to administrators and moderators only'],
      [`/users/${other.user._id}/edit`, 'Read-only: you do not have permission to edit this.'],
      ['/score-permissions', 'Your tier'],
      [`/score-permissions/${tier._id}/edit`, 'Read-only: you do not have permission to edit this.'],
      [`/ratings/${rating._id}`, 'Rating Details'],
      [`/media/${media._id}`, `Your tier “${tier.name}” does not allow rating.`],
    ] as const)
      await test.step(path, async () => {
        await page.goto(path)
        await expect(page.getByText(said).first()).toBeVisible({ timeout: 20_000 })
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
        await noSidewaysScroll(page)
        await noViolations(page)
      })
  })
})
