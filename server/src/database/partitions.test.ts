import { auditApi } from '@mokuroku/contract/audit'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, now, time } from '#lib/clock.ts'
import { SYSTEM } from '#access/permissions.ts'
import { settings } from '#store/settings'
import { firstIdAt } from '#lib/ids.ts'
import { signedIn, withApp } from '#test/app.ts'
import { withinOneDay } from '#test/days.ts'
import { aMedia, aRating, mediaInput, mediaTitled } from '#test/factories.ts'
import { postgres } from '#test/postgres.ts'
import { verify } from '../admin/verify.ts'
import { deleteOld } from '../retention/work.ts'
import { db } from './db.ts'
import { keepPartitions, partition, PARTITIONED } from './partitions.ts'
import { refreshReporting } from './reporting.ts'

withApp()

const rows = async <Row extends object>(text: string) => (await sql.raw<Row>(text).execute(db)).rows

/** The number of rows in each partition of a table; empty partitions are left out. */
async function filledParts(table: string) {
  const found = await rows<{ part: string; n: number }>(
    `SELECT "tableoid"::regclass::text AS "part", count(*)::int AS "n" FROM "${table}" GROUP BY 1 ORDER BY 1`,
  )
  return Object.fromEntries(found.map(({ part, n }) => [part, n]))
}

