import type { FieldError } from '@mokuroku/contract/call'
import type { Document } from '@mokuroku/contract/merge'
import { fieldError } from '@mokuroku/contract/faults'
import { flagAssets } from './assetFlags.ts'
import { notePresent } from './checkedLinks.ts'
import { countLinks } from './counters.ts'
import { inList } from '#database/inList.ts'
import { db, send, type Transaction } from '#database/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { idsIn, linkFields, pathOf } from './fields.ts'
import { currentIds } from './merges.ts'
import { linkedRows } from './readAhead.ts'
import type { WriteContext, EntityDefinition, Input } from './definition.ts'
import { insertRows } from '#database/insert.ts'
import { lockRows } from '#database/locks.ts'
import { lastGone } from './trash.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import { perKind, statement } from '#database/statement.ts'
import { TABLES } from '#database/tables.ts'

/**
 * Throws 400 unless the target of every new link is another entity, which exists outside the trash. Those of the links
 * of `inherits` are not checked.
 */
export async function checkLinks<Fields extends Document>(
  tx: Transaction,
  definition: EntityDefinition<Fields>,
  changes: { id?: string; before: Fields | undefined; after: Fields }[],
  inherits: Document = {},
): Promise<void> {
  const faults: FieldError[] = []
  for (const [field, target] of linkFields(definition)) {
    const added = changes.flatMap(({ id: own, before, after }) =>
      idsIn(after, field)
        .filter((id) => !before || !idsIn(before, field).includes(id))
        .filter((id) => !idsIn(inherits, field).includes(id))
        .map((id) => ({ id, own, after })),
    )
    if (added.length === 0) continue
    const ids = [...new Set(added.map(({ id }) => id))]
    // Within a kind, new links are rare, and neither side is locked otherwise.
    if (target === definition.kind)
      await lockRows(
        tx,
        ids.map((id) => ({ kind: target, id })),
      )
    const deletedAt = await linkedRows(tx, target, ids)
    for (const { id, own, after } of added)
      if (id === own) faults.push(fieldError(pathOf(after, field, id), 'otherEntry'))
      else if (deletedAt.get(id) !== null)
        faults.push(fieldError(pathOf(after, field, id), 'notThere', { kind: target.toLowerCase(), id }))
    notePresent(
      tx,
      ids.filter((id) => deletedAt.get(id) === null),
    )
  }
  if (faults.length > 0) invalid(faults)
}

/**
 * The fields of a former state of an entity as they can be restored: links to entities that were merged since lead to
 * their survivors, and those to permanently deleted ones are left out. Throws 404 if a dependent has lost the entity
 * that it depends on.
 */
export async function restorable<Fields extends Document>(
  tx: Transaction,
  definition: EntityDefinition<Fields>,
  id: string,
  fields: Fields,
  { unmerges }: Pick<WriteContext, 'unmerges'> = {},
): Promise<Fields> {
  const { empty } = definition
  const next: Document = { ...fields }
  for (const [field, target] of linkFields(definition)) {
    const then = idsIn(fields, field)
    const known = await linkedRows(tx, target, then)
    if (then.every((each) => known.get(each) === null)) continue
    const ids = await currentIds(tx, then, unmerges)
    const rows = await linkedRows(tx, target, ids)
    const there = ids
      // What it was linked to may have been merged into it.
      .filter((each) => each !== id)
      .filter((each) => rows.get(each) === null || (rows.get(each) ?? '') > lastGone())
    const value = Array.isArray(fields[field]) ? there : (there[0] ?? (empty as Document)[field])
    if (value === undefined) notFound(definition.kind)
    next[field] = value
  }
  return next as Fields
}

/**
 * The links of a former version that may lead into the trash when it is restored: they are not shown until their
 * entities are restored, too. Relations that are stored on both sides are not among them.
 */
