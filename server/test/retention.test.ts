import { batchesApi } from '@mokuroku/contract/batches'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { settingsApi } from '@mokuroku/contract/settings'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS, momentIn, time } from '#lib/clock.ts'
import { SYSTEM } from '#access/permissions.ts'
import { setDeltasSupported, areDeltasSupported } from '#database/formats.ts'
import { db, transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import { countersOf } from '#ledger/counters.ts'
import { newId } from '#lib/ids.ts'
import { assets } from '#store/assets'
import { batches } from '#store/batches'
import { history } from '#store/history'
import { media } from '#store/media'
import { revisions } from '#store/revisions'
import { settings } from '#store/settings'
import { idle, signedIn, signedInLongAgo, startEmpty, withApp } from '#test/app.ts'
import { entries, entriesOf, head } from '#test/auditLog.ts'
import { mediaInput } from '#test/factories.ts'
import { anAsset } from '#test/kinds.ts'
import { counters } from '../src/admin/checks/counters.ts'
import { auditLog } from '../src/admin/checks/database.ts'
import { history as historyCheck } from '../src/admin/checks/history.ts'
import { revisions as revisionsCheck } from '../src/admin/checks/ledger.ts'
import { verifyChain } from '../src/audit/chain.ts'
import { deleteVersions } from '../src/retention/versions.ts'
import { deleteOld } from '../src/retention/work.ts'

withApp()

const context = { actor: SYSTEM }
const FOR_EVER = { keepVersionsDays: 0, keepActivitiesDays: 0, keepAuditDays: 0 }

afterEach(() => settings.change({ retention: FOR_EVER }, context))

type Payload = Record<string, unknown>

/** Runs the daily job as it would run after this many days. */
const runAfter = (
  days: number,
  { payload = {}, stopWhen = () => false }: { payload?: Payload; stopWhen?: (payload: Payload) => boolean } = {},
) => {
  const notes: Payload[] = []
  const stop = new AbortController()
  const hold = async (_tx: unknown, _done?: number, note?: { payload?: Payload | undefined }) => {
    if (!note?.payload) return
    notes.push(note.payload)
    if (stopWhen(note.payload)) stop.abort()
  }
  return deleteOld({ payload, signal: stop.signal, hold }, time() + days * DAY_MS).then(() => notes)
}

const versionsOf = async (entityId: string) => {
  const rows = await db
    .selectFrom('revisions')
    .select(['_id', 'version', 'createdAt'])
    .where('entityId', '=', entityId)
    .orderBy('version')
    .execute()
  return Promise.all(
    rows.map(async (row) => ({ ...row, text: JSON.stringify((await revisions.find(row._id))?.snapshot) })),
  )
}

async function issues() {
  const found = []
  for (const check of [revisionsCheck, historyCheck]) for await (const issue of check.run()) found.push(issue)
  return found
}

/** Writes another version of a media item, whole, and deletes the one that a batch wrote, as retention would. */
async function deleteWritten(entityId: string, batch: string) {
  const wereRead = areDeltasSupported()
  setDeltasSupported(false)
  await media.update(entityId, titled('Later'), context).finally(() => setDeltasSupported(wereRead))
  await db.deleteFrom('revisions').where('entityId', '=', entityId).where('batch', '=', batch).execute()
}

const titled = (title: string, description = '') =>
  mediaInput({
    translations: { en: { title, description }, ja: { title: `日本語 ${title}`, description: '長'.repeat(900) } },
  })

describe('versions', () => {
  let wereRead = false
  beforeEach(() => {
    wereRead = areDeltasSupported()
    setDeltasSupported(true)
  })
  afterEach(() => setDeltasSupported(wereRead))

  test('deleting old versions leaves the others unchanged, for any edits and any cutoff', async () => {
    const plans = fc.sample(
      fc.record({
        edits: fc.array(fc.record({ title: fc.string({ minLength: 1, maxLength: 20 }), long: fc.boolean() }), {
          minLength: 1,
          maxLength: 45,
        }),
        cut: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      8,
    )
    for (const { edits, cut } of plans) {
      const id = await media.create(titled('Zero'), context)
      for (const { title, long } of edits)
        await media.update(id, titled(`T ${title}`, long ? 'L'.repeat(500) : ''), context)
      const before = await versionsOf(id)
      const moment = before[Math.floor(cut * (before.length - 1))]?.createdAt ?? ''
      for (let after: string | undefined = ''; after !== undefined;) {
        const from: string = after
        ;({ after } = await transaction((tx) => deleteVersions(tx, moment, from)))
      }
      const first = before.findLast(({ createdAt }) => createdAt < moment)?.version ?? 1
      expect(await versionsOf(id)).toEqual(before.filter(({ version }) => version >= first))
      const next = before.at(-1)?.version ?? 1
      await media.update(id, titled('After all'), context)
      expect((await versionsOf(id)).at(-1)).toMatchObject({ version: next + 1 })
    }
    expect(await issues()).toEqual([])
  })

  test('deletes nothing by default; if enabled, keeps the newest version and exact counters', async () => {
    const id = await media.create(titled('One'), context)
    await media.update(id, titled('Two'), context)
    await media.update(id, titled('Three'), context)
    const before = await versionsOf(id)
    await runAfter(4000)
    expect(await versionsOf(id)).toEqual(before)
    await settings.change({ retention: { keepVersionsDays: 30 } }, context)
    await runAfter(29)
    expect(await versionsOf(id)).toEqual(before)
    const added = await entriesOf(() => runAfter(31))
    expect(added).toMatchObject([{ action: 'trash.versions' }])
    expect(await versionsOf(id)).toEqual(before.slice(-1))
    expect(await issues()).toEqual([])
    const { n } = await db
      .selectFrom('history')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('entityType', '=', 'Media')
      .executeTakeFirstOrThrow()
    expect((await countersOf(db, ['historyCount.Media']))['historyCount.Media']).toBe(n)
    // The rest can be changed, and its last change rolled back.
    await media.update(id, titled('Four'), context)
    expect((await history.statistics()).totalCount).toBeGreaterThanOrEqual(1)
  })

  test('keeps all counters exact if texts that were rolled back are deleted', async () => {
    const id = await media.create(titled('One'), context)
    await media.update(id, titled('Two'), context)
    const { _id } = await db
      .selectFrom('history')
      .select('_id')
      .where('entityId', '=', id)
      .where('newValue', '=', 'Two')
      .executeTakeFirstOrThrow()
    const { call } = await signedIn()
    await call(historyApi.rollback, { id: _id, body: { reason: 'A mistake' } })
    await settings.change({ retention: { keepVersionsDays: 30 } }, context)
    await runAfter(31)
    expect(await versionsOf(id)).toHaveLength(1)
    for await (const { what } of counters.run()) expect(what).toBe('')
  })

  test('keeps all versions of assets, as they name the replaced files', async () => {
    const id = await anAsset(context)
    await assets.update(id, { filename: 'renamed.png' }, context)
    await settings.change({ retention: { keepVersionsDays: 30 } }, context)
    await runAfter(31)
    expect(await versionsOf(id)).toHaveLength(2)
  })

  test('one run also deletes the versions of others if an entry has more than fit into a transaction', async () => {
    const [many, few] = [await media.create(titled('Many'), context), await media.create(titled('Few'), context)]
    await media.update(few, titled('Few others'), context)
    for (let at = 0; at < 205; at++) await media.update(many, titled(`Many ${at}`), context)
    await settings.change({ retention: { keepVersionsDays: 30 } }, context)
    await runAfter(31)
    expect([await versionsOf(many), await versionsOf(few)].map(({ length }) => length)).toEqual([1, 1])
  })

  test('resumes a stopped run, and records it in the audit log once', async () => {
    await settings.change({ retention: { keepVersionsDays: 30 } }, context)
    await runAfter(31)
    const recorded = async () => (await entries()).filter(({ action }) => action === 'trash.versions')
    const before = (await recorded()).length
    const ids: string[] = []
    for (let at = 0; at < 70; at++) {
      const id = await media.create(titled(`Entry ${at}`), context)
      await media.update(id, titled(`Changed ${at}`), context)
      ids.push(id)
    }
    const [payload] = await runAfter(31, { stopWhen: ({ after }) => after !== '' })
    expect(payload).toMatchObject({ after: expect.any(String) as string })
    expect((await recorded()).length).toBe(before)
    await runAfter(31, { payload: payload ?? {} })
    for (const id of ids) expect(await versionsOf(id)).toHaveLength(1)
    expect((await recorded()).slice(before)).toMatchObject([{ details: { count: 70 } }])
  })

  test('starts over if it was stopped and versions were kept forever since then', async () => {
    const id = await media.create(titled('One'), context)
    await media.update(id, titled('Two'), context)
    const [, last] = await versionsOf(id)
    const stopped = { after: last?._id }
    const payload = (await runAfter(31, { payload: stopped })).at(-1) ?? stopped
    await settings.change({ retention: { keepVersionsDays: 30 } }, context)
    await runAfter(31, { payload })
    expect(await versionsOf(id)).toHaveLength(1)
  })

  test('refuses to roll back a batch without its earlier versions; answers 404 for a deleted version', async () => {
    const { call, actor } = await signedIn().then(async (one) => ({ ...one, actor: { ...SYSTEM } }))
    const id = await media.create(titled('One'), context)
    const batch = newId()
    await media.update(id, titled('Two'), { ...context, batch })
    const [first] = await versionsOf(id)
    await settings.change({ retention: { keepVersionsDays: 30 } }, context)
    await runAfter(31)
    await expect(call(revisionsApi.find, { id: first?._id ?? '' })).rejects.toMatchObject({ status: 404 })
    await expect(call(revisionsApi.restore, { id: first?._id ?? '', body: {} })).rejects.toMatchObject({ status: 404 })
    const preview = await batches.rollback(batch, { reason: 'Wrong', dryRun: true }, actor)
    expect(preview).toMatchObject({ refused: { count: 1, reasons: [{ id, code: 'notKept' }] } })
  })

  test('a rollback names the entries whose change by the batch is not kept any more', async () => {
    const { call } = await signedIn()
    const [gone, kept] = [await media.create(titled('One'), context), await media.create(titled('Two'), context)]
    const change = { ids: [gone, kept], change: { isOngoing: true } }
    const { batch } = (await call(mediaApi.bulk, { body: change })) as { batch: string }
    await idle()
    await deleteWritten(gone, batch)
    const preview = await batches.rollback(batch, { reason: 'Wrong', dryRun: true }, SYSTEM)
    expect(preview).toMatchObject({ changes: { ids: [kept] }, refused: { reasons: [{ id: gone, code: 'notKept' }] } })
  })

  test('a merge is not undone if its change of one of the two is not kept any more', async () => {
    const [into, from] = [await media.create(titled('One'), context), await media.create(titled('Two'), context)]
    const { batch } = await batches.merge('Media', into, { from: { _id: from, version: 1 }, pick: {} }, SYSTEM, 1)
    await deleteWritten(into, batch)
    const { call } = await signedIn()
    await call(batchesApi.rollback, { id: batch, body: { reason: 'Wrong' } })
    await idle()
    expect((await media.row(from))?.deletedAt).not.toBeNull()
    const preview = await batches.rollback(batch, { reason: 'Wrong', dryRun: true }, SYSTEM)
    expect(preview).toMatchObject({ refused: { reasons: [{ id: into, code: 'notKept' }] } })
  })

  test('a version that is deleted while it is being read does not count as an empty one', async () => {
    const { call } = await signedIn()
    const id = await media.create(titled('A title long enough for the next version to be stored as a delta'), context)
    await media.update(id, { episodes: 2 }, context)
    const batch = newId()
    await media.update(id, { episodes: 3 }, { ...context, batch })
    const [, second, third] = await versionsOf(id)
    // A reader who has found the second version, but not yet read it, sees what this leaves.
    const whole = { snapshot: JSON.parse(third?.text ?? '') as Record<string, unknown>, delta: null }
    await db
      .updateTable('revisions')
      .set(whole)
      .where('_id', '=', third?._id ?? '')
      .execute()
    await db.deleteFrom('revisions').where('entityId', '=', id).where('version', '=', 1).execute()
    const preview = await batches.rollback(batch, { reason: 'Wrong', dryRun: true }, SYSTEM)
    expect(preview).toMatchObject({ refused: { count: 1, reasons: [{ id, code: 'notKept' }] } })
    await expect(call(revisionsApi.find, { id: second?._id ?? '' })).rejects.toMatchObject({ status: 404 })
  })
})

test('deletes activities older than the retention period', async () => {
  const { call } = await signedIn()
  await media.create(titled('One'), context)
  expect((await call(dashboardApi.activities, { query: {} })).length).toBeGreaterThan(0)
  await settings.change({ retention: { keepActivitiesDays: 30 } }, context)
  await runAfter(29)
  expect((await call(dashboardApi.activities, { query: {} })).length).toBeGreaterThan(0)
  await runAfter(31)
  expect(await call(dashboardApi.activities, { query: {} })).toEqual([])
})

test('a stopped run that is resumed records all of its activities', async () => {
  await settings.change({ retention: { keepVersionsDays: 30, keepActivitiesDays: 30 } }, context)
  await runAfter(31)
  await media.create(titled('One'), context)
  const row = await db.selectFrom('activities').selectAll().executeTakeFirstOrThrow()
  const copies = Array.from({ length: 599 }, () => ({ ...row, _id: newId() }))
  await transaction((tx) => insertRows(tx, 'activities', copies))
  const payload = (await runAfter(31, { stopWhen: ({ activities }) => activities === 500 })).at(-1)
  const added = await entriesOf(() => runAfter(31, { payload }))
  expect(added).toMatchObject([{ action: 'trash.activities', details: { count: 600 } }])
})

describe('the audit log', () => {
  test('remains verifiable after old entries are deleted, repeatedly', async () => {
    await settings.change({ retention: { keepAuditDays: 90 } }, context)
    const whole = await entries()
    await runAfter(89)
    expect(await entries()).toEqual(whole)
    for (let round = 0; round < 2; round++) {
      const before = await entries()
      const last = before.at(-1)
      await runAfter(91)
      const kept = await entries()
      expect(kept).toMatchObject([
        {
          action: 'audit.deleted',
          actorId: SYSTEM._id,
          details: { count: before.length, last: last?.seq, hash: last?.hash },
        },
      ])
      expect(await verifyChain()).toEqual({ entries: 1, from: { seq: last?.seq, hash: last?.hash } })
      const notes: string[] = []
      for await (const issue of auditLog((line) => void notes.push(line)).run()) expect(issue).toBeUndefined()
      expect(notes).toEqual([expect.stringContaining(`kept from entry ${(last?.seq ?? 0) + 1} on`)])
    }
  })

  test('refuses direct deletions, and detects a forged start of the chain', async () => {
    onTestFinished(startEmpty)
    await settings.change({ general: { siteName: 'One' } }, context)
    await settings.change({ general: { siteName: 'Two' } }, context)
    const [one] = (await entries()).slice(-2)
    await expect(
      db
        .deleteFrom('audit')
        .where('seq', '=', one?.seq ?? 0)
        .execute(),
    ).rejects.toThrow('The audit log is append-only')
    await db
      .updateTable('auditHead')
      .set({ deletedSeq: one?.seq ?? 0, deletedHash: one?.hash ?? '' })
      .execute()
    expect(await verifyChain()).toMatchObject({ broken: { code: 'deleted', seq: one?.seq } })
    expect((await head()).deletedSeq).toBe(one?.seq)
  })
})

test('rejects a retention period that is too short or too long, with the path of the field', async () => {
  const { call } = await signedIn()
  for (const retention of [
    { keepVersionsDays: 29 },
    { keepActivitiesDays: 1 },
    { keepAuditDays: 89 },
    { keepAuditDays: 40_000 },
  ])
    await expect(call(settingsApi.update, { body: { retention } })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: `retention.${Object.keys(retention)[0]}` }],
    })
  const { retention } = await call(settingsApi.update, { body: { retention: { keepAuditDays: 90 } } })
  expect(retention).toEqual({ ...FOR_EVER, keepAuditDays: 90 })
})

