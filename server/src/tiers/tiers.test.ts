import { authApi } from '@mokuroku/contract/auth'
import { newTier, tiersApi } from '@mokuroku/contract/tiers'
import { usersApi } from '@mokuroku/contract/users'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import { newId } from '#lib/ids.ts'
import { tiers } from '#store/tiers'
import { users } from '#store/users'
import { signedIn, startEmpty, withApp } from '#test/app.ts'
import { aUser } from '#test/factories.ts'

withApp()

const body = (requiredScore: number, flags: object = {}) => ({
  ...newTier(),
  name: `From ${requiredScore}`,
  requiredScore,
  permissions: { ...newTier().permissions, ...flags },
})
const defaultTier = async () => {
  const [first] = await tiers.list()
  if (!first) throw new Error('There is no default tier')
  return first
}

test('a tier is created, read, changed, deleted and restored', async () => {
  await startEmpty()
  const { call } = await signedIn()
  const made = await call(tiersApi.create, { body: body(100, { customPermissions: { canPin: true } }) })
  expect(made).toMatchObject({ name: 'From 100', description: '', requiredScore: 100, userCount: 0, version: 1 })
  const id = made._id
  const changed = await call(tiersApi.update, { id, body: { ...made, name: 'Editors' }, base: 1 })
  expect(changed).toMatchObject({ name: 'Editors', permissions: { customPermissions: { canPin: true } }, version: 2 })
  await call(tiersApi.remove, { id })
  for (const route of [tiersApi.find, tiersApi.remove])
    await expect(call(route, { id })).rejects.toMatchObject({ status: 404, message: 'Permission tier not found' })
  expect(await call(tiersApi.restore, { id })).toMatchObject({ name: 'Editors' })
})

test('saving the default tier as it was read makes no version', async () => {
  const { call } = await signedIn()
  const tier = await call(tiersApi.find, { id: (await defaultTier())._id })
  const saved = await call(tiersApi.update, { id: tier._id, body: tier })
  expect(saved.version).toBe(tier.version)
})

test('rejects an invalid tier with one message per field', async () => {
  const { call } = await signedIn()
  await expect(call(tiersApi.create, { body: { ...body(-1), name: ' ' } })).rejects.toMatchObject({
    status: 400,
    errors: expect.arrayContaining([
      expect.objectContaining({ path: 'name', message: 'Name is required' }),
      expect.objectContaining({ path: 'requiredScore', message: 'Score must be non-negative' }),
    ]),
  })
})

test.each(['', 'constructor', 'toString', 'a\0b', '\ud800', 'x'.repeat(101)])(
  'rejects %j as the name of a custom permission',
  async (name) => {
    const { call } = await signedIn()
    const made = call(tiersApi.create, { body: body(150, { customPermissions: { [name]: true } }) })
    await expect(made).rejects.toMatchObject({
      status: 400,
      errors: [{ path: expect.stringMatching(/^permissions\.customPermissions/) }],
    })
  },
)

test('lists tiers by required score, with the number of accounts in each', async () => {
  await startEmpty()
  const { call } = await signedIn()
  await call(tiersApi.create, { body: body(40_000) })
  await call(tiersApi.create, { body: body(30_000) })
  await call(tiersApi.create, { body: { ...body(35_000), isActive: false } })
  for (const scores of [30_000, 39_999, 40_000]) await aUser({ scores })
  await aUser({ scores: 50_000, role: 'moderator' })
  await aUser({ scores: 50_000, isActive: false })
  const { data } = await call(tiersApi.list)
  expect(data.map(({ requiredScore }) => requiredScore)).toEqual(
    data.map(({ requiredScore }) => requiredScore).toSorted((one, two) => one - two),
  )
  const counts = Object.fromEntries(data.map(({ requiredScore, userCount }) => [requiredScore, userCount]))
  expect(counts).toMatchObject({ 30_000: 2, 35_000: 0, 40_000: 1 })
  const usesOf = (score: number) =>
    call(tiersApi.uses, { id: data.find(({ requiredScore }) => requiredScore === score)?._id ?? '' })
  const by = [{ entityType: 'User', fields: ['scores'], count: 2, isAtLeast: false }]
  expect(await usesOf(30_000)).toEqual({ total: 2, by, first: [] })
  expect(await usesOf(35_000)).toEqual({ total: 0, by: [], first: [] })
  await expect(call(tiersApi.uses, { id: newId() })).rejects.toMatchObject({ status: 404 })
})

