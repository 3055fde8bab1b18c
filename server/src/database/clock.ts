import { type RawBuilder, sql } from 'kysely'
import { momentIn } from '#lib/clock.ts'
import { engine } from './db.ts'

/**
 * So many milliseconds from now, as moments are written, by the clock of the database itself: right even where the clock of
 * this machine was just set, and `momentIn` is not right yet.
 */
export const fromNow = (ms: number): RawBuilder<string> =>
  engine === 'postgres'
    ? sql<string>`to_char((clock_timestamp() + ${`${ms} milliseconds`}::interval) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql<string>`${momentIn(ms)}`
