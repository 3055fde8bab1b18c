import { changedPaths, type Document, isObject, merge, withPaths } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import { type Actor, enforce, checkPermission } from '#access/permissions.ts'
import { actorNow } from '#access/session.ts'
import type { Transaction } from '#database/db.ts'
import type { RowKey } from '#database/locks.ts'
import { isReadOnly } from '#database/readOnly.ts'
import type { Tables } from '#database/tables.ts'
import type { WriteContext, EntityDefinition, Row } from '#ledger/definition.ts'
import { inputOf } from '#ledger/fields.ts'
import { hiddenLinks, restorable } from '#ledger/links.ts'
import { snapshotAt, snapshotBytes, snapshotsOf } from '#ledger/snapshots.ts'
import { readLinksAhead, rowsAhead } from '#ledger/readAhead.ts'
import { definitionOf } from '#ledger/registry.ts'
import { fieldsOf, findRow } from '#ledger/rows.ts'
import { withAllTexts } from '#ledger/texts.ts'
import { planRemove, planRestore, planUpdate, restoreIn, writeRemove, writeUpdate } from '#ledger/write.ts'
import { notFound, Refusal } from '#lib/errors.ts'
import { history, type Rollback } from '#store/history'
import { type Plan, refuseDeleted, type PlannedResult, UNCHANGED } from './plannedResult.ts'

/** A revision with its document; undefined if that cannot be read, because retention has just deleted it. */
type Revision = Pick<Tables['revisions'], '_id' | 'version' | 'action' | 'userId'> & { snapshot: Document | undefined }

const KEPT = reasonText('changedSince')

/**
 * An entity as it was before a batch, except for later changes: `kept` lists the paths that keep their current value.
 */
interface Before {
  fields: Document
  isDeleted: boolean
  kept: string[]
}

/** Plans the rollback of each entity that a batch wrote; `as` is recorded in the history of the texts taken back. */
export const planRollback = (batch: string, as: Rollback): Plan =>
  Object.assign(planOf(batch, as), {
    ahead: (tx: Transaction, targets: RowKey[]) => revisionsAhead(tx, batch, targets),
    aheadBytes: snapshotBytes,
  })

const planOf =
  (batch: string, as: Rollback) =>
  async (tx: Transaction, { kind, id }: RowKey, given: WriteContext): Promise<PlannedResult> => {
    const definition = definitionOf(kind)
    const revisions = await revisionsOf(tx, batch, id)
    const actor = await actorNow(tx, given.actor)
    enforce(checkPermission(actor, 'rollback', kind, revisions[0]?.userId))
    const row = await findRow(definition, id, tx)
    if (!row) return notFound(kind)
    const planned = await stateBefore(tx, definition, row, revisions, given)
    const mayEdit = checkPermission(actor, 'edit', kind, row.createdBy).allowed
    const before = mayEdit ? planned : await withOthersChanges(tx, definition, row, planned, { revisions, actor })
    const context: WriteContext = { ...given, verdict: { allowed: true } }
    const write = await planWrite(tx, definition, row, before, context)
    const { kept } = before
    if (!write && kept.length === 0) return UNCHANGED
    if (!write) return { outcome: 'refused', code: 'changed', message: KEPT, kept }
    const marked = async () => {
      await write()
      await markHistory(tx, revisions, kept, as)
    }
    return { outcome: 'changed', write: marked, ...(kept.length > 0 && { code: 'changed', message: KEPT, kept }) }
  }

/** A later write of an entity that a batch wrote. */
type Later = Pick<Tables['revisions'], 'version' | 'action' | 'batch'>

/**
 * Data prefetched for many entities: what the batch wrote of each, the version before each of those writes, and what
 * was written later.
 */
interface Ahead {
  written: Map<string, Revision[]>
  earlier: Map<string, Document | undefined>
  later: Map<string, Later[]>
}
const aheadOf = new WeakMap<Transaction, Ahead>()
const versionKey = (id: string, version: number) => `${id} ${version}`

/**
 * Prefetches the batch's revisions and the versions before them, which no later write changes. The link targets are
 * prefetched only in a read-only transaction.
 */
