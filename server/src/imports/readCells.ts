// Assigns the cells of a row to the fields of an entity, and parses them.
import type { FieldError } from '@mokuroku/contract/call'
import { listIn } from '@mokuroku/contract/exports'
import { fieldError } from '@mokuroku/contract/faults'
import type { Kind, Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Actor } from '#access/permissions.ts'
import type { Tables } from '#database/tables.ts'
import { cellText, valueAt } from '#ledger/cells.ts'
import type { EntityDefinition, Row } from '#ledger/definition.ts'
import { idsIn, linkFields } from '#ledger/fields.ts'
import { emptyTexts } from '#ledger/texts.ts'
import { unescapeFormula } from '#lib/csv.ts'
import { isCut, isError, NO_RESULT, numberText, sheetCell } from '#lib/sheetCell.ts'
import { emptyOf, formOf, isDay, isUnclear, parseField, schemaOf, valueOf, withoutNul } from './cells.ts'
import type { LinkCell, Linker } from './links.ts'

export type Import = Tables['imports']
export type FileRow = Tables['importRows']

/** A row with its texts assigned to field paths. */
export interface Draft {
  row: FileRow
  id: string
  texts: [path: string, text: string][]
  /** The paths whose cells are numbers of a workbook, and so clear. */
  numbers: ReadonlySet<string>
  existing?: Row<Document> | undefined
}

export interface Context {
  kind: Translated
  /** The reasons why entities in the trash cannot be changed, by id. */
  trashed: ReadonlyMap<string, string>
  definition: EntityDefinition<Document>
  actor: Actor
  link: Linker
  clears: boolean
  /** Whether the cells are those of a table, which a spreadsheet may have written. */
  isTable: boolean
  /** The separator of a text table; ';' for a workbook with numbers as texts; '' for other formats. */
  separator: string
}

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

export function linkCellsOf(definition: EntityDefinition<Document>, { texts, existing }: Draft): LinkCell[] {
  const links = new Map(linkFields(definition))
  return texts.flatMap(([path, text]) => {
    const kind = links.get(path)
    return kind && text.trim() !== '' ? [linkCell(kind, path, text, existing)] : []
  })
}

const linkCell = (kind: Kind, path: string, text: string, existing: Document | undefined): LinkCell => ({
  kind,
  path,
  text,
  linked: existing ? idsIn(existing, path) : [],
})

/** Parses the cells of a row into field values and faults; `before` has the current values. */
export function readCells(
  context: Context,
  draft: Draft,
  before: Document,
): { values: Document; faults: FieldError[] } {
  const { kind, definition, clears } = context
  const links = new Map(linkFields(definition))
  const values: Document = {}
  const faults: FieldError[] = []
  const given: Texts = {}
  for (const [path, cell] of draft.texts) {
    const [field = '', language = '', name = ''] = path.split('.')
    const schema = schemaOf(kind, field)
    if (!schema) continue
    const { text, isQuoted } = unquoted(context, cell)
    if (isEmpty(field, text) && !clears) continue
    if (isExported(text, valueAt(before, path))) continue
    const damage = damageOf(context, path, text, isQuoted)
    if (damage) faults.push(damage)
    else if (field === 'translations') given[language] = { ...given[language], [name]: text }
    else {
      const read = readField(context, draft, { field, text, schema, target: links.get(field) }, before)
      faults.push(...read.faults)
      if (read.faults.length === 0) values[field] = read.value
    }
  }
  if (Object.keys(given).length > 0) {
    const read = readTexts(kind, given, before)
    faults.push(...read.faults)
    values.translations = read.value
  }
  return { values, faults }
}

const isEmpty = (field: string, text: string): boolean => (field === 'translations' ? text === '' : text.trim() === '')

/** An apostrophe in front of an error value makes it text, as in a spreadsheet. */
function unquoted({ isTable }: Context, cell: string): { text: string; isQuoted: boolean } {
  const isQuoted = isTable && cell.startsWith("'") && isError(cell.slice(1))
  return { text: isQuoted ? cell.slice(1) : cell, isQuoted }
}

/** Whether a cell is what an export has for the value, which then stays as it is. */
function isExported(cell: string, value: unknown): boolean {
  const text = cellText(value)
  if (cell === text) return true
  if (typeof value === 'number') return cell === numberText(value)
  return isCut(cell) && cell === unescapeFormula(sheetCell(text))
}

/** Why a cell cannot be read as its author sees it: it was cut, or is an error of a spreadsheet. */
function damageOf({ isTable }: Context, path: string, text: string, isQuoted: boolean): FieldError | undefined {
  // Of a text that was edited, the rest is unknown.
  if (isCut(text)) return fieldError(path, 'cellCut')
  if (!isTable || isQuoted) return undefined
  if (text === NO_RESULT) return { path, message: reasonText('cellFormula') }
  return isError(text) ? { path, message: reasonText('cellError') } : undefined
}

type Read = ReturnType<typeof parseField>

/** The cell of a field other than the texts; `target` is the kind that it links to. */
interface FieldCell {
  field: string
  text: string
  schema: NonNullable<ReturnType<typeof schemaOf>>
  target: Kind | undefined
}

function readField(context: Context, draft: Draft, cell: FieldCell, before: Document): Read {
  const { field, text, schema } = cell
  const form = formOf(schema)
  const refused = (reason: Parameters<typeof reasonText>[0]): Read => ({
    faults: [{ path: field, message: reasonText(reason) }],
  })
  if (form.type === 'number' && !draft.numbers.has(field) && isUnclear(text, context.separator))
    return refused('numberUnclear')
  const given = valueIn(context, draft, cell, form)
  if ('fault' in given) return { faults: [given.fault] }
  const { value } = given
  // A date without a time is no change if it is the date of the current moment.
  const isDate = form.format === 'datetime'
  if (isDate && isDay(text) && String(value).slice(0, 10) === String(before[field]).slice(0, 10))
    return { value: before[field], faults: [] }
  const parsed = parseField(schema, field, value)
  if (parsed.faults.length === 0) return parsed
  // Unlike the field, a cell needs no time, and has a number as text.
  if (isDate) return { faults: [fieldError(field, 'day')] }
  return form.type === 'number' && typeof value === 'string' ? refused('decimal') : parsed
}

/** What a cell says, before it is validated: a value, or a list or link of entities. */
function valueIn(
  { link }: Context,
  { existing }: Draft,
  { field, text, target }: FieldCell,
  form: ReturnType<typeof formOf>,
): { value: unknown } | { fault: FieldError } {
  if (isEmpty(field, text)) return { value: emptyOf(form) }
  if (!target) return { value: form.type === 'array' ? listIn(text) : valueOf(text, form) }
  const linked = link(linkCell(target, field, text, existing))
  if ('fault' in linked) return linked
  const { ids } = linked
  return { value: form.type === 'array' ? ids : ids.length === 1 ? ids[0] : text }
}

/** Texts by language and name. */
type Texts = Record<string, Record<string, string>>

/** All texts of an entity, with the given ones. */
function readTexts(kind: Translated, given: Texts, before: Document): Read {
  const blank = emptyTexts(kind)
  const there = (before.translations ?? {}) as Record<string, Document>
  const changed = Object.fromEntries(
    Object.entries(given).map(([language, some]) => [language, { ...blank, ...there[language], ...some }]),
  )
  const schema = schemaOf(kind, 'translations')
  const { value, faults } = schema ? parseField(schema, 'translations', changed) : { value: changed, faults: [] }
  return { value: { ...there, ...(value as Document | undefined) }, faults }
}
