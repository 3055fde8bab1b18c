import { authApi } from '@mokuroku/contract/auth'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { searchApi } from '@mokuroku/contract/search'
import { USER_SORTS, type UserInput, usersApi } from '@mokuroku/contract/users'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { time } from '#lib/clock.ts'
import { advisoryLock, db, transaction } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { incrementCounter } from '#ledger/counters.ts'
import { search as index } from '#store/search'
import { users } from '#store/users'
import { usesOfUser } from '#store/uses'
import { callAs, signedIn, withApp } from '#test/app.ts'
import { aUser, mediaInput } from '#test/factories.ts'
import { expectIndexed } from '#test/plans.ts'
import { untilWaiting } from '#test/waiting.ts'

withApp()

let number = 0
const body = (more: object = {}) => {
  const username = `reader${++number}`
  return { username, email: `${username}@example.org`, password: 'a good password', ...more }
}
const plain = () => signedIn({ role: 'user' })

test('an account is created, read, changed, deleted and restored', async () => {
  const { call } = await signedIn()
  const input = body({ email: 'Mixed@Example.org' })
  const made = await call(usersApi.create, { body: input })
  expect(made).toMatchObject({
    username: input.username,
    email: 'mixed@example.org',
    role: 'user',
    isActive: true,
    scores: 0,
    tier: 'Newcomer',
    lastLogin: null,
    version: 1,
  })
  const id = made._id
  const changed = await call(usersApi.update, { id, body: { scores: 12, isActive: true }, base: 1 })
  expect(changed).toMatchObject({ scores: 12, username: input.username, version: 2 })
  expect(await call(usersApi.update, { id, body: changed })).toEqual(changed)
  expect(await call(usersApi.remove, { id })).toEqual({ success: true })
  await expect(call(usersApi.find, { id })).rejects.toMatchObject({ status: 404, message: 'User not found' })
  await expect(callAs()(authApi.login, { body: input })).rejects.toMatchObject({ status: 401 })
  expect(await call(usersApi.restore, { id })).toMatchObject({ email: 'mixed@example.org' })
  await expect(callAs()(authApi.login, { body: input })).resolves.toHaveProperty('token')
})

test('requires a valid name, email address and password for a new account', async () => {
  const { call } = await signedIn()
  await expect(call(usersApi.create, { body: {} as never })).rejects.toMatchObject({
    status: 400,
    errors: ['username', 'email', 'password'].map((path) => expect.objectContaining({ path })),
  })
  const wrong = { username: 'ab', email: 'no', password: 'short', role: 'owner' as never }
  await expect(call(usersApi.create, { body: wrong })).rejects.toMatchObject({
    errors: expect.arrayContaining(['username', 'email', 'password'].map((path) => expect.objectContaining({ path }))),
  })
})

test('rejects a taken name or address, in any case and with concurrent requests', async () => {
  const { call } = await signedIn()
  const { username, email } = await aUser()
  await expect(call(usersApi.create, { body: body({ email: email.toUpperCase() }) })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'email' }],
  })
  await expect(call(usersApi.create, { body: body({ username: username.toUpperCase() }) })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'username' }],
  })
  const same = body()
  const results = await Promise.allSettled([1, 2, 3].map(() => call(usersApi.create, { body: same })))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, code: 'duplicate' })
})

test('users see no address or last sign-in of others; moderators do, but cannot change anything', async () => {
  const [reader, moderator, { _id: id }] = [await plain(), await signedIn({ role: 'moderator' }), await aUser()]
  const shown = await reader.call(usersApi.find, { id })
  expect(shown).not.toHaveProperty('email')
  expect(shown).not.toHaveProperty('lastLogin')
  const { data } = await reader.call(usersApi.list, { query: { limit: 100 } })
  expect(data.filter(({ email }) => email !== undefined).map(({ _id }) => _id)).toEqual([reader.user._id])
  expect(await moderator.call(usersApi.find, { id })).toHaveProperty('email')
  for (const { call } of [reader, moderator]) {
    await expect(call(usersApi.create, { body: body() })).rejects.toMatchObject({ status: 403 })
    await expect(call(usersApi.update, { id, body: { scores: 9 } })).rejects.toMatchObject({ status: 403 })
    await expect(call(usersApi.update, { id, body: { password: 'another one' } })).rejects.toMatchObject({
      status: 403,
    })
    await expect(call(usersApi.remove, { id })).rejects.toMatchObject({ status: 403 })
  }
})

