import { randomUUID } from 'node:crypto'
import { authApi } from '@mokuroku/contract/auth'
import { assetsApi } from '@mokuroku/contract/assets'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { mediaApi } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { trashApi } from '@mokuroku/contract/trash'
import { usersApi } from '@mokuroku/contract/users'
import { aResetToken } from '#test/factories.ts'
import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { db } from '#database/db.ts'
import { time } from '#lib/clock.ts'
import { hashPassword } from '#access/password.ts'
import { deriveKey, startSession } from '#access/session.ts'
import { advanceClock, app, callAs, signedIn, withApp } from '#test/app.ts'
import { aPicture, send } from '#test/files.ts'
import { listen } from '#test/stream.ts'
import { previewOf } from '../../src/ai/previews.ts'
import { ask, listening } from './rawClient.ts'
import { PASSWORD } from './calls.ts'

withApp()

type Client = Awaited<ReturnType<typeof signedIn>>
let admin: Client
let passwordHash: string
beforeAll(async () => {
  admin = await signedIn()
  passwordHash = await hashPassword(PASSWORD)
})

const somebody = async (): Promise<Client> => {
  const client = await signedIn({ role: 'user' })
  await db.updateTable('users').set({ passwordHash }).where('_id', '=', client.user._id).execute()
  return { ...client, user: { ...client.user, passwordHash } }
}
/** Another session of the same user. */
const inOtherSession = async ({ user }: Client) =>
  callAs(await startSession(user, { address: '127.0.0.1', userAgent: 'another' }))
const sessionOf = ({ token }: Client): string => String(decodeJwt(token).sid)

const change = (body: object) => (client: Client) => admin.call(usersApi.update, { id: client.user._id, body })

const ENDS: Record<string, (client: Client) => Promise<unknown>> = {
  'signing out': ({ call }) => call(authApi.logout),
  'being ended by another session': async (client) =>
    (await inOtherSession(client))(authApi.endSession, { id: sessionOf(client) }),
  'being ended with all other sessions': async (client) => (await inOtherSession(client))(authApi.endSessions),
  'a password change in another session': async (client) =>
    (await inOtherSession(client))(authApi.changePassword, {
      body: { current: PASSWORD, password: 'another good one' },
    }),
  'a password reset by a link': async (client) =>
    callAs()(authApi.resetPassword, { body: { token: await aResetToken(client.user), password: 'another good one' } }),
  'a password change by an administrator': change({ password: 'another good one' }),
  deactivation: change({ isActive: false }),
  'a change of the role': change({ role: 'moderator' }),
  'deletion of the account': ({ user }) => admin.call(usersApi.remove, { id: user._id }),
  'a purge of the account': async ({ user: { _id: id } }) => {
    await admin.call(usersApi.remove, { id })
    await admin.call(trashApi.purge, { kind: 'User', id })
  },
}

describe('class 6: sessions that have ended', () => {
  afterEach(() => void vi.useRealTimers())

  test.each(Object.entries(ENDS))('refuses the token and ends its stream after %s', async (_, end) => {
    // At once, rather than at the next periodic check.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const [client, bystander] = [await somebody(), await signedIn()]
    const url = (await listening()) + notificationsApi.stream.path
    const [stream, other] = [await listen(url, client.token), await listen(url, bystander.token)]
    await Promise.all([stream.next(), other.next()])
    expect((await ask(dashboardApi.stats, {}, client)).status).toBe(200)
    await end(client)
    await stream.rest()
    await expect(client.call(authApi.verify)).rejects.toMatchObject({ status: 401 })
    await expect(listen(url, client.token)).rejects.toMatchObject({ status: 401 })
    expect((await bystander.call(authApi.verify)).success).toBe(true)
    other.close()
  })

  test('reactivating or restoring an account does not restore its sessions', async () => {
    const client = await somebody()
    const { _id: id } = client.user
    await admin.call(usersApi.update, { id, body: { isActive: false } })
    await admin.call(usersApi.update, { id, body: { isActive: true } })
    await admin.call(usersApi.remove, { id })
    await admin.call(usersApi.restore, { id })
    await expect(client.call(authApi.verify)).rejects.toMatchObject({ status: 401 })
  })

  test('a password change keeps the session that made it, and those of other users', async () => {
    const client = await somebody()
    await client.call(authApi.changePassword, { body: { current: PASSWORD, password: 'another good one' } })
    expect((await client.call(authApi.verify)).success).toBe(true)
    await expect(admin.call(authApi.verify)).resolves.toHaveProperty('success')
  })
})

