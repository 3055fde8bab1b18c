import { inList } from './inList.ts'
import { engine, Restart, type Transaction } from './db.ts'
import { type Kind, KINDS } from '@mokuroku/contract/kinds'
import { isReadOnly } from './readOnly.ts'
import { TABLES } from './tables.ts'

/** The row of an entity. */
export interface RowKey {
  kind: Kind
  id: string
}

/**
 * Kinds in the order in which their rows are locked. A rating comes before its media item, whose average it changes.
 */
const FIRST: Kind[] = ['Setting', 'Tier', 'User', 'Rating']
const ORDER = [...FIRST, ...KINDS.filter((kind) => !FIRST.includes(kind))]

/** The locks that a transaction holds, as keys that sort in locking order, and the last of these keys. */
interface Held {
  keys: Set<string>
  last: string
}
const heldBy = new WeakMap<Transaction, Held>()

/**
 * Locks rows until the transaction ends. To avoid deadlocks, every transaction locks in the same order. Rows that come
 * before one that is already held are locked only if they are free; otherwise the transaction restarts, and locks all
 * that it needs first. SQLite has one writer at a time and needs nothing.
 *
 * Rows are locked FOR NO KEY UPDATE: FOR UPDATE would also keep others from inserting rows with a foreign key to them,
 * such as notifications of a user, which transactions insert last, outside of this order.
 */
export async function lockRows(tx: Transaction, rows: RowKey[]): Promise<void> {
  if (engine !== 'postgres' || isReadOnly(tx)) return
  const held = heldIn(tx)
  const needed = [...new Set(rows.map(keyOf))].filter((key) => !held.keys.has(key)).toSorted()
  const [first] = needed
  if (first === undefined) return
  if (first > held.last) await lockAll(tx, needed)
  else if (!(await lockFree(tx, needed))) {
    const all = [...held.keys, ...needed].map(rowOf)
    throw new Restart((next) => lockRows(next, all))
  }
  for (const key of needed) note(held, key)
}

/**
 * Whether the caller's own statement may lock this row and wait for it. True, synchronously, if the row comes after all
 * that are held. Otherwise false, once the row is locked; SQLite and read-only transactions lock nothing.
 */
export function mayLock(tx: Transaction, row: RowKey): boolean | Promise<boolean> {
  if (engine !== 'postgres' || isReadOnly(tx)) return false
  const held = heldIn(tx)
  const key = keyOf(row)
  if (key > held.last) {
    note(held, key)
    return true
  }
  return lockRows(tx, [row]).then(() => false)
}

/** Whether the transaction has locked this row, or has sent the statement that does. */
export const holdsLock = (tx: Transaction, row: RowKey): boolean => heldIn(tx).keys.has(keyOf(row))

function heldIn(tx: Transaction): Held {
  const held = heldBy.get(tx) ?? { keys: new Set<string>(), last: '' }
  heldBy.set(tx, held)
  return held
}

function note(held: Held, key: string): void {
  held.keys.add(key)
  if (key > held.last) held.last = key
}

const keyOf = ({ kind, id }: RowKey): string => `${ORDER.indexOf(kind)} ${id}`

function rowOf(key: string): RowKey {
  const kind = ORDER[Number(key.slice(0, 1))]
  if (!kind) throw new Error(`No kind is behind ${key}`)
  return { kind, id: key.slice(2) }
}

/** Locks in the order of the keys, and waits for each row. */
async function lockAll(tx: Transaction, keys: string[]): Promise<void> {
  for (const [kind, ids] of byKind(keys)) await rowsOf(tx, kind, ids).forNoKeyUpdate().execute()
}

/**
 * Locks the rows that nobody else holds. False if somebody holds one of them; a row that does not exist counts as free.
 */
async function lockFree(tx: Transaction, keys: string[]): Promise<boolean> {
  for (const [kind, ids] of byKind(keys)) {
    const locked = await rowsOf(tx, kind, ids).forNoKeyUpdate().skipLocked().execute()
    if (locked.length < ids.length && (await rowsOf(tx, kind, ids).execute()).length > locked.length) return false
  }
  return true
}

const byKind = (keys: string[]): [Kind, string[]][] =>
  [...Map.groupBy(keys.map(rowOf), ({ kind }) => kind)].map(([kind, rows]) => [kind, rows.map(({ id }) => id)])

/** Sorted by bytes, as JavaScript sorts ids, whatever the collation of the database. */
const rowsOf = (tx: Transaction, kind: Kind, ids: string[]) =>
  tx
    .selectFrom(TABLES[kind])
    .select('_id')
    .where(inList('_id', ids))
    .orderBy('_id', (order) => order.collate('C'))
