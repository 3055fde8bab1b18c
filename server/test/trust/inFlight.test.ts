// What is in progress while the permission for it ends.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { auditApi } from '@mokuroku/contract/audit'
import { authApi } from '@mokuroku/contract/auth'
import { usersApi } from '@mokuroku/contract/users'
import { beforeAll, describe, expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { type Actor, SYSTEM } from '#access/permissions.ts'
import { verifyPassword, hashPassword } from '#access/password.ts'
import { findActor, startSession } from '#access/session.ts'
import type { Tables } from '#database/tables.ts'
import { now } from '#lib/clock.ts'
import { audit } from '#store/audit'
import { sessions } from '#store/auth'
import { media } from '#store/media'
import { ratings } from '#store/ratings'
import { tiers } from '#store/tiers'
import { users } from '#store/users'
import { callAs, signedIn, withApp } from '#test/app.ts'
import { aMedia, aResetToken, aTier, mediaInput } from '#test/factories.ts'
import { listening } from './rawClient.ts'

withApp()

const OLD = 'the old good one'
const NEW = 'the new good one'
const ROUNDS = 6
const SIGN_INS = 4
const HERE = { address: '127.0.0.1', userAgent: 'test' }

let admin: Awaited<ReturnType<typeof signedIn>>
let passwordHash: string
beforeAll(async () => {
  admin = await signedIn()
  passwordHash = await hashPassword(OLD)
})

let count = 0
async function somebody(): Promise<Tables['users']> {
  const name = `traveller${++count}`
  const input = { username: name, email: `${name}@example.org` }
  const id = await transaction((tx) => users.add(tx, input, passwordHash, { actor: SYSTEM }))
  return db.selectFrom('users').selectAll().where('_id', '=', id).executeTakeFirstOrThrow()
}

const place = () => `10.7.${Math.floor(++count / 250)}.${count % 250}`
const change = (body: object) => (user: Tables['users']) => admin.call(usersApi.update, { id: user._id, body })
const changeOwn = async (user: Tables['users']) =>
  callAs(await startSession(user, HERE), place())(authApi.changePassword, { body: { current: OLD, password: NEW } })

const ENDS: Record<string, (user: Tables['users']) => Promise<unknown>> = {
  'the owner changes the password': changeOwn,
  'an administrator changes the password': change({ password: NEW }),
  'the password is reset by a link': async (user) =>
    callAs(undefined, place())(authApi.resetPassword, { body: { token: await aResetToken(user), password: NEW } }),
  'the account is deactivated': change({ isActive: false }),
  'the account is deleted': ({ _id: id }) => admin.call(usersApi.remove, { id }),
}

const standsFor = (token: string) =>
  callAs(token)(authApi.verify).then(
    () => true,
    () => false,
  )

describe('class 6: concurrent sign-ins with the old password', () => {
  test.each(Object.entries(ENDS))('leave no valid session when %s', async (_, end) => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await somebody()
      const signIn = () => callAs(undefined, place())(authApi.login, { body: { email: user.email, password: OLD } })
      const [, ...signIns] = await Promise.all([
        end(user),
        ...Array.from({ length: SIGN_INS }, () => signIn().catch(() => undefined)),
      ])
      const standing = await Promise.all(signIns.flatMap((answer) => (answer ? standsFor(answer.token) : [])))
      expect(standing).not.toContain(true)
    }
  })
})