test('requires the password again to change a retention period', async () => {
  const call = await signedInLongAgo()
  for (const retention of [{ keepVersionsDays: 30 }, { keepActivitiesDays: 30 }, { keepAuditDays: 90 }])
    await expect(call(settingsApi.update, { body: { retention } })).rejects.toMatchObject({
      status: 403,
      code: 'reauthenticate',
    })
})

test('keeps the remaining versions intact if the entity is edited while old ones are deleted', async () => {
  const wereRead = areDeltasSupported()
  setDeltasSupported(true)
  onTestFinished(() => setDeltasSupported(wereRead))
  const id = await media.create(titled('Zero'), context)
  for (let at = 0; at < 10; at++) await media.update(id, titled(`Before ${at}`), context)
  const moment = momentIn(1)
  const edits = Array.from({ length: 15 }, (_, at) => at).reduce(
    (done, at) => done.then(() => media.update(id, titled(`After ${at}`), context)).then(() => undefined),
    Promise.resolve<undefined>(undefined),
  )
  await Promise.all([edits, transaction((tx) => deleteVersions(tx, moment, ''))])
  await transaction((tx) => deleteVersions(tx, moment, ''))
  const kept = await versionsOf(id)
  const titles = kept.map(({ text }) => (JSON.parse(text) as ReturnType<typeof titled>).translations.en?.title)
  expect(titles.slice(-15)).toEqual(Array.from({ length: 15 }, (_, at) => `After ${at}`))
  expect(kept.map(({ version }) => version)).toEqual(kept.map((_, at) => (kept[0]?.version ?? 0) + at))
  expect(await issues()).toEqual([])
})

