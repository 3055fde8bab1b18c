// What very many labels hold, many labels of a sample hold: PostgreSQL notes every label that answers before it reads the
// first one, which takes a second for two letters in a million titles.
import { sql } from 'kysely'
import { db, engine } from '#database/db.ts'

/** The labels that are in it, by the condition of their index (migration 048), and how many make what they hold common. */
export const SAMPLE = { condition: '"id" % 64 = 0', enough: 100 }

/** With fewer labels, all of them are asked as soon. */
const WORTH_IT = 1_000_000
const BELIEVED_MS = 600_000

let known: { has: Promise<boolean>; until: number } | undefined

/** Whether there are so many labels that the sample is asked first. */
export function hasSample(): Promise<boolean> {
  if (engine !== 'postgres') return Promise.resolve(false)
  if (!known || performance.now() > known.until) {
    known = { has: isLarge(), until: performance.now() + BELIEVED_MS }
    known.has.catch(() => (known = undefined))
  }
  return known.has
}

/** As PostgreSQL has counted when it last looked, and whether it has the index. */
async function isLarge(): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    SELECT "reltuples" AS "count" FROM "pg_class" WHERE "oid" = '"labels"'::regclass AND EXISTS (
      SELECT 1 FROM "pg_index" WHERE "indexrelid" = to_regclass('"labels_sample"') AND "indisvalid")`.execute(db)
  return (rows[0]?.count ?? 0) >= WORTH_IT
}