async function revisionsAhead(tx: Transaction, batch: string, targets: RowKey[]): Promise<void> {
  const ids = targets.map(({ id }) => id)
  const written = await revisionsIn(tx, batch, ids)
  const before = await writtenOf(tx, batch, ids)
    .innerJoin('revisions as earlier', (join) =>
      join
        .onRef('earlier.entityId', '=', 'written.entityId')
        .on((column) => column('earlier.version', '=', column('written.version', '-', 1))),
    )
    .select(['earlier._id', 'earlier.entityType', 'earlier.entityId', 'earlier.version'])
    .where('written.action', '=', 'update')
    .execute()
  const snapshots = await snapshotsOf(
    tx,
    before.map(({ _id }) => _id),
  )
  const later = await writtenOf(tx, batch, ids)
    .innerJoin('revisions as later', (join) =>
      join
        .onRef('later.entityId', '=', 'written.entityId')
        .on((column) => column('later.version', '>', column.ref('written.version'))),
    )
    .select(['later.entityId', 'later.version', 'later.action', 'later.batch'])
    .distinct()
    .execute()
  aheadOf.set(tx, {
    written: Map.groupBy(written, ({ entityId }) => entityId),
    later: Map.groupBy(later, ({ entityId }) => entityId),
    earlier: new Map(before.map((each) => [versionKey(each.entityId, each.version), snapshots.get(each._id)])),
  })
  if (!isReadOnly(tx)) return
  for (const [kind, some] of Map.groupBy(targets, (target) => target.kind)) {
    const ofKind = before.filter(({ entityType }) => entityType === kind)
    const earlier = ofKind.map(({ _id }) => snapshots.get(_id)).filter((each) => each !== undefined)
    await readLinksAhead(tx, definitionOf(kind), [...rowsAhead(tx, some), ...earlier])
  }
}

/** The batch's revisions of an entity, newest first. */
export const revisionsOf = async (tx: Transaction, batch: string, id: string): Promise<Revision[]> => {
  const ahead = aheadOf.get(tx)
  return ahead ? (ahead.written.get(id) ?? []) : revisionsIn(tx, batch, [id])
}

/**
 * What the batch wrote of some entities. An engine that used the index of batches would read all of a large one for each
 * page of its entities; it has none for this expression.
 */
const writtenOf = (tx: Transaction, batch: string, ids: string[]) =>
  tx
    .selectFrom('revisions as written')
    .where('written.entityId', 'in', ids)
    .where(({ eb, fn, val }) => eb(fn.coalesce('written.batch', val('')), '=', batch))

async function revisionsIn(tx: Transaction, batch: string, ids: string[]) {
  const rows = await writtenOf(tx, batch, ids)
    .select(['written._id', 'written.entityId', 'written.version', 'written.action', 'written.userId'])
    .orderBy('written.version', 'desc')
    .execute()
  const snapshots = await snapshotsOf(
    tx,
    rows.map(({ _id }) => _id),
  )
  return rows.map((row) => ({ ...row, snapshot: snapshots.get(row._id) }))
}

const earlierOf = async (tx: Transaction, id: string, version: number): Promise<Document | undefined> => {
  const ahead = aheadOf.get(tx)
  return ahead ? ahead.earlier.get(versionKey(id, version)) : snapshotAt(tx, id, version)
}

/**
 * Reverts the revisions one by one, newest first, merging each with the current state. Writes of `batch`, the rollback
 * itself, do not count as later changes: one entity of a relation that is rolled back writes the others.
 */
export async function stateBefore(
  tx: Transaction,
  definition: EntityDefinition<Document>,
  row: Row<Document>,
  revisions: Revision[],
  { batch: own, unmerges }: Pick<WriteContext, 'batch' | 'unmerges'>,
): Promise<Before> {
  if (revisions.length === 0) refuseNotKept()
  const state: Before = { fields: fieldsOf(definition, row), isDeleted: row.deletedAt !== null, kept: [] }
  const last = revisions[0]?.version ?? row.version
  const later = row.version === last ? [] : (await laterThan(tx, row._id, last)).filter(({ batch }) => batch !== own)
  const isMoved = later.some(({ action }) => action === 'delete' || action === 'restore')
  const isAs = (written: Document | undefined) => !isMoved && changedPaths(written, state.fields).length === 0
  // A link to what was merged since has become one to its survivor, except in the trash.
  const asNow = (version: Document) =>
    later.length > 0 && !row.deletedAt ? restorable(tx, definition, row._id, version, { unmerges }) : version
  for (const { action, version, snapshot } of revisions)
    if (action === 'update') {
      const earlier = await earlierOf(tx, row._id, version - 1)
      if (!earlier || !snapshot) refuseNotKept()
      const { merged, kept } = mergeBack(definition, await asNow(snapshot), await asNow(earlier), state.fields)
      state.fields = merged
      state.kept.push(...kept)
    } else if (action === 'delete') {
      // An entity that the batch deleted stays in the trash if somebody has deleted it again since.
      if (!isMoved) state.isDeleted = false
      else if (state.isDeleted) state.kept.push('deletedAt')
    } else if (later.length === 0 || isAs(snapshot)) state.isDeleted = true
    // An entity that the batch created or restored stays if it has been changed since, and the change not undone.
    else if (!state.isDeleted) state.kept.push('deletedAt')
  return state
}

/**
 * Without the permission to edit, nothing that others have written since is overwritten, even if they wrote the same as
 * the batch.
 */
