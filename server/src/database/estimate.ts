import { sql } from 'kysely'
import { db, engine } from './db.ts'

/**
 * PostgreSQL's estimate of the number of rows in a table, from its last VACUUM or ANALYZE. 0 if there is none, if the
 * index does not exist or is invalid, and on SQLite.
 */
export async function estimatedRows(table: string, index: string): Promise<number> {
  if (engine !== 'postgres') return 0
  const { rows } = await sql<{ count: number }>`
    SELECT "reltuples" AS "count" FROM "pg_class" WHERE "oid" = to_regclass(${`"${table}"`}) AND EXISTS (
      SELECT 1 FROM "pg_index" WHERE "indexrelid" = to_regclass(${`"${index}"`}) AND "indisvalid")`.execute(db)
  return Math.max(0, rows[0]?.count ?? 0)
}
