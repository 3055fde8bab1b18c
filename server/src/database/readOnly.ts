import { sql } from 'kysely'
import { engine, type Transaction } from './db.ts'

const reading = new WeakSet<Transaction>()

/** From here on the transaction only reads: it locks nothing, and PostgreSQL refuses what would write. */
export async function readOnly(tx: Transaction): Promise<void> {
  if (engine === 'postgres') await sql`SET TRANSACTION READ ONLY`.execute(tx)
  reading.add(tx)
}

export const isReadOnly = (tx: Transaction): boolean => reading.has(tx)
