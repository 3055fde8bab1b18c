import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { db, engine } from '#database/db.ts'

/** Selects the connections to a database of PostgreSQL that wait for a lock. */
export const WAITING = `SELECT "pid" FROM "pg_stat_activity"
  WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`

/**
 * Returns once this many transactions wait for a lock. On SQLite, where writers wait for each other in this process
 * before they begin, only waits a little.
 */
export async function untilWaiting(count: number): Promise<void> {
  if (engine === 'sqlite') {
    await sleep(300)
    return
  }
  await expect.poll(async () => (await sql.raw(WAITING).execute(db)).rows.length).toBeGreaterThanOrEqual(count)
}
