import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  type BulkChange,
  type BulkPreview,
  MAX_BATCH_ROWS,
  MAX_PREVIEW_IDS,
  MAX_ROLLBACK_ROWS,
} from '@mokuroku/contract/bulk'
import type { BatchRollbackStart } from '@mokuroku/contract/batches'
import { fieldError } from '@mokuroku/contract/faults'
import type { KindWith } from '@mokuroku/contract/kinds'
import { reasonText } from '@mokuroku/contract/reasons'
import { type Action, type Actor, enforce, enforceAny, checkPermission, type Verdict } from '#access/permissions.ts'
import { transactionAs } from '#access/session.ts'
import { db, transaction } from '#database/db.ts'
import type { RowKey } from '#database/locks.ts'
import { TABLES } from '#database/tables.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { createdBefore, createdEarlier } from '#ledger/idempotency.ts'
import { readMergesAhead } from '#ledger/merges.ts'
import { readAhead } from '#ledger/readAhead.ts'
import { invalid, Refusal } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { lists } from '#store/lists'
import { isUnfinishedState } from '#jobs/work.ts'
import { planChange } from './change.ts'
import { mergeToUndo, planUnmerge } from './merge.ts'
import { planRollback } from './rollback.ts'
import { pagesWrittenBy, records, writtenBy } from './records.ts'
import { type Plan, plannedResult } from './plannedResult.ts'
import { splitTargets } from './splitTargets.ts'

/** Maximum number of entities previewed with one set of queries, and number of owners read at a time. */
const [PREVIEW_SIZE, READ_SIZE] = [200, 500]
/** Number of entities planned before other requests get a turn. */
const PLANNED_SIZE = 20

/** The query of the kind's list. */
type Filter = Parameters<typeof lists.matching>[1]

interface BulkBody {
  ids?: string[] | undefined
  filter?: Filter | undefined
  change: BulkChange
  dryRun: boolean
}

type Started = { batch: string } | BulkPreview

/**
 * Starts a bulk change of a kind as a batch, unless a request with this key has done so before, or previews it. Throws
 * 403 if `actor` may change none of the entities.
 */
export async function startBulk(kind: KindWith<'texts'>, body: BulkBody, actor: Actor, key?: string): Promise<Started> {
  const { ids, filter = {}, change, dryRun } = body
  // By now, the filter may match nothing any more.
  const earlier = await createdEarlier(db, 'Batch', { actor, key })
  if (earlier !== undefined) return { batch: earlier }
  const action: Action = change.delete ? 'delete' : change.restore ? 'restore' : 'edit'
  enforce(checkPermission(actor, action, kind, actor._id))
  const found = ids ?? (change.restore ? await trashed(kind, filter, actor) : await matching(kind, filter))
  if (found.length > MAX_BATCH_ROWS) invalid([fieldError('filter', 'tooMany', { limit: MAX_BATCH_ROWS })])
  const owners = await ownersOf(kind, found)
  const refuse = (caller: Actor): void =>
    enforceAny(owners.map((owner) => checkPermission(caller, action, kind, owner)))
  refuse(actor)
  const targets = found.map((id) => ({ kind, id }))
  if (dryRun) return preview(planChange(change), targets, { actor })
  const stored = change as unknown as Record<string, unknown>
  return {
    batch: await transactionAs(actor, async (tx, current) => {
      refuse(current)
      const id = newId()
      const before = await createdBefore(tx, 'Batch', { actor: current, key }, id)
      return before ?? records.add(tx, { what: 'change', entityType: kind, change: stored }, targets, current, id)
    }),
  }
}

/** The ids that match a filter. */
const matching = (kind: KindWith<'texts'>, filter: Filter) => lists.matching(kind, filter, '', MAX_BATCH_ROWS + 1)

/**
 * The ids in the trash that match a filter: of users who may restore only their own, those of others would tell them
 * what is in there.
 */
async function trashed(kind: KindWith<'texts'>, filter: Filter, actor: Actor): Promise<string[]> {
  const isForAll = checkPermission(actor, 'restore', kind).allowed
  if (!isForAll && filter.createdBy && filter.createdBy !== actor._id) return []
  return lists.trashed(kind, isForAll ? filter : { ...filter, createdBy: actor._id }, MAX_BATCH_ROWS + 1)
}

/**
 * Throws 404 if there is no such batch, or it wrote nothing and `actor` may not see it, and 403 if `actor` may roll
 * back none of it.
 */
