import { changedPaths, type Document, merge } from '@mokuroku/contract/merge'
import type { Kind } from '@mokuroku/contract/kinds'
import { actorNow } from '#access/session.ts'
import { type Transaction, transaction } from '#database/db.ts'
import { together } from '#database/executor.ts'
import { insertRows } from '#database/insert.ts'
import { holdsLock, lockRows } from '#database/locks.ts'
import { type Meta, TABLES } from '#database/tables.ts'
import { notFound } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { noteTrashed } from './checkedLinks.ts'
import { conflict, seenBefore } from './conflict.ts'
import type { WriteContext, EntityDefinition, Input, New, Row } from './definition.ts'
import { columnsOf, overlay } from './fields.ts'
import { readFindingsAhead } from './findings.ts'
import { createdBefore } from './idempotency.ts'
import { limitGrowth, limitSize } from './limits.ts'
import { checkLinks, restorable, withTrashed } from './links.ts'
import { mirror, mirrored } from './mirror.ts'
import { record, recordCreated } from './record.ts'
import { readLastVersionAhead, snapshotAt } from './snapshots.ts'
import { advance, authorizeNow, fieldsOf, findRow, presentRow, reauthenticate } from './rows.ts'
import { refuseMerged } from './merges.ts'
import { lastGone } from './trash.ts'

type Definition<Fields extends Document> = EntityDefinition<Fields>
type CheckInput<Fields extends Document> = Parameters<NonNullable<Definition<Fields>['check']>>

/** Creates an entity, and returns its id; if the same request has created it before, only that. */
export async function create<Fields extends Document>(
  definition: Definition<Fields>,
  input: Input<Fields>,
  context: WriteContext,
): Promise<string> {
  const id = context.id ?? newId()
  return transaction(async (tx) => {
    const earlier = await createdBefore(tx, definition.kind, context, id)
    if (earlier !== undefined) return earlier
    await createManyIn(definition, tx, [{ id, input, context }])
    return id
  })
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
  for (const { context } of given) await authorizeNow(definition, tx, context, 'create')
  const created = given.map(({ id, input, context, apart = {} }) => {
    const after = overlay(kind, { ...definition.empty } as Fields, input)
    const at = context.at ?? now()
    const meta: Meta = {
      _id: id,
      version: 1,
      createdBy: context.actor._id,
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
    }
    const paths = changedPaths(undefined, after)
    return { action: 'create' as const, meta, before: undefined, after, context, paths, apart }
  })
  for (const { after } of created) limitSize(undefined, after)
  await lockRows(
    tx,
    created.flatMap(({ after }) => mirrored(definition, undefined, after)),
  )
  for (const { meta, after, context, paths } of created) {
    await check(definition, tx, meta._id, undefined, after, context)
    reauthenticate(definition, { id: meta._id, before: undefined, after, context, paths })
  }
  await checkLinks(tx, definition, created)
  await insertRows(
    tx,
    TABLES[kind],
    created.map(({ after, meta, apart }) => ({ ...after, ...meta, ...apart })),
  )
  await recordCreated(tx, definition, created)
  for (const { meta, after, context } of created) await mirror(definition, tx, meta._id, undefined, after, context)
}

/** The kind's own check, with the actor as of now: permissions at the start of the call do not count. */
async function check<Fields extends Document>(
  definition: Definition<Fields>,
  ...[tx, id, before, after, context, trashed]: CheckInput<Fields>
): Promise<void> {
  if (!definition.check) return
  const actor = await actorNow(tx, context.actor)
  await definition.check(tx, id, before, after, { ...context, actor }, trashed)
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
  context: WriteContext,
  base?: number,
  apart: Document = {},
): Promise<PlannedUpdate<Fields> | undefined> {
  const [current] = await together(
    presentRow(definition, tx, id),
    actorNow(tx, context.actor),
    readAheadForUpdate(tx, definition.kind, id, input),
  )
  await authorizeNow(definition, tx, context, 'edit', current.createdBy)
  const before = fieldsOf(definition, current)
  const after =
    base === undefined || base === current.version
      ? overlay(definition.kind, before, await inFull(definition, tx, before, input, context))
      : await merged(definition, tx, current, input, base, context)
  const paths = [...changedPaths(before, after), ...Object.keys(apart)]
  if (paths.length === 0) return undefined
  limitGrowth(definition, before, after)
  limitSize(before, after)
  // Before anything is written, so that restarting the transaction costs little.
  if (!context.isMirrored) await lockRows(tx, mirrored(definition, before, after))
  await check(definition, tx, id, before, after, context)
  reauthenticate(definition, { id, before, after, context, paths })
  await checkLinks(tx, definition, [{ id, before, after }], context.inherits)
  return { current, before, after, paths }
}

/**
 * On PostgreSQL, reads together with the row that is locked for an update what writing it will need, so that the
 * transaction waits for fewer answers. An update that is refused, or changes nothing, has read it for nothing. SQLite has
 * no locks, and answers at once.
 */
async function readAheadForUpdate<Fields extends Document>(
  tx: Transaction,
  kind: Kind,
  id: string,
  input: Input<Fields>,
): Promise<void> {
  if (!holdsLock(tx, { kind, id })) return
  await together(
    readLastVersionAhead(tx, kind, id),
    input.translations ? readFindingsAhead(tx, kind, id) : Promise.resolve(),
  )
}