test('an account is in the highest active tier that its scores reach, wherever its tier is shown', async () => {
  await startEmpty()
  const { call } = await signedIn()
  const { name: lowest } = await defaultTier()
  await call(tiersApi.create, { body: body(100) })
  await call(tiersApi.create, { body: { ...body(200), isActive: false } })
  const { _id: deleted } = await call(tiersApi.create, { body: body(300) })
  await call(tiersApi.remove, { id: deleted })
  const { _id: highest } = await call(tiersApi.create, { body: body(400) })
  const expected: [scores: number, tier: string][] = [
    [0, lowest],
    [99.9, lowest],
    [100, 'From 100'],
    [200, 'From 100'],
    [300, 'From 100'],
    [399.9, 'From 100'],
    [400, 'From 400'],
    [1_000_000, 'From 400'],
  ]
  for (const [scores, tier] of expected) {
    const { call: theirs, user, actor } = await signedIn({ role: 'user', scores })
    const shown = [
      (await theirs(authApi.verify)).user.tier,
      actor.tier,
      (await call(usersApi.find, { id: user._id })).tier,
    ]
    expect({ scores, shown }).toEqual({ scores, shown: [tier, tier, tier] })
  }
  const { data } = await call(tiersApi.list)
  expect(data.map(({ name, userCount }) => [name, userCount])).toEqual([
    [lowest, 2],
    ['From 100', 4],
    ['From 200', 0],
    ['From 400', 2],
  ])
  const raised = { ...body(400, { canCreateTag: true }), name: 'Raised' }
  const { userCount, first } = await call(tiersApi.preview, {
    body: { id: highest, tier: { ...raised, requiredScore: 250 } },
  })
  expect(userCount).toBe(4)
  expect(first.map(({ scores, before, after }) => [scores, before, after])).toEqual([
    [300, 'From 100', 'Raised'],
    [399.9, 'From 100', 'Raised'],
    [400, 'From 400', 'Raised'],
    [1_000_000, 'From 400', 'Raised'],
  ])
})

test('the default tier cannot be deleted, deactivated, moved or duplicated', async () => {
  const { call } = await signedIn()
  const { _id: id, ...tier } = await defaultTier()
  await expect(call(tiersApi.remove, { id })).rejects.toMatchObject({
    status: 409,
    message: 'Cannot delete the default permission tier',
  })
  const input = { ...body(0), name: tier.name }
  for (const change of [{ isActive: false }, { requiredScore: 5 }])
    await expect(call(tiersApi.update, { id, body: { ...input, ...change } })).rejects.toMatchObject({ status: 409 })
  await expect(call(tiersApi.create, { body: body(0) })).rejects.toMatchObject({ status: 409 })
  expect(await call(tiersApi.update, { id, body: { ...input, description: 'Everybody' } })).toMatchObject({
    description: 'Everybody',
  })
})

test('refuses two active tiers with the same required score, even with concurrent requests', async () => {
  const { call } = await signedIn()
  const results = await Promise.allSettled([1, 2].map(() => call(tiersApi.create, { body: body(600) })))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const idle = await call(tiersApi.create, { body: { ...body(600), isActive: false } })
  await expect(call(tiersApi.update, { id: idle._id, body: body(600) })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'requiredScore' }],
  })
  // An inactive one leaves its score to others.
  await call(tiersApi.create, { body: { ...body(601), isActive: false } })
  await expect(call(tiersApi.create, { body: body(601) })).resolves.toMatchObject({ requiredScore: 601 })
})

test('refuses more than 200 tiers, new or restored', async () => {
  const { call } = await signedIn()
  const { _id: id } = await call(tiersApi.create, { body: body(300_000) })
  await call(tiersApi.remove, { id })
  const { data } = await call(tiersApi.list)
  const { userCount: _, ...first } = data[0] as (typeof data)[number]
  const filler = { ...first, name: 'Filler', isActive: false, createdBy: null, deletedAt: null }
  const more = Array.from({ length: 200 - data.length }, () => ({ ...filler, _id: newId() }))
  await db.insertInto('tiers').values(more).execute()
  const full = { status: 409, code: 'full' }
  await expect(call(tiersApi.create, { body: body(400_000) })).rejects.toMatchObject(full)
  await expect(call(tiersApi.restore, { id })).rejects.toMatchObject(full)
  expect((await call(tiersApi.list)).data).toHaveLength(200)
  await db.deleteFrom('tiers').where('name', '=', 'Filler').execute()
  expect(await call(tiersApi.restore, { id })).toMatchObject({ name: 'From 300000' })
})

