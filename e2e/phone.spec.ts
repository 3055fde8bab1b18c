// The layout on phones: the drawer, cards instead of tables, a single column. Tests that the screens of all areas fit;
// tests marked `@phone` in other files do so for screens with data. The behaviour is the same as on the desktop.
import type { Locator, Page } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord, wrongTitles } from './support/catalogue.ts'
import { aChangedMedia, changeMedia } from './support/changes.ts'
import { content } from './support/editor.ts'
import { aPixel } from './support/files.ts'
import { expect, hold, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, aRating } from './support/people.ts'
import { topOf } from './support/reading.ts'

/** Expects that the current screen has loaded, fits the viewport, and is accessible. */
async function fits(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await noSidewaysScroll(page)
  await noViolations(page)
}

/** Expects that the current state of the screen fits the viewport and is accessible. */
async function partsFit(page: Page): Promise<void> {
  await noSidewaysScroll(page)
  await noViolations(page)
}

for (const [area, screens] of Object.entries({
  'the catalogue': [
    ['/media?type=NOVEL', 'Media List'],
    ['/media?search=zzzqqqxxxjjjwww', 'Media List'],
    ['/characters', 'Characters'],
    ['/tags', 'Tags'],
    ['/assets', 'Assets'],
  ],
  'the dashboard, what people do, and what is not there': [
    ['/', 'Dashboard'],
    ['/activities', 'Activities'],
    ['/ratings', 'Ratings'],
    ['/users', 'Users'],
    ['/profile', 'Your Profile'],
    ['/nowhere', 'Page not found'],
  ],
  'translations, batches and the AI screens': [
    ['/translations', 'Translation History'],
    ['/batches', 'Batches'],
    ['/media/compare', 'AI Media Comparison'],
    ['/media/standardize', 'AI Standardize'],
  ],
} as const))
  test(`${area}: the screens fit @phone`, async ({ signedIn: page }) => {
    for (const [path, heading] of screens)
      await test.step(path, async () => {
        await page.goto(path)
        await fits(page, heading)
      })
  })

test('fields and buttons of a dialog stay above the keyboard @phone', async ({ signedIn: page }) => {
  await page.goto('/users')
  await expect(page.locator('meta[name=viewport]')).toHaveAttribute('content', /interactive-widget=resizes-content/)
  await page.getByRole('button', { name: 'Invite' }).click()
  const inside = page.getByRole('dialog')
  // Once this has loaded, no field moves any more.
  await expect(inside.getByText('No mail server is set up')).toBeVisible()
  // What is left above a keyboard.
  await page.setViewportSize({ width: 360, height: 330 })
  for (const each of [
    inside.getByLabel('Email', { exact: true }),
    inside.getByRole('button', { name: 'Send invitation' }),
  ]) {
    await each.focus()
    await expect(each).toBeInViewport({ ratio: 1 })
  }
})

test('a double tap presses a button once, and nothing that appears under the finger @phone', async ({
  signedIn: page,
  context,
  request,
  token,
}) => {
  // Browsers of phones give each tap as a first click.
  await page.addInitScript(() => Object.defineProperty(UIEvent.prototype, 'detail', { get: () => 1 }))
  const device = await context.newCDPSession(page)
  /** Taps a button, and again a tenth of a second later by the times of the events, with what the first tap has brought. */
  const doubleTap = async (button: Locator, brought: Locator) => {
    await button.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }]
    const began = Date.now() / 1000
    for (const timestamp of [began, began + 0.1]) {
      // Together, since a touch that lasts is no tap.
      await Promise.all([
        device.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints, timestamp }),
        device.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp }),
      ])
      await expect(brought).toBeVisible()
    }
  }
  const writes: string[] = []
  page.on('request', (sent) => void (sent.method() === 'GET' || writes.push(`${sent.method()} ${sent.url()}`)))

  const { user } = await aPerson(request, token)
  await page.goto(`/users?search=${user.username}`)
  const named = (name: string) => page.getByRole('button', { name: `${name} ${user.username}` })
  await doubleTap(named('Deactivate'), named('Activate'))
  expect(writes).toHaveLength(1)

  const tag = await aTag(request, token)
  await page.goto(`/tags?search=${tag.translations.en?.name}`)
  const remove = page.getByRole('main').getByRole('button', { name: /^Delete / })
  await doubleTap(remove, page.getByRole('dialog', { name: 'Delete tag' }))
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(writes).toHaveLength(1)
})

