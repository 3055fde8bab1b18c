import { sql } from 'kysely'
import { cached, gauge } from '#lib/metrics.ts'
import { db, engine } from './db.ts'

const waiting = cached(async () => {
  if (engine !== 'postgres') return []
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS "count" FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
  return rows.map(({ count }) => ({ value: count }))
})

gauge(
  'database_lock_waiting',
  'Connections to the PostgreSQL database that wait for a lock, of all instances',
  [],
  waiting,
)
