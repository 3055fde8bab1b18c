import * as z from 'zod/mini'
import { MAX_BULK_IDS } from './bulk.ts'
import { BooleanParam, text } from './common.ts'
import { canonical } from './languageTags.ts'
import { SENTENCES } from './faults.ts'
import { kindOf, type KindWith, type PathOf, pathOf } from './kinds.ts'
import { filtersIn } from './lists.ts'
import { get } from './route.ts'

/** A table with a row for each entity, as text or as a workbook, or a line of JSON for each. */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'ndjson'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
} as const satisfies Record<ExportFormat, string>
const FILE_TYPES = Object.values(EXPORT_TYPES)

/** What stands between the members of a list in one cell. */
const LIST_SEPARATOR = ';'

/** A list as the text of a cell: its members with semicolons between them, or as JSON where that would not tell them apart. */
export function listText(list: readonly unknown[]): string {
  const members = list.map(String)
  const isPlain = members.every((each) => each !== '' && each.trim() === each && !/[;\n\r]/.test(each))
  return isPlain && !members[0]?.startsWith('[') ? members.join(LIST_SEPARATOR) : JSON.stringify(list)
}

/** The members of a list that the text of a cell holds. */
export function listIn(cell: string): unknown[] {
  if (cell.startsWith('['))
    try {
      const list: unknown = JSON.parse(cell)
      if (Array.isArray(list)) return list
    } catch {
      // It is a text that begins so.
    }
  return cell
    .split(/[;\n]/)
    .map((each) => each.trim())
    .filter(Boolean)
}

/** So many columns are asked for at most. */
const MAX_COLUMNS = 500
const [LEADING, TRAILING] = [['_id'], ['version', 'createdAt', 'updatedAt']]

/** What a file of entities is asked for with, beside the filters of the list. */
interface ExportOptions {
  format: ExportFormat
  /** The only entities that are in it, separated by commas. */
  ids?: string | undefined
  /** The columns of a table, separated by commas, in their order. */
  columns?: string | undefined
  /** Whether a table begins with a byte order mark, without which some spreadsheets do not read it as Unicode. */
  bom?: boolean | undefined
}
export type ExportQuery = ExportOptions & Record<string, unknown>

type Shape = Record<string, z.ZodMiniType>

/**
 * The file of all entities that the list's filters leave, in the order of ids. The columns of a table are the fields of
 * `input` by their paths: `originalTitle`, `translations.en.title`.
 */
export const entityExport = <Kind extends KindWith<'texts'>, Input extends Shape, Query extends Shape>(
  kind: Kind,
  input: z.ZodMiniObject<Input>,
  query: z.ZodMiniObject<Query>,
) => {
  const few = (limit: number) => (value: string) => value.split(',').length <= limit
  const shape = {
    ...Object.fromEntries(filtersIn(query)),
    format: z.enum(EXPORT_FORMATS),
    ids: z.optional(text(MAX_BULK_IDS * 65).check(z.refine(few(MAX_BULK_IDS), SENTENCES.idsMany))),
    columns: z.optional(
      text(MAX_COLUMNS * 100).check(
        z.refine(few(MAX_COLUMNS), SENTENCES.columnsMany),
        z.refine(
          (value) => value.split(',').every((name) => isColumn(kind, Object.keys(input.shape), name)),
          SENTENCES.columns,
        ),
      ),
    ),
    bom: z.optional(BooleanParam),
  }
  return get(`${pathOf(kind) as PathOf<Kind>}/export`, {
    // Which filters there are is known when it runs.
    query: z.strictObject(shape).check(z.refine(isOneWay, SENTENCES.idsOrFilter)) as unknown as z.ZodMiniType<
      ExportQuery,
      ExportQuery
    >,
    response: z.string(),
    file: FILE_TYPES,
    longAddress: true,
  })
}

/** The call for the file of a kind, where it matters not which kind: see `entityExport`. */
export const exportOf = (kind: KindWith<'texts'>) =>
  get(`${pathOf(kind)}/export`, { query: z.custom<ExportQuery>(), response: z.string(), file: FILE_TYPES })

/** Ids, or filters. */
const isOneWay = ({ ids, format: _, columns: __, bom: ___, ...filters }: Record<string, unknown>): boolean =>
  ids === undefined || Object.values(filters).every((value) => value === undefined)

/** The columns of a table of a kind: its fields, with the texts of each language. */
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
