import type { BulkChange } from '@mokuroku/contract/bulk'
import { idsIn } from '#ledger/fields.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow } from '#ledger/rows.ts'
import { planRemove, planRestore, planUpdate, writeRemove, writeRestore, writeUpdate } from '#ledger/write.ts'
import { type Plan, refuseDeleted, UNCHANGED } from './turn.ts'

/** Plans a change of many entities for each of them. */
export const planChange = (change: BulkChange): Plan =>
  change.delete ? planDelete : change.restore ? planRestoring : planSet(change)

const planDelete: Plan = async (tx, { kind, id }, by) => {
  const definition = definitionOf(kind)
  if ((await findRow(definition, id, tx))?.deletedAt) return UNCHANGED
  const current = await planRemove(definition, tx, id, by)
  return { outcome: 'changed', write: () => writeRemove(definition, tx, current, by) }
}

const planRestoring: Plan = async (tx, { kind, id }, by) => {
  const definition = definitionOf(kind)
  const planned = await planRestore(definition, tx, id, by)
  return planned ? { outcome: 'changed', write: () => writeRestore(definition, tx, planned, by) } : UNCHANGED
}

const planSet =
  ({ set, addTags = [], removeTags = [] }: BulkChange): Plan =>
  async (tx, { kind, id }, by) => {
    const definition = definitionOf(kind)
    const row = await findRow(definition, id, tx)
    if (row?.deletedAt) refuseDeleted()
    const tags = row ? idsIn(row, 'tags').filter((tag) => !removeTags.includes(tag)) : []
    const added = addTags.filter((tag) => !tags.includes(tag))
    const hasTags = addTags.length + removeTags.length > 0
    const input = { ...set, ...(hasTags && { tags: [...tags, ...added] }) }
    const planned = await planUpdate(definition, tx, id, input, by)
    return planned ? { outcome: 'changed', write: () => writeUpdate(definition, tx, planned, by) } : UNCHANGED
  }
