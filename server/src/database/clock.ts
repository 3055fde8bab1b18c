import { type RawBuilder, sql } from 'kysely'
import { momentIn } from '#lib/clock.ts'
import { engine } from './db.ts'

/**
 * The time `ms` milliseconds from now, formatted as timestamps are stored. It uses the clock of the database itself:
 * that is correct even when the clock of this machine was just changed and `momentIn` is not yet correct.
 */
export const fromNow = (ms: number): RawBuilder<string> =>
  engine === 'postgres'
    ? sql<string>`to_char((clock_timestamp() + ${`${ms} milliseconds`}::interval) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql<string>`${momentIn(ms)}`
