// The servers of a PostgreSQL database use its clock, so that they agree on timestamps that another one has written or
// signed.
import { clockError, setClock } from '#lib/clock.ts'
import { gauge } from '#lib/metrics.ts'
import type { Schema } from './migrate.ts'

/** The smallest clock error that the operator is warned of, in milliseconds. */
const MIN_WARNED_MS = 5000

/** Reads the clock of the database, uses it from now on, and warns if the clock of this machine is far off. */
export async function syncClock({ run }: Schema, log?: (line: string) => void): Promise<void> {
  const asked = performance.now()
  const [row] = await run(`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "shown"`)
  setClock(Number(row?.shown), performance.now() - asked)
  const error = clockError()
  if (Math.abs(error) >= MIN_WARNED_MS)
    log?.(
      `The clock of this machine is ${Math.round(Math.abs(error) / 1000)} seconds ${error > 0 ? 'ahead of' : 'behind'} that of the database. The server uses the time of the database; please synchronize both with NTP.`,
    )
}

gauge(
  'clock_error_seconds',
  'By how much the clock of this machine is ahead of that of the PostgreSQL database, whose time is used',
  [],
  () => [{ value: clockError() / 1000 }],
)
