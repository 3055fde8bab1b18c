import { auditApi } from '@mokuroku/contract/audit'
import { authApi } from '@mokuroku/contract/auth'
import { type Batch, batchesApi } from '@mokuroku/contract/batches'
import type { BulkPreview } from '@mokuroku/contract/bulk'
import type { Call, Input } from '@mokuroku/contract/call'
import { charactersApi } from '@mokuroku/contract/characters'
import { jobsApi } from '@mokuroku/contract/jobs'
import { mediaApi } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { tagsApi } from '@mokuroku/contract/tags'
import { describe, expect, test } from 'vitest'
import { fromNow } from '#database/clock.ts'
import { db, transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import { publishJobs } from '#jobs/signal.ts'
import { SYSTEM } from '#access/permissions.ts'
import { newId } from '#lib/ids.ts'
import { media } from '#store/media'
import { users } from '#store/users'
import { app, idle, signedIn, startEmpty, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aStuck, aStuckBatch, aTag, aTier } from '#test/factories.ts'
import { expectFoundByIds, statementsOf } from '#test/plans.ts'
import { stepsOf } from '#test/steps.ts'
import { listen } from '#test/stream.ts'

withApp()

type BulkBody = Omit<Input<typeof mediaApi.bulk>['body'], 'dryRun'>
const startedBy = async (call: Call, body: BulkBody) =>
  ((await call(mediaApi.bulk, { body })) as { batch: string }).batch
const ended = async (call: Call, id: string): Promise<Batch> => {
  await idle()
  return call(batchesApi.find, { id })
}
const bulk = async (call: Call, body: BulkBody): Promise<Batch> => ended(call, await startedBy(call, body))
const preview = async (call: Call, body: BulkBody) =>
  (await call(mediaApi.bulk, { body: { ...body, dryRun: true } })) as BulkPreview
const someMedia = async (count: number, more: Parameters<typeof aMedia>[0] = {}, as?: Parameters<typeof aMedia>[1]) => {
  const ids: string[] = []
  for (let each = 0; each < count; each++) ids.push((await aMedia(more, as))._id)
  return ids
}
const revisionsOf = (batch: string) =>
  db.selectFrom('revisions').select(['entityId', 'action', 'paths', 'username']).where('batch', '=', batch).execute()
const rowsOf = (ids: string[]) => db.selectFrom('media').selectAll().where('_id', 'in', ids).orderBy('_id').execute()

/** The texts of an entity of 900 kB. */
const largeTexts = () => {
  const description = 'x'.repeat(50_000)
  const languages = 'de en es fr it ja ko nl pl pt ru sv th tr uk vi zh zh-Hant'.split(' ')
  return Object.fromEntries(languages.map((language) => [language, { title: 'Large', description }]))
}

test('class 16: large entities are written in transactions of a few megabytes', async () => {
  const { actor } = await signedIn()
  const change = async (given: object, ids: string[]) => {
    const id = await aStuckBatch(actor, ids, given)
    return stepsOf(id)
  }
  const [small, large] = [await someMedia(6), await someMedia(6, { translations: largeTexts() })]
  expect(await change({ set: { isOngoing: true } }, small)).toEqual([6])
  expect(await change({ set: { isOngoing: true } }, large)).toEqual([4, 2])
  expect(await change({ delete: true }, large)).toEqual([4, 2])
  expect(await change({ restore: true }, large)).toEqual([4, 2])
  expect(await change({ set: { isOngoing: false } }, [...large.slice(0, 3), ...small, ...large.slice(3)])).toEqual([
    10, 2,
  ])
  expect((await rowsOf([...small, ...large])).every(({ isOngoing, deletedAt }) => !isOngoing && !deletedAt)).toBe(true)
})

test('class 16: the rows of a batch, and the sizes of its entities, are read for several transactions at once', async () => {
  const { actor } = await signedIn()
  const statements = async (count: number) => {
    const ids = Array.from({ length: count }, () => newId())
    const batch = await aStuckBatch(actor, ids)
    return statementsOf(() => stepsOf(batch))
  }
  await statements(1)
  const ofTransaction = (await statements(21)) - (await statements(20))
  expect((await statements(201)) - (await statements(200))).toBe(ofTransaction + 2)
})

test('class 16: batches, rollbacks and previews read each page of entities by their ids', async () => {
  const { actor, call } = await signedIn()
  const ids = await someMedia(3)
  const change = { set: { isOngoing: true }, addTags: [await aTag()] }
  await expectFoundByIds(() => preview(call, { ids, change: { isOngoing: true } }))
  const batch = await aStuckBatch(actor, ids, change)
  await expectFoundByIds(() => stepsOf(batch))
  await db.updateTable('jobs').set({ state: 'done' }).where('_id', '=', batch).execute()
  const body = { reason: 'a test' }
  await expectFoundByIds(() => call(batchesApi.rollback, { id: batch, body: { ...body, dryRun: true } }))
  const targets = ids.map((id) => ({ kind: 'Media' as const, id }))
  const rollback = await aStuck(actor, targets, { what: 'rollback', rollsBack: batch, ...body })
  await expectFoundByIds(() => stepsOf(rollback))
  expect((await rowsOf(ids)).map(({ isOngoing, tags }) => [isOngoing, tags])).toEqual(ids.map(() => [false, []]))
})

test('class 16: a preview reads large entities, and their versions, in several parts', async () => {
  const { call } = await signedIn()
  const translations = largeTexts()
  const change = { addTags: [await aTag()] }
  const [small, large] = [await someMedia(6), await someMedia(6, { translations })]
  const previewed = (ids: string[]) => statementsOf(() => preview(call, { ids, change }))
  await previewed(small)
  expect(await previewed(large)).toBeGreaterThan(await previewed(small))
  expect(await preview(call, { ids: large, change })).toMatchObject({ changes: { count: 6, ids: large } })

  const batches = [await startedBy(call, { ids: small, change }), await startedBy(call, { ids: large, change })]
  await idle()
  const rollback = (id = '') => call(batchesApi.rollback, { id, body: { reason: 'a test', dryRun: true } })
  const [ofSmall, ofLarge] = [
    await statementsOf(() => rollback(batches[0])),
    await statementsOf(() => rollback(batches[1])),
  ]
  expect(ofLarge).toBeGreaterThan(ofSmall)
})

describe('a bulk change', () => {
  test('writes each row once, with one batch on every revision, and skips unchanged rows', async () => {
    const { call, user } = await signedIn()
    const [kept, gone, added] = [await aTag(), await aTag(), await aTag()]
    const ids = await someMedia(45, { tags: [kept, gone] })
    const already = await someMedia(2, { tags: [kept, added], isOngoing: true })
    const body = { ids: [...ids, ...already], change: { addTags: [added], removeTags: [gone], isOngoing: true } }
    expect(await preview(call, body)).toEqual({
      changes: { count: 45, ids },
      unchanged: { count: 2, ids: already },
      refused: { count: 0, ids: [], reasons: [] },
    })
    expect((await rowsOf(ids)).every(({ version }) => version === 1)).toBe(true)

    const batch = await bulk(call, body)
    expect(batch).toMatchObject({
      what: 'change',
      kind: 'Media',
      state: 'done',
      change: { set: { isOngoing: true }, addTags: [added], removeTags: [gone] },
      createdBy: { _id: user._id, username: user.username },
      total: 47,
      done: 47,
      changed: 45,
      unchanged: 2,
      refused: 0,
    })
    for (const row of await rowsOf(ids)) expect(row).toMatchObject({ version: 2, tags: [kept, added], isOngoing: true })
    for (const row of await rowsOf(already)) expect(row).toMatchObject({ version: 1 })
    const revisions = await revisionsOf(batch._id)
    expect(revisions.map(({ entityId }) => entityId).toSorted()).toEqual(ids.toSorted())
    expect(revisions[0]).toMatchObject({ action: 'update', username: user.username })
    expect(revisions[0]?.paths.toSorted()).toEqual(['isOngoing', 'tags'])
  })

  test('returns 202, and 200 for a preview', async () => {
    const { token } = await signedIn()
    const [id] = await someMedia(1)
    const post = (body: object) =>
      app.inject({
        method: 'POST',
        url: '/api/media/bulk',
        headers: { authorization: `Bearer ${token}` },
        payload: body,
      })
    const change = { isOngoing: true }
    expect((await post({ ids: [id], change, dryRun: true })).statusCode).toBe(200)
    expect((await post({ ids: [id], change })).statusCode).toBe(202)
  })

  test('is previewed without a statement for each entity', async () => {
    const { call } = await signedIn()
    const [kept, tag] = [await aTag(), await aTag()]
    const many = await someMedia(60, { tags: [kept] })
    // Maximum number of statements for sixty entities, including those of the request itself and of background work.
    const FEW = 30
    const cost = (ids: string[], change: BulkBody['change']) => statementsOf(() => preview(call, { ids, change }))
    for (const change of [{ addTags: [tag], isOngoing: true }, { delete: true as const }])
      expect(await cost(many, change)).toBeLessThan(FEW)
    const batch = await bulk(call, { ids: many, change: { addTags: [tag] } })
    const costOfRollback = ({ _id: id }: Batch) =>
      statementsOf(() => call(batchesApi.rollback, { id, body: { reason: 'test', dryRun: true } }))
    expect(await costOfRollback(batch)).toBeLessThan(FEW)
    const gone = await bulk(call, { ids: many, change: { delete: true } })
    expect(gone.changed).toBe(60)
    expect(await cost(many, { restore: true })).toBeLessThan(FEW)
  })

  test('previews many merged entities with few statements', async () => {
    const { call } = await signedIn()
    const merged = await someMedia(10)
    const { _id: into } = await aMedia()
    for (const from of merged)
      await call(mediaApi.merge, { id: into, body: { from: { _id: from, version: 1 }, pick: {} } })
    for (const change of [{ isOngoing: true }, { restore: true as const }]) {
      const cost = (ids: string[]) => statementsOf(() => preview(call, { ids, change }))
      const few = await cost(merged.slice(0, 2))
      expect(await cost(merged)).toBe(few)
      expect(await preview(call, { ids: merged, change })).toMatchObject({ refused: { count: 10 } })
    }
  })

  test('applies to the rows that match a list filter when the batch begins', async () => {
    await startEmpty()
    const { call } = await signedIn()
    const wanted = await someMedia(3, { mediaType: 'NOVEL' })
    await someMedia(1, { mediaType: 'NOVEL', isOngoing: true })
    const body = {
      // As in the list's own URL, including the order.
      filter: { type: 'NOVEL' as const, isOngoing: false as never, sort: '-releaseDate' } as object,
      change: { releaseDate: '2001-01-01T00:00:00.000Z' },
    }
    expect((await preview(call, body)).changes.ids.toSorted()).toEqual(wanted.toSorted())
    const batch = await startedBy(call, body)
    await someMedia(1, { mediaType: 'NOVEL' })
    expect(await ended(call, batch)).toMatchObject({ total: 3, changed: 3 })
  })

  test('deletes and restores, and reports unchanged and missing rows', async () => {
    const { call } = await signedIn()
    const [one = '', two = ''] = await someMedia(2, { translations: {} })
    await media.remove(two, { actor: SYSTEM })
    const missing = newId()
    const gone = await bulk(call, { ids: [one, two, missing], change: { delete: true } })
    expect(gone).toMatchObject({ changed: 1, unchanged: 1, refused: 1 })
    expect((await rowsOf([one, two])).every(({ deletedAt }) => deletedAt !== null)).toBe(true)
    const titles = await call(batchesApi.results, { id: gone._id, query: { outcome: 'changed' } })
    expect(titles.data).toMatchObject([{ title: '', translations: {} }])
    const { data } = await call(batchesApi.results, { id: gone._id, query: { outcome: 'refused' } })
    expect(data).toEqual([
      {
        kind: 'Media',
        _id: missing,
        title: null,
        outcome: 'refused',
        code: 'notFound',
        message: 'Media not found',
        kept: [],
      },
    ])
    const change = { isOngoing: true }
    expect(await bulk(call, { ids: [one, two], change })).toMatchObject({ refused: 2 })
    const [into = '', from = ''] = await someMedia(2)
    await call(mediaApi.merge, { id: into, body: { from: { _id: from, version: 1 }, pick: {} } })
    const asked = await call(mediaApi.bulk, { body: { ids: [one, from], change, dryRun: true } })
    expect(asked).toMatchObject({
      refused: {
        reasons: [
          { id: one, message: 'This item is in the trash. Restore it first.' },
          // It cannot be restored.
          { id: from, message: 'This entry was merged into another one. Undo the merge to get it back.' },
        ],
      },
    })
    expect(await bulk(call, { ids: [one, two], change: { restore: true } })).toMatchObject({ changed: 2 })
    expect((await rowsOf([one, two])).every(({ deletedAt }) => deletedAt === null)).toBe(true)
  })

  test('restores only the matching rows in the trash', async () => {
    const { call } = await signedIn()
    const [anime = '', novel = '', kept = ''] = [
      ...(await someMedia(1, { mediaType: 'ANIME' })),
      ...(await someMedia(2, { mediaType: 'NOVEL' })),
    ]
    for (const id of [anime, novel]) await media.remove(id, { actor: SYSTEM })
    const change = { restore: true as const }
    for (const filter of [{ search: 'x' }, { missing: 'fr' }, { tags: 'x', tagsMode: 'none' as const }])
      expect(await preview(call, { filter, change })).toMatchObject({ changes: { count: 0 }, unchanged: { count: 0 } })
    const { changes, unchanged } = await preview(call, { filter: { type: 'NOVEL' }, change })
    expect([changes.ids.includes(novel), changes.ids.includes(anime), unchanged.count]).toEqual([true, false, 0])
    await bulk(call, { filter: { type: 'NOVEL' }, change })
    const rows = await rowsOf([anime, novel, kept])
    expect(rows.filter(({ deletedAt }) => deletedAt !== null).map(({ _id }) => _id)).toEqual([anime])
  })

  test('supports tags and characters, with their own fields', async () => {
    const { call } = await signedIn()
    const [tag, character] = [await aTag(), await aCharacter()]
    const started = [
      await call(tagsApi.bulk, { body: { ids: [tag], change: { status: 'HIDDEN', color: '#abcdef' } } }),
      await call(charactersApi.bulk, { body: { filter: {}, change: { addTags: [tag] } } }),
    ]
    await idle()
    for (const { batch } of started as { batch: string }[])
      expect(await call(batchesApi.find, { id: batch })).toMatchObject({ state: 'done', changed: 1 })
    expect(await call(tagsApi.find, { id: tag })).toMatchObject({ status: 'HIDDEN', color: '#abcdef' })
    expect((await call(charactersApi.find, { id: character })).tags).toMatchObject([{ _id: tag }])
  })

  test('refuses links to missing entities row by row', async () => {
    const { call } = await signedIn()
    const [id = ''] = await someMedia(1)
    const missing = newId()
    const { refused } = await preview(call, { ids: [id], change: { addTags: [missing] } })
    expect(refused.reasons).toEqual([
      { id, code: 'invalid', message: `tags.0: There is no tag with the id ${missing}` },
    ])
    expect(await bulk(call, { ids: [id], change: { addTags: [missing] } })).toMatchObject({ refused: 1, changed: 0 })
  })

  test('writes the other rows when one fails on write', async () => {
    const { call } = await signedIn()
    const [top, middle, other] = [await aTag(), await aTag(), await aTag()]
    await call(tagsApi.bulk, { body: { ids: [middle], change: { parentTag: top } } })
    await idle()
    const { batch } = (await call(tagsApi.bulk, {
      body: { ids: [other, top], change: { parentTag: middle } },
    })) as { batch: string }
    expect(await ended(call, batch)).toMatchObject({ changed: 1, refused: 1, done: 2 })
    expect(await call(tagsApi.find, { id: other })).toMatchObject({ parentTag: middle, version: 2 })
    expect(await call(tagsApi.find, { id: top })).toMatchObject({ parentTag: null, version: 1 })
  })
})

describe('rejects invalid requests with the usual field errors', () => {
  test.each([
    ['neither ids nor a filter', { change: { isOngoing: true } }, 'Give either “ids” or “filter”, not both'],
    ['both', { ids: ['a'], filter: {}, change: { isOngoing: true } }, 'Give either “ids” or “filter”, not both'],
    ['no change', { ids: ['a'], change: {} }, 'change: Please give at least one change'],
    ['an unknown filter', { filter: { colour: 'red' }, change: { isOngoing: true } }, 'filter.colour: Unknown field'],
    ['a page', { filter: { page: 2 }, change: { isOngoing: true } }, 'filter.page: Unknown field'],
    ['a wrong filter', { filter: { type: 'FILM' }, change: { isOngoing: true } }, 'filter.type: Must be one of'],
    ['an unknown field', { ids: ['a'], change: { averageRating: 1 } }, 'change.averageRating: Unknown field'],
    ['texts', { ids: ['a'], change: { translations: {} } }, 'change.translations: Unknown field'],
    ['a name', { ids: ['a'], change: { originalTitle: 'x' } }, 'change.originalTitle: Unknown field'],
    ['a wrong value', { ids: ['a'], change: { isOngoing: 'yes' } }, 'change.isOngoing: Must be true or false'],
    ['null for a required field', { ids: ['a'], change: { mediaType: null } }, 'change.mediaType: Must be one of'],
    ['deleting and more', { ids: ['a'], change: { delete: true, isOngoing: true } }, 'change: Deleting and restoring'],
    [
      'too many ids',
      { ids: Array.from({ length: 1001 }, newId), change: { isOngoing: true } },
      'ids: Must have at most 1000',
    ],
  ])('%s', async (_, body, message) => {
    const { call } = await signedIn()
    await expect(call(mediaApi.bulk, { body: body as never })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message) as string,
    })
  })
})

