import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { db, engine } from '#database/db.ts'

/**
 * Returns once this many transactions wait for a lock. On SQLite, where writers wait for each other in this process
 * before they begin, only waits a little.
 */
export async function untilWaiting(count: number): Promise<void> {
  if (engine === 'sqlite') {
    await sleep(300)
    return
  }
  const waiting = sql`SELECT 1 FROM "pg_stat_activity"
    WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`
  await expect.poll(async () => (await waiting.execute(db)).rows.length).toBeGreaterThanOrEqual(count)
}
