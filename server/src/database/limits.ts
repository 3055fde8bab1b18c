// Rate limits (access/limiter.ts) that all servers of a PostgreSQL database count together, by the clock of the
// database.
import { sql } from 'kysely'
import { fromNow } from './clock.ts'
import { bookkeeping } from './state.ts'

/** How often expired rows are deleted, in milliseconds. */
const DELETE_INTERVAL_MS = 60_000

interface Counted {
  points: number
  /** Seconds until the count starts again. */
  seconds: number
}

/**
 * Counts one more attempt for a key, in a window of `seconds` from the first attempt. A window that ends later than it
 * could was written while the clock was ahead, and counts as expired.
 */
export async function countAttempt(key: string, seconds: number): Promise<Counted> {
  const isOver = sql`"limits"."endsAt" <= ${fromNow(0)} OR "limits"."endsAt" > excluded."endsAt"`
  const { rows } = await bookkeeping((tx) =>
    sql<Counted>`INSERT INTO "limits" ("key", "points", "endsAt") VALUES (${key}, 1, ${fromNow(seconds * 1000)})
      ON CONFLICT ("key") DO UPDATE SET
        "points" = CASE WHEN ${isOver} THEN 1 ELSE "limits"."points" + 1 END,
        "endsAt" = CASE WHEN ${isOver} THEN excluded."endsAt" ELSE "limits"."endsAt" END
      RETURNING "points", extract(epoch FROM "endsAt"::timestamptz - clock_timestamp())::float8 AS "seconds"`.execute(
      tx,
    ),
  )
  await deleteExpired()
  return rows[0] as Counted
}

export const takeBackAttempt = (key: string): Promise<unknown> =>
  bookkeeping((tx) =>
    tx
      .updateTable('limits')
      .set(({ eb }) => ({ points: eb('points', '-', 1) }))
      .where('key', '=', key)
      .where('points', '>', 0)
      .execute(),
  )

export const forgetAttempts = (key: string): Promise<unknown> =>
  bookkeeping((tx) => tx.deleteFrom('limits').where('key', '=', key).execute())

let deletedAt = -Infinity

async function deleteExpired(): Promise<void> {
  if (performance.now() - deletedAt < DELETE_INTERVAL_MS) return
  deletedAt = performance.now()
  await bookkeeping((tx) => tx.deleteFrom('limits').where('endsAt', '<=', fromNow(0)).execute())
}
