import { kindOf, type Kind } from '@mokuroku/contract/kinds'
import { changedPaths, type Document, merge } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import { enforce, may } from '#access/permissions.ts'
import { actorNow } from '#access/session.ts'
import { isClearable } from '#database/columns.ts'
import type { Transaction } from '#database/db.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import type { By, EntityDefinition, Row } from '#ledger/definition.ts'
import { withoutGone } from '#ledger/links.ts'
import { snapshotAt } from '#ledger/record.ts'
import { definitionOf } from '#ledger/registry.ts'
import { fieldsOf, findRow } from '#ledger/rows.ts'
import { planRemove, planRestore, planUpdate, removeIn, restoreIn, updateIn } from '#ledger/write.ts'
import { notFound } from '#lib/errors.ts'
import { history, type Rollback } from '#store/history'
import { type Plan, refuseDeleted, UNCHANGED } from './turn.ts'

type Revision = Pick<Tables['revisions'], '_id' | 'version' | 'action' | 'userId' | 'snapshot'>

const KEPT = reasonText('changedSince')

/** An entity as it was before the batch, but for what others did since: `kept` names that. */
interface Before {
  fields: Document
  isDeleted: boolean
  kept: string[]
}

/** Plans, for each entity that a batch wrote, what takes it back; `as` marks the texts that are. */
export const planRollback =
  (batch: string, as: Rollback): Plan =>
  async (tx, { kind, id }, given) => {
    const definition = definitionOf(kind)
    const revisions = await revisionsOf(tx, batch, id)
    enforce(may(await actorNow(tx, given.actor), 'rollback', kind, revisions[0]?.userId))
    const row = await findRow(definition, id, tx)
    if (!row || revisions.length === 0) return notFound(kind)
    const before = await stateBefore(tx, definition, row, revisions)
    const by: By = { ...given, verdict: { allowed: true } }
    const write = await planWrite(tx, definition, row, before, by)
    const { kept } = before
    if (!write && kept.length === 0) return UNCHANGED
    if (!write) return { outcome: 'refused', code: 'changed', message: KEPT, kept }
    const marked = async () => {
      await write()
      await markHistory(tx, revisions, kept, as)
    }
    return { outcome: 'changed', write: marked, ...(kept.length > 0 && { code: 'changed', message: KEPT, kept }) }
  }

/** What the batch wrote of an entity, newest first. */
const revisionsOf = (tx: Transaction, batch: string, id: string): Promise<Revision[]> =>
  tx
    .selectFrom('revisions')
    .select(['_id', 'version', 'action', 'userId', 'snapshot'])
    .where('batch', '=', batch)
    .where('entityId', '=', id)
    .orderBy('version', 'desc')
    .execute()

/** Takes the revisions back one by one, newest first, each merged with what is there. */
async function stateBefore(
  tx: Transaction,
  definition: EntityDefinition<Document>,
  row: Row<Document>,
  revisions: Revision[],
): Promise<Before> {
  const state: Before = { fields: fieldsOf(definition, row), isDeleted: row.deletedAt !== null, kept: [] }
  const isUntouched = row.version === revisions[0]?.version
  for (const { action, version, snapshot } of revisions)
    if (action === 'delete') state.isDeleted = false
    else if (action === 'update') {
      const earlier = await snapshotAt(tx, row._id, version - 1)
      if (!earlier) return notFound(definition.kind)
      const { merged, kept } = mergeBack(definition, snapshot, earlier, state.fields)
      state.fields = merged
      state.kept.push(...kept)
    } else if (isUntouched) state.isDeleted = true
    // What was created or restored, and is in use since, stays.
    else if (!state.isDeleted) state.kept.push('deletedAt')
  return state
}

/** Merges a revision's opposite into what is there. Fields that say one thing together are kept together. */
function mergeBack(
  { kind, together = [] }: EntityDefinition<Document>,
  written: Document,
  earlier: Document,
  there: Document,
): { merged: Document; kept: string[] } {
  const { merged, conflicts } = merge(written, earlier, there)
  if (!conflicts.some((path) => together.includes(path))) return { merged: complete(kind, merged), kept: conflicts }
  for (const name of together) merged[name] = there[name]
  return { merged: complete(kind, merged), kept: [...new Set([...conflicts, ...together])] }
}

/** Gives each language all of its texts: of one that is half taken back, the other half is there. */
function complete(kind: Kind, fields: Document): Document {
  const names = kindOf(kind).texts?.fields
  if (!names) return fields
  const blank = Object.fromEntries(names.map((name) => [name, '']))
  const texts = Object.entries(fields.translations as Record<string, Document>)
  return { ...fields, translations: Object.fromEntries(texts.map(([tag, given]) => [tag, { ...blank, ...given }])) }
}

/** What makes the entity as it was; undefined when it is. Throws where that is refused. */
async function planWrite(
  tx: Transaction,
  definition: EntityDefinition<Document>,
  row: Row<Document>,
  { fields, isDeleted }: Before,
  by: By,
): Promise<(() => Promise<void>) | undefined> {
  const { _id: id } = row
  const now = fieldsOf(definition, row)
  const isChanged = changedPaths(now, fields).length > 0
  if (isDeleted && !row.deletedAt) {
    await planRemove(definition, tx, id, by)
    return () => removeIn(definition, tx, id, by)
  }
  if (isDeleted && isChanged) refuseDeleted()
  const update = async () => inputOf(definition, now, await withoutGone(tx, definition, fields))
  if (row.deletedAt && !isDeleted) {
    await planRestore(definition, tx, id, by)
    return async () => {
      await restoreIn(definition, tx, id, by)
      if (isChanged) await updateIn(definition, tx, id, await update(), by)
    }
  }
  if (!isChanged) return undefined
  const input = await update()
  const planned = await planUpdate(definition, tx, id, input, by)
  return planned && (() => updateIn(definition, tx, id, input, by))
}

/** The fields as an input: what is to be absent is named, since what an input leaves out stays. */
function inputOf({ kind }: EntityDefinition<Document>, now: Document, after: Document): Document {
  const absent = Object.keys(now).filter((name) => !(name in after) && isClearable(TABLES[kind], name))
  return { ...Object.fromEntries(absent.map((name) => [name, null])), ...after }
}

/** Marks the texts that were taken back in the history of translations. */
async function markHistory(tx: Transaction, revisions: Revision[], kept: string[], as: Rollback): Promise<void> {
  const entries = await tx
    .selectFrom('history')
    .select(['_id', 'language', 'field'])
    .where(
      'revisionId',
      'in',
      revisions.map(({ _id }) => _id),
    )
    .where('isRolledBack', '=', false)
    .execute()
  const taken = entries.filter(({ language, field }) => !kept.includes(`translations.${language}.${field}`))
  await history.mark(
    tx,
    taken.map(({ _id }) => _id),
    as,
  )
}
