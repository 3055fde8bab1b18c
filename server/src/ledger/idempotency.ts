import type { Kind } from '@mokuroku/contract/kinds'
import type { Actor } from '#access/permissions.ts'
import { advisoryLock, db, type Reader, type Transaction } from '#database/db.ts'
import { deleteRows } from '#database/deleteRows.ts'
import { TABLES } from '#database/tables.ts'
import { DAY_MS, momentIn, now } from '#lib/clock.ts'

/** How long the key of a request is known at least. */
const TTL_MS = DAY_MS

/** The tables of what is created besides entities and batches. */
const OTHERS = { Comment: 'comments', View: 'views' } as const
type Created = Kind | 'Batch' | 'Upload' | keyof typeof OTHERS

interface Request {
  actor: Actor
  /** Names the request (http/read.ts, `keyOf`), if it has an Idempotency-Key. */
  key?: string | undefined
}

/**
 * What the same request of the same user has created; undefined if nothing, or if that no longer exists, or was rolled
 * back (a batch), has expired or has become an asset that no longer exists (an upload session).
 */
export async function createdEarlier(from: Reader, kind: Created, request: Request): Promise<string | undefined> {
  if (!request.key) return undefined
  const known = from.selectFrom('creations').select('entityId').where('key', '=', ofUser(request))
  const { entityId: id = '' } = (await known.executeTakeFirst()) ?? {}
  return id === '' ? undefined : (await existing(from, kind, id).executeTakeFirst())?._id
}

function existing(from: Reader, kind: Created, id: string) {
  if (kind === 'Batch') {
    const rollbacks = from.selectFrom('batches').select('rollsBack').where('rollsBack', '=', id)
    return from.selectFrom('batches').select('_id').where('_id', '=', id).where('_id', 'not in', rollbacks)
  }
  if (kind === 'Upload') {
    const open = from.selectFrom('uploads').select('uploads._id').where('_id', '=', id).where('expiresAt', '>', now())
    return open.where(({ or, eb, exists, selectFrom }) => {
      const made = selectFrom('assets').select('assets._id').whereRef('assets._id', '=', 'uploads.assetId')
      return or([eb('assetId', 'is', null), exists(made.where('deletedAt', 'is', null))])
    })
  }
  return kind === 'Comment' || kind === 'View'
    ? from.selectFrom(OTHERS[kind]).select('_id').where('_id', '=', id)
    : from.selectFrom(TABLES[kind]).select('_id').where('_id', '=', id).where('deletedAt', 'is', null)
}

/**
 * Records that a request creates the entity, batch, comment, view or upload session `id`, unless it has created one
 * earlier: returns the id of that, and nothing may be created then. Waits for a concurrent request with the same key.
 */
export async function createdBefore(
  tx: Transaction,
  kind: Created,
  request: Request,
  id: string,
): Promise<string | undefined> {
  if (!request.key) return undefined
  const key = ofUser(request)
  await advisoryLock(tx, `creation ${key}`)
  const earlier = await createdEarlier(tx, kind, request)
  if (earlier !== undefined) return earlier
  const created = { entityId: id, createdAt: now() }
  await tx
    .insertInto('creations')
    .values({ key, ...created })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(created))
    .execute()
  return undefined
}

const ofUser = ({ actor, key }: Request): string => `${actor._id} ${key}`

/** Forgets the keys of requests that are too old to be repeated. */
export async function deleteExpiredKeys(): Promise<void> {
  await deleteRows(db, 'creations', ['createdAt', '<', momentIn(-TTL_MS)])
}
