import { auditApi } from '@mokuroku/contract/audit'
import { authApi } from '@mokuroku/contract/auth'
import { invitationsApi } from '@mokuroku/contract/invitations'
import { usersApi } from '@mokuroku/contract/users'
import { beforeEach, expect, test } from 'vitest'
import { INVITED } from '#access/password.ts'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import { publishJobs } from '#jobs/signal.ts'
import { DAY_MS, now, time } from '#lib/clock.ts'
import { users } from '#store/users'
import { app, callAs, idle, signedIn, signedInLongAgo, withApp } from '#test/app.ts'
import { emails, PUBLIC_URL, tokenIn, useMailServer, withOutbox } from '#test/outbox.ts'
import { freePort } from '#test/process.ts'

withApp()
withOutbox()

const PASSWORD = 'a password of my own'
let count = 0
let visitor = callAs()
beforeEach(() => void (visitor = callAs(undefined, `10.1.0.${++count}`)))

const sent = async () => {
  await idle()
  return emails()
}
const person = () => ({ username: `invited ${++count}`, email: `invited${count}@example.org` })
const accept = (token: string, password = PASSWORD) => visitor(authApi.resetPassword, { body: { token, password } })
const signIn = (email: string, password = PASSWORD) => visitor(authApi.login, { body: { email, password } })
const linkOver = { status: 400, code: 'link' }

/** An invited user, and the token from the link. */
async function invited(given: object = {}) {
  const admin = await signedIn()
  const user = await admin.call(invitationsApi.invite, { body: { ...person(), ...given } })
  const token = tokenIn((await sent()).at(-1)?.text)
  return { admin, user, email: user.email ?? '', token }
}

test('an invited user sets a password by the link in the email, and signs in', async () => {
  const { admin, user, email, token } = await invited({ scores: 7 })
  expect(user).toMatchObject({ role: 'user', isActive: true, scores: 7, lastLogin: null })
  const days = (Date.parse(user.invitation?.expiresAt ?? '') - time()) / DAY_MS
  expect(days).toBeCloseTo(7, 2)
  const [message, ...others] = await sent()
  expect(others).toEqual([])
  expect(message?.subject).toBe('You are invited to Mokuroku')
  expect(message?.text).toContain(`${PUBLIC_URL}/invitation#token=${token}`)
  expect(message?.text).toContain(`${admin.user.username} has created an account for you`)
  expect(message?.text).toContain('The link works once and expires in 7 days.')
  expect(await accept(token)).toEqual({ success: true })
  await expect(signIn(email)).resolves.toHaveProperty('token')
  expect(await admin.call(usersApi.find, { id: user._id })).not.toHaveProperty('invitation')
  // Setting the first password sends no notification.
  expect(await sent()).toHaveLength(1)
  const { data } = await admin.call(auditApi.list, { query: { target: user._id } })
  const actions = data.map(({ action, actorId }) => [action, actorId])
  expect(actions).toEqual(
    expect.arrayContaining([
      ['account.invited', admin.user._id],
      ['account.invitationAccepted', user._id],
      ['signIn.done', user._id],
    ]),
  )
})

test('an invitation that is repeated with its key is sent once', async () => {
  const admin = await signedIn()
  const invite = (key: string, body = person()) => admin.call(invitationsApi.invite, { body, key })
  const body = person()
  const first = await invite('a key', body)
  expect(await invite('a key', body)).toEqual(first)
  expect(await sent()).toHaveLength(1)
  await expect(invite('another key', body)).rejects.toMatchObject({ status: 409, code: 'duplicate' })
  expect((await invite('a key'))._id).not.toBe(first._id)
})

test('keeps trying to send the email as long as the link is valid', async () => {
  const { call } = await signedIn()
  useMailServer(`smtp://127.0.0.1:${await freePort()}`)
  await call(invitationsApi.invite, { body: person() })
  const job = await db.selectFrom('jobs').select('payload').where('kind', '=', 'mail.send').executeTakeFirstOrThrow()
  const days = (Date.parse(String(job.payload.expiresAt)) - time()) / DAY_MS
  expect(days).toBeCloseTo(7, 2)
  // Not while it is being sent: it would end up in the outbox of the next test.
  const jobs = () => db.selectFrom('jobs').select('state').where('kind', '=', 'mail.send').execute()
  const deleteQueued = () =>
    db.deleteFrom('jobs').where('kind', '=', 'mail.send').where('state', '=', 'queued').execute()
  await expect.poll(() => deleteQueued().then(jobs)).toEqual([])
})

test('after an outage of the mail server, sends only the email whose link is valid', async () => {
  const { call } = await signedIn()
  useMailServer(`smtp://127.0.0.1:${await freePort()}`)
  const { _id: id } = await call(invitationsApi.invite, { body: person() })
  await call(invitationsApi.inviteAgain, { id, body: {} })
  await idle()
  useMailServer()
  await db.updateTable('jobs').set({ dueAt: now() }).where('kind', '=', 'mail.send').execute()
  publishJobs()
  const received = await sent()
  expect(received).toHaveLength(1)
  await expect(accept(tokenIn(received[0]?.text))).resolves.toEqual({ success: true })
})

