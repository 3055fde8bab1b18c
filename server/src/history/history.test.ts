import { SENTENCES } from '@mokuroku/contract/faults'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { expect, test } from 'vitest'
import { now } from '#lib/clock.ts'
import { db, transaction } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { purge } from '#ledger/purge.ts'
import { newId } from '#lib/ids.ts'
import { characters } from '#store/characters'
import { history } from '#store/history'
import { media } from '#store/media'
import { tags } from '#store/tags'
import { signedIn, startEmpty, withApp } from '#test/app.ts'
import { entriesOf } from '#test/auditLog.ts'
import { aCharacter, aMedia, aTag, aUser, named, titled } from '#test/factories.ts'
import { expectIndexed, plansOf } from '#test/plans.ts'
import { aPerson } from '#test/trust/people.ts'
import { untilWaiting } from '#test/waiting.ts'

withApp()

const context = { actor: SYSTEM }
const reason = 'Not what the book is called'

/** A media item whose title was changed by the user, and the history entry of that change. */
async function aChange({ actor, call }: Awaited<ReturnType<typeof signedIn>>, oldValue = 'Old', newValue = 'New') {
  const { _id } = await aMedia({ translations: titled(oldValue) })
  await media.update(_id, { translations: titled(newValue) }, { actor, verdict: { allowed: true } })
  const [entry] = (await call(historyApi.recent, { query: { limit: 1 } })).data
  if (entry?.entityId !== _id) throw new Error('The change has no entry')
  const title = async () => (await media.find(_id))?.translations.en?.title
  return { id: _id, entry, title }
}

test('lists the history newest first, by language, kind and page', async () => {
  const { call, user, actor } = await signedIn()
  const { _id: id } = await aMedia({ translations: titled('Kokoro') })
  await media.update(id, { translations: { ...titled('Kokoro'), ...titled('こころ', 'ja', '先生と私') } }, { actor })
  const tag = await aTag()
  await tags.update(tag, { translations: { fr: { name: 'Drame', description: '' } } }, context)
  const recent = async (query: object) => (await call(historyApi.recent, { query })).data
  expect(await recent({ language: 'ja' })).toMatchObject([
    { field: 'description', oldValue: '', newValue: '先生と私' },
    {
      field: 'title',
      entityType: 'Media',
      entityId: id,
      entityTitle: 'Kokoro',
      entityTranslations: { en: { name: 'Kokoro' }, ja: { name: 'こころ' } },
      updatedBy: user.username,
    },
  ])
  await expect(recent({ language: '!!' })).rejects.toMatchObject({ status: 400, errors: [{ path: 'language' }] })
  expect((await recent({ entityType: 'Tag', language: 'fr' }))[0]).toMatchObject({
    entityId: tag,
    entityTitle: 'Drame',
    newValue: 'Drame',
    isRolledBack: false,
    rolledBackBy: null,
  })
  const all = await recent({})
  expect(all.map(({ createdAt }) => createdAt)).toEqual(
    all
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .toReversed(),
  )
  expect(await recent({ skip: 1, limit: 1 })).toEqual([all[1]])
})

test('an entry says whether its entity is present, in the trash or gone, and can be restored', async () => {
  const admin = await signedIn()
  const [author, reader] = [await signedIn({ role: 'user' }), await signedIn({ role: 'user' })]
  const { id, entry } = await aChange(author)
  const seenBy = async ({ call }: typeof admin) => {
    const { data } = await call(historyApi.recent, { query: { limit: 100 } })
    const found = data.find(({ _id }) => _id === entry._id)
    return [found?.entityState, found?.canRestore, found?.newValue]
  }
  expect(await seenBy(admin)).toEqual(['present', false, 'New'])
  await media.remove(id, context)
  expect(await seenBy(admin)).toEqual(['trashed', true, 'New'])
  // For users who may not restore it, it no longer exists; but its author still sees the change.
  expect(await seenBy(author)).toEqual(['trashed', false, 'New'])
  expect(await seenBy(reader)).toEqual(['gone', false, ''])
  const preview = await admin.call(historyApi.rollbackAll, {
    body: {
      reason,
      by: { username: author.user.username, from: entry.createdAt, to: now() },
      dryRun: true,
    },
  })
  expect(preview.skipped).toMatchObject([{ why: 'deleted', entry: { entityState: 'trashed', canRestore: true } }])
  await media.restore(id, context)
  expect(await seenBy(reader)).toEqual(['present', false, 'New'])
  await media.remove(id, context)
  await purge('Media', id, context)
  expect(await seenBy(admin)).toEqual(['gone', false, 'New'])
  expect(await seenBy(reader)).toEqual(['gone', false, ''])
})

