import { mediaApi, MediaQuery } from '@mokuroku/contract/media'
import { newTier } from '@mokuroku/contract/tiers'
import { findingsApi } from '@mokuroku/contract/findings'
import { MAX_CLAIM, MAX_RESERVED, RESERVED_MS, workApi } from '@mokuroku/contract/work'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { momentIn, time } from '#lib/clock.ts'
import { SYSTEM } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import { lists } from '#store/lists'
import { media } from '#store/media'
import { tiers } from '#store/tiers'
import { work } from '#store/work'
import { signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, mediaInput } from '#test/factories.ts'
import { analyze, expectIndexed } from '#test/plans.ts'

withApp()

let tag: string
/** The media of a test, in queue order. */
let queue: string[]

beforeEach(async () => {
  tag = await aTag()
  queue = []
  for (let at = 0; at < 5; at += 1) queue.push((await aMedia({ tags: [tag] }))._id)
  queue.sort()
})

const claimOf = (more: object = {}) => ({ entityType: 'Media' as const, filter: { tags: tag }, limit: 2, ...more })
const lapse = () => db.updateTable('reservations').set({ until: '2020-01-01T00:00:00.000Z' }).execute()

test('two users get different entities, each the next ones in the queue', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const before = time()
  const first = await one.call(workApi.claim, { body: claimOf() })
  expect(first).toMatchObject({ ids: queue.slice(0, 2), total: 5 })
  expect(Date.parse(first.until)).toBeGreaterThanOrEqual(before + RESERVED_MS)
  expect((await two.call(workApi.claim, { body: claimOf({ limit: 9 }) })).ids).toEqual(queue.slice(2))
  expect((await one.call(workApi.claim, { body: claimOf({ limit: 9 }) })).ids).toEqual(queue.slice(0, 2))
  expect((await one.call(workApi.claim, { body: claimOf({ after: queue[1] }) })).ids).toEqual([])
})

test('concurrent claims share no entity', async () => {
  const people = await Promise.all([1, 2, 3].map(() => signedIn()))
  const claimed = await Promise.all(people.map(({ call }) => call(workApi.claim, { body: claimOf() })))
  const ids = claimed.flatMap((each) => each.ids)
  expect(ids.toSorted()).toEqual(queue)
})

test('a released or expired reservation is free again', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const { ids } = await one.call(workApi.claim, { body: claimOf() })
  await one.call(workApi.release, { body: { ids: ids.slice(0, 1) } })
  expect((await two.call(workApi.claim, { body: claimOf({ limit: 1 }) })).ids).toEqual([queue[0]])
  await lapse()
  expect((await one.call(workApi.claim, { body: claimOf({ limit: 1 }) })).ids).toEqual([queue[0]])
  await db.updateTable('reservations').set({ until: '2999-01-01T00:00:00.000Z' }).execute()
  expect((await two.call(workApi.claim, { body: claimOf({ limit: 1 }) })).ids).toEqual([queue[0]])
})

test('claiming again renews the reservations of the caller', async () => {
  const { call } = await signedIn()
  const { ids } = await call(workApi.claim, { body: claimOf() })
  await db
    .updateTable('reservations')
    .set({ until: momentIn(1000) })
    .execute()
  const { until } = await call(workApi.claim, { body: claimOf() })
  const rows = await db.selectFrom('reservations').select('until').where('entityId', 'in', ids).execute()
  expect(rows).toEqual([{ until }, { until }])
})

test('a user cannot release the reservations of others', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const { ids } = await one.call(workApi.claim, { body: claimOf() })
  const [own = ''] = (await two.call(workApi.claim, { body: claimOf({ limit: 1 }) })).ids
  await expect(two.call(workApi.release, { body: { ids: [own, ...ids] } })).rejects.toMatchObject({
    status: 403,
    body: { reason: 'Someone else is working on this.' },
  })
  expect((await one.call(workApi.claim, { body: claimOf({ limit: 9 }) })).ids).toEqual([...ids, ...queue.slice(3)])
  expect(await two.call(workApi.release, { body: { ids: ['nothing', own] } })).toEqual({ success: true })
})

