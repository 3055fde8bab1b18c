import { authApi } from '@mokuroku/contract/auth'
import { hash } from '@node-rs/argon2'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { decodeJwt, SignJWT } from 'jose'
import { expect, onTestFinished, test, vi } from 'vitest'
import { time } from '#lib/clock.ts'
import { db, engine, transaction } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { limiter } from '#access/limiter.ts'
import { hashPassword } from '#access/password.ts'
import { tiers } from '#store/tiers'
import { users } from '#store/users'
import { ADMIN, app, callAs, signedIn, withApp } from '#test/app.ts'
import { aTier } from '#test/factories.ts'
import { accountLimiter } from './limits.ts'

withApp()

const visitor = callAs()
const refused = { status: 401, message: 'Login failed. Please check your credentials.' }

async function account(email: string, isActive = true, password = 'a good password'): Promise<string> {
  const input = { username: email.split('@')[0] ?? '', email, isActive }
  const passwordHash = await hashPassword(password)
  return transaction((tx) => users.add(tx, input, passwordHash, { actor: SYSTEM }))
}

test('the first administrator signs in and gets a token with exp in seconds', async () => {
  const { token, user } = await visitor(authApi.login, { body: ADMIN })
  expect(user).toMatchObject({ username: 'admin', email: ADMIN.email, role: 'admin' })
  const { exp = 0 } = decodeJwt(token)
  expect(exp - time() / 1000).toBeGreaterThan(11.9 * 3600)
  expect(exp - time() / 1000).toBeLessThan(12.1 * 3600)
  expect(await callAs(token)(authApi.verify)).toEqual({ success: true, user })
  expect((await users.withEmail(ADMIN.email))?.lastLogin).toMatch(/^20/)
})

test('signs in with the email address in any case', async () => {
  await expect(visitor(authApi.login, { body: { ...ADMIN, email: 'ADMIN@Example.org' } })).resolves.toHaveProperty(
    'token',
  )
})

test('signs in with a password whose accents are composed or not, as keyboards differ', async () => {
  const [email, password] = ['jiri@example.org', 'mật khẩu của Jiří']
  await account(email, true, password.normalize('NFD'))
  for (const form of ['NFC', 'NFD'])
    expect(await visitor(authApi.login, { body: { email, password: password.normalize(form) } })).toHaveProperty(
      'token',
    )
})

test('signs in with a password that an older version has stored as it was typed, without composing it', async () => {
  const [email, password] = ['rene@example.org', 'le mot de passe de René'.normalize('NFD')]
  const passwordHash = await hash(password)
  await transaction((tx) => users.add(tx, { username: 'rene', email, isActive: true }, passwordHash, { actor: SYSTEM }))
  expect(await visitor(authApi.login, { body: { email, password } })).toHaveProperty('token')
})

test('a wrong password, an unknown address and a deactivated account get the same error', async () => {
  await account('gone@example.org', false)
  const attempts = [
    { email: ADMIN.email, password: 'wrong' },
    { email: 'nobody@example.org', password: 'wrong' },
    { email: 'gone@example.org', password: 'a good password' },
  ]
  for (const body of attempts) await expect(visitor(authApi.login, { body })).rejects.toMatchObject(refused)
})

test('reports missing and invalid fields', async () => {
  await expect(visitor(authApi.login, { body: { email: '', password: '' } })).rejects.toMatchObject({
    status: 400,
    errors: expect.arrayContaining([
      expect.objectContaining({ path: 'email', message: 'Email is required' }),
      expect.objectContaining({ path: 'password', message: 'Password is required' }),
    ]),
  })
  await expect(visitor(authApi.login, { body: { email: 'no', password: 'x' } })).rejects.toMatchObject({
    errors: [{ path: 'email', message: 'Invalid email address', code: expect.any(String) }],
  })
})

test('class 8: ten failures in a row lock the account for a while, even for the right password', async () => {
  await account('tried@example.org')
  const attempt = (password: string) => visitor(authApi.login, { body: { email: 'tried@example.org', password } })
  for (let each = 0; each < 10; each++) await expect(attempt('wrong')).rejects.toMatchObject(refused)
  await expect(attempt('a good password')).rejects.toMatchObject({
    status: 429,
    message: 'Too many requests. Please try again later.',
    body: { retryAfter: expect.any(Number) },
  })
  await expect(visitor(authApi.login, { body: ADMIN })).resolves.toHaveProperty('token')
})

