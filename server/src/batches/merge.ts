// Merges two entities as a batch of its own, and undoes such a merge, completely or not at all.
import type { MergeInput } from '@mokuroku/contract/merges'
import type { Translated } from '@mokuroku/contract/kinds'
import { changedPaths } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import { type Actor, enforce, checkPermission } from '#access/permissions.ts'
import { actorNow } from '#access/session.ts'
import { type Reader, transaction, type Transaction } from '#database/db.ts'
import type { RowKey } from '#database/locks.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import type { WriteContext, EntityDefinition, Mirror, Row } from '#ledger/definition.ts'
import { columnsOf, idsIn } from '#ledger/fields.ts'
import { mergeEntities } from '#ledger/mergeEntities.ts'
import { mergeBy, mergeOf, type MergeRow } from '#ledger/merges.ts'
import { reflect } from '#ledger/mirror.ts'
import { recordRevision } from '#ledger/record.ts'
import { definitionOf } from '#ledger/registry.ts'
import { advance, fieldsOf, findRow } from '#ledger/rows.ts'
import { lastGone } from '#ledger/trash.ts'
import { planRestore, writeRestore } from '#ledger/write.ts'
import { Refusal } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { audit } from '#store/audit'
import { records, writtenBy } from './records.ts'
import { markHistory, planFields, revisionsOf, stateBefore } from './rollback.ts'
import type { Rollback } from '#store/history'
import { type PlannedResult, UNCHANGED } from './plannedResult.ts'

/** Merges an entity into another. Returns the batch, whose rollback undoes the merge. */
export async function merge(
  kind: Translated,
  id: string,
  input: MergeInput,
  actor: Actor,
  base: number | undefined,
): Promise<{ batch: string }> {
  const batch = newId()
  const { from, pick } = input
  await transaction(async (tx) => {
    const { title, from: name } = await mergeEntities(tx, kind, id, input, { actor, batch }, base)
    const written = await writtenBy(tx, batch)
    const targets = written.map(({ entityType, entityId }) => ({ kind: entityType, id: entityId }))
    const change = { from: from._id, into: id, pick }
    await records.addDone(tx, batch, { what: 'merge', entityType: kind, change }, targets, actor)
    const about = { type: kind, id, label: title }
    audit.record(tx, { action: 'merges.done', actor, about, details: { from: from._id, name, batch } })
  })
  return { batch }
}

/**
 * The merge done by a batch, if it can be undone; undefined for any other batch. Throws 409 if it cannot be undone: it
 * has been already, the merged entity was permanently deleted, or the survivor has been merged since.
 */
export async function mergeToUndo(from: Reader, batch: string): Promise<MergeRow | undefined> {
  const done = await mergeBy(from, batch)
  if (!done) {
    const row = await records.row(from, batch)
    if (row?.what === 'merge') refuse('mergeUndone')
    const undone = row?.rollsBack ? await records.row(from, row.rollsBack) : undefined
    return undone?.what === 'merge' ? refuse('mergeAgain') : undefined
  }
  const row = from.selectFrom(TABLES[done.entityType]).select('deletedAt').where('_id', '=', done.fromId)
  const gone = await row.executeTakeFirst()
  if (!gone?.deletedAt || gone.deletedAt <= lastGone()) refuse('mergeExpired')
  if (await mergeOf(from, done.toId)) refuse('mergeChained')
  return done
}

function refuse(reason: 'mergeUndone' | 'mergeAgain' | 'mergeExpired' | 'mergeChained'): never {
  throw new Refusal(409, reason, reasonText(reason))
}

/** Deletes the record of a merge, so that the merged entity's id no longer leads to the survivor. */
export const forgetMerge = async (tx: Transaction, { fromId }: MergeRow): Promise<void> => {
  await tx.deleteFrom('merges').where('fromId', '=', fromId).execute()
}

/**
 * Makes the other sides of the relations of an entity, after the undo of a merge, agree with its own side: what it is
 * related to may have been merged, or its merge undone, since.
 */
export async function alignRelations(tx: Transaction, { kind, id }: RowKey, context: WriteContext): Promise<void> {
  const definition = definitionOf(kind)
  const row = await findRow(definition, id, tx)
  if (!row) return
  for (const [field, side] of Object.entries<Mirror | undefined>(definition.mirrors ?? {})) {
    if (!side) continue
    const own = idsIn(fieldsOf(definition, row), field)
    const links = await tx
      .selectFrom('links')
      .select('fromId')
      .where('toId', '=', id)
      .where('fromKind', '=', side.kind)
      .where('field', '=', side.field)
      .orderBy('fromId')
      .execute()
    const others = links.map(({ fromId }) => fromId)
    for (const other of own)
      if (!others.includes(other)) await reflect(tx, { ...side, id: other }, { add: id }, context)
    for (const other of others)
      if (!own.includes(other)) await reflect(tx, { ...side, id: other }, { drop: id }, context)
  }
}

/**
 * Plans the undo of a merge for each entity that it wrote. Later changes are kept; an entity that is in the trash by
 * now is corrected there. If one of the two merged entities is refused, this throws, which refuses the whole undo.
 */
export const planUnmerge =
  (done: MergeRow, as: Rollback) =>
  async (tx: Transaction, { kind, id }: RowKey, given: WriteContext): Promise<PlannedResult> => {
    const definition = definitionOf(kind)
    const revisions = await revisionsOf(tx, done.batch, id)
    if (id === done.fromId || id === done.toId)
      enforce(checkPermission(await actorNow(tx, given.actor), 'rollback', kind, revisions[0]?.userId))
    const context: WriteContext = { ...given, verdict: { allowed: true }, isMirrored: true, unmerges: done.fromId }
    const row = await findRow(definition, id, tx)
    // Permanently deleted since: nothing to undo.
    if (!row) return UNCHANGED
    const { fields, isDeleted, kept } = await stateBefore(tx, definition, row, revisions, { unmerges: done.fromId })
    const named = kept.length > 0 && { code: 'changed', message: reasonText('changedSince'), kept }
    if (row.deletedAt && !isDeleted) {
      const planned = await planRestore(definition, tx, id, context)
      if (!planned) return UNCHANGED
      return { outcome: 'changed', ...named, write: () => writeRestore(definition, tx, planned, context) }
    }
    const write = await planReversal(tx, definition, row, fields, context)
    if (!write) return kept.length > 0 ? { outcome: 'refused', ...named } : UNCHANGED
    const marked = async () => {
      await write()
      await markHistory(tx, revisions, kept, as)
    }
    return { outcome: 'changed', ...named, write: marked }
  }

/** Restores the fields of an entity, also in the trash; undefined if there is nothing to change. */
async function planReversal(
  tx: Transaction,
  definition: EntityDefinition<Tables['revisions']['snapshot']>,
  row: Row<Tables['revisions']['snapshot']>,
  fields: Tables['revisions']['snapshot'],
  context: WriteContext,
): Promise<(() => Promise<void>) | undefined> {
  const { kind } = definition
  const before = fieldsOf(definition, row)
  const paths = changedPaths(before, fields)
  if (paths.length === 0) return undefined
  if (row.deletedAt)
    return async () => {
      const meta = advance(definition, tx, row, context, columnsOf(fields, paths))
      await recordRevision(tx, kind, { action: 'update', meta, context, paths }, fields)
    }
  // Linked entities may be restored in this very transaction, so links are checked only when writing.
  return async () => {
    const write = await planFields(tx, definition, row, fields, context)
    await write?.()
  }
}
