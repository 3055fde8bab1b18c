import type { User } from '@mokuroku/contract/users'
import type { APIRequestContext, Page } from '@playwright/test'
import { aMedia, aWord } from './support/catalogue.ts'
import { content, problems, save, write } from './support/editor.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { dialog, heading } from './support/locators.ts'
import { aPerson, aTier, aUser, PASSWORD } from './support/people.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Users' }).getByRole('row')
const row = (page: Page, { username }: User) => rows(page).filter({ hasText: username })

async function stored(request: APIRequestContext, token: string, { _id }: { _id: string }) {
  const answer = await request.get(`/api/users/${_id}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status(), user: (await answer.json()) as User }
}

async function signsIn(request: APIRequestContext, email: string | undefined, password: string) {
  return (await request.post('/api/auth/login', { data: { email, password } })).status()
}

/** The fields of an account that the editor shows. */
const input = ({ username, email, role, isActive, avatar, scores }: User) => ({
  username,
  email,
  role,
  isActive,
  avatar,
  scores,
})

test('accounts are listed, deactivated and deleted, each with Undo', async ({ signedIn: page, request, token }) => {
  await test.step('the table fits, and is accessible', async () => {
    const word = aWord()
    const tier = await aTier(request, token)
    const person = await aPerson(request, token, { username: `${word}_one`, scores: tier.requiredScore })
    const { user: member } = await stored(request, token, person.user)
    const moderator = await aUser(request, token, { username: `${word}_two`, role: 'moderator', isActive: false })
    const admin = await aUser(request, token, { username: `${word}_${'long'.repeat(12)}`, role: 'admin' })
    await page.goto(`/users?search=${word}`)
    await expect(heading(page)).toHaveText('Users')
    await expect(rows(page)).toHaveCount(4)
    await expect(row(page, member)).toContainText(tier.name)
    const days = [member.lastLogin, member.createdAt].map((moment) => moment?.slice(0, 10) ?? '')
    await expect(row(page, member).getByRole('time')).toHaveText(days)
    await expect(row(page, moderator)).toContainText('Never')
    await expect(row(page, admin).getByText('Admin', { exact: true })).toBeVisible()
    await noSidewaysScroll(page)
    await noViolations(page)
  })

  await test.step('deactivating an account signs it out at once, and can be undone', async () => {
    const { user, token: theirs } = await aPerson(request, token)
    await page.goto(`/users?search=${user.username}`)
    const saves: string[] = []
    page.on('request', (sent) => void (sent.method() === 'PUT' && saves.push(sent.postData() ?? '')))
    await page.getByRole('button', { name: `Deactivate ${user.username}` }).focus()
    await page.keyboard.down('Enter')
    await expect(page.getByText(`${user.username} is deactivated and signed out`)).toBeVisible()
    await expect(row(page, user).getByText('Inactive', { exact: true })).toBeVisible()
    // Held down, it is one press, although the button now does the opposite.
    await page.keyboard.down('Enter')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect((await stored(request, theirs, user)).status).toBe(401)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText(`${user.username} can sign in again`)).toBeVisible()
    expect(saves).toEqual(['{"isActive":false}', '{"isActive":true}'])
    await expect(row(page, user).getByText('Active', { exact: true })).toBeVisible()
    expect(await signsIn(request, user.email, PASSWORD)).toBe(200)
  })

  await test.step('delete asks first, keeps the contributions of the account, and can be undone', async () => {
    const { user, token: theirs } = await aPerson(request, token, { role: 'moderator' })
    const media = await aMedia(request, theirs)
    await page.goto(`/users?search=${user.username}`)
    await page.getByRole('button', { name: `Delete ${user.username}` }).click()
    await expect(dialog(page)).toContainText('Are you sure you want to delete this user?')
    await expect(dialog(page)).toContainText('This account created or changed 1 media. All of it stays.')
    await expect(dialog(page)).toContainText('Its changes stay in the history')
    await noViolations(page)
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('User deleted')).toBeVisible()
    await expect(row(page, user)).toHaveCount(0)
    expect((await stored(request, token, user)).status).toBe(404)
    const address = `/api/revisions?entityType=Media&entityId=${media._id}`
    const revisions = await request.get(address, { headers: { authorization: `Bearer ${token}` } })
    expect(await revisions.text()).toContain(user.username)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('User restored')).toBeVisible()
    await expect(row(page, user)).toHaveCount(1)
  })

  await test.step('the list and the editor are accessible in Chinese', async () => {
    const user = await aUser(request, token, { role: 'moderator' })
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.goto(`/users?search=${user.username}`)
    await expect(heading(page)).toHaveText('用户')
    await noViolations(page)
    await page.goto(`/users/${user._id}/edit`)
    await expect(heading(page)).toHaveText('编辑用户')
    await noViolations(page)
  })
})

test('a new account is created as JSON, and its password is never in a draft', async ({ signedIn: page, request }) => {
  await test.step('a new account is validated, saved, and can sign in', async () => {
    const word = aWord()
    await page.goto('/users/new')
    await expect(heading(page)).toHaveText('Create New User')
    await expect(content(page)).toContainText('"role": "user"', { timeout: 20_000 })
    await expect(page.locator('.cm-editor')).toHaveCSS('height', '550px')
    await expect(problems(page)).toBeHidden()
    await noSidewaysScroll(page)
    await noViolations(page)
    const account = { username: word, email: `${word}@example.org`, password: 'hunter22hunter22', role: 'moderator' }
    await write(page, { ...account, username: 'ab', email: 'no', password: 'short', role: 'owner' })
    await save(page).click()
    for (const line of ['Validation errors:', 'username: ', 'email: ', 'password: ', 'role: '])
      await expect(problems(page)).toContainText(line)
    await write(page, { ...account, nickname: 'x' })
    await expect(problems(page)).toContainText('nickname')
    await write(page, { ...account, isActive: true, scores: 12 })
    await save(page).click()
    await expect(page.getByText('User created successfully')).toBeVisible()
    await expect(page).toHaveURL('/users')
    expect(await signsIn(request, account.email, account.password)).toBe(200)
  })

  await test.step('a draft contains no password, and a restored draft requires it again', async () => {
    const word = aWord()
    await page.goto('/users/new')
    await expect(content(page)).toBeVisible({ timeout: 20_000 })
    const kept = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
    await write(page, `{\n  "username": "${word}",\n  "password": "hunter22hun`)
    await expect.poll(kept).toContain(word)
    await expect.poll(kept).not.toContain('hunter')
    await write(page, { username: word, email: `${word}@example.org`, password: 'hunter22hunter22' })
    await expect.poll(kept).toContain(`${word}@example.org`)
    await expect.poll(kept).not.toContain('hunter')
    page.on('dialog', (leaving) => void leaving.accept())
    await page.reload()
    await page.getByRole('button', { name: 'Restore draft' }).click({ timeout: 20_000 })
    await expect(content(page)).toContainText(word)
    await expect(content(page)).toContainText('"password": ""')
    await expect(problems(page)).toContainText('password: ')
    await expect.poll(kept).not.toContain('hunter')
  })
})

