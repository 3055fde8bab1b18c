import { TRASH_DAYS } from '@mokuroku/contract/trash'
import { transaction, type Transaction } from '#database/db.ts'
import { newId } from '#lib/ids.ts'
import { keeperOf } from './registry.ts'
import type { By } from './definition.ts'
import { lockRows } from '#database/locks.ts'
import type { Kind } from '#database/tables.ts'

/** What is written in one transaction: other writers wait for milliseconds. */
const BATCH = 100
const LASTS = TRASH_DAYS * 24 * 60 * 60 * 1000

/** When something deleted at a moment is gone for good. */
export const goneAt = (deletedAt: string): string => new Date(Date.parse(deletedAt) + LASTS).toISOString()

/** What was deleted at this moment or before cannot be restored any more. */
export const lastGone = (): string => new Date(Date.now() - LASTS).toISOString()

/**
 * Deletes for good what is in the trash, in small transactions. From the first one on it cannot be restored; then what
 * is nothing without it goes, what points at it gives it up, and its row goes last. Stopped anywhere, also by `signal`,
 * the next purge goes on. Its revisions stay. False when there is no such thing in the trash, or it was stopped.
 */
export async function purge(kind: Kind, id: string, by: By, signal?: AbortSignal): Promise<boolean> {
  const all: By = { batch: newId(), reason: `${kind} deleted for good`, ...by }
  if (!(await transaction((tx) => keeperOf(kind).expire(tx, id, all)))) return false
  for (const step of [dropDependents, dropLinks])
    for (let isMore = true; isMore;) {
      if (signal?.aborted) return false
      isMore = await transaction((tx) => step(tx, kind, id, all))
    }
  return transaction(async (tx) => {
    // What came to point at it since: very few, if any.
    while (await dropLinks(tx, kind, id, all));
    return keeperOf(kind).erase(tx, id, all)
  })
}

async function dropDependents(tx: Transaction, kind: Kind, id: string, by: By): Promise<boolean> {
  const found = await keeperOf(kind).dependents(tx, id, BATCH)
  await lockRows(
    tx,
    found.map((dependent) => ({ kind: dependent.kind, id: dependent._id })),
  )
  for (const dependent of found) {
    const keeper = keeperOf(dependent.kind)
    await keeper.discard(tx, dependent._id, by)
    await keeper.erase(tx, dependent._id, { ...by, dependent: true })
  }
  return found.length > 0
}

async function dropLinks(tx: Transaction, _kind: Kind, id: string, by: By): Promise<boolean> {
  const links = await tx
    .selectFrom('links')
    .select(['fromKind', 'fromId', 'field'])
    .where('toId', '=', id)
    .orderBy('fromKind')
    .orderBy('field')
    .orderBy('fromId')
    .limit(BATCH)
    .execute()
  await lockRows(
    tx,
    links.map(({ fromKind, fromId }) => ({ kind: fromKind, id: fromId })),
  )
  for (const { fromKind, fromId, field } of links)
    await keeperOf(fromKind).reflect(tx, fromId, field, { drop: id }, by, false)
  // A link that no document stands behind is no reason to come back to it for ever.
  const from = links.map(({ fromId }) => fromId)
  if (from.length > 0) await tx.deleteFrom('links').where('toId', '=', id).where('fromId', 'in', from).execute()
  return links.length === BATCH
}