test('everyone can read tiers, and only administrators can write them', async () => {
  for (const role of ['user', 'moderator'] as const) {
    const { call } = await signedIn({ role })
    const { data } = await call(tiersApi.list)
    expect(data[0]).toMatchObject({ requiredScore: 0 })
    await expect(call(tiersApi.create, { body: body(7000) })).rejects.toMatchObject({ status: 403 })
    await expect(call(tiersApi.preview, { body: { tier: body(7000) } })).rejects.toMatchObject({ status: 403 })
  }
})

test('a change applies from the next request on', async () => {
  const { call } = await signedIn()
  const user = await signedIn({ role: 'user', scores: 90_000 })
  const granted = async () => (await user.call(authApi.verify)).user.permissions.canCreateTag
  expect(await granted()).toBe(false)
  const { _id: id } = await call(tiersApi.create, { body: body(90_000, { canCreateTag: true }) })
  expect(await granted()).toBe(true)
  await call(tiersApi.update, { id, body: body(90_001, { canCreateTag: true }) })
  expect(await granted()).toBe(false)
})

test('a preview returns who would gain or lose which permissions', async () => {
  await startEmpty()
  const { call } = await signedIn()
  await call(tiersApi.create, { body: body(150_000) })
  const { _id: id } = await call(tiersApi.create, { body: body(200_000, { canCreateTag: true }) })
  const inTier = await aUser({ scores: 200_000 })
  const above = await aUser({ scores: 200_500 })
  for (const other of [{ role: 'moderator' as const }, { isActive: false }]) await aUser({ scores: 200_000, ...other })
  await users.remove((await aUser({ scores: 200_000 }))._id, { actor: SYSTEM })
  const raised = { ...body(200_400, { canCreateTag: true, canCreateMedia: true, maxUploadSizeMB: 1 }), name: 'Raised' }
  expect(await call(tiersApi.preview, { body: { id, tier: raised } })).toMatchObject({
    userCount: 2,
    gains: { canCreateMedia: 1 },
    losses: { canCreateTag: 1, maxUploadSizeMB: 1 },
    first: [
      { _id: inTier._id, before: 'From 200000', gains: [], losses: ['canCreateTag'] },
      { _id: above._id, after: 'Raised', gains: ['canCreateMedia'], losses: ['maxUploadSizeMB'] },
    ],
  })
  expect(await call(tiersApi.preview, { body: { id, tier: null } })).toMatchObject({ losses: { canCreateTag: 2 } })
  expect((await call(tiersApi.find, { id })).requiredScore).toBe(200_000)
})

test('lists tiers of one score and moment in the order of their ids', async () => {
  const ids = await Promise.all(
    Array.from({ length: 8 }, async () =>
      tiers.create({ ...body(7_000_000), isActive: false }, { actor: SYSTEM, at: '2026-01-01T00:00:00.000Z' }),
    ),
  )
  // The order of the table is another one.
  await db
    .updateTable('tiers')
    .set({ name: 'First' })
    .where('_id', '=', ids.toSorted()[0] ?? '')
    .execute()
  expect((await tiers.list()).flatMap(({ _id }) => (ids.includes(_id) ? [_id] : []))).toEqual(ids.toSorted())
})

test('a permission that a stored tier lacks, because it is newer, has the default of a new tier', async () => {
  const { call } = await signedIn()
  const tier = await call(tiersApi.create, { body: body(77) })
  const id = tier._id
  const { canRateContent, canAccessPremiumContent, ...older } = tier.permissions
  await db
    .updateTable('tiers')
    .set({ permissions: older as never })
    .where('_id', '=', id)
    .execute()
  expect([canRateContent, canAccessPremiumContent]).toEqual([true, false])
  expect((await call(tiersApi.find, { id })).permissions).toEqual(tier.permissions)
  const member = await signedIn({ role: 'user', scores: 77 })
  expect((await member.call(authApi.verify)).user.permissions).toEqual(tier.permissions)
  expect((await call(tiersApi.update, { id, body: body(77), base: 1 })).version).toBe(1)
  expect((await call(tiersApi.update, { id, body: { ...body(77), name: 'Editors' }, base: 1 })).version).toBe(2)
})