test('a bulk change by filter covers at most 10,000 entries', async () => {
  const { call, user } = await signedIn()
  const tag = await db
    .selectFrom('tags')
    .selectAll()
    .where('_id', '=', await aTag())
    .executeTakeFirstOrThrow()
  const copies = Array.from({ length: 10_001 }, () => ({ ...tag, _id: newId(), createdBy: user._id }))
  await transaction((tx) => insertRows(tx, 'tags', copies))
  const body = { filter: { createdBy: user._id }, change: { status: 'HIDDEN' as const }, dryRun: true }
  await expect(call(tagsApi.bulk, { body })).rejects.toMatchObject({ status: 400, errors: [{ path: 'filter' }] })
})

describe('permissions of a bulk change', () => {
  test('rejects a batch if none of its rows may be changed, else refuses those rows one by one', async () => {
    await aTier(500, { canEditOwnContent: true })
    const { call, user, actor } = await signedIn({ role: 'user', scores: 500 })
    const others = await someMedia(2)
    const own = await someMedia(2, {}, { actor, verdict: { allowed: true } })
    const change = { isOngoing: true }
    await expect(preview(call, { ids: others, change })).rejects.toMatchObject({ status: 403 })
    await expect(startedBy(call, { ids: others, change })).rejects.toMatchObject({ status: 403 })
    const batch = await bulk(call, { ids: [...others, ...own], change })
    expect(batch).toMatchObject({ changed: 2, refused: 2, createdBy: { _id: user._id } })
    const { data } = await call(batchesApi.results, { id: batch._id, query: { outcome: 'refused' } })
    expect(data.map(({ code, message }) => ({ code, message }))).toEqual(
      others.map(() => ({
        code: 'forbidden',
        message: 'Your tier “Tier 500” does not allow editing other people’s content.',
      })),
    )
  })

  test('results name deleted entities only to those who may restore them', async () => {
    await aTier(550, { canEditOwnContent: true })
    const { call, actor } = await signedIn({ role: 'user', scores: 550 })
    const ids = [...(await someMedia(1)), ...(await someMedia(1, {}, { actor, verdict: { allowed: true } }))]
    const { _id: id } = await bulk(call, { ids, change: { isOngoing: true } })
    const titles = async (by = call) =>
      (await by(batchesApi.results, { id, query: {} })).data.map(({ title }) => title !== null)
    expect(await titles()).toEqual([true, true])
    for (const each of ids) await media.remove(each, { actor: SYSTEM })
    expect(await titles()).toEqual([false, true])
    expect(await titles((await signedIn()).call)).toEqual([true, true])
  })

  test('whoever may restore only their own finds nothing else in the trash with a filter', async () => {
    await aTier(600, { canEditOwnContent: true })
    const [owner, other] = [await signedIn({ role: 'user', scores: 600 }), await signedIn()]
    const [own = ''] = await someMedia(1, {}, { actor: owner.actor, verdict: { allowed: true } })
    const [others = ''] = await someMedia(1, {}, { actor: other.actor })
    for (const id of [own, others]) await media.remove(id, { actor: SYSTEM })
    const found = async (filter: { createdBy?: string }) => {
      const { changes, refused } = await preview(owner.call, { filter, change: { restore: true } })
      return { restored: changes.ids, refused: refused.count }
    }
    expect(await found({})).toEqual({ restored: [own], refused: 0 })
    expect(await found({ createdBy: owner.user._id })).toEqual({ restored: [own], refused: 0 })
    expect(await found({ createdBy: other.user._id })).toEqual({ restored: [], refused: 0 })
  })

  test('refuses the remaining rows when the permission is lost', async () => {
    const [admin, moderator] = [await signedIn(), await signedIn({ role: 'moderator' })]
    const ids = await someMedia(3)
    const earlier = await aStuckBatch(moderator.actor)
    const batch = await startedBy(moderator.call, { ids, change: { isOngoing: true } })
    await aTier(9000, { canEditAnyContent: true })
    await users.update(moderator.user._id, { role: 'user', scores: 8999 }, { actor: SYSTEM })
    await admin.call(batchesApi.cancel, { id: earlier })
    expect(await ended(admin.call, batch)).toMatchObject({ state: 'done', changed: 0, refused: 3 })
    expect((await rowsOf(ids)).every(({ version }) => version === 1)).toBe(true)
  })

  test('refuses the remaining rows when the account is deactivated', async () => {
    const [admin, other] = [await signedIn(), await signedIn()]
    const ids = await someMedia(2)
    const earlier = await aStuckBatch(other.actor)
    const batch = await startedBy(other.call, { ids, change: { isOngoing: true } })
    await users.update(other.user._id, { isActive: false }, { actor: SYSTEM })
    await admin.call(batchesApi.cancel, { id: earlier })
    expect(await ended(admin.call, batch)).toMatchObject({ refused: 2, changed: 0 })
  })

  test('goes on when the session ends', async () => {
    const [admin, other] = [await signedIn(), await signedIn()]
    const ids = await someMedia(2)
    const earlier = await aStuckBatch(other.actor)
    const batch = await startedBy(other.call, { ids, change: { isOngoing: true } })
    await other.call(authApi.logout)
    await admin.call(batchesApi.cancel, { id: earlier })
    expect(await ended(admin.call, batch)).toMatchObject({ changed: 2 })
  })

  test('shows a batch only to the user who began it and to moderators', async () => {
    const [owner, moderator, another] = [
      await signedIn({ role: 'moderator' }),
      await signedIn({ role: 'moderator' }),
      await signedIn({ role: 'user' }),
    ]
    const { _id: id } = await bulk(owner.call, { ids: await someMedia(1), change: { isOngoing: true } })
    for (const { call } of [owner, moderator]) expect((await call(batchesApi.find, { id }))._id).toBe(id)
    expect((await moderator.call(batchesApi.list)).data[0]?._id).toBe(id)
    expect((await another.call(batchesApi.list)).data).toEqual([])
    for (const route of [batchesApi.find, batchesApi.results, batchesApi.cancel])
      await expect(another.call(route, { id })).rejects.toMatchObject({ status: 404 })
  })
})

