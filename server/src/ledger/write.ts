import { changedPaths, type Document, merge } from '@mokuroku/contract/merge'
import { actorNow } from '#access/session.ts'
import { type Transaction, transaction } from '#database/db.ts'
import { together } from '#database/executor.ts'
import { insertRows } from '#database/insert.ts'
import { lockRows } from '#database/locks.ts'
import { type Meta, TABLES } from '#database/tables.ts'
import { notFound } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { noteTrashed } from './checkedLinks.ts'
import { conflict } from './conflict.ts'
import type { By, EntityDefinition, Input, New, Row } from './definition.ts'
import { columnsOf, overlay } from './fields.ts'
import { limitGrowth } from './limits.ts'
import { checkLinks, restorable, withTrashed } from './links.ts'
import { mirror, mirrored } from './mirror.ts'
import { record, recordCreated } from './record.ts'
import { snapshotAt } from './snapshots.ts'
import { advance, authorizeNow, fieldsOf, findRow, presentRow, reauthenticate } from './rows.ts'
import { refuseMerged } from './merges.ts'
import { lastGone } from './trash.ts'

type Definition<Fields extends Document> = EntityDefinition<Fields>

/** Creates an entity, and returns its id. */
export async function create<Fields extends Document>(
  definition: Definition<Fields>,
  input: Input<Fields>,
  by: By,
): Promise<string> {
  const id = by.id ?? newId()
  await transaction((tx) => createManyIn(definition, tx, [{ id, input, by }]))
  return id
}

/**
 * Creates entities that do not link to each other, within a transaction that may do more, in as few statements as for
 * one.
 */
export async function createManyIn<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  given: New<Fields>[],
): Promise<void> {
  const { kind } = definition
  for (const { by } of given) await authorizeNow(definition, tx, by, 'create')
  const created = given.map(({ id, input, by, apart = {} }) => {
    const after = overlay(kind, { ...definition.empty } as Fields, input)
    const at = by.at ?? now()
    const meta: Meta = { _id: id, version: 1, createdBy: by.actor._id, createdAt: at, updatedAt: at, deletedAt: null }
    const paths = changedPaths(undefined, after)
    return { action: 'create' as const, meta, before: undefined, after, by, paths, apart }
  })
  await lockRows(
    tx,
    created.flatMap(({ after }) => mirrored(definition, undefined, after)),
  )
  for (const { meta, after, by, paths } of created) {
    await definition.check?.(tx, meta._id, undefined, after, by)
    reauthenticate(definition, { id: meta._id, before: undefined, after, by, paths })
  }
  await checkLinks(tx, definition, created)
  await insertRows(
    tx,
    TABLES[kind],
    created.map(({ after, meta, apart }) => ({ ...after, ...meta, ...apart })),
  )
  await recordCreated(tx, definition, created)
  for (const { meta, after, by } of created) await mirror(definition, tx, meta._id, undefined, after, by)
}

/** What an update would write. */
interface PlannedUpdate<Fields> {
  current: Row<Fields>
  before: Fields
  after: Fields
  paths: string[]
}

/**
 * Authorizes, merges and checks an update as `updateIn` does, without writing it. Undefined if nothing would change.
 * Throws what `updateIn` throws, except for errors that only occur on writing.
 */
export async function planUpdate<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  id: string,
  input: Input<Fields>,
  by: By,
  base?: number,
  apart: Document = {},
): Promise<PlannedUpdate<Fields> | undefined> {
  const [current] = await together(presentRow(definition, tx, id), actorNow(tx, by.actor))
  await authorizeNow(definition, tx, by, 'edit', current.createdBy)
  const before = fieldsOf(definition, current)
  const after =
    base === undefined || base === current.version
      ? overlay(definition.kind, before, await inFull(definition, tx, before, input, by))
      : await merged(definition, tx, current, input, base, by)
  const paths = [...changedPaths(before, after), ...Object.keys(apart)]
  if (paths.length === 0) return undefined
  limitGrowth(definition, before, after)
  // Before anything is written, so that restarting the transaction costs little.
  if (!by.isMirrored) await lockRows(tx, mirrored(definition, before, after))
  await definition.check?.(tx, id, before, after, by)
  reauthenticate(definition, { id, before, after, by, paths })
  await checkLinks(tx, definition, [{ before, after }], by.inherits)
  return { current, before, after, paths }
}

/**
 * Changes the fields in `input`; null clears one. With `base`, the version that the input was made from, later changes
 * of others are kept, and a change of the same text is rejected with 412. Without it, the fields are overwritten.
 * `apart` are columns whose change is recorded, but not their value.
 */
export async function updateIn<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  id: string,
  input: Input<Fields>,
  by: By,
  base?: number,
  apart: Document = {},
): Promise<void> {
  const planned = await planUpdate(definition, tx, id, input, by, base, apart)
  if (planned) await writeUpdate(definition, tx, planned, by, apart)
}