export const hiddenLinks = ({ mirrors = {} }: EntityDefinition<Document>, version: Document): Document =>
  Object.fromEntries(Object.entries(version).filter(([field]) => !mirrors[field]))

/**
 * `input` with the ids of `before` that it lacks only because their entities are in the trash, where nothing shows
 * them; those in `dropped` were left out on purpose. Each is inserted after the nearest id that preceded it and is
 * still there.
 */
export async function withTrashed<Fields extends Document>(
  tx: Transaction,
  definition: EntityDefinition<Fields>,
  before: Fields,
  input: Input<Fields>,
  dropped: readonly string[],
): Promise<Input<Fields>> {
  const kept: Document = { ...input }
  for (const [field, target] of linkFields(definition)) {
    if (!definition.hidden?.includes(field)) continue
    const isList = Array.isArray(before[field])
    if (kept[field] === undefined || (!isList && idsIn(kept, field).length > 0)) continue
    const [had, ids] = [idsIn(before, field), idsIn(kept, field)]
    const missing = had.filter((id) => !ids.includes(id) && !dropped.includes(id))
    if (missing.length === 0) continue
    const deletedAt = await linkedRows(tx, target, missing)
    for (const id of missing.filter((each) => (deletedAt.get(each) ?? '') > lastGone())) {
      const previous = had.slice(0, had.indexOf(id)).findLast((each) => ids.includes(each))
      ids.splice(previous === undefined ? 0 : ids.indexOf(previous) + 1, 0, id)
      kept[field] = isList ? ids : id
    }
  }
  return kept as Input<Fields>
}

/** Those of `ids` that are not in the trash, in their order. */
export async function presentIds(kind: Kind, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await presentOf[kind](db, ids)
  const present = new Set(rows.map(({ _id }) => _id))
  return ids.filter((id) => present.has(id))
}

const presentOf = perKind((kind) =>
  statement((from, ids: readonly string[]) =>
    from.selectFrom(TABLES[kind]).select('_id').where(inList('_id', ids)).where('deletedAt', 'is', null),
  ),
)

/** Inserts the links of new entities, and counts the uses of tags. */
export async function insertLinks<Fields extends Document>(
  tx: Transaction,
  definition: EntityDefinition<Fields>,
  entities: { id: string; after: Fields }[],
): Promise<void> {
  const rows = entities.flatMap(({ id, after }) =>
    linkFields(definition).flatMap(([field, toKind]) =>
      idsIn(after, field).map((toId) => ({ fromKind: definition.kind, fromId: id, field, toKind, toId })),
    ),
  )
  await insertRows(tx, 'links', rows)
  for (const { toKind, toId } of rows) {
    if (toKind === 'Tag') countLinks(tx, definition.kind, [toId], [])
    if (toKind === 'Asset') flagAssets(tx, [toId])
  }
}

/** Inserts the links that an entity has gained, deletes those it has lost, and counts the uses of tags. */
export function moveLinks<Fields extends Document>(
  tx: Transaction,
  definition: EntityDefinition<Fields>,
  id: string,
  before: Fields | undefined,
  after: Fields | undefined,
): void {
  for (const [field, toKind] of linkFields(definition)) {
    const old = before ? idsIn(before, field) : []
    const next = after ? idsIn(after, field) : []
    const removed = old.filter((each) => !next.includes(each))
    const added = next.filter((each) => !old.includes(each))
    if (removed.length > 0)
      send(
        tx,
        tx.deleteFrom('links').where('fromId', '=', id).where('field', '=', field).where(inList('toId', removed)),
      )
    if (added.length > 0)
      send(
        tx,
        tx
          .insertInto('links')
          .values(added.map((toId) => ({ fromKind: definition.kind, fromId: id, field, toKind, toId }))),
      )
    if (toKind === 'Tag') countLinks(tx, definition.kind, added, removed)
    if (toKind === 'Asset') flagAssets(tx, [...added, ...removed])
  }
}