test('the notification of a batch says what it did', async () => {
  const { call } = await signedIn()
  const ids = await someMedia(1)
  const changes: BulkBody['change'][] = [{ isOngoing: true }, { delete: true }, { restore: true }]
  for (const change of changes) await bulk(call, { ids, change })
  const { data } = await call(notificationsApi.list)
  expect(data.map((one) => one.kind === 'BATCH_FINISHED' && one.data.effect)).toEqual(['restore', 'delete', undefined])
})

test('two batches at once write their own rows, and have their own results', async () => {
  const { call } = await signedIn()
  const [some, others] = [await someMedia(2), [...(await someMedia(1, { isOngoing: true })), ...(await someMedia(1))]]
  const batches = [
    await startedBy(call, { ids: some, change: { isOngoing: true } }),
    await startedBy(call, { ids: others, change: { isOngoing: true } }),
  ]
  await idle()
  const resultsOf = async (id: string) =>
    (await call(batchesApi.results, { id })).data.map(({ _id, outcome }) => [_id, outcome])
  expect(await Promise.all(batches.map(resultsOf))).toEqual([
    [
      [some[0], 'changed'],
      [some[1], 'changed'],
    ],
    [
      [others[0], 'unchanged'],
      [others[1], 'changed'],
    ],
  ])
})

