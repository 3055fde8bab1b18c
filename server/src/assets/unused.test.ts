import { setTimeout as sleep } from 'node:timers/promises'
import { assetsApi } from '@mokuroku/contract/assets'
import { authApi } from '@mokuroku/contract/auth'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { trashApi } from '@mokuroku/contract/trash'
import { usersApi } from '@mokuroku/contract/users'
import { expect, test } from 'vitest'
import { now } from '#lib/clock.ts'
import { SYSTEM } from '#access/permissions.ts'
import { db, engine, type Transaction, transaction } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { insertRows } from '#database/insert.ts'
import { BOUNDS } from '#database/intersection.ts'
import { migrate, schemaOf } from '#database/migrate.ts'
import { flagAssets, flagCounters, flagOldAvatars } from '#ledger/assetFlags.ts'
import { incrementCounter } from '#ledger/counters.ts'
import { newId } from '#lib/ids.ts'
import { assets } from '#store/assets'
import { media } from '#store/media'
import { users } from '#store/users'
import { signedIn, withApp } from '#test/app.ts'
import { aMedia } from '#test/factories.ts'
import { aPicture, aSound, send } from '#test/files.ts'
import { plansOf, statementsOf } from '#test/plans.ts'
import { pageOf } from './listing.ts'

withApp()

/** Adds unused assets without files; returns a function that deletes them again. */
async function addUnused(given: { _id: string; size: number; createdAt: string }[]): Promise<() => Promise<void>> {
  const row = await db.selectFrom('assets').selectAll().limit(1).executeTakeFirstOrThrow()
  const ids = given.map(({ _id }) => _id)
  const bytes = given.reduce((sum, { size }) => sum + size, 0)
  const counters = flagCounters('unused')
  const count = (tx: Transaction, sign: number) => {
    incrementCounter(tx, counters.count, sign * ids.length)
    incrementCounter(tx, counters.size, sign * bytes)
  }
  await transaction(async (tx) => {
    const rows = given.map((each) => ({ ...row, ...each, storageKey: each._id, deletedAt: null }))
    const flags = given.map(({ _id, size }) => ({ flag: 'unused' as const, assetId: _id, size }))
    await insertRows(tx, 'assets', rows)
    await insertRows(tx, 'assetFlags', flags)
    count(tx, 1)
  })
  return () =>
    transaction(async (tx) => {
      await tx.deleteFrom('assets').where(inList('_id', ids)).execute()
      await tx.deleteFrom('assetFlags').where(inList('assetId', ids)).execute()
      count(tx, -1)
    })
}

test('moves unused assets to the trash as one batch, and restores them as one', async () => {
  const { call, token, user } = await signedIn()
  await call(assetsApi.trashUnused, { body: { until: now() } })
  const [used, free, other, sound] = [
    (await send(await aPicture(), 'harbour used.png', { token })).body._id,
    (await send(await aPicture(), 'harbour free.png', { token })).body,
    (await send(await aPicture(), 'dawn.png', { token })).body._id,
    (await send(aSound(), 'harbour.wav', { token })).body._id,
  ]
  await aMedia({ cover: used })
  const { until = '' } = (await call(assetsApi.list, { query: { unused: 'true' } })).pagination
  await new Promise((resolve) => setTimeout(resolve, 5))
  const late = (await send(await aPicture(), 'harbour late.png', { token })).body._id
  const done = await call(assetsApi.trashUnused, { body: { search: 'harbour', type: 'IMAGE', until } })
  expect(done).toMatchObject({ success: true, count: 1, size: free.size })
  const sent = new Set([used, free._id, other, sound, late])
  const left = async () =>
    (await call(assetsApi.list)).data.flatMap(({ _id }) => (sent.has(_id) ? [_id] : [])).toSorted()
  expect(await left()).toEqual([used, other, sound, late].toSorted())
  expect((await call(trashApi.list)).data[0]).toMatchObject({ _id: free._id, deletedBy: { _id: user._id } })
  expect((await call(dashboardApi.activities, { query: { limit: 1 } }))[0]).toMatchObject({
    type: 'ASSETS_DELETED',
    description: 'Unused assets deleted: 1',
    username: user.username,
  })
  const { data } = await call(revisionsApi.list, { query: { entityType: 'Asset', entityId: free._id } })
  expect(data[0]).toMatchObject({ action: 'delete', batch: done.batch, reason: 'Unused' })

  const all = await call(assetsApi.trashUnused, { body: { until: now() } })
  expect(all.count).toBe(3)
  expect(await left()).toEqual([used])
  await call(assetsApi.restore, { id: sound })
  expect(await call(assetsApi.restoreUnused, { body: { batch: all.batch } })).toEqual({ success: true, count: 2 })
  expect(await left()).toEqual([used, other, sound, late].toSorted())
  expect(await call(assetsApi.restoreUnused, { body: { batch: all.batch } })).toEqual({ success: true, count: 0 })
  expect(await call(assetsApi.trashUnused, { body: { search: 'nothing like it', until: now() } })).toMatchObject({
    count: 0,
  })
})

