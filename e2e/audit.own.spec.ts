import { readFileSync } from 'node:fs'
import type { APIRequestContext, Page } from '@playwright/test'
import { aWord } from './support/catalogue.ts'
import { expect, hold, noSidewaysScroll, noViolations } from './support/fixtures.ts'
import { dialog } from './support/locators.ts'
import { test } from './support/ownServer.ts'
import { aPerson, aUser, PASSWORD, type Person } from './support/people.ts'
import { topOf } from './support/reading.ts'

// Uses its own server, because the log would also contain the events of other tests.

const MARKUP = '<img src=x onerror=alert(1)>'

const table = (page: Page) => page.getByRole('table', { name: 'Audit Log' })
const row = (page: Page, text: string) => table(page).getByRole('row').filter({ hasText: text })
const chain = (page: Page) => page.getByRole('region', { name: 'State of the log' })

/** Creates a user who tries to become an administrator, and is refused. */
async function refused(request: APIRequestContext, token: string): Promise<Person> {
  const person = await aPerson(request, token, { username: aWord() })
  const answer = await request.put(`/api/users/${person.user._id}`, {
    data: { role: 'admin' },
    headers: { authorization: `Bearer ${person.token}` },
  })
  expect(answer.status()).toBe(403)
  return person
}

test('an entry shows actor, action, address and outcome, and displays markup as plain text @phone', async ({
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

test('the list stays in place when the state of the log has loaded @phone', async ({ signedIn: page }) => {
  const release = await hold(page, '/api/audit/state')
  await page.goto('/audit')
  await expect(table(page).getByRole('row').nth(1)).toBeVisible()
  const before = await topOf(table(page))()
  release()
  await expect(chain(page)).toBeVisible()
  await expect.poll(async () => Math.abs((await topOf(table(page))()) - before)).toBeLessThan(2)
})

test('the audit log can be browsed, verified and exported', async ({ signedIn: page, request, token }) => {
  await test.step('keyboard: j selects an entry, Enter opens it, Escape returns the focus', async () => {
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

  await test.step('verifies the chain, and shows the number of checked entries', async () => {
    await page.goto('/audit')
    await chain(page).getByRole('button', { name: 'Verify' }).click()
    await expect(chain(page)).toContainText('The log is intact')
    await expect(chain(page)).toContainText(/\d+ entries verified on .+ by admin/)
    await expect(page.getByRole('log').filter({ hasText: /entries verified: the log is intact/ })).toBeVisible()
    await chain(page).getByText('Hash of the last entry').click()
    await expect(chain(page).getByText(/^[\da-f]{64}$/)).toBeVisible()
    await noSidewaysScroll(page)
  })

  await test.step('exports only the entries that match the filters', async () => {
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
    expect(JSON.parse(readFileSync(await lined.path(), 'utf8'))).toMatchObject({
      actorId: user._id,
      outcome: 'refused',
    })
    await page.goto('/audit?area=audit')
    await expect(row(page, 'Exported the audit log').first()).toContainText('NDJSON')
  })

  await test.step('lists all entries about the same target', async () => {
    const { user } = await refused(request, token)
    await page.goto(`/audit?target=${user._id}`)
    for (const text of ['Created an account', 'Signed in', 'Was denied access'])
      await expect(row(page, text)).toBeVisible()
    await noViolations(page)
  })

  await test.step('the empty log is accessible in Chinese', async () => {
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.goto('/audit?to=2020-01-01T00:00:00.000Z')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('审计日志')
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await noSidewaysScroll(page)
    await noViolations(page)
  })
})
