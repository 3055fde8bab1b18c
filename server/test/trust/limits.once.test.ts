import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@mokuroku/contract/auth'
import { usersApi } from '@mokuroku/contract/users'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { now } from '#lib/clock.ts'
import { db, transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import { backgroundDone } from '#lib/background.ts'
import { newId } from '#lib/ids.ts'
import { openMail } from '#mail/send.ts'
import { SYSTEM } from '#access/permissions.ts'
import { hashPassword } from '#access/password.ts'
import { resets } from '#store/auth'
import { users } from '#store/users'
import { app, callAs, signedIn, withApp } from '#test/app.ts'
import { aUser } from '#test/factories.ts'
import { PASSWORD } from './calls.ts'

withApp()

let passwordHash: string
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
  openMail({
    from: 'mokuroku@example.org',
    publicUrl: 'http://127.0.0.1:3000',
    outbox: mkdtempSync(join(tmpdir(), 'outbox-')),
  })
})

let count = 0
async function account(more: object = {}): Promise<{ id: string; email: string }> {
  const email = `limited${++count}@example.org`
  const input = { username: `limited${count}`, email, ...more }
  return { id: await transaction((tx) => users.add(tx, input, passwordHash, { actor: SYSTEM })), email }
}

let addresses = 0
let address = ''
beforeEach(() => void (address = `10.1.${Math.floor(++addresses / 250)}.${addresses % 250}`))
const fresh = (): string => `10.2.${Math.floor(++addresses / 250)}.${addresses % 250}`

async function send(
  url: string,
  payload: object,
  { from = address, headers = {} }: { from?: string; headers?: object } = {},
) {
  const answer = await app.inject({ method: 'POST', url, payload, remoteAddress: from, headers: { ...headers } })
  // The date and the request id differ between responses.
  const { date: _, 'x-request-id': __, ...others } = answer.headers
  const { requestId: ___, ...body } = answer.json<{ code?: string; requestId?: string }>()
  return { status: answer.statusCode, body, headers: others }
}
const signIn = (email: unknown, password: unknown, more?: Parameters<typeof send>[2]) =>
  send(authApi.login.path, { email, password }, more)

/** Headers by which a client may pretend to be on another network. */
const otherNetwork = (): Record<string, string> => {
  const claimed = `203.0.113.${++count % 250}`
  return {
    'x-forwarded-for': claimed,
    'x-real-ip': claimed,
    'x-client-ip': claimed,
    'cf-connecting-ip': claimed,
    'true-client-ip': claimed,
    forwarded: `for=${claimed}`,
    'user-agent': claimed,
  }
}

