import { MAX_DAILY_COMMENTS } from '@mokuroku/contract/comments'
import type { Actor } from '#access/permissions.ts'
import type { Transaction } from '#database/db.ts'
import { countToday } from '#ledger/dailyLimit.ts'

/** Counts a comment that a user writes. Throws 429 when the daily limit is exceeded; deleting comments does not help. */
export const countComment = (tx: Transaction, { _id }: Actor): Promise<void> =>
  countToday(tx, _id, {
    table: 'commentCounts',
    column: 'comments',
    limit: MAX_DAILY_COMMENTS,
    reason: 'commentsDaily',
  })