describe('class 6: credentials are checked again when they are used', () => {
  test.each(Object.entries(ENDS))('starts no session if, since the password was verified, %s', async (_, end) => {
    const user = await somebody()
    await end(user)
    await expect(startSession(user, HERE)).rejects.toMatchObject({ status: 401 })
  })

  test.each(['endedAt', 'expiresAt'] as const)('confirms no password in a session past its %s', async (column) => {
    const { token } = await signedIn()
    const session = (await findActor(`Bearer ${token}`))?.session
    const confirm = () => transaction((tx) => sessions.confirm(tx, session))
    expect(await confirm()).toBe(true)
    const ended = db.updateTable('sessions').set({ [column]: now() })
    await ended.where('_id', '=', session ?? '').execute()
    expect(await confirm()).toBe(false)
  })

  test('class 23: sets one of two concurrent new passwords, and refuses the other', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await somebody()
      const token = await startSession(user, HERE)
      const set = (password: string) =>
        callAs(token, place())(authApi.changePassword, { body: { current: OLD, password } }).then(
          () => password,
          () => undefined,
        )
      const done = (await Promise.all([set('the first new one'), set('the second new one')])).filter(Boolean)
      expect(done).toHaveLength(1)
      const { passwordHash: stored } = await users.passwordOf(user._id)
      expect(await verifyPassword(done[0] ?? '', stored)).toBe(true)
    }
  })

  test('refuses a reset link, or applies it completely, if the email address changes concurrently', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await somebody()
      const token = await aResetToken(user)
      const [moved, set] = await Promise.allSettled([
        change({ email: `moved-${user.email}` })(user),
        callAs(undefined, place())(authApi.resetPassword, { body: { token, password: NEW } }),
      ])
      expect(moved.status).toBe('fulfilled')
      const { passwordHash: stored } = await users.passwordOf(user._id)
      expect(await verifyPassword(NEW, stored)).toBe(set.status === 'fulfilled')
    }
  })

  test('a session stays ended if the password is confirmed while it ends', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await somebody()
      const token = await startSession(user, HERE)
      await Promise.allSettled([
        callAs(token, place())(authApi.confirm, { body: { password: OLD } }),
        change({ password: NEW })(user),
      ])
      expect(await standsFor(token)).toBe(false)
    }
  })
})

describe('class 6: a call that began before the permission was lost', () => {
  /** A user who makes a call, with the actor as of the beginning of the call. */
  async function started(scores = 0) {
    const { user, token } = await signedIn({ role: 'user', scores })
    const actor = await findActor(`Bearer ${token}`)
    if (!actor) throw new Error('nobody')
    return { user, token, context: { actor } }
  }
  const write = (id: string, context: { actor: Actor }) => media.update(id, { isOngoing: false }, context)

  test.each([
    ['the account is deactivated', change({ isActive: false })],
    ['the role changes', change({ role: 'moderator' })],
    ['the password changes', change({ password: NEW })],
    ['the account is deleted', ({ _id: id }: Tables['users']) => admin.call(usersApi.remove, { id })],
  ])('writes nothing more once %s', async (_, end) => {
    const tier = await aTier(5_000_000 + ++count, { canEditAnyContent: true })
    const { requiredScore } = await db.selectFrom('tiers').selectAll().where('_id', '=', tier).executeTakeFirstOrThrow()
    const [{ user, context }, { _id: id }] = [await started(requiredScore), await aMedia()]
    await write(id, context)
    await end(user)
    await expect(write(id, context)).rejects.toMatchObject({ status: 401 })
    await expect(media.create(mediaInput(), context)).rejects.toMatchObject({ status: 401 })
    await expect(media.remove(id, context)).rejects.toMatchObject({ status: 401 })
  })

  test('writes nothing more after signing out, or once the score or the tier no longer suffices', async () => {
    const tier = await aTier(4_000_000, { canEditAnyContent: true })
    const [one, other, third] = [await started(4_000_000), await started(4_000_000), await started(4_000_000)]
    const { _id: id } = await aMedia()
    for (const { context } of [one, other, third]) await write(id, context)
    await callAs(one.token)(authApi.logout)
    await expect(write(id, one.context)).rejects.toMatchObject({ status: 401 })
    await change({ scores: 0 })(other.user)
    await expect(write(id, other.context)).rejects.toMatchObject({ status: 403 })
    await tiers.remove(tier, { actor: SYSTEM })
    await expect(write(id, third.context)).rejects.toMatchObject({ status: 403 })
  })

  test('is checked by the rules of its kind with the permissions of now', async () => {
    const tier = await aTier(6_000_000, { canCommentUnrestricted: true })
    const { context } = await started(6_000_000)
    const rate = async () => {
      const { _id: mediaId } = await aMedia()
      return ratings.create({ userId: context.actor._id, mediaId, score: 5, comment: 'https://example.org' }, context)
    }
    await rate()
    await tiers.remove(tier, { actor: SYSTEM })
    await expect(rate()).rejects.toMatchObject({ status: 400, errors: [{ path: 'comment' }] })
  })
})

