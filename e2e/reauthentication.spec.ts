import type { Page } from '@playwright/test'
import { aWord } from './support/catalogue.ts'
import { content, save, write } from './support/editor.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { ageSessions } from './support/later.ts'
import { aPerson, aUser, become, PASSWORD } from './support/people.ts'

// The browser logs refused calls.
test.use({ expectedErrors: [/status of 40[03]|enter your password again|password is incorrect/] })

const question = (page: Page) => page.getByRole('dialog', { name: 'Enter your password' })
const password = (page: Page) => question(page).getByLabel('Password', { exact: true })
const confirm = (page: Page) => question(page).getByRole('button', { name: 'Confirm' })

test('changing the own email address asks for the password, and keeps the input @phone', async ({
  page,
  request,
  token,
}) => {
  const person = await aPerson(request, token, { username: aWord(), role: 'admin' })
  await become(page, person)
  await page.goto(`/users/${person.user._id}/edit`)
  await expect(content(page)).toContainText(person.user.username, { timeout: 20_000 })
  const email = `moved-${person.user.email}`
  const { username, role, isActive, avatar, scores } = person.user
  await write(page, { username, email, role, isActive, avatar, scores })
  await save(page).click()
  await expect(password(page)).toBeFocused()
  await noSidewaysScroll(page)
  await noViolations(page)

  // After cancelling, the input is kept, nothing has been changed, and the focus is restored.
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByText('The password was not entered. Nothing was changed.')).toBeVisible()
  await expect(content(page)).toContainText(email)
  await expect(save(page)).toBeFocused()

  // A wrong password is reported in the dialog; this also works with the keyboard only.
  await save(page).press('Enter')
  await expect(password(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question(page)).toContainText('Password is required')
  await page.keyboard.insertText('not this one')
  await page.keyboard.press('Enter')
  await expect(question(page)).toContainText('This password is incorrect.')
  await expect(password(page)).toBeFocused()
  await noViolations(page)
  await page.keyboard.insertText(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('User updated successfully')).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  const answer = await request.post('/api/auth/login', { data: { email, password: PASSWORD } })
  expect(answer.status()).toBe(200)
})

test('sensitive actions ask for the password again if it was last entered over ten minutes ago', async ({
  page,
  request,
  token,
}) => {
  const person = await aPerson(request, token, { username: aWord(), role: 'admin' })
  const other = await aUser(request, token)
  await become(page, person)
  ageSessions(person.user._id, 11)
  await page.goto(`/audit?search=${person.user.username}`)
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await password(page).fill(PASSWORD)
  const [file] = await Promise.all([page.waitForEvent('download'), confirm(page).click()])
  expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/)

  // The confirmation also covers the next protected call.
  await page.goto(`/users/${other._id}/edit`)
  await expect(content(page)).toContainText(other.username, { timeout: 20_000 })
  const { username, email, isActive, avatar, scores } = other
  await write(page, { username, email, role: 'moderator', isActive, avatar, scores })
  await save(page).click()
  await expect(page.getByText('User updated successfully')).toBeVisible()

  ageSessions(person.user._id, 11)
  await page.goto('/settings?section=ai')
  await page.getByLabel('API key').fill('sk-secret')
  const section = page.locator('form').filter({ has: page.getByLabel('API key') })
  await section.getByRole('button', { name: 'Save' }).click()
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('API key')).toHaveValue('sk-secret')
  await expect(question(page)).toHaveCount(0)

  await test.step('the dialog is accessible in Chinese', async () => {
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    ageSessions(person.user._id, 11)
    await page.goto('/audit')
    await page.getByRole('button', { name: /CSV/ }).click()
    const dialog = page.getByRole('dialog', { name: '输入密码' })
    await expect(dialog).toContainText('十分钟')
    await noViolations(page)
    await dialog.getByRole('button', { name: '取消' }).click()
    await expect(page.getByText('没有输入密码，因此未作任何更改。')).toBeVisible()
  })
})