/**
 * Changes the fields in `input`; null clears one. With `base`, the version that the input was made from, later changes
 * of others are kept, and a change of the same text is rejected with 412. Without it, the fields are overwritten.
 * `apart` are columns whose change is recorded, but not their value. Returns the row as written; undefined if nothing
 * changed.
 */
export async function updateIn<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  id: string,
  input: Input<Fields>,
  context: WriteContext,
  base?: number,
  apart: Document = {},
): Promise<Row<Fields> | undefined> {
  const planned = await planUpdate(definition, tx, id, input, context, base, apart)
  return planned && writeUpdate(definition, tx, planned, context, apart)
}

/** Writes the update that `planUpdate` planned in the same transaction. Returns the row as written. */
export async function writeUpdate<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  { current, before, after, paths }: PlannedUpdate<Fields>,
  context: WriteContext,
  apart: Document = {},
): Promise<Row<Fields>> {
  const meta = advance(definition, tx, current, context, { ...columnsOf(after, paths), ...apart })
  await record(tx, definition, { action: 'update', meta, before, after, context, paths })
  if (!context.isMirrored) await mirror(definition, tx, current._id, before, after, context)
  return { ...without(meta, definition.fields), ...after, ...apart }
}

const without = <Shape extends object>(shape: Shape, names: string[]): Shape =>
  Object.fromEntries(Object.entries(shape).filter(([name]) => !names.includes(name))) as Shape

async function merged<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  current: Row<Fields>,
  input: Input<Fields>,
  version: number,
  context: WriteContext,
): Promise<Fields> {
  const theirs = fieldsOf(definition, current)
  const base = await snapshotAt(tx, current._id, version)
  const from = (base ?? theirs) as Fields
  const mine = overlay(definition.kind, from, await inFull(definition, tx, from, input, context))
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
  { asShown }: WriteContext,
) => (asShown ? withTrashed(tx, definition, before, input, asShown.dropped) : input)

/** Authorizes and checks a delete as `removeIn` does, and returns the row. Throws what `removeIn` throws. */
export async function planRemove<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  id: string,
  context: WriteContext,
  base?: number,
): Promise<Row<Fields>> {
  const [current] = await together(presentRow(definition, tx, id), actorNow(tx, context.actor))
  await authorizeNow(definition, tx, context, 'delete', current.createdBy)
  const fields = fieldsOf(definition, current)
  if (base !== undefined && base !== current.version)
    throw await seenBefore(tx, current, base, { theirs: fields, conflicts: ['deletedAt'] })
  await check(definition, tx, id, fields, undefined, context)
  return current
}

/** Moves an entity to the trash. With `base`, it is rejected with 412 if others have written since. */
export async function removeIn<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  id: string,
  context: WriteContext,
  base?: number,
): Promise<void> {
  await writeRemove(definition, tx, await planRemove(definition, tx, id, context, base), context)
}

/** Moves a locked row to the trash, without checking permissions. */
export async function trash<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  current: Row<Fields>,
  context: WriteContext,
): Promise<void> {
  await check(definition, tx, current._id, fieldsOf(definition, current), undefined, context)
  await writeRemove(definition, tx, current, context)
}

/** Writes the delete that `planRemove` planned in the same transaction. */
export async function writeRemove<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  current: Row<Fields>,
  context: WriteContext,
): Promise<void> {
  const before = fieldsOf(definition, current)
  noteTrashed(tx, current._id)
  const meta = advance(definition, tx, current, context, { deletedAt: context.at ?? now() })
  await record(tx, definition, { action: 'delete', meta, before, after: undefined, context, paths: ['deletedAt'] })
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
  context: WriteContext,
): Promise<PlannedRestore<Fields> | undefined> {
  const { kind } = definition
  const current = await findRow(definition, id, tx)
  if (!current) return notFound(kind)
  await authorizeNow(definition, tx, context, 'restore', current.createdBy)
  if (!current.deletedAt) return undefined
  if (current.deletedAt <= lastGone()) return notFound(kind)
  if (context.unmerges !== id) await refuseMerged(tx, id, 'mergedTrash')
  const fields = fieldsOf(definition, current)
  const after = await restorable(tx, definition, id, fields, context)
  await check(definition, tx, id, undefined, after, context, fields)
  reauthenticate(definition, { id, before: undefined, after, context, paths: changedPaths(undefined, after) })
  return { current, fields, after }
}

/** Takes an entity out of the trash, with its links to entities that still exist. */
export async function restoreIn<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  id: string,
  context: WriteContext,
): Promise<void> {
  const planned = await planRestore(definition, tx, id, context)
  if (planned) await writeRestore(definition, tx, planned, context)
}

/** Writes the restore that `planRestore` planned in the same transaction. */
export async function writeRestore<Fields extends Document>(
  definition: Definition<Fields>,
  tx: Transaction,
  { current, fields, after }: PlannedRestore<Fields>,
  context: WriteContext,
): Promise<void> {
  const meta = advance(definition, tx, current, context, { ...after, deletedAt: null })
  const paths = ['deletedAt', ...changedPaths(fields, after)]
  await record(tx, definition, { action: 'restore', meta, before: undefined, after, context, paths })
}