test('updates the statistics with every write', async () => {
  const { call } = await signedIn()
  const character = await aCharacter()
  await characters.update(character, { translations: { en: { name: 'Sensei', description: 'Tired.' } } }, context)
  const { _id: id } = await aMedia()
  await media.update(id, { translations: titled('Changed') }, context)
  const rows = await db.selectFrom('history').select(['entityType', 'isRolledBack']).execute()
  const of = (kind: string) => rows.filter(({ entityType }) => entityType === kind).length
  expect(await call(historyApi.statistics)).toEqual({
    totalCount: rows.length,
    rolledBackCount: rows.filter(({ isRolledBack }) => isRolledBack).length,
    byEntityType: { media: of('Media'), character: of('Character'), tag: of('Tag') },
  })
})

test('a rollback writes the old text, marks the entry, and can itself be rolled back', async () => {
  const admin = await signedIn()
  const { call, user } = admin
  const { entry, title, id } = await aChange(admin)
  const before = await call(historyApi.statistics)
  const { success, data } = await call(historyApi.rollback, { id: entry._id, body: { reason: ` ${reason} ` } })
  expect(success).toBe(true)
  expect(data).toMatchObject({ isRolledBack: true, rolledBackBy: user.username, rollbackReason: reason })
  expect(data.rolledBackAt).toMatch(/^20/)
  expect(await title()).toBe('Old')
  expect((await call(historyApi.statistics)).rolledBackCount).toBe(before.rolledBackCount + 1)
  const [revision] = await db
    .selectFrom('revisions')
    .select(['origin', 'reason', 'paths'])
    .where('entityId', '=', id)
    .orderBy('version', 'desc')
    .execute()
  expect(revision).toEqual({ origin: 'rollback', reason, paths: ['translations.en.title'] })
  await expect(call(historyApi.rollback, { id: entry._id, body: { reason } })).rejects.toMatchObject({
    status: 409,
    code: 'rolledBack',
  })
  const [own] = (await call(historyApi.recent, { query: { limit: 1 } })).data
  expect(own).toMatchObject({ oldValue: 'New', newValue: 'Old' })
  await call(historyApi.rollback, { id: own?._id ?? '', body: { reason } })
  expect(await title()).toBe('New')
})

test('requires a reason of at most 500 characters', async () => {
  const admin = await signedIn()
  const { entry } = await aChange(admin)
  for (const wrong of ['', '   ', 'x'.repeat(501)])
    await expect(admin.call(historyApi.rollback, { id: entry._id, body: { reason: wrong } })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'reason' }],
    })
  await expect(admin.call(historyApi.rollback, { id: 'nothing', body: { reason } })).rejects.toMatchObject({
    status: 404,
  })
})

test('overwrites a text that changed since only if the request has its current value', async () => {
  const admin = await signedIn()
  const { entry, title, id } = await aChange(admin)
  await media.update(id, { translations: titled('Newer') }, context)
  const roll = (current?: string) => admin.call(historyApi.rollback, { id: entry._id, body: { reason, current } })
  for (const seen of [undefined, 'New'])
    await expect(roll(seen)).rejects.toMatchObject({ status: 409, code: 'changed', body: { current: 'Newer' } })
  expect(await title()).toBe('Newer')
  await roll('Newer')
  expect(await title()).toBe('Old')
})

test('applies only one of two concurrent rollbacks of the same change', async () => {
  const admin = await signedIn()
  const { entry, title } = await aChange(admin)
  const roll = () => admin.call(historyApi.rollback, { id: entry._id, body: { reason } })
  const results = await Promise.allSettled([roll(), roll()])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await title()).toBe('Old')
})

test('rolling back an added language removes it', async () => {
  const { call, actor } = await signedIn()
  const { _id: id } = await aMedia({ translations: titled('Kokoro') })
  await media.update(id, { translations: { ...titled('Kokoro'), ...titled('Le pauvre cœur', 'fr') } }, { actor })
  const [entry] = (await call(historyApi.recent, { query: { language: 'fr', limit: 1 } })).data
  await call(historyApi.rollback, { id: entry?._id ?? '', body: { reason } })
  expect((await call(mediaApi.find, { id })).translations).toEqual(titled('Kokoro'))
})

