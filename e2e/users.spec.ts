import type { User } from '@mokuroku/contract/users'
import type { APIRequestContext, Page } from '@playwright/test'
import { aMedia, aWord } from './support/catalogue.ts'
import { content, problems, save, write } from './support/editor.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, aScore, aTier, aUser, become, PASSWORD } from './support/people.ts'

test.describe.configure({ timeout: 120_000 })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const rows = (page: Page) => page.getByRole('table', { name: 'Users' }).getByRole('row')
const row = (page: Page, { username }: User) => rows(page).filter({ hasText: username })
const names = (page: Page) => rows(page).getByRole('cell').getByRole('link').filter({ hasText: /./ })
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search users' })
const dialog = (page: Page) => page.getByRole('dialog')
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

async function stored(request: APIRequestContext, token: string, { _id }: { _id: string }) {
  const answer = await request.get(`/api/users/${_id}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status(), user: (await answer.json()) as User }
}

async function signsIn(request: APIRequestContext, email: string | undefined, password: string) {
  return (await request.post('/api/auth/login', { data: { email, password } })).status()
}

/** What the editor holds of an account. */
const input = ({ username, email, role, isActive, avatar, scores }: User) => ({
  username,
  email,
  role,
  isActive,
  avatar,
  scores,
})

const today = () => new Date().toISOString().slice(0, 10)

test('the table tells who has an account', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const tier = await aTier(request, token)
  const { user: member } = await aPerson(request, token, { username: `${word}_one`, scores: tier.requiredScore })
  const moderator = await aUser(request, token, { username: `${word}_two`, role: 'moderator', isActive: false })
  const admin = await aUser(request, token, { username: `${word}_${'long'.repeat(12)}`, role: 'admin' })
  await page.goto(`/users?search=${word}`)
  await expect(heading(page)).toHaveText('Users')
  await expect(page.getByRole('columnheader')).toHaveText([
    'User',
    'Role',
    'Status',
    'Scores',
    'Last Login',
    'Created',
    'Actions',
  ])
  await expect(rows(page)).toHaveCount(4)
  await expect(row(page, member)).toContainText(member.email ?? '')
  await expect(row(page, member).getByText('User', { exact: true })).toBeVisible()
  await expect(row(page, member).getByText('Active', { exact: true })).toBeVisible()
  await expect(row(page, member)).toContainText(new Intl.NumberFormat('en').format(tier.requiredScore))
  await expect(row(page, member)).toContainText(tier.name)
  await expect(row(page, member).getByRole('time')).toHaveText([today(), today()])
  await expect(row(page, moderator).getByText('Moderator', { exact: true })).toBeVisible()
  await expect(row(page, moderator).getByText('Inactive', { exact: true })).toBeVisible()
  await expect(row(page, moderator)).toContainText('Never')
  await expect(row(page, admin).getByText('Admin', { exact: true })).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('role, status and search filter, live in the address, and go with Reset', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const plain = await aUser(request, token, { username: `${word}_one` })
  const moderator = await aUser(request, token, { username: `${word}_two`, role: 'moderator' })
  await aUser(request, token, { username: `${word}_three`, role: 'moderator', isActive: false })
  await page.goto('/users')
  const role = page.getByRole('combobox', { name: 'Role' })
  const status = page.getByRole('combobox', { name: 'Status' })
  await expect(role.getByRole('option')).toHaveText(['All Roles', 'User', 'Admin', 'Moderator'])
  await expect(status.getByRole('option')).toHaveText(['All Status', 'Active', 'Inactive'])
  await searchBox(page).fill(`  ${word} `)
  await expect(page).toHaveURL(`/users?search=${word}`)
  await expect(rows(page)).toHaveCount(4)
  await role.selectOption('Moderator')
  await expect(page).toHaveURL(`/users?role=moderator&search=${word}`)
  await expect(rows(page)).toHaveCount(3)
  await status.selectOption('Active')
  await expect(page).toHaveURL(`/users?isActive=true&role=moderator&search=${word}`)
  await expect(rows(page)).toHaveCount(2)
  await expect(row(page, moderator)).toBeVisible()
  await page.reload()
  await expect(rows(page)).toHaveCount(2)
  await expect(searchBox(page)).toHaveValue(word)
  await expect(role).toHaveValue('moderator')
  await page.goBack()
  await expect(rows(page)).toHaveCount(3)
  await searchBox(page).fill(plain.email?.replace('@', '@') ?? '')
  await role.selectOption('All Roles')
  await expect(row(page, plain)).toBeVisible()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL('/users')
  await expect(searchBox(page)).toHaveValue('')
  await expect(rows(page)).toHaveCount(11)
})

test('the columns sort, and the order lives in the address', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  for (const [name, scores] of [
    ['bo', 30],
    ['ane', 10],
    ['cai', 20],
  ] as const)
    await aUser(request, token, { username: `${word}_${name}`, scores })
  await page.goto(`/users?search=${word}`)
  const sort = (name: string) => page.getByRole('columnheader', { name }).getByRole('button')
  const order = (...expected: string[]) => expect(names(page)).toHaveText(expected.map((name) => `${word}_${name}`))
  await order('bo', 'ane', 'cai')
  await expect(page.getByText('Best match first')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveAttribute('aria-sort', 'none')
  await sort('User').click()
  await expect(page).toHaveURL(`/users?search=${word}&sort=username`)
  await order('ane', 'bo', 'cai')
  await sort('User').click()
  await expect(page).toHaveURL(`/users?search=${word}&sort=-username`)
  await order('cai', 'bo', 'ane')
  await sort('User').click()
  await expect(page).toHaveURL(`/users?search=${word}`)
  await sort('Scores').click()
  await expect(page).toHaveURL(`/users?search=${word}&sort=-scores`)
  await order('bo', 'cai', 'ane')
  await sort('Created').click()
  await expect(page).toHaveURL(`/users?search=${word}&sort=-createdAt`)
  await expect(page.getByText('Best match first')).toBeHidden()
  await order('cai', 'ane', 'bo')
  await sort('Created').click()
  await expect(page).toHaveURL(`/users?search=${word}&sort=createdAt`)
  await order('bo', 'ane', 'cai')
})

test('a new account is written as JSON, and can sign in', async ({ signedIn: page, request }) => {
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

test('a password is in no draft, and a restored draft asks for it again', async ({ signedIn: page }) => {
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

test('an account is edited, and its password set without being shown', async ({ signedIn: page, request, token }) => {
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

test('an account is deactivated and activated at once, with Undo', async ({ signedIn: page, request, token }) => {
  const { user, token: theirs } = await aPerson(request, token)
  await page.goto(`/users?search=${user.username}`)
  await page.getByRole('button', { name: `Deactivate ${user.username}` }).click()
  await expect(page.getByText(`${user.username} is deactivated and signed out`)).toBeVisible()
  await expect(row(page, user).getByText('Inactive', { exact: true })).toBeVisible()
  expect((await stored(request, theirs, user)).status).toBe(401)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${user.username} can sign in again`)).toBeVisible()
  await expect(row(page, user).getByText('Active', { exact: true })).toBeVisible()
  expect(await signsIn(request, user.email, PASSWORD)).toBe(200)
})

