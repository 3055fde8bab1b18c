import { db, type Transaction } from '#lib/db.ts'
import type { Kind } from '#lib/tables.ts'

/** How many of a user's last writes the recent items are taken from. */
const RECENT_WRITES = 500

export interface Rollback {
  by: string
  reason: string
  at: string
}

export const history = {
  /** Marks the newest change of one text that is not rolled back yet. Answers its id, if there was one. */
  markRolledBack: async (
    tx: Transaction,
    { entityId, language, field, newValue }: { entityId: string; language: string; field: string; newValue: string },
    { by, reason, at }: Rollback,
  ): Promise<string | undefined> => {
    const cell = await tx
      .selectFrom('history')
      .select('_id')
      .where('entityId', '=', entityId)
      .where('language', '=', language)
      .where('field', '=', field)
      .where('newValue', '=', newValue)
      .where('isRolledBack', '=', false)
      .orderBy('_id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!cell) return undefined
    await tx
      .updateTable('history')
      .set({ isRolledBack: true, rolledBackBy: by, rollbackReason: reason, rolledBackAt: at })
      .where('_id', '=', cell._id)
      .execute()
    return cell._id
  },
}

/** The entities of a kind that a user created or changed last, latest first. */
export async function writtenBy(userId: string, kind: Kind): Promise<string[]> {
  const rows = await db
    .selectFrom('revisions')
    .select('entityId')
    .where('userId', '=', userId)
    .where('entityType', '=', kind)
    .orderBy('_id', 'desc')
    .limit(RECENT_WRITES)
    .execute()
  return [...new Set(rows.map(({ entityId }) => entityId))]
}