test('sends the email in the requested language', async () => {
  await invited({ language: 'zh' })
  expect((await sent())[0]?.subject).toBe('【Mokuroku】邀请您加入')
})

test('sign-ins fail with the usual error until the invitation is accepted', async () => {
  const { email } = await invited()
  for (const password of [INVITED, PASSWORD])
    await expect(signIn(email, password)).rejects.toMatchObject({
      status: 401,
      message: 'Login failed. Please check your credentials.',
    })
})

test('a link works once, even with concurrent requests', async () => {
  const { token } = await invited()
  const answers = await Promise.allSettled([accept(token), accept(token, 'another password')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(accept(token)).rejects.toMatchObject(linkOver)
})

test('a link expires after seven days, and sending another invalidates the one before', async () => {
  const { admin, user, token } = await invited()
  const past = { expiresAt: now() }
  await db.updateTable('resets').set(past).where('userId', '=', user._id).execute()
  await expect(accept(token)).rejects.toMatchObject(linkOver)
  expect(await admin.call(usersApi.find, { id: user._id })).toMatchObject({ invitation: { expiresAt: null } })
  // A link made while the clock was ahead is not valid either.
  const ahead = { createdAt: '2999-01-01T00:00:00.000Z', expiresAt: '2999-01-08T00:00:00.000Z' }
  await db.updateTable('resets').set(ahead).where('userId', '=', user._id).execute()
  await expect(accept(token)).rejects.toMatchObject(linkOver)
  expect(await admin.call(usersApi.find, { id: user._id })).toMatchObject({ invitation: { expiresAt: null } })
  const again = await admin.call(invitationsApi.inviteAgain, { id: user._id, body: {} })
  expect(again.invitation?.expiresAt).toMatch(/^20/)
  const second = tokenIn((await sent()).at(-1)?.text)
  await admin.call(invitationsApi.inviteAgain, { id: user._id, body: {} })
  const third = tokenIn((await sent()).at(-1)?.text)
  await expect(accept(second)).rejects.toMatchObject(linkOver)
  await expect(accept(third)).resolves.toEqual({ success: true })
})

// Also once the account is as before.
test.each([
  ['deactivated', { isActive: false }],
  ['given another address', { email: 'moved@example.org' }],
  ['given another role', { role: 'moderator' as const }],
])('a link does not work once the account is %s', async (_, change) => {
  const { user, token } = await invited()
  await users.update(user._id, change, { actor: SYSTEM })
  await expect(accept(token)).rejects.toMatchObject(linkOver)
  const { email, role, isActive } = user
  await users.update(user._id, { email: email ?? '', role, isActive }, { actor: SYSTEM })
  await expect(accept(token)).rejects.toMatchObject(linkOver)
})

test('deleting the account or setting its password withdraws the invitation permanently', async () => {
  const [deleted, given] = [await invited(), await invited()]
  await deleted.admin.call(usersApi.remove, { id: deleted.user._id, base: 1 })
  await expect(accept(deleted.token)).rejects.toMatchObject(linkOver)
  await deleted.admin.call(usersApi.restore, { id: deleted.user._id })
  await expect(accept(deleted.token)).rejects.toMatchObject(linkOver)
  await given.admin.call(usersApi.update, { id: given.user._id, body: { password: PASSWORD } })
  await expect(accept(given.token, 'another password')).rejects.toMatchObject(linkOver)
  await expect(signIn(given.email)).resolves.toHaveProperty('token')
})

test('refuses to send again if the account has a password, is inactive or does not exist', async () => {
  const { admin, user } = await invited()
  await users.update(user._id, { isActive: false }, { actor: SYSTEM })
  const again = (id = user._id) => admin.call(invitationsApi.inviteAgain, { id, body: {} })
  await expect(again()).rejects.toMatchObject({ status: 409, code: 'inactive' })
  await users.update(user._id, { isActive: true }, { actor: SYSTEM })
  await again()
  await accept(tokenIn((await sent()).at(-1)?.text))
  await expect(again()).rejects.toMatchObject({ status: 409, code: 'accepted' })
  await expect(again('nowhere')).rejects.toMatchObject({ status: 404 })
  await expect(again(admin.user._id)).rejects.toMatchObject({ status: 409 })
})

test('limits invitations to 100 an hour per administrator', async () => {
  const { call } = await signedIn()
  const again = () => call(invitationsApi.inviteAgain, { id: 'nowhere', body: {} })
  for (let each = 0; each < 100; each++) await expect(again()).rejects.toMatchObject({ status: 404 })
  await expect(again()).rejects.toMatchObject({ status: 429 })
  const body = { username: 'one too many', email: 'one.too.many@example.org' }
  await expect(call(invitationsApi.invite, { body })).rejects.toMatchObject({ status: 429 })
  const other = await signedIn()
  await expect(other.call(invitationsApi.inviteAgain, { id: 'nowhere', body: {} })).rejects.toMatchObject({
    status: 404,
  })
})

test('rejects a taken address or name, an inactive account and invalid input, and sends nothing', async () => {
  const { admin, user, email } = await invited()
  const before = (await sent()).length
  for (const body of [
    { ...person(), email },
    { ...person(), username: user.username },
  ])
    await expect(admin.call(invitationsApi.invite, { body })).rejects.toMatchObject({ status: 409 })
  const inactive = { ...person(), isActive: false }
  await expect(admin.call(invitationsApi.invite, { body: inactive })).rejects.toMatchObject({ code: 'inactive' })
  const unnamed: object[] = [{}, { ...person(), password: PASSWORD }, { ...person(), passwordHash: 'x' }]
  for (const body of unnamed)
    await expect(admin.call(invitationsApi.invite, { body: body as never })).rejects.toMatchObject({ status: 400 })
  expect(await sent()).toHaveLength(before)
})

test('creating an account requires a password and sends no invitation', async () => {
  const { call } = await signedIn()
  const made = await call(usersApi.create, { body: { ...person(), password: PASSWORD } })
  expect(made).not.toHaveProperty('invitation')
  await expect(call(usersApi.create, { body: person() as never })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'password' }],
  })
  expect(await sent()).toEqual([])
})

