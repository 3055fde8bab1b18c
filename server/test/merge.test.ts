import { setTimeout as sleep } from 'node:timers/promises'
import { batchesApi } from '@mokuroku/contract/batches'
import type { ApiError, Call } from '@mokuroku/contract/call'
import { charactersApi } from '@mokuroku/contract/characters'
import { kinds, TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { mediaApi } from '@mokuroku/contract/media'
import type { MergeInput } from '@mokuroku/contract/merges'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { searchApi } from '@mokuroku/contract/search'
import { tagsApi } from '@mokuroku/contract/tags'
import { trashApi } from '@mokuroku/contract/trash'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { mount } from '#http/mount.ts'
import { serve } from '#http/serve.ts'
import { httpServer } from '#http/server.ts'
import { SYSTEM } from '#access/permissions.ts'
import { findActor } from '#access/session.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import { entityHandlers } from '#ledger/handlers.ts'
import { mergeEntities } from '#ledger/mergeEntities.ts'
import { purge } from '#ledger/purge.ts'
import { newId } from '#lib/ids.ts'
import { assets } from '#store/assets'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { ratings } from '#store/ratings'
import { tags } from '#store/tags'
import { app, idle, signedIn, startEmpty, withApp } from '#test/app.ts'
import { withDictionary } from '#test/dictionary.ts'
import { COUNTERS } from '#test/counters.ts'
import { aCharacter, addLinks, aMedia, aStuck, aTag, aUser, mediaInput, named, titled } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'
import { roundTripsOf, textsOf } from '#test/plans.ts'
import { stepsOf } from '#test/steps.ts'
import { verify } from '../src/admin/verify.ts'

withApp()
withDictionary()

const context = { actor: SYSTEM }
const APIS = { Media: mediaApi, Character: charactersApi, Tag: tagsApi }
const versionOf = async (kind: Translated, id: string) =>
  (await db.selectFrom(TABLES[kind]).select('version').where('_id', '=', id).executeTakeFirstOrThrow()).version

async function merge(call: Call, kind: keyof typeof APIS, id: string, from: string, pick: MergeInput['pick'] = {}) {
  const body = { from: { _id: from, version: await versionOf(kind, from) }, pick }
  return (await call(APIS[kind].merge as typeof mediaApi.merge, { id, body, base: await versionOf(kind, id) })).batch
}
async function undo(call: Call, id: string) {
  const { batch } = (await call(batchesApi.rollback, { id, body: { reason: 'not the same' } })) as { batch: string }
  await idle()
  return call(batchesApi.find, { id: batch })
}
const status = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => (error as ApiError).status,
  )
const aRatingBy = (userId: string, mediaId: string, score: number, at: string) =>
  ratings.create({ userId, mediaId, score, comment: '' }, { ...context, at })
const scoresOf = async (mediaId: string) =>
  (await ratings.ofMedia(mediaId, 1, 50)).map(({ score }) => score).toSorted((one, other) => one - other)
const isWell = () => verify({ repair: false, files: false }, () => undefined)

test('merges two media: combines lists, applies picks, keeps lost titles as aliases, redirects links', async () => {
  const { call, token } = await signedIn()
  const [drama, war, soldier, nurse] = [await aTag(), await aTag(), await aCharacter(), await aCharacter()]
  const survivor = await aMedia({
    translations: { en: { title: 'The Wind', description: '' }, ja: { title: '風', description: '' } },
    tags: [drama],
    characters: [soldier],
    episodes: 12,
  })
  const from = await aMedia({
    translations: { en: { title: 'Wind Rises', description: 'Planes.' }, fr: { title: 'Le vent', description: '' } },
    originalTitle: '風立ちぬ',
    mediaType: 'NOVEL',
    tags: [war, drama],
    characters: [nurse, soldier],
    episodes: 13,
    aliases: ['Kaze'],
  })
  const other = await aMedia({ relatedMedia: [from._id, survivor._id] })
  await merge(call, 'Media', survivor._id, from._id, { 'translations.en.title': 'from', mediaType: 'survivor' })

  const merged = await call(mediaApi.find, { id: survivor._id })
  expect(merged).toMatchObject({
    translations: {
      en: { title: 'Wind Rises', description: 'Planes.' },
      ja: { title: '風', description: '' },
      fr: { title: 'Le vent', description: '' },
    },
    originalTitle: '風立ちぬ',
    mediaType: 'ANIME',
    episodes: 12,
    characters: [soldier, nurse],
    aliases: ['Kaze', 'The Wind'],
  })
  expect(merged.tags.map(({ _id }) => _id)).toEqual([drama, war])
  expect((await call(charactersApi.find, { id: nurse })).mediaRefs).toEqual([survivor._id])
  expect((await call(charactersApi.find, { id: soldier })).mediaRefs).toEqual([survivor._id])
  expect((await call(mediaApi.find, { id: other._id })).relatedMedia.map(({ _id }) => _id)).toEqual([survivor._id])
  const { hits } = await call(searchApi.search, { query: { q: 'kaze', indexName: 'media' } })
  expect(hits.map(({ _id }) => _id)).toEqual([survivor._id])

  const headers = { authorization: `Bearer ${token}` }
  const answer = await app.inject({ url: `/api/media/${from._id}`, headers })
  expect([answer.statusCode, answer.headers.location]).toEqual([308, `/api/media/${survivor._id}`])
  for (const { _id: entityId } of [survivor, from]) {
    const { data } = await call(revisionsApi.list, { query: { entityType: 'Media', entityId } })
    expect(data.at(-1)?.action).toBe('create')
  }
  expect(await isWell()).toBe(true)
})

