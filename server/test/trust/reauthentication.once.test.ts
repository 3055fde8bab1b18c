// All ways to change credentials or powers of an account: a token alone must not be enough for any of them.
import { auditApi } from '@mokuroku/contract/audit'
import { authApi } from '@mokuroku/contract/auth'
import { revisionsApi } from '@mokuroku/contract/revisions'
import type { Route } from '@mokuroku/contract/route'
import { settingsApi } from '@mokuroku/contract/settings'
import { usersApi } from '@mokuroku/contract/users'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { momentIn } from '#lib/clock.ts'
import { db } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { hashPassword } from '#access/password.ts'
import { startSession } from '#access/session.ts'
import type { Tables } from '#database/tables.ts'
import { settings } from '#store/settings'
import { users } from '#store/users'
import { callAs, signedIn, withApp } from '#test/app.ts'
import { aUser } from '#test/factories.ts'
import { ask } from './rawClient.ts'
import { type Given, PASSWORD } from './calls.ts'

withApp()

const system = { actor: SYSTEM }
const LATER = 'an even later one'
let passwordHash: string
beforeAll(async () => void (passwordHash = await hashPassword(PASSWORD)))

let admin: { user: Tables['users']; token: string }
let count = 0
beforeEach(async () => {
  const { user } = await signedIn()
  await db.updateTable('users').set({ passwordHash }).where('_id', '=', user._id).execute()
  const token = await startSession({ ...user, passwordHash }, { address: '127.0.0.1', userAgent: 'test' })
  admin = { user, token }
})

/** A new IP address for each, so that none uses up the rate limit of another. */
const address = () => `10.5.0.${++count % 250}`
const confirm = (password = PASSWORD) => callAs(admin.token, address())(authApi.confirm, { body: { password } })

/** Makes the session that many minutes older. */
async function later(minutes: number): Promise<void> {
  const before = momentIn(-minutes * 60_000)
  const { user } = admin
  await db.updateTable('sessions').set({ createdAt: before }).where('userId', '=', user._id).execute()
  const confirmed = db.updateTable('sessions').set({ confirmedAt: before }).where('userId', '=', user._id)
  await confirmed.where('confirmedAt', 'is not', null).execute()
}

const fresh = () => ({ username: `new${++count}`, email: `new${count}@example.org`, password: PASSWORD })
const email = () => `moved${++count}@example.org`

/** The first revision of an account that was changed since. */
async function firstRevision(user: Tables['users'], change: Parameters<typeof users.update>[1]): Promise<string> {
  await users.update(user._id, change, system)
  const query = db.selectFrom('revisions').select('_id').where('entityId', '=', user._id).where('version', '=', 1)
  return (await query.executeTakeFirstOrThrow())._id
}

type Way = () => Promise<[Route, Given]>
const about = (user: Tables['users'], body: object): [Route, Given] => [
  usersApi.update,
  { path: { id: user._id }, body },
]

const WAYS: Record<string, Way> = {
  'creating an administrator': async () => [usersApi.create, { body: { ...fresh(), role: 'admin' } }],
  'creating a moderator': async () => [usersApi.create, { body: { ...fresh(), role: 'moderator' } }],
  promoting: async () => about(await aUser(), { role: 'admin' }),
  demoting: async () => about(await aUser({ role: 'admin' }), { role: 'user' }),
  'activating an administrator': async () => about(await aUser({ role: 'admin', isActive: false }), { isActive: true }),
  'changing the email address of another user': async () => about(await aUser(), { email: email() }),
  'changing the password of another user': async () => about(await aUser(), { password: LATER }),
  'restoring an administrator from the trash': async () => {
    const user = await aUser({ role: 'admin' })
    await users.remove(user._id, system)
    return [usersApi.restore, { path: { id: user._id } }]
  },
  'restoring a revision with another role': async () => {
    const id = await firstRevision(await aUser({ role: 'admin' }), { role: 'user' })
    return [revisionsApi.restore, { path: { id }, body: {} }]
  },
  'restoring only the role of a revision': async () => {
    const id = await firstRevision(await aUser({ role: 'admin' }), { role: 'user' })
    return [revisionsApi.restore, { path: { id }, body: { paths: ['role'] } }]
  },
  'restoring only the email address of a revision': async () => {
    const id = await firstRevision(await aUser(), { email: email() })
    return [revisionsApi.restore, { path: { id }, body: { paths: ['email'] } }]
  },
  'restoring a revision in which the account is active': async () => {
    const id = await firstRevision(await aUser({ role: 'admin' }), { isActive: false })
    return [revisionsApi.restore, { path: { id }, body: {} }]
  },
  'changing how long the audit log is kept': async () => [
    settingsApi.update,
    { body: { retention: { keepAuditDays: 90 + ++count } } },
  ],
  'changing how long versions are kept': async () => [
    settingsApi.update,
    { body: { retention: { keepVersionsDays: 90 + ++count } } },
  ],
  'changing how long activities are kept': async () => [
    settingsApi.update,
    { body: { retention: { keepActivitiesDays: 90 + ++count } } },
  ],
  'changing the URL of the AI provider': async () => [
    settingsApi.update,
    { body: { ai: { baseUrl: `https://${++count}.example.org/v1` } } },
  ],
  'restoring a revision with another URL of the AI provider': async () => {
    await settings.change({ ai: { baseUrl: `https://${++count}.example.org/v1` } }, system)
    const { _id } = await settings.find()
    const revision = await db
      .selectFrom('revisions')
      .select('_id')
      .where('entityId', '=', _id)
      .orderBy('version', 'desc')
      .executeTakeFirstOrThrow()
    await settings.change({ ai: { baseUrl: '' } }, system)
    return [revisionsApi.restore, { path: { id: revision._id }, body: {} }]
  },
  'changing the AI key': async () => [settingsApi.update, { body: { ai: { apiKey: `key ${++count}` } } }],
  'removing the AI key': async () => {
    await settings.change({ ai: { apiKey: 'a key' } }, system)
    return [settingsApi.update, { body: { ai: { apiKey: '' } } }]
  },
  'exporting the audit log': async () => [auditApi.export, { query: { format: 'csv' } }],
}