const SECRET = new TextEncoder().encode('a secret that only the tests know, 32 bytes')
const signed = (
  payload: JWTPayload,
  { alg = 'HS256', key = SECRET, exp = '1h' }: { alg?: string; key?: Uint8Array; exp?: string | number } = {},
) => {
  const token = new SignJWT(payload).setProtectedHeader({ alg })
  return (exp === '' ? token : token.setExpirationTime(exp)).sign(key)
}
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('class 7: partial sign-in', () => {
  test('accepts only a valid token of an active session', async () => {
    const [client, other] = [await signedIn(), await signedIn()]
    const own = { sid: sessionOf(client), sub: client.user._id }
    expect((await ask(dashboardApi.stats, {}, { token: await signed(own) })).status).toBe(200)
    const [head = '', body = '', signature = ''] = client.token.split('.')
    const later = Math.floor(time() / 1000) + 3600
    const bad: Record<string, string> = {
      expired: await signed(own, { exp: Math.floor(time() / 1000) - 1 }),
      'without an end': await signed(own, { exp: '' }),
      'of another signer': await signed(own, {
        key: new TextEncoder().encode('another secret, also of 32 bytes or more'),
      }),
      'signed with the key of files': await signed(own, { key: new Uint8Array(deriveKey('files')) }),
      'by another algorithm of the same secret': await signed(own, {
        alg: 'HS512',
        key: new Uint8Array([...SECRET, ...SECRET]),
      }),
      'without a signature': `${head}.${body}.`,
      'by no algorithm': `${encoded({ alg: 'none' })}.${encoded({ ...own, exp: later })}.`,
      'by no algorithm, in other letters': `${encoded({ alg: 'nOnE' })}.${encoded({ ...own, exp: later })}.${signature}`,
      'whose payload was changed': `${head}.${encoded({ ...own, sub: other.user._id, exp: later })}.${signature}`,
      'whose signature was cut': client.token.slice(0, -2),
      'of another user with this session': await signed({ ...own, sub: other.user._id }),
      'of this user with the session of another': await signed({ ...own, sid: sessionOf(other) }),
      'of a session that never was': await signed({ ...own, sid: randomUUID() }),
      'without a session': await signed({ sub: client.user._id }),
      twice: `${client.token}, Bearer ${client.token}`,
      'that is a session id': own.sid,
      'that is the secret part of a link to a new password': await aResetToken(client.user),
    }
    const statuses: Record<string, number> = {}
    for (const [what, token] of Object.entries(bad))
      statuses[what] = (await ask(dashboardApi.stats, {}, { token })).status
    expect(statuses).toEqual(Object.fromEntries(Object.keys(bad).map((what) => [what, 401])))
    await expect(client.call(authApi.verify)).resolves.toHaveProperty('success')
  })

  test('refuses an expired token even if its session is still valid', async () => {
    const client = await signedIn()
    const token = await signed(
      { sid: sessionOf(client), sub: client.user._id },
      { exp: Math.floor(time() / 1000) + 60 },
    )
    expect((await ask(dashboardApi.stats, {}, { token })).status).toBe(200)
    advanceClock(61_000)
    expect((await ask(dashboardApi.stats, {}, { token })).status).toBe(401)
    expect((await ask(dashboardApi.stats, {}, client)).status).toBe(200)
  })

  test('accepts a token only in the Authorization header', async () => {
    const { token } = await signedIn()
    const status = async (url: string, headers: Record<string, string> = {}) =>
      (await app.inject({ url, headers })).statusCode
    const { path } = dashboardApi.stats
    for (const name of ['token', 'access_token', 'authorization', 'jwt'])
      expect(await status(`${path}?${name}=${token}`)).toBe(401)
    for (const name of ['cookie', 'x-access-token', 'proxy-authorization', 'x-authorization'])
      expect(await status(path, { [name]: name === 'cookie' ? `token=${token}` : `Bearer ${token}` })).toBe(401)
    for (const scheme of ['Basic', 'Token', 'Bearers', ''])
      expect(await status(path, { authorization: `${scheme} ${token}` })).toBe(401)
  })

  test('does not accept a session token as a reset link', async () => {
    const client = await somebody()
    for (const token of [client.token.slice(0, 100), sessionOf(client), client.user._id])
      await expect(
        callAs(undefined, '10.8.0.1')(authApi.resetPassword, { body: { token, password: 'another good one' } }),
      ).rejects.toMatchObject({ status: 400, code: 'link' })
  })

  test('a reset link works once, even if used concurrently', async () => {
    const client = await somebody()
    const token = await aResetToken(client.user)
    const use = () =>
      callAs(undefined, '10.8.0.2')(authApi.resetPassword, { body: { token, password: 'another good one' } })
    const ends = await Promise.allSettled([use(), use(), use()])
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  test('the signature of a file opens only that file', async () => {
    const aPrivateFile = async (width: number) => {
      const { _id: id } = (await send(await aPicture(width), 'private.png', admin)).body
      return (await admin.call(assetsApi.update, { id, body: { isPublic: false } })).url
    }
    const [url, other] = [await aPrivateFile(1), await aPrivateFile(2)]
    const query = url.split('?')[1] ?? ''
    const params = new URLSearchParams(query)
    const signature = params.get('signature') ?? ''
    const outside = new URLSearchParams(previewOf('https://example.org/a.png').split('?')[1])
    const status = async (address: string, token?: string) =>
      (await app.inject({ url: address, headers: token ? { authorization: `Bearer ${token}` } : {} })).statusCode
    expect(await status(`${mediaApi.list.path}?${query}`)).toBe(401)
    expect(await status(dashboardApi.stats.path, signature)).toBe(401)
    expect(
      await status(
        `/files/outside?url=https://example.org/a.png&until=${params.get('expires')}&signature=${signature}`,
      ),
    ).toBe(404)
    const [key = '', otherKey] = [url, other].map((each) => each.split('?')[0])
    expect(await status(url)).toBe(200)
    expect(await status(`${otherKey}?${query}`)).toBe(404)
    expect(await status(`${key}?expires=${outside.get('until')}&signature=${outside.get('signature')}`)).toBe(404)
    expect(await status(key, admin.token)).toBe(404)
  })
})
