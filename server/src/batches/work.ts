import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type BulkChange, MAX_ROLLBACK_ROWS } from '@mokuroku/contract/bulk'
import type { Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import type { BATCH_EFFECTS } from '@mokuroku/contract/notifications'
import { inBackground } from '#access/session.ts'
import { afterCommit, db, transaction, type Transaction } from '#database/db.ts'
import { eachTogether } from '#database/executor.ts'
import { inList } from '#database/inList.ts'
import { lockRows } from '#database/locks.ts'
import type { Tables } from '#database/tables.ts'
import { publishJobs } from '#jobs/signal.ts'
import { type Ending, type Job, registerWork } from '#jobs/work.ts'
import type { WriteContext, New } from '#ledger/definition.ts'
import { linkedRows } from '#ledger/readAhead.ts'
import { definitionOf } from '#ledger/registry.ts'
import { splitBySize } from '#ledger/pages.ts'
import { createManyIn } from '#ledger/write.ts'
import { Refusal } from '#lib/errors.ts'
import { audit } from '#store/audit'
import { notifications } from '#store/notifications'
import { mergeBy } from '#ledger/merges.ts'
import { planChange } from './change.ts'
import { alignRelations, forgetMerge, mergeToUndo, planUnmerge } from './merge.ts'
import { planRollback } from './rollback.ts'
import { BATCH_JOB, records, type Result, revisionPages, type StoredBatch } from './records.ts'
import { splitTargets } from './splitTargets.ts'
import { type BatchPlan, refused, type Target, plannedResult } from './plannedResult.ts'

/** Number of entities written in one transaction, fewer if they are large: other writers wait only for milliseconds. */
const CHUNK_SIZE = 20
/** For imports: creating many entities together is cheaper. */
const IMPORT_CHUNK_SIZE = 50
/** Number of entities whose rows and sizes are read at a time. */
const READ_SIZE = 200
/** How much of it is created together, unless a single entity has more: others wait while texts are indexed. */
const MAX_CREATED_BYTES = 400_000
/** From this batch size on, writes create no activities of their own. */
const QUIET_FROM = 20

type BatchRow = Tables['batchRows']
interface Step {
  job: Job
  plan: BatchPlan
  context: WriteContext
}

let importPlan: ((batch: StoredBatch) => BatchPlan) | undefined
/** Sets the plan for import batches. Called by the imports, since this file must not depend on them. */
export const importWith = (plan: (batch: StoredBatch) => BatchPlan): void => void (importPlan = plan)

registerWork(BATCH_JOB, { run: runBatch, ended: endBatch })

/** Writes the remaining entities of a batch, a few at a time, until it is done or cancelled. */
async function runBatch(job: Job): Promise<void> {
  const batch = await records.row(db, job._id)
  if (!batch) return
  const merged = batch.rollsBack !== null && (await wasMerge(batch.rollsBack))
  if (merged) return undoMerge(job, batch)
  const step: Step = { job, plan: planOf(batch), context: contextOf(batch) }
  const size = batch.what === 'import' ? IMPORT_CHUNK_SIZE : CHUNK_SIZE
  for (let rows = await records.next(job._id, READ_SIZE); rows.length > 0;) {
    const targets = rows.map((row) => ({ ...targetOf(row), row }))
    for (const page of await splitTargets(targets, step.plan.aheadBytes, size)) {
      if (job.signal.aborted) return
      await writeChunk(
        step,
        page.map(({ row }) => row),
      )
      // Let waiting requests run in between.
      await yieldToEventLoop()
    }
    rows = await records.next(job._id, READ_SIZE)
  }
}

const wasMerge = async (id: string): Promise<boolean> =>
  (await mergeBy(db, id)) !== undefined || (await records.row(db, id))?.what === 'merge'

/** Undoes a merge in one transaction, completely or not at all. */
async function undoMerge(job: Job, batch: StoredBatch): Promise<void> {
  const { rollsBack, reason, username, createdAt } = batch
  const rows = await records.next(job._id, MAX_ROLLBACK_ROWS)
  if (rows.length === 0) return
  try {
    await transaction(async (tx) => {
      await lockRows(tx, rows.map(targetOf))
      // Waits for a concurrent undo of the same merge.
      const merged = await mergeToUndo(tx, rollsBack ?? '')
      if (!merged) return
      const plan = planUnmerge(merged, { by: username, reason: reason ?? '', at: createdAt })
      const isOfTwo = ({ entityId }: BatchRow) => entityId === merged.fromId || entityId === merged.toId
      const step = { job, plan: { planOf: () => plan }, context: contextOf(batch) }
      const trashed = await trashedAmong(tx, rows)
      // A rating is restored after another one by the same user has been moved back.
      for (const run of runsOf(rows, (row) => (isOfTwo(row) ? row.entityId : trashed.has(row.entityId))))
        await writeRows(tx, step, run, run.some(isOfTwo) ? { mustWrite: true } : { areIndependent: true })
      await forgetMerge(tx, merged)
      for (const id of [merged.fromId, merged.toId])
        await alignRelations(tx, { kind: merged.entityType, id }, contextOf(batch))
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { write: _, ...outcome } = refused(error)
    await transaction(async (tx) => {
      await job.hold(tx, rows.length)
      await records.note(
        tx,
        batch._id,
        rows.map(({ seq }) => ({ seq, ...outcome })),
      )
      afterCommit(tx, publishJobs)
    })
  }
}

/** The ids of the entities that are in the trash. */
async function trashedAmong(tx: Transaction, rows: BatchRow[]): Promise<Set<string>> {
  const trashed = new Set<string>()
  for (const [kind, some] of Map.groupBy(rows, ({ entityType }) => entityType)) {
    const ids = some.map(({ entityId }) => entityId)
    for (const [id, deletedAt] of await linkedRows(tx, kind, ids)) if (deletedAt) trashed.add(id)
  }
  return trashed
}

/** Divides rows into runs of consecutive ones with the same key. */
function runsOf(rows: BatchRow[], keyOf: (row: BatchRow) => unknown): BatchRow[][] {
  const runs: BatchRow[][] = []
  rows.forEach((row, at) => {
    const previous = rows[at - 1]
    if (previous && keyOf(previous) === keyOf(row)) runs.at(-1)?.push(row)
    else runs.push([row])
  })
  return runs
}

/** Writes some entities in one transaction; if that throws a Refusal, writes each in its own transaction. */
async function writeChunk(step: Step, rows: BatchRow[]): Promise<void> {
  try {
    await transaction((tx) => writeRows(tx, step, rows))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const row of rows) await writeOne(step, row)
  }
}

async function writeOne(step: Step, row: BatchRow): Promise<void> {
  try {
    await transaction((tx) => writeRows(tx, step, [row]))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { write: _, ...outcome } = refused(error)
    await transaction(async (tx) => {
      await step.job.hold(tx, 1)
      const results = [{ seq: row.seq, ...outcome }]
      await records.note(tx, row.batch, results)
      await step.plan.noted?.(tx, results)
      afterCommit(tx, publishJobs)
    })
  }
}

/**
 * Writes some entities and their results, under the job's claim, so that no other process writes them too. Throws if one
 * is refused that must be written. Independent ones are planned and written together.
 */
async function writeRows(
  tx: Transaction,
  { job, plan, context }: Step,
  rows: BatchRow[],
  { mustWrite = false, areIndependent = false } = {},
): Promise<void> {
  await job.hold(tx, rows.length)
  const targets = rows.map(targetOf)
  // Before rows are locked: it may wait for other imports, which lock some.
  const planEach = await plan.planOf(tx, rows)
  await lockRows(tx, targets)
  await planEach.ahead?.(tx, targets)
  const results: Result[] = []
  const created: [kind: Kind, New<Document>][] = []
  const writeRow = async (row: BatchRow): Promise<void> => {
    const target = targetOf(row)
    const planned = mustWrite ? planEach(tx, target, context) : plannedResult(planEach, tx, target, context)
    const { write, create, ...outcome } = await planned
    if (create) created.push([row.entityType, create])
    await write?.()
    results.push({ seq: row.seq, ...outcome })
  }
  if (areIndependent) await eachTogether(rows, writeRow)
  else for (const row of rows) await writeRow(row)
  for (const [kind, entities] of Map.groupBy(created, ([each]) => each)) {
    const sizes = entities.map(([, each]) => ({ id: each, bytes: JSON.stringify(each.input).length }))
    for (const some of splitBySize(sizes, MAX_CREATED_BYTES)) await createManyIn(definitionOf(kind), tx, some)
  }
  await records.note(tx, job._id, results)
  await plan.noted?.(tx, results)
  afterCommit(tx, publishJobs)
}

const targetOf = ({ entityType, entityId, seq }: BatchRow): Target => ({ kind: entityType, id: entityId, seq })

function planOf(batch: StoredBatch): BatchPlan {
  const { what, change, rollsBack, reason, username, createdAt } = batch
  if (what === 'import' && importPlan) return importPlan(batch)
  const plan =
    rollsBack === null
      ? // The contract validated it when the batch was started.
        planChange(change as unknown as BulkChange)
      : planRollback(rollsBack, { by: username, reason: reason ?? '', at: createdAt })
  return { planOf: () => plan, aheadBytes: plan.aheadBytes }
}

/** The context of the writes: the user's account, with its permissions at the time of each write. */
function contextOf({ _id, userId, username, total, what, reason }: StoredBatch): WriteContext {
  const actor = inBackground(userId, username)
  const origin = what === 'import' || what === 'rollback' ? { origin: what } : {}
  return { actor, batch: _id, quiet: total >= QUIET_FROM, ...origin, ...(reason !== null && { reason }) }
}

/** Records the end of a batch in the audit log, and notifies its user and the authors of reverted texts. */
async function endBatch(tx: Transaction, id: string, ending: Ending): Promise<void> {
  const batch = await records.row(tx, id)
  if (!batch) return
  const { what, entityType, changed, unchanged, refused: failed, total, rollsBack, reason, userId, username } = batch
  audit.record(tx, {
    action: 'batches.ended',
    outcome: ending === 'failed' ? 'failed' : 'ok',
    actor: { _id: userId, username },
    about: { type: 'Batch', id },
    details: { what, kind: entityType ?? '', ending, total, changed, unchanged, refused: failed, rollsBack, reason },
  })
  if (what === 'rollback') await notifyAuthors(tx, batch)
  if (ending === 'cancelled') return
  const data = {
    what: what === 'rollback' ? what : ('change' as const),
    ...effectOf(batch),
    count: changed,
    failed: total - changed - unchanged,
  }
  notifications.notify(tx, [{ to: userId, kind: 'BATCH_FINISHED', data: { ...data, batch: id } }])
}

function effectOf({ what, change }: StoredBatch): { effect?: (typeof BATCH_EFFECTS)[number] } {
  if (what === 'import') return { effect: what }
  if (change?.delete === true) return { effect: 'delete' }
  return change?.restore === true ? { effect: 'restore' } : {}
}

/** Notifies the authors of texts that a rollback reverted, each once. */
async function notifyAuthors(tx: Transaction, batch: StoredBatch): Promise<void> {
  const taken = []
  for await (const revisions of revisionPages(tx, batch.rollsBack ?? ''))
    taken.push(
      ...(await tx
        .selectFrom('history')
        .select(['entityType', 'entityId', 'language', 'field', 'updatedById'])
        .where(
          inList(
            'revisionId',
            revisions.map(({ _id }) => _id),
          ),
        )
        .where('rolledBackAt', '=', batch.createdAt)
        .where('rolledBackBy', '=', batch.username)
        .orderBy('createdAt', 'desc')
        .orderBy('_id', 'desc')
        .execute()),
    )
  const context: WriteContext = { ...contextOf(batch), reason: batch.reason ?? '' }
  await notifications.notifyRollback(tx, taken, context)
}
