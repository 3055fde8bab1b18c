import type { Transaction } from '#database/db.ts'
import type { By } from '#ledger/definition.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow } from '#ledger/rows.ts'
import { notifications, type RevertedText } from '#store/notifications'

/** Notifies the authors of texts that were rolled back. */
export const notifyAuthors = (tx: Transaction, taken: RevertedText[], by: By): Promise<void> =>
  notifications.notifyRollback(tx, taken, by, async ({ entityType, entityId }) => {
    const definition = definitionOf(entityType)
    const row = await findRow(definition, entityId, tx)
    return row ? definition.title(row) : ''
  })
