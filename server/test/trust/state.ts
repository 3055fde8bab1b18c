// The state in numbers: a refused call must not change any of them.
import { sql } from 'kysely'
import { db } from '#database/db.ts'
import { TABLES } from '#database/tables.ts'

const COUNTED = [
  'revisions',
  'activities',
  'history',
  'links',
  'labels',
  'uploads',
  'imports',
  'resets',
  'notifications',
  'aiRuns',
  'batches',
  'comments',
  'dismissals',
  'merges',
  'preferences',
  'reservations',
  'views',
]

/** The sums of versions, the sizes of the trash, and the number of rows of every table. */
export async function state(): Promise<Record<string, number>> {
  const entities = Object.values(TABLES).map(
    (table) => sql`(SELECT SUM("version") FROM ${sql.table(table)}) AS ${sql.ref(`${table} versions`)},
      (SELECT COUNT(*) FROM ${sql.table(table)}) AS ${sql.ref(table)},
      (SELECT COUNT(*) FROM ${sql.table(table)} WHERE "deletedAt" IS NOT NULL) AS ${sql.ref(`${table} in the trash`)}`,
  )
  const others = COUNTED.map((table) => sql`(SELECT COUNT(*) FROM ${sql.table(table)}) AS ${sql.ref(table)}`)
  const marks = [
    sql`(SELECT COUNT(*) FROM "history" WHERE "isRolledBack" = 1) AS "rolled back"`,
    sql`(SELECT COUNT(*) FROM "notifications" WHERE "readAt" IS NOT NULL) AS "read"`,
    sql`(SELECT COUNT(*) FROM "sessions" WHERE "endedAt" IS NULL) AS "sessions"`,
  ]
  const { rows } = await sql<Record<string, number>>`SELECT ${sql.join([...entities, ...others, ...marks])}`.execute(db)
  return { ...rows[0] }
}
