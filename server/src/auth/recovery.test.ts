import { type AddressInfo, createServer, type Socket } from 'node:net'
import { authApi } from '@mokuroku/contract/auth'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { DAY_MS, momentIn, now, time } from '#lib/clock.ts'
import { resets } from '#store/auth'
import { db, transaction } from '#database/db.ts'
import { lockRows } from '#database/locks.ts'
import { publishJobs } from '#jobs/signal.ts'
import { setBackgroundLog } from '#lib/background.ts'
import { SYSTEM } from '#access/permissions.ts'
import { hashPassword } from '#access/password.ts'
import { settings } from '#store/settings'
import { users } from '#store/users'
import { app, callAs, idle, withApp } from '#test/app.ts'
import { emails, PUBLIC_URL, tokenIn, useMailServer, withOutbox } from '#test/outbox.ts'
import { freePort } from '#test/process.ts'
import { smtpServer } from '#test/smtp.ts'
import { untilWaiting } from '#test/waiting.ts'

withApp()
withOutbox()

const context = { actor: SYSTEM }
const [OLD, NEW] = ['the old password', 'the new password']
let count = 0
let addresses = 0
// Each test has an address of its own, since requests are rate-limited by address.
let visitor = callAs()
beforeEach(() => void (visitor = callAs(undefined, `10.0.0.${++addresses}`)))
const forgot = async (email: string, language?: 'en' | 'zh') => {
  const answer = await visitor(authApi.forgotPassword, { body: { email, language } })
  await idle()
  return answer
}
const reset = (token: string, password = NEW) => visitor(authApi.resetPassword, { body: { token, password } })
const signIn = (email: string, password: string) => visitor(authApi.login, { body: { email, password } })

async function account(more: object = {}): Promise<{ id: string; email: string }> {
  const email = `forgetful${++count}@example.org`
  const passwordHash = await hashPassword(OLD)
  const input = { username: `forgetful${count}`, email, ...more }
  return { id: await transaction((tx) => users.add(tx, input, passwordHash, context)), email }
}

/** An account, and the token from its password reset email. */
async function forgotten(more: object = {}) {
  const one = await account(more)
  await forgot(one.email)
  return { ...one, token: tokenIn(emails().at(-1)?.text) }
}

test('resets a forgotten password by the link in an email, and confirms it by email', async () => {
  const { email, token } = await forgotten()
  const [message] = emails()
  expect(message?.raw).toContain(`To: ${email}`)
  expect(message?.subject).toBe('Reset your password for Mokuroku')
  expect(message?.text).toContain(`${PUBLIC_URL}/reset-password#token=${token}`)
  expect(message?.text).toContain('The link works once and expires in 30 minutes.')
  expect(await reset(token)).toEqual({ success: true })
  await expect(signIn(email, OLD)).rejects.toMatchObject({ status: 401 })
  await expect(signIn(email, NEW)).resolves.toHaveProperty('token')
  await idle()
  expect(emails().at(-1)?.subject).toBe('Your password for Mokuroku was changed')
})

