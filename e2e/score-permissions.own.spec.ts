import { newTier, type Tier } from '@mokuroku/contract/tiers'
import type { APIRequestContext, Page } from '@playwright/test'
import { aWord } from './support/catalogue.ts'
import { content, problems, save, write, written } from './support/editor.ts'
import { expect, noSidewaysScroll, noViolations } from './support/fixtures.ts'
import { alert, dialog, heading } from './support/locators.ts'
import { test } from './support/ownServer.ts'
import { aScore, aTier, aUser } from './support/people.ts'

// Uses its own server, because the screen lists the tiers of all tests.

const steps = (page: Page) => page.getByRole('list', { name: 'Score Permissions' }).getByRole('listitem')
const step = (page: Page, { name }: { name: string }) => steps(page).filter({ hasText: name })
const preview = (page: Page) => page.getByRole('region', { name: 'Who gains or loses permissions' })

/** The value of a permission of a tier: 'Yes', 'No' or '10 MB', with a mark if it is new compared to the tier below. */
const permission = (page: Page, tier: { name: string }, name: string) =>
  step(page, tier).locator('dl > div').filter({ hasText: name }).getByRole('definition')

const ready = async (page: Page) => {
  await page.goto('/score-permissions')
  await expect(steps(page).first()).toBeVisible()
}