test('a merged entry answers every call with the same body: reads with 308, writes with 409', async () => {
  const { call, token } = await signedIn()
  const [from, between, last] = [(await aMedia())._id, (await aMedia())._id, (await aMedia())._id]
  const batch = await merge(call, 'Media', between, from)
  await merge(call, 'Media', last, between)
  const headers = { authorization: `Bearer ${token}` }
  const bodyOf = async (method: 'GET' | 'PUT' | 'DELETE' | 'POST', path = '', payload?: object) => {
    const answer = await app.inject({ method, url: `/api/media/${from}${path}`, headers, ...(payload && { payload }) })
    const { requestId: _, message: __, ...body } = answer.json<Record<string, unknown>>()
    return { status: answer.statusCode, ...body }
  }
  const merged = { code: 'merged', from, into: last, batch }
  expect(await bodyOf('GET')).toEqual({ status: 308, ...merged })
  expect(await bodyOf('PUT', '', mediaInput())).toEqual({ status: 409, ...merged })
  expect(await bodyOf('DELETE')).toEqual({ status: 409, ...merged })
  expect(await bodyOf('POST', '/restore')).toEqual({ status: 409, ...merged })
})

test('redirects a call below a merged entry to the same call of the survivor, with its query', async () => {
  const { call, token } = await signedIn()
  const [from, survivor] = [await aCharacter(), await aCharacter()]
  await merge(call, 'Character', survivor, from)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await app.inject({ url: `/api/characters/${from}/media?page=2&limit=5`, headers })
  expect([answer.statusCode, answer.headers.location]).toEqual([
    308,
    `/api/characters/${survivor}/media?page=2&limit=5`,
  ])
})

test('a save is answered with what it wrote if the entry is merged at once, or with 409 if it wrote nothing', async () => {
  const { call, token } = await signedIn()
  const survivor = await aMedia()
  const update: typeof media.update = async (id, ...given) => {
    const written = await media.update(id, ...given)
    await merge(call, 'Media', survivor._id, id)
    return written
  }
  const server = httpServer({ publicUrl: 'http://127.0.0.1' })
  const handlers = entityHandlers({ ...media, update }, 'Media')
  mount(server, serve({ update: mediaApi.update }, { update: handlers.update }), findActor)
  const headers = { authorization: `Bearer ${token}` }
  const input = mediaInput()
  const save = async (payload: object) => {
    const { _id: from } = await aMedia(input)
    const answer = await server.inject({ method: 'PUT', url: `/api/media/${from}`, headers, payload })
    return { from, status: answer.statusCode, location: answer.headers.location, ...answer.json<object>() }
  }
  const changed = await save({ ...input, isOngoing: !input.isOngoing })
  expect(changed).toMatchObject({ status: 200, _id: changed.from, version: 2, isOngoing: !input.isOngoing })
  const unchanged = await save(input)
  expect(unchanged).toMatchObject({ status: 409, code: 'merged', into: survivor._id, batch: expect.any(String) })
  expect([changed.location, unchanged.location]).toEqual([undefined, undefined])
  await server.close()
})

test('redirects the characters and ratings of a merged media to those of the survivor; others have none', async () => {
  const { call, token } = await signedIn()
  const soldier = await aCharacter()
  const [from, survivor] = [await aMedia({ characters: [soldier] }), await aMedia()]
  await aRatingBy((await aUser())._id, from._id, 9, '2026-01-02T00:00:00.000Z')
  await merge(call, 'Media', survivor._id, from._id)
  const headers = { authorization: `Bearer ${token}` }
  for (const path of ['characters', 'ratings']) {
    const answerFor = (id: string) => app.inject({ url: `/api/${path}/media/${id}?page=1&limit=5`, headers })
    const answer = await answerFor(from._id)
    expect([answer.statusCode, answer.headers.location]).toEqual([
      308,
      `/api/${path}/media/${survivor._id}?page=1&limit=5`,
    ])
    expect((await answerFor(survivor._id)).json()).toHaveLength(1)
    const unknown = await answerFor(soldier)
    expect([unknown.statusCode, unknown.json()]).toEqual([200, []])
  }
})

test('keeps the newer of two ratings of a user, and restores both when the merge is undone', async () => {
  const { call } = await signedIn()
  const [survivor, from] = [await aMedia(), await aMedia()]
  const [changed, kept, alone] = [(await aUser())._id, (await aUser())._id, (await aUser())._id]
  await aRatingBy(changed, survivor._id, 2, '2026-01-01T00:00:00.000Z')
  await aRatingBy(changed, from._id, 9, '2026-01-02T00:00:00.000Z')
  await aRatingBy(kept, survivor._id, 4, '2026-01-02T00:00:00.000Z')
  await aRatingBy(kept, from._id, 5, '2026-01-01T00:00:00.000Z')
  const moved = await aRatingBy(alone, from._id, 7, '2026-01-01T00:00:00.000Z')
  const batch = await merge(call, 'Media', survivor._id, from._id)
  expect(await scoresOf(survivor._id)).toEqual([4, 7, 9])
  expect(await call(mediaApi.find, { id: survivor._id })).toMatchObject({ ratingCount: 3, averageRating: 20 / 3 })
  expect(await isWell()).toBe(true)
  await ratings.update(moved, { score: 8 }, context)
  expect(await undo(call, batch)).toMatchObject({ state: 'done', refused: 0 })
  expect([await scoresOf(survivor._id), await scoresOf(from._id)]).toEqual([
    [2, 4],
    [5, 8, 9],
  ])
  expect(await isWell()).toBe(true)
})