test('users can roll back their own changes, and those of others with canEditAnyContent', async () => {
  const [admin, user, moderator] = [
    await signedIn(),
    await signedIn({ role: 'user' }),
    await signedIn({ role: 'moderator' }),
  ]
  const { entry } = await aChange(admin)
  await expect(user.call(historyApi.rollback, { id: entry._id, body: { reason } })).rejects.toMatchObject({
    status: 403,
  })
  await moderator.call(historyApi.rollback, { id: entry._id, body: { reason } })
  const { _id: id } = await aMedia({ translations: titled('Theirs') })
  await media.update(id, { translations: titled('Mine') }, { actor: user.actor, verdict: { allowed: true } })
  const [own] = (await user.call(historyApi.recent, { query: { limit: 1 } })).data
  await user.call(historyApi.rollback, { id: own?._id ?? '', body: { reason } })
  expect((await media.find(id))?.translations).toEqual(titled('Theirs'))
})

test('class 4: without permission to edit, a rollback of an own change does not overwrite what others wrote since', async () => {
  const user = await signedIn({ role: 'user' })
  const mine = { actor: user.actor, verdict: { allowed: true } } as const
  const { _id: id } = await aMedia({ translations: titled('Theirs') })
  await media.update(id, { translations: titled('Nonsense') }, mine)
  await media.update(id, { translations: titled('More nonsense') }, mine)
  const [latest, first] = (await user.call(historyApi.recent, { query: { limit: 2 } })).data
  const roll = (entry = latest, current?: string, who = user) =>
    who.call(historyApi.rollback, { id: entry?._id ?? '', body: { reason, current } })
  await media.update(id, { translations: titled('Mended') }, context)
  for (const entry of [latest, first])
    for (const current of [undefined, 'Mended'])
      await expect(roll(entry, current)).rejects.toMatchObject({ status: 403 })
  expect((await media.find(id))?.translations).toEqual(titled('Mended'))

  // Even if it is the same text again.
  await media.update(id, { translations: titled('More nonsense') }, context)
  await expect(roll(latest)).rejects.toMatchObject({ status: 403 })
  const by = { username: user.user.username, from: first?.createdAt ?? '', to: latest?.createdAt ?? '' }
  const all = await user.call(historyApi.rollbackAll, { body: { reason, by } })
  expect(all).toMatchObject({ count: 0, skipped: [{ why: 'changed' }, { why: 'changed' }] })
  expect((await media.find(id))?.translations).toEqual(titled('More nonsense'))

  // What the user wrote last, they may replace by what was there before any of it.
  await media.update(id, { translations: titled('Nonsense again') }, mine)
  await expect(roll(first)).rejects.toMatchObject({ status: 409, code: 'changed' })
  await roll(first, 'Nonsense again')
  expect((await media.find(id))?.translations).toEqual(titled('Theirs'))
  const editor = await aPerson('canEditAnyContent')
  await roll(latest, 'Theirs', { ...user, call: editor.call })
  expect((await media.find(id))?.translations).toEqual(titled('Nonsense'))
})

test('refuses the rollback of an entity that is in the trash or gone', async () => {
  const admin = await signedIn()
  const { entry, id } = await aChange(admin)
  await media.remove(id, context)
  const rollBack = () => admin.call(historyApi.rollback, { id: entry._id, body: { reason } })
  await expect(rollBack()).rejects.toMatchObject({
    status: 409,
    code: 'deleted',
    message: expect.stringContaining('in the trash'),
  })
  await purge('Media', id, context)
  await expect(rollBack()).rejects.toMatchObject({
    status: 409,
    code: 'deleted',
    message: expect.stringContaining('permanently deleted'),
  })
})

