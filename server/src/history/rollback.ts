import type {
  BatchRollback,
  BatchRollbackInput,
  HistoryEntry,
  RollbackInput,
  SKIP_REASONS,
} from '@mokuroku/contract/history'
import { reasonText } from '@mokuroku/contract/reasons'
import { transactionAs } from '#access/session.ts'
import { db, type Reader, type Transaction } from '#database/db.ts'
import type { RowKey } from '#database/locks.ts'
import { invalid, notFound, Refusal } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow } from '#ledger/rows.ts'
import { emptyTexts } from '#ledger/texts.ts'
import { updateIn } from '#ledger/write.ts'
import { type Actor, enforce, enforceAny, checkPermission, type Verdict } from '#access/permissions.ts'
import type { Tables } from '#database/tables.ts'
import { audit } from '#store/audit'
import { history, stateOf } from '#store/history'
import { notifications } from '#store/notifications'
import { isUnfinishedState } from '#jobs/work.ts'

type Entry = Tables['history']
type Texts = Record<string, Record<string, string>>
type SkipReason = (typeof SKIP_REASONS)[number]

/** Maximum number of changes in one rollback. */
const MAX_ROLLBACK_CHANGES = 500

const SENTENCES: Record<SkipReason, string> = {
  rolledBack: reasonText('rolledBack'),
  changed: reasonText('textChanged'),
  deleted: reasonText('inTrash'),
  forbidden: reasonText('rollbackForbidden'),
}

const sentenceOf = (why: SkipReason, state: HistoryEntry['entityState']): string =>
  why === 'deleted' && state === 'gone' ? reasonText('purged') : SENTENCES[why]

/** Throws 404 if there is no such entry, and 403 if `actor` may not roll it back. */
export async function authorizeRollback(id: string, actor: Actor): Promise<void> {
  await rollbackable(db, id, actor)
}

async function rollbackable(from: Reader, id: string, actor: Actor): Promise<Entry> {
  const entry = (await history.row(from, id)) ?? notFound('Translation history entry')
  enforce(mayRollBack(actor, entry))
  return entry
}

const mayRollBack = (actor: Actor, { entityType, updatedById }: Entry): Verdict =>
  checkPermission(actor, 'rollback', entityType, updatedById)

/** Restores the old text of an entry and marks the entry as rolled back, in one transaction. */
export async function rollback(id: string, input: RollbackInput, caller: Actor): Promise<void> {
  await transactionAs(caller, async (tx, actor) => {
    const entry = await rollbackable(tx, id, actor)
    // Read again, now that the entity is locked: entries change only under that lock.
    const row = await rowOf(tx, entry)
    const texts = textsOf(row)
    if ((await history.row(tx, id))?.isRolledBack) refuse('rolledBack')
    if (!texts) throw new Refusal(409, 'deleted', sentenceOf('deleted', stateOf(row)))
    if (await isOthersText(tx, entry, actor, row?.createdBy)) enforce(mayEdit(actor, entry, row?.createdBy))
    const current = textAt(texts, entry)
    if (current !== entry.newValue && input.current !== current) refuse('changed', { current })
    const context = rollbackContext(actor, input.reason)
    await write(tx, entry, withOldValue(texts, entry), context)
    await mark(tx, [entry], context)
    await notifications.notifyRollback(tx, [entry], context)
  })
}

const mayEdit = (actor: Actor, { entityType }: Entry, owner?: string | null): Verdict =>
  checkPermission(actor, 'edit', entityType, owner)

/**
 * Whether somebody else has changed the text of an entry last, even to the same, and `actor` may not edit the entity:
 * one's own change may be rolled back without that permission, but not what others have written over it.
 */
async function isOthersText(tx: Transaction, entry: Entry, actor: Actor, owner?: string | null): Promise<boolean> {
  return !mayEdit(actor, entry, owner).allowed && (await history.lastAuthorOf(tx, entry)) !== actor._id
}

/** The texts of some entries that `actor` may not overwrite, since they are those of others. */
async function othersTexts(tx: Transaction, entries: Entry[], actor: Actor, rows: RowsById): Promise<Set<string>> {
  const others = new Set<string>()
  const some = entries.filter((entry) => !mayEdit(actor, entry).allowed && mayRollBack(actor, entry).allowed)
  for (const [text, entry] of new Map(some.map((each) => [textKey(each), each])))
    if (await isOthersText(tx, entry, actor, rows.get(entry.entityId)?.createdBy)) others.add(text)
  return others
}

