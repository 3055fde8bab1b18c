import { readFileSync } from 'node:fs'
import type { APIRequestContext, Page } from '@playwright/test'
import { aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations } from './support/fixtures.ts'
import { test } from './support/ownServer.ts'
import { aPerson, aUser, become, PASSWORD, type Person } from './support/people.ts'
import { textOf } from './support/reading.ts'

// The server is the worker's own: what other tests bring about meanwhile is in the log as well.
test.describe.configure({ timeout: 60_000 })

const MARKUP = '<img src=x onerror=alert(1)>'

const table = (page: Page) => page.getByRole('table', { name: 'Audit Log' })
const row = (page: Page, text: string) => table(page).getByRole('row').filter({ hasText: text })
const select = (page: Page, name: string) => page.getByRole('combobox', { name })
const dialog = (page: Page) => page.getByRole('dialog')
const chain = (page: Page) => page.getByRole('region', { name: 'State of the log' })

/** Somebody who tries to make themselves an administrator, and is not let. */
async function refused(request: APIRequestContext, token: string): Promise<Person> {
  const person = await aPerson(request, token, { username: aWord() })
  const answer = await request.put(`/api/users/${person.user._id}`, {
    data: { role: 'admin' },
    headers: { authorization: `Bearer ${person.token}` },
  })
  expect(answer.status()).toBe(403)
  return person
}