test('the unused assets are listed and counted by their flags, however many there are', async () => {
  const { call, token } = await signedIn()
  await send(await aPicture(), 'few.png', { token })
  const page = () => pageOf({ unused: true, limit: 10, skip: 0 })
  const few = await plansOf(page)
  // Few are looked up by id, which also counts them.
  expect(await statementsOf(page)).toBe(2)
  const before = (await call(assetsApi.list, { query: { unused: 'true' } })).pagination
  const [size, createdAt] = [7, now()]
  const ids = Array.from({ length: BOUNDS.narrow + 1 }, () => newId()).toSorted()
  const deleteAll = await addUnused(ids.map((_id) => ({ _id, size, createdAt })))
  const { data, pagination } = await call(assetsApi.list, { query: { unused: 'true', limit: 10 } })
  expect(data.map(({ _id }) => _id)).toEqual(ids.toReversed().slice(0, 10))
  expect(pagination).toMatchObject({
    total: before.total + ids.length,
    size: (before.size ?? 0) + size * ids.length,
  })
  const many = await plansOf(page)
  for (const lines of [few, many]) {
    expect(lines.join()).toContain('assetFlags')
    expect(lines.join()).not.toMatch(/links|users/)
  }
  await deleteAll()
})

test('a clean-up takes the 1,000 oldest first, and those of one moment by their ids', async () => {
  const { token } = await signedIn()
  await send(await aPicture(), 'recent.png', { token })
  const aDay = (each: number) => new Date(Date.UTC(2001, 0, 1 + Math.floor(each / 2))).toISOString()
  const ids = Array.from({ length: 1001 }, () => newId()).toSorted()
  // Added in the opposite order.
  const rows = ids.map((_id, each) => ({ _id, size: 7, createdAt: aDay(ids.length - each) })).toReversed()
  const deleteAll = await addUnused(rows)
  const oldest = rows.toSorted((one, other) =>
    `${one.createdAt} ${one._id}` < `${other.createdAt} ${other._id}` ? -1 : 1,
  )
  expect(await assets.unused({ until: now() })).toEqual(oldest.slice(0, 1000).map(({ _id }) => _id))
  await deleteAll()
})

test('two clean-ups at once both succeed, and each asset is deleted by one of them', async () => {
  const { call, token } = await signedIn()
  for (const name of ['one.png', 'two.png', 'three.png']) await send(await aPicture(), name, { token })
  const { pagination } = await call(assetsApi.list, { query: { unused: 'true' } })
  const cleanUp = () => call(assetsApi.trashUnused, { body: { until: now() } })
  const [one, other] = await Promise.all([cleanUp(), cleanUp()])
  expect(one.count + other.count).toBe(pagination.total)
})

test('a picture that is an avatar is used, until the avatar changes or the account is deleted', async () => {
  const [{ call, token }, owner] = [await signedIn(), await signedIn({ role: 'user' })]
  const { _id, url } = (await send(await aPicture(), 'portrait.png', { token })).body
  const unused = async () => {
    const { files } = await call(dashboardApi.work)
    const { data, pagination } = await call(assetsApi.list, { query: { unused: 'true' } })
    expect(files?.unused.count).toBe(pagination.total)
    return data.some((asset) => asset._id === _id)
  }
  expect(await unused()).toBe(true)
  await owner.call(authApi.updateProfile, { body: { avatar: `${url}?size=small` } })
  expect(await unused()).toBe(false)
  expect(await call(assetsApi.uses, { id: _id })).toEqual({
    total: 1,
    by: [{ entityType: 'User', fields: ['avatar'], count: 1, isAtLeast: false }],
    first: [{ entityType: 'User', entityId: owner.user._id, title: owner.user.username, fields: ['avatar'] }],
  })
  await call(assetsApi.trashUnused, { body: { until: now() } })
  expect(await call(assetsApi.find, { id: _id })).toMatchObject({ status: 'READY' })
  await call(usersApi.remove, { id: owner.user._id })
  expect(await unused()).toBe(true)
  await call(usersApi.restore, { id: owner.user._id })
  expect(await unused()).toBe(false)
  await call(usersApi.update, { id: owner.user._id, body: { avatar: '' } })
  expect(await unused()).toBe(true)
})

test('a clean-up leaves a picture that becomes an avatar at the same moment', async () => {
  const { call, token, user } = await signedIn()
  const { _id: id, url } = (await send(await aPicture(), 'soon.png', { token })).body
  const until = now()
  let cleanUp: Promise<unknown> | undefined
  await transaction(async (tx) => {
    await users.updateIn(tx, user._id, { avatar: url }, { actor: SYSTEM })
    cleanUp ??= call(assetsApi.trashUnused, { body: { until } })
    await sleep(200)
  })
  await cleanUp
  expect(await call(assetsApi.find, { id })).toMatchObject({ status: 'READY' })
})

