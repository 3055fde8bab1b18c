// Work on very many rows takes a page of them at a time: on SQLite, nothing else runs during a statement.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runs } from '#store/ai'
import { db, transaction } from '#database/db.ts'
import { deleteOldJobs } from '#jobs/queue.ts'
import { workOf } from '#jobs/work.ts'
import { deleteExpiredKeys } from '#ledger/idempotency.ts'
import { DAY_MS, momentIn } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { batches } from '#store/batches'
import { notifications } from '#store/notifications'
import { resets } from '#store/auth'
import { search } from '#store/search'
import { work } from '#store/work'
import { signedIn, withApp } from '#test/app.ts'
import { addChangedRows, aTag, aUser } from '#test/factories.ts'
import { expectFewRows } from '#test/plans.ts'
import { untilWaiting } from '#test/waiting.ts'
import { BATCH_JOB } from '../src/batches/records.ts'
import { addRows } from '../src/imports/apply.ts'
import { records as imports } from '../src/imports/records.ts'
import { deleteOld } from '../src/retention/work.ts'
import { rebuildSearch } from '../src/search/rebuild.ts'

withApp()

const MANY = 2500
const AGES_AGO = '2001-01-01T00:00:00.000Z'

/** Inserts many rows; the values may contain the number of the row, "n". */
const insertMany = (table: string, values: Record<string, string>) =>
  sql`INSERT INTO ${sql.table(table)} (${sql.join(Object.keys(values).map((column) => sql.ref(column)))})
    WITH RECURSIVE "more" ("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "more" WHERE "n" < ${sql.lit(MANY)})
    SELECT ${sql.raw(Object.values(values).join())} FROM "more"`.execute(db)

