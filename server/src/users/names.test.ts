// Names, passwords and avatars of accounts, wherever they can be written.
import { authApi } from '@mokuroku/contract/auth'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { trashApi } from '@mokuroku/contract/trash'
import { usersApi } from '@mokuroku/contract/users'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { newId } from '#lib/ids.ts'
import { SYSTEM } from '#access/permissions.ts'
import { hashPassword } from '#access/password.ts'
import { startSession } from '#access/session.ts'
import { DAY_MS, momentIn, now } from '#lib/clock.ts'
import { assets } from '#store/assets'
import { search } from '#store/search'
import { users } from '#store/users'
import { callAs, signedIn, withApp } from '#test/app.ts'
import { aResetToken, aUser } from '#test/factories.ts'

withApp()

const PASSWORD = 'a good password'
let admin: Awaited<ReturnType<typeof signedIn>>
beforeAll(async () => void (admin = await signedIn()))

let count = 0
const create = (username: string, password = PASSWORD) =>
  admin.call(usersApi.create, { body: { username, email: `one${++count}@example.org`, password } })
const rename = (id: string, username: string) => admin.call(usersApi.update, { id, body: { username } })
const taken = { status: 409, code: 'duplicate', errors: [{ path: 'username' }] }

describe('class 9: the name of an account', () => {
  test('must not look like another one, wherever it is set', async () => {
    const { _id: id } = await create('Shirou')
    const lookalikes = ['SHIROU', 'Ｓhirou', 'Ѕhirou', 'shir\u043eu']
    for (const name of lookalikes) {
      await expect(create(name)).rejects.toMatchObject(taken)
      await expect(rename((await aUser())._id, name)).rejects.toMatchObject(taken)
      const { call } = await signedIn({ role: 'user' })
      await expect(call(authApi.updateProfile, { body: { username: name } })).rejects.toMatchObject(taken)
    }
    expect(await rename(id, 'SHIROU')).toMatchObject({ username: 'SHIROU' })
  })

  test('must not look like that of the system, which the history names as an author', async () => {
    for (const name of ['system', 'Sуstem']) await expect(create(name)).rejects.toMatchObject(taken)
    const { call } = await signedIn({ role: 'user' })
    await expect(call(authApi.updateProfile, { body: { username: 'System' } })).rejects.toMatchObject(taken)
  })

  test('goes to only one of several concurrent requests', async () => {
    const names = ['Nagisa', 'nagisa', 'Nаgisa', 'Nagiѕa', 'ＮAGISA', 'nаgiѕа']
    const made = await Promise.allSettled(names.map((name) => create(name)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refusals = made.flatMap((each) => (each.status === 'rejected' ? [each.reason as object] : []))
    for (const refusal of refusals) expect(refusal).toMatchObject(taken)
  })

  test('stays reserved for an account that is renamed, for its last five names', async () => {
    const { _id: id } = await create('Kotomi')
    await rename(id, 'Kotomi Ichinose')
    await expect(create('Kotomi')).rejects.toMatchObject(taken)
    expect(await rename(id, 'Kotomi')).toMatchObject({ username: 'Kotomi' })
    for (let each = 1; each <= 6; each++) await rename(id, `Kotomi ${'i'.repeat(each)}`)
    expect(await create('Kotomi')).toMatchObject({ username: 'Kotomi' })
  })

  test('is free once the account is in the trash, which cannot be restored if it is taken', async () => {
    const { _id: id } = await create('Tomoyo')
    await admin.call(usersApi.remove, { id })
    await create('tomoyo')
    await expect(admin.call(usersApi.restore, { id })).rejects.toMatchObject(taken)
    await admin.call(trashApi.purge, { kind: 'User', id })
    const names = await db.selectFrom('usernames').selectAll().where('userId', '=', id).execute()
    expect(names).toEqual([])
  })

  test('must be printable, even if set by a restored revision or by the server', async () => {
    const user = await aUser()
    await db.updateTable('users').set({ username: 'two\nlines' }).where('_id', '=', user._id).execute()
    await db
      .updateTable('revisions')
      .set({ snapshot: { ...user, username: 'two\nlines' } })
      .where('entityId', '=', user._id)
      .execute()
    // A name from before the rule stays valid until it is changed.
    expect(await admin.call(usersApi.update, { id: user._id, body: { scores: 3 } })).toMatchObject({ scores: 3 })
    await admin.call(usersApi.remove, { id: user._id })
    expect(await admin.call(usersApi.restore, { id: user._id })).toMatchObject({ username: 'two\nlines' })
    await rename(user._id, 'oneline')
    const { data } = await admin.call(revisionsApi.list, { query: { entityType: 'User', entityId: user._id } })
    const first = data.find(({ version }) => version === 1)?._id ?? ''
    await expect(admin.call(revisionsApi.restore, { id: first, body: { paths: ['username'] } })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'username' }],
    })
    await expect(aUser({ username: 'ad\u200bmin' })).rejects.toMatchObject({ status: 400 })
  })

  test('is registered at start if it was not yet, the older account first', async () => {
    const [one, other] = [await aUser(), await aUser()]
    const ids = [one._id, other._id]
    await db.updateTable('users').set({ username: 'Ushio' }).where('_id', '=', one._id).execute()
    await db.updateTable('users').set({ username: 'Uѕhio' }).where('_id', '=', other._id).execute()
    await db.deleteFrom('usernames').where('userId', 'in', ids).execute()
    expect(await users.open()).toEqual(['Uѕhio'])
    const names = await db.selectFrom('usernames').select('userId').where('userId', 'in', ids).execute()
    expect(names).toEqual([{ userId: one._id }])
    // It is reported until it is renamed.
    expect(await users.open()).toEqual(['Uѕhio'])
    // The other account still works, and can be given another name.
    expect(await rename(other._id, 'Sanae')).toMatchObject({ username: 'Sanae' })
    expect(await users.open()).toEqual([])
  })

  test('is registered at a later start only if the account has changed since a day before the one before', async () => {
    expect(await users.open()).toEqual([])
    const [old, recent] = [await aUser(), await aUser()]
    const ids = [old._id, recent._id]
    for (const [id, ago] of [
      [old._id, 1.1],
      [recent._id, 0.9],
    ] as const)
      await db
        .updateTable('users')
        .set({ updatedAt: momentIn(-ago * DAY_MS) })
        .where('_id', '=', id)
        .execute()
    await db.deleteFrom('usernames').where('userId', 'in', ids).execute()
    await users.open()
    const names = await db.selectFrom('usernames').select('userId').where('userId', 'in', ids).execute()
    expect(names).toEqual([{ userId: recent._id }])
  })
})

