import { sql } from 'kysely'
import { inSnapshot } from '#database/copy.ts'
import { db, engine } from '#database/db.ts'
import { verifyChain } from '../../audit/chain.ts'
import { type Check, type Issue, orphanedRows, truncationIssue } from './check.ts'

/** Foreign keys, and SQLite's own checks of its file. PostgreSQL has other tools for its files. */
export const database: Check = {
  name: 'database',
  run: async function* inspect() {
    if (engine === 'postgres') return yield* brokenForeignKeys()
    const { rows: pages } = await inSnapshot(async (tx) => {
      // A connection that has used the text index before checks it as it was then, and misses what a merge has removed;
      // reading any row refreshes what it knows, and the snapshot keeps it true.
      await sql`SELECT "rowid" FROM "labelGrams" LIMIT 1`.execute(tx)
      return sql<{ integrity_check: string }>`PRAGMA integrity_check(10)`.execute(tx)
    })
    for (const { integrity_check: result } of pages) if (result !== 'ok') yield { what: result }
    const { rows } = await sql<{ table: string; rowid: number; parent: string }>`PRAGMA foreign_key_check`.execute(db)
    for (const { table, rowid, parent } of rows)
      yield { what: `${table} row ${rowid} violates the foreign key to ${parent}` }
  },
}

/** PostgreSQL checks no foreign keys while triggers are off, as during the restore of a dump of the data alone. */
async function* brokenForeignKeys(): AsyncGenerator<Issue> {
  const { rows: keys } = await sql<Record<'table' | 'column' | 'parent' | 'key', string>>`
    SELECT "own"."relname" AS "table", "from"."attname" AS "column", "other"."relname" AS "parent", "to"."attname" AS "key"
    FROM "pg_constraint" JOIN "pg_class" AS "own" ON "own"."oid" = "conrelid"
    JOIN "pg_class" AS "other" ON "other"."oid" = "confrelid"
    JOIN "pg_attribute" AS "from" ON "from"."attrelid" = "conrelid" AND "from"."attnum" = "conkey"[1]
    JOIN "pg_attribute" AS "to" ON "to"."attrelid" = "confrelid" AND "to"."attnum" = "confkey"[1]
    WHERE "contype" = 'f' AND "conparentid" = 0 AND "connamespace" = quote_ident(current_schema())::regnamespace
    ORDER BY "own"."relname", "from"."attname"`.execute(db)
  for (const { table, column, parent, key } of keys) {
    const rows =
      await orphanedRows(sql`SELECT DISTINCT "its".${sql.ref(column)} AS "id" FROM ${sql.table(table)} AS "its"
      WHERE "its".${sql.ref(column)} IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM ${sql.table(parent)} AS "other" WHERE "other".${sql.ref(key)} = "its".${sql.ref(column)})`)
    for (const { id } of rows) yield { what: `${table}: ${column} ${id} violates the foreign key to ${parent}` }
    yield* truncationIssue(rows)
  }
}

/**
 * The hash chain of the audit log. `note` receives a line about where the log starts if its oldest entries were
 * deleted.
 */
export const auditLog = (note: (line: string) => void): Check => ({
  name: 'audit log',
  run: async function* inspect(): AsyncGenerator<Issue> {
    const { broken, from } = await verifyChain()
    if (from) note(`  kept from entry ${from.seq + 1} on, which follows the hash ${from.hash}`)
    if (broken) yield { what: `entry ${broken.seq}: ${broken.why}` }
  },
})
