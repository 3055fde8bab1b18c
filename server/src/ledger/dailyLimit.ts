import { reasonText } from '@mokuroku/contract/reasons'
import { sql } from 'kysely'
import type { db, Transaction } from '#database/db.ts'
import { now, secondsToMidnight } from '#lib/clock.ts'
import { Refusal } from '#lib/errors.ts'

/** What is counted, in a column of a table with a row for each user and day (UTC), and the sentence at the limit. */
export type DailyLimit = { limit: number } & (
  | { table: 'uploadCounts'; column: 'files'; reason: 'uploadLimit' }
  | { table: 'commentCounts'; column: 'comments'; reason: 'commentsDaily' }
)

/**
 * Counts one more for a user. Throws 429 when the daily limit is exceeded. A single statement counts and decides, so that
 * concurrent calls are all counted.
 */
export async function countToday(
  tx: Transaction | typeof db,
  userId: string,
  { table, column, limit, reason }: DailyLimit,
): Promise<void> {
  const day = now().slice(0, 10)
  const [counts, count] = [sql.table(table), sql.ref(`${table}.${column}`)]
  const { rows } = await sql<{ count: number }>`
    INSERT INTO ${counts} ("userId", "day", ${sql.ref(column)}) VALUES (${userId}, ${day}, 1)
    ON CONFLICT ("userId", "day") DO UPDATE SET ${sql.ref(column)} = ${count} + 1 WHERE ${count} < ${limit}
    RETURNING ${sql.ref(column)} AS "count"`.execute(tx)
  if (!rows[0]) {
    const message = reasonText(reason, { limit })
    throw new Refusal(429, 'tooMany', message, undefined, { retryAfter: secondsToMidnight() })
  }
  // The first count of a day also deletes those of earlier days.
  if (rows[0].count === 1) await tx.deleteFrom(table).where('userId', '=', userId).where('day', '<', day).execute()
}
