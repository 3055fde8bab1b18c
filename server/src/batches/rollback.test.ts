import { type Batch, batchesApi } from '@mokuroku/contract/batches'
import { type BulkPreview, MAX_ROLLBACK_ROWS } from '@mokuroku/contract/bulk'
import type { Call } from '@mokuroku/contract/call'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { describe, expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { newId } from '#lib/ids.ts'
import { batches } from '#store/batches'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { tags } from '#store/tags'
import { users } from '#store/users'
import { idle, signedIn, withApp } from '#test/app.ts'
import { aCharacter, addChangedRows, aMedia, aStuckBatch, aTag, aTier, mediaInput, named } from '#test/factories.ts'
import { expectIndexed, statementsOf } from '#test/plans.ts'

withApp()

const context = { actor: SYSTEM }
const bulk = async (call: Call, ids: string[], change: object): Promise<string> => {
  const { batch } = (await call(mediaApi.bulk, { body: { ids, change } })) as { batch: string }
  await idle()
  return batch
}
const rollBack = async (call: Call, id: string): Promise<Batch> => {
  const { batch } = (await call(batchesApi.rollback, { id, body: { reason: 'a mistake' } })) as { batch: string }
  await idle()
  return call(batchesApi.find, { id: batch })
}
const preview = async (call: Call, id: string) =>
  (await call(batchesApi.rollback, { id, body: { reason: 'a mistake', dryRun: true } })) as BulkPreview
const rowOf = (id: string) => db.selectFrom('media').selectAll().where('_id', '=', id).executeTakeFirstOrThrow()

test('rolls back a batch, and then the rollback itself', async () => {
  const { call } = await signedIn()
  const [one, two] = [await aTag(), await aTag()]
  const ids = [(await aMedia({ tags: [one] }))._id, (await aMedia({ tags: [two], isOngoing: true }))._id]
  const batch = await bulk(call, ids, { addTags: [two], isOngoing: true })
  const rolledBack = await rollBack(call, batch)
  // The second media already had all of it.
  expect(rolledBack).toMatchObject({
    what: 'rollback',
    rollsBack: batch,
    reason: 'a mistake',
    state: 'done',
    changed: 1,
  })
  expect(await rowOf(ids[0] ?? '')).toMatchObject({ tags: [one], isOngoing: false, version: 3 })
  const revision = db.selectFrom('revisions').select(['origin', 'reason', 'batch']).where('version', '=', 3)
  expect(await revision.where('entityId', '=', ids[0] ?? '').executeTakeFirst()).toEqual({
    origin: 'rollback',
    reason: 'a mistake',
    batch: rolledBack._id,
  })
  expect(await rollBack(call, rolledBack._id)).toMatchObject({ changed: 1 })
  expect(await rowOf(ids[0] ?? '')).toMatchObject({ tags: [one, two], isOngoing: true, version: 4 })
})

test('a batch says that it was rolled back, by whom and when, as long as that holds', async () => {
  await aTier(500, { canEditAnyContent: true })
  const { call } = await signedIn({ role: 'user', scores: 500 })
  const moderator = await signedIn({ role: 'moderator' })
  const batch = await bulk(call, [(await aMedia())._id], { isOngoing: true })
  const stateOf = async () => (await call(batchesApi.find, { id: batch })).rollback
  expect(await stateOf()).toBeNull()
  const { _id, createdAt } = await rollBack(moderator.call, batch)
  const { username } = moderator.user
  const says = { _id, createdAt, state: 'done', changed: 1, createdBy: { _id: moderator.user._id, username } }
  expect(await stateOf()).toMatchObject(says)
  // A second rollback changes nothing.
  await rollBack(call, batch)
  expect(await stateOf()).toMatchObject(says)
  const again = await rollBack(moderator.call, _id)
  expect(await stateOf()).toBeNull()
  await rollBack(moderator.call, again._id)
  expect((await call(batchesApi.list)).data.find((one) => one._id === batch)?.rollback).toMatchObject(says)
  // The author of a batch sees what became of it.
  expect(await call(batchesApi.find, { id: _id })).toMatchObject({ rollsBack: batch })
  const stranger = await signedIn({ role: 'user' })
  await expect(stranger.call(batchesApi.find, { id: _id })).rejects.toMatchObject({ status: 404 })
  // However often they undo each other.
  expect(await statementsOf(() => batches.find(batch, moderator.actor))).toBe(2)
  await expectIndexed(() => batches.find(batch, moderator.actor), { sorted: 'the rollbacks of one batch' })
})

test('keeps and reports fields that others changed since, and rolls back the rest', async () => {
  const { call } = await signedIn()
  const [tag, later] = [await aTag(), await aTag()]
  const [mixed, all] = [(await aMedia())._id, (await aMedia())._id]
  const batch = await bulk(call, [mixed, all], { mediaType: 'NOVEL', addTags: [tag] })
  await media.update(mixed, { mediaType: 'MANGA', tags: [tag, later] }, context)
  await media.update(all, { mediaType: 'MANGA', tags: [] }, context)
  expect(await preview(call, batch)).toMatchObject({
    changes: { count: 1, ids: [mixed] },
    refused: { count: 1, ids: [all], reasons: [{ id: all, code: 'changed' }] },
  })
  const { _id: id } = await rollBack(call, batch)
  // From a list, the batch's additions are removed; those of others stay.
  expect(await rowOf(mixed)).toMatchObject({ mediaType: 'MANGA', tags: [later] })
  expect(await rowOf(all)).toMatchObject({ mediaType: 'MANGA', tags: [], version: 3 })
  const { data } = await call(batchesApi.results, { id })
  expect(data.map(({ _id, outcome, kept }) => ({ _id, outcome, kept }))).toEqual(
    expect.arrayContaining([
      { _id: mixed, outcome: 'changed', kept: ['mediaType'] },
      { _id: all, outcome: 'refused', kept: ['mediaType'] },
    ]),
  )
})

test('undoes the deletes and restores of a batch, except for entities changed since', async () => {
  const { call } = await signedIn()
  const ids = [(await aMedia())._id, (await aMedia())._id]
  const [one = '', two = ''] = ids
  await rollBack(call, await bulk(call, ids, { delete: true }))
  for (const id of ids) expect((await rowOf(id)).deletedAt).toBeNull()
  for (const id of ids) await media.remove(id, context)
  const restored = await bulk(call, ids, { restore: true })
  await media.update(two, { isOngoing: true }, context)
  expect(await rollBack(call, restored)).toMatchObject({ changed: 1, refused: 1 })
  expect((await rowOf(one)).deletedAt).not.toBeNull()
  expect((await rowOf(two)).deletedAt).toBeNull()
})

test('moves what a batch created to the trash, and refuses what was purged since', async () => {
  const { call } = await signedIn()
  const batch = newId()
  const made = await media.create(mediaInput(), { ...context, batch })
  const gone = await media.create(mediaInput(), { ...context, batch })
  await media.remove(gone, context)
  await media.purge(gone, context)
  expect(await rollBack(call, batch)).toMatchObject({ changed: 1, refused: 1 })
  expect((await rowOf(made)).deletedAt).not.toBeNull()
})

test('moves to the trash what a batch created, even if its entities refer to others and to each other', async () => {
  const { call } = await signedIn()
  const [batch, character] = [newId(), await aCharacter()]
  const work = await media.create(mediaInput({ characters: [character] }), { ...context, batch })
  const own = await characters.create({ translations: named('Own'), mediaRefs: [work] }, { ...context, batch })
  expect(await preview(call, batch)).toMatchObject({ changes: { count: 3 }, refused: { count: 0 } })
  expect(await rollBack(call, batch)).toMatchObject({ changed: 3, refused: 0 })
  const { trashed } = await db
    .selectFrom('characters')
    .select(({ fn }) => fn.count<number>('deletedAt').as('trashed'))
    .where('_id', 'in', [own, character])
    .executeTakeFirstOrThrow()
  expect([(await rowOf(work)).deletedAt, trashed]).toEqual([expect.any(String), 1])
  expect((await characters.find(character))?.mediaRefs).toEqual([])
})

test('moves to the trash what a batch created if later changes have been undone, but not what was restored', async () => {
  const { call } = await signedIn()
  const [batch, later] = [newId(), newId()]
  const [linked, restored] = [
    await media.create(mediaInput(), { ...context, batch }),
    await media.create(mediaInput(), { ...context, batch }),
  ]
  await characters.create({ translations: named('Later'), mediaRefs: [linked] }, { ...context, batch: later })
  await media.remove(restored, context)
  await media.restore(restored, context)
  expect(await preview(call, batch)).toMatchObject({ changes: { count: 0 }, refused: { count: 2 } })
  await rollBack(call, later)
  expect(await rollBack(call, batch)).toMatchObject({ changed: 1, refused: 1 })
  expect([(await rowOf(linked)).deletedAt, (await rowOf(restored)).deletedAt]).toEqual([expect.any(String), null])
})

test('does not restore what somebody has deleted again since', async () => {
  const [{ call }, other] = [await signedIn(), await signedIn()]
  const id = (await aMedia())._id
  const batch = await bulk(call, [id], { delete: true })
  await other.call(mediaApi.restore, { id })
  await other.call(mediaApi.remove, { id })
  const { _id } = await rollBack(call, batch)
  const { data } = await call(batchesApi.results, { id: _id })
  expect(data).toMatchObject([{ outcome: 'refused', code: 'changed', kept: ['deletedAt'] }])
  expect((await rowOf(id)).deletedAt).not.toBeNull()
})

test('restores a tag that is in the trash by now, hidden until it is restored itself', async () => {
  const { call } = await signedIn()
  const tag = await aTag()
  const id = (await aMedia({ tags: [tag] }))._id
  const batch = await bulk(call, [id], { removeTags: [tag], isOngoing: true })
  const { version } = await rowOf(id)
  await tags.remove(tag, context)
  const seen = async () => (await call(mediaApi.find, { id })).tags.map(({ _id }) => _id)
  expect(await rollBack(call, batch)).toMatchObject({ changed: 1, refused: 0 })
  expect([(await rowOf(id)).isOngoing, await seen()]).toEqual([false, []])
  await tags.restore(tag, context)
  expect(await seen()).toEqual([tag])
  // The same goes for a single version.
  await media.update(id, { tags: [] }, context)
  await tags.remove(tag, context)
  const { data } = await call(revisionsApi.list, { query: { entityType: 'Media', entityId: id } })
  const former = data.find((each) => each.version === version + 1)?._id ?? ''
  await call(revisionsApi.restore, { id: former, body: {}, base: version + 2 })
  expect((await rowOf(id)).tags).toEqual([tag])
})

test('class 4: without permission to edit, the author of a batch does not overwrite what others wrote since', async () => {
  const author = await signedIn({ role: 'user' })
  const batch = newId()
  const mine = { actor: author.actor, verdict: { allowed: true }, batch } as const
  const ids = [(await aMedia())._id, (await aMedia())._id]
  for (const id of ids) await media.update(id, { isOngoing: true, episodes: 12 }, mine)
  const created = await media.create(mediaInput(), mine)
  const [changed = '', untouched = ''] = ids
  // In the end, all is as the batch wrote it.
  for (const isOngoing of [false, true]) await media.update(changed, { isOngoing }, context)
  for (const episodes of [1, null]) await media.update(created, { episodes }, context)
  const { _id: rollback } = await rollBack(author.call, batch)
  const valuesOf = async (id: string) => {
    const { isOngoing, episodes } = await rowOf(id)
    return { isOngoing, episodes }
  }
  expect(await valuesOf(changed)).toEqual({ isOngoing: true })
  expect(await valuesOf(untouched)).toEqual({ isOngoing: false })
  expect(await rowOf(created)).toMatchObject({ deletedAt: null })
  const { data } = await author.call(batchesApi.results, { id: rollback })
  expect(data.map(({ _id: id, outcome, kept }) => ({ id, outcome, kept }))).toEqual(
    expect.arrayContaining([
      { id: changed, outcome: 'changed', kept: ['isOngoing'] },
      { id: untouched, outcome: 'changed', kept: [] },
      { id: created, outcome: 'refused', kept: ['deletedAt'] },
    ]),
  )
  const moderator = await signedIn({ role: 'moderator' })
  await rollBack(moderator.call, batch)
  expect(await rowOf(changed)).toMatchObject({ isOngoing: false })
  expect(await rowOf(created)).not.toMatchObject({ deletedAt: null })
})

test('rolls back translations, marks their history entries, and notifies the author once', async () => {
  const [author, { call, user }] = [await signedIn(), await signedIn()]
  const ids = [(await aMedia())._id, (await aMedia())._id]
  const before = await Promise.all(ids.map(rowOf))
  const batch = newId()
  const texts = { en: { title: 'Another', description: 'A text' }, ja: { title: '別の', description: '' } }
  for (const id of ids) await media.update(id, { translations: texts }, { actor: author.actor, batch })
  expect(await rollBack(call, batch)).toMatchObject({ changed: 2 })
  for (const [at, id] of ids.entries()) expect((await rowOf(id)).translations).toEqual(before[at]?.translations)
  const { data: entries } = await call(historyApi.recent, { query: { limit: 100 } })
  const marked = entries.filter((entry) => entry.batch === batch)
  expect(marked).toHaveLength(6)
  for (const entry of marked)
    expect(entry).toMatchObject({ isRolledBack: true, rolledBackBy: user.username, rollbackReason: 'a mistake' })
  const { data } = await author.call(notificationsApi.list)
  expect(data).toMatchObject([{ kind: 'CHANGES_ROLLED_BACK', data: { by: user.username, count: 6 } }])
  // It names the newest of them.
  const { entityId, language, field } = marked[0] ?? {}
  expect(data[0]?.data).toMatchObject({ entityId, language, field })
})

test('a text that was rolled back before its batch is not counted again in the notification about the batch', async () => {
  const [author, { call }] = [await signedIn(), await signedIn()]
  const { _id } = await aMedia()
  const batch = newId()
  const texts = { en: { title: 'Another', description: 'A text' } }
  await media.update(_id, { translations: texts }, { actor: author.actor, batch })
  const { data: entries } = await call(historyApi.recent, { query: { limit: 2 } })
  const first = entries.find(({ field }) => field === 'title')?._id ?? ''
  await call(historyApi.rollback, { id: first, body: { reason: 'a mistake' } })
  await rollBack(call, batch)
  const { data } = await author.call(notificationsApi.list)
  expect(data.map((each) => each.data)).toMatchObject([{ count: 1 }, { count: 1 }])
})

test('a batch of translations says that it was rolled back as translations, if that undid all of it', async () => {
  const { call, user, actor } = await signedIn()
  const ids = [(await aMedia())._id, (await aMedia())._id]
  const retitle = async (change: object) => {
    const batch = newId()
    const input = { translations: { en: { title: batch, description: '' } }, ...change }
    for (const id of ids) await media.update(id, input, { actor, batch })
    const targets = ids.map((id) => ({ kind: 'Media' as const, id }))
    await transaction((tx) => batches.addDone(tx, batch, { what: 'import' }, targets, actor))
    return batch
  }
  const undo = async (batch: string) =>
    (await call(historyApi.rollbackAll, { body: { batch, reason: 'a mistake' } })).batch
  const rollbackOf = async (id: string) => (await call(batchesApi.find, { id })).rollback

  const texts = await retitle({})
  const rollback = (await undo(texts)) ?? ''
  const says = { _id: rollback, state: 'done', changed: 2, refused: 0, createdBy: { username: user.username } }
  expect(await rollbackOf(texts)).toMatchObject(says)
  await undo(rollback)
  expect(await rollbackOf(texts)).toBeNull()
  // Nothing is left to roll back.
  expect(await rollbackOf((await undo(texts)) ?? '').catch(({ status }) => status)).toBe(404)

  const more = await retitle({ isOngoing: true })
  const ofTexts = (await undo(more)) ?? ''
  expect(await rollbackOf(more)).toBeNull()
  expect(await call(batchesApi.find, { id: ofTexts })).toMatchObject({ what: 'rollback', rollsBack: null, changed: 2 })

  const later = await retitle({})
  await media.update(ids[0] ?? '', { translations: { en: { title: 'Later', description: '' } } }, context)
  await undo(later)
  expect(await rollbackOf(later)).toBeNull()
})

test('keeps all text fields of a language that is rolled back in part', async () => {
  const { call } = await signedIn()
  const { _id: id, translations } = await aMedia()
  const batch = newId()
  const fr = { title: 'Titre', description: 'Texte' }
  await media.update(id, { translations: { ...translations, fr } }, { ...context, batch })
  await media.update(id, { translations: { ...translations, fr: { ...fr, title: 'Autre' } } }, context)
  await rollBack(call, batch)
  expect((await rowOf(id)).translations).toEqual({ ...translations, fr: { title: 'Autre', description: '' } })
})

test('rolls back a batch with entities of several kinds', async () => {
  const { call } = await signedIn()
  const [old, next] = [await aTag(), await aTag()]
  const { _id: id } = await aMedia({ tags: [old] })
  const batch = newId()
  await media.update(id, { tags: [next] }, { ...context, batch })
  await tags.update(old, { status: 'DEPRECATED' }, { ...context, batch })
  expect(await rollBack(call, batch)).toMatchObject({ kind: null, changed: 2 })
  expect((await rowOf(id)).tags).toEqual([old])
  expect((await tags.find(old))?.status).toBe('ACTIVE')
})

describe('class 6: a rollback that waits while', () => {
  const [bulkOf, mergeOf] = [
    (call: Call, ids: string[]) => bulk(call, ids, { isOngoing: true }),
    async (call: Call, [id = '', from = '']: string[]) =>
      (await call(mediaApi.merge, { id, body: { from: { _id: from, version: 1 } }, base: 1 })).batch,
  ]
  test.each([
    ['a batch', 'the role is lowered', bulkOf, { role: 'user' }],
    ['a batch', 'the account is deactivated', bulkOf, { isActive: false }],
    ['a merge', 'the role is lowered', mergeOf, { role: 'user' }],
    ['a merge', 'the account is deactivated', mergeOf, { isActive: false }],
  ] as const)('rolls back nothing of %s once %s, and says why', async (_, __, write, change) => {
    const [admin, moderator] = [await signedIn(), await signedIn({ role: 'moderator' })]
    const batch = await write(admin.call, [(await aMedia())._id, (await aMedia())._id])
    // It waits for an earlier one.
    const earlier = await aStuckBatch(moderator.actor)
    const started = await moderator.call(batchesApi.rollback, { id: batch, body: { reason: 'a mistake' } })
    const id = 'batch' in started ? started.batch : ''
    await users.update(moderator.user._id, change, { actor: SYSTEM })
    await admin.call(batchesApi.cancel, { id: earlier })
    await idle()
    expect(await admin.call(batchesApi.find, { id })).toMatchObject({ state: 'done', changed: 0, refused: 2 })
    const { data } = await admin.call(batchesApi.results, { id })
    const reason = 'role' in change ? /^Your tier .* does not allow editing/ : /^The account was not active/
    expect(data.map(({ message }) => reason.test(message ?? ''))).toEqual([true, true])
    expect(await db.selectFrom('revisions').select('_id').where('batch', '=', id).execute()).toEqual([])
  })
})

test('rejects a rollback without permission or reason, or of a missing or running batch', async () => {
  const [{ call }, another] = [await signedIn(), await signedIn({ role: 'user' })]
  const batch = await bulk(call, [(await aMedia())._id], { isOngoing: true })
  const body = { reason: 'a mistake' }
  await expect(another.call(batchesApi.rollback, { id: batch, body })).rejects.toMatchObject({ status: 403 })
  await expect(call(batchesApi.rollback, { id: newId(), body })).rejects.toMatchObject({ status: 404 })
  await expect(call(batchesApi.rollback, { id: batch, body: { reason: ' ' } })).rejects.toMatchObject({ status: 400 })
  await db.updateTable('jobs').set({ state: 'running' }).where('_id', '=', batch).execute()
  await expect(call(batchesApi.rollback, { id: batch, body })).rejects.toMatchObject({ status: 409 })
  await db.updateTable('jobs').set({ state: 'done' }).where('_id', '=', batch).execute()
})

test('refuses to roll back more entities than its limit, however few of their versions are kept', async () => {
  const { call } = await signedIn()
  const batch = await bulk(call, [(await aMedia())._id], { isOngoing: true })
  await addChangedRows(batch, MAX_ROLLBACK_ROWS)
  await expect(preview(call, batch)).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'batch', params: { limit: MAX_ROLLBACK_ROWS } }],
  })
})
