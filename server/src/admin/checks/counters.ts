import { kindOf, KINDS, TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { type Kysely, sql } from 'kysely'
import { countersOf, countersWhere, holdCounters, setCounter, totalCounter } from '#ledger/counters.ts'
import { inSnapshot } from '#database/copy.ts'
import { db, transaction } from '#database/db.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import { filledCounter, filledIn } from '#ledger/filled.ts'
import { lazy } from '#lib/lazy.ts'
import type { Check } from './check.ts'

/** The counters that are maintained by writes. */
const KEPT = /^(\w+Count(\.[\w-]*)*|tagUsage\.\w+|asset(Flag)?Size(\.\w+)?)$/

/** The number of entities read at a time. */
const ROWS_PER_PAGE = 1000

export const counters: Check = {
  name: 'counters',
  run: async function* inspect() {
    const wrong = await inSnapshot(wrongIn)
    const repair = lazy(() => repairAll([...wrong.keys()]))
    for (const [name, { is, should }] of wrong) yield { what: `${name} is ${is}, not ${should}`, repair }
  },
}

/** Waits for transactions that have changed a counter; later ones change the value that is set here. */
const repairAll = (names: string[]): Promise<void> =>
  transaction(async (tx) => {
    await holdCounters(tx)
    const right = await counted(tx)
    for (const name of names) await setCounter(tx, name, right.get(name) ?? 0)
  })

async function wrongIn(tx: Kysely<Tables>): Promise<Map<string, { is: number; should: number }>> {
  const right = await counted(tx)
  const stored = (await countersWhere(sql`true`).execute(tx)).rows
  const names = new Set([...right.keys(), ...stored.map(({ name }) => name).filter((name) => KEPT.test(name))])
  const is = await countersOf(tx, [...names])
  const pairs = [...names].map((name) => [name, { is: is[name] ?? 0, should: right.get(name) ?? 0 }] as const)
  return new Map(pairs.filter(([, each]) => each.is !== each.should))
}

/** How many entities have a title or name in each language. */
async function* countFilled(tx: Kysely<Tables>): AsyncGenerator<[string, number]> {
  for (const kind of TRANSLATED_KINDS) {
    const counts = new Map<string, number>()
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const rows: { _id: string; translations: object }[] = await tx
        .selectFrom(TABLES[kind])
        .select(['_id', 'translations'])
        .where('_id', '>', cursor)
        .where('deletedAt', 'is', null)
        .orderBy('_id')
        .limit(ROWS_PER_PAGE)
        .execute()
      for (const row of rows) for (const tag of filledIn(kind, { ...row })) counts.set(tag, (counts.get(tag) ?? 0) + 1)
      cursor = rows.at(-1)?._id
    }
    for (const [tag, count] of counts) yield [filledCounter(kind, tag), count]
  }
}

/** The correct values of all counters. */
async function counted(tx: Kysely<Tables> = db): Promise<Map<string, number>> {
  const right = new Map<string, number>()
  const add = async (query: ReturnType<typeof sql<{ name: string; n: number | null }>>) => {
    for (const { name, n } of (await query.execute(tx)).rows) right.set(name, n ?? 0)
  }
  for (const kind of KINDS) {
    const name = totalCounter(kind)
    const table = sql.table(TABLES[kind])
    await add(sql`SELECT ${sql.lit(name)} AS "name", count(*) AS "n" FROM ${table} WHERE "deletedAt" IS NULL`)
    const { countedBy } = kindOf(kind)
    if (countedBy)
      await add(sql`SELECT ${sql.lit(`${name}.`)} || ${sql.ref(countedBy)} AS "name", count(*) AS "n" FROM ${table}
        WHERE "deletedAt" IS NULL GROUP BY ${sql.ref(countedBy)}`)
  }
  await add(sql`SELECT 'findingCount.' || "entityType" || '.' || "code" || '.' || "language" || '.' || "field" AS "name",
    count(*) AS "n" FROM "findings" GROUP BY "entityType", "code", "language", "field"`)
  await add(sql`SELECT 'duplicateCount.' || "entityType" AS "name", count(*) AS "n" FROM "duplicatePairs"
    GROUP BY "entityType"`)
  await add(sql`SELECT 'tagUsage.' || "type" AS "name", sum("usageCount") AS "n" FROM "tags"
    WHERE "deletedAt" IS NULL GROUP BY "type"`)
  await add(sql`SELECT 'assetSize' AS "name", sum("size") AS "n" FROM "assets" WHERE "deletedAt" IS NULL`)
  await add(sql`SELECT 'assetFlagCount.' || "flag" AS "name", count(*) AS "n" FROM "assetFlags" GROUP BY "flag"`)
  await add(sql`SELECT 'assetFlagSize.' || "flag" AS "name", sum("size") AS "n" FROM "assetFlags" GROUP BY "flag"`)
  await add(sql`SELECT 'userCount.' || "role" || CASE "isActive" WHEN 1 THEN '.active' ELSE '.inactive' END AS "name",
    count(*) AS "n" FROM "users" WHERE "deletedAt" IS NULL GROUP BY "role", "isActive"`)
  await add(sql`SELECT 'historyCount.' || "entityType" AS "name", count(*) AS "n" FROM "history" GROUP BY "entityType"`)
  await add(sql`SELECT 'rolledBackCount' AS "name", count(*) AS "n" FROM "history" WHERE "isRolledBack" = 1`)
  for await (const [name, count] of countFilled(tx)) right.set(name, count)
  return right
}
