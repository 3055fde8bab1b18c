// What counters were, day by day: a dashboard shows how they move without counting anything.
import { TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { type Kysely, sql } from 'kysely'
import { transaction } from '#database/db.ts'
import type { Tables } from '#database/tables.ts'
import { momentIn } from '#lib/clock.ts'
import { countersWhere, foldShards, totalCounter } from './counters.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DAYS_KEPT = 35
/** How the names of the counters begin that are noted, beside the totals of kinds. */
const NOTED = ['findingCount.', 'filledCount.', 'assetFlagCount.']

/** Notes what the counters are, for today; once more on the same day, it notes the newer ones. */
export const noteCounters = async (): Promise<void> => {
  await foldShards()
  await transaction(async (tx) => {
    const day = dayBefore(0)
    await tx.deleteFrom('counterDays').where('day', '=', day).execute()
    await tx.deleteFrom('counterDays').where('day', '<', dayBefore(DAYS_KEPT)).execute()
    const totals = TRANSLATED_KINDS.map(totalCounter)
    const noted = NOTED.map((prefix) => sql`"name" >= ${prefix} AND "name" < ${`${prefix}~`}`)
    const counters = countersWhere(sql`("name" IN (${sql.join(totals)}) OR ${sql.join(noted, sql` OR `)})`)
    await sql`INSERT INTO "counterDays" ("name", "day", "value")
      SELECT "name", ${sql.lit(day)}, "value" FROM (${counters}) AS "kept" WHERE "value" > 0`.execute(tx)
    await tx.insertInto('counterDays').values({ name: '', day, value: 0 }).execute()
  })
}

/**
 * What counters were on the days of the last `days` before today that were noted, the oldest first: by day, a function
 * that answers the value of a name.
 */
export async function pastCounters(
  db: Kysely<Tables>,
  names: string[],
  days: number,
): Promise<{ day: string; valueOf: (name: string) => number }[]> {
  const rows = await db
    .selectFrom('counterDays')
    .selectAll()
    .where('name', 'in', ['', ...names])
    .where('day', '>=', dayBefore(days))
    .where('day', '<', dayBefore(0))
    .orderBy('day')
    .execute()
  return [...Map.groupBy(rows, ({ day }) => day)]
    .filter(([, each]) => each.some(({ name }) => name === ''))
    .map(([day, each]) => {
      const values = new Map(each.map(({ name, value }) => [name, value]))
      return { day, valueOf: (name) => values.get(name) ?? 0 }
    })
}

/** The day (UTC) that was so many days ago: `2026-11-22`. */
const dayBefore = (days: number): string => momentIn(-days * DAY_MS).slice(0, 10)
