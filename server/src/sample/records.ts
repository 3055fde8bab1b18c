import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { db, transaction, type Transaction } from '#database/db.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { type Actor, SYSTEM } from '#access/permissions.ts'
import type { Kind } from '@mokuroku/contract/kinds'

export interface Keyed {
  key: string
  createdAt: string
}

/** A record with its constant id. */
export interface Stored<Record> {
  id: string
  record: Record
}

/** Number of records per transaction: few, so that other writers and requests wait only for a moment. */
const BATCH_SIZE = 100

const ids = new Map<string, string>()

/** The ids of the records with these keys, in order; unknown keys are left out. */
export const idsOf = (keys: (string | null | undefined)[] = []): string[] =>
  keys.flatMap((key) => ids.get(key ?? '') ?? [])

/** Registers the ids of records before they are stored. */
export function registerIds(records: Iterable<Keyed>): void {
  for (const { key, createdAt } of records) ids.set(key, idOf(key, createdAt))
}

/** The context of a write in the sample's past. The author's current permissions are not checked. */
export const contextAt = (at: string, username?: string): WriteContext => ({
  actor: actorOf(username),
  at,
  origin: 'import',
})

export const actorOf = (username: string | undefined): Actor =>
  username ? { ...SYSTEM, _id: ids.get(`user:${username}`) ?? SYSTEM._id, username } : SYSTEM

interface StoreOptions {
  signal?: AbortSignal
  /** Called first in each transaction. */
  hold?: ((tx: Transaction) => Promise<void>) | undefined
  after?: (done: number) => void
}

/**
 * Stores the records that do not exist yet, in several transactions. `create` receives them with their constant ids.
 * Stops after the current transaction when `signal` aborts.
 */
export async function storeMissing<Record extends Keyed>(
  kind: Kind,
  records: Iterable<Record>,
  { signal, hold, after }: StoreOptions,
  create: (tx: Transaction, records: Stored<Record>[]) => Promise<unknown>,
): Promise<void> {
  let done = 0
  for (const chunk of chunksOf(records)) {
    if (signal?.aborted) return
    registerIds(chunk)
    const known = await existingIds(kind, idsOf(chunk.map(({ key }) => key)))
    const missing = chunk.filter(({ key }) => !known.has(ids.get(key) ?? ''))
    const found = missing.map((record) => ({ id: ids.get(record.key) ?? '', record }))
    if (found.length > 0)
      await transaction(async (tx) => {
        await hold?.(tx)
        await create(tx, found)
      })
    done += chunk.length
    after?.(done)
    // Let waiting requests run in between.
    await yieldToEventLoop()
  }
}

/** Those of the ids that exist or have existed: what was permanently deleted does not come back with the sample. */
export async function existingIds(kind: Kind, entityIds: string[]): Promise<Set<string>> {
  if (entityIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('revisions')
    .select('entityId')
    .where('entityId', 'in', entityIds)
    .where('version', '=', 1)
    .where('entityType', '=', kind)
    .execute()
  return new Set(rows.map(({ entityId }) => entityId))
}

/** An id that is the same whenever the sample is loaded: a UUIDv7 whose random part is a hash of the key. */
function idOf(key: string, at: string): string {
  const time = Date.parse(at).toString(16).padStart(12, '0')
  const hash = createHash('sha256').update(key).digest('hex')
  const variant = '89ab'[Number.parseInt(hash.slice(3, 4), 16) % 4] ?? '8'
  return [time.slice(0, 8), time.slice(8), `7${hash.slice(0, 3)}`, variant + hash.slice(4, 7), hash.slice(7, 19)].join(
    '-',
  )
}

function* chunksOf<Record>(records: Iterable<Record>): Generator<Record[]> {
  let chunk: Record[] = []
  for (const record of records) {
    chunk.push(record)
    if (chunk.length < BATCH_SIZE) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
