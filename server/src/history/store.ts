import { type Transaction } from '#lib/db.ts'

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
