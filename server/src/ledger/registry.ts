import type { Transaction } from '#database/db.ts'
import type { By } from './definition.ts'
import type { Kind, Meta } from '#database/tables.ts'
import type { Traces } from './footprint.ts'

/** What the ledger of one kind does for those of others, and for what deletes for good (ledger/purge.ts). */
export interface Keeper {
  /** Another entity took this one into its list, or gave it up; `asks` whether who did it may edit this one. */
  reflect(
    tx: Transaction,
    id: string,
    field: string,
    change: { add?: string; drop?: string },
    by: By,
    asks: boolean,
  ): Promise<void>
  /** Moves an entity to the trash unless it is there. */
  discard(tx: Transaction, id: string, by: By): Promise<void>
  /** From here on an entity in the trash cannot be restored. False when it is not in the trash. */
  expire(tx: Transaction, id: string, by: By): Promise<boolean>
  /** Takes away the row of an entity in the trash. False when it is not there. */
  erase(tx: Transaction, id: string, by: By): Promise<boolean>
  /** What is nothing without an entity, and goes with it: so many of them. */
  dependents(tx: Transaction, id: string, limit: number): Promise<{ kind: Kind; _id: string }[]>
  /** What a row of this kind should have left elsewhere. */
  traces(row: Meta): Traces
}

const keepers = new Map<Kind, Keeper>()

export const register = (kind: Kind, keeper: Keeper): void => void keepers.set(kind, keeper)

/** Throws for a kind whose store nothing has imported. */
export function keeperOf(kind: Kind): Keeper {
  const keeper = keepers.get(kind)
  if (!keeper) throw new Error(`Nothing keeps ${kind}`)
  return keeper
}
