// Tests the accessibility of empty states, errors and missing permissions. Their texts are tested without a browser
// (console/src/*.test.tsx).
import { aCharacter, aMedia, aTag, aWord } from './support/catalogue.ts'
import { expect, hold, noViolations, test } from './support/fixtures.ts'
import { heading } from './support/locators.ts'

test.use({ expectedErrors: [/./] })

test('lists are accessible when they are empty, or when they or their search fail to load', async ({
  signedIn: page,
}) => {
  await test.step('a list without results', async () => {
    await page.goto('/media?search=zzzqqqxxxjjjwww')
    await expect(page.getByText('No media found', { exact: true })).toBeVisible()
    await noViolations(page)
  })

  await test.step('a list and recent items that fail to load', async () => {
    await page.route('/api/media?*', (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto('/media')
    await expect(page.getByText('Failed to load media')).toBeVisible()
    await noViolations(page)
    await page.getByRole('combobox', { name: 'Search media' }).focus()
    await expect(page.getByText('Failed to load your recent media')).toBeVisible()
  })

  await test.step('a failed search', async () => {
    await page.route('/api/search?*', (route) => route.abort())
    await page.getByRole('combobox', { name: 'Search media' }).fill('genji')
    await expect(page.getByText('Failed to perform search')).toBeVisible()
    await noViolations(page)
    // The list fails up to the click: it also reloads, without Retry, whenever another test writes a media item.
    await page.evaluate(() =>
      document.addEventListener('click', () => (document.body.dataset.clicked = 'yes'), { capture: true, once: true }),
    )
    await page.route('/api/media?*', async (route) =>
      (await page.evaluate(() => 'clicked' in document.body.dataset)) ? route.continue() : route.fallback(),
    )
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('row').nth(1)).toBeVisible()
  })

  await test.step('an asset list without results', async () => {
    await page.goto('/assets?status=ERROR&search=zzzqqqxxxjjjwww')
    await expect(page.getByText('No assets found')).toBeVisible()
    await noViolations(page)
  })
})

test('screens are accessible when they load, fail to load, or do not exist', async ({
  signedIn: page,
  request,
  token,
}) => {
  const nothing = '00000000-0000-7000-8000-000000000000'
  const { _id: media } = await aMedia(request, token)
  const { _id: character } = await aCharacter(request, token)
  const { _id: tag } = await aTag(request, token)

  await test.step('a media item without a response', async () => {
    await page.route(`/api/media/${media}`, (route) => route.abort())
    await page.goto(`/media/${media}`)
    await expect(heading(page)).toHaveText('Error')
    await noViolations(page)
  })

  await test.step('a loading list', async () => {
    const release = await hold(page, '/api/media?*')
    await page.goto('/media')
    await expect(page.getByText('Loading media…')).toBeAttached()
    await noViolations(page)
    release()
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await page.unroute('/api/media?*')
  })

  await test.step('a character that loads and then fails', async () => {
    const held = Promise.withResolvers<void>()
    await page.route(`/api/characters/${character}`, async (route) => {
      await held.promise
      await route.fulfill({ status: 500, json: {} })
    })
    await page.goto(`/characters/${character}`)
    await expect(page.getByText('Loading character details...')).toBeVisible()
    await noViolations(page)
    held.resolve()
    await expect(page.getByText('Failed to load character details')).toBeVisible()
    await noViolations(page)
  })

  await test.step('an editor that fails to load', async () => {
    await page.route(`/api/tags/${tag}`, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(`/tags/${tag}/edit`)
    await expect(page.getByText('Failed to load tag data')).toBeVisible()
    await noViolations(page)
  })

  for (const [path, name] of [
    [`/characters/${nothing}`, 'Character not found'],
    ['/assets/nothing', 'Asset not found'],
  ] as const)
    await test.step(name, async () => {
      await page.goto(path)
      await expect(heading(page)).toHaveText(name)
      await noViolations(page)
    })
})

test('a link keeps the focus when the screen around it has loaded', async ({ signedIn: page, request, token }) => {
  const { _id: tag } = await aTag(request, token)
  for (const path of [`/tags/${tag}/edit`, `/tags/${tag}/history`]) {
    const release = await hold(page, `/api/tags/${tag}`)
    await page.goto(path)
    const back = page.getByRole('link', { name: 'Back to Tags' })
    const skeleton = await back.elementHandle()
    await back.focus()
    release()
    await expect.poll(() => skeleton?.evaluate((link) => link.isConnected)).toBe(false)
    await expect(back).toBeFocused()
    await page.unroute(`/api/tags/${tag}`)
  }
})

test('lists are accessible for a user without write permissions', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aMedia(request, token, { title: word })
  await page.route('/api/auth/verify', async (route) => {
    const answer = await route.fetch()
    const { user } = (await answer.json()) as { user: { permissions: Record<string, unknown> } }
    const permissions = Object.fromEntries(Object.keys(user.permissions).map((flag) => [flag, false]))
    await route.fulfill({ json: { success: true, user: { ...user, role: 'user', tier: 'Reader', permissions } } })
  })
  for (const [path, name] of [
    [`/media?search=${word}`, 'Add New Media'],
    ['/characters', 'Add New Character'],
  ] as const)
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
      await expect(
        page
          .getByRole('main')
          .getByRole('button', { name: /^Delete / })
          .first(),
      ).toBeVisible()
      await noViolations(page)
    })
})