async function withOthersChanges(
  tx: Transaction,
  definition: EntityDefinition<Document>,
  row: Row<Document>,
  { fields, isDeleted, kept }: Before,
  { revisions, actor }: { revisions: Revision[]; actor: Actor },
): Promise<Before> {
  const later = await tx
    .selectFrom('revisions')
    .select(['userId', 'paths'])
    .where('entityId', '=', row._id)
    .where('version', '>', revisions[0]?.version ?? row.version)
    .orderBy('version', 'desc')
    .execute()
  const isOthers = (path: string): boolean => {
    const last = later.find(({ paths }) => paths.some((each) => isWithin(path, each) || isWithin(each, path)))
    return last !== undefined && last.userId !== actor._id
  }
  const now = fieldsOf(definition, row)
  const theirs = changedPaths(now, fields).filter(isOthers)
  const isTheirs = isDeleted && !row.deletedAt && later.some(({ userId }) => userId !== actor._id)
  return {
    fields: withPaths(fields, now, theirs) ?? fields,
    isDeleted: isDeleted && !isTheirs,
    kept: [...kept, ...theirs, ...(isTheirs ? ['deletedAt'] : [])],
  }
}

const isWithin = (path: string, other: string): boolean => path === other || path.startsWith(`${other}.`)

/** Throws a 409: retention has deleted what the batch wrote, or the version before that. */
function refuseNotKept(): never {
  throw new Refusal(409, 'notKept', reasonText('versionNotKept'))
}

/** What was written of an entity after a version. */
async function laterThan(tx: Transaction, id: string, version: number): Promise<Later[]> {
  const ahead = aheadOf.get(tx)
  if (ahead) return (ahead.later.get(id) ?? []).filter((each) => each.version > version)
  return tx
    .selectFrom('revisions')
    .select(['version', 'action', 'batch'])
    .where('entityId', '=', id)
    .where('version', '>', version)
    .execute()
}

/** Merges the inverse of a revision into the current state. Fields that belong together are kept together. */
function mergeBack(
  { kind, together = [] }: EntityDefinition<Document>,
  written: Document,
  earlier: Document,
  there: Document,
): { merged: Document; kept: string[] } {
  const { merged, conflicts } = merge(written, earlier, there)
  const isTogether = conflicts.some((path) => together.includes(path))
  if (isTogether) for (const name of together) merged[name] = there[name]
  const kept = isTogether ? [...new Set([...conflicts, ...together])] : conflicts
  return { merged: inOrderOf(withAllTexts(kind, merged), earlier) as Document, kept }
}

/** Orders the keys of an object, recursively, as in another: a restored language returns to its old place. */
function inOrderOf(value: unknown, other: unknown): unknown {
  if (!isObject(value) || !isObject(other)) return value
  const names = new Set([...Object.keys(other).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)])
  return Object.fromEntries([...names].map((name) => [name, inOrderOf(value[name], other[name])]))
}

/** Plans the write that restores a state; undefined if nothing changes. Throws if the write is refused. */
async function planWrite(
  tx: Transaction,
  definition: EntityDefinition<Document>,
  row: Row<Document>,
  { fields, isDeleted }: Before,
  context: WriteContext,
): Promise<(() => Promise<unknown>) | undefined> {
  const { _id: id } = row
  const now = fieldsOf(definition, row)
  const isChanged = changedPaths(now, fields).length > 0
  if (isDeleted && !row.deletedAt) {
    const current = await planRemove(definition, tx, id, context)
    return () => writeRemove(definition, tx, current, context)
  }
  if (isDeleted && isChanged) refuseDeleted()
  if (row.deletedAt && !isDeleted) {
    await planRestore(definition, tx, id, context)
    return async () => {
      await restoreIn(definition, tx, id, context)
      const write = isChanged ? await planFields(tx, definition, row, fields, context) : undefined
      await write?.()
    }
  }
  return isChanged ? planFields(tx, definition, row, fields, context) : undefined
}

/** Plans the update of an entity to former fields, whose links may lead into the trash; undefined if nothing changes. */
export async function planFields(
  tx: Transaction,
  definition: EntityDefinition<Document>,
  row: Row<Document>,
  fields: Document,
  context: WriteContext,
): Promise<(() => Promise<unknown>) | undefined> {
  const after = await restorable(tx, definition, row._id, fields, context)
  const input = inputOf(definition.kind, fieldsOf(definition, row), after)
  const inherits = hiddenLinks(definition, after)
  const planned = await planUpdate(definition, tx, row._id, input, { ...context, inherits })
  return planned && (() => writeUpdate(definition, tx, planned, context))
}

/** Marks the reverted texts in the translation history as rolled back. */
export async function markHistory(tx: Transaction, revisions: Revision[], kept: string[], as: Rollback): Promise<void> {
  const entries = await tx
    .selectFrom('history')
    .select(['_id', 'language', 'field'])
    .where(
      'revisionId',
      'in',
      revisions.map(({ _id }) => _id),
    )
    .where('isRolledBack', '=', false)
    .execute()
  const taken = entries.filter(({ language, field }) => !kept.includes(`translations.${language}.${field}`))
  await history.mark(
    tx,
    taken.map(({ _id }) => _id),
    as,
  )
}