const countOf = async (table: 'aiRuns' | 'creations' | 'jobs' | 'notifications' | 'reservations' | 'resets') => {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** How often other requests get a turn during some work. */
async function turnsDuring<Result>(call: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  try {
    const result = await call()
    return { result, turns }
  } finally {
    clearImmediate(next)
  }
}

test('what has expired is deleted a page at a time', async () => {
  const { _id } = await aUser()
  const [id, past, user] = [`'expired ' || "n"`, `'${AGES_AGO}'`, `'${_id}'`]
  const run = { model: `''`, prompt: `''`, sources: `'[]'`, milliseconds: '1', inputTokens: '1', outputTokens: '1' }
  const expired = {
    notifications: {
      userId: user,
      seq: '"n"',
      _id: id,
      kind: `'BATCH_FINISHED'`,
      data: `'{}'`,
      createdAt: past,
    },
    aiRuns: {
      _id: id,
      userId: user,
      call: `'media'`,
      provider: `'reference'`,
      startedAt: past,
      ...run,
      isEstimate: '0',
      outcome: `'done'`,
      answers: `'[]'`,
    },
    creations: { key: id, entityId: id, createdAt: past },
    reservations: { entityId: id, entityType: `'Media'`, userId: user, until: past },
    resets: { tokenHash: id, userId: user, email: `''`, createdAt: past, expiresAt: past },
    jobs: {
      _id: id,
      kind: `'mail.send'`,
      payload: `'{}'`,
      state: `'done'`,
      dueAt: past,
      attempts: '1',
      total: '0',
      done: '0',
      createdAt: past,
      finishedAt: past,
    },
  }
  const deletions = {
    notifications: () => notifications.deleteExpired(),
    aiRuns: () => runs.deleteExpired(),
    creations: () => deleteExpiredKeys(),
    reservations: () => work.deleteExpired(),
    resets: () => resets.deleteExpired(),
    jobs: () => deleteOldJobs(),
  }
  for (const table of ['notifications', 'aiRuns', 'creations', 'reservations', 'resets', 'jobs'] as const) {
    const before = await countOf(table)
    await insertMany(table, expired[table])
    await expectFewRows(deletions[table])
    expect({ [table]: await countOf(table) }).toEqual({ [table]: before })
  }
})

test('retention deletes some rows at a time, and gives other requests a turn after each time', async () => {
  await db.updateTable('settings').set({ keepActivitiesDays: 365 }).execute()
  await insertMany('activities', {
    _id: `'old ' || "n"`,
    type: `'MEDIA_CREATED'`,
    description: `''`,
    username: `''`,
    entityType: `'Media'`,
    entityId: `''`,
    title: `''`,
    createdAt: `'${AGES_AGO}'`,
  })
  const job = { payload: {}, signal: new AbortController().signal, hold: () => Promise.resolve() }
  const { turns } = await turnsDuring(() => expectFewRows(() => deleteOld(job)))
  expect(turns).toBeGreaterThanOrEqual(MANY / 500)
  expect(await db.selectFrom('activities').select('_id').where('_id', 'like', 'old %').execute()).toEqual([])
})

test('what is extended while expired rows are deleted stays', async () => {
  const { _id } = await aUser()
  const [entityId, until] = [newId(), momentIn(DAY_MS)]
  const row = { entityId, entityType: 'Media', userId: _id, until: AGES_AGO } as const
  await db.insertInto('reservations').values(row).execute()
  const deleting = await transaction(async (tx) => {
    await tx.updateTable('reservations').set({ until }).where('entityId', '=', entityId).execute()
    const started = work.deleteExpired()
    await untilWaiting(1)
    return { started }
  })
  await deleting.started
  const kept = await db.selectFrom('reservations').select('until').where('entityId', '=', entityId).execute()
  expect(kept).toEqual([{ until }])
})

test('a rollback finds what a batch wrote a page at a time, and so do its permissions and its notifications', async () => {
  const { actor } = await signedIn()
  const { actor: author, user } = await signedIn()
  const [batch, rollback] = [newId(), newId()]
  const ended = momentIn(0)
  await transaction(async (tx) => {
    await batches.addDone(tx, batch, { what: 'change', entityType: 'Media' }, [], actor)
    await batches.addDone(tx, rollback, { what: 'rollback', rollsBack: batch, reason: 'a mistake' }, [], actor)
  })
  await addChangedRows(batch, MANY)
  const { createdAt } = await db
    .selectFrom('batches')
    .select('createdAt')
    .where('_id', '=', rollback)
    .executeTakeFirstOrThrow()
  const named = { userId: `'${user._id}'`, username: `'${user.username}'` }
  await insertMany('revisions', {
    _id: `'${batch} ' || (10000 + "n")`,
    entityType: `'Media'`,
    entityId: `'${batch} ' || "n"`,
    version: '1',
    action: `'update'`,
    origin: `'user'`,
    batch: `'${batch}'`,
    ...named,
    paths: `'[]'`,
    snapshot: `'{}'`,
    createdAt: `'${ended}'`,
  })
  await insertMany('history', {
    _id: `'${batch} ' || (10000 + "n")`,
    revisionId: `'${batch} ' || (10000 + "n")`,
    entityType: `'Media'`,
    entityId: `'${batch} ' || "n"`,
    language: `'en'`,
    field: `'title'`,
    oldValue: `''`,
    newValue: `''`,
    updatedById: named.userId,
    updatedBy: named.username,
    isRolledBack: '1',
    rolledBackBy: `'${actor.username}'`,
    rolledBackAt: `'${createdAt}'`,
    createdAt: `'${ended}'`,
  })
  await expectFewRows(async () => {
    const { result, turns } = await turnsDuring(() =>
      batches.rollback(batch, { reason: 'a mistake', dryRun: true }, actor),
    )
    expect(result).toMatchObject({ refused: { count: 2 * MANY } })
    // Other requests get a turn after every 20 plans.
    expect(turns).toBeGreaterThan((2 * MANY) / 20)
  })
  await expectFewRows(() => batches.authorizeRollback(batch, { ...author, role: 'moderator' }))
  await expectFewRows(() => transaction(async (tx) => workOf(BATCH_JOB)?.ended?.(tx, rollback, 'done')))
  const [notified] = await notifications.latest(user._id, 1)
  expect(notified).toMatchObject({ data: { count: MANY, entityId: `${batch} ${MANY}` } })
})

test('an import adds its rows to a batch a page at a time', async () => {
  const { actor } = await signedIn()
  const _id = await imports.add('Media', 'a.csv', actor)
  await insertMany('importPlans', {
    import: `'${_id}'`,
    seq: '"n" - 1',
    changes: `'[]'`,
    entityId: `'new ' || "n"`,
    outcome: `CASE WHEN "n" % 2 = 0 THEN 'new' ELSE 'unchanged' END`,
  })
  const batch = newId()
  await transaction(async (tx) => {
    await batches.begin(tx, { what: 'import', entityType: 'Media' }, MANY / 2, actor, batch)
    await expectFewRows(() => addRows(tx, batch, { _id, entityType: 'Media' }, ['new']), 1000)
    await tx.updateTable('jobs').set({ state: 'done' }).where('_id', '=', batch).execute()
  })
  const rows = await db
    .selectFrom('batchRows')
    .select(['seq', 'entityId'])
    .where('batch', '=', batch)
    .orderBy('seq')
    .execute()
  expect(rows).toHaveLength(MANY / 2)
  expect(rows.at(-1)).toEqual({ seq: MANY - 1, entityId: `new ${MANY}` })
})

test.runIf(process.env.ENGINE === 'sqlite')(
  'the search index forgets a few rows at a time, since it merges more the more it forgets',
  async () => {
    const entityId = newId()
    const label = { kind: `'Tag'`, entityId: `'${entityId}'`, language: `'en'` }
    await insertMany('labels', { ...label, text: `'forgotten ' || "n"`, compact: `'forgotten' || "n"` })
    const stored = () => db.selectFrom('labels').select('id').where('entityId', '=', entityId).execute()
    const ids = (await stored()).map(({ id }) => id)
    await sql`INSERT INTO "labelGrams" ("rowid", "grams")
      SELECT "id", "compact" FROM "labels" WHERE "entityId" = ${entityId}`.execute(db)
    await expectFewRows(() => transaction(async (tx) => search.drop(tx, ids)), 64)
    expect(await stored()).toEqual([])
  },
)

test.runIf(process.env.ENGINE === 'sqlite')(
  'a rebuild of the search index reads, writes and drops the labels of few entities at a time',
  async () => {
    for (let count = 0; count < 120; count++) await aTag()
    await insertMany('labels', { kind: `'Tag'`, entityId: `'gone ' || "n"`, language: `''`, text: `''`, compact: `''` })
    await expectFewRows(() => rebuildSearch(), 100)
    expect(await db.selectFrom('labels').select('id').where('entityId', 'like', 'gone %').execute()).toEqual([])
  },
)
