import { createHash } from 'node:crypto'
import type { Kind } from '@mokuroku/contract/kinds'
import type { Actor } from '#access/permissions.ts'
import { db, type Transaction } from '#database/db.ts'
import { DAY_MS, momentIn, now } from '#lib/clock.ts'

/** How long a key is known. */
const TTL_MS = DAY_MS

interface Request {
  actor: Actor
  /** The Idempotency-Key of the request, if it has one. */
  key?: string | undefined
}

/**
 * Records that a request creates the entity or comment `id`. If an earlier request of the same user with the same key
 * has created one, returns the id of that instead: nothing may be created then. Waits for a concurrent one.
 */
export async function createdBefore(
  tx: Transaction,
  kind: Kind | 'Comment',
  { actor, key }: Request,
  id: string,
): Promise<string | undefined> {
  if (!key) return undefined
  const hash = createHash('sha256').update(`${actor._id} ${kind} ${key}`).digest('hex')
  const { numInsertedOrUpdatedRows: inserted } = await tx
    .insertInto('creations')
    .values({ key: hash, entityId: id, createdAt: now() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow()
  if (inserted) return undefined
  const found = tx.selectFrom('creations').select('entityId').where('key', '=', hash)
  return (await found.executeTakeFirstOrThrow()).entityId
}

/** Forgets the keys of requests that are too old to be repeated. */
export async function deleteExpiredKeys(): Promise<void> {
  await db.deleteFrom('creations').where('createdAt', '<', momentIn(-TTL_MS)).execute()
}