const textKey = ({ entityId, language, field }: Entry): string => `${entityId} ${language} ${field}`

/** Stores the batch of a rollback that this transaction has done. `rollsBack`: the batch that it undoes as a whole. */
type AddBatch = (
  tx: Transaction,
  batch: string,
  given: { what: 'rollback'; rollsBack: string | null; reason: string },
  targets: RowKey[],
  actor: Actor,
) => Promise<void>

/**
 * Rolls back what one user changed in a period, or what was changed as one batch, newest first, in one transaction; or
 * previews it. Throws 403 if the caller may roll back none of it; a preview shows this for each change.
 */
export async function rollbackAll(
  input: BatchRollbackInput,
  caller: Actor,
  addBatch: AddBatch,
): Promise<BatchRollback> {
  const { reason, dryRun } = input
  const batch = newId()
  const { done, skipped } = await transactionAs(caller, async (tx, actor) => {
    const entries = await selectedBy(tx, input)
    if (entries.length > MAX_ROLLBACK_CHANGES) {
      const message = reasonText('changesMany', { limit: MAX_ROLLBACK_CHANGES })
      invalid([{ path: 'by', message }], message)
    }
    const before = await lockedRows(tx, entries)
    // Read again, now that the entities are locked: entries change only under that lock.
    const selected = dryRun ? entries : await selectedBy(tx, input)
    const checked = selected.map((entry) => ({ entry, verdict: mayRollBack(actor, entry) }))
    if (!dryRun) enforceAny(checked.map(({ verdict }) => verdict))
    const result = partition(checked, before, await othersTexts(tx, selected, actor, before))
    // Without a change there is nothing to record: anybody may ask for a rollback of nothing, any number of times.
    if (!dryRun && result.done.length > 0) {
      const as = { ...rollbackContext(actor, reason), batch, quiet: true }
      const targets: RowKey[] = []
      for (const { entry, texts } of result.after.values())
        if (await write(tx, entry, texts, as)) targets.push({ kind: entry.entityType, id: entry.entityId })
      await mark(tx, result.done, as)
      const isWhole = result.skipped.length === 0 && (await isAllOf(tx, input.batch, result.done))
      const rollsBack = isWhole ? (input.batch ?? null) : null
      await addBatch(tx, batch, { what: 'rollback', rollsBack, reason }, targets, actor)
      await notifyOfBatch(tx, result.done, result.skipped.length, as)
      const details = { count: result.done.length, skipped: result.skipped.length, ...input }
      audit.record(tx, { action: 'history.rolledBack', actor, about: { type: 'Batch', id: batch }, details })
    }
    return result
  })
  const ids = [...done, ...skipped.map(({ entry }) => entry)].map(({ _id }) => _id)
  const shown = new Map((await history.byIds(ids, caller)).map((entry) => [entry._id, entry]))
  const show = ({ _id }: Entry): HistoryEntry[] => {
    const entry = shown.get(_id)
    return entry ? [entry] : []
  }
  return {
    success: true,
    dryRun,
    batch: dryRun || done.length === 0 ? null : batch,
    count: done.length,
    changes: done.flatMap(show),
    skipped: skipped.flatMap(({ entry, why }) =>
      show(entry).map((each) => ({ entry: each, why, message: sentenceOf(why, each.entityState) })),
    ),
  }
}

/** Whether some changes of texts are all that a finished batch wrote, including what retention has deleted since. */
async function isAllOf(tx: Transaction, batch: string | undefined, entries: Entry[]): Promise<boolean> {
  if (batch === undefined) return false
  const job = await tx.selectFrom('jobs').select('state').where('_id', '=', batch).executeTakeFirst()
  if (isUnfinishedState(job?.state)) return false
  const entities = new Set(entries.map(({ entityId }) => entityId))
  const others = await tx
    .selectFrom('batchRows')
    .select('entityId')
    .where('batch', '=', batch)
    .where('outcome', '=', 'changed')
    .limit(MAX_ROLLBACK_CHANGES + 1)
    .execute()
  if (!others.every(({ entityId }) => entities.has(entityId))) return false
  const revisions = await tx
    .selectFrom('revisions')
    .select(['_id', 'paths'])
    .where('batch', '=', batch)
    .limit(MAX_ROLLBACK_CHANGES + 1)
    .execute()
  const rolledBack = new Set(entries.map(({ revisionId }) => revisionId))
  return revisions.every(
    ({ _id, paths }) => rolledBack.has(_id) && paths.every((path) => path.startsWith('translations.')),
  )
}

