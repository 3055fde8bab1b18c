// Plans what to do with the rows of a file, with queries for many rows at once, and without writing.
import { MAX_DAYS_APART } from '@mokuroku/contract/findings/duplicate'
import { listIn } from '@mokuroku/contract/exports'
import { fieldError } from '@mokuroku/contract/faults'
import type { FieldError } from '@mokuroku/contract/call'
import { lineOf, toFieldErrors } from '@mokuroku/contract/issues'
import type { Kind, Translated } from '@mokuroku/contract/kinds'
import { changedPaths, type Document, getPath } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import { type Actor, checkPermission } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import { cellText, valueAt } from '#ledger/cells.ts'
import type { EntityDefinition, Row } from '#ledger/definition.ts'
import { idsIn, linkFields, overlay } from '#ledger/fields.ts'
import { growthFaults, isTooLarge, SIZE_FAULT } from '#ledger/limits.ts'
import { definitionOf } from '#ledger/registry.ts'
import { fieldsOf } from '#ledger/rows.ts'
import { entitiesLike, likelyKeys } from '#ledger/titleKeys.ts'
import { unescapeFormula } from '#lib/csv.ts'
import { newId } from '#lib/ids.ts'
import { turns } from '#lib/turns.ts'
import { isCut, isError, NO_RESULT, numberText, sheetCell } from '#lib/sheetCell.ts'
import { emptyTexts } from '#ledger/texts.ts'
import { emptyOf, formOf, inputOf, isDay, isUnclear, parseField, schemaOf, valueOf, withoutNul } from './cells.ts'
import { type LinkCell, type Linker, linkerOf } from './links.ts'

export type Import = Tables['imports']
export type RowPlan = Omit<Tables['importPlans'], 'import'>
export type RowKey = Omit<Tables['importKeys'], 'import'>
export type FileRow = Tables['importRows']
type Entity = Row<Document>

/** A row with its texts assigned to field paths. */
export interface Draft {
  row: FileRow
  id: string
  texts: [path: string, text: string][]
  /** The paths whose cells are numbers of a workbook, and so clear. */
  numbers: ReadonlySet<string>
  existing?: Entity | undefined
}

export interface Context {
  kind: Translated
  definition: EntityDefinition<Document>
  actor: Actor
  link: Linker
  clears: boolean
  /** Whether the cells are those of a table, which a spreadsheet may have written. */
  isTable: boolean
  /** The separator of a text table; ';' for a workbook with numbers as texts; '' for other formats. */
  separator: string
}

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
  const context: Context = { kind, definition, actor, link, ...readingOf(given) }
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

export function draftsOf({ columns, mapping, isGuarded }: Import, rows: FileRow[]): Draft[] {
  const mapped = columns.flatMap(({ header }, at) => {
    const path = mapping[header]
    return path ? [{ path, at }] : []
  })
  return rows.map((row) => {
    const all = mapped.map(({ path, at }): [string, string] => {
      const cell = row.cells[at] ?? ''
      return [path, isGuarded ? unescapeFormula(cell) : cell]
    })
    const id = withoutNul(all.find(([path]) => path === '_id')?.[1] ?? '').trim()
    const numbers = new Set(mapped.flatMap(({ path, at }) => (row.numbers?.includes(at) ? [path] : [])))
    return { row, id, texts: all.filter(([path]) => path !== '_id'), numbers }
  })
}

/** How the cells of an import are read. */
export const readingOf = ({
  emptyCells,
  isGuarded,
  separator,
}: Import): Pick<Context, 'clears' | 'isTable' | 'separator'> => ({
  clears: emptyCells === 'clear',
  isTable: isGuarded,
  separator,
})

export async function entitiesOf(kind: Translated, ids: string[]): Promise<Map<string, Entity>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom(TABLES[kind]).selectAll().where('_id', 'in', ids).execute()
  return new Map(rows.map((row) => [row._id, row]))
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

function linkCellsOf(definition: EntityDefinition<Document>, { texts, existing }: Draft): LinkCell[] {
  const links = new Map(linkFields(definition))
  return texts.flatMap(([path, text]) => {
    const kind = links.get(path)
    return kind && text.trim() !== '' ? [cellOf(kind, path, text, existing)] : []
  })
}

const cellOf = (kind: Kind, path: string, text: string, existing: Document | undefined): LinkCell => ({
  kind,
  path,
  text,
  linked: existing ? idsIn(existing, path) : [],
})