describe('an account whose name is spelled like its email is found by its name', () => {
  const email = () => `kotomi${++count}@example.org`
  const isFound = async (name: string) => {
    const { call } = await signedIn({ role: 'user' })
    return (await call(usersApi.list, { query: { search: name } })).data.map(({ username }) => username)
  }

  test('after it is created, renamed, or given another email', async () => {
    const [one, other, third] = [email(), email(), email()]
    await admin.call(usersApi.create, { body: { username: one, email: one, password: PASSWORD } })
    expect(await isFound(one)).toEqual([one])
    const { _id: renamed } = await admin.call(usersApi.create, {
      body: { username: 'Fuko Ibuki', email: other, password: PASSWORD },
    })
    await rename(renamed, other)
    expect(await isFound(other)).toEqual([other])
    const { _id: moved } = await create(third)
    await admin.call(usersApi.update, { id: moved, body: { email: third } })
    expect(await isFound(third)).toEqual([third])
  })

  /** Creates an account as an older server does, which leaves its name out of the index. */
  const leftOut = async (name: string, updatedAt = now()) => {
    const { _id } = await admin.call(usersApi.create, { body: { username: name, email: name, password: PASSWORD } })
    await db.updateTable('users').set({ updatedAt }).where('_id', '=', _id).execute()
    const names = db.selectFrom('labels').selectAll().where('entityId', '=', _id).where('language', '=', '')
    const ids = (await names.execute()).map((label) => label.id)
    await transaction((tx) => Promise.resolve(search.drop(tx, ids)))
    return names
  }

  test('after a start, if an older server has left its name out of the index', async () => {
    const name = email()
    const names = await leftOut(name)
    expect(await isFound(name)).not.toContain(name)
    await users.open()
    expect(await isFound(name)).toEqual([name])
    const before = await names.execute()
    await users.open()
    expect(await names.execute()).toEqual(before)
  })

  test('after the second start only if it has changed since a day before the first', async () => {
    const [old, recent] = [email(), email()]
    await users.open()
    await leftOut(old, momentIn(-1.1 * DAY_MS))
    await leftOut(recent, momentIn(-0.9 * DAY_MS))
    await users.open()
    expect(await isFound(old)).not.toContain(old)
    expect(await isFound(recent)).toContain(recent)
  })
})