test('a link works once', async () => {
  const { email, token } = await forgotten()
  const answers = await Promise.allSettled([reset(token, 'the first password'), reset(token, 'the second password')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(reset(token)).rejects.toMatchObject({
    status: 400,
    code: 'link',
    message: 'This link is no longer valid. Request a new one.',
  })
  await expect(signIn(email, NEW)).rejects.toMatchObject({ status: 401 })
})

test('using one of several links invalidates the others, but none of another account', async () => {
  const { token: another } = await forgotten()
  const { email, token: first } = await forgotten()
  await forgot(email)
  const second = tokenIn(emails().at(-1)?.text)
  expect(second).not.toBe(first)
  await reset(first)
  await expect(reset(second)).rejects.toMatchObject({ status: 400, code: 'link' })
  expect(await reset(another)).toEqual({ success: true })
})

test('a link expires after half an hour', async () => {
  await db.deleteFrom('resets').execute()
  const { token } = await forgotten()
  const row = await db.selectFrom('resets').selectAll().executeTakeFirstOrThrow()
  expect(Date.parse(row.expiresAt) - Date.parse(row.createdAt)).toBeCloseTo(30 * 60_000, -3)
  await db.updateTable('resets').set({ expiresAt: now() }).execute()
  await expect(reset(token)).rejects.toMatchObject({ code: 'link' })
  // The daily work deletes expired links; a clock that is ahead when another one is sent ends none for good.
  await forgotten()
  expect(await db.selectFrom('resets').selectAll().execute()).toHaveLength(2)
  await resets.deleteExpired()
  expect(await db.selectFrom('resets').selectAll().execute()).toHaveLength(1)
})

test('a link made while the clock was ahead is invalid once it is corrected', async () => {
  const { token } = await forgotten()
  const [createdAt, expiresAt] = [120, 121].map((days) => momentIn(days * DAY_MS))
  await db.updateTable('resets').set({ createdAt, expiresAt }).execute()
  await expect(reset(token)).rejects.toMatchObject({ code: 'link' })
})

test('stores only a hash of the link token', async () => {
  const { token } = await forgotten()
  expect(token).toHaveLength(43)
  expect(JSON.stringify(await db.selectFrom('resets').selectAll().execute())).not.toContain(token)
})

test('a reset ends every session, and its revision contains no password hash', async () => {
  const { id, email, token } = await forgotten()
  const { token: session } = await signIn(email, OLD)
  await reset(token)
  await expect(callAs(session)(authApi.verify)).rejects.toMatchObject({ status: 401 })
  const row = await db
    .selectFrom('revisions')
    .selectAll()
    .where('entityId', '=', id)
    .orderBy('version', 'desc')
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ userId: id, paths: ['passwordHash'], reason: 'Set with a link from an email' })
  expect(JSON.stringify(row.snapshot)).not.toContain('argon2')
})

test.each([
  ['deactivated', { isActive: false }],
  ['given another address', { email: 'elsewhere@example.org' }],
])('a link does not work once its account is %s', async (_, change) => {
  const { id, token } = await forgotten()
  await users.update(id, change, context)
  await expect(reset(token)).rejects.toMatchObject({ code: 'link' })
})

test('a link does not work once the password is changed in another way or the account is deleted', async () => {
  const [changed, deleted] = [await forgotten(), await forgotten()]
  const passwordHash = await hashPassword('set by an administrator')
  await transaction((tx) => users.setPassword(tx, changed.id, passwordHash, context))
  await users.remove(deleted.id, context)
  for (const { token } of [changed, deleted]) await expect(reset(token)).rejects.toMatchObject({ code: 'link' })
})

test('no link is sent if the account is deactivated while it is prepared', async () => {
  const { id, email } = await account()
  await transaction(async (tx) => {
    await lockRows(tx, [{ kind: 'User', id }])
    await visitor(authApi.forgotPassword, { body: { email } })
    await untilWaiting(1)
    await tx.updateTable('users').set({ isActive: false }).where('_id', '=', id).execute()
  })
  await idle()
  expect(emails()).toEqual([])
  expect(await db.selectFrom('resets').select('userId').where('userId', '=', id).execute()).toEqual([])
})

test('class 9: the response does not reveal whether there is an account; only active ones get an email', async () => {
  const { email } = await account()
  const gone = await account({ isActive: false })
  const answers = [await forgot(email), await forgot(gone.email), await forgot('nobody@example.org')]
  expect(answers).toEqual([{ success: true }, { success: true }, { success: true }])
  expect(emails()).toHaveLength(1)
})

test('responds without waiting for the email, which is sent when the mail server is back', async () => {
  const { email } = await account()
  const failures: unknown[] = []
  setBackgroundLog({ error: (...said: unknown[]) => void failures.push(said) })
  useMailServer(`smtp://127.0.0.1:${await freePort()}`)
  expect(await visitor(authApi.forgotPassword, { body: { email } })).toEqual({ success: true })
  expect(failures).toEqual([])
  await idle()
  expect(failures[0]).toMatchObject([{ err: { code: 'unreachable' } }, 'mail.send failed'])
  setBackgroundLog(undefined)
  const waiting = await db.selectFrom('jobs').select(['payload', 'error']).where('kind', '=', 'mail.send').execute()
  expect(waiting).toHaveLength(1)
  expect(JSON.stringify(waiting)).not.toMatch(/reset-password|token/)
  useMailServer()
  await expect.poll(() => emails().length).toBe(1)
  await idle()
  expect(await db.selectFrom('jobs').select('_id').where('kind', '=', 'mail.send').execute()).toEqual([])
})