test('versions that build on a missing one are not read as others, and stop neither saves nor retention', async () => {
  const wereRead = areDeltasSupported()
  setDeltasSupported(true)
  onTestFinished(() => setDeltasSupported(wereRead))
  const start = newId()
  const id = await media.create(titled('Zero'), context)
  for (const title of ['One', 'Two', 'Three']) await media.update(id, titled(title, title), context)
  // As while the partition of a month is detached.
  const third = db.selectFrom('revisions').select('_id').where('entityId', '=', id).where('version', '=', 3)
  await db.deleteFrom('history').where('revisionId', 'in', third).execute()
  await db.deleteFrom('revisions').where('_id', 'in', third).execute()
  await media.update(id, titled('Four'), context)
  const other = await media.create(titled('Another'), context)
  await media.update(other, titled('Another', 'changed'), context)
  const textOf = (title: string, description = '') =>
    expect.stringContaining(JSON.stringify(titled(title, description).translations.en))
  const kept = [
    { version: 1, text: textOf('Zero') },
    { version: 2, text: textOf('One', 'One') },
    { version: 4, text: undefined },
    { version: 5, text: textOf('Four') },
  ]
  expect(await versionsOf(id)).toMatchObject(kept)
  await db
    .updateTable('revisions')
    .set({ createdAt: momentIn(5000) })
    .where('entityId', '=', id)
    .where('version', '=', 5)
    .execute()
  await transaction((tx) => deleteVersions(tx, momentIn(1000), start))
  expect(await versionsOf(id)).toMatchObject(kept)
  await transaction((tx) => deleteVersions(tx, momentIn(10_000), start))
  expect(await versionsOf(id)).toMatchObject([{ version: 5 }])
  expect(await versionsOf(other)).toMatchObject([{ version: 2 }])
})