/** Parses the cells of a row into field values and faults; `before` has the current values. */
function readCells(
  context: Context,
  { texts, numbers, existing }: Draft,
  before: Document,
): { values: Document; faults: FieldError[] } {
  const { kind, definition, link, clears, isTable, separator } = context
  const links = new Map(linkFields(definition))
  const values: Document = {}
  const faults: FieldError[] = []
  const given: Record<string, Record<string, string>> = {}
  for (const [path, cell] of texts) {
    // An apostrophe in front makes it text, as in a spreadsheet.
    const isQuoted = isTable && cell.startsWith("'") && isError(cell.slice(1))
    const text = isQuoted ? cell.slice(1) : cell
    const [field = '', language = '', name = ''] = path.split('.')
    const schema = schemaOf(kind, field)
    if (!schema) continue
    const isEmpty = field === 'translations' ? text === '' : text.trim() === ''
    if (isEmpty && !clears) continue
    if (isExported(text, valueAt(before, path))) continue
    if (isCut(text)) {
      // Of a text that was edited, the rest is unknown.
      faults.push(fieldError(path, 'cellCut'))
      continue
    }
    if (isTable && !isQuoted && (isError(text) || text === NO_RESULT)) {
      faults.push({ path, message: reasonText(text === NO_RESULT ? 'cellFormula' : 'cellError') })
      continue
    }
    if (field === 'translations') {
      given[language] = { ...given[language], [name]: text }
      continue
    }
    const form = formOf(schema)
    if (form.type === 'number' && !numbers.has(path) && isUnclear(text, separator)) {
      faults.push({ path, message: reasonText('numberUnclear') })
      continue
    }
    const target = links.get(field)
    let value = isEmpty ? emptyOf(form) : valueOf(text, form)
    if (form.type === 'array' && !target && !isEmpty) value = listIn(text)
    if (target && !isEmpty) {
      const linked = link(cellOf(target, path, text, existing))
      if ('fault' in linked) {
        faults.push(linked.fault)
        continue
      }
      value = form.type === 'array' ? linked.ids : linked.ids.length === 1 ? linked.ids[0] : text
    }
    // A date without a time is no change if it is the date of the current moment.
    if (form.format === 'datetime' && isDay(text) && String(value).slice(0, 10) === String(before[field]).slice(0, 10))
      continue
    const parsed = parseField(schema, path, value)
    if (parsed.faults.length === 0) values[field] = parsed.value
    // Unlike the field, a cell needs no time, and has a number as text.
    else if (form.format === 'datetime') faults.push(fieldError(path, 'day'))
    else if (form.type === 'number' && typeof value === 'string') faults.push({ path, message: reasonText('decimal') })
    else faults.push(...parsed.faults)
  }
  if (Object.keys(given).length > 0) {
    const blank = emptyTexts(kind)
    const there = (before.translations ?? {}) as Record<string, Document>
    const changed = Object.fromEntries(
      Object.entries(given).map(([language, some]) => [language, { ...blank, ...there[language], ...some }]),
    )
    const schema = schemaOf(kind, 'translations')
    const parsed = schema ? parseField(schema, 'translations', changed) : { value: changed, faults: [] }
    faults.push(...parsed.faults)
    values.translations = { ...there, ...(parsed.value as Document | undefined) }
  }
  return { values, faults }
}

/** Whether a cell is what an export has for the value, which then stays as it is. */
function isExported(cell: string, value: unknown): boolean {
  const text = cellText(value)
  if (cell === text) return true
  if (typeof value === 'number') return cell === numberText(value)
  return isCut(cell) && cell === unescapeFormula(sheetCell(text))
}

export function planChanged(context: Context, draft: Draft): RowPlan {
  const { row, existing, id } = draft
  if (row.fault !== null) return refusedRow(row, row.fault)
  if (!existing) return refusedId(row, reasonText('rowUnknown'))
  if (existing.deletedAt) return refusedId(row, reasonText('inTrash'), id)
  const { kind, definition, actor } = context
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
    const near = <Each extends { day: number }>(some: Map<string, Each[]>): Each | undefined =>
      own.flatMap(({ key, day }) =>
        (some.get(key) ?? []).filter((each) => Math.abs(each.day - day) <= MAX_DAYS_APART),
      )[0]
    const [entity, line] = [near(entities)?.entityId ?? null, near(before)?.line ?? null]
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