test('an email whose sender the mail server refuses waits, with the reason, until that is mended', async () => {
  const server = await smtpServer({
    authOptional: true,
    onMailFrom: (_, __, done) => done(Object.assign(new Error('Sender not allowed'), { responseCode: 550 })),
  })
  onTestFinished(server.close)
  useMailServer(`smtp://127.0.0.1:${server.port}?ignoreTLS=true`)
  await forgot((await account()).email)
  await idle()
  const waiting = await db.selectFrom('jobs').select('error').where('kind', '=', 'mail.send').execute()
  expect(waiting).toMatchObject([{ error: expect.stringContaining('550 Sender not allowed') }])
  useMailServer()
  await expect.poll(() => emails().length).toBe(1)
})

test('each attempt to send an email has the same Message-ID, so that a second copy can be recognized', async () => {
  const ids: (string | undefined)[] = []
  const server = await smtpServer({
    authOptional: true,
    onData: (stream, _, done) => {
      let raw = ''
      stream.on('data', (part: Buffer) => (raw += part.toString()))
      stream.once('end', () => {
        ids.push(/^Message-ID: (.+)$/im.exec(raw)?.[1]?.trim())
        done(ids.length === 1 ? Object.assign(new Error('Try again'), { responseCode: 451 }) : null)
      })
    },
  })
  onTestFinished(server.close)
  useMailServer(`smtp://127.0.0.1:${server.port}?ignoreTLS=true`)
  await forgot((await account()).email)
  await expect.poll(() => ids.length).toBe(2)
  await idle()
  expect(ids[0]).toMatch(/^<[\w-]+@catalogue\.example\.org>$/)
  expect(ids[1]).toBe(ids[0])
})

test('an email is retried as long as it is of use, and then dropped', async () => {
  useMailServer(`smtp://127.0.0.1:${await freePort()}`)
  const { id, email } = await account()
  await transaction(async (tx) => users.setPassword(tx, id, await hashPassword(NEW), context))
  await idle()
  await forgot(email)
  await idle()
  const jobs = () => db.selectFrom('jobs').selectAll().where('kind', '=', 'mail.send').orderBy('_id').execute()
  const minutes = (await jobs()).map(({ payload }) => (Date.parse(String(payload.expiresAt)) - time()) / 60_000)
  expect(minutes).toEqual([expect.closeTo(7 * 24 * 60, 0), expect.closeTo(30, 0)])
  const sendAgain = async (more: object = {}) => {
    const dueAt = now()
    await db
      .updateTable('jobs')
      .set({ dueAt, ...more })
      .where('kind', '=', 'mail.send')
      .execute()
    publishJobs()
    await idle()
  }
  // After so many attempts, the next one is more than half a minute away.
  await sendAgain({ attempts: 1000 })
  const [passwordEmail, link] = await jobs()
  const payload = { ...link?.payload, expiresAt: now() }
  await db
    .updateTable('jobs')
    .set({ payload })
    .where('_id', '=', link?._id ?? '')
    .execute()
  await sendAgain()
  expect(await jobs()).toMatchObject([{ _id: passwordEmail?._id }])
  useMailServer()
  await sendAgain()
  expect(emails().map(({ subject }) => subject)).toEqual(['Your password for Mokuroku was changed'])
})

test('emails that wait for a mail server that does not respond hold up no other work', async () => {
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  const sockets = new Set<Socket>()
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  useMailServer(`smtp://127.0.0.1:${port}`)
  const passwordHash = await hashPassword(NEW)
  const waiting = db.selectFrom('jobs').select('_id').where('kind', '=', 'mail.send')
  // A job composes each email and queues it.
  for (let sent = 1; sent <= 5; sent++) {
    const { id } = await account()
    await transaction(async (tx) => users.setPassword(tx, id, passwordHash, context))
    // Less than it takes to give up on the mail server.
    await expect.poll(async () => (await waiting.execute()).length, { timeout: 10_000 }).toBe(sent)
  }
  await db.deleteFrom('jobs').where('kind', '=', 'mail.send').execute()
  silent.close()
  for (const socket of sockets) socket.destroy()
})