test('what follows an image stays where it is when the image arrives @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const filename = 'cover-novel-dracula.webp'
  const headers = { authorization: `Bearer ${token}` }
  const answer = await request.get(`/api/assets?search=${filename}`, { headers })
  const { data } = (await answer.json()) as { data: { _id: string }[] }
  const release = await hold(page, '**/files/**')
  await page.goto(`/assets/${data[0]?._id}`)
  const image = page.getByRole('img', { name: filename })
  const height = () => image.evaluate((shown: HTMLImageElement) => [shown.complete, shown.clientHeight])
  await expect.poll(height).toEqual([false, expect.any(Number)])
  const [, reserved] = await height()
  release()
  await expect.poll(height).toEqual([true, reserved])
  expect(reserved).toBeGreaterThan(200)
})

test('Reset stands beside the first filter of a list, and Tab goes there next @phone', async ({ signedIn: page }) => {
  for (const path of ['/tags', '/assets', '/translations', '/users', '/trash', '/audit'])
    await test.step(path, async () => {
      await page.goto(path)
      const filters = page.getByRole('search')
      const first = filters.locator('input, select').first()
      const reset = filters.getByRole('button', { name: 'Reset' })
      await expect(reset).toBeVisible()
      const middleOf = async (one: typeof first) => {
        const box = await one.boundingBox()
        return box ? box.y + box.height / 2 : undefined
      }
      await expect.poll(async () => (await middleOf(reset)) === (await middleOf(first))).toBe(true)
      await first.focus()
      await page.keyboard.press('Tab')
      await expect(reset).toBeFocused()
    })
})

test('suggestions are as wide as the card of the list @phone', async ({ signedIn: page }) => {
  await page.goto('/media')
  const box = page.getByRole('search').getByRole('combobox').first()
  await box.fill('no')
  const list = page.getByRole('listbox')
  await expect(list.getByRole('option').first()).toBeVisible()
  const edgesOf = async (one: typeof list) => {
    const { x = 0, width = 0 } = (await one.boundingBox()) ?? {}
    return [Math.round(x), Math.round(x + width)]
  }
  const [left, right] = await edgesOf(page.getByRole('search'))
  await expect.poll(() => edgesOf(list)).toEqual([left, right])
  await noSidewaysScroll(page)
})

test('the editors fit @phone', async ({ signedIn: page }) => {
  for (const [path, heading] of [
    ['/characters/new', 'Create New Character'],
    ['/tags/new', 'Create New Tag'],
    ['/users/new', 'Create New User'],
  ] as const)
    await test.step(path, async () => {
      await page.goto(path)
      await expect(content(page)).toBeVisible()
      await fits(page, heading)
    })
})

test('the screens before signing in fit @phone', async ({ page }) => {
  for (const [path, heading] of [
    ['/login', 'Admin Dashboard'],
    ['/forgot-password', /./],
    ['/reset-password#token=none', /./],
  ] as const) {
    await page.goto(path)
    await fits(page, heading)
  }
})