test('limits reservations per user, and the daily work deletes expired ones', async () => {
  const { call, actor } = await signedIn()
  for (let at = 5; at < MAX_RESERVED + 5; at += 1) queue.push((await aMedia({ tags: [tag] }))._id)
  let after: string | undefined
  for (let at = 0; at < 4; at += 1)
    after = (await call(workApi.claim, { body: claimOf({ limit: MAX_CLAIM, ...(after && { after }) }) })).ids.at(-1)
  const held = () => db.selectFrom('reservations').select('entityId').where('userId', '=', actor._id).execute()
  expect(await held()).toHaveLength(MAX_RESERVED)
  expect((await held()).map(({ entityId }) => entityId)).toContain(after)
  await lapse()
  await work.deleteExpired()
  expect(await held()).toEqual([])
})

test('corrected and dismissed entities leave the queue', async () => {
  const { call } = await signedIn()
  const filter = { tags: tag, finding: 'missing:zh' }
  const claim = () => call(workApi.claim, { body: claimOf({ filter, limit: 9 }) })
  expect(await claim()).toMatchObject({ ids: queue, total: 5 })
  const [first = '', second = ''] = queue
  const { translations, version } = await call(mediaApi.find, { id: first })
  const body = mediaInput({ tags: [tag], translations: { ...translations, zh: { title: '红楼梦', description: '' } } })
  await call(mediaApi.update, { id: first, body, base: version })
  await call(findingsApi.dismiss, { body: { entityId: second, code: 'missing', language: 'zh' } })
  expect(await claim()).toMatchObject({ ids: queue.slice(2), total: 3 })
})

test('characters and tags have queues, too', async () => {
  const { call } = await signedIn()
  const character = await aCharacter({ tags: [tag] })
  const characters = { entityType: 'Character', filter: { tags: tag } } as const
  expect(await call(workApi.claim, { body: characters })).toMatchObject({ ids: [character], total: 1 })
  const named = await aTag({ translations: { ja: { name: '百合', description: '' } } })
  const tagged = { entityType: 'Tag', filter: { language: 'ja' } } as const
  expect(await call(workApi.claim, { body: tagged })).toMatchObject({ ids: [named], total: 1 })
})

test('offers only entities that the user may edit, and refuses users who may edit none', async () => {
  const { permissions } = newTier()
  const scores = 4000
  await tiers.create(
    {
      ...newTier(),
      name: 'Own',
      requiredScore: scores,
      permissions: { ...permissions, canCreateMedia: true, canEditOwnContent: true },
    },
    { actor: SYSTEM },
  )
  const owner = await signedIn({ role: 'user', scores })
  const own = await media.create(mediaInput({ tags: [tag] }), { actor: owner.actor })
  expect(await owner.call(workApi.claim, { body: claimOf({ limit: 9 }) })).toMatchObject({ ids: [own], total: 1 })
  const others = { tags: tag, createdBy: SYSTEM._id }
  expect(await owner.call(workApi.claim, { body: claimOf({ filter: others }) })).toMatchObject({ ids: [], total: 0 })
  const { call } = await signedIn({ role: 'user' })
  await expect(call(workApi.claim, { body: claimOf() })).rejects.toMatchObject({
    status: 403,
    body: { reason: expect.stringContaining('does not allow editing') },
  })
  expect(await db.selectFrom('reservations').selectAll().where('userId', '=', owner.actor._id).execute()).toHaveLength(
    1,
  )
})

