import { type RawBuilder, sql } from 'kysely'
import { engine } from './db.ts'

let isNamed = true
/** Says whether the state is to be named: only PostgreSQL itself and SQLite can do so. */
export const nameState = (on: boolean): void => void (isNamed = on)

/**
 * Names the state of the database that a statement sees: when two statements get the same name, nothing was committed
 * between them. Null where it is not to be named.
 *
 * PostgreSQL: which transactions are over, which decides over what is visible, on the server that was started then; after
 * a failover, another one may have given the same numbers to others. SQLite: what other connections have committed, and
 * how many rows this one has written; it reads nothing while it writes.
 */
export function databaseState(): RawBuilder<string | null> {
  if (!isNamed) return sql`NULL`
  return engine === 'postgres'
    ? sql`pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text`
    : sql`(SELECT "data_version" FROM pragma_data_version) || ' ' || total_changes()`
}
