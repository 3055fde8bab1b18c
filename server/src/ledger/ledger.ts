import type { Document } from '@mokuroku/contract/merge'
import { type Transaction, transaction } from '#database/db.ts'
import type { By, EntityDefinition, Input, New, Row } from './definition.ts'
import { purge } from './purge.ts'
import { register } from './registry.ts'
import { fieldsOf, findRow } from './rows.ts'
import { create, createManyIn, removeIn, restoreIn, updateIn } from './write.ts'

/**
 * The only way to write entities. Every write checks permissions, and stores the entity, its revision, its translation
 * history, links, counters, search texts and activity in one transaction. Registers the kind, and returns the functions
 * of write.ts for it; those ending in `In` run within a transaction of the caller.
 */
export function ledger<Fields extends Document>(definition: EntityDefinition<Fields>) {
  register(definition)
  return {
    create: (input: Input<Fields>, by: By) => create(definition, input, by),
    createIn: (tx: Transaction, id: string, input: Input<Fields>, by: By, apart?: Document) =>
      createManyIn(definition, tx, [{ id, input, by, apart }]),
    createManyIn: (tx: Transaction, given: New<Fields>[]) => createManyIn(definition, tx, given),
    update: (id: string, input: Input<Fields>, by: By, base?: number) =>
      transaction((tx) => updateIn(definition, tx, id, input, by, base)),
    updateIn: (tx: Transaction, id: string, input: Input<Fields>, by: By, base?: number, apart?: Document) =>
      updateIn(definition, tx, id, input, by, base, apart),
    remove: (id: string, by: By, base?: number) => transaction((tx) => removeIn(definition, tx, id, by, base)),
    removeIn: (tx: Transaction, id: string, by: By, base?: number) => removeIn(definition, tx, id, by, base),
    restore: (id: string, by: By) => transaction((tx) => restoreIn(definition, tx, id, by)),
    restoreIn: (tx: Transaction, id: string, by: By) => restoreIn(definition, tx, id, by),
    purge: (id: string, by: By, signal?: AbortSignal) => purge(definition.kind, id, by, signal),
    row: (id: string, tx?: Transaction) => findRow(definition, id, tx),
    fieldsOf: (from: Row<Fields>) => fieldsOf(definition, from),
  }
}