test('delete asks first and can be undone; what was written stays readable', async ({
  signedIn: page,
  request,
  token,
}) => {
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

test('one’s own account can be neither deactivated nor deleted', async ({ page, request, token }) => {
  const me = await aPerson(request, token, { role: 'admin' })
  await become(page, me)
  await page.goto(`/users?search=${me.user.username}`)
  for (const verb of ['Deactivate', 'Delete']) {
    const button = page.getByRole('button', { name: `${verb} ${me.user.username}` })
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(button).toHaveAttribute('title', 'You cannot deactivate or delete your own account.')
  }
  await page.getByRole('link', { name: me.user.username, exact: true }).click()
  await expect(content(page)).toBeVisible({ timeout: 20_000 })
  await write(page, { ...input(me.user), username: `${me.user.username}_now` })
  await save(page).click()
  await expect(page.getByText('User updated successfully')).toBeVisible()
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByText(`${me.user.username}_now`).first()).toBeVisible()
})

test('a user reads the accounts and changes none', async ({ page, request, token }) => {
  const [me, other] = [await aPerson(request, token), await aUser(request, token)]
  await become(page, me)
  await page.goto(`/users?search=${other.username}`)
  await expect(row(page, other)).toContainText('Visible to administrators and moderators only')
  await expect(row(page, other).getByText(other.email ?? '')).toHaveCount(0)
  await expect(searchBox(page)).toHaveAttribute('placeholder', 'Search by name')
  for (const name of ['Add New User', ...['Deactivate', 'Edit', 'Delete'].map((verb) => `${verb} ${other.username}`)])
    await expect(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Add New User' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Only administrators can change accounts.')).toBeVisible()
  await noViolations(page)
  await page.goto(`/users/${other._id}/edit`)
  await expect(page.getByText('Read-only: you do not have permission to edit this.')).toBeVisible({ timeout: 20_000 })
  await expect(save(page)).toHaveAttribute('aria-disabled', 'true')
  await noViolations(page)
})

