import { mediaApi } from '@mokuroku/contract/media'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import { addDone } from '#jobs/queue.ts'
import { records } from '../src/imports/records.ts'
import { DAY_MS, momentIn, setClock } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { audit } from '#store/audit'
import { resets } from '#store/auth'
import { notifications } from '#store/notifications'
import { settings } from '#store/settings'
import { signedIn, skewClock, withApp } from '#test/app.ts'
import { mediaInput, mediaTitled } from '#test/factories.ts'
import { recordCounters } from '../src/ledger/counterDays.ts'
import { repeatDailyWork } from '../src/dailyWork.ts'

withApp()
afterEach(skewClock)

/** The tables whose rows are deleted for their age, those in the trash of media. In 120 days, some of each are too old. */
const TABLES = [
  'activities',
  'aiRuns',
  'audit',
  'counterDays',
  'creations',
  'findings',
  'imports',
  'jobs',
  'media',
  'notifications',
  'reservations',
  'resets',
  'revisions',
  'uploads',
] as const
const countAll = async () =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(async (table) => {
        const { n } = await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
        return [table, n] as const
      }),
    ),
  )

const setDaysAhead = (days: number) => setClock(Date.now() + days * DAY_MS, 0)

/** Runs the daily work, as at a start, and waits for its end. */
async function runDailyWork() {
  await repeatDailyWork()
  await expect
    .poll(() =>
      db
        .selectFrom('jobs')
        .select('kind')
        .where('state', 'in', ['queued', 'running'])
        .where('dueAt', '<=', momentIn(0))
        .execute(),
    )
    .toEqual([])
}

beforeAll(async () => {
  const retention = { keepVersionsDays: 30, keepActivitiesDays: 30, keepAuditDays: 90 }
  await settings.change({ retention, general: { findings: ['futureCompleted'] } }, { actor: SYSTEM })
  const { call, user, actor } = await signedIn()
  const { _id: userId } = user
  const { _id: id } = await call(mediaApi.create, { body: mediaTitled('One'), key: 'k'.repeat(40) })
  await call(mediaApi.update, { id, body: mediaTitled('Two') })
  await call(mediaApi.create, { body: mediaInput({ releaseDate: momentIn(60 * DAY_MS) }) })
  const { _id: removed } = await call(mediaApi.create, { body: mediaTitled('Removed') })
  await call(mediaApi.remove, { id: removed })
  await transaction(async (tx) => {
    notifications.notify(tx, [
      { to: userId, kind: 'BATCH_FINISHED', data: { what: 'change', count: 1, failed: 0, batch: newId() } },
    ])
    await addDone(tx, { id: newId(), kind: 'mail.send', payload: {} })
  })
  const run = {
    _id: newId(),
    provider: 'reference' as const,
    model: '',
    prompt: '',
    sources: [],
    startedAt: momentIn(0),
    milliseconds: 1,
    inputTokens: 1,
    outputTokens: 1,
    isEstimate: false,
  }
  await db
    .insertInto('aiRuns')
    .values({ ...run, userId, call: 'media', outcome: 'done', answers: [] })
    .execute()
  const dated = { createdAt: momentIn(0), expiresAt: momentIn(DAY_MS) }
  const upload = { _id: newId(), userId, filename: 'a.png', size: 1, isPublic: true, assetId: null, sessionId: null }
  await db
    .insertInto('uploads')
    .values({ ...upload, ...dated })
    .execute()
  await resets.add({ _id: userId, email: 'a@example.org' }, 'a link', 60)
  const reservation = { entityId: id, entityType: 'Media' as const, userId, until: momentIn(DAY_MS) }
  await db.insertInto('reservations').values(reservation).execute()
  await records.add('Media', 'a.csv', actor)
  for (const days of [-1, 0]) {
    setDaysAhead(days)
    await recordCounters()
  }
  skewClock()
  for (let count = 0; count < 5; count++)
    await audit.recordNow({ action: 'trash.emptied', actor: SYSTEM, details: { count } })
})

test('no day is without its counters, although each run is later than the last one was due', async () => {
  await runDailyWork()
  const { dueAt } = await db
    .selectFrom('jobs')
    .select('dueAt')
    .where('kind', '=', 'counters.note')
    .executeTakeFirstOrThrow()
  expect(dueAt < momentIn(DAY_MS - 30 * 60_000)).toBe(true)
})

test('data is deleted for its age only once a clock that is months ahead has been trusted for a day', async () => {
  await runDailyWork()
  const before = await countAll()
  for (const count of Object.values(before)) expect(count).toBeGreaterThan(0)
  setDaysAhead(120)
  await runDailyWork()
  expect(await countAll()).toEqual(before)
  skewClock()
  await runDailyWork()
  expect(await countAll()).toEqual(before)
  setDaysAhead(120)
  await runDailyWork()
  expect(await countAll()).toEqual(before)
  setDaysAhead(121.1)
  await runDailyWork()
  const after = await countAll()
  expect(TABLES.filter((table) => Number(after[table]) >= Number(before[table]))).toEqual([])
})
