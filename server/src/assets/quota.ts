import { reasonText } from '@mokuroku/contract/reasons'
import { db, type Transaction } from '#database/db.ts'
import { Refusal } from '#lib/errors.ts'
import { now, secondsToMidnight } from '#lib/clock.ts'
import type { Actor } from '#access/permissions.ts'

/** How many files a user may send per day (UTC), including refused ones. No limit for moderators and administrators. */
export const MAX_FILES_PER_DAY = 500

/**
 * Counts a file that a user starts to send. Throws 429 when the daily limit is exceeded. A single statement counts and
 * decides, so that concurrent uploads are all counted.
 */
export async function countFile({ _id: userId, role }: Actor, tx: Transaction | typeof db = db): Promise<void> {
  if (role !== 'user') return
  const day = now().slice(0, 10)
  const counted = await tx
    .insertInto('uploadCounts')
    .values({ userId, day, files: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'day'])
        .doUpdateSet((column) => ({ files: column('uploadCounts.files', '+', 1) }))
        .where('uploadCounts.files', '<', MAX_FILES_PER_DAY),
    )
    .returning('files')
    .executeTakeFirst()
  if (!counted) {
    const message = reasonText('uploadLimit', { limit: MAX_FILES_PER_DAY })
    const retryAfter = secondsToMidnight()
    throw new Refusal(429, 'tooMany', message, undefined, { retryAfter })
  }
  // On the first file of a day, delete the counts of earlier days.
  if (counted.files === 1)
    await tx.deleteFrom('uploadCounts').where('userId', '=', userId).where('day', '<', day).execute()
}