describe('class 8: rate limits whose key the attacker chooses', () => {
  test('limits sign-in attempts from one network, despite forged headers and other spellings', async () => {
    const { email } = await account()
    const spelt = [email, email.toUpperCase(), ` ${email}`, `${email} `, email.replace('limited', 'LIMited')]
    for (let each = 0; each < 10; each++)
      expect((await signIn(spelt[each % spelt.length], 'wrong', { headers: otherNetwork() })).status).toBe(401)
    for (const each of spelt) expect((await signIn(each, PASSWORD, { headers: otherNetwork() })).status).toBe(429)
  })

  test('limits sign-in attempts from many networks per account, except where it has signed in before', async () => {
    const { email } = await account()
    const home = address
    expect((await signIn(email, PASSWORD)).status).toBe(200)
    for (let each = 0; each < 50; each++) expect((await signIn(email, 'wrong', { from: fresh() })).status).toBe(401)
    expect((await signIn(email, PASSWORD, { from: fresh() })).status).toBe(429)
    // On a network known for the account, an attacker has no more attempts than elsewhere.
    expect((await signIn(email, PASSWORD, { from: home })).status).toBe(200)
    for (let each = 0; each < 10; each++) expect((await signIn(email, 'wrong', { from: home })).status).toBe(401)
    expect((await signIn(email, PASSWORD, { from: home })).status).toBe(429)
    const other = await account()
    expect((await signIn(other.email, PASSWORD, { from: home })).status).toBe(200)
  })

  test.each(['a successful sign-in', 'nothing'])(
    'a lockout of one network does not lock out another one, after %s there',
    async (before) => {
      const { email } = await account()
      const owner = fresh()
      if (before !== 'nothing') expect((await signIn(email, PASSWORD, { from: owner })).status).toBe(200)
      for (let each = 0; each < 20; each++) await signIn(email, 'wrong')
      expect((await signIn(email, PASSWORD)).status).toBe(429)
      expect((await signIn(email, PASSWORD, { from: owner })).status).toBe(200)
    },
  )

  test('limits successful sign-ins and confirmations of the password per account, each of which is in the audit log', async () => {
    const { id, email } = await account()
    const { token } = (await signIn(email, PASSWORD)).body as { token?: string }
    const me = callAs(token, address)
    for (let each = 0; each < 299; each += 1)
      if (each % 10) await me(authApi.confirm, { body: { password: PASSWORD } })
      else expect((await signIn(email, PASSWORD, { from: fresh() })).status).toBe(200)
    // Of the audit log, which coalesces repeated refusals.
    const entries = () =>
      db.selectFrom('audit').select('seq').where('actorId', '=', id).where('outcome', '=', 'ok').execute()
    const before = await entries()
    const answers = []
    for (let each = 0; each < 3; each += 1) answers.push(await signIn(email, PASSWORD, { from: fresh() }))
    expect(answers).toMatchObject([429, 429, 429].map((status) => ({ status, body: { code: 'tooMany' } })))
    await expect(me(authApi.confirm, { body: { password: PASSWORD } })).rejects.toMatchObject({ status: 429 })
    await backgroundDone()
    expect(await entries()).toEqual(before)
    const other = await account()
    expect((await signIn(other.email, PASSWORD)).status).toBe(200)
  })

  test('a new password lifts the lockout, set by an administrator or by a reset link', async () => {
    const admin = await signedIn()
    const lock = async (email: string) => {
      for (let each = 0; each < 11; each++) await signIn(email, 'wrong')
      for (let each = 0; each < 45; each++) await signIn(email, 'wrong', { from: fresh() })
      for (const from of [address, fresh()]) expect((await signIn(email, PASSWORD, { from })).status).toBe(429)
    }
    const next = `${PASSWORD} of mine`
    const changed = await account()
    await lock(changed.email)
    await admin.call(usersApi.update, { id: changed.id, body: { password: next } })
    for (const from of [address, fresh()]) expect((await signIn(changed.email, next, { from })).status).toBe(200)
    address = fresh()
    const reset = await account()
    await lock(reset.email)
    const user = await db.selectFrom('users').selectAll().where('_id', '=', reset.id).executeTakeFirstOrThrow()
    await resets.add(user, createHash('sha256').update('a link').digest('hex'), 30)
    expect((await send(authApi.resetPassword.path, { token: 'a link', password: next })).status).toBe(200)
    for (const from of [address, fresh()]) expect((await signIn(reset.email, next, { from })).status).toBe(200)
  })

  test('failed sign-ins by others do not keep a signed-in user from changing the password', async () => {
    const { email } = await account()
    const { token } = (await signIn(email, PASSWORD)).body as { token?: string }
    for (let each = 0; each < 12; each++) await signIn(email, 'wrong')
    expect((await signIn(email, PASSWORD)).status).toBe(429)
    const body = { current: PASSWORD, password: `${PASSWORD} of mine` }
    expect(await callAs(token, address)(authApi.changePassword, { body })).toEqual({ success: true })
  })

  test('reset links requested by others do not keep the owner from requesting one', async () => {
    const { email } = await account()
    const home = fresh()
    expect((await signIn(email, PASSWORD, { from: home })).status).toBe(200)
    const askFrom = async (from: string, of = email) =>
      (await send(authApi.forgotPassword.path, { email: of }, { from })).status
    for (let each = 0; each < 30; each++) expect(await askFrom(address, `nobody${++count}@example.org`)).toBe(200)
    expect(await askFrom(address)).toBe(200)
    for (let each = 0; each < 40; each++) await askFrom(fresh())
    expect(await askFrom(fresh())).toBe(429)
    for (let each = 0; each < 5; each++) expect(await askFrom(home)).toBe(200)
    expect(await askFrom(home)).toBe(429)
  })

  test('rejects credentials that are not texts, and takes the last of duplicate keys', async () => {
    const { email } = await account()
    for (const each of [[email], { $ne: '' }, null, 7, [[email]]]) {
      expect((await signIn(each, PASSWORD)).status).toBe(400)
      expect((await signIn(email, each)).status).toBe(400)
    }
    for (const [query, status] of [
      ['', 401],
      ['?email=other@example.org', 400],
    ] as const) {
      const answer = await app.inject({
        method: 'POST',
        url: authApi.login.path + query,
        headers: { 'content-type': 'application/json' },
        remoteAddress: address,
        payload: `{"email":"${email}","email":"nobody@example.org","password":"${PASSWORD}"}`,
      })
      expect(answer.statusCode).toBe(status)
    }
  })

  test.each([
    [
      'requesting reset links',
      () => send(authApi.forgotPassword.path, { email: `nobody${++count}@example.org` }, { headers: otherNetwork() }),
    ],
    [
      'guessing reset links',
      () =>
        send(authApi.resetPassword.path, { token: `guess${++count}`, password: PASSWORD }, { headers: otherNetwork() }),
    ],
  ])('%s is limited by the real IP address, despite forged headers', async (_, attempt) => {
    for (let each = 0; each < 100; each++) expect((await attempt()).status).toBeLessThan(429)
    expect((await attempt()).status).toBe(429)
    expect((await send(authApi.forgotPassword.path, { email: 'somebody@example.org' }, { from: fresh() })).status).toBe(
      200,
    )
  })

  test('counts an IPv6 network as one address', async () => {
    const attempt = (from: string) =>
      send(authApi.resetPassword.path, { token: `guess${++count}`, password: PASSWORD }, { from })
    for (let each = 0; each < 100; each++)
      expect((await attempt(`2001:db8:1:2:${each.toString(16)}::${each}`)).status).toBe(400)
    expect((await attempt('2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await attempt('2001:db8:1:3::1')).status).toBe(400)
  })
})

/**
 * Checks that several kinds of calls take about the same time: the slowest at most `maxRatio` times the fastest. Each kind
 * counts with its best time, since other load can make calls slower, but never faster than the work behind them. On a
 * busy machine, more rounds are tried.
 */
async function takeAsLong(
  maxRatio: number,
  tries: number,
  kinds: Record<string, () => Promise<unknown>>,
): Promise<void> {
  const best = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, Infinity]))
  const ratio = () => Math.max(...Object.values(best)) / Math.min(...Object.values(best))
  for (let round = 0; round < 5 && !(ratio() < maxRatio); round++)
    for (let each = 0; each < tries; each++)
      for (const [kind, call] of Object.entries(kinds)) {
        const began = performance.now()
        await call()
        best[kind] = Math.min(best[kind] ?? Infinity, performance.now() - began)
        await backgroundDone()
      }
  expect(ratio(), `of ${JSON.stringify(best)}`).toBeLessThan(maxRatio)
}