test('however many ratings a merge moves, each of the two media is counted once', async () => {
  const { call } = await signedIn()
  const [survivor, from] = [await aMedia(), await aMedia()]
  for (const score of [3, 5, 7]) await aRatingBy((await aUser())._id, from._id, score, '2026-01-01T00:00:00.000Z')
  let batch = ''
  const counts = (texts: string[]) => texts.filter((text) => text.startsWith('update "media" set "ratingHistogram"'))
  expect(counts(await textsOf(async () => (batch = await merge(call, 'Media', survivor._id, from._id))))).toHaveLength(
    2,
  )
  expect(await call(mediaApi.find, { id: survivor._id })).toMatchObject({ ratingCount: 3, averageRating: 5 })
  await undo(call, batch)
  expect(await call(mediaApi.find, { id: from._id })).toMatchObject({ ratingCount: 3, averageRating: 5 })
  expect(await isWell()).toBe(true)
})

test('a merge and its undo wait for the database a few times, and not for each entity that they change', async () => {
  const { call, actor } = await signedIn()
  const merging = async (uses: number): Promise<number[]> => {
    const [tag, former, survivor, from] = [await aTag(), await aTag(), await aMedia(), await aMedia()]
    for (let at = 0; at < uses; at += 1) {
      await aMedia({ tags: [former] })
      const user = (await aUser())._id
      await aRatingBy(user, survivor._id, 4, '2026-01-01T00:00:00.000Z')
      await aRatingBy(user, from._id, 5, '2026-01-02T00:00:00.000Z')
    }
    const batches: string[] = []
    const merges = await roundTripsOf(async () => {
      batches.push(await merge(call, 'Tag', tag, former), await merge(call, 'Media', survivor._id, from._id))
    })
    const undos = await Promise.all(
      batches.map(async (rollsBack) => {
        const rows = await db
          .selectFrom('batchRows')
          .selectAll()
          .where('batch', '=', rollsBack)
          .orderBy('seq')
          .execute()
        const targets = rows.map(({ entityType, entityId }) => ({ kind: entityType, id: entityId }))
        return aStuck(actor, targets, { what: 'rollback', rollsBack })
      }),
    )
    const undoing = await roundTripsOf(async () => {
      for (const each of undos) await stepsOf(each)
    })
    expect(await scoresOf(from._id)).toHaveLength(uses)
    return [merges, undoing]
  }
  const [few, many] = [await merging(2), await merging(22)]
  for (const [at, count] of many.entries()) expect(count - (few[at] ?? 0)).toBeLessThan(20)
  expect(await isWell()).toBe(true)
})

test('takes over links into the trash, which appear once their entities are restored', async () => {
  const { call } = await signedIn()
  const [tag, character, survivor] = [await aTag(), await aCharacter(), await aMedia()]
  const from = await aMedia({ tags: [tag], characters: [character] })
  await tags.remove(tag, context)
  await characters.remove(character, context)
  const batch = await merge(call, 'Media', survivor._id, from._id)
  expect(await isWell()).toBe(true)
  await tags.restore(tag, context)
  await characters.restore(character, context)
  const found = await call(mediaApi.find, { id: survivor._id })
  expect([found.tags.map(({ _id }) => _id), found.characters]).toEqual([[tag], [character]])
  expect((await call(charactersApi.find, { id: character })).mediaRefs).toEqual([survivor._id])
  await undo(call, batch)
  expect((await call(charactersApi.find, { id: character })).mediaRefs).toEqual([from._id])
  expect(await isWell()).toBe(true)
})

test('what was in the trash during a merge belongs to the survivor once it is restored', async () => {
  const { call } = await signedIn()
  const [tag, former, survivor, from] = [await aTag(), await aTag(), await aMedia(), await aMedia()]
  const tagged = await aMedia({ tags: [former] })
  const rating = await aRatingBy((await aUser())._id, from._id, 9, '2026-01-01T00:00:00.000Z')
  await media.remove(tagged._id, context)
  await ratings.remove(rating, context)
  await merge(call, 'Tag', tag, former)
  await merge(call, 'Media', survivor._id, from._id)
  await media.restore(tagged._id, context)
  await ratings.restore(rating, context)
  await purge('Tag', former, context)
  await purge('Media', from._id, context)
  expect((await call(mediaApi.find, { id: tagged._id })).tags.map(({ _id }) => _id)).toEqual([tag])
  expect(await scoresOf(survivor._id)).toEqual([9])
  expect(await isWell()).toBe(true)
})

