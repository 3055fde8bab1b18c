// The targets of new links are checked without a lock, so that saves with the same tag do not wait for each other. Those
// that a write counts, tags, rated media and assets, are locked later in the transaction, and checked again then: a merge
// moves only the links that it sees, and a clean-up deletes what it sees unused. A link that is written after it would
// lead into the trash forever.
import { Restart, type Transaction } from '#database/db.ts'
import { lockRows, type RowKey } from '#database/locks.ts'

const presentIn = new WeakMap<Transaction, Set<string>>()

/** Notes that the targets of new links are outside the trash. */
export function notePresent(tx: Transaction, ids: string[]): void {
  const present = presentIn.get(tx) ?? new Set()
  for (const id of ids) present.add(id)
  presentIn.set(tx, present)
}

/** Notes that this transaction itself moves an entity to the trash. */
export const noteTrashed = (tx: Transaction, id: string): void => void presentIn.get(tx)?.delete(id)

/** Restarts the transaction if others have moved an entity, locked by now, to the trash since `notePresent`. */
export function recheckPresent(tx: Transaction, row: RowKey, deletedAt: string | null): void {
  if (deletedAt !== null && presentIn.get(tx)?.has(row.id)) throw new Restart((next) => lockRows(next, [row]))
}