test('the list of media shows more than three entries, and its filters take one row @phone', async ({
  signedIn: page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/media?type=NOVEL')
  const rows = page.getByRole('table', { name: 'Media' }).getByRole('row')
  const bottomOf = async (at: number) => {
    const box = await rows.nth(at).boundingBox()
    return box ? box.y + box.height : Infinity
  }
  await expect.poll(() => bottomOf(2)).toBeLessThan(660)
  const fold = page.getByRole('button', { name: 'Filters and order 1' })
  await expect(page.getByRole('combobox', { name: 'Type' })).toHaveCount(0)
  await fold.tap()
  await page.getByRole('combobox', { name: 'Type' }).selectOption({ label: 'All Types' })
  await noViolations(page)
  await noSidewaysScroll(page)
  await page.getByRole('button', { name: 'Filter', exact: true }).tap()
  await expect(page.getByRole('button', { name: 'Filters and order', exact: true })).toBeVisible()
  await expect(page).toHaveURL('/media')
})

test('navigation drawer, rows as cards, stable layout and search suggestions @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  await test.step('the sidebar is a drawer', async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    await expect(page.locator('aside')).toHaveCount(0)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await noViolations(page)
    await page.getByRole('dialog').getByRole('link', { name: 'Media' }).click()
    await expect(page).toHaveURL('/media')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await noSidewaysScroll(page)
  })

  await test.step('a row is a card with large enough buttons', async () => {
    const word = aWord()
    await aMedia(request, token, { title: word })
    await page.goto(`/media?search=${word}`)
    const card = page.getByRole('row').filter({ hasText: word })
    for (const name of ['View', 'Edit', 'Delete']) {
      const smallest = async () => {
        const box = await card.getByLabel(`${name} ${word}`).boundingBox()
        return Math.min(box?.width ?? 0, box?.height ?? 0)
      }
      await expect.poll(smallest).toBeGreaterThanOrEqual(44)
    }
    await page.getByRole('button', { name: 'Filters and order', exact: true }).tap()
    await page.locator('select', { hasText: 'Newest first' }).selectOption({ label: 'Best rated first' })
    await expect(page).toHaveURL(/sort=-averageRating/)
    await noSidewaysScroll(page)
    await card.getByLabel(`Delete ${word}`).tap()
    await expect(page.getByRole('dialog')).toContainText('Are you sure')
    await noSidewaysScroll(page)
    await noViolations(page)
  })

  await test.step('the layout does not shift when the rows and their count load', async () => {
    const release = await hold(page, '/api/media?*')
    await page.goto('/media')
    const rows = page.locator('main table')
    await expect(rows).toBeVisible()
    const before = await topOf(rows)()
    release()
    await expect(page.getByText(/^[\d,]+\+? results$/)).toBeVisible()
    await expect(page.getByRole('table', { name: 'Media' })).toBeVisible()
    await expect.poll(topOf(rows)).toBe(before)
    await page.unroute('/api/media?*')
  })

  await test.step('search suggestions do not cover the Filter button', async () => {
    const word = aWord()
    for (let each = 0; each < 10; each++) await aMedia(request, token, { title: `${word} ${each}` })
    await page.goto('/media')
    const box = page.getByRole('combobox', { name: 'Search media' })
    await box.fill(word)
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(10)
    await expect.poll(async () => (await box.boundingBox())?.width ?? 0).toBeGreaterThan(130)
    await partsFit(page)
    await page.getByRole('button', { name: 'Filter', exact: true }).tap()
    await expect(page).toHaveURL(`/media?search=${word}`)
    await noSidewaysScroll(page)
  })
})