test('a server that has refused an account lets it in once a sign-in on another server has succeeded', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const [here, there] = [limiter('two servers', 1, 15), limiter('two servers', 1, 15)]
  await there.take('account')
  if (engine === 'postgres') await expect(here.take('account')).rejects.toMatchObject({ status: 429 })
  await there.forget('account')
  vi.advanceTimersByTime(5000)
  await here.take('account')
})

test('a sign-in gives back only an attempt that was counted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const signIns = accountLimiter('given back', { perNetwork: 10, perAccount: 1, minutes: 15 })
  const from = (address: string, isKnown: boolean) => ({
    email: 'one@example.org',
    client: { address, userAgent: '' },
    passwordHash: undefined,
    isKnownNetwork: async () => isKnown,
  })
  await signIns.take(from('192.0.2.1', false))
  // While a server on PostgreSQL blocks the account, it does not count an attempt in the database.
  for (let each = 0; each < 3; each++) {
    const known = from('192.0.2.2', true)
    await signIns.take(known)
    await signIns.succeeded(known)
  }
  vi.advanceTimersByTime(5000)
  await expect(signIns.take(from('192.0.2.3', false))).rejects.toMatchObject({ status: 429 })
})

test('signing out ends the session at once', async () => {
  const { call } = await signedIn()
  expect(await call(authApi.logout)).toEqual({ success: true })
  await expect(call(authApi.verify)).rejects.toMatchObject({ status: 401 })
})

test('a session ends when it expires or its user is deactivated', async () => {
  const [over, deactivated] = [await signedIn(), await signedIn()]
  await db
    .updateTable('sessions')
    .set({ expiresAt: '2020-01-01T00:00:00.000Z' })
    .where('userId', '=', over.user._id)
    .execute()
  await users.update(deactivated.user._id, { isActive: false }, { actor: SYSTEM })
  for (const { call } of [over, deactivated]) await expect(call(authApi.verify)).rejects.toMatchObject({ status: 401 })
})

test.each(['bearer', 'BEARER '])('accepts a token after "%s"', async (scheme) => {
  const { token } = await signedIn()
  const headers = { authorization: `${scheme} ${token}` }
  expect((await app.inject({ url: '/api/auth/verify', headers })).statusCode).toBe(200)
})

test.each(['', 'Bearer', 'Bearer x.y.z', 'Basic YTpi'])('rejects the credentials "%s"', async (authorization) => {
  const answer = await app.inject({ url: '/admin/stats', headers: { authorization } })
  expect(answer.statusCode).toBe(401)
})

test('rejects a token with a forged signature or without one', async () => {
  const { user, actor } = await signedIn()
  const forged = await new SignJWT({ sid: actor.session })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user._id)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('another secret, also of 32 bytes or more'))
  await expect(callAs(forged)(dashboardApi.stats)).rejects.toMatchObject({ status: 401 })
  const [, payload] = forged.split('.')
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
  await expect(callAs(unsigned)(dashboardApi.stats)).rejects.toMatchObject({ status: 401 })
})

test('a user has the highest active tier whose required score they reach', async () => {
  await aTier(1000, { canCreateMedia: true })
  await aTier(5000, { canCreateMedia: true, canEditAnyContent: true })
  await tiers.update(await aTier(7000, { canEditAnyContent: false }), { isActive: false }, { actor: SYSTEM })
  const at = async (scores: number) => {
    const { call } = await signedIn({ role: 'user', scores })
    return (await call(authApi.verify)).user
  }
  expect(await at(999)).toMatchObject({
    tier: 'Newcomer',
    permissions: { canCreateMedia: false, canRateContent: true },
  })
  expect(await at(1000)).toMatchObject({
    tier: 'Tier 1000',
    permissions: { canCreateMedia: true, canEditAnyContent: false },
  })
  expect(await at(9999)).toMatchObject({ tier: 'Tier 5000', permissions: { canEditAnyContent: true } })
})

test('no response and no revision contains a password hash', async () => {
  const id = await account('hidden@example.org')
  const revision = await db.selectFrom('revisions').selectAll().where('entityId', '=', id).executeTakeFirstOrThrow()
  expect(JSON.stringify(revision)).not.toContain('argon2')
  const login = await visitor(authApi.login, { body: { email: 'hidden@example.org', password: 'a good password' } })
  expect(JSON.stringify(login)).not.toContain('argon2')
})
