import type { Document } from '@mokuroku/contract/merge'
import type { Transaction } from '#database/db.ts'
import type { EntityDefinition } from './definition.ts'

/** What an entity was and is: `before` is absent on create and restore, `after` on delete. */
export interface Derivation {
  id: string
  before: Document | undefined
  after: Document | undefined
}

/** Keeps rows that are derived from the entities of every kind, in the transaction of each write. */
export interface Deriver {
  derive(tx: Transaction, definition: EntityDefinition<Document>, changes: Derivation[]): Promise<void>
  /** Deletes what is kept of an entity that is purged. */
  forget?(tx: Transaction, id: string): Promise<void>
}

const derivers: Deriver[] = []

/** Has every write derive something more. Called by stores that stand above this file. */
export const deriveWith = (use: Deriver): void => void derivers.push(use)

/** Derives what follows from writes of one kind. */
export async function deriveRows<Fields extends Document>(
  tx: Transaction,
  definition: EntityDefinition<Fields>,
  changes: Derivation[],
): Promise<void> {
  // A definition is handed the documents of its own kind alone.
  for (const deriver of derivers) await deriver.derive(tx, definition as unknown as EntityDefinition<Document>, changes)
}

export async function forgetRows(tx: Transaction, id: string): Promise<void> {
  for (const deriver of derivers) await deriver.forget?.(tx, id)
}
