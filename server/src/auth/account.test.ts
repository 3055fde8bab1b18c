import { authApi } from '@mokuroku/contract/auth'
import { expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { momentIn } from '#lib/clock.ts'
import { SYSTEM } from '#access/permissions.ts'
import { hashPassword } from '#access/password.ts'
import { users } from '#store/users'
import { app, callAs, signedIn, withApp } from '#test/app.ts'
import { aUser } from '#test/factories.ts'

withApp()

const password = 'a good password'

/** A user with two sessions, both signed in with the password. */
async function twice(name: string) {
  const email = `${name}@example.org`
  const passwordHash = await hashPassword(password)
  const id = await transaction((tx) => users.add(tx, { username: name, email }, passwordHash, { actor: SYSTEM }))
  const signIn = async () => callAs((await callAs()(authApi.login, { body: { email, password } })).token)
  return { id, email, here: await signIn(), there: await signIn() }
}

test('a user reads and changes their own profile, but not its read-only fields', async () => {
  const { call, user } = await signedIn({ role: 'user' })
  const profile = await call(authApi.profile)
  expect(profile).toMatchObject({ _id: user._id, username: user.username, email: user.email, tier: 'Newcomer' })
  const changed = await call(authApi.updateProfile, { body: { username: 'Rin', avatar: '' }, base: 1 })
  expect(changed).toMatchObject({ username: 'Rin', avatar: '', version: 2 })
  expect(await call(authApi.updateProfile, { body: changed })).toEqual(changed)
  // Read-only fields do not change.
  expect(await call(authApi.updateProfile, { body: { role: 'admin', scores: 9 } as object })).toEqual(changed)
  const { username } = await aUser()
  await expect(call(authApi.updateProfile, { body: { username } })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'username' }],
  })
})

test('refuses a username of 200,000 combining marks without sorting them', async () => {
  const { call } = await signedIn({ role: 'user' })
  const body = { username: `e${'\u0301\u0327'.repeat(100_000)}` }
  await expect(call(authApi.updateProfile, { body })).rejects.toMatchObject({ status: 400 })
})

test('stores display preferences per account, merges changes, and rejects invalid ones', async () => {
  const { call, actor } = await signedIn({ role: 'user' })
  const other = await signedIn({ role: 'user' })
  expect((await call(authApi.verify)).user.preferences).toEqual({ columns: {} })
  await call(authApi.updatePreferences, { body: { columns: { Media: ['title', 'rating'] } } })
  const kept = { columns: { Media: ['title', 'rating'], Tag: ['name'] } }
  expect(await call(authApi.updatePreferences, { body: { columns: { Tag: ['name'] } } })).toEqual(kept)
  expect((await call(authApi.verify)).user.preferences).toEqual(kept)
  expect((await other.call(authApi.verify)).user.preferences).toEqual({ columns: {} })
  expect(await call(authApi.updatePreferences, { body: { editor: 'form' } })).toEqual({
    ...kept,
    editor: 'form',
  })
  for (const body of [kept, {}])
    expect(await call(authApi.updatePreferences, { body })).toEqual({ ...kept, editor: 'form' })
  expect((await call(authApi.verify)).user.preferences).toEqual({ ...kept, editor: 'form' })
  const wrong = [
    { columns: {}, editor: 'text' },
    { columns: { Nothing: [] } },
    { columns: { Media: 'title' } },
    { columns: {}, more: 1 },
  ]
  for (const body of wrong)
    await expect(call(authApi.updatePreferences, { body: body as never })).rejects.toMatchObject({ status: 400 })
  expect(await db.selectFrom('preferences').select('userId').execute()).toEqual([{ userId: actor._id }])
})

test('changing the password requires the current one, and ends the other sessions', async () => {
  const { id, email, here, there } = await twice('sensei')
  const change = (current: string) =>
    here(authApi.changePassword, { body: { current, password: 'an even better one' } })
  await expect(change('wrong')).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'current', message: 'The current password is incorrect.' }],
  })
  await expect(here(authApi.changePassword, { body: { current: password, password: 'short' } })).rejects.toMatchObject({
    errors: [{ path: 'password' }],
  })
  expect(await change(password)).toEqual({ success: true })
  expect((await here(authApi.verify)).success).toBe(true)
  await expect(there(authApi.verify)).rejects.toMatchObject({ status: 401 })
  await expect(callAs()(authApi.login, { body: { email, password } })).rejects.toMatchObject({ status: 401 })
  const revisions = await db.selectFrom('revisions').select(['paths', 'snapshot']).where('entityId', '=', id).execute()
  expect(revisions).toHaveLength(2)
  expect(JSON.stringify(revisions)).not.toContain('argon2')
})

test('limits attempts to guess the current password', async () => {
  const { here } = await twice('target')
  const change = (current: string) => here(authApi.changePassword, { body: { current, password: 'another good one' } })
  for (let each = 0; each < 10; each++) await expect(change('wrong')).rejects.toMatchObject({ status: 400 })
  await expect(change(password)).rejects.toMatchObject({ status: 429 })
})

test('a user lists their own sessions, and ends one or all others', async () => {
  const [{ here, there }, stranger] = [await twice('kokoro'), await signedIn()]
  const { data } = await here(authApi.sessions)
  expect(data.filter(({ current }) => current)).toHaveLength(1)
  expect(data).toHaveLength(2)
  expect(data[0]).toMatchObject({ address: '127.0.0.1', lastSeen: expect.stringMatching(/^20/) })
  const other = data.find(({ current }) => !current)?._id ?? ''
  await expect(stranger.call(authApi.endSession, { id: other })).rejects.toMatchObject({ status: 404 })
  expect(await here(authApi.endSession, { id: other })).toEqual({ success: true })
  await expect(there(authApi.verify)).rejects.toMatchObject({ status: 401 })
  expect((await here(authApi.sessions)).data).toHaveLength(1)
  expect(await here(authApi.endSessions)).toEqual({ success: true })
  expect((await here(authApi.verify)).success).toBe(true)
})

test('the description of a browser is kept up to 300 characters', async () => {
  const { email, here } = await twice('wordy')
  const agent = `${'x'.repeat(299)}yz`
  const headers = { 'user-agent': agent }
  await app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: { email, password } })
  const { data } = await here(authApi.sessions)
  expect(data.map(({ userAgent }) => userAgent)).toContain(agent.slice(0, 300))
})

test('updates when a session was last seen, at most once a minute', async () => {
  const [{ call }, other] = [await signedIn(), await signedIn()]
  const past = '2020-01-01T00:00:00.000Z'
  await db.updateTable('sessions').set({ lastSeen: past }).execute()
  await call(authApi.verify)
  const unused = db.selectFrom('sessions').select('lastSeen').where('userId', '=', other.user._id)
  expect(await unused.execute()).toEqual([{ lastSeen: past }])
  const [first] = (await call(authApi.sessions)).data
  expect(first?.lastSeen).not.toBe(past)
  expect((await call(authApi.sessions)).data[0]?.lastSeen).toBe(first?.lastSeen)
})

test('a read does not wait for a long transaction to record that its session is in use', async () => {
  const { call } = await signedIn()
  await db
    .updateTable('sessions')
    .set({ lastSeen: momentIn(-120_000) })
    .execute()
  let isAnswered = false
  await transaction(async (tx) => {
    await tx.updateTable('counters').set({ value: 0 }).where('name', '=', 'none').execute()
    await call(authApi.sessions)
    isAnswered = true
  })
  expect(isAnswered).toBe(true)
})
