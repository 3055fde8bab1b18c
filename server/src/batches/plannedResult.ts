import type { BatchOutcome } from '@mokuroku/contract/batches'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Reader, Transaction } from '#database/db.ts'
import type { RowKey } from '#database/locks.ts'
import type { Tables } from '#database/tables.ts'
import type { Document } from '@mokuroku/contract/merge'
import type { WriteContext, New } from '#ledger/definition.ts'
import { Refusal } from '#lib/errors.ts'
import type { Result } from './records.ts'

/** The planned result for one entity. `write` carries it out, in the transaction in which it was planned. */
export interface PlannedResult {
  outcome: BatchOutcome
  code?: string
  message?: string
  /** Paths that a rollback leaves unchanged, because they were changed later. */
  kept?: string[]
  write?: () => Promise<unknown>
  /** An entity to create, together with all others created in the same transaction. */
  create?: New<Document>
}

/** An entity to process. */
export interface Target extends RowKey {
  /** Its row in the batch; absent in a preview. */
  seq?: number
}

/** Plans the result for an entity, without writing. Throws a Refusal if it is not possible. */
export interface Plan {
  (tx: Transaction, target: Target, context: WriteContext): Promise<PlannedResult>
  /** Prefetches data for the plans of many entities, with few statements; their rows are locked, or have been read. */
  ahead?: (tx: Transaction, targets: RowKey[]) => Promise<void>
  /** The size of what `ahead` reads of each entity, by id, in bytes. */
  aheadBytes?: (from: Reader, ids: string[]) => Promise<Map<string, number>>
}

/** What a batch does to its entities. */
export interface BatchPlan {
  /** Returns the plan for some rows, in the transaction in which they are written. */
  planOf: (tx: Transaction, rows: Tables['batchRows'][]) => Promise<Plan> | Plan
  /** Called with their results, in the same transaction. */
  noted?: (tx: Transaction, results: Result[]) => Promise<void>
  /** The size of what is read for each entity to plan and write it, beside its texts: by id, in bytes. */
  aheadBytes?: Plan['aheadBytes']
}

export const UNCHANGED: PlannedResult = { outcome: 'unchanged' }

/** Throws a 409, since entities in the trash are not written. */
export function refuseDeleted(): never {
  throw new Refusal(409, 'deleted', reasonText('inTrash'))
}

/** The planned result for an entity; a Refusal becomes a refused result. */
export async function plannedResult(
  plan: Plan,
  tx: Transaction,
  target: Target,
  context: WriteContext,
): Promise<PlannedResult> {
  try {
    return await plan(tx, target, context)
  } catch (error) {
    if (error instanceof Refusal) return refused(error)
    throw error
  }
}

/** A refused result, with the most specific message. */
export const refused = ({ code, message, errors = [], more }: Refusal): PlannedResult => ({
  outcome: 'refused',
  code,
  message: typeof more.reason === 'string' ? more.reason : errors.length > 0 ? sentenceOf(errors) : message,
})

const sentenceOf = (errors: { path: string; message: string }[]): string =>
  errors
    .slice(0, 3)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('; ')
