import type { Transaction } from '#database/db.ts'

/** So many are deleted in one transaction. */
const DELETED = 500

/** Deletes activities from before a moment, oldest first, as many as fit into one transaction. Answers how many. */
export async function deleteActivities(tx: Transaction, before: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('activities')
    .where('_id', 'in', (of) =>
      of
        .selectFrom('activities')
        .select('_id')
        .where('createdAt', '<', before)
        .orderBy('createdAt')
        .orderBy('_id')
        .limit(DELETED),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