test('a version, a batch and an undone import that name what was merged since bring back its survivor', async () => {
  const { call } = await signedIn()
  const [tag, former, hero, double] = [await aTag(), await aTag(), await aCharacter(), await aCharacter()]
  const [survivor, from, imported] = [await aMedia(), await aMedia(), newId()]
  const changed = await aMedia({ tags: [former], characters: [double], relatedMedia: [from._id] })
  const untagged = await aMedia({ tags: [former] })
  const rating = await aRatingBy((await aUser())._id, from._id, 9, '2026-01-01T00:00:00.000Z')
  const created = await media.create(mediaInput({ tags: [former], characters: [hero] }), {
    ...context,
    batch: imported,
  })
  await media.update(changed._id, { tags: [], characters: [], relatedMedia: [] }, context)
  await ratings.update(rating, { score: 1 }, context)
  const change = { ids: [untagged._id], change: { removeTags: [former] } }
  const { batch } = (await call(mediaApi.bulk, { body: change })) as { batch: string }
  await idle()
  const undone = await undo(call, imported)
  await merge(call, 'Tag', tag, former)
  await merge(call, 'Character', hero, double)
  await merge(call, 'Media', survivor._id, from._id)

  const restoreFirst = async (entityType: 'Media' | 'Rating', entityId: string) => {
    const { data } = await call(revisionsApi.list, { query: { entityType, entityId } })
    await call(revisionsApi.restore, { id: data.at(-1)?._id ?? '', body: {} })
  }
  await restoreFirst('Media', changed._id)
  await restoreFirst('Rating', rating)
  for (const each of [batch, undone._id]) expect(await undo(call, each)).toMatchObject({ changed: 1, refused: 0 })
  const restored = { tags: [{ _id: tag }], characters: [hero], relatedMedia: [{ _id: survivor._id }] }
  expect(await call(mediaApi.find, { id: changed._id })).toMatchObject(restored)
  for (const id of [untagged._id, created])
    expect(await call(mediaApi.find, { id })).toMatchObject({ tags: [{ _id: tag }] })
  expect([await scoresOf(survivor._id), await scoresOf(from._id)]).toEqual([[9], []])
  expect(await isWell()).toBe(true)
})

test('undoing an import leaves what was merged since as it is, and each merge can still be undone', async () => {
  const { call } = await signedIn()
  const imported = newId()
  const create = () => media.create(mediaInput(), { ...context, batch: imported })
  const [merged, survivor, alone] = [await create(), await create(), await create()]
  const [{ _id: kept }, { _id: double }] = [await aMedia(), await aMedia()]
  const first = await merge(call, 'Media', kept, merged)
  const second = await merge(call, 'Media', survivor, double)
  expect(await undo(call, imported)).toMatchObject({ changed: 1 })
  const isThere = async (id: string) => (await status(call(mediaApi.find, { id }))) === 200
  expect([await isThere(alone), await isThere(survivor), await isThere(kept)]).toEqual([false, true, true])
  expect(await isWell()).toBe(true)
  for (const batch of [first, second]) expect(await undo(call, batch)).toMatchObject({ state: 'done', refused: 0 })
  for (const id of [merged, kept, survivor, double]) expect(await isThere(id)).toBe(true)
  expect(await isWell()).toBe(true)
})

test('merges and the undo of an import or of merges at the same moment leave the catalogue consistent', async () => {
  const { call } = await signedIn()
  const imported = newId()
  const create = () => media.create(mediaInput({ tags: [tag] }), { ...context, batch: imported })
  const tag = await aTag()
  const [one, other, third] = [await create(), await create(), await create()]
  const start = (id: string) => status(call(batchesApi.rollback, { id, body: { reason: 'not the same' } }))
  const first = await merge(call, 'Media', one, other)
  await Promise.all([status(merge(call, 'Media', third, one)), start(first), start(imported)])
  await idle()
  expect(await isWell()).toBe(true)
})

test('an entity in the trash that is related to both merged ones gets one revision, and keeps its order', async () => {
  const { call } = await signedIn()
  const [from, survivor, other] = [await aMedia(), await aMedia(), await aMedia()]
  const mediaRefs = [survivor._id, from._id, other._id]
  const soldier = await aCharacter({ mediaRefs })
  await call(charactersApi.remove, { id: soldier })
  const version = await versionOf('Character', soldier)
  await merge(call, 'Media', survivor._id, from._id)
  expect(await versionOf('Character', soldier)).toBe(version + 1)
  const restored = await call(charactersApi.restore, { id: soldier })
  expect(restored.mediaRefs).toEqual([survivor._id, other._id])
  expect(await isWell()).toBe(true)
})

test('a version that names what was merged into the entity itself can be restored', async () => {
  const { call } = await signedIn()
  const parent = await aTag()
  const child = await aTag({ parentTag: parent })
  await merge(call, 'Tag', child, parent)
  const { data } = await call(revisionsApi.list, { query: { entityType: 'Tag', entityId: child } })
  await call(revisionsApi.restore, { id: data.at(-1)?._id ?? '', body: {} })
  expect(await call(tagsApi.find, { id: child })).toMatchObject({ parentTag: null })
})

test('undoing a merge brings back the survivor of a tag merged since, and a cover that is in the trash', async () => {
  const { call, token } = await signedIn()
  const [{ body: old }, { body: picked }] = [
    await send(await aPicture(40, 30), 'old.png', { token }),
    await send(await aPicture(30, 40), 'picked.png', { token }),
  ]
  const [tag, former, survivor] = [await aTag(), await aTag(), await aMedia({ cover: old._id })]
  const from = await aMedia({ tags: [former], cover: picked._id })
  const batch = await merge(call, 'Media', survivor._id, from._id, { cover: 'from' })
  await merge(call, 'Tag', tag, former)
  await assets.remove(old._id, context)
  expect(await undo(call, batch)).toMatchObject({ changed: 2, refused: 0 })
  expect((await call(mediaApi.find, { id: from._id })).tags).toMatchObject([{ _id: tag }])
  await assets.restore(old._id, context)
  expect((await call(mediaApi.find, { id: survivor._id })).cover).toMatchObject({ _id: old._id })
  expect(await isWell()).toBe(true)
})

