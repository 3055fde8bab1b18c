import * as z from 'zod/mini'
import { isOneSelection, selectionOf } from './bulk.ts'
import { BooleanParam, distinct, text } from './common.ts'
import { canonical } from './languageTags.ts'
import { SENTENCES } from './faults.ts'
import { kindOf, type KindWith, type PathOf, pathOf } from './kinds.ts'
import { filtersIn } from './lists.ts'
import { get, post } from './route.ts'

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

/** The options of an export, besides the entities that it has. */
interface ExportOptions {
  format: ExportFormat
  /** The columns of a table, in order. */
  columns?: string[] | undefined
  /** Whether a table starts with a byte order mark (BOM), which some spreadsheets need to read it as Unicode. */
  bom?: boolean | undefined
}
export type ExportQuery = ExportOptions & Record<string, unknown>
/** Selects by ids or by filters, not both. */
export type ExportBody = ExportOptions & {
  ids?: string[] | undefined
  filter?: Record<string, unknown> | undefined
}

type Shape = Record<string, z.ZodMiniType>

/**
 * The routes that export entities in the order of ids. The columns of a table are the fields of `input` by their paths:
 * `originalTitle`, `translations.en.title`.
 */
export const entityExports = <Kind extends KindWith<'texts'>, Input extends Shape, Query extends Shape>(
  kind: Kind,
  input: z.ZodMiniObject<Input>,
  query: z.ZodMiniObject<Query>,
) => {
  const path = `${pathOf(kind) as PathOf<Kind>}/export` as const
  const columns = z.array(text(100)).check(
    z.minLength(1),
    z.maxLength(MAX_COLUMNS),
    distinct(),
    z.refine((names) => names.every((name) => isColumn(kind, Object.keys(input.shape), name)), SENTENCES.columns),
  )
  const format = z.enum(EXPORT_FORMATS)
  // The schema is built at runtime, so its type has to be asserted.
  const filtered = z.strictObject({
    ...Object.fromEntries(filtersIn(query)),
    format,
    columns: z.optional(
      z.pipe(
        z.pipe(
          text(MAX_COLUMNS * 100),
          z.transform((names: string) => names.split(',')),
        ),
        columns,
      ),
    ),
    bom: z.optional(BooleanParam),
  }) as unknown as z.ZodMiniType<ExportQuery, Record<string, unknown>>
  const file = { response: z.string(), file: FILE_TYPES }
  return {
    /** All entities that match the list's filters. */
    export: get(path, { ...file, query: filtered }),
    /** The entities that the body selects, whose ids may be too many for a URL. */
    exportSelected: post(path, {
      ...file,
      body: z
        .strictObject({
          ...selectionOf(query),
          format,
          columns: z.optional(columns),
          bom: z._default(z.boolean(), false),
        })
        .check(isOneSelection),
    }),
  }
}

/** The call for selected entities of a kind that is known only at runtime (see `entityExports`). */
export const exportOf = (kind: KindWith<'texts'>) =>
  post(`${pathOf(kind)}/export`, { body: z.custom<ExportBody>(), response: z.string(), file: FILE_TYPES })

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
