import type { Kind } from '@mokuroku/contract/kinds'
import { db } from '#database/db.ts'

/** How many of a user's latest writes are searched for recent items. */
const RECENT_WRITES = 500

/** The entities of a kind that a user created or changed most recently, latest first. */
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