const partsOf = async (table: string) =>
  (
    await rows<{ name: string }>(
      `SELECT "relname" AS "name" FROM "pg_inherits" JOIN "pg_class" ON "oid" = "inhrelid"
       WHERE "inhparent" = '"${table}"'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name)

const isMonth = (name: string): boolean => /\d$/.test(name)
// The month must not change during the tests, either.
if (postgres) await withinOneDay()
const [thisYear, thisMonth] = [new Date(time()).getUTCFullYear(), new Date(time()).getUTCMonth()]
const month = (ahead: number): string =>
  new Date(Date.UTC(thisYear, thisMonth + ahead)).toISOString().slice(0, 7).replace('-', '_')

/** What clients read from the partitioned tables. */
async function readAll(call: Awaited<ReturnType<typeof signedIn>>['call'], entityId: string) {
  const query = { entityType: 'Media' as const, entityId }
  const [{ data: revisions }, { data: history }, activities, { data: audit }] = await Promise.all([
    call(revisionsApi.list, { query }),
    call(historyApi.recent, { query: { limit: 20 } }),
    call(dashboardApi.activities, { query: {} }),
    call(auditApi.list, { query: {} }),
  ])
  const oldest = await call(revisionsApi.find, { id: revisions.at(-1)?._id ?? '' })
  const idsOf = (found: { _id: string }[]) => found.map(({ _id }) => _id)
  return { revisions, oldest, grown: [idsOf(history), idsOf(activities), idsOf(audit)] }
}

describe.runIf(postgres)('monthly partitions', () => {
  let admin: Awaited<ReturnType<typeof signedIn>>
  let id: string
  beforeAll(async () => {
    admin = await signedIn()
    id = (await aMedia())._id
    for (const title of ['One', 'Two', 'Three'])
      await admin.call(mediaApi.update, {
        id,
        body: mediaTitled(title),
      })
    await aRating(id, 7)
  })

  test('refuses to partition while a foreign view or publication depends on a table', async () => {
    await rows('CREATE VIEW "report" AS SELECT "_id", "entityId" FROM "history"')
    await rows('CREATE PUBLICATION "feed" FOR TABLE "revisions"')
    await expect(partition()).rejects.toThrow(
      'Drop these first, and create them again afterwards: view report, publication feed.',
    )
    for (const table of PARTITIONED) expect(await partsOf(table)).toEqual([])
    await rows('DROP VIEW "report"')
    await rows('DROP PUBLICATION "feed"')
  })

  test('refuses to partition while a publication of all tables would publish under the names of partitions', async () => {
    await rows('CREATE PUBLICATION "all_tables" FOR ALL TABLES')
    await expect(partition()).rejects.toThrow(
      'Drop these first, and create them again afterwards: publication all_tables.',
    )
    await rows('DROP PUBLICATION "all_tables"')
  })

  test('partitions all tables during writes: no call fails, and the data stays the same', async () => {
    await rows('CREATE ROLE "analyst_of_partitions"').catch(() => undefined)
    await rows('GRANT SELECT ON "history" TO "analyst_of_partitions"')
    const before = await readAll(admin.call, id)
    const writing = new AbortController()
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      const media = await aMedia()
      let saves = 0
      for (; !writing.signal.aborted || saves < 2; saves++)
        await admin.call(mediaApi.update, {
          id: media._id,
          body: mediaTitled(`Saved ${writer} ${saves}`),
        })
      const { data } = await admin.call(revisionsApi.list, { query: { entityType: 'Media', entityId: media._id } })
      expect(data[0]).toMatchObject({ version: saves + 1 })
    })
    expect(await partition().finally(() => writing.abort())).toEqual([...PARTITIONED])
    await Promise.all(writers)

    const after = await readAll(admin.call, id)
    expect(after.revisions).toEqual(before.revisions)
    expect(after.oldest).toEqual(before.oldest)
    // New entries have come since, and have pushed the oldest ones off the page.
    for (const [at, ids] of after.grown.entries()) {
      const known = before.grown[at] ?? []
      const first = ids.findIndex((each) => known.includes(each))
      if (first >= 0) expect(ids.slice(first)).toEqual(known.slice(0, ids.length - first))
    }
    expect((await admin.call(auditApi.verify, {})).checked).not.toHaveProperty('broken')
    for (const table of PARTITIONED)
      expect(await partsOf(table)).toEqual([
        ...[2, 3].map((ahead) => `${table}_${month(ahead)}`),
        `${table}_before`,
        `${table}_later`,
      ])
    expect(await rows(`SELECT has_table_privilege('analyst_of_partitions', 'history', 'SELECT') AS "may"`)).toEqual([
      { may: true },
    ])
    const [reported] = await rows<{ n: number }>('SELECT count(*)::int AS "n" FROM "reporting"."history"')
    expect(reported?.n).toBe(Object.values(await filledParts('history')).reduce((sum, n) => sum + n, 0))
    expect(await partition()).toEqual([])
    const lines: string[] = []
    expect({ isWell: await verify({ repair: false, files: false }, (line) => lines.push(line)), lines }).toMatchObject({
      isWell: true,
    })
  })

  test('every partition has each index of its table exactly once', async () => {
    for (const table of PARTITIONED) {
      const indexes = await rows<{ part: string; text: string }>(
        `SELECT "tablename" AS "part", regexp_replace("indexdef", '^.* USING', CASE WHEN "indexdef" LIKE '% UNIQUE %'
           THEN 'UNIQUE' ELSE '' END) AS "text" FROM "pg_indexes"
         WHERE "schemaname" = 'partitions' AND "tablename" LIKE '${table}\\_%' ORDER BY 2`,
      )
      const of = (part: string) => indexes.filter((index) => index.part === part).map(({ text }) => text)
      expect(new Set(of(`${table}_before`)).size).toBe(of(`${table}_before`).length)
      for (const part of await partsOf(table))
        expect({ part, has: of(part) }).toEqual({ part, has: of(`${table}_before`) })
    }
    // The primary key keeps a version of an entity unique.
    await expect(
      rows(`INSERT INTO "revisions" SELECT (r).* FROM (SELECT "r" FROM "revisions" AS "r" LIMIT 1) AS "some"`),
    ).rejects.toThrow('duplicate key')
  })

  test('creates partitions ahead; rows of a month without one go to the default partition', async () => {
    const last = (await partsOf('activities')).findLast(isMonth)
    await keepPartitions(time() + 32 * DAY_MS)
    const made = (await partsOf('activities')).findLast(isMonth)
    expect(made && last && made > last).toBe(true)
    const idAt = (days: number) => `${firstIdAt(time() + days * DAY_MS)}-7000-8000-000000000000`
    const add = (_id: string) =>
      db
        .insertInto('activities')
        .values({
          _id,
          type: 'MEDIA_CREATED',
          description: '',
          username: '',
          userId: null,
          entityType: 'Media',
          entityId: id,
          title: '',
          createdAt: now(),
        })
        .execute()
    await add(idAt(75))
    await add(idAt(400))
    const parts = await filledParts('activities')
    expect(Object.keys(parts).filter(isMonth)).toHaveLength(1)
    expect(parts['partitions.activities_later']).toBe(1)
    // A month gets no partition if it already has rows in the default partition; the other months get theirs.
    await keepPartitions(time() + 390 * DAY_MS)
    expect(await filledParts('activities')).toEqual(parts)
    expect(await partsOf('activities')).toHaveLength(6)
    await db
      .deleteFrom('activities')
      .where('_id', 'in', [idAt(75), idAt(400)])
      .execute()
  })

  test('every month gets a partition, also after a day on which the clock was a year ahead', async () => {
    await keepPartitions(time() + 500 * DAY_MS)
    for (let at = 2; at <= 8; at++) {
      await keepPartitions(Date.UTC(thisYear, thisMonth + at, 15))
      const parts = await partsOf('history')
      expect(parts).toEqual(expect.arrayContaining([0, 1, 2, 3].map((ahead) => `history_${month(at + ahead)}`)))
    }
  })

  test('a partition that was detached by hand keeps no other table from getting its partitions', async () => {
    const at = Date.UTC(thisYear, thisMonth + 20, 15)
    await keepPartitions(at)
    const part = `revisions_${month(21)}`
    await rows(`ALTER TABLE "revisions" DETACH PARTITION "partitions"."${part}"`)
    await keepPartitions(Date.UTC(thisYear, thisMonth + 21, 15))
    expect(await partsOf('revisions')).toEqual(expect.not.arrayContaining([part]))
    for (const table of PARTITIONED) expect(await partsOf(table)).toContain(`${table}_${month(24)}`)
    await rows(`DROP TABLE "partitions"."${part}"`)
  })

  test('every partition of the audit log is append-only', async () => {
    await keepPartitions()
    for (const part of ['"audit"', ...(await partsOf('audit')).map((name) => `"partitions"."${name}"`)]) {
      await expect(rows(`TRUNCATE ${part}`)).rejects.toThrow('The audit log is append-only')
      const [{ n } = { n: 0 }] = await rows<{ n: number }>(`SELECT count(*)::int AS "n" FROM ${part}`)
      if (n === 0) continue
      await expect(rows(`UPDATE ${part} SET "label" = 'x'`)).rejects.toThrow('The audit log is append-only')
      await expect(rows(`DELETE FROM ${part}`)).rejects.toThrow('The audit log is append-only')
    }
  })

  test('drops partitions that retention has emptied, and keeps the others', async () => {
    await settings.change({ retention: { keepActivitiesDays: 30, keepVersionsDays: 30 } }, { actor: SYSTEM })
    const later = Date.UTC(thisYear, thisMonth + 4, 15)
    const before = await filledParts('revisions')
    await deleteOld({ payload: {}, signal: new AbortController().signal, hold: async () => undefined }, later)
    await keepPartitions(later)
    expect(await partsOf('activities')).not.toContain('activities_before')
    expect(await partsOf('activities')).not.toContain(`activities_${month(2)}`)
    expect(await partsOf('revisions')).toContain('revisions_before')
    expect((await filledParts('revisions'))['partitions.revisions_before']).toBeLessThan(
      before['partitions.revisions_before'] ?? 0,
    )
    await settings.change({ retention: { keepActivitiesDays: 0, keepVersionsDays: 0 } }, { actor: SYSTEM })
    await admin.call(mediaApi.update, { id, body: mediaInput({ isOngoing: false, tags: [] }) })
    expect(await admin.call(dashboardApi.activities, { query: {} })).not.toEqual([])
  })

  test('a later version can add columns and indexes, and refreshes its views', async () => {
    await rows('ALTER TABLE "revisions" ADD COLUMN "more" TEXT')
    await rows('CREATE INDEX "revisions_more" ON "revisions" ("more")')
    await rows('DROP INDEX "history_created"')
    await keepPartitions(time() + 200 * DAY_MS)
    const said: string[] = []
    await refreshReporting(db, (line) => said.push(line))
    expect(said).toEqual([])
    expect(await rows('SELECT "more" FROM "reporting"."revisions" LIMIT 1')).toHaveLength(1)
  })
})
