// Daily values of counters, so that a dashboard shows trends without counting anything.
import { TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { type Kysely, sql } from 'kysely'
import { transaction } from '#database/db.ts'
import type { Tables } from '#database/tables.ts'
import { DAY_MS, momentIn } from '#lib/clock.ts'
import { countersWhere, foldShards, totalCounter } from './counters.ts'

const DAYS_KEPT = 35
/** The prefixes of the counters that each language has. */
const BY_LANGUAGE = ['findingCount.', 'filledCount.']
/** The prefixes of the counters to record, besides the totals of kinds. */
const RECORDED = [...BY_LANGUAGE, 'assetFlagCount.']

/**
 * Records the values of counters for today; a second call on the same day replaces them. Deletes counters that are 0,
 * of languages: anybody who edits texts can use any number of them.
 */
export const recordCounters = async (): Promise<void> => {
  await foldShards()
  await transaction(async (tx) => {
    const day = dayBefore(0)
    await tx.deleteFrom('counterDays').where('day', '=', day).execute()
    await tx.deleteFrom('counterDays').where('day', '<', dayBefore(DAYS_KEPT)).execute()
    for (const prefix of BY_LANGUAGE)
      await tx
        .deleteFrom('counters')
        .where('value', '=', 0)
        .where('name', '>=', prefix)
        .where('name', '<', `${prefix}~`)
        .execute()
    const totals = TRANSLATED_KINDS.map(totalCounter)
    const recorded = RECORDED.map((prefix) => sql`"name" >= ${prefix} AND "name" < ${`${prefix}~`}`)
    const counters = countersWhere(sql`("name" IN (${sql.join(totals)}) OR ${sql.join(recorded, sql` OR `)})`)
    await sql`INSERT INTO "counterDays" ("name", "day", "value")
      SELECT "name", ${sql.lit(day)}, "value" FROM (${counters}) AS "kept" WHERE "value" > 0`.execute(tx)
    await tx.insertInto('counterDays').values({ name: '', day, value: 0 }).execute()
  })
}

/**
 * The values of counters on the recorded days among the `days` before today, oldest first: for each day, a function
 * from the name of a counter to its value.
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

/** The day (UTC) `days` days ago, such as `2026-11-22`. */
const dayBefore = (days: number): string => momentIn(-days * DAY_MS).slice(0, 10)
