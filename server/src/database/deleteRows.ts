import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { db, Transaction } from './db.ts'

/** The number of rows deleted by one statement. On SQLite, no other statement can run meanwhile. */
const ROWS_PER_DELETE = 2000

/** The keys of tables from which very many rows may be deleted at a time. */
const KEYS = {
  importRows: ['import', 'seq'],
  importPlans: ['import', 'seq'],
  importKeys: ['import', 'key'],
  batchRows: ['batch', 'seq'],
  notifications: ['userId', 'seq'],
  jobs: ['_id'],
  aiRuns: ['_id'],
  creations: ['key'],
  resets: ['tokenHash'],
  reservations: ['entityId'],
} as const

type Condition = readonly [column: string, operator: '=' | '<' | '<=', value: string]

/** Deletes some of the rows that meet a condition. Returns whether there may be more. */
export async function deleteSomeRows(
  tx: Transaction | typeof db,
  table: keyof typeof KEYS,
  [column, operator, value]: Condition,
): Promise<boolean> {
  const key = sql.join(KEYS[table].map((name) => sql.ref(name)))
  const condition = sql`${sql.ref(column)} ${sql.raw(operator)} ${value}`
  // The condition twice: a row that another transaction is changing may no longer meet it once that has committed.
  const { numAffectedRows = 0n } = await sql`DELETE FROM ${sql.table(table)} WHERE ${condition} AND (${key}) IN
    (SELECT ${key} FROM ${sql.table(table)} WHERE ${condition} LIMIT ${ROWS_PER_DELETE})`.execute(tx)
  return numAffectedRows >= ROWS_PER_DELETE
}

/** Deletes all rows that meet a condition, some at a time, and lets waiting requests run in between. */
export async function deleteRows(...given: Parameters<typeof deleteSomeRows>): Promise<void> {
  while (await deleteSomeRows(...given)) await yieldToEventLoop()
}