test.each([true, false])(
  'undoing a merge brings back the survivor of a character merged since (purged: %s)',
  async (isPurged) => {
    const { call } = await signedIn()
    const [hero, double, survivor] = [await aCharacter(), await aCharacter(), await aMedia()]
    const from = await aMedia({ characters: [double] })
    const batch = await merge(call, 'Media', survivor._id, from._id)
    await media.update(survivor._id, { characters: [] }, context)
    const later = await merge(call, 'Character', hero, double)
    if (isPurged) await purge('Character', double, context)
    expect(await undo(call, batch)).toMatchObject({ state: 'done', refused: 0 })
    expect(await call(mediaApi.find, { id: from._id })).toMatchObject({ characters: [hero], characterCount: 1 })
    expect(await call(charactersApi.find, { id: hero })).toMatchObject({ mediaRefs: [from._id], mediaCount: 1 })
    expect(await isWell()).toBe(true)
    if (isPurged) return
    await undo(call, later)
    await media.remove(from._id, context)
    await media.restore(from._id, context)
    expect(await isWell()).toBe(true)
  },
)

test.each(['the reverse', 'the same'])(
  'undoing merges of characters and of media that they appear in, in %s order, restores their relations',
  async (order) => {
    const { call } = await signedIn()
    const [hero, double] = [await aCharacter(), await aCharacter()]
    const [one, other] = [await aMedia({ characters: [double] }), await aMedia({ characters: [double, hero] })]
    const batches = [await merge(call, 'Character', hero, double), await merge(call, 'Media', other._id, one._id)]
    for (const batch of order === 'the same' ? batches : batches.toReversed())
      expect(await undo(call, batch)).toMatchObject({ state: 'done', refused: 0 })
    expect((await call(mediaApi.find, { id: one._id })).characters).toEqual([double])
    expect((await call(mediaApi.find, { id: other._id })).characters).toEqual([double, hero])
    const worksOf = async (id: string) => (await call(charactersApi.find, { id })).mediaRefs.toSorted()
    expect([await worksOf(double), await worksOf(hero)]).toEqual([[one._id, other._id], [other._id]])
    expect(await isWell()).toBe(true)
  },
)

test('undoing a batch or a merge that added a link keeps it where another has become the same by a merge since', async () => {
  const { call } = await signedIn()
  const [tag, former, hero, double] = [await aTag(), await aTag(), await aCharacter(), await aCharacter()]
  const [tagged, bare, survivor, from] = [
    await aMedia({ tags: [former] }),
    await aMedia(),
    await aMedia({ tags: [former], characters: [double] }),
    await aMedia({ tags: [tag], characters: [hero] }),
  ]
  const body = { ids: [tagged._id, bare._id], change: { addTags: [tag] } }
  const { batch } = (await call(mediaApi.bulk, { body })) as { batch: string }
  await idle()
  const merged = await merge(call, 'Media', survivor._id, from._id)
  await merge(call, 'Tag', tag, former)
  await merge(call, 'Character', hero, double)
  for (const each of [batch, merged]) expect(await undo(call, each)).toMatchObject({ state: 'done', refused: 0 })
  const found = await Promise.all([tagged, bare, survivor, from].map(({ _id: id }) => call(mediaApi.find, { id })))
  expect(found.map(({ tags: all }) => all.map(({ _id }) => _id))).toEqual([[tag], [], [tag], [tag]])
  expect(found.map((each) => each.characters)).toEqual([[], [], [hero], [hero]])
  expect(await isWell()).toBe(true)
})

test('refuses to fill a list beyond its limit, from the other side of a relation or by a merge', async () => {
  const { call } = await signedIn()
  const names = (prefix: string) => Array.from({ length: 150 }, (_, each) => `${prefix}${each}`)
  const [one, other] = [await aMedia({ readings: names('あ') }), await aMedia({ readings: names('い') })]
  expect(await status(merge(call, 'Media', one._id, other._id))).toBe(400)
  const setCast = (ids: string[]) =>
    sql`UPDATE "media" SET "characters" = ${JSON.stringify(ids)} WHERE "_id" = ${one._id}`.execute(db)
  await setCast(Array.from({ length: 1000 }, () => newId()))
  const refused = call(charactersApi.create, { body: { translations: named('Late'), mediaRefs: [one._id] } })
  await expect(refused).rejects.toMatchObject({ status: 400 })
  expect(await versionOf('Media', one._id)).toBe(1)
  await setCast([])
})

test('merges two media that are related to each other, and the survivor is not related to itself', async () => {
  const { call } = await signedIn()
  const from = await aMedia()
  const survivor = await aMedia({ relatedMedia: [from._id] })
  const other = await aMedia()
  await media.update(from._id, { relatedMedia: [survivor._id, other._id] }, context)
  await merge(call, 'Media', survivor._id, from._id)
  const { relatedMedia } = await call(mediaApi.find, { id: survivor._id })
  expect(relatedMedia.map(({ _id }) => _id)).toEqual([other._id])
})

test('merges tags and characters as well, and never makes a tag its own ancestor', async () => {
  const { call } = await signedIn()
  const top = await aTag({ translations: named('Isekai') })
  const middle = await aTag({ parentTag: top })
  const survivor = await aTag({ parentTag: middle, translations: named('Other world') })
  const { _id: use } = await aMedia({ tags: [top] })
  const batch = await merge(call, 'Tag', survivor, top)
  expect(await call(tagsApi.find, { id: survivor })).toMatchObject({ parentTag: null, usageCount: 1, mediaCount: 1 })
  expect((await call(tagsApi.find, { id: middle })).parentTag).toBe(survivor)
  expect((await call(mediaApi.find, { id: use })).tags).toMatchObject([{ _id: survivor }])
  expect(await undo(call, batch)).toMatchObject({ state: 'done', refused: 0 })
  expect((await call(tagsApi.find, { id: survivor })).parentTag).toBe(middle)

  const scene = await aMedia()
  const [one, two] = [await aCharacter({ mediaRefs: [scene._id] }), await aCharacter({ translations: named('Rei') })]
  await merge(call, 'Character', two, one)
  expect((await call(mediaApi.find, { id: scene._id })).characters).toEqual([two])
  expect((await call(charactersApi.find, { id: two })).mediaRefs).toEqual([scene._id])
  expect(await isWell()).toBe(true)
})

