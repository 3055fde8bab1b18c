import type { Transaction } from '#database/db.ts'

/** The maximum number of rows deleted in one transaction. */
const CHUNK_SIZE = 500

/**
 * Deletes the oldest activities from before `before` (an ISO timestamp), as many as fit into one transaction. Returns
 * their number.
 */
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
        .limit(CHUNK_SIZE),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