test.describe('an account', () => {
  // The browser logs refused calls.
  test.use({ expectedErrors: [/status of 4(01|12)|changed since you opened it/] })

  test('is edited as JSON, and its password is never shown and survives a conflict', async ({
    signedIn: page,
    request,
    token,
  }) => {
    await test.step('its password can be set, but is never shown', async () => {
      const user = await aUser(request, token)
      await page.goto(`/users/${user._id}/edit`)
      await expect(heading(page)).toHaveText('Edit User')
      await expect(content(page)).toContainText(user.username, { timeout: 20_000 })
      await expect(content(page)).not.toContainText('password')
      await expect(page.locator('.cm-editor')).toHaveCSS('height', '550px')
      const sent = page.waitForRequest((call) => call.method() === 'PUT')
      await write(page, { ...input(user), role: 'moderator', scores: 5, password: 'hunter22hunter22' })
      await save(page).click()
      expect((await sent).headers()['if-match']).toBe('"1"')
      await expect(page.getByText('User updated successfully')).toBeVisible()
      await expect(page).toHaveURL('/users')
      await expect(row(page, user)).toContainText('Moderator')
      expect(await signsIn(request, user.email, PASSWORD)).toBe(401)
      expect(await signsIn(request, user.email, 'hunter22hunter22')).toBe(200)
      await page.goto(`/users/${user._id}/edit`)
      await expect(content(page)).toContainText('"scores": 5', { timeout: 20_000 })
      await expect(content(page)).not.toContainText('hunter')
    })

    await test.step('a conflicting save shows both versions, and keeps the new password', async () => {
      const user = await aUser(request, token)
      await page.goto(`/users/${user._id}/edit`)
      await expect(content(page)).toBeVisible({ timeout: 20_000 })
      const headers = { authorization: `Bearer ${token}` }
      await request.put(`/api/users/${user._id}`, { data: { scores: 7 }, headers })
      await write(page, { ...input(user), scores: 9, password: 'hunter22hunter22' })
      await save(page).click()
      await expect(page.getByRole('heading', { name: 'You changed this in another window' })).toBeVisible()
      await expect(page.getByText('hunter22hunter22').filter({ visible: true })).toHaveCount(0)
      await page.getByRole('button', { name: 'All of the other window' }).click()
      await page.getByRole('button', { name: 'Save merged' }).click()
      await expect(page.getByText('User updated successfully')).toBeVisible()
      expect((await stored(request, token, user)).user.scores).toBe(7)
      expect(await signsIn(request, user.email, 'hunter22hunter22')).toBe(200)
    })
  })
})

test.describe('a tier', () => {
  test.use({ expectedErrors: [/no longer exists/] })

  test('that was deleted meanwhile is not given to an account', async ({ signedIn: page, request, token }) => {
    const [tier, other] = [await aTier(request, token), await aTier(request, token)]
    const { user } = await aPerson(request, token)
    // Without the stream, the screen does not learn of the deletion.
    await page.route('**/api/notifications/stream*', () => undefined)
    await page.goto(`/users?search=${user.username}`)
    await page.getByRole('button', { name: `Set the tier of ${user.username}` }).click()
    const chooser = dialog(page).getByLabel('Tier')
    await chooser.selectOption({ value: String(tier.requiredScore) })
    const headers = { authorization: `Bearer ${token}` }
    const deleted = await request.delete(`/api/score-permissions/${tier._id}`, { headers })
    expect(deleted.status(), await deleted.text()).toBe(200)
    await dialog(page).getByRole('button', { name: 'Set tier' }).click()
    await expect(page.getByText('This tier no longer exists. Choose another one.')).toBeVisible()
    await expect(chooser.getByText(tier.name)).toHaveCount(0)
    expect((await stored(request, token, user)).user.scores).toBe(user.scores)
    await chooser.selectOption({ value: String(other.requiredScore) })
    await dialog(page).getByRole('button', { name: 'Set tier' }).click()
    await expect(page.getByText(`${user.username} is now in ${other.name}`)).toBeVisible()
  })
})