test.describe('refusals and faults', () => {
  test.use({ expectedErrors: [/./] })

  test('a name or an address that is taken is said at its field', async ({ signedIn: page, request, token }) => {
    const [one, other] = [await aUser(request, token), await aUser(request, token)]
    await page.goto('/users/new')
    await expect(content(page)).toBeVisible({ timeout: 20_000 })
    const fresh = { username: aWord(), email: `${aWord()}@example.org`, password: PASSWORD }
    await write(page, { ...fresh, email: one.email?.toUpperCase() })
    await save(page).click()
    const taken = 'This email address is already in use.'
    await expect(problems(page)).toContainText(`email: ${taken}`)
    await expect(alert(page, 'Failed to create user')).toContainText(taken)
    await expect(page.locator('.cm-lintRange-error')).toHaveCount(1)
    await write(page, { ...fresh, username: one.username.toUpperCase() })
    await expect(problems(page)).toBeHidden()
    await save(page).click()
    await expect(problems(page)).toContainText('username: This username is already taken.')
    await page.goto(`/users/${other._id}/edit`)
    await expect(content(page)).toBeVisible({ timeout: 20_000 })
    await write(page, { ...input(other), username: one.username })
    await save(page).click()
    await expect(problems(page)).toContainText('username: This username is already taken.')
    await expect(alert(page, 'Failed to update user')).toBeVisible()
  })

  test('nobody changes their own role, scores or state', async ({ page, request, token }) => {
    const me = await aPerson(request, token, { role: 'admin' })
    await become(page, me)
    await page.goto(`/users/${me.user._id}/edit`)
    await expect(content(page)).toBeVisible({ timeout: 20_000 })
    await write(page, { ...input(me.user), role: 'moderator' })
    await save(page).click()
    await expect(problems(page)).toContainText('role: You cannot change your own role.')
    await expect(
      alert(page, 'Access denied. You do not have permission for this action.').filter({
        hasText: 'Failed to update user',
      }),
    ).toBeVisible()
    await write(page, { ...input(me.user), scores: aScore() })
    await save(page).click()
    await expect(problems(page)).toContainText('scores: You cannot change your own score.')
    await write(page, { ...input(me.user), isActive: false })
    await save(page).click()
    await expect(problems(page)).toContainText('isActive: You cannot deactivate or delete your own account.')
    expect((await stored(request, token, me.user)).user).toMatchObject({ role: 'admin', isActive: true, version: 1 })
  })

  test('the last administrator stays, and every screen says so', async ({ signedIn: page, request, token }) => {
    const user = await aUser(request, token, { role: 'admin' })
    const message = 'You cannot demote, deactivate or delete the last active administrator.'
    // Other tests have their own administrators at the same time, so that the last one is never this one.
    await page.route(`/api/users/${user._id}`, (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 409, json: { code: 'lastAdmin', message } }),
    )
    await page.goto(`/users?search=${user.username}`)
    await page.getByRole('button', { name: `Deactivate ${user.username}` }).click()
    await expect(alert(page, 'Failed to update user')).toContainText(message)
    await page.getByRole('button', { name: `Delete ${user.username}` }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await expect(alert(page, 'Failed to delete user')).toContainText(message)
    await page.goto(`/users/${user._id}/edit`)
    await expect(content(page)).toBeVisible({ timeout: 20_000 })
    await write(page, { ...input(user), role: 'user' })
    await save(page).click()
    await expect(problems(page)).toContainText(`role: ${message}`)
    await write(page, { ...input(user), isActive: false })
    await save(page).click()
    await expect(problems(page)).toContainText(`isActive: ${message}`)
  })

  test('a stale save shows both, and keeps the password that was typed', async ({ signedIn: page, request, token }) => {
    const user = await aUser(request, token)
    await page.goto(`/users/${user._id}/edit`)
    await expect(content(page)).toBeVisible({ timeout: 20_000 })
    const headers = { authorization: `Bearer ${token}` }
    await request.put(`/api/users/${user._id}`, { data: { scores: 7 }, headers })
    await write(page, { ...input(user), scores: 9, password: 'hunter22hunter22' })
    await save(page).click()
    await expect(page.getByRole('heading', { name: 'Someone else changed this' })).toBeVisible()
    await expect(page.getByText('hunter22hunter22').filter({ visible: true })).toHaveCount(0)
    await page.getByRole('button', { name: 'All theirs' }).click()
    await page.getByRole('button', { name: 'Save merged' }).click()
    await expect(page.getByText('User updated successfully')).toBeVisible()
    expect((await stored(request, token, user)).user.scores).toBe(7)
    expect(await signsIn(request, user.email, 'hunter22hunter22')).toBe(200)
  })
})

test('speaks Chinese', async ({ signedIn: page, request, token }) => {
  const user = await aUser(request, token, { role: 'moderator' })
  await page.addInitScript(() => localStorage.setItem('language', 'zh'))
  await page.goto(`/users?search=${user.username}`)
  await expect(heading(page)).toHaveText('用户')
  await expect(page.getByRole('cell').getByText('审核员')).toBeVisible()
  await expect(page.getByText('从未')).toBeVisible()
  await noViolations(page)
  await page.goto(`/users/${user._id}/edit`)
  await expect(heading(page)).toHaveText('编辑用户')
  await noViolations(page)
})
