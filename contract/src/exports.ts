import * as z from 'zod/mini'
import { MAX_BULK_IDS } from './bulk.ts'
import { BooleanParam, text } from './common.ts'
import { canonical } from './languageTags.ts'
import { SENTENCES } from './faults.ts'
import { kindOf, type KindWith, type PathOf, pathOf } from './kinds.ts'
import { filtersIn } from './lists.ts'
import { get } from './route.ts'

/** A table with one row per entity (CSV or an Excel workbook), or one line of JSON per entity. */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'ndjson'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
} as const satisfies Record<ExportFormat, string>
const FILE_TYPES = Object.values(EXPORT_TYPES)

/** The separator of list items in a cell. */
const LIST_SEPARATOR = ';'

/** A list as the text of a cell: its items separated by semicolons, or as JSON where that would be ambiguous. */
export function listText(list: readonly unknown[]): string {
  const members = list.map(String)
  const isPlain = members.every((each) => each !== '' && each.trim() === each && !/[;\n\r]/.test(each))
  return isPlain && !members[0]?.startsWith('[') ? members.join(LIST_SEPARATOR) : JSON.stringify(list)
}

/** The items of a list from the text of a cell: JSON, or items separated by semicolons or newlines. */
export function listIn(cell: string): unknown[] {
  if (cell.startsWith('['))
    try {
      const list: unknown = JSON.parse(cell)
      if (Array.isArray(list)) return list
    } catch {
      // Not JSON: the text merely starts with a bracket.
    }
  return cell
    .split(/[;\n]/)
    .map((each) => each.trim())
    .filter(Boolean)
}

/** The maximum number of columns in one request. */
const MAX_COLUMNS = 500
const [LEADING, TRAILING] = [['_id'], ['version', 'createdAt', 'updatedAt']]

/** The options of an export, besides the filters of the list. */
interface ExportOptions {
  format: ExportFormat
  /** Exports only these entities: ids separated by commas. */
  ids?: string | undefined
  /** The columns of a table in order, separated by commas. */
  columns?: string | undefined
  /** Whether a table starts with a byte order mark (BOM), which some spreadsheets need to read it as Unicode. */
  bom?: boolean | undefined
}
export type ExportQuery = ExportOptions & Record<string, unknown>

type Shape = Record<string, z.ZodMiniType>

/**
 * The route that exports all entities matching the list's filters, in the order of ids. The columns of a table are the
 * fields of `input` by their paths: `originalTitle`, `translations.en.title`.
 */
export const entityExport = <Kind extends KindWith<'texts'>, Input extends Shape, Query extends Shape>(
  kind: Kind,
  input: z.ZodMiniObject<Input>,
  query: z.ZodMiniObject<Query>,
) => {
  const hasAtMost = (limit: number) => (value: string) => value.split(',').length <= limit
  const shape = {
    ...Object.fromEntries(filtersIn(query)),
    format: z.enum(EXPORT_FORMATS),
    ids: z.optional(text(MAX_BULK_IDS * 65).check(z.refine(hasAtMost(MAX_BULK_IDS), SENTENCES.idsMany))),
    columns: z.optional(
      text(MAX_COLUMNS * 100).check(
        z.refine(hasAtMost(MAX_COLUMNS), SENTENCES.columnsMany),
        z.refine(
          (value) => value.split(',').every((name) => isColumn(kind, Object.keys(input.shape), name)),
          SENTENCES.columns,
        ),
      ),
    ),
    bom: z.optional(BooleanParam),
  }
  return get(`${pathOf(kind) as PathOf<Kind>}/export`, {
    // The schema is built at runtime, so its type has to be asserted.
    query: z.strictObject(shape).check(z.refine(isOneWay, SENTENCES.idsOrFilter)) as unknown as z.ZodMiniType<
      ExportQuery,
      ExportQuery
    >,
    response: z.string(),
    file: FILE_TYPES,
    longAddress: true,
  })
}

/** The export route of a kind that is known only at runtime (see `entityExport`). */
export const exportOf = (kind: KindWith<'texts'>) =>
  get(`${pathOf(kind)}/export`, { query: z.custom<ExportQuery>(), response: z.string(), file: FILE_TYPES })

/** Whether entities are selected by ids or by filters, not both. */
const isOneWay = ({ ids, format: _, columns: __, bom: ___, ...filters }: Record<string, unknown>): boolean =>
  ids === undefined || Object.values(filters).every((value) => value === undefined)

/** The columns of a table of a kind: its fields, with one column per text and language. */
export const exportColumns = (kind: KindWith<'texts'>, fields: readonly string[], languages: string[]): string[] => [
  ...LEADING,
  ...fields.flatMap((name) =>
    name === 'translations'
      ? languages.flatMap((tag) => textsOf(kind).map((field) => `translations.${tag}.${field}`))
      : [name],
  ),
  ...TRAILING,
]

function isColumn(kind: KindWith<'texts'>, fields: string[], name: string): boolean {
  const [first = '', tag = '', field = '', ...more] = name.split('.')
  if (first !== 'translations') return tag === '' && [...LEADING, ...fields, ...TRAILING].includes(name)
  return more.length === 0 && canonical(tag) === tag && textsOf(kind).includes(field)
}

const textsOf = (kind: KindWith<'texts'>): readonly string[] => kindOf(kind).texts?.fields ?? []
