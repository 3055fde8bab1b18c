import type { BatchOutcome } from '@mokuroku/contract/batches'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Transaction } from '#database/db.ts'
import type { RowKey } from '#database/locks.ts'
import type { By } from '#ledger/definition.ts'
import { Refusal } from '#lib/errors.ts'

/** What becomes of one entity when it is its turn. `write` does it, in the transaction in which it was planned. */
export interface Turn {
  outcome: BatchOutcome
  code?: string
  message?: string
  /** The paths that a rollback leaves as others have changed them since. */
  kept?: string[]
  write?: () => Promise<void>
}

/** Finds out what becomes of an entity, and writes nothing. Throws a Refusal where it cannot be done. */
export type Plan = (tx: Transaction, target: RowKey, by: By) => Promise<Turn>

export const UNCHANGED: Turn = { outcome: 'unchanged' }

/** What is in the trash is not written. */
export function refuseDeleted(): never {
  throw new Refusal(409, 'deleted', reasonText('inTrash'))
}

/** The turn of an entity; one that is refused says why. */
export async function turnOf(plan: Plan, tx: Transaction, target: RowKey, by: By): Promise<Turn> {
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
