// Plans what to do with the rows of a file, with queries for many rows at once, and without writing.
import { MAX_DAYS_APART } from '@mokuroku/contract/findings/duplicate'
import { fieldError } from '@mokuroku/contract/faults'
import type { FieldError } from '@mokuroku/contract/call'
import { lineOf, toFieldErrors } from '@mokuroku/contract/issues'
import type { Translated } from '@mokuroku/contract/kinds'
import { changedPaths, type Document, getPath } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import { type Actor, checkPermission } from '#access/permissions.ts'
import { db, type Reader } from '#database/db.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import { cellText } from '#ledger/cells.ts'
import type { Row } from '#ledger/definition.ts'
import { overlay } from '#ledger/fields.ts'
import { growthFaults, isTooLarge, SIZE_FAULT } from '#ledger/limits.ts'
import { mergedAmong } from '#ledger/merges.ts'
import { definitionOf } from '#ledger/registry.ts'
import { fieldsOf } from '#ledger/rows.ts'
import { entitiesLike, likelyKeys } from '#ledger/titleKeys.ts'
import { newId } from '#lib/ids.ts'
import { turns } from '#lib/turns.ts'
import { inputOf } from './cells.ts'
import { linkerOf } from './links.ts'
import {
  type Context,
  type Draft,
  draftsOf,
  type FileRow,
  type Import,
  linkCellsOf,
  readCells,
  readingOf,
} from './readCells.ts'

export type RowPlan = Omit<Tables['importPlans'], 'import'>
export type RowKey = Omit<Tables['importKeys'], 'import'>

const NOTHING: Pick<
  RowPlan,
  'entityType' | 'entityId' | 'matchId' | 'matchLine' | 'version' | 'input' | 'changes' | 'reason' | 'errors'
> = {
  entityType: null,
  entityId: null,
  matchId: null,
  matchLine: null,
  version: null,
  input: null,
  changes: [],
  reason: null,
  errors: null,
}
/** Maximum number of errors reported for a row. */
const MAX_ERRORS = 10
/** How many characters of a text are shown in a change. */
const SHOWN_CHARS = 2000

/**
 * Plans rows of an import with the actor's permissions. Returns the plans, and keys to detect likely duplicates of
 * these rows among later ones.
 */
export async function planRows(
  given: Import,
  kind: Translated,
  rows: FileRow[],
  actor: Actor,
): Promise<{ plans: RowPlan[]; keys: RowKey[] }> {
  const drafts = draftsOf(given, rows)
  const definition = definitionOf(kind)
  const ids = [...new Set(drafts.map(({ id }) => id).filter(Boolean))]
  const [entities, earlier] = [await entitiesOf(kind, ids), await earlierLines(given._id, ids)]
  for (const draft of drafts) draft.existing = entities.get(draft.id)
  const link = await linkerOf(drafts.flatMap((draft) => linkCellsOf(definition, draft)))
  const trashed = await trashReasons(db, [...entities.values()])
  const context: Context = { kind, definition, actor, link, trashed, ...readingOf(given) }
  const plan = (draft: Draft): RowPlan => {
    const { id, row } = draft
    const line = earlier.get(id)
    if (id === '') return planNew(context, draft)
    if (line !== undefined) return refusedId(row, reasonText('rowTwice', { row: line }), id)
    const changed = planChanged(context, draft)
    if (changed.entityId !== null) earlier.set(id, row.line)
    return changed
  }
  const planned: RowPlan[] = []
  const turn = turns()
  for (const draft of drafts) {
    planned.push(plan(draft))
    await turn()
  }
  return { plans: planned, keys: await markDuplicates(given, kind, rows, planned) }
}

/** A refused row, and the entity that it names, if there is one. */
export const refusedRow = ({ seq }: FileRow, reason: string, id: string | null = null): RowPlan => ({
  ...NOTHING,
  seq,
  outcome: 'refused',
  entityId: id,
  matchId: id,
  reason,
})

/** A row refused because of its `_id`: that of the entry `id`, if there is one. */
export const refusedId = (row: FileRow, reason: string, id: string | null = null): RowPlan => ({
  ...refusedRow(row, reason, id),
  errors: [{ path: '_id', message: reason }],
})

/** A row refused because of its cells: the first faults as a sentence, and more of them one by one. */
export const faultyRow = (row: FileRow, faults: FieldError[], matchId: string | null = null): RowPlan => ({
  ...refusedRow(row, faults.slice(0, 3).map(lineOf).join('; '), matchId),
  errors: faults.slice(0, MAX_ERRORS),
})

export async function entitiesOf(kind: Translated, ids: string[]): Promise<Map<string, Row<Document>>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom(TABLES[kind]).selectAll().where('_id', 'in', ids).execute()
  return new Map(rows.map((row) => [row._id, row]))
}

/** The reasons why those of some entities that are in the trash cannot be changed, by id. */
export async function trashReasons(
  from: Reader,
  rows: Pick<Row<Document>, '_id' | 'deletedAt'>[],
): Promise<Map<string, string>> {
  const ids = rows.filter(({ deletedAt }) => deletedAt).map(({ _id }) => _id)
  const merged = await mergedAmong(from, ids)
  return new Map(ids.map((id) => [id, reasonText(merged.has(id) ? 'mergedTrash' : 'inTrash')]))
}

/** The planned rows of an import that name one of these entities, last first: a Map then keeps the first of several. */
export const rowsNaming = (id: string, ids: string[]) =>
  db
    .selectFrom('importPlans')
    .innerJoin('importRows', (join) =>
      join.onRef('importRows.import', '=', 'importPlans.import').onRef('importRows.seq', '=', 'importPlans.seq'),
    )
    .where('importPlans.import', '=', id)
    .where('importPlans.entityId', 'in', ids)
    .orderBy('importPlans.seq', 'desc')