/** Adds ended sessions of an account, each from another network. */
async function signedInFrom(userId: string, networks: number): Promise<void> {
  const at = now()
  const times = { createdAt: at, lastSeen: at, expiresAt: at, endedAt: at }
  const rows = Array.from({ length: networks }, (_, each) => ({
    ...times,
    _id: newId(),
    userId,
    address: `2001:db8:${each.toString(16)}::1`,
    userAgent: '',
  }))
  await transaction((tx) => insertRows(tx, 'sessions', rows))
}

describe('class 9: account enumeration', () => {
  test('refuses every failed sign-in with the same response', async () => {
    const [known, deactivated, deleted] = [await account(), await account({ isActive: false }), await account()]
    await users.remove(deleted.id, { actor: SYSTEM })
    // Like the users of the sample, as whom nobody can sign in.
    const { email: nobody } = await aUser()
    const answers = []
    for (const [email, password] of [
      ['unknown@example.org', PASSWORD],
      [known.email, 'wrong'],
      [deactivated.email, PASSWORD],
      [deleted.email, PASSWORD],
      [nobody, PASSWORD],
    ])
      answers.push(await signIn(email, password))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.status).toBe(401)
  })

  test('takes equally long for every failed sign-in', async () => {
    const from = () => ({ from: fresh() })
    await signIn('warm@example.org', 'x', from())
    // Several accounts of each kind, so that none is tried so often that it is locked.
    const rounds = Array.from({ length: 5 })
    const known = await Promise.all(rounds.map(() => account()))
    const deactivated = await Promise.all(rounds.map(() => account({ isActive: false })))
    const nobody = await Promise.all(rounds.map(() => aUser()))
    let tries = 0
    const next = (of: { email: string }[]): string => of[Math.floor(tries / 7)]?.email ?? ''
    await takeAsLong(2, 7, {
      unknown: () => signIn(`unknown${++count}@example.org`, PASSWORD, from()),
      wrong: () => signIn(next(known), 'wrong', from()),
      deactivated: () => signIn(next(deactivated), PASSWORD, from()),
      nobody: () => signIn(next(nobody), PASSWORD, from()).finally(() => tries++),
    })
  })

  test('answers every request for a reset link alike, and equally fast', async () => {
    const [known, deactivated] = [await account(), await account({ isActive: false })]
    const ask = (email: string) => send(authApi.forgotPassword.path, { email }, { from: fresh() })
    const answers = [await ask('unknown@example.org'), await ask(known.email), await ask(deactivated.email)]
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const accounts = await Promise.all(Array.from({ length: 15 }, () => account()))
    const emails = accounts.map(({ email }) => email)
    const travelled = await account()
    await signedInFrom(travelled.id, 1000)
    let at = 0
    // Sending an email takes far longer than the response.
    await takeAsLong(4, 15, {
      unknown: () => ask(`unknown${++count}@example.org`),
      known: () => ask(emails[at++ % emails.length] ?? ''),
      travelled: () => ask(travelled.email),
    })
  })

  test('answers expired, used and made-up reset links alike, and equally fast', async () => {
    const { id } = await account()
    const user = await db.selectFrom('users').selectAll().where('_id', '=', id).executeTakeFirstOrThrow()
    const link = async (token: string, minutes: number) => {
      await resets.add(user, createHash('sha256').update(token).digest('hex'), minutes)
      return token
    }
    const use = (token: string) => send(authApi.resetPassword.path, { token, password: PASSWORD }, { from: fresh() })
    const good = await link('good', 30)
    expect((await use(good)).status).toBe(200)
    const over = await link('over', -1)
    const answers = [await use(good), await use(over), await use('made up')]
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.body.code).toBe('link')
    expect(await db.selectFrom('resets').select('tokenHash').where('userId', '=', id).execute()).toHaveLength(1)
    await takeAsLong(4, 15, { over: () => use(over), 'made up': () => use(`made up ${++count}`) })
  })
})