test('finds an address in any case, and sends the email to the address as stored', async () => {
  const { email } = await account()
  await forgot(` ${email.toUpperCase()} `)
  expect(emails()[0]?.raw).toContain(`To: ${email}`)
})

test('emails use the requested language or else that of the settings, and name the site', async () => {
  const { email } = await account({ username: '小林 <b>' })
  await settings.change({ general: { siteName: '図書室 & co' } }, context)
  await forgot(email, 'zh')
  const [message] = emails()
  expect(message?.subject).toBe('【図書室 & co】重置密码')
  expect(message?.text).toContain('小林 <b>，您好：')
  expect(message?.html).toContain('小林 &lt;b&gt;')
  expect(message?.html).not.toContain('<b>')
  await settings.change({ general: { languages: ['zh'], defaultLanguage: 'zh' } }, context)
  await forgot(email)
  expect(emails().at(-1)?.subject).toMatch(/^【.+】重置密码$/)
  await settings.change({ general: { siteName: 'Mokuroku', languages: ['en', 'zh'], defaultLanguage: 'en' } }, context)
})

test('class 10: the link points to the public URL, whatever host the request names', async () => {
  const { email } = await account()
  const headers = { host: 'localhost:6666', 'x-forwarded-host': 'evil.example.org', origin: 'https://evil.example' }
  await app.inject({ method: 'POST', url: authApi.forgotPassword.path, headers, payload: { email } })
  await idle()
  expect(emails()[0]?.raw).not.toMatch(/evil|:6666/)
})

test('class 10: a name with line breaks adds no header to an email', async () => {
  const line = 'x\r\nBcc: evil@example.org\r\n\r\nand a text of its own'
  const { id, email } = await account()
  // Written directly, like a row from before such names were rejected.
  await db.updateTable('users').set({ username: line }).where('_id', '=', id).execute()
  await settings.change({ general: { siteName: line } }, context)
  await forgot(email)
  const [head = ''] = (emails()[0]?.raw ?? '').split(/\r?\n\r?\n/)
  expect(head).toContain(`To: ${email}`)
  expect(head).not.toMatch(/^bcc/im)
  await settings.change({ general: { siteName: 'Mokuroku' } }, context)
})

test('limits emails to five an hour per account, and refuses unknown addresses alike', async () => {
  const { email } = await account()
  for (const address of [email, 'unknown@example.org']) {
    for (let each = 0; each < 5; each++) await forgot(address)
    await expect(forgot(address)).rejects.toMatchObject({
      status: 429,
      body: { retryAfter: expect.any(Number) },
    })
  }
  expect(emails()).toHaveLength(5)
})

test('limits emails to 20 an hour per account from all networks, but none from where it has signed in', async () => {
  const { email } = await account()
  await signIn(email, OLD)
  const ask = (address: string) => callAs(undefined, address)(authApi.forgotPassword, { body: { email } })
  for (let each = 0; each < 20; each++) await ask(`10.1.0.${each % 4}`)
  await expect(ask('10.1.0.4')).rejects.toMatchObject({ status: 429 })
  await forgot(email)
  expect(emails()).toHaveLength(21)
})

test('rate-limits a client that requests links for many accounts', async () => {
  for (let each = 0; each < 100; each++) await forgot(`nobody${each}@example.org`)
  await expect(forgot('somebody@example.org')).rejects.toMatchObject({ status: 429 })
})

test('a password of fewer than 8 characters is refused, and the link still works', async () => {
  const { token } = await forgotten()
  await expect(reset(token, 'short')).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'password', message: 'At least 8 characters', code: 'passwordShort' }],
  })
  await expect(reset(token)).resolves.toEqual({ success: true })
})

test.each(['', 'no address', 'rin@'])('rejects the address %j', async (email) => {
  await expect(forgot(email)).rejects.toMatchObject({ status: 400 })
})

test('rate-limits a client that tries many links', async () => {
  for (let each = 0; each < 100; each++) await reset(`guess ${each}`).catch(() => undefined)
  await expect(reset('another guess')).rejects.toMatchObject({ status: 429 })
})
