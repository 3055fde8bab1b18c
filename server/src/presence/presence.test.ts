import { MAX_NAMED_EDITORS, type PresenceEvent } from '@mokuroku/contract/presence'
import { authApi } from '@mokuroku/contract/auth'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { momentIn } from '#lib/clock.ts'
import { fromNow } from '#database/clock.ts'
import { db } from '#database/db.ts'
import { databaseState, stateOf } from '#database/state.ts'
import { publishEntity } from '#ledger/changes.ts'
import { newId } from '#lib/ids.ts'
import { SYSTEM } from '#access/permissions.ts'
import { media } from '#store/media'
import { users } from '#store/users'
import { app, signedIn, withApp } from '#test/app.ts'
import { aMedia, aTier, aUser } from '#test/factories.ts'
import { listen } from '#test/stream.ts'
import { rows } from './rows.ts'

withApp()

let url: string
beforeAll(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

type SignedIn = Awaited<ReturnType<typeof signedIn>>
type Stream = Awaited<ReturnType<typeof listen>>
const open: Stream[] = []
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

const streamOf = (query: string) => `${url}${notificationsApi.stream.path}?${query}`

/** The stream of a user who has an entity open in an editor. */
async function edits({ token }: SignedIn, entityId: string, entityType = 'Media') {
  const stream = await listen(streamOf(`entityType=${entityType}&entityId=${entityId}`), token)
  open.push(stream)
  return stream
}

/** The next event of the given type: who has the entity open, or its version. */
async function next<Event extends PresenceEvent['event']>(stream: Stream, event: Event) {
  for (;;) {
    const found = await stream.next()
    if (!found) throw new Error('The stream has ended')
    if (found.event === event) return found.data as (PresenceEvent & { event: Event })['data']
  }
}

const rowsOf = async (entityId: string) =>
  db.selectFrom('presence').selectAll().where('entityId', '=', entityId).execute()

test('two users with the same entity open see each other until one leaves', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const { _id: id } = await aMedia()
  const first = await edits(one, id)
  expect(await next(first, 'version')).toEqual({ entityId: id, version: 1 })
  const second = await edits(two, id)
  expect(await next(second, 'editors')).toEqual({
    entityId: id,
    people: [{ _id: one.user._id, username: one.user.username, avatar: '' }],
    count: 1,
  })
  expect((await next(first, 'editors')).people[0]?.username).toBe(two.user.username)
  second.close()
  expect(await next(first, 'editors')).toEqual({ entityId: id, people: [], count: 0 })
  first.close()
  await expect.poll(() => rowsOf(id)).toEqual([])
})

test('does not show users to themselves or to users with another entity open', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const [{ _id: id }, { _id: other }] = [await aMedia(), await aMedia()]
  const first = await edits(one, id)
  await next(first, 'version')
  await next(await edits(one, id), 'version')
  await next(await edits(two, other), 'version')
  const third = await edits(await signedIn(), id)
  expect(await next(third, 'editors')).toMatchObject({ count: 1 })
})

test('sends the new version to open editors after a save and a deletion', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const { _id: id } = await aMedia()
  const stream = await edits(one, id)
  await next(stream, 'version')
  await media.update(id, { episodes: 12 }, { actor: two.actor })
  expect(await next(stream, 'version')).toEqual({ entityId: id, version: 2 })
  await media.remove(id, { actor: two.actor })
  expect(await next(stream, 'version')).toEqual({ entityId: id, version: 3 })
  const { data } = await one.call(revisionsApi.list, { query: { entityType: 'Media', entityId: id, limit: 1 } })
  expect(data).toMatchObject([{ action: 'delete', version: 3, username: two.user.username }])
})

test('does not send uncommitted versions', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const { _id: id } = await aMedia()
  const stream = await edits(one, id)
  await next(stream, 'version')
  await expect(media.update(id, { tags: ['nowhere'] }, { actor: two.actor })).rejects.toMatchObject({ status: 400 })
  await media.update(id, { episodes: 1 }, { actor: two.actor })
  expect((await next(stream, 'version')).version).toBe(2)
})

test('class 4: neither shows nor informs users without permission to edit, or who have lost it', async () => {
  await aTier(100, { canEditAnyContent: true })
  const [admin, editor, reader] = [
    await signedIn(),
    await signedIn({ role: 'user', scores: 100 }),
    await signedIn({ role: 'user' }),
  ]
  const { _id: id } = await aMedia()
  const watching = await edits(admin, id)
  await next(watching, 'version')
  const refused = await edits(reader, id)
  expect(await refused.next()).toMatchObject({ event: 'unread' })
  const allowed = await edits(editor, id)
  expect((await next(allowed, 'editors')).people[0]?.username).toBe(admin.user.username)
  expect(await next(watching, 'editors')).toMatchObject({ count: 1, people: [{ username: editor.user.username }] })
  expect(await rowsOf(id)).toHaveLength(2)
  await users.update(editor.user._id, { scores: 0 }, { actor: SYSTEM })
  // Makes the streams check again, like the refresh every seven seconds.
  publishEntity(id)
  expect(await next(watching, 'editors')).toMatchObject({ count: 0 })
  expect(await next(allowed, 'editors')).toMatchObject({ count: 0 })
  await media.update(id, { episodes: 3 }, { actor: SYSTEM })
  const rest = refused.rest()
  await reader.call(authApi.logout)
  expect((await rest).map(({ event }) => event)).not.toContain('version')
})