test('the list is filtered, sorted and counted', async () => {
  const { call } = await signedIn()
  const [low, high] = [await aUser({ scores: 77_001 }), await aUser({ scores: 77_002, isActive: false })]
  await aUser({ role: 'moderator' })
  const { success, data, total, pages } = await call(usersApi.list, { query: { role: 'moderator', limit: 1 } })
  expect({ success, role: data[0]?.role, pages }).toEqual({ success: true, role: 'moderator', pages: total })
  const counted = await db.selectFrom('users').select('_id').where('deletedAt', 'is', null).execute()
  expect((await call(usersApi.list)).total).toBe(counted.length)
  const best = await call(usersApi.list, { query: { sort: '-scores', limit: 2 } })
  expect(best.data.map(({ _id }) => _id)).toEqual([high._id, low._id])
  const inactive = await call(usersApi.list, { query: { isActive: 'false', role: 'user' } })
  expect(inactive).toMatchObject({ total: 1, data: [{ _id: high._id }] })
  await users.update(high._id, { isActive: true }, { actor: SYSTEM })
  expect(await call(usersApi.list, { query: { isActive: 'false', role: 'user' } })).toMatchObject({
    total: 0,
    data: [],
  })
})

test('a search that more accounts match than are ranked finds those that the filters leave', async () => {
  const best = Array.from({ length: 1200 }, (_, at) => ({
    id: `best ${at}`,
    labels: [{ language: '', text: `Wren ${at}` }],
  }))
  await transaction((tx) => index.add(tx, 'User', best))
  const { _id } = await aUser({ username: 'Wren of the last house', role: 'moderator' })
  for (const { call } of [await signedIn(), await plain()])
    for (const sort of ['relevance', 'createdAt'] as const) {
      const found = await call(usersApi.list, { query: { search: 'wren', role: 'moderator', sort } })
      expect(found).toMatchObject({ total: 1, data: [{ _id }] })
    }
})

test('everyone can search by name, but by address only users who may see it', async () => {
  const [admin, reader] = [await signedIn(), await plain()]
  const { _id } = await aUser({ username: 'Natsume', email: 'soseki@letters.example' })
  const search = async ({ call }: typeof admin, text: string) =>
    (await call(usersApi.list, { query: { search: text } })).data.map((user) => user._id)
  expect(await search(admin, 'natsu')).toEqual([_id])
  expect(await search(reader, 'natsu')).toEqual([_id])
  expect(await search(admin, 'letters.exam')).toEqual([_id])
  expect(await search(reader, 'letters.exam')).toEqual([])
  const hits = async ({ call }: typeof admin) =>
    (await call(searchApi.search, { query: { indexName: 'users', q: 'soseki@' } })).hits
  expect(await hits(admin)).toMatchObject([{ _id, originalTitle: 'Natsume' }])
  expect(await hits(reader)).toEqual([])
})

test('a change of role, state or password ends the sessions at once', async () => {
  const { call } = await signedIn()
  const changes = [{ role: 'moderator' as const }, { isActive: false }, { password: 'another good one' }]
  for (const change of changes) {
    const other = await plain()
    await call(usersApi.update, { id: other.user._id, body: change })
    await expect(other.call(authApi.verify)).rejects.toMatchObject({ status: 401 })
    if ('isActive' in change) {
      await call(usersApi.update, { id: other.user._id, body: { isActive: true } })
      await expect(other.call(authApi.verify)).rejects.toMatchObject({ status: 401 })
    }
  }
  const other = await plain()
  await call(usersApi.update, { id: other.user._id, body: { scores: 4, username: `again${time()}` } })
  expect((await other.call(authApi.verify)).user.scores).toBe(4)
  await call(usersApi.remove, { id: other.user._id })
  await expect(other.call(authApi.verify)).rejects.toMatchObject({ status: 401 })
})

test('no revision contains a password, but one records that it changed', async () => {
  const { call } = await signedIn()
  const { _id: id } = await call(usersApi.create, { body: body() })
  await call(usersApi.update, { id, body: { password: 'kokoro kokoro', scores: 3 } })
  const revisions = await db.selectFrom('revisions').selectAll().where('entityId', '=', id).orderBy('version').execute()
  expect(revisions.map(({ paths }) => paths)).toEqual([expect.any(Array), ['scores', 'passwordHash']])
  expect(JSON.stringify(revisions)).not.toMatch(/argon2|kokoro/)
})

test('users cannot change their own role or scores, or deactivate or delete themselves', async () => {
  await signedIn()
  const { call, user } = await signedIn()
  const id = user._id
  for (const change of [{ role: 'user' as const }, { scores: 5 }])
    await expect(call(usersApi.update, { id, body: change })).rejects.toMatchObject({
      status: 403,
      body: { reason: expect.stringContaining('You cannot change your own') },
    })
  await expect(call(usersApi.update, { id, body: { isActive: false } })).rejects.toMatchObject({ status: 409 })
  await expect(call(usersApi.remove, { id })).rejects.toMatchObject({ status: 409, code: 'self' })
  const { role } = await call(usersApi.update, { id, body: { role: 'admin', username: `again-${id}` } })
  expect(role).toBe('admin')
})