describe('class 6: rejects a password that is easy to guess', () => {
  const WEAK = [
    ['password', 'passwordCommon'],
    ['PassWord1', 'passwordCommon'],
    ['iloveyou1', 'passwordCommon'],
    ['my name is Fuuko', 'passwordPersonal'],
    ['STARFISH2026', 'passwordPersonal'],
  ] as const
  const refusedAs = (code: string) => ({ status: 400, errors: [{ path: 'password', code }] })
  let id: string
  let token: string
  beforeEach(async () => {
    const passwordHash = await hashPassword(PASSWORD)
    const input = { username: 'fuuko', email: `starfish@example${++count}.org` }
    await db.deleteFrom('usernames').execute()
    await db
      .updateTable('users')
      .set({ deletedAt: '2026-01-01T00:00:00.000Z' })
      .where('username', '=', 'fuuko')
      .execute()
    id = await transaction((tx) => users.add(tx, input, passwordHash, { actor: SYSTEM }))
    const user = await db.selectFrom('users').selectAll().where('_id', '=', id).executeTakeFirstOrThrow()
    token = await startSession(user, { address: '127.0.0.1', userAgent: 'test' })
  })

  test.each(WEAK)('%s', async (password, code) => {
    const own = callAs(token)(authApi.changePassword, { body: { current: PASSWORD, password } })
    await expect(own).rejects.toMatchObject(refusedAs(code))
    await expect(admin.call(usersApi.update, { id, body: { password } })).rejects.toMatchObject(refusedAs(code))
    const user = await db.selectFrom('users').selectAll().where('_id', '=', id).executeTakeFirstOrThrow()
    const link = await aResetToken(user)
    const byLink = callAs()(authApi.resetPassword, { body: { token: link, password } })
    await expect(byLink).rejects.toMatchObject(refusedAs(code))
    const body = { username: 'Fuuko Ibuki', email: `starfish@elsewhere${++count}.org`, password }
    if (code === 'passwordCommon') {
      await expect(admin.call(usersApi.create, { body })).rejects.toMatchObject(refusedAs(code))
      return
    }
    const named = { ...body, username: 'fuuko' }
    await expect(admin.call(usersApi.create, { body: named })).rejects.toMatchObject(refusedAs(code))
    // The link still works with a better password.
    await callAs()(authApi.resetPassword, { body: { token: link, password: 'a better one than that' } })
  })

  test('but not a strong one, or one that contains a short name', async () => {
    for (const password of ['correct horse battery', 'mokuroku-demo', 'hunter22hunter22'])
      expect(await admin.call(usersApi.update, { id, body: { password } })).toMatchObject({ username: 'fuuko' })
    expect(await create('Ame', 'games of the rain')).toMatchObject({ username: 'Ame' })
  })
})

describe('class 13: the avatar of an account', () => {
  async function picture(more: { isPublic?: boolean; type?: 'IMAGE' | 'AUDIO' } = {}): Promise<string> {
    const id = newId()
    const file = { filename: 'a.png', mimeType: 'image/png', size: 1, contentHash: id, storageKey: `${id}.png` }
    const input = { type: 'IMAGE' as const, isPublic: true, ...file, ...more }
    await transaction((tx) => assets.createIn(tx, id, input, { actor: SYSTEM }, { status: 'READY' }))
    return `/files/${id}.png`
  }

  test('must be a public image of this server or empty, wherever it is set', async () => {
    const { call, user } = await signedIn({ role: 'user' })
    const good = await picture()
    const write = (avatar: string) => [
      () => call(authApi.updateProfile, { body: { avatar } }),
      () => admin.call(usersApi.update, { id: user._id, body: { avatar } }),
    ]
    for (const avatar of [good, `${good}?size=small`, ''])
      for (const written of write(avatar)) expect(await written()).toMatchObject({ avatar })
    const bad = [
      'https://evil.example.org/a.png',
      '//evil.example.org/a.png',
      'javascript:alert(1)',
      'data:text/html,x',
      '/files/none.png',
      '/api/auth/logout',
      `${good}?size=small&x=1`,
      `/files/../files/x.png`,
      await picture({ isPublic: false }),
      await picture({ type: 'AUDIO' }),
    ]
    for (const avatar of bad)
      for (const written of write(avatar))
        await expect(written()).rejects.toMatchObject({ status: 400, errors: [{ path: 'avatar' }] })
    await db
      .updateTable('revisions')
      .set({ snapshot: { ...user, avatar: bad[0] ?? '' } })
      .where('entityId', '=', user._id)
      .where('version', '=', 1)
      .execute()
    const { data } = await admin.call(revisionsApi.list, { query: { entityType: 'User', entityId: user._id } })
    const first = data.find(({ version }) => version === 1)?._id ?? ''
    await expect(admin.call(revisionsApi.restore, { id: first, body: { paths: ['avatar'] } })).rejects.toMatchObject({
      status: 400,
    })
  })
})