test('only administrators see who has an account open', async () => {
  const [admin, other, moderator] = [await signedIn(), await signedIn(), await signedIn({ role: 'moderator' })]
  const { _id: id } = await aUser()
  await next(await edits(admin, id, 'User'), 'version')
  const refused = await edits(moderator, id, 'User')
  expect(await refused.next()).toMatchObject({ event: 'unread' })
  expect(await next(await edits(other, id, 'User'), 'editors')).toMatchObject({ count: 1 })
})

test('removes a user when the session ends', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const { _id: id } = await aMedia()
  const stream = await edits(one, id)
  await next(stream, 'version')
  await next(await edits(two, id), 'version')
  expect(await next(stream, 'editors')).toMatchObject({ count: 1 })
  await two.call(authApi.logout)
  expect(await next(stream, 'editors')).toMatchObject({ count: 0 })
})

test('shows users of a server that has died until their rows expire, within half a minute', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const { _id: id } = await aMedia()
  const gone = { entityType: 'Media' as const, entityId: id, userId: two.user._id, server: 'gone' }
  const insert = (ms: number) =>
    db
      .insertInto('presence')
      .values({ _id: newId(), ...gone, expiresAt: fromNow(ms) })
      .execute()
  await insert(21_000)
  const stream = await edits(one, id)
  expect(await next(stream, 'editors')).toMatchObject({ count: 1 })
  await db.deleteFrom('presence').where('server', '=', 'gone').execute()
  await insert(-1)
  publishEntity(id)
  expect(await next(stream, 'editors')).toMatchObject({ count: 0 })
  await rows.refresh()
  const expiring = (ms: number) =>
    db.selectFrom('presence').select('userId').where('entityId', '=', id).where('expiresAt', '<', fromNow(ms)).execute()
  expect(await expiring(17_000)).toEqual([])
  // With the seven seconds until the streams check again, it is gone within 30.
  expect(await expiring(22_500)).toEqual([{ userId: one.user._id }])
})

test('does not show users of a server that died while the clock was an hour ahead', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const { _id: entityId } = await aMedia()
  const gone = { entityType: 'Media' as const, entityId, userId: two.user._id, server: 'gone' }
  await db
    .insertInto('presence')
    .values({ _id: newId(), ...gone, expiresAt: fromNow(3_622_000) })
    .execute()
  expect(await rows.editors({ entityType: 'Media', entityId }, one.user._id)).toMatchObject({ count: 0 })
  await rows.refresh()
  expect(await rowsOf(entityId)).toEqual([])
})

test('does not keep showing a user who left while the database was away', async () => {
  const { user } = await signedIn()
  const opened = { entityType: 'Media', entityId: (await aMedia())._id } as const
  const id = await rows.enter(opened, user._id)
  const [row] = await rowsOf(opened.entityId)
  await rows.leave(id, opened)
  const left = { ...(row as NonNullable<typeof row>), expiresAt: momentIn(20_000) }
  await db.insertInto('presence').values(left).execute()
  await rows.refresh()
  expect(await rowsOf(opened.entityId)).toEqual([left])
})

test('shows a user again whose row another server has deleted', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const { _id: id } = await aMedia()
  const first = await edits(one, id)
  await next(first, 'version')
  await next(await edits(two, id), 'version')
  expect(await next(first, 'editors')).toMatchObject({ count: 1 })
  await db.deleteFrom('presence').where('userId', '=', two.user._id).execute()
  publishEntity(id)
  expect(await next(first, 'editors')).toMatchObject({ count: 0 })
  await rows.refresh()
  publishEntity(id)
  expect(await next(first, 'editors')).toMatchObject({ count: 1, people: [{ username: two.user.username }] })
})

test('changes nothing that cached responses depend on', async () => {
  const { _id: entityId } = await aMedia()
  const stateNow = async () => {
    const query = db.selectFrom('users').select(databaseState().as('state')).limit(1)
    return stateOf((await query.executeTakeFirstOrThrow()).state ?? '')
  }
  const comeAndGo = async () => {
    const before = await stateNow()
    const opened = { entityType: 'Media', entityId } as const
    const id = await rows.enter(opened, newId())
    await rows.refresh()
    await rows.leave(id, opened)
    return (await stateNow()) === before
  }
  // On PostgreSQL, repeated until no other test writes in between.
  await expect.poll(comeAndGo).toBe(true)
})

test('names some of many users, and counts all', async () => {
  const { _id: id } = await aMedia()
  for (let each = 0; each < MAX_NAMED_EDITORS + 2; each++) {
    const { _id: userId } = await aUser()
    const row = { _id: newId(), entityType: 'Media' as const, entityId: id, userId, server: 'another' }
    await db
      .insertInto('presence')
      .values({ ...row, expiresAt: fromNow(20_000) })
      .execute()
  }
  const { people, count } = await next(await edits(await signedIn(), id), 'editors')
  expect([people.length, count]).toEqual([MAX_NAMED_EDITORS, MAX_NAMED_EDITORS + 2])
})

test('limits a user to ten open editors, and adds no row for a missing or invalid entity', async () => {
  const caller = await signedIn()
  const { _id: id } = await aMedia()
  for (let each = 0; each < 10; each++) await next(await edits(caller, id), 'version')
  await expect(edits(caller, id)).rejects.toMatchObject({ status: 429 })
  expect(await rowsOf(id)).toHaveLength(10)
  const other = await signedIn()
  const nowhere = await edits(other, 'nowhere')
  expect(await nowhere.next()).toMatchObject({ event: 'unread' })
  expect(await rowsOf('nowhere')).toEqual([])
  for (const query of ['entityType=Nothing&entityId=x', 'who=me'])
    await expect(listen(streamOf(query), other.token)).rejects.toMatchObject({ status: 400 })
})