test('notifies the user who began a batch when it ends, and logs it in the audit log', async () => {
  const { call, user } = await signedIn()
  const { _id: batch } = await bulk(call, { ids: [...(await someMedia(2)), newId()], change: { isOngoing: true } })
  const { data } = await call(notificationsApi.list)
  expect(data).toMatchObject([{ kind: 'BATCH_FINISHED', data: { what: 'change', count: 2, failed: 1, batch } }])
  const log = await call(auditApi.list, { query: { target: batch } })
  expect(log.data).toMatchObject([
    { action: 'batches.ended', outcome: 'ok', actorId: user._id, details: { changed: 2, refused: 1, ending: 'done' } },
  ])
})

test('limits the unfinished batches per user', async () => {
  const { call, actor, token } = await signedIn()
  const stuck: string[] = []
  for (let each = 0; each < 5; each++) stuck.push(await aStuckBatch(actor))
  const body = { ids: await someMedia(1), change: { isOngoing: true } }
  await expect(startedBy(call, body)).rejects.toMatchObject({ status: 429, code: 'tooManyBatches' })
  const answer = await app.inject({
    method: 'POST',
    url: '/api/media/bulk',
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  })
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '10'])
  await call(batchesApi.cancel, { id: stuck[0] ?? '' })
  const batch = await startedBy(call, body)
  for (const id of stuck.slice(1)) await call(batchesApi.cancel, { id })
  expect(await ended(call, batch)).toMatchObject({ state: 'done' })
})

