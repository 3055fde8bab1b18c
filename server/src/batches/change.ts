import type { BulkChange } from '@mokuroku/contract/bulk'
import type { Transaction } from '#database/db.ts'
import type { RowKey } from '#database/locks.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { idsIn } from '#ledger/fields.ts'
import { refuseMerged } from '#ledger/merges.ts'
import { readLinksAhead, rowsAhead } from '#ledger/readAhead.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow } from '#ledger/rows.ts'
import { planRemove, planRestore, planUpdate, writeRemove, writeRestore, writeUpdate } from '#ledger/write.ts'
import { type Plan, refuseDeleted, type PlannedResult, UNCHANGED } from './plannedResult.ts'

/** Returns a plan that applies a bulk change to each entity. */
export const planChange = (change: BulkChange): Plan =>
  change.delete ? planDelete : change.restore ? planRestoration : planSet(change)

const planDelete: Plan = async (tx, { kind, id }, context) => {
  const definition = definitionOf(kind)
  if ((await findRow(definition, id, tx))?.deletedAt) return UNCHANGED
  const current = await planRemove(definition, tx, id, context)
  return { outcome: 'changed', write: () => writeRemove(definition, tx, current, context) }
}

/** Prefetches the link targets of entities to be restored. */
async function linksAhead(tx: Transaction, targets: RowKey[]): Promise<void> {
  for (const [kind, some] of Map.groupBy(targets, (target) => target.kind))
    await readLinksAhead(tx, definitionOf(kind), rowsAhead(tx, some))
}

const planRestoration: Plan = Object.assign(
  async (tx: Transaction, { kind, id }: RowKey, context: WriteContext): Promise<PlannedResult> => {
    const definition = definitionOf(kind)
    const planned = await planRestore(definition, tx, id, context)
    return planned ? { outcome: 'changed', write: () => writeRestore(definition, tx, planned, context) } : UNCHANGED
  },
  { ahead: linksAhead },
)

const planSet =
  ({ set, addTags = [], removeTags = [] }: BulkChange): Plan =>
  async (tx, { kind, id }, context) => {
    const definition = definitionOf(kind)
    const row = await findRow(definition, id, tx)
    if (row?.deletedAt) {
      await refuseMerged(tx, id, 'mergedTrash')
      refuseDeleted()
    }
    const tags = row ? idsIn(row, 'tags').filter((tag) => !removeTags.includes(tag)) : []
    const added = addTags.filter((tag) => !tags.includes(tag))
    const hasTags = addTags.length + removeTags.length > 0
    const input = { ...set, ...(hasTags && { tags: [...tags, ...added] }) }
    const planned = await planUpdate(definition, tx, id, input, context)
    return planned ? { outcome: 'changed', write: () => writeUpdate(definition, tx, planned, context) } : UNCHANGED
  }
