import { type RawBuilder, sql } from 'kysely'
import { engine, type Transaction, transaction } from './db.ts'
import { connectionLosses } from './postgres.ts'
import { countBookkeeping } from './sqlite.ts'

let isNamed = true
/** Says whether the state is to be named: only PostgreSQL itself and SQLite can do so. */
export const nameState = (on: boolean): void => void (isNamed = on)

/**
 * Names the state of the database that a statement sees, for `stateOf`. Null where it is not to be named.
 *
 * PostgreSQL: which transactions are over, which decides over what is visible, on the server that was started then; after
 * a failover, another one may have given the same numbers to others. SQLite: what other connections have committed, and
 * how many rows this one has written; it reads nothing while it writes.
 */
export function databaseState(): RawBuilder<string | null> {
  if (!isNamed) return sql`NULL`
  return engine === 'postgres'
    ? sql`pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text`
    : sql`(SELECT "data_version" FROM pragma_data_version) || ' ' || (total_changes() - bookkeeping_rows())`
}

/**
 * The name of a state: when two are the same, nothing was committed in between but `bookkeeping`. To be asked for
 * as soon as the statement is answered.
 */
export function stateOf(named: string): string {
  if (engine !== 'postgres') return named
  const [snapshot = '', ...started] = named.split(' ')
  return [connectionLosses(), nameOf(snapshot, validIds()), ...started].join(' ')
}

/**
 * Which transactions are over in a snapshot (`xmin:xmax:xip`, PostgreSQL 15, 9.27.10), without those of `bookkeeping`: the
 * end of those that are over, and those before it that are not. One that has begun and is not over is as one that has not
 * begun.
 */
export function nameOf(snapshot: string, bookkeepingIds: ReadonlySet<string>): string {
  const [, next = '', underWay = ''] = snapshot.split(':')
  const running = new Set(underWay.split(',').filter(Boolean))
  let end = Number(next)
  while (bookkeepingIds.has(String(end - 1)) || running.has(String(end - 1))) end -= 1
  const earlier = [...running].filter((id) => Number(id) < end && !bookkeepingIds.has(id))
  return `${end} ${earlier.join()}`
}

/** The ids of the latest transactions of `bookkeeping`, and how many connections had been lost when the first was noted. */
const ids = new Set<string>()
const MAX_IDS = 1000
let lossesBefore = 0

/** The ids, as far as no other transaction can have been given them. */
function validIds(): Set<string> {
  if (lossesBefore !== connectionLosses()) ids.clear()
  lossesBefore = connectionLosses()
  return ids
}

/**
 * Runs `work` in a transaction, as `transaction` does, and leaves the state of the database its name. For what a server
 * notes all the time and no call that is `cached` in the contract answers: that it lives, and who is there.
 */
export const bookkeeping = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  transaction(async (tx) => {
    if (!isNamed) return work(tx)
    if (engine === 'postgres') {
      // Known before anybody can see what it writes.
      const { id } = await only(sql<{ id: string }>`SELECT pg_current_xact_id()::text AS "id"`, tx)
      const [oldest = ''] = validIds()
      if (ids.size >= MAX_IDS) ids.delete(oldest)
      ids.add(id)
      return work(tx)
    }
    const written = async () => (await only(sql<{ rows: number }>`SELECT total_changes() AS "rows"`, tx)).rows
    const before = await written()
    const done = await work(tx)
    countBookkeeping((await written()) - before)
    return done
  })

async function only<Row>(query: RawBuilder<Row>, tx: Transaction): Promise<Row> {
  const { rows } = await query.execute(tx)
  return rows[0] as Row
}