/** Writes the update that `planUpdate` planned in the same transaction. */
export async function writeUpdate<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  { current, before, after, paths }: PlannedUpdate<Fields>,
  by: By,
  apart: Document = {},
): Promise<void> {
  const meta = advance(definition, tx, current, by, { ...columnsOf(after, paths), ...apart })
  await record(tx, definition, { action: 'update', meta, before, after, by, paths })
  if (!by.isMirrored) await mirror(definition, tx, current._id, before, after, by)
}

async function merged<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  current: Row<Fields>,
  input: Input<Fields>,
  version: number,
  by: By,
): Promise<Fields> {
  const theirs = fieldsOf(definition, current)
  const base = await snapshotAt(tx, current._id, version)
  const from = (base ?? theirs) as Fields
  const mine = overlay(definition.kind, from, await inFull(definition, tx, from, input, by))
  if (!base) throw await conflict(tx, current, version, { base, mine, theirs, conflicts: changedPaths(theirs, mine) })
  const result = merge(base, mine, theirs)
  const { conflicts } = result
  if (conflicts.length > 0) throw await conflict(tx, current, version, { base, mine, theirs, conflicts })
  return result.merged as Fields
}

/** The input, completed with links that the caller could not see. */
const inFull = <Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  before: Fields,
  input: Input<Fields>,
  { asShown }: By,
) => (asShown ? withTrashed(tx, definition, before, input, asShown.dropped) : input)

/** Authorizes and checks a delete as `removeIn` does, and returns the row. Throws what `removeIn` throws. */
export async function planRemove<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  id: string,
  by: By,
  base?: number,
): Promise<Row<Fields>> {
  const [current] = await together(presentRow(definition, tx, id), actorNow(tx, by.actor))
  await authorizeNow(definition, tx, by, 'delete', current.createdBy)
  const fields = fieldsOf(definition, current)
  if (base !== undefined && base !== current.version)
    throw await conflict(tx, current, base, {
      base: undefined,
      mine: fields,
      theirs: fields,
      conflicts: ['deletedAt'],
    })
  await definition.check?.(tx, id, fields, undefined, by)
  return current
}

/** Moves an entity to the trash. With `base`, it is rejected with 412 if others have written since. */
export async function removeIn<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  id: string,
  by: By,
  base?: number,
): Promise<void> {
  await writeRemove(definition, tx, await planRemove(definition, tx, id, by, base), by)
}

/** Moves a locked row to the trash, without checking permissions. */
export async function trash<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  current: Row<Fields>,
  by: By,
): Promise<void> {
  await definition.check?.(tx, current._id, fieldsOf(definition, current), undefined, by)
  await writeRemove(definition, tx, current, by)
}

/** Writes the delete that `planRemove` planned in the same transaction. */
export async function writeRemove<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  current: Row<Fields>,
  by: By,
): Promise<void> {
  const before = fieldsOf(definition, current)
  noteTrashed(tx, current._id)
  const meta = advance(definition, tx, current, by, { deletedAt: by.at ?? now() })
  await record(tx, definition, { action: 'delete', meta, before, after: undefined, by, paths: ['deletedAt'] })
}

/** What a restore would write: the fields as they were, and as they can be restored. */
interface PlannedRestore<Fields> {
  current: Row<Fields>
  fields: Fields
  after: Fields
}

/**
 * Authorizes and checks a restore as `restoreIn` does. Undefined if it is not in the trash. Throws what `restoreIn`
 * throws.
 */
export async function planRestore<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  id: string,
  by: By,
): Promise<PlannedRestore<Fields> | undefined> {
  const { kind } = definition
  const current = await findRow(definition, id, tx)
  if (!current) return notFound(kind)
  await authorizeNow(definition, tx, by, 'restore', current.createdBy)
  if (!current.deletedAt) return undefined
  if (current.deletedAt <= lastGone()) return notFound(kind)
  if (by.unmerges !== id) await refuseMerged(tx, id, 'mergedTrash')
  const fields = fieldsOf(definition, current)
  const after = await restorable(tx, definition, id, fields, by)
  await definition.check?.(tx, id, undefined, after, by, fields)
  reauthenticate(definition, { id, before: undefined, after, by, paths: changedPaths(undefined, after) })
  return { current, fields, after }
}

/** Takes an entity out of the trash, with its links to entities that still exist. */
export async function restoreIn<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  id: string,
  by: By,
): Promise<void> {
  const planned = await planRestore(definition, tx, id, by)
  if (planned) await writeRestore(definition, tx, planned, by)
}

/** Writes the restore that `planRestore` planned in the same transaction. */
export async function writeRestore<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  { current, fields, after }: PlannedRestore<Fields>,
  by: By,
): Promise<void> {
  const meta = advance(definition, tx, current, by, { ...after, deletedAt: null })
  const paths = ['deletedAt', ...changedPaths(fields, after)]
  await record(tx, definition, { action: 'restore', meta, before: undefined, after, by, paths })
}