test('what one side lacks is taken from the other, also a visible cover for one in the trash, unless picked', async () => {
  const { call, token } = await signedIn()
  const upload = async (width: number) => (await send(await aPicture(width, 30), 'a.png', { token })).body._id
  const [trashed, alsoTrashed, shown, parent] = [await upload(40), await upload(45), await upload(50), await aTag()]
  const pairs = []
  for (const other of [shown, alsoTrashed, ''])
    pairs.push([await aMedia({ cover: trashed }), await aMedia({ cover: other })] as const)
  for (const id of [trashed, alsoTrashed]) await assets.remove(id, context)
  for (const [survivor, from] of pairs) await merge(call, 'Media', survivor._id, from._id)
  await assets.restore(trashed, context)
  const covers = pairs.map(async ([{ _id: id }]) => (await call(mediaApi.find, { id })).cover)
  expect(await Promise.all(covers)).toMatchObject([{ _id: shown }, { _id: trashed }, { _id: trashed }])
  for (const [side, expected] of [
    ['survivor', parent],
    ['from', null],
  ] as const) {
    const tag = await aTag({ parentTag: parent })
    await merge(call, 'Tag', tag, await aTag(), { parentTag: side })
    expect((await call(tagsApi.find, { id: tag })).parentTag).toBe(expected)
  }
})

test('a filter by a tag that was merged twice matches the surviving tag', async () => {
  const { call } = await signedIn()
  const [first, second, third] = [await aTag(), await aTag(), await aTag()]
  const ids = [await aMedia({ tags: [first] }), await aMedia({ tags: [third] })].map(({ _id }) => _id)
  const listed = async (tag: string, tagsMode: 'any' | 'all' = 'any') =>
    (await call(mediaApi.list, { query: { tags: tag, tagsMode, sort: 'createdAt' } })).map(({ _id }) => _id)
  const batch = await merge(call, 'Tag', second, first)
  await merge(call, 'Tag', third, second)
  for (const tag of [first, second, third]) expect(await listed(tag)).toEqual(ids)
  expect(await listed([first, second].join(), 'all')).toEqual(ids)
  expect(await listed([first, await aTag()].join(), 'all')).toEqual([])
  const view = { filter: { tags: first }, change: { isOngoing: true }, dryRun: true }
  expect(await call(mediaApi.bulk, { body: view })).toMatchObject({ changes: { count: 2 } })
  expect(batch).toBeTruthy()
})

test('refuses an invalid merge without changing anything', async () => {
  const { call } = await signedIn()
  const [survivor, from, gone] = [await aMedia(), await aMedia(), await aMedia()]
  const owner = await signedIn({ role: 'user' })
  const own = await aMedia({}, { actor: owner.actor, verdict: { allowed: true } })
  await media.remove(gone._id, context)
  const before = await state()
  const attempt = (id: string, body: object, base?: number) =>
    status(call(mediaApi.merge, { id, body: body as never, ...(base !== undefined && { base }) }))
  const good = { from: { _id: from._id, version: 1 }, pick: {} }
  expect(await attempt(survivor._id, good, 7)).toBe(412)
  expect(await attempt(survivor._id, { ...good, from: { _id: from._id, version: 2 } }, 1)).toBe(409)
  expect(await attempt(survivor._id, { from: { _id: survivor._id, version: 1 }, pick: {} }, 1)).toBe(400)
  expect(await attempt(survivor._id, { from: { _id: gone._id, version: 2 }, pick: {} }, 1)).toBe(404)
  expect(await attempt(gone._id, good)).toBe(404)
  expect(await attempt('nowhere', good)).toBe(404)
  for (const pick of [
    { nothing: 'from' },
    { 'translations.en.name': 'from' },
    { mediaType: 'mine' },
    ['mediaType'],
    'from',
  ])
    expect(await attempt(survivor._id, { ...good, pick }, 1)).toBe(400)
  for (const body of [{}, { from: from._id }, { from: { _id: from._id } }, { ...good, more: 1 }])
    expect(await attempt(survivor._id, body, 1)).toBe(400)
  const asOwner = (id: string, other: string) =>
    status(owner.call(mediaApi.merge, { id, body: { from: { _id: other, version: 1 }, pick: {} } }))
  expect([await asOwner(own._id, from._id), await asOwner(survivor._id, own._id)]).toEqual([403, 403])
  expect(await state()).toEqual(before)
})

