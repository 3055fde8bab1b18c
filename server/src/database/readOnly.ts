import { sql } from 'kysely'
import { engine, type Transaction } from './db.ts'

const reading = new WeakSet<Transaction>()

/** Makes the rest of the transaction read-only: it takes no row locks, and PostgreSQL rejects writes. */
export async function readOnly(tx: Transaction): Promise<void> {
  if (engine === 'postgres') await sql`SET TRANSACTION READ ONLY`.execute(tx)
  reading.add(tx)
}

export const isReadOnly = (tx: Transaction): boolean => reading.has(tx)
