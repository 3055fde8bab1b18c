import type { Document } from '@mokuroku/contract/merge'
import { type Transaction, transaction } from '#database/db.ts'
import type { WriteContext, EntityDefinition, Input, New, Row } from './definition.ts'
import { purge } from './purge.ts'
import { register } from './registry.ts'
import { fieldsOf, findRow } from './rows.ts'
import { create, createManyIn, planUpdate, removeIn, restoreIn, updateIn } from './write.ts'

/**
 * The only way to write entities. Every write checks permissions, and stores the entity, its revision, its translation
 * history, links, counters, search texts and activity in one transaction. Registers the kind, and returns the functions
 * of write.ts for it; those ending in `In` run within a transaction of the caller.
 */
export function ledger<Fields extends Document>(definition: EntityDefinition<Fields>) {
  register(definition)
  return {
    create: (input: Input<Fields>, context: WriteContext) => create(definition, input, context),
    createIn: (tx: Transaction, id: string, input: Input<Fields>, context: WriteContext, apart?: Document) =>
      createManyIn(definition, tx, [{ id, input, context, apart }]),
    createManyIn: (tx: Transaction, given: New<Fields>[]) => createManyIn(definition, tx, given),
    update: (id: string, input: Input<Fields>, context: WriteContext, base?: number) =>
      transaction((tx) => updateIn(definition, tx, id, input, context, base)),
    /** Throws what `updateIn` would throw, without writing anything. */
    checkUpdateIn: async (tx: Transaction, id: string, input: Input<Fields>, context: WriteContext, base?: number) => {
      await planUpdate(definition, tx, id, input, context, base)
    },
    updateIn: (
      tx: Transaction,
      id: string,
      input: Input<Fields>,
      context: WriteContext,
      base?: number,
      apart?: Document,
    ) => updateIn(definition, tx, id, input, context, base, apart),
    remove: (id: string, context: WriteContext, base?: number) =>
      transaction((tx) => removeIn(definition, tx, id, context, base)),
    removeIn: (tx: Transaction, id: string, context: WriteContext) => removeIn(definition, tx, id, context),
    restore: (id: string, context: WriteContext) => transaction((tx) => restoreIn(definition, tx, id, context)),
    restoreIn: (tx: Transaction, id: string, context: WriteContext) => restoreIn(definition, tx, id, context),
    purge: (id: string, context: WriteContext, signal?: AbortSignal) => purge(definition.kind, id, context, signal),
    row: (id: string, tx?: Transaction) => findRow(definition, id, tx),
    fieldsOf: (from: Row<Fields>) => fieldsOf(definition, from),
  }
}
