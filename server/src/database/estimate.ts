import { sql } from 'kysely'
import { db, engine } from './db.ts'

/** About how many rows a table has, as PostgreSQL counted when it last looked; 0 where it has not, or lacks the index. */
export async function estimatedRows(table: string, index: string): Promise<number> {
  if (engine !== 'postgres') return 0
  const { rows } = await sql<{ count: number }>`
    SELECT "reltuples" AS "count" FROM "pg_class" WHERE "oid" = to_regclass(${`"${table}"`}) AND EXISTS (
      SELECT 1 FROM "pg_index" WHERE "indexrelid" = to_regclass(${`"${index}"`}) AND "indisvalid")`.execute(db)
  return Math.max(0, rows[0]?.count ?? 0)
}