test('a link that is saved while its target is merged is refused, and never leads to what was merged', async () => {
  const [tag, former, survivor, from] = [await aTag(), await aTag(), await aMedia(), await aMedia()]
  const user = await aUser()
  const mergeDuring = async (kind: 'Tag' | 'Media', id: string, gone: string, save: () => Promise<string>) => {
    const input = { from: { _id: gone, version: await versionOf(kind, gone) }, pick: {} }
    return transaction(async (tx) => {
      await mergeEntities(tx, kind, id, input, { ...context, batch: newId() })
      const saved = status(save())
      // Until the save waits for the merge.
      await sleep(300)
      return { saved }
    })
  }
  const tagged = await mergeDuring('Tag', tag, former, () => media.create(mediaInput({ tags: [former] }), context))
  const rating = { userId: user._id, mediaId: from._id, score: 8, comment: '' }
  const rated = await mergeDuring('Media', survivor._id, from._id, () => ratings.create(rating, context))
  const { _id: third } = await aMedia()
  const relating = () => media.create(mediaInput({ relatedMedia: [survivor._id] }), context)
  const related = await mergeDuring('Media', third, survivor._id, relating)
  expect([await tagged.saved, await rated.saved, await related.saved]).toEqual([400, 400, 400])
  expect(await isWell()).toBe(true)
})

test('completes one of two concurrent merges, and refuses to edit, restore or merge a merged entity', async () => {
  const { call, token } = await signedIn()
  const [one, two, from] = [await aMedia(), await aMedia(), await aMedia()]
  const body = { from: { _id: from._id, version: 1 }, pick: {} }
  const results = await Promise.all(
    [one, two].map(({ _id: id }) => status(call(mediaApi.merge, { id, body, base: 1 }))),
  )
  expect(results.toSorted((first, second) => first - second)).toEqual([200, 409])
  const other = await aMedia()
  expect(await status(merge(call, 'Media', other._id, from._id))).toBe(409)
  expect(await status(merge(call, 'Media', from._id, other._id))).toBe(409)
  expect(await status(call(mediaApi.update, { id: from._id, body: mediaInput() }))).toBe(409)
  expect(await status(call(mediaApi.restore, { id: from._id }))).toBe(409)
  const { data } = await call(trashApi.list, { query: { kind: 'Media' } })
  expect(data.find(({ _id }) => _id === from._id)).toMatchObject({ mayRestore: false })

  // Merges in both directions at once: one of them fails, because its entity is gone.
  const [left, right] = [await aMedia(), await aMedia()]
  const both = await Promise.all(
    [merge(call, 'Media', left._id, right._id), merge(call, 'Media', right._id, left._id)].map(status),
  )
  expect(both.toSorted((first, second) => first - second)).toEqual([200, 409])
  const headers = { authorization: `Bearer ${token}` }
  const codes = await Promise.all(
    [left, right].map(async ({ _id }) => (await app.inject({ url: `/api/media/${_id}`, headers })).statusCode),
  )
  expect(codes.toSorted((first, second) => first - second)).toEqual([200, 308])
})

test('redirects to the end of a chain of merges, and undoes it from the end unless an entity was purged', async () => {
  const { call, token } = await signedIn()
  const [a, b, c] = [
    await aMedia({ translations: titled('Chain A') }),
    await aMedia({ translations: titled('Chain B') }),
    await aMedia({ translations: titled('Chain C') }),
  ]
  const pointing = await aMedia({ relatedMedia: [a._id] })
  const first = await merge(call, 'Media', b._id, a._id)
  const second = await merge(call, 'Media', c._id, b._id)
  const where = async (id: string) => {
    const answer = await app.inject({ url: `/api/media/${id}`, headers: { authorization: `Bearer ${token}` } })
    return answer.headers.location ?? answer.statusCode
  }
  expect([await where(a._id), await where(b._id)]).toEqual([`/api/media/${c._id}`, `/api/media/${c._id}`])
  expect((await call(mediaApi.find, { id: c._id })).aliases).toEqual(['Chain A', 'Chain B'])
  expect(await status(undo(call, first))).toBe(409)
  await undo(call, second)
  expect([await where(a._id), await where(b._id)]).toEqual([`/api/media/${b._id}`, 200])
  const undone = await undo(call, first)
  expect((await call(mediaApi.find, { id: pointing._id })).relatedMedia).toMatchObject([{ _id: a._id }])
  expect(await status(undo(call, first))).toBe(409)
  expect(await status(undo(call, undone._id))).toBe(409)
  expect(await isWell()).toBe(true)

  const last = await merge(call, 'Media', b._id, a._id)
  await purge('Media', a._id, context)
  expect(await where(a._id)).toBe(`/api/media/${b._id}`)
  expect(await status(undo(call, last))).toBe(409)
  await media.remove(b._id, context)
  expect(await where(a._id)).toBe(404)
  expect(await isWell()).toBe(true)
})

test('keeps later changes when a merge is undone, even of entities in the trash', async () => {
  const { call } = await signedIn()
  const [tag, later, hero] = [await aTag(), await aTag(), await aCharacter()]
  const survivor = await aMedia({ translations: titled('Kept') })
  const from = await aMedia({ translations: titled('Lost'), tags: [tag], characters: [hero] })
  const pointing = await aMedia({ relatedMedia: [from._id] })
  const batch = await merge(call, 'Media', survivor._id, from._id)
  await media.update(survivor._id, { episodes: 24, tags: [tag, later], aliases: ['Lost', 'Mine'] }, context)
  await media.remove(pointing._id, context)
  await characters.update(hero, { originalName: '主人公' }, context)
  expect(await undo(call, batch)).toMatchObject({ state: 'done', refused: 0 })
  const found = await call(mediaApi.find, { id: survivor._id })
  expect(found).toMatchObject({ episodes: 24, aliases: ['Mine'], tags: [{ _id: later }], characters: [] })
  expect(await call(mediaApi.find, { id: from._id })).toMatchObject({ tags: [{ _id: tag }], characters: [hero] })
  expect(await call(charactersApi.find, { id: hero })).toMatchObject({ originalName: '主人公', mediaRefs: [from._id] })
  await media.restore(pointing._id, context)
  expect((await call(mediaApi.find, { id: pointing._id })).relatedMedia).toMatchObject([{ _id: from._id }])
  expect(await isWell()).toBe(true)
})

