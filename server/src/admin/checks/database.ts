import { sql } from 'kysely'
import { db, engine } from '#database/db.ts'
import { verifyChain } from '../../audit/chain.ts'
import type { Check, Issue } from './check.ts'

/** SQLite's own checks of its file. PostgreSQL has other tools for that. */
export const database: Check = {
  name: 'database',
  run: async function* inspect() {
    if (engine === 'postgres') return
    // A connection that has used the text index before checks it as it was then, and misses what a merge has removed;
    // reading any row refreshes what it knows.
    await sql`SELECT "rowid" FROM "labelGrams" LIMIT 1`.execute(db)
    const { rows: pages } = await sql<{ integrity_check: string }>`PRAGMA integrity_check(10)`.execute(db)
    for (const { integrity_check: result } of pages) if (result !== 'ok') yield { what: result }
    const { rows } = await sql<{ table: string; rowid: number; parent: string }>`PRAGMA foreign_key_check`.execute(db)
    for (const { table, rowid, parent } of rows)
      yield { what: `${table} row ${rowid} violates the foreign key to ${parent}` }
  },
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