/** Changes of one's own account, for which a recent sign-in is not enough. */
const OWN_WAYS: Record<string, Way> = {
  'changing your own email address': async () => about(admin.user, { email: email() }),
  'changing your own password': async () => about(admin.user, { password: LATER }),
  'changing your own email address and password together': async () =>
    about(admin.user, { email: email(), password: LATER }),
  'restoring a revision with another email address of your own': async () => {
    const id = await firstRevision(admin.user, { email: email() })
    return [revisionsApi.restore, { path: { id }, body: {} }]
  },
}

const state = async () => ({
  users: await db.selectFrom('users').selectAll().orderBy('_id').execute(),
  settings: await db.selectFrom('settings').selectAll().execute(),
  revisions: (await db.selectFrom('revisions').select('_id').execute()).length,
  exports: (await db.selectFrom('audit').select('seq').where('action', '=', 'audit.exported').execute()).length,
})

/** Makes the call, and expects it to be refused without the password and to change nothing. */
async function refused([route, given]: [Route, Given]): Promise<void> {
  const before = await state()
  expect(await ask(route, given, { token: admin.token })).toEqual({
    status: 403,
    body: { code: 'reauthenticate', message: 'Please enter your password again to do this.' },
  })
  expect(await state()).toEqual(before)
}

const done = async ([route, given]: [Route, Given]) =>
  expect((await ask(route, given, { token: admin.token })).status).toBe(route.status ?? 200)

describe('class 1: sensitive changes require the password again', () => {
  test.each(Object.entries(WAYS))('%s', async (_, way) => {
    const call = await way()
    await later(10)
    await refused(call)
    await confirm()
    await later(9)
    await done(call)
  })

  test.each(Object.entries(OWN_WAYS))('%s, even right after signing in', async (_, way) => {
    const call = await way()
    await refused(call)
    await confirm()
    await later(10)
    await refused(call)
    await confirm()
    await done(call)
  })

  test.each(Object.entries(WAYS))('unless signed in within the last ten minutes: %s', async (_, way) => {
    const call = await way()
    await later(9)
    await done(call)
  })

  test('not for changes that grant no access', async () => {
    await later(10)
    await done([usersApi.create, { body: fresh() }])
    const user = await aUser()
    for (const body of [{ username: `renamed${++count}` }, { scores: 5 }, { isActive: false }, { email: user.email }])
      await done(about(user, body))
    await done(about(admin.user, { username: `renamed${++count}` }))
    await done([settingsApi.update, { body: { general: { siteName: 'Another name' } } }])
  })

  test('the profile cannot change the email address or the password', async () => {
    await confirm()
    for (const body of [{ password: LATER }, { role: 'admin' }])
      expect((await ask(authApi.updateProfile, { body }, { token: admin.token })).status).not.toBe(500)
    await ask(authApi.updateProfile, { body: { email: email() } }, { token: admin.token })
    const row = await db.selectFrom('users').selectAll().where('_id', '=', admin.user._id).executeTakeFirstOrThrow()
    expect([row.email, row.passwordHash]).toEqual([admin.user.email, passwordHash])
  })
})

describe('class 6: confirming the password', () => {
  test('counts for ten minutes, in that session only', async () => {
    const other = await startSession({ ...admin.user, passwordHash }, { address: '127.0.0.1', userAgent: 'another' })
    await later(10)
    await confirm()
    const call = await WAYS['promoting']?.()
    if (!call) throw new Error('no call')
    expect((await ask(call[0], call[1], { token: other })).status).toBe(403)
    await later(10)
    await refused(call)
  })

  test('is required if the sign-in lies far in the future', async () => {
    const call = about(await aUser(), { role: 'admin' })
    await later(-60)
    await refused(call)
  })

  test('is not required if the sign-in lies slightly in the future, due to clock skew', async () => {
    const [route, given] = about(await aUser(), { role: 'admin' })
    await later(-0.5)
    expect((await ask(route, given, { token: admin.token })).status).toBe(200)
  })

  test('refuses and audits a wrong password, and counts it as a failed sign-in', async () => {
    const from = callAs(admin.token, address())
    const guess = () => from(authApi.confirm, { body: { password: 'not this one' } })
    await expect(guess()).rejects.toMatchObject({ status: 400, errors: [{ path: 'password' }] })
    for (let each = 1; each < 10; each++) await expect(guess()).rejects.toMatchObject({ status: 400 })
    await expect(from(authApi.confirm, { body: { password: PASSWORD } })).rejects.toMatchObject({ status: 429 })
    await expect
      .poll(async () => {
        const { data } = await callAs(admin.token)(auditApi.list, { query: { actor: admin.user._id } })
        return data.some(({ action, outcome }) => action === 'account.confirmed' && outcome === 'failed')
      })
      .toBe(true)
  })

  test('is refused in a session that has ended', async () => {
    await callAs(admin.token)(authApi.logout)
    await expect(confirm()).rejects.toMatchObject({ status: 401 })
  })
})