test('rolls back the changes of a user in a time range as one batch, after a preview', async () => {
  const [admin, vandal] = [await signedIn(), await signedIn()]
  const from = now()
  const { _id: twice } = await aMedia({ translations: titled('A') })
  for (const title of ['B', 'C']) await media.update(twice, { translations: titled(title) }, { actor: vandal.actor })
  const touched = await aChange(vandal)
  await media.update(touched.id, { translations: titled('Somebody else’s') }, context)
  const gone = await aChange(vandal)
  await media.remove(gone.id, context)
  const input = { reason, by: { username: vandal.user.username, from, to: now() } }

  const preview = await admin.call(historyApi.rollbackAll, { body: { ...input, dryRun: true } })
  expect(preview).toMatchObject({ dryRun: true, batch: null, count: 2 })
  expect(preview.changes.map(({ oldValue, newValue }) => [newValue, oldValue])).toEqual([
    ['C', 'B'],
    ['B', 'A'],
  ])
  expect(preview.skipped.map(({ why }) => why)).toEqual(['deleted', 'changed'])
  expect((await media.find(twice))?.translations).toEqual(titled('C'))

  const done = await admin.call(historyApi.rollbackAll, { body: input })
  expect(done).toMatchObject({ dryRun: false, count: 2, changes: [{ isRolledBack: true }, { isRolledBack: true }] })
  expect((await media.find(twice))?.translations).toEqual(titled('A'))
  const revisions = await db.selectFrom('revisions').select('entityId').where('batch', '=', done.batch).execute()
  expect(revisions).toEqual([{ entityId: twice }])
  const { data: notified } = await vandal.call(notificationsApi.list)
  expect(notified).toMatchObject([{ kind: 'CHANGES_ROLLED_BACK', data: { by: admin.user.username, count: 2 } }])
  const added = await entriesOf(async () => {
    expect(await admin.call(historyApi.rollbackAll, { body: input })).toMatchObject({
      batch: null,
      count: 0,
      skipped: expect.arrayContaining([expect.objectContaining({ why: 'rolledBack' })]),
    })
  })
  expect(added).toEqual([])
})

test('a rollback of nothing leaves no entry in the audit log, and one of what others wrote is refused', async () => {
  const [{ call }, author] = [await signedIn({ role: 'user' }), await signedIn()]
  const { id } = await aChange(author)
  const range = { from: '2020-01-01T00:00:00.000Z', to: '2099-01-01T00:00:00.000Z' }
  const nothing = { success: true, batch: null, count: 0, changes: [], skipped: [] }
  const body = { reason, by: { ...range, username: author.user.username } }
  const added = await entriesOf(async () => {
    for (const of of [{ by: { ...range, username: 'nobody at all' } }, { batch: newId() }])
      expect(await call(historyApi.rollbackAll, { body: { reason, ...of } })).toMatchObject(nothing)
    await expect(call(historyApi.rollbackAll, { body })).rejects.toMatchObject({ status: 403 })
  })
  expect(added.filter(({ action }) => action === 'history.rolledBack')).toEqual([])
  const preview = await call(historyApi.rollbackAll, { body: { ...body, dryRun: true } })
  expect(preview).toMatchObject({ count: 0, skipped: [{ why: 'forbidden' }] })
  expect((await media.find(id))?.version).toBe(2)
})

test('finds the changes of a user by a name of any letters, and by its ASCII letters in any case', async () => {
  const { call } = await signedIn()
  const { _id: userId, username } = await aUser({ username: 'Élise İlk Iris' })
  const { _id } = await aMedia({ translations: titled('Kim') })
  await media.update(_id, { translations: titled('Kim, a Novel') }, { actor: { ...SYSTEM, _id: userId, username } })
  const [from, to] = ['2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z']
  const count = async (name: string) => {
    const body = { by: { username: name, from, to }, reason, dryRun: true }
    return (await call(historyApi.rollbackAll, { body })).count
  }
  expect(await count(username)).toBe(1)
  expect(await count('ÉLISE İLK iris')).toBe(1)
  expect(await count('élise ilk iris')).toBe(0)
})

test('a period that ends after the year 9999 is refused, as it would select nothing', async () => {
  const { call, user } = await signedIn()
  const by = { username: user.username, from: '2020-01-01T00:00:00.000Z', to: '9999-12-31T23:59:59-05:00' }
  await expect(call(historyApi.rollbackAll, { body: { by, reason, dryRun: true } })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'by.to', message: SENTENCES.moment }],
  })
})

