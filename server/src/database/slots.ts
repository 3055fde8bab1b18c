// What a user has open at the same time (event streams, answers of AI), counted by all servers of a PostgreSQL database together.
import { newId } from '#lib/ids.ts'
import { again } from '#lib/retry.ts'
import { oneAtATime } from './db.ts'
import { livingIds, ownInstance } from './instances.ts'
import { bookkeeping } from './state.ts'

/** What this server has open, by name. */
const own = new Map<string, number>()
const FOREVER = new AbortController().signal

/**
 * Takes one of the `limit` slots of a name, until the function that it answers is called. Undefined where none is free.
 * What a server had that is gone counts no longer.
 */
export async function takeSlot(name: string, limit: number): Promise<(() => void) | undefined> {
  if ((own.get(name) ?? 0) >= limit) return undefined
  // Before anything is waited for: two that come at once are counted one after the other.
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

/** The id of a row, unless as many count already. */
const add = (name: string, limit: number, instanceId: string): Promise<string | undefined> =>
  bookkeeping(async (tx) => {
    await oneAtATime(tx, `slots ${name}`)
    const { taken } = await tx
      .selectFrom('slots')
      .select(({ fn }) => fn.countAll<number>().as('taken'))
      .where('name', '=', name)
      .where('instanceId', 'in', livingIds(tx))
      .executeTakeFirstOrThrow()
    if (taken >= limit) return undefined
    const _id = newId()
    await tx.insertInto('slots').values({ _id, name, instanceId }).execute()
    return _id
  })

/** Until the database has heard of it: a slot that is not given back would count for as long as this server lives. */
const remove = (id: string): Promise<void> =>
  again(() => bookkeeping((tx) => tx.deleteFrom('slots').where('_id', '=', id).execute()), {
    signal: FOREVER,
    failed: () => undefined,
  })
