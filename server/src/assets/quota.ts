import type { Actor } from '#access/permissions.ts'
import { db, type Transaction } from '#database/db.ts'
import { countToday } from '#ledger/dailyLimit.ts'

/** How many files a user may send per day (UTC), including refused ones. No limit for moderators and administrators. */
export const MAX_FILES_PER_DAY = 500

/** Counts a file that a user starts to send. Throws 429 when the daily limit is exceeded. */
export async function countFile({ _id, role }: Actor, tx: Transaction | typeof db = db): Promise<void> {
  if (role !== 'user') return
  await countToday(tx, _id, { table: 'uploadCounts', column: 'files', limit: MAX_FILES_PER_DAY, reason: 'uploadLimit' })
}