test('filter conditions, the selection bar and the replacement of a tag fit @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  for (const path of ['/media', '/characters', '/tags'])
    await test.step(`a condition of ${path}`, async () => {
      await page.goto(`${path}?language=ja&what=ever`)
      await expect(page.getByRole('list', { name: 'Active filters' })).toHaveText('With Japanese')
      await page.getByRole('button', { name: 'Add condition' }).click()
      await expect(page.getByLabel('Filter by')).toBeVisible()
      await partsFit(page)
    })

  await test.step('the selection bar and the delete confirmation', async () => {
    const word = aWord()
    for (let each = 0; each < 2; each++) await aMedia(request, token, { title: `${word} ${each}` })
    await page.goto(`/media?search=${word}&sort=createdAt`)
    for (let each = 0; each < 2; each++) await page.getByRole('checkbox', { name: `Select ${word} ${each}` }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await expect(bar.getByText('2 selected')).toBeVisible()
    // No accessibility check here: the bar covers parts of rows, and axe reports their links as too small.
    await noSidewaysScroll(page)
    await bar.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog').getByText('2 items will be deleted')).toBeVisible()
    await noSidewaysScroll(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await bar.getByRole('button', { name: 'Undo' }).click()
    // On one line, with who undid it below.
    const undone = bar.getByText('Undone: 2 items restored')
    await expect(bar.getByText('By admin,')).toBeVisible()
    await expect.poll(() => undone.evaluate((element) => element.getClientRects()[0]?.height)).toBeLessThan(30)
  })

  await test.step('replacing a tag before it is deleted', async () => {
    const word = aWord()
    const old = await aTag(request, token, { name: `${word} old` })
    await aTag(request, token, { name: `${word} fresh` })
    await aCharacter(request, token, { tags: [old._id] })
    await page.goto(`/tags?search=${word}`)
    await page.getByRole('button', { name: `Delete ${word} old` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Search for the replacement' }).fill(`${word} fresh`)
    await expect(dialog.getByRole('option', { name: `${word} fresh` })).toBeVisible()
    await noViolations(page)
    await dialog.getByRole('option', { name: `${word} fresh` }).click()
    await expect(dialog.getByRole('status').filter({ hasText: 'Will be replaced with' })).toContainText(word)
    await partsFit(page)
  })
})

test('asset upload, unused assets and the asset screen fit @phone', async ({ signedIn: page, request, token }) => {
  const name = `${aWord()}.png`
  await page.goto('/assets')
  await page.getByRole('button', { name: 'Upload Asset' }).click()
  const buffer = aPixel()
  await page.getByLabel('Drop files here, or choose them').setInputFiles([
    { name, mimeType: 'image/png', buffer },
    { name: `other ${name}`, mimeType: 'image/png', buffer },
  ])
  const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem')
  for (const each of [0, 1]) await expect(files.nth(each)).toContainText('Uploaded')
  await partsFit(page)

  await test.step('unused assets and their confirmation', async () => {
    await page.goto(`/assets?search=${name}&unused=true`)
    await expect(page.getByText(/^2 unused assets/)).toBeVisible()
    await partsFit(page)
    await page.getByRole('button', { name: 'Move all to the trash' }).click()
    await expect(page.getByRole('dialog', { name: 'Move unused assets to the trash' })).toBeVisible()
    await partsFit(page)
    await page.keyboard.press('Escape')
  })

  await test.step('the asset screen, and where the asset is used', async () => {
    await page.getByRole('link', { name, exact: true }).click()
    await fits(page, name)
    const cover = /[^/]+$/.exec(page.url())?.[0] ?? ''
    await changeMedia(request, token, await aMedia(request, token), { cover })
    await page.reload()
    await expect(page.getByRole('region', { name: /^Used In ?1$/ })).toBeVisible()
    await fits(page, name)
  })
})

test('the work desk, the matrix and a batch fit @phone', async ({ signedIn: page, request, token, expectedErrors }) => {
  expectedErrors.push(/412/)
  await test.step('the work desk', async () => {
    const { tag, media } = await wrongTitles(request, token, 2)
    await page.goto(`/work?finding=copied:zh&tags=${tag}`)
    const heading = page.getByRole('heading', { level: 2 })
    await expect(heading).toHaveText(media[0]?.translations.ja?.title ?? '')
    const field = page.locator('[data-work-field]')
    await expect(field).toBeFocused()
    // On a screen that ends below the field, its button is scrolled into sight, too.
    const end = await field.evaluate((element) => element.getBoundingClientRect().bottom + scrollY)
    await page.setViewportSize({ width: 360, height: Math.ceil(end) + 4 })
    await page.reload()
    await expect(field).toBeFocused()
    await expect(page.getByRole('button', { name: 'Save and continue' })).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 360, height: 740 })
    await expect(page.getByText('saves and continues')).toBeHidden()
    await expect(page.locator('main kbd:visible')).toHaveCount(0)
    await partsFit(page)
    // What it reports may be followed by another press anywhere below the top bar.
    await page.keyboard.press('Alt+z')
    const toast = page.getByRole('log').locator('> *').filter({ hasText: 'There is nothing to undo.' })
    await expect(toast).toBeVisible()
    const bottomOf = (part: Locator) => part.evaluate((at) => at.getBoundingClientRect().bottom)
    const bar = await bottomOf(page.getByRole('banner'))
    await expect.poll(() => bottomOf(toast)).toBeLessThanOrEqual(bar + 8)
    await page.getByRole('button', { name: 'Skip' }).click()
    await expect(heading).toHaveText(media[1]?.translations.ja?.title ?? '')
  })

  await test.step('a conflict in a cell of the matrix', async () => {
    const { tag, media } = await wrongTitles(request, token, 1)
    await page.goto(`/work?tags=${tag}&view=matrix`)
    const cell = page.getByRole('grid', { name: 'Matrix: Title' }).getByRole('gridcell').nth(1)
    await cell.dblclick()
    await page.keyboard.insertText('我的')
    for (const one of media) {
      const translations = { ...one.translations, zh: { title: '他们的', description: '' } }
      await changeMedia(request, token, one, { translations })
    }
    await page.keyboard.press('Enter')
    await expect(page.getByText('Their text: 他们的')).toBeVisible()
    await partsFit(page)
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await expect(cell).toHaveText('我的Saved')
  })

  await test.step('a batch and its rollback', async () => {
    const { _id } = await aMedia(request, token, { isOngoing: false })
    const headers = { authorization: `Bearer ${token}` }
    const data = { ids: [_id, 'nothing-has-this-id'], change: { isOngoing: true } }
    const { batch } = (await (await request.post('/api/media/bulk', { data, headers })).json()) as { batch: string }
    await page.goto(`/batches/${batch}`)
    await expect(
      page.getByRole('table', { name: 'Items' }).getByRole('row').filter({ hasText: 'Refused' }),
    ).toBeVisible()
    await fits(page, 'Batch: Set status')
    await page.getByRole('button', { name: 'Roll back' }).click()
    const dialog = page.getByRole('dialog', { name: 'Roll back batch' })
    await dialog.getByLabel('Reason').fill('a mistake')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await expect(dialog.getByRole('status')).toHaveText(/^1 would be rolled back/)
    await partsFit(page)
  })
})

test('the settings, a version comparison and a rating fit @phone', async ({ signedIn: page, request, token }) => {
  await test.step('a list selects the section of the settings', async () => {
    await page.goto('/settings')
    await page.getByRole('combobox', { name: 'Sections' }).selectOption('Mail')
    await expect(page).toHaveURL('/settings?section=mail')
    await expect(page.getByText('Not set up')).toBeVisible()
  })

  await test.step('a comparison replaces the list of versions, and links back to it', async () => {
    const { media } = await aChangedMedia(request, token, ['One', 'Two'])
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await page.goto(`/media/${media._id}?tab=history`)
    await expect(versions).toHaveCount(2)
    await noSidewaysScroll(page)
    await noViolations(page)
    await versions.last().getByRole('link', { name: 'Compare with now: version 1' }).click()
    await expect(page.getByText('1 difference')).toBeVisible()
    await expect(versions.first()).toBeHidden()
    await expect(page.getByRole('main').locator(':focus')).toHaveText('Comparison')
    await page.getByRole('link', { name: 'All versions' }).click()
    await expect(versions).toHaveCount(2)
    await expect(versions.first()).toBeVisible()
  })

  await test.step('a rating and its form fit', async () => {
    const person = await aPerson(request, token)
    const { _id: mediaId } = await aMedia(request, token, { title: `The Long Title of ${aWord()} `.repeat(5) })
    const { _id } = await aRating(request, person.token, { mediaId, comment: 'Slow, then not. '.repeat(20) })
    await page.goto(`/ratings/${_id}`)
    await fits(page, 'Rating Details')
    await page.getByRole('button', { name: 'Edit Rating' }).click()
    await page.getByRole('spinbutton', { name: 'Score' }).fill('11')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Enter a score from 0 to 10, in steps of 0.1.')).toBeVisible()
    await fits(page, 'Rating Details')
  })
})

test('with a large font, icons grow, and neither dates nor the names of tiers break inside @phone', async ({
  signedIn: page,
}) => {
  /** The number of lines that the text of an element takes. */
  const linesOf = (part: Locator) =>
    part.evaluate((element) => {
      const text = document.createRange()
      text.selectNodeContents(element)
      return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size
    })
  const widthOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().width)
  await page.goto('/media')
  const date = page.locator('time').first()
  const icon = page.getByRole('button', { name: /^Notifications/ }).locator('svg')
  await expect(date).toBeVisible()
  const width = await widthOf(icon)
  const largeFont = () => page.evaluate(() => void (document.documentElement.style.fontSize = '24px'))
  await largeFont()
  await expect.poll(() => widthOf(icon)).toBe(width * 1.5)
  await expect.poll(() => linesOf(date)).toBe(1)
  await noSidewaysScroll(page)
  await page.goto('/score-permissions')
  const name = page.getByRole('heading', { level: 2 }).getByRole('link', { name: 'Newcomer' })
  await expect(name).toBeVisible()
  await largeFont()
  await expect.poll(() => linesOf(name)).toBe(1)
  await noSidewaysScroll(page)
})

test('a button whose text is wider than its card has two lines @phone', async ({ signedIn: page }) => {
  // As many letters fit as at 360 pixels with a font size of 24 pixels.
  await page.setViewportSize({ width: 240, height: 740 })
  await page.goto('/settings?section=mail')
  const button = page.getByRole('button', { name: 'Send test message to myself' })
  await expect(button).toBeVisible()
  const isInside = (element: Element) => {
    const right = element.parentElement?.getBoundingClientRect().right ?? 0
    return element.getBoundingClientRect().right <= right && element.scrollHeight <= element.clientHeight
  }
  await expect.poll(() => button.evaluate(isInside)).toBe(true)
})

test('the buttons of an asset are in one row, and with a large font stay on its card @phone', async ({
  signedIn: page,
}) => {
  await page.goto('/assets')
  const card = page.locator('[data-list-row]').first()
  await expect(card).toBeVisible()
  const buttons = card.locator('a[aria-label], button')
  await expect(buttons).toHaveCount(3)
  const tops = await buttons.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
  await page.evaluate(() => (document.documentElement.style.fontSize = '24px'))
  const cutOff = (element: Element) => element.scrollWidth - element.clientWidth
  await expect.poll(() => card.evaluate(cutOff)).toBe(0)
})
