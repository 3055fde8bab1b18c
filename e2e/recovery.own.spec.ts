import { expect, noSidewaysScroll, noViolations, signIn } from './support/fixtures.ts'
import { latestEmailTo, test } from './support/ownServer.ts'
import { aUser, PASSWORD } from './support/people.ts'

test.use({ expectedErrors: [/status of (400|401|429)/] })

const NEW = 'an even better password'

/** The link in an email (quoted-printable), decoded; '' if there is none. */
const linkIn = (message: string): string =>
  /http:\S+\/(?:reset-password|invitation)#token=[\w-]+/.exec(
    message.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='),
  )?.[0] ?? ''

test('a forgotten password is reset by email, and the link works only once', async ({
  page,
  request,
  token,
  folder,
}) => {
  const { email = '' } = await aUser(request, token)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await expect(page).toHaveURL('/forgot-password')
  await expect(page).toHaveTitle('Forgot password · Admin Dashboard')
  await expect(page.getByLabel('Email')).toBeFocused()
  await noViolations(page)
  await noSidewaysScroll(page)
  await page.getByLabel('Email').fill('nobody')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Invalid email address')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('status')).toContainText(`If there is an account for ${email}, we have sent a link.`)
  await noViolations(page)

  const link = linkIn(await latestEmailTo(email, folder))
  await page.goto(link)
  const password = page.getByLabel('New password')
  await expect(password).toBeFocused()
  await noViolations(page)
  await noSidewaysScroll(page)
  await password.fill('short')
  await page.keyboard.press('Enter')
  await expect(page.getByText('At least 8 characters', { exact: true })).toBeVisible()
  await password.fill(NEW)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('heading', { name: 'Your new password is set' })).toBeVisible()
  await noViolations(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, { email, password: NEW })

  await page.goto('about:blank')
  await page.goto(link)
  await page.getByLabel('New password').fill('yet another password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
  await noViolations(page)
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('an invited user chooses a password and signs in; a new invitation replaces the first', async ({
  signedIn: page,
  browser,
  baseURL,
  folder,
}) => {
  await page.goto('/users')
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a user' })
  await expect(dialog.getByLabel('Username')).toBeFocused()
  await expect(dialog.getByText('No mail server is set up')).toBeVisible()
  await noViolations(page)
  await dialog.getByLabel('Username').fill('Natsume Soseki')
  await dialog.getByLabel('Email', { exact: true }).fill('soseki@example.org')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('The invitation to soseki@example.org was saved in the outbox folder')).toBeVisible()
  const row = page.getByRole('row', { name: /Natsume Soseki/ })
  await expect(row).toContainText('Invited')
  const first = linkIn(await latestEmailTo('soseki@example.org', folder))
  await row.getByRole('button', { name: 'Resend the invitation to Natsume Soseki' }).click()
  const second = linkIn(await latestEmailTo('soseki@example.org', folder, 1))
  await noViolations(page)

  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-GB' })
  const theirs = await context.newPage()
  const choose = async (link: string) => {
    await theirs.goto('about:blank')
    await theirs.goto(link)
    await theirs.getByLabel('Password', { exact: true }).fill(NEW)
    await theirs.getByRole('button', { name: 'Set password' }).click()
  }
  await choose(first)
  await expect(theirs.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible()
  await choose(second)
  await expect(theirs.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
  await noViolations(theirs)
  await noSidewaysScroll(theirs)
  await theirs.getByRole('link', { name: 'Sign in' }).click()
  await signIn(theirs, { email: 'soseki@example.org', password: NEW })
  await context.close()
  await page.reload()
  await expect(row).toContainText('Active')
})

test('resetting the password ends all sessions, including the one in this browser', async ({
  page,
  browser,
  request,
  token,
  folder,
  server,
}) => {
  const { email = '' } = await aUser(request, token)
  const otherPage = await browser.newPage({ baseURL: server })
  await signIn(otherPage, { email, password: PASSWORD })
  await signIn(page, { email, password: PASSWORD })
  await request.post('/api/auth/forgot-password', { data: { email } })
  await page.goto(linkIn(await latestEmailTo(email, folder)))
  await page.getByLabel('New password').fill(NEW)
  await page.getByRole('button', { name: 'Set password' }).click()
  // The form has a link “Back to sign in”.
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/login')
  await otherPage.goto('/media')
  await expect(otherPage).toHaveURL('/login')
  await otherPage.close()
})

test('the screens and the email are in Chinese if the console is', async ({ page, request, token, folder }) => {
  const { email = '' } = await aUser(request, token)
  await page.addInitScript(() => localStorage.setItem('language', 'zh'))
  await page.goto('/forgot-password')
  await page.getByLabel('邮箱').fill(email)
  await page.getByRole('button', { name: '发送链接' }).click()
  await expect(page.getByRole('heading', { name: '请查收邮件' })).toBeVisible()
  const message = await latestEmailTo(email, folder)
  expect(message).toContain('Content-Language: zh')
  await page.goto(linkIn(Buffer.from(message).toString()) || `/reset-password#token=${tokenIn(message)}`)
  await expect(page.getByRole('heading', { name: '设置新密码' })).toBeVisible()
})

/** The token of the link in an email with base64 encoding; '' if there is none. */
const tokenIn = (message: string): string => {
  const texts = message.split(/\r?\n\r?\n/).map((part) => Buffer.from(part, 'base64').toString('utf8'))
  return /#token=([\w-]+)/.exec(texts.join('\n'))?.[1] ?? ''
}
