import { MAX_DAILY_COMMENTS } from '@mokuroku/contract/comments'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Actor } from '#access/permissions.ts'
import type { Transaction } from '#database/db.ts'
import { now, secondsToMidnight } from '#lib/clock.ts'
import { Refusal } from '#lib/errors.ts'

/** Counts a comment that a user writes. Throws 429 when the daily limit is exceeded; deleting comments does not help. */
export async function countComment(tx: Transaction, { _id: userId }: Actor): Promise<void> {
  const day = now().slice(0, 10)
  const counted = await tx
    .insertInto('commentCounts')
    .values({ userId, day, comments: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'day'])
        .doUpdateSet((column) => ({ comments: column('commentCounts.comments', '+', 1) }))
        .where('commentCounts.comments', '<', MAX_DAILY_COMMENTS),
    )
    .returning('comments')
    .executeTakeFirst()
  if (!counted) {
    const message = reasonText('commentsDaily', { limit: MAX_DAILY_COMMENTS })
    throw new Refusal(429, 'tooMany', message, undefined, { retryAfter: secondsToMidnight() })
  }
  // On the first comment of a day, delete the counts of earlier days.
  if (counted.comments === 1)
    await tx.deleteFrom('commentCounts').where('userId', '=', userId).where('day', '<', day).execute()
}
