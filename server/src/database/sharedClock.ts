// The servers of a PostgreSQL database go by its clock, so that each understands the moments that another wrote or signed.
import { clockError, goByClock } from '#lib/clock.ts'
import { gauge } from '#lib/metrics.ts'
import type { Schema } from './migrate.ts'

/** From which error on an operator is told, in milliseconds. */
const NOTABLE_MS = 5000

/** Goes by the clock of the database as it is now, and says where that of this machine is quite another. */
export async function readClock({ run }: Schema, say?: (line: string) => void): Promise<void> {
  const asked = performance.now()
  const [row] = await run(`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "shown"`)
  goByClock(Number(row?.shown), performance.now() - asked)
  const error = clockError()
  if (Math.abs(error) >= NOTABLE_MS)
    say?.(
      `The clock of this machine is ${Math.round(Math.abs(error) / 1000)} seconds ${error > 0 ? 'ahead of' : 'behind'} that of the database, which counts. Please have both set by NTP.`,
    )
}

gauge(
  'clock_error_seconds',
  'By how much the clock of this machine is ahead of that of the PostgreSQL database, which counts',
  [],
  () => [{ value: clockError() / 1000 }],
)