test('two concurrent rollbacks of a batch mark its changes once', async () => {
  const { call, actor } = await signedIn()
  const { _id: id } = await aMedia({ translations: titled('Kim of India') })
  const batch = newId()
  for (const title of ['Kim', 'Kim of India']) await media.update(id, { translations: titled(title) }, { actor, batch })
  const rolledBack = async () => (await call(historyApi.statistics)).rolledBackCount
  const before = await rolledBack()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const holding = transaction(async (tx) => {
    await media.row(id, tx)
    await held
  })
  const rollBack = () => call(historyApi.rollbackAll, { body: { batch, reason, dryRun: false } })
  const both = [rollBack(), rollBack()]
  // Both have read the entries, and wait for the entity.
  await untilWaiting(2)
  release()
  const counts = (await Promise.all(both)).map(({ count, skipped }) => [count, skipped.map(({ why }) => why)])
  await holding
  expect(counts).toEqual(
    expect.arrayContaining([
      [2, []],
      [0, ['rolledBack', 'rolledBack']],
    ]),
  )
  expect(await rolledBack()).toBe(before + 2)
})

test('the history is read from indexes', async () => {
  const query = { limit: 20, skip: 40 }
  for (const entityType of [undefined, 'Media'] as const)
    await expectIndexed(() => history.recent({ ...query, entityType }, SYSTEM))
  const sorted = 'the newest of each kind and language'
  for (const language of ['en', 'zh'])
    for (const entityType of [undefined, 'Media'] as const)
      await expectIndexed(() => history.recent({ ...query, language, entityType }, SYSTEM), { sorted })
})

test('a rollback finds its entries by index', async () => {
  const { actor, user } = await signedIn()
  const { _id: entityId } = await aMedia({ translations: titled('A') })
  await media.update(entityId, { translations: titled('B') }, { actor })
  const plans = await plansOf(() =>
    transaction((tx) => history.writtenBetween(tx, user.username, '2020-01-01', '9999-12-31', 10)),
  )
  expect(plans.filter((line) => /(Seq Scan on|SCAN) (history|revisions|users)\b(?! USING)/.test(line))).toEqual([])
  const cell = { entityId, language: 'en', field: 'title', newValue: 'B' }
  await expectIndexed(() =>
    transaction((tx) => history.markRolledBack(tx, cell, { by: 'x', reason, at: '2020-01-01' })),
  )
})

test('lists entries of all kinds and languages in one order, without overlapping pages', async () => {
  await startEmpty()
  const { _id: title } = await aMedia({ translations: titled('A') })
  const tag = await aTag({ translations: named('A') })
  for (const text of ['B', 'C', 'D']) {
    await media.update(title, { translations: { ...titled(text), ...titled(text, 'zh-Hant') } }, context)
    await tags.update(tag, { type: 'GENRE', color: '#000000', translations: named(text, 'zh-Hans') }, context)
  }
  const { call } = await signedIn()
  const page = async (skip: number, limit: number, language?: string) =>
    (await call(historyApi.recent, { query: { skip, limit, language } })).data.map(({ _id }) => _id)
  for (const language of [undefined, 'en', 'zh']) {
    const all = await page(0, 100, language)
    const inParts = [
      ...(await page(0, 2, language)),
      ...(await page(2, 3, language)),
      ...(await page(5, 100, language)),
    ]
    expect(inParts).toEqual(all)
    expect(all).toEqual(all.toSorted().toReversed())
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(3)
  }
})

// Last, since they leave many entries, and old ones.
test('rolls back the changes of a period only, its first and last moment included', async () => {
  const { call, user, actor } = await signedIn()
  const days = ['2021-01-01', '2021-01-02', '2021-01-03', '2021-01-04'].map((day) => `${day}T00:00:00.000Z`)
  const [, from = '', to = ''] = days
  for (const at of days) {
    const { _id } = await aMedia({ translations: titled('Day') }, { ...context, at })
    await media.update(_id, { translations: titled(at) }, { actor, at })
  }
  const body = { by: { username: user.username, from, to }, reason, dryRun: true }
  expect((await call(historyApi.rollbackAll, { body })).changes.map(({ newValue }) => newValue)).toEqual([to, from])
})

test('rolls back at most 500 changes at once', async () => {
  const { call, actor } = await signedIn()
  const as = { actor, batch: newId() }
  const names = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`qaa-x-${at}`, { title: 'B', description: '' }]),
  )
  const change = async (translations: typeof names) =>
    media.update((await aMedia({ translations: {} }))._id, { translations }, as)
  const preview = () => call(historyApi.rollbackAll, { body: { batch: as.batch, reason, dryRun: true } })
  for (let each = 0; each < 5; each++) await change(names)
  expect(await preview()).toMatchObject({ count: 500 })
  await change(titled('C'))
  await expect(preview()).rejects.toMatchObject({ status: 400, errors: [{ path: 'by' }] })
})