describe('class 6: an export', () => {
  /** Enough data that it does not fit into the buffers between server and client. */
  const [ENTRIES, LONG] = [4000, Array.from({ length: 12 }, () => 'x'.repeat(300))]
  beforeAll(async () => {
    for (let done = 0; done < ENTRIES; done += 500)
      await transaction(async (tx) => {
        for (let each = 0; each < 500; each++)
          audit.record(tx, { action: 'settings.read', actor: SYSTEM, details: { filler: LONG } })
      })
  })

  /** Exports the log, runs `meanwhile` when the first part has arrived, and returns how many entries arrived. */
  async function exported(token: string, meanwhile: () => Promise<unknown>) {
    const call = request(`${await listening()}${auditApi.export.path}?format=ndjson&area=settings`, {
      headers: { authorization: `Bearer ${token}` },
    }).end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    let text = ''
    let isWhole = true
    try {
      for await (const part of answer.setEncoding('utf8')) {
        if (text === '') await meanwhile()
        text += part as string
      }
    } catch {
      isWhole = false
    }
    return { status: answer.statusCode, isWhole, entries: text.split('\n').length - 1 }
  }

  test('is complete while the session is valid', async () => {
    const { token } = await signedIn()
    const { entries, ...rest } = await exported(token, () => Promise.resolve())
    expect(rest).toEqual({ status: 200, isWhole: true })
    expect(entries).toBeGreaterThanOrEqual(ENTRIES)
  })

  test.each([
    ['signs out', ({ call }: Awaited<ReturnType<typeof signedIn>>) => call(authApi.logout)],
    [
      'is no longer an administrator',
      ({ user }: Awaited<ReturnType<typeof signedIn>>) => change({ role: 'user' })(user),
    ],
    ['is deactivated', ({ user }: Awaited<ReturnType<typeof signedIn>>) => change({ isActive: false })(user)],
  ])('breaks off when the user %s', async (_, end) => {
    const who = await signedIn()
    const { status, isWhole, entries } = await exported(who.token, () => end(who))
    expect({ status, isWhole }).toEqual({ status: 200, isWhole: false })
    expect(entries).toBeLessThan(ENTRIES)
  })
})

describe('class 16: sessions', () => {
  const openOf = async ({ _id }: Tables['users']) =>
    db
      .selectFrom('sessions')
      .select('_id')
      .where('userId', '=', _id)
      .where('endedAt', 'is', null)
      .orderBy('createdAt')
      .execute()

  test('are limited to 50 per user, even if begun concurrently; the oldest end', async () => {
    const user = await somebody()
    const first = await startSession(user, HERE)
    const tokens = await Promise.all(Array.from({ length: 60 }, () => startSession(user, HERE)))
    expect(await openOf(user)).toHaveLength(50)
    expect(await standsFor(first)).toBe(false)
    const last = await startSession(user, HERE)
    expect(await standsFor(last)).toBe(true)
    const standing = await Promise.all(tokens.map(standsFor))
    expect(standing.filter(Boolean)).toHaveLength(49)
  })

  test('are deleted a month after they end, except for the last one from each address', async () => {
    const user = await somebody()
    const from = (address: string) => startSession(user, { ...HERE, address })
    await from('10.6.0.1')
    await from('10.6.0.1')
    await from('10.6.0.2')
    const past = '2020-01-01T00:00:00.000Z'
    await db.updateTable('sessions').set({ expiresAt: past, endedAt: past }).where('userId', '=', user._id).execute()
    await from('10.6.0.3')
    const rows = await db.selectFrom('sessions').select('address').where('userId', '=', user._id).execute()
    expect(rows.map(({ address }) => address).toSorted()).toEqual(['10.6.0.1', '10.6.0.2', '10.6.0.3'])
  })
})
