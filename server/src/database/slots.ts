// Limits on what a user has open at the same time (event streams, AI answers), counted across all servers of a
// PostgreSQL database.
import { newId } from '#lib/ids.ts'
import { FOREVER, retryUntilDone } from '#lib/retry.ts'
import { advisoryLock, transaction } from './db.ts'
import { liveInstanceIds, ownInstance } from './instances.ts'
import { bookkeeping } from './state.ts'
import type { Tables } from './tables.ts'

/** The number of slots that this server has taken, by name. */
const own = new Map<string, number>()

/**
 * Takes one of the `limit` slots of a name. Returns the function that releases it, or undefined if none is free. Slots
 * of a server that is gone do not count.
 */
export async function takeSlot(name: string, limit: number): Promise<(() => void) | undefined> {
  if ((own.get(name) ?? 0) >= limit) return undefined
  // Counted before the first await, so that two concurrent calls see each other.
  count(name, 1)
  const slot = { _id: newId(), name, instanceId: ownInstance() }
  let isTaken = false
  try {
    isTaken = await add(slot, limit)
  } catch (error) {
    // The connection may have been lost after the slot was stored, or while a transaction is still storing it.
    void remove(slot, { isUncertain: true })
    throw error
  } finally {
    if (!isTaken) count(name, -1)
  }
  if (!isTaken) return undefined
  return () => {
    if (!isTaken) return
    isTaken = false
    count(name, -1)
    void remove(slot)
  }
}

/** A slot; the embedded database stores none, as it has only one server. */
type Slot = Omit<Tables['slots'], 'instanceId'> & { instanceId: string | undefined }

function count(name: string, by: 1 | -1): void {
  const next = (own.get(name) ?? 0) + by
  if (next > 0) own.set(name, next)
  else own.delete(name)
}

/** Stores a slot. False if `limit` slots of its name are taken. */
async function add({ instanceId, ...slot }: Slot, limit: number): Promise<boolean> {
  if (instanceId === undefined) return true
  return bookkeeping(async (tx) => {
    await advisoryLock(tx, lockOf(slot))
    const { taken } = await tx
      .selectFrom('slots')
      .select(({ fn }) => fn.countAll<number>().as('taken'))
      .where('name', '=', slot.name)
      .where('instanceId', 'in', liveInstanceIds(tx))
      .executeTakeFirstOrThrow()
    if (taken >= limit) return false
    await tx
      .insertInto('slots')
      .values({ ...slot, instanceId })
      .execute()
    return true
  })
}

/**
 * Retries until it succeeds: a slot that is not released would count for as long as this server lives. If it
 * `isUncertain` whether the slot was stored, waits for the transaction that may still be storing it.
 */
async function remove(slot: Slot, { isUncertain = false } = {}): Promise<void> {
  if (slot.instanceId === undefined) return
  const work = async () => {
    // In a transaction of its own: a serializable one does not see what was committed while it waited.
    if (isUncertain) await transaction((tx) => advisoryLock(tx, lockOf(slot)))
    await bookkeeping((tx) => tx.deleteFrom('slots').where('_id', '=', slot._id).execute())
  }
  await retryUntilDone(work, { signal: FOREVER, failed: () => undefined })
}

const lockOf = ({ name }: Pick<Slot, 'name'>): string => `slots ${name}`