test('streams the progress of a batch until it ends', async () => {
  const { call, token } = await signedIn()
  const batch = await startedBy(call, { ids: await someMedia(60), change: { isOngoing: true } })
  const url = app.server.listening ? app.listeningOrigin : await app.listen({ host: '127.0.0.1', port: 0 })
  const events = await (await listen(`${url}/api/batches/${batch}/stream`, token)).rest()
  const seen = events.map(({ data }) => data as Batch)
  expect(seen.at(-1)).toMatchObject({ _id: batch, state: 'done', done: 60, changed: 60 })
  expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((one, two) => one - two))
})

test('a batch that has written its last entity can no longer be cancelled', async () => {
  const { call } = await signedIn()
  const { _id: batch } = await bulk(call, { ids: await someMedia(3), change: { isOngoing: true } })
  // As it is between the last write and the end.
  const running = { state: 'running' as const, finishedAt: null, leaseUntil: fromNow(60_000) }
  await db.updateTable('jobs').set(running).where('_id', '=', batch).execute()
  await expect(call(batchesApi.cancel, { id: batch })).rejects.toMatchObject({ status: 409, code: 'finished' })
  await expect(call(jobsApi.cancel, { id: batch })).rejects.toMatchObject({ status: 409, code: 'finished' })
  await db
    .updateTable('jobs')
    .set({ leaseUntil: fromNow(-1) })
    .where('_id', '=', batch)
    .execute()
  publishJobs()
  await expect.poll(() => call(batchesApi.find, { id: batch })).toMatchObject({ state: 'done', done: 3, total: 3 })
})

test('a cancelled batch writes nothing more', async () => {
  const { call, actor } = await signedIn()
  const ids = await someMedia(3)
  const batch = await aStuckBatch(actor, ids)
  expect(await call(batchesApi.cancel, { id: batch })).toMatchObject({ state: 'cancelled', done: 0, total: 3 })
  await expect(call(batchesApi.cancel, { id: batch })).rejects.toMatchObject({ status: 409, code: 'finished' })
  await idle()
  expect((await rowsOf(ids)).every(({ version }) => version === 1)).toBe(true)
})
