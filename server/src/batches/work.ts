import { setImmediate as breath } from 'node:timers/promises'
import type { BulkChange } from '@mokuroku/contract/bulk'
import { newTier } from '@mokuroku/contract/tiers'
import type { Actor } from '#access/permissions.ts'
import { afterCommit, db, transaction, type Transaction } from '#database/db.ts'
import { lockRows, type RowKey } from '#database/locks.ts'
import type { Tables } from '#database/tables.ts'
import { publishJobs } from '#jobs/bell.ts'
import { type Ending, type Job, registerWork } from '#jobs/work.ts'
import type { By } from '#ledger/definition.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow } from '#ledger/rows.ts'
import { Refusal } from '#lib/errors.ts'
import { audit } from '#store/audit'
import { notifications } from '#store/notifications'
import { planChange } from './change.ts'
import { planRollback } from './rollback.ts'
import { BATCH_JOB, records, type StoredBatch } from './records.ts'
import { type Plan, refused, turnOf } from './turn.ts'

/** So many entities are written in one transaction: others wait for milliseconds. */
const CHUNK_SIZE = 20
/** From so many on, the activities name the entities no more one by one. */
const QUIET_FROM = 20

type BatchRow = Tables['batchRows']
interface Step {
  job: Job
  plan: Plan
  by: By
}

registerWork(BATCH_JOB, { run: runBatch, ended: endBatch })

/** Writes what is left of a batch, a few entities at a time, until it is done or stopped. */
async function runBatch(job: Job): Promise<void> {
  const batch = await records.row(db, job._id)
  if (!batch) return
  const step: Step = { job, plan: planOf(batch), by: contextOf(batch) }
  for (let rows = await records.next(job._id, CHUNK_SIZE); rows.length > 0;) {
    if (job.signal.aborted) return
    await writeChunk(step, rows)
    // Calls that came meanwhile are answered first.
    await breath()
    rows = await records.next(job._id, CHUNK_SIZE)
  }
}

/** Writes some entities in one transaction; where one is refused in the middle of it, each in one of its own. */
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
    const { write: _, ...turn } = refused(error)
    await transaction(async (tx) => {
      await step.job.hold(tx, 1)
      await records.note(tx, row.batch, [{ seq: row.seq, ...turn }])
      afterCommit(tx, publishJobs)
    })
  }
}

/** Writes some entities and what became of them. Under the claim of the job, so that no other process writes them too. */
async function writeRows(tx: Transaction, { job, plan, by }: Step, rows: BatchRow[]): Promise<void> {
  await job.hold(tx, rows.length)
  await lockRows(tx, rows.map(targetOf))
  const results = []
  for (const row of rows) {
    const { write, ...turn } = await turnOf(plan, tx, targetOf(row), by)
    await write?.()
    results.push({ seq: row.seq, ...turn })
  }
  await records.note(tx, job._id, results)
  afterCommit(tx, publishJobs)
}

const targetOf = ({ entityType, entityId }: BatchRow): RowKey => ({ kind: entityType, id: entityId })

function planOf({ change, rollsBack, reason, username, createdAt }: StoredBatch): Plan {
  // It was parsed by the contract when the batch was begun.
  if (rollsBack === null) return planChange(change as unknown as BulkChange)
  return planRollback(rollsBack, { by: username, reason: reason ?? '', at: createdAt })
}

/** Who writes it: the account, with the rights that it has when each entity is written. */
function contextOf({ _id, userId, username, total, what, reason }: StoredBatch): By {
  const { permissions } = newTier()
  const actor: Actor = {
    _id: userId,
    username,
    role: 'user',
    scores: 0,
    tier: '',
    permissions,
    session: undefined,
    background: true,
  }
  const origin = what === 'rollback' ? { origin: 'rollback' as const } : {}
  return { actor, batch: _id, quiet: total >= QUIET_FROM, ...origin, ...(reason !== null && { reason }) }
}

/** Records the end of a batch in the audit log, and notifies who began it and whose texts it took back. */
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
    count: changed,
    failed: total - changed - unchanged,
  }
  notifications.notify(tx, [{ to: userId, kind: 'BATCH_FINISHED', data: { ...data, batch: id } }])
}

/** Notifies those whose texts a rollback took back, each once. */
async function notifyAuthors(tx: Transaction, batch: StoredBatch): Promise<void> {
  const taken = await tx
    .selectFrom('history')
    .innerJoin('revisions', 'revisions._id', 'history.revisionId')
    .select(['history.entityType', 'history.entityId', 'history.language', 'history.field', 'history.updatedById'])
    .where('revisions.batch', '=', batch.rollsBack)
    .where('history.rolledBackAt', '=', batch.createdAt)
    .where('history.rolledBackBy', '=', batch.username)
    .execute()
  const by: By = { ...contextOf(batch), reason: batch.reason ?? '' }
  await notifications.notifyRollback(tx, taken, by, async ({ entityType, entityId }) => {
    const definition = definitionOf(entityType)
    const row = await findRow(definition, entityId, tx)
    return row ? definition.title(row) : ''
  })
}