export async function authorizeRollback(id: string, actor: Actor): Promise<void> {
  let refusal: Verdict | undefined
  for await (const page of pagesWrittenBy(db, id))
    for (const { entityType, userId } of page) {
      const verdict = checkPermission(actor, 'rollback', entityType, userId)
      if (verdict.allowed) return
      refusal ??= verdict
    }
  if (refusal) enforce(refusal)
  await records.find(id, actor)
}

/** Starts the rollback of a batch as another batch, or previews it. Throws 403 if `actor` may roll back none of it. */
export async function startRollback(id: string, body: BatchRollbackStart, actor: Actor): Promise<Started> {
  const { reason, dryRun } = body
  // Read first: a batch that ends meanwhile may have written more than is found.
  const batch = await records.row(db, id)
  const written = await writtenBy(db, id)
  if (written.length === 0) await records.find(id, actor)
  const writers = new Map(written.map((each) => [`${each.entityType} ${each.userId}`, each]))
  const refuse = (caller: Actor): void =>
    enforceAny(
      [...writers.values()].map(({ entityType, userId }) => checkPermission(caller, 'rollback', entityType, userId)),
    )
  refuse(actor)
  if (written.length > MAX_ROLLBACK_ROWS) invalid([fieldError('batch', 'tooMany', { limit: MAX_ROLLBACK_ROWS })])
  if (isUnfinishedState(batch?.state)) throw new Refusal(409, 'unfinished', reasonText('batchUnfinished'))
  const targets = written.map(({ entityType, entityId }) => ({ kind: entityType, id: entityId }))
  const merged = await mergeToUndo(db, id)
  const as = { by: actor.username, reason, at: now() }
  const plan = merged ? planUnmerge(merged, as) : planRollback(id, as)
  if (dryRun) return preview(plan, targets, { actor, origin: 'rollback', reason })
  return {
    batch: await transactionAs(actor, (tx, current) => {
      refuse(current)
      return records.add(tx, { what: 'rollback', rollsBack: id, reason }, targets, current)
    }),
  }
}

/** The owners of the given entities, as far as those exist. */
async function ownersOf(kind: KindWith<'texts'>, ids: string[]): Promise<(string | null)[]> {
  const owners: (string | null)[] = []
  for (let at = 0; at < ids.length; at += READ_SIZE) {
    const some = ids.slice(at, at + READ_SIZE)
    const rows = await db.selectFrom(TABLES[kind]).select('createdBy').where('_id', 'in', some).execute()
    owners.push(...rows.map(({ createdBy }) => createdBy))
  }
  return owners
}

/** The entities in pages that are planned together. */
async function* pagesOf({ aheadBytes }: Plan, targets: RowKey[]): AsyncGenerator<RowKey[]> {
  for (let at = 0; at < targets.length; at += PREVIEW_SIZE)
    yield* await splitTargets(targets.slice(at, at + PREVIEW_SIZE), aheadBytes)
}

/**
 * Plans the result for each entity, in transactions that neither write nor lock. The data for each chunk is prefetched
 * with a few statements, and other requests get a turn between two chunks.
 */
async function preview(plan: Plan, targets: RowKey[], context: WriteContext): Promise<BulkPreview> {
  const result: BulkPreview = {
    changes: { count: 0, ids: [] },
    unchanged: { count: 0, ids: [] },
    refused: { count: 0, ids: [], reasons: [] },
  }
  for await (const some of pagesOf(plan, targets)) {
    const turns = await transaction(async (tx) => {
      await readAhead(tx, some)
      await readMergesAhead(
        tx,
        some.map(({ id }) => id),
      )
      await plan.ahead?.(tx, some)
      const planned = []
      for (const target of some) {
        planned.push({ id: target.id, ...(await plannedResult(plan, tx, target, context)) })
        // Most plans read nothing more, and so would not pause.
        if (planned.length % PLANNED_SIZE === 0) await yieldToEventLoop()
      }
      return planned
    })
    await yieldToEventLoop()
    for (const { id, outcome, code = '', message = '' } of turns) {
      const part = outcome === 'changed' ? result.changes : result[outcome]
      part.count += 1
      if (part.ids.length >= MAX_PREVIEW_IDS) continue
      part.ids.push(id)
      if (outcome === 'refused') result.refused.reasons.push({ id, code, message })
    }
  }
  return result
}