test('every list is read from an index, unless few accounts have the role', async () => {
  const { actor } = await signedIn()
  const filters = { role: 'user', isActive: true } as const
  const countMore = (step: number) => transaction(async (tx) => incrementCounter(tx, 'userCount.user.active', step))
  const many = 3000
  await countMore(many)
  for (const sort of USER_SORTS.flatMap((name) => [name, `-${name}`] as const))
    for (const chosen of [{}, filters])
      await expectIndexed(() => users.list({ page: 1, limit: 10, sort, ...chosen }, actor), {
        sorted: { tiers: 'there are few' },
      })
  await countMore(-many)
})

test('the last active administrator can be neither demoted, deactivated nor deleted', async () => {
  const { call, user } = await signedIn()
  const id = user._id
  await users.remove((await aUser({ role: 'admin' }))._id, { actor: SYSTEM })
  await onlyAdmins([id])
  const refused = { status: 409, code: 'lastAdmin' }
  await expect(call(usersApi.update, { id, body: { role: 'user' } })).rejects.toMatchObject(refused)
  await expect(call(usersApi.update, { id, body: { isActive: false } })).rejects.toMatchObject(refused)
  await expect(call(usersApi.remove, { id })).rejects.toMatchObject(refused)
  await expect(users.remove(id, { actor: SYSTEM })).rejects.toMatchObject(refused)
})

test('class 23: one remains of two administrators who remove each other concurrently', async () => {
  for (const way of ['demote', 'deactivate', 'delete']) {
    const [first, second] = [await signedIn(), await signedIn()]
    await onlyAdmins([first.user._id, second.user._id])
    const take = async ({ call }: typeof first, id: string) => {
      if (way === 'delete') await call(usersApi.remove, { id })
      else await call(usersApi.update, { id, body: way === 'demote' ? { role: 'moderator' } : { isActive: false } })
    }
    const results = await Promise.allSettled([take(first, second.user._id), take(second, first.user._id)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await activeAdmins()).toHaveLength(1)
  }
})

test.each<[string, Omit<z.input<typeof UserInput>, 'avatar'> | undefined]>([
  ['demote', { role: 'moderator' }],
  ['deactivate', { isActive: false }],
  ['change the password of', { password: 'another good one' }],
  ['delete', undefined],
])('class 23: of two administrators who %s each other concurrently, the second is refused', async (_, change) => {
  const [first, second] = [await signedIn(), await signedIn()]
  const take = ({ call }: typeof first, { user }: typeof first) =>
    change ? call(usersApi.update, { id: user._id, body: change }) : call(usersApi.remove, { id: user._id })
  let taking: Promise<unknown>[] = []
  // Both have read their own permissions when they wait for this lock.
  await transaction(async (tx) => {
    await advisoryLock(tx, 'users')
    taking = [take(first, second), take(second, first)]
    await untilWaiting(2)
  })
  const results = await Promise.allSettled(taking)
  expect(results).toContainEqual(expect.objectContaining({ status: 'fulfilled' }))
  expect(results).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ status: 401 }) as Error })
})

const activeAdmins = () =>
  db
    .selectFrom('users')
    .select('_id')
    .where('role', '=', 'admin')
    .where('isActive', '=', true)
    .where('deletedAt', 'is', null)
    .execute()

/** Deactivates all other active administrators. */
async function onlyAdmins(ids: string[]): Promise<void> {
  for (const { _id } of await activeAdmins())
    if (!ids.includes(_id)) await users.update(_id, { isActive: false }, { actor: SYSTEM })
}

test('counts the remaining entities and ratings of an account, for moderators only', async () => {
  const { call } = await signedIn({ role: 'moderator' })
  const writer = await signedIn({ role: 'moderator' })
  const { _id: id } = writer.user
  expect(await call(usersApi.uses, { id })).toEqual({ total: 0, by: [], first: [] })
  const [kept, gone] = [
    await writer.call(mediaApi.create, { body: mediaInput() }),
    await writer.call(mediaApi.create, { body: mediaInput() }),
  ]
  await writer.call(mediaApi.update, { id: kept._id, body: mediaInput({ episodes: 3 }) })
  await writer.call(mediaApi.remove, { id: gone._id })
  await writer.call(ratingsApi.create, { body: { mediaId: kept._id, score: 4, comment: '' } })
  expect(await call(usersApi.uses, { id })).toEqual({
    total: 2,
    by: [
      { entityType: 'Media', fields: ['updatedBy'], count: 1, isAtLeast: false },
      { entityType: 'Rating', fields: ['userId'], count: 1, isAtLeast: false },
    ],
    first: [],
  })
  const counted = 'no more than the latest 10,000 revisions, or ratings, of one account'
  await expectIndexed(() => usesOfUser(id), { sorted: counted })
  await expect((await signedIn({ role: 'user' })).call(usersApi.uses, { id })).rejects.toMatchObject({ status: 403 })
})

test('users can be sorted only by what ordinary users see of them, since the order would reveal it', async () => {
  const { call } = await signedIn({ role: 'user' })
  const [first = {}] = (await call(usersApi.list)).data
  expect(Object.keys(first)).toEqual(expect.arrayContaining([...USER_SORTS]))
})