test.runIf(process.env.ENGINE === 'postgres')(
  'a save is refused if a clean-up deletes its file meanwhile',
  async () => {
    const { call, token } = await signedIn()
    const id = (await send(await aPicture(), 'late.png', { token })).body._id
    const { _id } = await aMedia()
    let cleanUp: Promise<unknown> | undefined
    const saved = transaction(async (tx) => {
      await media.updateIn(tx, _id, { cover: id }, { actor: SYSTEM })
      await (cleanUp ??= call(assetsApi.trashUnused, { body: { until: now() } }))
    })
    await expect(saved).rejects.toMatchObject({ status: 400, errors: [{ path: 'cover' }] })
  },
)

test('a start corrects the flag of an avatar that an older server has flagged as unused', async () => {
  const { call, token } = await signedIn()
  const { _id, url, size } = (await send(await aPicture(), 'old.png', { token })).body
  await call(authApi.updateProfile, { body: { avatar: url } })
  const flags = db.selectFrom('assetFlags').selectAll().where('assetId', '=', _id)
  expect(await flags.execute()).toEqual([])
  const counters = flagCounters('unused')
  await transaction(async (tx) => {
    await insertRows(tx, 'assetFlags', [{ flag: 'unused', assetId: _id, size: Number(size) }])
    incrementCounter(tx, counters.count, 1)
    incrementCounter(tx, counters.size, Number(size))
  })
  await users.open()
  expect(await flags.execute()).toEqual([])
  // Looks up the accounts of flagged pictures, rather than the flags of all avatars.
  const plans = await plansOf(() => transaction(flagOldAvatars))
  expect(plans.join()).toContain('assetFlags')
  expect(plans.filter((line) => line.includes('users')).join()).toMatch(/avatar.*=/)
})

test('counts the bytes of a file of 2 GiB, also in a database of an earlier version', async () => {
  const { token } = await signedIn()
  const { _id } = (await send(await aPicture(), 'large.png', { token })).body
  const flags = () => db.selectFrom('assetFlags').selectAll().where('assetId', '=', _id).execute()
  const grow = async (size: number) => {
    await db.updateTable('assets').set({ size }).where('_id', '=', _id).execute()
    await transaction((tx) => Promise.resolve(flagAssets(tx, [_id])))
    expect(await flags()).toEqual([{ flag: 'unused', assetId: _id, size }])
  }
  await grow(2 ** 31)
  await grow(1)
  const schema = schemaOf(db, engine)
  if (engine === 'postgres') await schema.run('ALTER TABLE "assetFlags" ALTER COLUMN "size" TYPE INTEGER')
  await schema.run(`DELETE FROM "migrations" WHERE "name" = '054-large-files.sql'`)
  await migrate({ db, engine, folder: '', sqlite: undefined })
  await grow(2 ** 40)
})

test('undoing a clean-up restores each asset once, and leaves what was deleted again', async () => {
  const { call, token } = await signedIn()
  const sent = async (name: string) => (await send(await aPicture(), name, { token })).body._id
  const [kept, again] = [await sent('kept.png'), await sent('again.png')]
  const { batch, count } = await call(assetsApi.trashUnused, { body: { until: now() } })
  await call(assetsApi.restore, { id: again })
  await call(assetsApi.remove, { id: again })
  const undo = () => call(assetsApi.restoreUnused, { body: { batch } })
  const [one, other] = await Promise.all([undo(), undo()])
  expect(one.count + other.count).toBe(count - 1)
  expect(await call(assetsApi.find, { id: kept })).toMatchObject({ status: 'READY' })
  await expect(call(assetsApi.find, { id: again })).rejects.toMatchObject({ status: 404 })
})

test('only users who may delete other users’ assets can clean up, and undo it', async () => {
  const { token, call } = await signedIn()
  const { _id } = (await send(await aPicture(), 'x.png', { token })).body
  const member = await signedIn({ role: 'user' })
  const body = { until: now() }
  await expect(member.call(assetsApi.trashUnused, { body })).rejects.toMatchObject({ status: 403 })
  const moderator = await signedIn({ role: 'moderator' })
  const { batch } = await moderator.call(assetsApi.trashUnused, { body })
  await expect(member.call(assetsApi.restoreUnused, { body: { batch } })).rejects.toMatchObject({ status: 403 })
  await expect(call(assetsApi.find, { id: _id })).rejects.toMatchObject({ status: 404 })
  await moderator.call(assetsApi.restoreUnused, { body: { batch } })
  expect(await call(assetsApi.find, { id: _id })).toMatchObject({ status: 'READY' })
  await expect(call(assetsApi.trashUnused, { body: {} as typeof body })).rejects.toMatchObject({ status: 400 })
})