test.each([
  [{ limit: MAX_CLAIM + 1 }, 'limit'],
  [{ limit: 0 }, 'limit'],
  [{ limit: '2' }, 'limit'],
  [{ entityType: 'User' }, 'entityType'],
  [{ filter: { colour: 'red' } }, 'filter.colour'],
  [{ filter: { page: '2' } }, 'filter.page'],
  [{ filter: { sort: 'createdAt' } }, 'filter.sort'],
  [{ filter: { finding: 'unheardOf' } }, 'filter.finding'],
  [{ filter: { tags: { $gt: '' } } }, 'filter.tags'],
  [{ entityType: 'Tag', filter: { tags: 'x' } }, 'filter.tags'],
  [{ after: '' }, 'after'],
  [{ after: 'x'.repeat(65) }, 'after'],
  [{ user: 'somebody' }, 'user'],
])('rejects %j with an error at %s, and reserves nothing', async (wrong, path) => {
  const { call, actor } = await signedIn()
  await expect(call(workApi.claim, { body: { ...claimOf(), ...wrong } as never })).rejects.toMatchObject({
    status: 400,
    errors: [expect.objectContaining({ path })],
  })
  expect(await db.selectFrom('reservations').selectAll().where('userId', '=', actor._id).execute()).toEqual([])
})

test('rejects releasing too many ids, or none', async () => {
  const { call } = await signedIn()
  const ids = Array.from({ length: MAX_RESERVED + 1 }, String)
  await expect(call(workApi.release, { body: { ids } })).rejects.toMatchObject({ status: 400 })
  await expect(call(workApi.release, { body: { ids: [] } })).rejects.toMatchObject({ status: 400 })
})

test('reads the next entities by index, however long the queue is', async () => {
  const { actor } = await signedIn()
  const [one] = await db
    .selectFrom('media')
    .selectAll()
    .where('_id', '=', queue[0] ?? '')
    .execute()
  if (!one) throw new Error('No media')
  const rows = Array.from({ length: 4000 }, (_, at) => ({ ...one, _id: `${String(at).padStart(8, '0')}-many` }))
  const found = rows.map(({ _id }) => ({ entityType: 'Media' as const, entityId: _id, code: 'missing' as const }))
  for (let at = 0; at < rows.length; at += 500) {
    await db
      .insertInto('media')
      .values(rows.slice(at, at + 500))
      .execute()
    const some = found
      .slice(at, at + 500)
      .map((row) => ({ ...row, language: 'zh', field: 'title', since: one.createdAt }))
    await db.insertInto('findings').values(some).execute()
  }
  await analyze()
  const counted = 'as many as the total says exactly'
  const filters: Record<string, string>[] = [{}, { finding: 'missing:zh' }, { missing: 'zh' }, { tags: tag }]
  for (const filter of filters)
    await expectIndexed(() => work.claim({ entityType: 'Media', filter, limit: 6, after: '00003000-many' }, actor), {
      counted,
      sorted: 'the few that a filter leaves',
    })
  await expectIndexed(() => work.deleteExpired())
  const query = z.parse(MediaQuery, { finding: 'missing:zh' })
  expect(await lists.matching('Media', query, '00003000-many', 2)).toEqual(['00003001-many', '00003002-many'])
})

test('a queue by finding is complete and in order, in batches and with other filters', async () => {
  const { actor } = await signedIn()
  const queried = { finding: 'missing:zh' }
  const all = await lists.matching('Media', queried, '', 100_000)
  expect(all.length).toBeGreaterThan(4000)
  expect(all).toEqual([...new Set(all)].toSorted())
  const stepped: string[] = []
  for (let after = ''; ; after = stepped.at(-1) ?? '') {
    const some = await lists.matching('Media', queried, after, 700)
    stepped.push(...some)
    if (some.length === 0) break
  }
  expect(stepped).toEqual(all)
  expect(await lists.matching('Media', { ...queried, tags: tag }, '', 100)).toEqual(queue)
  const filter = { finding: 'missing:zh' }
  expect(await work.claim({ entityType: 'Media', filter, limit: 6, after: all.at(-1) }, actor)).toMatchObject({
    ids: [],
  })
})
