import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { db, Transaction } from './db.ts'

/** The number of rows deleted by one statement. On SQLite, no other statement can run meanwhile. */
const ROWS_PER_DELETE = 2000

/**
 * Tables of which very many rows may belong to one row of another table: the column that names it, and the next one of the
 * index.
 */
const OWNED = {
  importRows: ['import', 'seq'],
  importPlans: ['import', 'seq'],
  importKeys: ['import', 'key'],
  batchRows: ['batch', 'seq'],
} as const

/** Deletes some of the rows that belong to `owner`. Returns whether there may be more. */
export async function deleteSomeRows(
  tx: Transaction | typeof db,
  table: keyof typeof OWNED,
  owner: string,
): Promise<boolean> {
  const [column, order] = OWNED[table].map((name) => sql.ref(name))
  const { numAffectedRows = 0n } = await sql`DELETE FROM ${sql.table(table)} WHERE ${column} = ${owner} AND ${order} IN
    (SELECT ${order} FROM ${sql.table(table)} WHERE ${column} = ${owner} ORDER BY ${order} LIMIT ${ROWS_PER_DELETE})`.execute(
    tx,
  )
  return numAffectedRows >= ROWS_PER_DELETE
}

/** Deletes all rows that belong to `owner`, some at a time, and lets waiting requests run in between. */
export async function deleteRows(tx: Transaction | typeof db, table: keyof typeof OWNED, owner: string): Promise<void> {
  while (await deleteSomeRows(tx, table, owner)) await yieldToEventLoop()
}
