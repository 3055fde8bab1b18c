import type { Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { transaction, type Transaction } from '#database/db.ts'
import { eachTogether } from '#database/executor.ts'
import { lockRows } from '#database/locks.ts'
import { TABLES } from '#database/tables.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import type { WriteContext, EntityDefinition } from './definition.ts'
import { forgetFindings } from './findings.ts'
import { currentIds, mergeOf } from './merges.ts'
import { reflect } from './mirror.ts'
import { notifyWatcher, recordActivity, recordRevision } from './record.ts'
import { definitionOf } from './registry.ts'
import { authorizeNow, fieldsOf, findRow } from './rows.ts'
import { lastGone } from './trash.ts'
import { trash } from './write.ts'

/** The maximum number of rows written in one transaction, so that other writers wait only milliseconds. */
const MAX_ROWS = 100

/**
 * Permanently deletes an entity in the trash, in small transactions. After the first one it cannot be restored. Then
 * its dependents are deleted, links to it are removed, and its row is deleted last. If it is interrupted, also by
 * `signal`, the next purge continues. Its revisions are kept. False if it is not in the trash, or the purge was
 * aborted.
 */
export async function purge(kind: Kind, id: string, context: WriteContext, signal?: AbortSignal): Promise<boolean> {
  const all: WriteContext = { batch: newId(), reason: `${kind} permanently deleted`, ...context }
  if (!(await transaction((tx) => expire(tx, kind, id, all)))) return false
  for (const step of [dropDependents, dropLinks])
    for (let isMore = true; isMore;) {
      if (signal?.aborted) return false
      isMore = await transaction((tx) => step(tx, kind, id, all))
    }
  await transaction(async (tx) => {
    // Links added meanwhile: very few, if any.
    while (await dropLinks(tx, kind, id, all));
    // Another purge, as at a start, may have erased it meanwhile.
    await erase(tx, kind, id, all)
  })
  return true
}

/** Makes an entity in the trash impossible to restore. False if it is not in the trash. */
export async function expire(tx: Transaction, kind: Kind, id: string, context: WriteContext): Promise<boolean> {
  const definition = definitionOf(kind)
  const current = await findRow(definition, id, tx)
  if (!current?.deletedAt) return false
  await authorizeNow(definition, tx, context, 'purge', current.createdBy)
  const last = lastGone()
  if (current.deletedAt > last)
    await tx.updateTable(TABLES[kind]).set({ deletedAt: last }).where('_id', '=', id).execute()
  return true
}

async function dropDependents(tx: Transaction, kind: Kind, id: string, context: WriteContext): Promise<boolean> {
  const found = (await definitionOf(kind).dependents?.(tx, id, MAX_ROWS)) ?? []
  await lockRows(
    tx,
    found.map((dependent) => ({ kind: dependent.kind, id: dependent._id })),
  )
  for (const dependent of found) {
    const definition = definitionOf(dependent.kind)
    const current = await findRow(definition, dependent._id, tx)
    if (current && !current.deletedAt) await trash(definition, tx, current, context)
    await erase(tx, dependent.kind, dependent._id, { ...context, dependent: true })
  }
  return found.length > 0
}

async function dropLinks(tx: Transaction, _kind: Kind, id: string, context: WriteContext): Promise<boolean> {
  const links = await tx
    .selectFrom('links')
    .select(['fromKind', 'fromId', 'field'])
    .where('toId', '=', id)
    .orderBy('fromKind')
    .orderBy('field')
    .orderBy('fromId')
    .limit(MAX_ROWS)
    .execute()
  await lockRows(
    tx,
    links.map(({ fromKind, fromId }) => ({ kind: fromKind, id: fromId })),
  )
  await eachTogether([...Map.groupBy(links, ({ fromId }) => fromId).values()], async (some) => {
    for (const { fromKind, fromId, field } of some)
      await reflect(tx, { kind: fromKind, id: fromId, field }, { drop: id }, context)
  })
  // Also deletes links that no document contains, so that the loop does not find them again forever.
  const from = links.map(({ fromId }) => fromId)
  if (from.length > 0) await tx.deleteFrom('links').where('toId', '=', id).where('fromId', 'in', from).execute()
  return links.length === MAX_ROWS
}

/** Deletes the row of an entity, if it is in the trash. */
async function erase(tx: Transaction, kind: Kind, id: string, context: WriteContext): Promise<void> {
  const definition = definitionOf(kind)
  const current = await findRow(definition, id, tx)
  if (!current?.deletedAt) return
  await authorizeNow(definition, tx, context, 'purge', current.createdBy)
  const fields = fieldsOf(definition, current)
  await definition.forget?.(tx, id)
  await forgetFindings(tx, id)
  await passOnComments(tx, definition, id)
  await tx.deleteFrom(TABLES[kind]).where('_id', '=', id).execute()
  const meta = { ...current, version: current.version + 1, updatedAt: now() }
  const change = { action: 'purge' as const, meta, before: fields, after: undefined, context, paths: [] }
  await recordRevision(tx, kind, change, fields)
  await recordActivity(tx, definition, change, fields)
  notifyWatcher(tx, definition, change, fields)
}

/** Moves the comments on a merged entity to the one that it was merged into; deletes them if there is none any more. */
async function passOnComments(tx: Transaction, definition: EntityDefinition<Document>, id: string): Promise<void> {
  const merge = await mergeOf(tx, id)
  const [survivor = id] = await currentIds(tx, [id])
  if (merge && (await findRow(definition, survivor, tx)))
    await tx.updateTable('comments').set({ entityId: merge.toId }).where('entityId', '=', id).execute()
  else await tx.deleteFrom('comments').where('entityId', '=', id).execute()
}