test('stores only a hash of the link token, and no response contains it', async () => {
  const { admin, user, token } = await invited()
  expect(token).toHaveLength(43)
  const rows = await db.selectFrom('resets').selectAll().execute()
  const shown = await admin.call(usersApi.find, { id: user._id })
  const again = await admin.call(invitationsApi.inviteAgain, { id: user._id, body: {} })
  const newToken = tokenIn((await sent()).at(-1)?.text)
  for (const each of [rows, user, shown, again])
    for (const secret of [token, newToken]) expect(JSON.stringify(each)).not.toContain(secret)
})

test('class 10: the link points to the public URL, whatever host the request names', async () => {
  const { token: session } = await signedIn()
  const headers = {
    authorization: `Bearer ${session}`,
    host: 'localhost:6666',
    'x-forwarded-host': 'evil.example.org',
    origin: 'https://evil.example',
  }
  const made = await app.inject({ method: 'POST', url: invitationsApi.invite.path, headers, payload: person() })
  expect(made.statusCode).toBe(201)
  expect(JSON.stringify(await sent())).not.toMatch(/evil|:6666/)
})

test('shows a pending invitation only to administrators and moderators', async () => {
  const { user } = await invited()
  const [moderator, reader] = [await signedIn({ role: 'moderator' }), await signedIn({ role: 'user' })]
  expect(await moderator.call(usersApi.find, { id: user._id })).toHaveProperty('invitation')
  expect(await reader.call(usersApi.find, { id: user._id })).not.toHaveProperty('invitation')
})

test('an invited administrator does not count as one before setting a password', async () => {
  const admins = await db.selectFrom('users').select('_id').where('role', '=', 'admin').execute()
  const { admin, token } = await invited({ role: 'admin' })
  for (const { _id } of admins) await users.update(_id, { role: 'user' }, { actor: SYSTEM })
  const demoted = () => users.update(admin.user._id, { role: 'user' }, { actor: SYSTEM })
  await expect(demoted()).rejects.toMatchObject({ status: 409, code: 'lastAdmin' })
  await accept(token)
  await expect(demoted()).resolves.toMatchObject({ role: 'user' })
})

test('inviting an administrator requires reauthentication', async () => {
  const call = await signedInLongAgo()
  await expect(call(invitationsApi.invite, { body: { ...person(), role: 'admin' } })).rejects.toMatchObject({
    status: 403,
    code: 'reauthenticate',
  })
  await expect(call(invitationsApi.invite, { body: person() })).resolves.toHaveProperty('invitation')
})

test('an invited user can also set a password by a password reset', async () => {
  const { email } = await invited()
  await visitor(authApi.forgotPassword, { body: { email } })
  const message = (await sent()).find(({ text }) => text.includes('/reset-password#'))
  await accept(tokenIn(message?.text))
  await expect(signIn(email)).resolves.toHaveProperty('token')
})

test('sends nothing if the invitation fails', async () => {
  const { admin } = await invited()
  const before = (await sent()).length
  await transaction(async (tx) => {
    await tx.updateTable('sessions').set({ endedAt: now() }).where('userId', '=', admin.user._id).execute()
  })
  await expect(admin.call(invitationsApi.invite, { body: person() })).rejects.toMatchObject({ status: 401 })
  expect(await sent()).toHaveLength(before)
})
