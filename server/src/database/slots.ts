// Limits on what a user has open at the same time (event streams, AI answers), counted across all servers of a
// PostgreSQL database.
import { newId } from '#lib/ids.ts'
import { retryUntilDone } from '#lib/retry.ts'
import { advisoryLock } from './db.ts'
import { liveInstanceIds, ownInstance } from './instances.ts'
import { bookkeeping } from './state.ts'

/** The number of slots that this server has taken, by name. */
const own = new Map<string, number>()
const FOREVER = new AbortController().signal

/**
 * Takes one of the `limit` slots of a name. Returns the function that releases it, or undefined if none is free. Slots
 * of a server that is gone do not count.
 */
export async function takeSlot(name: string, limit: number): Promise<(() => void) | undefined> {
  if ((own.get(name) ?? 0) >= limit) return undefined
  // Counted before the first await, so that two concurrent calls see each other.
  count(name, 1)
  const instanceId = ownInstance()
  let [id, isTaken]: [string | undefined, boolean] = [undefined, false]
  try {
    if (instanceId !== undefined) id = await add(name, limit, instanceId)
    isTaken = instanceId === undefined || id !== undefined
  } finally {
    if (!isTaken) count(name, -1)
  }
  if (!isTaken) return undefined
  return () => {
    if (!isTaken) return
    isTaken = false
    count(name, -1)
    if (id !== undefined) void remove(id)
  }
}

function count(name: string, by: 1 | -1): void {
  const next = (own.get(name) ?? 0) + by
  if (next > 0) own.set(name, next)
  else own.delete(name)
}

/** Inserts a slot and returns its id; undefined if `limit` slots are taken. */
const add = (name: string, limit: number, instanceId: string): Promise<string | undefined> =>
  bookkeeping(async (tx) => {
    await advisoryLock(tx, `slots ${name}`)
    const { taken } = await tx
      .selectFrom('slots')
      .select(({ fn }) => fn.countAll<number>().as('taken'))
      .where('name', '=', name)
      .where('instanceId', 'in', liveInstanceIds(tx))
      .executeTakeFirstOrThrow()
    if (taken >= limit) return undefined
    const _id = newId()
    await tx.insertInto('slots').values({ _id, name, instanceId }).execute()
    return _id
  })

/** Retries until it succeeds: a slot that is not released would count for as long as this server lives. */
const remove = (id: string): Promise<void> =>
  retryUntilDone(() => bookkeeping((tx) => tx.deleteFrom('slots').where('_id', '=', id).execute()), {
    signal: FOREVER,
    failed: () => undefined,
  })
