import { type RawBuilder, sql } from 'kysely'
import { engine, type Transaction, transaction } from './db.ts'
import { connectionLosses } from './postgres.ts'
import { countBookkeeping, STATE } from './sqlite.ts'

let isTracked = true
/** Sets whether the state of the database is tracked. Only PostgreSQL itself and SQLite support it. */
export const trackState = (on: boolean): void => void (isTracked = on)

/**
 * An SQL expression for the state of the database that the statement sees, to pass to `stateOf`. Null if it is
 * not tracked.
 *
 * PostgreSQL: the snapshot, which says which transactions have ended and so what is visible, and the start time of the
 * server; after a failover, another server may have used the same transaction ids. SQLite: the data version, which
 * counts commits of other connections, and how many rows this connection has written; it runs one transaction at a
 * time, and a read outside an open one sees what was committed before it, so a read never sees part of one.
 */
export function databaseState(): RawBuilder<string | null> {
  if (!isTracked) return sql`NULL`
  return engine === 'postgres'
    ? sql`pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text`
    : sql.raw(STATE)
}

/**
 * The name of a state: if two are equal, nothing but `bookkeeping` was committed in between. Call it as soon as the
 * statement has been answered.
 */
export function stateOf(named: string): string {
  if (engine !== 'postgres') return named
  const [snapshot = '', ...started] = named.split(' ')
  return [connectionLosses(), nameOf(snapshot, validIds()), ...started].join(' ')
}

/**
 * The name of a snapshot (`xmin:xmax:xip`, PostgreSQL 15, 9.27.10), without the transactions of `bookkeeping`: one past
 * the last transaction that has ended, and those before it that are still running. A running transaction counts like
 * one that has not started.
 */
export function nameOf(snapshot: string, bookkeepingIds: ReadonlySet<string>): string {
  const [, next = '', underWay = ''] = snapshot.split(':')
  const running = new Set(underWay.split(',').filter(Boolean))
  let end = Number(next)
  while (bookkeepingIds.has(String(end - 1)) || running.has(String(end - 1))) end -= 1
  const earlier = [...running].filter((id) => Number(id) < end && !bookkeepingIds.has(id))
  return `${end} ${earlier.join()}`
}

/** The ids of the latest transactions of `bookkeeping`, and the count of connection losses for which they are valid. */
const ids = new Set<string>()
const MAX_IDS = 1000
let lossesBefore = 0

/** The ids, emptied after a connection loss: other transactions may have got the same ids since. */
function validIds(): Set<string> {
  if (lossesBefore !== connectionLosses()) ids.clear()
  lossesBefore = connectionLosses()
  return ids
}

/**
 * Runs `work` in a transaction, like `transaction`, without changing the name of the database state. For frequent
 * writes that no call marked `cached` in the contract returns, such as heartbeats and presence.
 */
export const bookkeeping = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  transaction(async (tx) => {
    if (!isTracked) return work(tx)
    if (engine === 'postgres') {
      // Recorded before the commit, and so before anyone can see what it writes.
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