test('who did what, from where and with what outcome; whatever was typed is text @phone', async ({
  signedIn: page,
  request,
  token,
}) => {
  const username = `${aWord()}${MARKUP}`
  const email = `${aWord().toLowerCase()}@example.org`
  await aUser(request, token, { username, email })
  const headers = { 'user-agent': `${MARKUP} Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0` }
  const answer = await request.post('/api/auth/login', { data: { email, password: PASSWORD }, headers })
  expect(answer.status()).toBe(200)
  await page.goto(`/audit?search=${encodeURIComponent(username)}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audit Log')
  await expect(table(page).getByRole('row')).toHaveCount(3)
  const [signedIn, created] = [row(page, 'Signed in'), row(page, 'Created an account')]
  for (const text of [username, '127.0.0.1', 'Firefox on Linux', 'Done']) await expect(signedIn).toContainText(text)
  await expect(created).toContainText('admin')
  await expect(created).toContainText(username)
  await signedIn.getByRole('button', { name: 'Signed in' }).click()
  await expect(dialog(page)).toContainText(headers['user-agent'])
  await expect(page.locator('main img[src="x"], dialog img[src="x"]')).toHaveCount(0)
  await noSidewaysScroll(page)
  await noViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await noViolations(page)
})

test('filters live in the address, begin with the newest, and go with Reset', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { user } = await refused(request, token)
  await page.goto('/audit')
  await select(page, 'Outcome').selectOption('Refused')
  await expect(page).toHaveURL('/audit?outcome=refused')
  await page.getByRole('searchbox', { name: 'Search the audit log' }).fill(user.username)
  await expect(page).toHaveURL(`/audit?outcome=refused&search=${user.username}`)
  await expect(table(page).getByRole('row')).toHaveCount(2)
  await expect(row(page, user.username)).toContainText('Was denied access')
  await expect(row(page, user.username)).toContainText('Only administrators can do this.')
  await select(page, 'What').selectOption('Settings')
  await expect(page.getByText('No entries found')).toBeVisible()
  await expect(page.getByText('No entries match these filters.')).toBeVisible()
  await page.goBack()
  await expect(row(page, user.username)).toBeVisible()
  const today = new Date().toISOString().slice(0, 10)
  await page.getByLabel('From', { exact: true }).fill(today)
  await page.getByLabel('To', { exact: true }).fill(today)
  await expect(page).toHaveURL(/from=.*&outcome=refused&search=.*&to=/)
  await expect(row(page, user.username)).toBeVisible()
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await expect(page.getByText('No entries found')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2020-01-01')
  await page.getByRole('button', { name: 'Reset' }).first().click()
  await expect(page).toHaveURL('/audit')
  await expect(table(page)).toBeVisible()
  await noSidewaysScroll(page)
})

test('from an entry to all by the same person, and all about the same thing', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { user } = await refused(request, token)
  await page.goto(`/audit?search=${user.username}&outcome=refused`)
  await row(page, user.username).getByRole('button', { name: 'Was denied access' }).click()
  for (const text of [user._id, 'access.forbidden', 'PUT /api/users/:id', 'Hash'])
    await expect(dialog(page)).toContainText(text)
  await page.getByRole('button', { name: `All by ${user.username}` }).click()
  await expect(page).toHaveURL(new RegExp(`actor=${user._id}`))
  const filter = page.getByRole('button', { name: `Clear filter: By ${user.username}` })
  await expect(filter).toBeVisible()
  await noViolations(page)
  await filter.click()
  await expect(page).toHaveURL(`/audit?outcome=refused&search=${user.username}`)
  await page.goto(`/audit?target=${user._id}`)
  for (const text of ['Created an account', 'Signed in', 'Was denied access'])
    await expect(row(page, text)).toBeVisible()
})

test('older entries and newer ones are a page away', async ({ signedIn: page, request, token }) => {
  const headers = { authorization: `Bearer ${token}` }
  for (let at = 0; at < 27; at++) expect((await request.post('/api/audit/verify', { headers })).status()).toBe(200)
  await page.goto('/audit?area=audit')
  const numbers = () => page.getByText(/^Entries [\d,]+ to [\d,]+$/)
  const first = await textOf(numbers())
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page).toHaveURL(/before=\d+/)
  await expect(numbers()).not.toHaveText(first)
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page).toHaveURL(/after=\d+/)
  await expect(numbers()).toHaveText(first)
})

test('the chain is checked, and how many entries were', async ({ signedIn: page }) => {
  await page.goto('/audit')
  await chain(page).getByRole('button', { name: 'Verify' }).click()
  await expect(chain(page)).toContainText('The log is intact')
  await expect(chain(page)).toContainText(/\d+ entries checked on .+ by admin/)
  await expect(page.getByRole('status').filter({ hasText: /entries checked: the log is intact/ })).toBeVisible()
  await chain(page).getByText('Hash of the last entry').click()
  await expect(chain(page).getByText(/^[\da-f]{64}$/)).toBeVisible()
  await noSidewaysScroll(page)
})

test('what fits the filters is taken away as a file', async ({ signedIn: page, request, token }) => {
  const { user } = await refused(request, token)
  await page.goto(`/audit?search=${user.username}&outcome=refused`)
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(csv.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/)
  const lines = readFileSync(await csv.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(user._id)
  const [lined] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export NDJSON' }).click(),
  ])
  expect(JSON.parse(readFileSync(await lined.path(), 'utf8'))).toMatchObject({ actorId: user._id, outcome: 'refused' })
  await page.goto('/audit?area=audit')
  await expect(row(page, 'Exported the audit log').first()).toContainText('NDJSON')
})

test('a list of the keyboard: j and k, Enter opens, Escape gives the focus back', async ({ signedIn: page }) => {
  await page.goto('/audit?area=signIn')
  const opened = table(page).getByRole('button').first()
  await expect(opened).toBeVisible()
  await page.keyboard.press('j')
  await expect(opened).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(opened).toBeFocused()
})

test('a moderator is told why not, and finds no way there in the sidebar', async ({ page, request, token }) => {
  const moderator = await aUser(request, token, { role: 'moderator' })
  const answer = await request.post('/api/auth/login', { data: { email: moderator.email, password: PASSWORD } })
  await become(page, { user: moderator, token: ((await answer.json()) as { token: string }).token })
  await page.goto('/audit')
  await expect(page.getByText('Access denied. You do not have permission for this action.')).toBeVisible()
  await expect(page.getByText('Only administrators can read the audit log.')).toBeVisible()
  await expect(table(page)).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Audit Log' })).toHaveCount(0)
  await noViolations(page)
})

test('in Chinese, every word of it is', async ({ signedIn: page }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'zh'))
  await page.goto('/audit?area=signIn')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('审计日志')
  await expect(page.getByRole('button', { name: '登录' }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: '校验' })).toBeVisible()
  await noSidewaysScroll(page)
  await noViolations(page)
})
