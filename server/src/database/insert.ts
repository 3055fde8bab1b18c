import { send, type Transaction } from './db.ts'
import type { Tables } from './tables.ts'

/** The maximum number of parameters in one statement: SQLite takes 32,766, and PostgreSQL 65,535. */
const MAX_VALUES = 32_000

/** Inserts rows of one table in as few statements as the engines allow. The rows need not have the same columns. */
export async function insertRows(tx: Transaction, table: keyof Tables, rows: object[]): Promise<void> {
  for (const statement of insertsOf(tx, table, rows)) await statement.execute()
}

/** Like `insertRows`, without waiting for the answers. */
export function sendRows(tx: Transaction, table: keyof Tables, rows: object[]): void {
  for (const statement of insertsOf(tx, table, rows)) send(tx, statement)
}

function* insertsOf(tx: Transaction, table: keyof Tables, rows: object[]) {
  const columns = new Set(rows.flatMap((row) => Object.keys(row))).size
  const rowsPerStatement = Math.max(1, Math.floor(MAX_VALUES / Math.max(1, columns)))
  for (let at = 0; at < rows.length; at += rowsPerStatement)
    yield tx.insertInto(table).values(rows.slice(at, at + rowsPerStatement))
}
