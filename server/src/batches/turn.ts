import type { BatchOutcome } from '@mokuroku/contract/batches'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Transaction } from '#database/db.ts'
import type { RowKey } from '#database/locks.ts'
import type { Tables } from '#database/tables.ts'
import type { Document } from '@mokuroku/contract/merge'
import type { By, New } from '#ledger/definition.ts'
import { Refusal } from '#lib/errors.ts'
import type { Result } from './records.ts'

/** What becomes of one entity when it is its turn. `write` does it, in the transaction in which it was planned. */
export interface Turn {
  outcome: BatchOutcome
  code?: string
  message?: string
  /** The paths that a rollback leaves as others have changed them since. */
  kept?: string[]
  write?: () => Promise<void>
  /** What is created, with all others that are created in the same transaction. */
  create?: New<Document>
}

/** An entity whose turn it is. */
export interface Target extends RowKey {
  /** Its row in the batch; there is none in a preview. */
  seq?: number
}

/** Finds out what becomes of an entity, and writes nothing. Throws a Refusal where it cannot be done. */
export interface Plan {
  (tx: Transaction, target: Target, by: By): Promise<Turn>
  /** Reads what the plans of many entities need, with few statements; their rows are locked, or have been read. */
  ahead?: (tx: Transaction, targets: RowKey[]) => Promise<void>
}

/** What is done to the entities of a batch. */
export interface BatchPlan {
  /** Reads what is to be done to some of them, in the transaction in which they are written. */
  planOf: (tx: Transaction, rows: Tables['batchRows'][]) => Promise<Plan> | Plan
  /** Notes what became of them, in the same transaction. */
  noted?: (tx: Transaction, results: Result[]) => Promise<void>
}

export const UNCHANGED: Turn = { outcome: 'unchanged' }

/** What is in the trash is not written. */
export function refuseDeleted(): never {
  throw new Refusal(409, 'deleted', reasonText('inTrash'))
}

/** The turn of an entity; one that is refused says why. */
export async function turnOf(plan: Plan, tx: Transaction, target: Target, by: By): Promise<Turn> {
  try {
    return await plan(tx, target, by)
  } catch (error) {
    if (error instanceof Refusal) return refused(error)
    throw error
  }
}

/** The turn of an entity that was refused, with the sentence that says most. */
export const refused = ({ code, message, errors = [], more }: Refusal): Turn => ({
  outcome: 'refused',
  code,
  message: typeof more.reason === 'string' ? more.reason : errors.length > 0 ? sentenceOf(errors) : message,
})

const sentenceOf = (errors: { path: string; message: string }[]): string =>
  errors
    .slice(0, 3)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('; ')