async function stored(request: APIRequestContext, token: string, id: string) {
  const answer = await request.get(`/api/score-permissions/${id}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status(), tier: (await answer.json()) as Tier }
}

/** The fields of a tier that the editor shows. */
const input = ({ name, description, requiredScore, isActive, permissions }: Tier) => ({
  name,
  description,
  requiredScore,
  isActive,
  permissions,
})

test('the list shows every tier with its permissions @phone', async ({ signedIn: page, request, token }) => {
  const requiredScore = aScore()
  const low = await aTier(request, token, { requiredScore, permissions: { canCreateTag: true } })
  const high = await aTier(request, token, {
    requiredScore: requiredScore + 10,
    description: 'Looks after everything.',
    permissions: { canUploadVideo: true, maxUploadSizeMB: 1500, customPermissions: { canPinToTheTop: true } },
  })
  const idle = await aTier(request, token, { requiredScore: 1e90, isActive: false })
  await aUser(request, token, { scores: requiredScore + 3 })
  await ready(page)
  await expect(heading(page)).toHaveText('Score Permissions')
  const first = steps(page).first()
  await expect(first).toContainText('Default')
  await expect(first).toContainText('Newcomer')

  await expect(step(page, low)).toContainText(new Intl.NumberFormat('en').format(requiredScore))
  await expect(step(page, low)).toContainText('1 user')
  await expect(step(page, low)).toContainText('Active')
  await expect(step(page, low)).not.toContainText('Default')
  await expect(permission(page, low, 'Create tags')).toHaveText(/^Yes/)
  await expect(permission(page, low, 'Create media')).toHaveText(/^No/)
  await expect(permission(page, low, 'Rate content')).toHaveText(/^Yes/)
  await expect(permission(page, low, 'Upload size')).toContainText('2 MB')

  await expect(step(page, high)).toContainText('Looks after everything.')
  await expect(step(page, high)).toContainText('0 users')
  await expect(permission(page, high, 'Upload size')).toHaveText('1,500 MBmore')
  await expect(permission(page, high, 'Upload videos')).toHaveText('Yesnew')
  await expect(permission(page, high, 'Create tags')).toHaveText('Nolost')
  await expect(permission(page, high, 'canPinToTheTop')).toHaveText('Yesnew')
  await expect(step(page, high).getByRole('term')).toHaveText([
    'Create media',
    'Create characters',
    'Create tags',
    'Edit own content',
    'Edit any content',
    'Rate content',
    'Comment without limits',
    'Premium content',
    'Upload videos',
    'Upload size',
    'canPinToTheTop',
  ])
  await expect(step(page, idle)).toContainText('Inactive')
  // A tier is compared with the next lower active tier, not with an inactive one.
  const own = [low, high, idle].map(({ name }) => name)
  await expect(
    steps(page)
      .getByRole('heading')
      .filter({ hasText: new RegExp(own.join('|')) }),
  ).toHaveText(own)
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('a change previews who gains or loses permissions, and asks before users lose any @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const requiredScore = aScore()
  const tier = await aTier(request, token, { requiredScore, permissions: { canCreateTag: true } })
  const people = []
  for (let number = 0; number < 7; number++)
    people.push(await aUser(request, token, { scores: requiredScore + number }))
  await page.goto(`/score-permissions/${tier._id}/edit`)
  await expect(heading(page)).toHaveText('Edit Permission Tier')
  await expect(content(page)).toContainText('"canCreateTag": true', { timeout: 20_000 })
  await expect(preview(page)).toContainText('No user would gain or lose permissions.')
  await write(page, {
    ...input(tier),
    permissions: { ...tier.permissions, canCreateTag: false, canCreateMedia: true, maxUploadSizeMB: 20 },
  })
  await expect(preview(page)).toContainText('This affects 7 users.')
  await expect(preview(page)).toContainText('Create tags · 7 users')
  await expect(preview(page)).toContainText('Create media · 7 users')
  await expect(preview(page)).toContainText('Upload size · 7 users')
  for (const { username } of people.slice(0, 5)) await expect(preview(page)).toContainText(username)
  await expect(preview(page)).toContainText('and 2 more')
  await noSidewaysScroll(page)
  // Scroll to the top: axe reports controls that are half hidden below the top bar as too small.
  await page.evaluate(() => scrollTo(0, 0))
  await noViolations(page)
  await save(page).click()
  await expect(dialog(page)).toContainText('Some users will lose permissions')
  await expect(dialog(page)).toContainText('Saving this takes permissions away from users who have them now.')
  await expect(dialog(page)).toContainText('Create tags · 7 users')
  await noViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  expect((await stored(request, token, tier._id)).tier.version).toBe(1)
  await save(page).click()
  await dialog(page).getByRole('button', { name: 'Save anyway' }).click()
  await expect(page.getByText('Permission tier updated successfully')).toBeVisible()
  await expect(page).toHaveURL('/score-permissions')
  await expect(permission(page, tier, 'Create media')).toContainText('Yes')
  expect((await stored(request, token, tier._id)).tier.permissions).toMatchObject({ canCreateTag: false })
})

test.describe('a tier', () => {
  // The browser logs refused calls.
  test.use({
    expectedErrors: [/status of 4(09|12)|changed since you opened it|already has the required score|stays active/],
  })

  test('is created and edited as JSON, deleted with Undo, and reports conflicts', async ({
    signedIn: page,
    request,
    token,
  }) => {
    await test.step('a new tier is validated and saved', async () => {
      const name = aWord()
      await page.goto('/score-permissions/new')
      await expect(heading(page)).toHaveText('Create New Permission Tier')
      await expect(content(page)).toContainText('"canRateContent": true', { timeout: 20_000 })
      await expect(content(page)).toContainText('"maxUploadSizeMB": 2')
      await expect(content(page)).toContainText('"requiredScore": 0')
      await expect(page.locator('.cm-editor')).toHaveCSS('height', '550px')
      // Missing values of a new tier are not reported before the first save.
      await expect(problems(page)).toBeHidden()
      await noSidewaysScroll(page)
      await noViolations(page)
      await save(page).click()
      await expect(problems(page)).toContainText('Validation errors:')
      await expect(problems(page)).toContainText('name: Name is required')
      await write(page, { ...newTier(), name, requiredScore: -1 })
      await expect(problems(page)).toContainText('requiredScore: Score must be non-negative')
      await write(page, '')
      await expect(problems(page)).toContainText('Please provide valid JSON data.')
      await write(page, '{ "name": ')
      await expect(problems(page)).toContainText('Invalid JSON format')
      await expect(preview(page)).toContainText('Shown once all values are valid.')
      await write(page, { ...newTier(), name, requiredScore: aScore() })
      await expect(preview(page)).toContainText('No user would gain or lose permissions.')
      await noViolations(page)
      await page.keyboard.press('ControlOrMeta+s')
      await expect(page.getByText('Permission tier created successfully')).toBeVisible()
      await expect(page).toHaveURL('/score-permissions')
      await expect(step(page, { name })).toBeVisible()
    })

    await test.step('deleting previews who loses permissions, and can be undone', async () => {
      const requiredScore = aScore()
      const tier = await aTier(request, token, { requiredScore, permissions: { customPermissions: { canPin: true } } })
      const { username } = await aUser(request, token, { scores: requiredScore })
      await ready(page)
      await page.getByRole('button', { name: `Delete ${tier.name}` }).click()
      await expect(dialog(page)).toContainText('Are you sure you want to delete this permission tier?')
      await expect(preview(page)).toContainText('canPin · 1 user')
      await expect(preview(page)).toContainText(username)
      await noViolations(page)
      await dialog(page).getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByText('Permission tier deleted successfully')).toBeVisible()
      await expect(step(page, tier)).toHaveCount(0)
      expect((await stored(request, token, tier._id)).status).toBe(404)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(page.getByText('Permission tier restored')).toBeVisible()
      await expect(step(page, tier)).toContainText('1 user')
    })

    await test.step('a conflict with another tier is reported at its field', async () => {
      const [one, other] = [await aTier(request, token), await aTier(request, token)]
      await page.goto(`/score-permissions/${one._id}/edit`)
      await expect(content(page)).toBeVisible({ timeout: 20_000 })
      await write(page, { ...input(one), requiredScore: other.requiredScore })
      await save(page).click()
      const taken = `Another active tier already has the required score ${other.requiredScore}.`
      await expect(alert(page, 'Failed to update permission tier')).toContainText(taken)
      await expect(problems(page)).toContainText(`requiredScore: ${taken}`)

      await ready(page)
      await steps(page).first().getByRole('link').first().click()
      await expect(content(page)).toContainText('"requiredScore": 0', { timeout: 20_000 })
      await write(page, (await written(page)).replace('"isActive": true', '"isActive": false'))
      await save(page).click()
      const stays = 'The default permission tier stays active, with a required score of 0.'
      await expect(problems(page)).toContainText(`isActive: ${stays}`)
      const id = page.url().split('/').at(-2) ?? ''
      expect((await stored(request, token, id)).tier.isActive).toBe(true)
    })

    await test.step('a conflicting save can be resolved with the own version', async () => {
      const tier = await aTier(request, token)
      await page.goto(`/score-permissions/${tier._id}/edit`)
      await expect(content(page)).toBeVisible({ timeout: 20_000 })
      const headers = { authorization: `Bearer ${token}` }
      const theirs = { ...input(tier), name: `Theirs ${tier.name}` }
      await request.put(`/api/score-permissions/${tier._id}`, { data: theirs, headers })
      await write(page, { ...input(tier), name: `Mine ${tier.name}` })
      await save(page).click()
      await expect(page.getByRole('heading', { name: 'You changed this in another window' })).toBeVisible()
      await page.getByRole('button', { name: 'All of this window' }).click()
      await page.getByRole('button', { name: 'Save merged' }).click()
      await expect(page.getByText('Permission tier updated successfully')).toBeVisible()
      expect((await stored(request, token, tier._id)).tier.name).toBe(`Mine ${tier.name}`)
    })

    await test.step('the list and the editor are accessible in Chinese', async () => {
      await page.evaluate(() => localStorage.setItem('language', 'zh'))
      await page.goto('/score-permissions')
      await expect(heading(page)).toHaveText('积分权限')
      await noViolations(page)
      await page.goto('/score-permissions/new')
      await expect(content(page)).toBeVisible({ timeout: 20_000 })
      await page.getByRole('button', { name: '保存' }).click()
      await expect(problems(page)).toContainText('name: 请输入名称')
      await noViolations(page)
    })
  })
})

test('the permission matrix: a second click on a cell changes a permission, and can be undone @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const tier = await aTier(request, token)
  await ready(page)
  await page.getByRole('link', { name: 'Matrix' }).click()
  const grid = page.getByRole('grid', { name: 'Permissions by tier' })
  await expect(grid).toBeVisible()
  const answer = await request.get('/api/score-permissions', { headers: { authorization: `Bearer ${token}` } })
  const column = ((await answer.json()) as { data: Tier[] }).data.findIndex(({ _id }) => _id === tier._id)
  const cellOf = (right: string) =>
    grid
      .getByRole('row', { name: new RegExp(`^${right}`) })
      .getByRole('gridcell')
      .nth(column)
  const cell = cellOf('Create tags')
  await expect(cell).toHaveText('No')
  await cell.click()
  await expect(cell).toBeFocused()
  await cell.click()
  await expect(page.getByText(`${tier.name}: Create tags is now Yes`)).toBeVisible()
  await expect(cell).toHaveText('Yes')
  expect((await stored(request, token, tier._id)).tier.permissions.canCreateTag).toBe(true)
  await noViolations(page)
  await noSidewaysScroll(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cell).toHaveText('No')
  expect((await stored(request, token, tier._id)).tier).toMatchObject({
    version: 3,
    permissions: { canCreateTag: false },
  })
  if ((page.viewportSize()?.width ?? 0) > 480) return
  // More than three messages would cover the cells.
  const message = (right: string) => page.getByText(`${tier.name}: ${right} is now Yes`)
  for (const right of ['Create media', 'Create characters', 'Edit own content', 'Premium content']) {
    await cellOf(right).click()
    await cellOf(right).click()
    await expect(message(right)).toBeVisible()
  }
  // It is dismissed only some seconds later.
  await expect(message('Create media')).toBeHidden({ timeout: 2000 })
})
