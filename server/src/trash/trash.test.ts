import { assetsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { tagsApi } from '@mokuroku/contract/tags'
import { newTier, tiersApi } from '@mokuroku/contract/tiers'
import { type TrashKind, TRASH_KINDS } from '@mokuroku/contract/kinds'
import { restoreOf, trashApi } from '@mokuroku/contract/trash'
import { usersApi } from '@mokuroku/contract/users'
import { describe, expect, onTestFinished, test } from 'vitest'
import { KIND_SAMPLES } from '#test/kinds.ts'
import { expire } from '#ledger/purge.ts'
import { db, transaction } from '#database/db.ts'
import { DAY_MS, momentIn, setClock, time } from '#lib/clock.ts'
import { SYSTEM } from '#access/permissions.ts'
import { TABLES } from '#database/tables.ts'
import { signedIn, startEmpty, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aRating, aTag, aTier, aUser, damageTexts, mediaInput, titled } from '#test/factories.ts'
import { entriesOf } from '#test/auditLog.ts'
import { aPicture, send } from '#test/files.ts'
import { expectIndexed, roundTripsOf } from '#test/plans.ts'
import { purgeExpired } from './purge.ts'

withApp()

const ago = (days: number) => momentIn(-days * DAY_MS)
const failed = (error: unknown) => {
  throw error
}
const purgeAll = () => purgeExpired({ failed })

/** Makes it look as if an entity was deleted that many days ago. */
const age = (kind: TrashKind, id: string, days: number) =>
  db
    .updateTable(TABLES[kind])
    .set({ deletedAt: ago(days) })
    .where('_id', '=', id)
    .execute()

const rowOf = (kind: TrashKind, id: string) =>
  db.selectFrom(TABLES[kind]).select(['_id', 'deletedAt']).where('_id', '=', id).executeTakeFirst()

/** One entity of each kind, deleted by this user. */
async function oneOfEach({ call, token }: Awaited<ReturnType<typeof signedIn>>) {
  const media = await aMedia({
    translations: { en: { title: 'Lost', description: '' }, ja: { title: '失', description: '' } },
  })
  const ids = {} as Record<TrashKind, string>
  for (const kind of TRASH_KINDS) ids[kind] = await KIND_SAMPLES[kind].create({ actor: SYSTEM })
  ids.Media = (await aMedia({ translations: { en: { title: 'Gone', description: '' } } }))._id
  ids.Asset = (await send(await aPicture(), 'trash.png', { token })).body._id
  ids.Rating = await aRating(media._id, 7.5)
  for (const kind of TRASH_KINDS) await call(KIND_SAMPLES[kind].api.remove as typeof mediaApi.remove, { id: ids[kind] })
  return ids
}

test('lists deleted entities of every kind with who and when, and each can be restored', async () => {
  await startEmpty()
  const admin = await signedIn()
  const ids = await oneOfEach(admin)
  const { data, pagination } = await admin.call(trashApi.list, { query: { limit: 50 } })
  expect(pagination).toEqual({ total: TRASH_KINDS.length, page: 1, limit: 50 })
  expect(data.map(({ kind, _id }) => [kind, _id]).toReversed()).toEqual(TRASH_KINDS.map((kind) => [kind, ids[kind]]))
  for (const row of data) {
    expect(row).toMatchObject({
      deletedBy: { _id: admin.user._id, username: admin.user.username },
      mayRestore: true,
      mayPurge: true,
    })
    expect(Date.parse(row.goneAt) - Date.parse(row.deletedAt)).toBe(30 * DAY_MS)
    expect(Math.abs(Date.parse(row.deletedAt) - time())).toBeLessThan(60_000)
  }
  const of = (kind: TrashKind) => data.find((row) => row.kind === kind)
  expect(of('Media')).toMatchObject({ title: 'Gone', translations: { en: { name: 'Gone' } } })
  expect(of('Rating')).toMatchObject({ title: 'Lost', score: 7.5, translations: { ja: { name: '失' } } })
  expect(of('Asset')).toMatchObject({ title: 'trash.png', size: expect.any(Number) })
  expect((await admin.call(trashApi.list, { query: { kind: 'Tag' } })).data).toMatchObject([{ _id: ids.Tag }])
  for (const kind of TRASH_KINDS) await admin.call(restoreOf(kind), { id: ids[kind] })
  expect((await admin.call(trashApi.list)).pagination.total).toBe(0)
})

test('shows users what they created or may restore, with the reason where they may not', async () => {
  await startEmpty()
  await aTier(300, { canCreateMedia: true, canEditOwnContent: true })
  await aTier(301, { canCreateMedia: true })
  await aTier(302, { canEditAnyContent: true })
  const admin = await signedIn()
  const owner = await signedIn({ role: 'user', scores: 300 })
  const own = await owner.call(mediaApi.create, { body: mediaInput() })
  await owner.call(mediaApi.remove, { id: own._id })
  const tag = await aTag()
  await admin.call(tagsApi.remove, { id: tag })
  const user = (await aUser())._id
  await admin.call(usersApi.remove, { id: user })
  const seen = async ({ call }: typeof admin) =>
    new Map((await call(trashApi.list, { query: { limit: 100 } })).data.map((row) => [row._id, row]))

  expect([...(await seen(owner)).keys()]).toEqual([own._id])
  expect((await seen(owner)).get(own._id)).toMatchObject({ mayRestore: true, mayPurge: false })
  await db.updateTable('users').set({ scores: 301 }).where('_id', '=', owner.user._id).execute()
  expect((await seen(owner)).get(own._id)).toMatchObject({
    mayRestore: false,
    reason: 'Your tier “Tier 301” does not allow editing your own content.',
  })
  const moderator = await seen(await signedIn({ role: 'moderator' }))
  expect(moderator.get(tag)).toMatchObject({ mayRestore: true, mayPurge: false })
  expect(moderator.get(user)).toMatchObject({ mayRestore: false, reason: 'Only administrators can do this.' })
  const editor = await seen(await signedIn({ role: 'user', scores: 302 }))
  expect([editor.has(own._id), editor.has(tag), editor.has(user)]).toEqual([true, true, false])
  expect((await seen(await signedIn({ role: 'user' }))).size).toBe(0)
  expect((await admin.call(trashApi.list)).data.map(({ _id }) => _id)).toEqual([user, tag, own._id])
  expect((await admin.call(trashApi.list, { query: { limit: 1, page: 2 } })).data).toMatchObject([{ _id: tag }])
  for (const { kind, _id: id } of (await admin.call(trashApi.list)).data) await admin.call(trashApi.purge, { kind, id })
})

test('a former administrator sees their own tags, but neither accounts nor tiers, even those that they created', async () => {
  await startEmpty()
  const { call, user, actor } = await signedIn()
  const account = { username: 'newcomer', email: 'newcomer@example.org', password: 'a password of their own' }
  const { _id: accountId } = await call(usersApi.create, { body: account })
  const { _id: tierId } = await call(tiersApi.create, { body: { ...newTier(), name: 'Helpers', requiredScore: 400 } })
  const tagId = await aTag({}, { actor })
  await call(usersApi.remove, { id: accountId })
  await call(tiersApi.remove, { id: tierId })
  await call(tagsApi.remove, { id: tagId })
  const seen = async () => (await call(trashApi.list)).data.map(({ _id }) => _id)
  expect(await seen()).toEqual([tagId, tierId, accountId])
  await db.updateTable('users').set({ role: 'user' }).where('_id', '=', user._id).execute()
  expect(await seen()).toEqual([tagId])
  for (const kind of ['User', 'Tier'] as const)
    expect((await call(trashApi.list, { query: { kind } })).data).toEqual([])
  await startEmpty()
})

test('only an admin can purge, only from the trash, and a purge cannot be undone', async () => {
  const { call } = await signedIn()
  const media = await aMedia()
  await expect(call(trashApi.purge, { kind: 'Media', id: media._id })).rejects.toMatchObject({ status: 404 })
  await call(mediaApi.remove, { id: media._id })
  for (const role of ['moderator', 'user'] as const) {
    const other = await signedIn({ role, scores: 302 })
    await expect(other.call(trashApi.purge, { kind: 'Media', id: media._id })).rejects.toMatchObject({ status: 403 })
  }
  for (const kind of ['media', 'Setting', 'sessions', '__proto__'])
    await expect(call(trashApi.purge, { kind, id: media._id })).rejects.toMatchObject({ status: 404 })
  await expect(call(trashApi.purge, { kind: 'Tag', id: media._id })).rejects.toMatchObject({ status: 404 })
  expect(await call(trashApi.purge, { kind: 'Media', id: media._id })).toEqual({ success: true })
  expect(await rowOf('Media', media._id)).toBeUndefined()
  await expect(call(mediaApi.restore, { id: media._id })).rejects.toMatchObject({ status: 404 })
  await expect(call(trashApi.purge, { kind: 'Media', id: media._id })).rejects.toMatchObject({ status: 404 })
  const { data } = await call(revisionsApi.list, { query: { entityType: 'Media', entityId: media._id } })
  expect(data.map(({ action, origin }) => [action, origin])).toEqual([
    ['purge', 'person'],
    ['delete', 'person'],
    ['create', 'person'],
  ])
  const [last] = data
  expect((await call(revisionsApi.find, { id: last?._id ?? '' })).snapshot).toMatchObject({
    translations: media.translations,
  })
  const activities = await call(dashboardApi.activities, { query: { limit: 1 } })
  expect(activities).toMatchObject([{ type: 'MEDIA_PURGED', entityId: media._id }])
  const stranger = await signedIn({ role: 'user' })
  await expect(stranger.call(revisionsApi.find, { id: last?._id ?? '' })).rejects.toMatchObject({ status: 403 })
})

test('the system purges every kind after 30 days, and not before', async () => {
  const admin = await signedIn()
  const ids = await oneOfEach(admin)
  for (const kind of TRASH_KINDS) await age(kind, ids[kind], 29.9)
  expect(await purgeAll()).toBe(0)
  for (const kind of TRASH_KINDS) await age(kind, ids[kind], 30)
  expect((await admin.call(trashApi.list)).pagination.total).toBe(0)
  for (const kind of TRASH_KINDS)
    await expect(admin.call(restoreOf(kind), { id: ids[kind] })).rejects.toMatchObject({ status: 404 })
  expect(await purgeAll()).toBe(TRASH_KINDS.length)
  for (const kind of TRASH_KINDS) {
    expect(await rowOf(kind, ids[kind])).toBeUndefined()
    const { data } = await admin.call(revisionsApi.list, { query: { entityType: kind, entityId: ids[kind] } })
    expect(data[0]).toMatchObject({ action: 'purge', origin: 'system', username: 'system' })
    expect(await db.selectFrom('links').selectAll().where('fromId', '=', ids[kind]).execute()).toEqual([])
    expect(await db.selectFrom('labels').selectAll().where('entityId', '=', ids[kind]).execute()).toEqual([])
  }
  expect(await purgeAll()).toBe(0)
})

test('a purge waits for the database a few times, and not for each entity that loses a link', async () => {
  const { call } = await signedIn()
  const purging = async (uses: number): Promise<number> => {
    const tag = await aTag()
    const tagged: string[] = []
    for (let at = 0; at < uses; at += 1) tagged.push((await aMedia({ tags: [tag] }))._id)
    await call(tagsApi.remove, { id: tag })
    const trips = await roundTripsOf(() => call(trashApi.purge, { kind: 'Tag', id: tag }))
    const rows = await db.selectFrom('media').select('tags').where('_id', 'in', tagged).execute()
    expect(rows.flatMap((row) => row.tags)).toEqual([])
    return trips
  }
  const few = await purging(2)
  expect((await purging(22)) - few).toBeLessThan(20)
})

test('a purge deletes the dependents that are not in the trash yet, then purges all', async () => {
  const [{ call }, { _id: id }] = [await signedIn(), await aMedia()]
  const [kept, deleted] = [await aRating(id, 7), await aRating(id, 8)]
  await call(ratingsApi.remove, { id: deleted })
  await call(mediaApi.remove, { id })
  await call(trashApi.purge, { kind: 'Media', id })
  for (const rating of [kept, deleted]) {
    const { data } = await call(revisionsApi.list, { query: { entityType: 'Rating', entityId: rating } })
    expect(data.map(({ action }) => action)).toEqual(['purge', 'delete', 'create'])
  }
})

test('a purge removes the links to an entity from every kind of field, with a system revision', async () => {
  const { call, token } = await signedIn()
  const asset = (await send(await aPicture(), 'a.png', { token })).body._id
  const [tag, other] = [await aTag(), await aTag()]
  const child = await aTag({ parentTag: tag })
  const related = await aMedia()
  const media = await aMedia({ cover: asset, assets: [asset], tags: [other, tag], relatedMedia: [related._id] })
  const character = await aCharacter({ mediaRefs: [media._id], cover: asset })
  for (const [kind, api, id] of [
    ['Asset', assetsApi, asset],
    ['Tag', tagsApi, tag],
    ['Media', mediaApi, related._id],
    ['Character', charactersApi, character],
  ] as const) {
    await call(api.remove, { id })
    await age(kind, id, 31)
  }
  await purgeAll()
  const found = await call(mediaApi.find, { id: media._id })
  expect(found).toMatchObject({ cover: '', assets: [], characters: [], relatedMedia: [] })
  const { tags, cover } = await db
    .selectFrom('media')
    .select(['tags', 'cover'])
    .where('_id', '=', media._id)
    .executeTakeFirstOrThrow()
  expect({ tags, cover }).toEqual({ tags: [other], cover: '' })
  expect(await call(tagsApi.find, { id: child })).toMatchObject({ parentTag: null, version: 2 })
  const { data } = await call(revisionsApi.list, { query: { entityType: 'Media', entityId: media._id } })
  expect(data[0]).toMatchObject({
    origin: 'system',
    action: 'update',
    reason: expect.stringMatching(/permanently deleted$/),
  })
  expect(found.version).toBe(data.length)
  expect(await call(tagsApi.find, { id: other })).toMatchObject({ usageCount: 1, mediaCount: 1 })
})

test('purges an entity with many uses in batches, and leaves no link behind', async () => {
  const { call } = await signedIn()
  const [tag, other] = [await aTag(), await aTag()]
  const users = []
  for (let at = 0; at < 120; at++) users.push((await aMedia({ tags: at % 2 ? [tag] : [tag, other] }))._id)
  // A link that nothing accounts for.
  const stray = { fromKind: 'Media' as const, fromId: users[0] ?? '', field: 'relatedMedia', toKind: 'Tag' as const }
  await db
    .insertInto('links')
    .values({ ...stray, toId: tag })
    .execute()
  await call(tagsApi.remove, { id: tag })
  await call(trashApi.purge, { kind: 'Tag', id: tag })
  expect(await db.selectFrom('links').select('fromId').where('toId', '=', tag).execute()).toEqual([])
  const rows = await db.selectFrom('media').select(['tags', 'version']).where('_id', 'in', users).execute()
  expect(rows.filter(({ tags, version }) => tags.includes(tag) || version !== 2)).toEqual([])
  expect(await call(tagsApi.find, { id: other })).toMatchObject({ usageCount: 60 })
})

test('purging a media item deletes its ratings, even those in the trash, and keeps the counts exact', async () => {
  const { call } = await signedIn()
  const [media, kept] = [await aMedia(), await aMedia()]
  const [one, two, three] = [await aRating(media._id, 8), await aRating(media._id, 6), await aRating(kept._id, 5)]
  await call(ratingsApi.remove, { id: two })
  const before = (await call(ratingsApi.list)).pagination.total
  await call(mediaApi.remove, { id: media._id })
  await age('Media', media._id, 30)
  await purgeAll()
  for (const id of [one, two]) expect(await rowOf('Rating', id)).toBeUndefined()
  expect(await call(ratingsApi.find, { id: three })).toMatchObject({ score: 5 })
  expect((await call(ratingsApi.list)).pagination.total).toBe(before - 1)
})

test('counts the uses of a tag exactly through delete, change, restore and purge of either side', async () => {
  const { call } = await signedIn()
  const usage = async () => (await call(dashboardApi.stats)).tagUsage.CONTENT_WARNING ?? { count: 0, totalUsage: 0 }
  const start = await usage()
  const tag = await aTag({ type: 'CONTENT_WARNING' })
  const [one, two, three] = [
    await aMedia({ tags: [tag] }),
    await aMedia({ tags: [tag] }),
    await aMedia({ tags: [tag] }),
  ]
  expect(await usage()).toEqual({ count: start.count + 1, totalUsage: start.totalUsage + 3 })
  await call(tagsApi.remove, { id: tag })
  expect(await usage()).toEqual(start)
  await call(mediaApi.update, { id: one._id, body: mediaInput({ tags: [] }), dropped: [tag] })
  await call(mediaApi.remove, { id: two._id })
  expect(await usage()).toEqual(start)
  await call(tagsApi.restore, { id: tag })
  expect(await usage()).toEqual({ count: start.count + 1, totalUsage: start.totalUsage + 1 })
  await call(tagsApi.remove, { id: tag })
  await call(trashApi.purge, { kind: 'Tag', id: tag })
  expect(await usage()).toEqual(start)
  await call(mediaApi.restore, { id: two._id })
  await call(mediaApi.remove, { id: three._id })
  expect(await usage()).toEqual(start)
})

test('a restore from the trash or a revision drops links to what was purged since', async () => {
  const { call, token } = await signedIn()
  const asset = (await send(await aPicture(), 'b.png', { token })).body._id
  const [tag, other, character] = [await aTag(), await aTag(), await aCharacter()]
  const media = await aMedia({ cover: asset, tags: [tag, other], characters: [character] })
  await call(mediaApi.remove, { id: media._id })
  for (const [kind, api, id] of [
    ['Asset', assetsApi, asset],
    ['Tag', tagsApi, tag],
    ['Character', charactersApi, character],
  ] as const) {
    await call(api.remove, { id })
    await call(trashApi.purge, { kind, id })
  }
  const restored = await call(mediaApi.restore, { id: media._id })
  expect(restored).toMatchObject({ cover: '', tags: [{ _id: other }], characters: [] })
  const links = await db.selectFrom('links').select('toId').where('fromId', '=', media._id).execute()
  expect(links).toEqual([{ toId: other }])
  const { data } = await call(revisionsApi.list, { query: { entityType: 'Media', entityId: media._id } })
  const first = data.at(-1)?._id ?? ''
  await call(mediaApi.update, { id: media._id, body: mediaInput({ tags: [] }) })
  await call(revisionsApi.restore, { id: first, body: {} })
  expect(await call(mediaApi.find, { id: media._id })).toMatchObject({
    translations: media.translations,
    tags: [{ _id: other }],
    characters: [],
    cover: '',
  })
})

test('an interrupted purge cannot be undone, and the next one finishes it', async () => {
  const { call } = await signedIn()
  const tag = await aTag()
  const media = await aMedia({ tags: [tag] })
  await call(tagsApi.remove, { id: tag })
  await transaction((tx) => expire(tx, 'Tag', tag, { actor: SYSTEM }))
  await expect(call(tagsApi.restore, { id: tag })).rejects.toMatchObject({ status: 404 })
  expect((await call(trashApi.list, { query: { kind: 'Tag' } })).data).toEqual([])
  expect(await purgeAll()).toBe(1)
  expect((await call(mediaApi.find, { id: media._id })).version).toBe(2)
})

test('a shutdown stops a purge between two batches, and the next run resumes it', async () => {
  const { call } = await signedIn()
  const tag = await aTag()
  for (let at = 0; at < 101; at++) await aMedia({ tags: [tag] })
  await call(tagsApi.remove, { id: tag })
  await age('Tag', tag, 31)
  // `aborted` is read before the tag, before its dependents, and before each hundred of its links: it becomes true
  // after the first hundred.
  let asked = 0
  const signal = Object.defineProperty(new AbortController().signal, 'aborted', { get: () => (asked += 1) > 3 })
  expect(await purgeExpired({ failed, signal })).toBe(0)
  expect(await db.selectFrom('links').select('fromId').where('toId', '=', tag).execute()).toHaveLength(1)
  expect(await purgeAll()).toBe(1)
  expect(await rowOf('Tag', tag)).toBeUndefined()
})

test('a clock that leaps during a purge deletes nothing more', async () => {
  const { call } = await signedIn()
  const [old, recent] = [await aMedia(), await aMedia()]
  for (const [id, days] of [
    [old._id, 31],
    [recent._id, 1],
  ] as const) {
    await call(mediaApi.remove, { id })
    await age('Media', id, days)
  }
  // What it writes is in the future.
  onTestFinished(startEmpty)
  const purged = purgeAll()
  setClock(time() + 60 * DAY_MS, 0)
  expect(await purged).toBe(1)
  expect([await rowOf('Media', old._id), await rowOf('Media', recent._id)]).toMatchObject([undefined, {}])
})

test('the audit log counts what was deleted before a shutdown', async () => {
  const { call } = await signedIn()
  const ids = [(await aMedia())._id, (await aMedia())._id]
  for (const id of ids) {
    await call(mediaApi.remove, { id })
    await age('Media', id, 31)
  }
  // `aborted` is read before a media item, before its dependents, and before its links: it becomes true after the first
  // one.
  let asked = 0
  const signal = Object.defineProperty(new AbortController().signal, 'aborted', { get: () => (asked += 1) > 3 })
  const added = await entriesOf(async () => expect(await purgeExpired({ failed, signal })).toBe(1))
  expect(added).toMatchObject([{ action: 'trash.emptied', details: { count: 1 } }])
  expect(await purgeAll()).toBe(1)
})

test('an entity that cannot be purged does not stop the others', async () => {
  const { call } = await signedIn()
  const ids = [(await aMedia())._id, (await aMedia())._id]
  for (const id of ids) {
    await call(mediaApi.remove, { id })
    await age('Media', id, 40)
  }
  const [damaged = '', other = ''] = ids
  await age('Media', damaged, 50)
  await damageTexts(damaged)
  const failures: unknown[] = []
  expect(await purgeExpired({ failed: (error) => failures.push(error) })).toBe(1)
  expect(failures).toHaveLength(1)
  expect(await rowOf('Media', other)).toBeUndefined()
  await db
    .updateTable('media')
    .set({ translations: titled('Whole again') })
    .where('_id', '=', damaged)
    .execute()
  expect(await purgeAll()).toBe(1)
})

test('exactly one of a concurrent purge and restore succeeds, completely', async () => {
  const { call } = await signedIn()
  for (let round = 0; round < 10; round++) {
    const tag = await aTag()
    const media = await aMedia({ tags: [tag] })
    await call(tagsApi.remove, { id: tag })
    const [purged, restored] = await Promise.allSettled([
      call(trashApi.purge, { kind: 'Tag', id: tag }),
      call(tagsApi.restore, { id: tag }),
    ])
    expect([purged.status, restored.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    const { tags } = await call(mediaApi.find, { id: media._id })
    expect(tags).toHaveLength(restored.status === 'fulfilled' ? 1 : 0)
  }
})

test('purging a user ends their sessions and frees their name, but keeps their ratings', async () => {
  const { call } = await signedIn()
  const gone = await signedIn({ role: 'user' })
  const media = await aMedia()
  const { _id: userId, email } = gone.user
  const reset = { tokenHash: 'x', userId, email, createdAt: ago(0), expiresAt: ago(-1) }
  await db.insertInto('resets').values(reset).execute()
  await gone.call(ratingsApi.create, { body: { mediaId: media._id, score: 9, comment: '' } })
  await call(usersApi.remove, { id: gone.user._id })
  await call(trashApi.purge, { kind: 'User', id: gone.user._id })
  await expect(gone.call(mediaApi.find, { id: media._id })).rejects.toMatchObject({ status: 401 })
  expect(await call(ratingsApi.ofMedia, { id: media._id })).toMatchObject([{ userId: gone.user._id, score: 9 }])
  const again = await call(usersApi.create, {
    body: { username: gone.user.username, email: gone.user.email, password: 'another long one', role: 'user' },
  })
  expect(again._id).not.toBe(gone.user._id)
})

/** What stays of a permanently deleted account: what it did, and what expires by itself. */
const STAYS = 'activities batches comments dismissals ratings revisions aiRuns imports presence uploads'.split(' ')

test('a permanently deleted account leaves nothing behind, except what it did and what expires', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aUser()
  const tables = (await db.introspection.getTables()).flatMap(({ name, columns }) => {
    const owner = columns.find((each) => each.name === 'userId' || (each.name === 'createdBy' && !each.isNullable))
    return owner && !STAYS.includes(name) ? [{ name, columns, owner: owner.name }] : []
  })
  for (const { name, columns, owner } of tables) {
    const filled = columns.filter((each) => each.name === owner || (!each.isNullable && !each.hasDefaultValue))
    const values = filled.map((each) => [each.name, /text/i.test(each.dataType) ? 'x' : 1])
    await db
      .insertInto(name as 'views')
      .values({ ...Object.fromEntries(values), [owner]: id } as never)
      .execute()
  }
  await call(usersApi.remove, { id })
  await call(trashApi.purge, { kind: 'User', id })
  const left = (name: string, owner: string) =>
    db
      .selectFrom(name as 'views')
      .select(owner as 'createdBy')
      .where(owner as 'createdBy', '=', id)
      .execute()
  for (const { name, owner } of tables) expect([name, await left(name, owner)]).toEqual([name, []])
})

describe('the trash is searched', () => {
  const titles = ({ data }: { data: { title: string }[] }) => data.map(({ title }) => title)
  const purgeShown = async ({ call }: Awaited<ReturnType<typeof signedIn>>) => {
    for (const { kind, _id: id } of (await call(trashApi.list, { query: { limit: 100 } })).data)
      await call(trashApi.purge, { kind, id })
  }

  test('by any name, as lists are, by who deleted, and by when', async () => {
    const admin = await signedIn()
    await purgeShown(admin)
    const colleague = await signedIn({ role: 'moderator' })
    const media = await aMedia({
      originalTitle: '吾輩は猫である',
      aliases: ['Wagahai'],
      translations: { en: { title: 'I Am a Cat', description: 'Botchan' }, zh: { title: '我是貓', description: '' } },
    })
    const rating = await aRating(media._id, 7)
    const user = await aUser({ username: 'catlover' })
    for (const [api, id] of [
      [ratingsApi, rating],
      [mediaApi, media._id],
      [usersApi, user._id],
    ] as const)
      await admin.call(api.remove as typeof mediaApi.remove, { id })
    const botchan = await aMedia({ translations: { en: { title: 'Botchan', description: '' } } })
    await colleague.call(mediaApi.remove, { id: botchan._id })
    await age('Media', media._id, 10)
    const found = async (query: object) => titles(await admin.call(trashApi.list, { query }))

    expect(await found({ search: 'CAT' })).toEqual(['catlover', 'I Am a Cat', 'I Am a Cat'])
    for (const search of ['我是猫', 'wagahai', '吾輩', 'cat am'])
      expect([search, await found({ search, kind: 'Media' })]).toEqual([search, ['I Am a Cat']])
    expect(await found({ search: 'Botchan' })).toEqual(['Botchan'])
    expect(await found({ search: user.email })).toEqual([])
    expect(await found({ deletedBy: colleague.user._id })).toEqual(['Botchan'])
    expect(await found({ deletedBy: colleague.user._id, search: 'cat' })).toEqual([])
    expect(await found({ deletedTo: ago(5) })).toEqual(['I Am a Cat'])
    expect(await found({ deletedFrom: ago(11), deletedTo: ago(9), search: 'cat' })).toEqual(['I Am a Cat'])
    expect(await found({ deletedFrom: ago(5), kind: 'Media' })).toEqual(['Botchan'])
    expect((await admin.call(trashApi.list, { query: { search: 'cat', limit: 1, page: 2 } })).pagination.total).toBe(3)
    expect(titles(await (await signedIn({ role: 'user' })).call(trashApi.list, { query: { search: 'cat' } }))).toEqual(
      [],
    )
    await purgeShown(admin)
  })

  test('among the last 10,000 deleted, and then from there on', async () => {
    const admin = await signedIn()
    const deleted = momentIn(-DAY_MS)
    const ids = Array.from({ length: 10_001 }, (_, at) => `trashed-${String(at).padStart(5, '0')}`)
    const texts = (name: string) => JSON.stringify({ en: { name, description: '' } })
    const first = await aTag({ translations: { en: { name: 'Needle', description: '' } } })
    const row = await db.selectFrom('tags').selectAll().where('_id', '=', first).executeTakeFirstOrThrow()
    const rows = ids.map((_id, at) => ({
      ...row,
      _id,
      translations: texts(at === 0 ? 'Needle' : `Hay ${at}`),
      deletedAt: deleted,
    }))
    for (let at = 0; at < rows.length; at += 100)
      await db
        .insertInto('tags')
        .values(rows.slice(at, at + 100) as never)
        .execute()
    const query = { search: 'needle' } as const
    const newest = await admin.call(trashApi.list, { query })
    expect(newest).toMatchObject({ data: [], older: new Date(Date.parse(deleted) + 1).toISOString() })
    await age('Tag', ids[0] ?? '', 2)
    const { older = '' } = await admin.call(trashApi.list, { query })
    expect(titles(await admin.call(trashApi.list, { query: { ...query, deletedTo: ago(1.5) } }))).toEqual(['Needle'])
    expect(Date.parse(older)).toBeGreaterThan(Date.parse(ago(2.1)))
    await db.deleteFrom('tags').where('_id', 'like', 'trashed-%').execute()
  })
})

test('the trash is read from its indexes', async () => {
  const { call } = await signedIn()
  const member = await signedIn({ role: 'user', scores: 300 })
  const sorted = 'A page of each kind comes in order; only these few are put together'
  await expectIndexed(() => call(trashApi.list, { query: { page: 3 } }), { sorted })
  await expectIndexed(() => call(trashApi.list, { query: { kind: 'Media' } }), { sorted })
  await expectIndexed(() => member.call(trashApi.list), { sorted })
  const query = { search: 'kokoro', deletedBy: member.user._id, deletedFrom: ago(9), deletedTo: ago(1) }
  await expectIndexed(() => call(trashApi.list, { query }), { sorted })
  await expectIndexed(purgeAll)
})
