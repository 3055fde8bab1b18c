import type { Transaction } from '#database/db.ts'
import type { By } from '#ledger/definition.ts'
import { titleOf } from '#ledger/texts.ts'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { notifications, type RevertedText } from '#store/notifications'
import { tags } from '#store/tags'

/** Tells those whose texts were rolled back. */
export const notifyAuthors = (tx: Transaction, taken: RevertedText[], by: By): Promise<void> =>
  notifications.notifyRollback(tx, taken, by, (first) => titleIn(tx, first))

async function titleIn(tx: Transaction, { entityType, entityId }: RevertedText): Promise<string> {
  if (entityType === 'Media') {
    const row = await media.row(entityId, tx)
    return row ? titleOf(row.translations, 'title', row.originalTitle) : ''
  }
  const row = await (entityType === 'Character' ? characters : tags).row(entityId, tx)
  return row ? titleOf(row.translations, 'name', 'originalName' in row ? row.originalName : '') : ''
}