/** The line numbers of earlier rows that name one of these ids. */
async function earlierLines(id: string, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await rowsNaming(id, ids).select(['importPlans.entityId', 'importRows.line']).execute()
  return new Map(rows.map(({ entityId, line }) => [entityId ?? '', line]))
}

export function planChanged(context: Context, draft: Draft): RowPlan {
  const { row, existing, id } = draft
  if (row.fault !== null) return refusedRow(row, row.fault)
  if (!existing) return refusedId(row, reasonText('rowUnknown'))
  const { kind, definition, actor, trashed } = context
  const reason = trashed.get(id)
  if (reason !== undefined) return refusedId(row, reason, id)
  const before = fieldsOf(definition, existing)
  const { values, faults } = readCells(context, draft, before)
  if (faults.length > 0) return faultyRow(row, faults, id)
  const after = overlay(kind, before, values)
  const paths = changedPaths(before, after)
  if (paths.length === 0) return { ...NOTHING, seq: row.seq, outcome: 'unchanged', entityId: id, matchId: id }
  const grown = growthFaults(definition, before, after)
  if (isTooLarge(before, after)) grown.push(SIZE_FAULT)
  if (grown.length > 0) return faultyRow(row, grown, id)
  const verdict = checkPermission(actor, 'edit', kind, existing.createdBy)
  if (!verdict.allowed) return refusedRow(row, verdict.reason, id)
  const fields = new Set(paths.map((path) => path.split('.')[0] ?? path))
  return {
    ...NOTHING,
    seq: row.seq,
    outcome: 'changed',
    entityId: id,
    matchId: id,
    version: existing.version,
    input: Object.fromEntries(Object.entries(values).filter(([name]) => fields.has(name))),
    changes: paths
      // Leave out empty texts that a new language has beside the given one.
      .filter((path) => cellText(getPath(before, path)) !== cellText(getPath(after, path)))
      .map((path) => ({ path, from: shown(getPath(before, path)), to: shown(getPath(after, path)) })),
  }
}

const shown = (value: unknown): string => cellText(value).slice(0, SHOWN_CHARS).toWellFormed()

function planNew(context: Context, draft: Draft): RowPlan {
  const { row } = draft
  if (row.fault !== null) return refusedRow(row, row.fault)
  const { kind, definition, actor } = context
  // A new entry has nothing to clear: its fields get their defaults.
  const { values, faults } = readCells({ ...context, clears: false }, draft, {})
  const document = { ...definition.empty, ...values }
  const parsed = inputOf(kind).safeParse(document)
  if (!parsed.success) {
    const own = toFieldErrors(parsed.error, document, 3)
    faults.push(...own.filter(({ path }) => !faults.some((fault) => fault.path.split('.')[0] === path.split('.')[0])))
  } else if (definition.title(parsed.data).trim() === '') faults.push(fieldError('translations', 'noTitle'))
  else if (isTooLarge(undefined, parsed.data)) faults.push(SIZE_FAULT)
  if (faults.length > 0 || !parsed.success) return faultyRow(row, faults)
  const verdict = checkPermission(actor, 'create', kind)
  if (!verdict.allowed) return refusedRow(row, verdict.reason)
  return { ...NOTHING, seq: row.seq, outcome: 'new', entityId: newId(), input: parsed.data }
}

/** Marks new rows as likely duplicates of an existing entity or of an earlier row. */
async function markDuplicates(given: Import, kind: Translated, rows: FileRow[], plans: RowPlan[]): Promise<RowKey[]> {
  const lines = new Map(rows.map(({ seq, line }) => [seq, line]))
  const fresh: { plan: RowPlan; keys: ReturnType<typeof likelyKeys> }[] = []
  const turn = turns()
  for (const plan of plans) {
    if (plan.outcome === 'new') fresh.push({ plan, keys: likelyKeys(kind, plan.input ?? {}) })
    await turn()
  }
  const keys = [...new Set(fresh.flatMap((each) => each.keys.map(({ key }) => key)))]
  const entities = Map.groupBy(await entitiesLike(db, keys), ({ key }) => key)
  const before = Map.groupBy(await earlierKeys(given._id, keys), ({ key }) => key)
  const added: RowKey[] = []
  for (const { plan, keys: own } of fresh) {
    const [entity, line] = [nearest(own, entities)?.entityId ?? null, nearest(own, before)?.line ?? null]
    if (entity !== null || line !== null)
      Object.assign(plan, { outcome: 'duplicates', matchId: entity, matchLine: entity === null ? line : null })
    else
      for (const each of own) {
        const key = { ...each, line: lines.get(plan.seq) ?? 0 }
        added.push(key)
        before.set(key.key, [...(before.get(key.key) ?? []), key])
      }
  }
  return added
}

/** The first of some rows, by key, that is near to one of these keys. */
export const nearest = <Each extends { day: number }>(
  keys: ReturnType<typeof likelyKeys>,
  rows: Map<string, Each[]>,
): Each | undefined =>
  keys.flatMap(({ key, day }) => (rows.get(key) ?? []).filter((each) => Math.abs(each.day - day) <= MAX_DAYS_APART))[0]

async function earlierKeys(id: string, keys: string[]): Promise<RowKey[]> {
  if (keys.length === 0) return []
  return db
    .selectFrom('importKeys')
    .select(({ fn }) => ['key', 'day', fn.min('line').as('line')])
    .where('import', '=', id)
    .where('key', 'in', keys)
    .groupBy(['key', 'day'])
    .execute()
}