async function notifyOfBatch(
  tx: Transaction,
  done: Entry[],
  failed: number,
  context: WriteContext & { batch: string },
): Promise<void> {
  const data = { what: 'rollback' as const, count: done.length, failed, batch: context.batch }
  await notifications.notifyRollback(tx, done, context)
  notifications.notify(tx, [{ to: context.actor._id, kind: 'BATCH_FINISHED', data }])
}

function selectedBy(tx: Transaction, { by, batch = '' }: BatchRollbackInput): Promise<Entry[]> {
  if (!by) return history.writtenAs(tx, batch, MAX_ROLLBACK_CHANGES + 1)
  return history.writtenBetween(tx, by.username, by.from, by.to, MAX_ROLLBACK_CHANGES + 1)
}

type RowsById = Map<string, Awaited<ReturnType<typeof rowOf>>>

/** The entities of some entries, locked in one order. */
async function lockedRows(tx: Transaction, entries: Entry[]): Promise<RowsById> {
  const rows: RowsById = new Map()
  for (const entry of entries.toSorted((one, two) => (one.entityId < two.entityId ? -1 : 1)))
    if (!rows.has(entry.entityId)) rows.set(entry.entityId, await rowOf(tx, entry))
  return rows
}

/** Simulates the rollbacks on the current texts: which are possible, the resulting texts, and why others are not. */
function partition(checked: { entry: Entry; verdict: Verdict }[], before: RowsById, others: Set<string>) {
  const after = new Map<string, { entry: Entry; texts: Texts }>()
  const done: Entry[] = []
  const skipped: { entry: Entry; why: SkipReason }[] = []
  for (const { entry, verdict } of checked) {
    // Its entity is not locked if it was written after the first read.
    if (!before.has(entry.entityId)) continue
    const texts = after.get(entry.entityId)?.texts ?? textsOf(before.get(entry.entityId))
    const why = verdict.allowed ? skipReason(entry, texts, others) : 'forbidden'
    if (why || !texts) skipped.push({ entry, why: why ?? 'deleted' })
    else {
      done.push(entry)
      after.set(entry.entityId, { entry, texts: withOldValue(texts, entry) })
    }
  }
  return { done, skipped, after }
}

function skipReason(entry: Entry, texts: Texts | undefined, others: Set<string>): SkipReason | undefined {
  if (entry.isRolledBack) return 'rolledBack'
  if (!texts) return 'deleted'
  return textAt(texts, entry) === entry.newValue && !others.has(textKey(entry)) ? undefined : 'changed'
}

const rollbackContext = (actor: Actor, reason: string): WriteContext => ({
  actor,
  origin: 'rollback',
  reason,
  at: now(),
  verdict: { allowed: true },
})

/** The entity of an entry, locked. */
const rowOf = (tx: Transaction, { entityType, entityId }: Entry) => findRow(definitionOf(entityType), entityId, tx)

/** The texts of an entity; undefined if it is in the trash or deleted. */
const textsOf = (row: Awaited<ReturnType<typeof rowOf>>): Texts | undefined =>
  row && !row.deletedAt ? (row.translations as Texts) : undefined

const textAt = (texts: Texts, { language, field }: Entry): string => texts[language]?.[field] ?? ''

/** The texts with an entry's old value. A language without any text left is removed, as before it was added. */
function withOldValue(texts: Texts, { entityType, language, field, oldValue }: Entry): Texts {
  const { [language]: had, ...others } = texts
  const next = { ...emptyTexts(entityType), ...had, [field]: oldValue }
  return Object.values(next).some(Boolean) ? { ...texts, [language]: next } : others
}

const write = (
  tx: Transaction,
  { entityType, entityId }: Entry,
  translations: Texts,
  context: WriteContext,
): Promise<unknown> => updateIn(definitionOf(entityType), tx, entityId, { translations }, context)

const mark = (tx: Transaction, entries: Entry[], { actor, reason = '', at = '' }: WriteContext): Promise<void> =>
  history.mark(
    tx,
    entries.map(({ _id }) => _id),
    { by: actor.username, reason, at },
  )

function refuse(why: SkipReason, more: Record<string, unknown> = {}): never {
  throw new Refusal(409, why, SENTENCES[why], undefined, more)
}