test('undoing a merge restores every table', async () => {
  const { call } = await signedIn()
  const people = [(await aUser())._id, (await aUser())._id, (await aUser())._id]
  const pool = fc.subarray([0, 1, 2])
  const entry = fc.record({
    titles: fc.dictionary(
      fc.constantFrom('en', 'ja', 'zh'),
      fc.constantFrom('Kokoro', 'こころ', 'Botchan', '', 'Emma 2'),
    ),
    original: fc.option(fc.constantFrom('こゝろ', '坊つちやん')),
    aliases: fc.option(fc.subarray(['K', 'こころ', 'Soul'])),
    episodes: fc.option(fc.nat(2)),
    tags: pool,
    characters: pool,
    related: pool,
    scores: fc.array(fc.option(fc.nat(10)), { minLength: 3, maxLength: 3 }),
  })
  const world = fc.record({
    entries: fc.tuple(entry, entry, entry),
    parents: fc.tuple(fc.option(fc.nat(2)), fc.option(fc.nat(2)), fc.option(fc.nat(2))),
    kind: fc.constantFrom('Media' as const, 'Character' as const, 'Tag' as const),
    pick: fc.dictionary(fc.constantFrom('mediaType', 'episodes', 'translations'), fc.constantFrom('from', 'survivor')),
  })
  const bare = { original: null, aliases: null, episodes: null, tags: [], characters: [], related: [] }
  const withTitles = (titles: Record<string, string>) => ({ ...bare, titles, scores: [null, null, null] })
  /** The first of two languages disappears with the merge, and is restored before the other. */
  const languageGone = {
    entries: [withTitles({}), withTitles({ ja: 'Kokoro' }), withTitles({ en: 'Kokoro', ja: 'Kokoro' })] as never,
    parents: [null, null, null] as never,
    kind: 'Media' as const,
    pick: { translations: 'from' as const },
  }
  await fc.assert(
    fc.asyncProperty(world, async ({ entries, parents, kind, pick }) => {
      const tagIds: string[] = []
      for (const at of [0, 1, 2]) tagIds.push(await aTag({ parentTag: tagIds[parents[at] ?? 9] ?? null }))
      const characterIds = [await aCharacter(), await aCharacter(), await aCharacter({ tags: tagIds.slice(0, 2) })]
      const mediaIds: string[] = []
      for (const [at, each] of entries.entries()) {
        const translations = Object.entries(each.titles).map(([tag, title]) => [tag, { title, description: `${at}` }])
        const { _id } = await aMedia({
          translations: Object.fromEntries(translations) as never,
          originalTitle: each.original,
          aliases: each.aliases,
          episodes: each.episodes,
          tags: each.tags.flatMap((index) => tagIds[index] ?? []),
          characters: each.characters.flatMap((index) => characterIds[index] ?? []),
          relatedMedia: each.related.flatMap((index) => mediaIds[index] ?? []),
        })
        mediaIds.push(_id)
        for (const [index, score] of each.scores.entries())
          if (score !== null)
            await aRatingBy(people[index] ?? '', _id, score, `2026-01-0${1 + ((at + score) % 9)}T00:00:00.000Z`)
      }
      const [, from = '', id = ''] = { Media: mediaIds, Character: characterIds, Tag: tagIds }[kind]
      const chosen = Object.entries(pick).filter(([path]) => kind === 'Media' || path === 'translations')
      const before = await state()
      const batch = await merge(call, kind, id, from, Object.fromEntries(chosen))
      expect(await state()).not.toEqual(before)
      expect(await undo(call, batch)).toMatchObject({ state: 'done', refused: 0 })
      expect(await state()).toEqual(before)
    }),
    { numRuns: 12, examples: [[languageGone]] },
  )
  expect(await isWell()).toBe(true)
})

/** Everything stored of the catalogue, except versions and timestamps. */
async function state(): Promise<Record<string, unknown[]>> {
  const derived = ['links', 'labels', 'titleKeys', 'duplicatePairs', 'findings', 'assetFlags', 'merges'] as const
  const tables: (keyof Tables)[] = [...derived, kinds.Rating.plural, ...TRANSLATED_KINDS.map((kind) => TABLES[kind])]
  const found: Record<string, unknown[]> = {}
  for (const table of tables) {
    const rows = (await db.selectFrom(table).selectAll().execute()) as Record<string, unknown>[]
    found[table] = rows
      .map(({ version: _, updatedAt: __, since: ___, id: ____, grams: _____, ...row }) => JSON.stringify(row))
      .toSorted()
  }
  const { rows: counters } = await sql.raw<{ name: string; value: number }>(`${COUNTERS} ORDER BY "name"`).execute(db)
  found.counters = counters.filter(
    ({ name, value }) => value !== 0 && !/^(historyCount|rolledBackCount|userCount)/.test(name),
  )
  return found
}

test('refuses to merge an entry that more than 5,000 others refer to', async () => {
  // It adds links without their entities.
  onTestFinished(startEmpty)
  const { call } = await signedIn()
  const [id, from] = [await aTag(), await aTag()]
  await addLinks(from, 5001)
  await expect(merge(call, 'Tag', id, from)).rejects.toMatchObject({ status: 409, code: 'mergeLarge' })
})
