import * as z from 'zod/mini'
import { BatchStarted } from './bulk.ts'
import { page, SuccessResponse, text } from './common.ts'
import { canonical } from './languageTags.ts'
import { SENTENCES } from './faults.ts'
import { kindOf, type Translated, TRANSLATED_KINDS } from './kinds.ts'
import { del, get, post, put } from './route.ts'

/** What a file of entities may have at most. */
export const MAX_IMPORT_BYTES = 100 * 1024 * 1024
export const MAX_IMPORT_ROWS = 100_000
export const MAX_IMPORT_COLUMNS = 500
/** How long an import is kept, in days, and how many of a user are. */
export const IMPORT_DAYS = 7
export const MAX_KEPT_IMPORTS = 10

/**
 * `reading` the file, `checking` its rows; `ready` to be applied; `applying`, which is a batch; `done`, `failed` or
 * `cancelled`.
 */
export const IMPORT_STATES = ['reading', 'checking', 'ready', 'applying', 'done', 'failed', 'cancelled'] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/** What is to become of a row. `duplicates`: it is probably the same as an entry that there is, or as a row before it. */
export const IMPORT_OUTCOMES = ['new', 'changed', 'unchanged', 'refused', 'duplicates'] as const
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number]

/** What the rows of a file are: entities of a kind, or texts of any of them in a language. */
export const IMPORT_TYPES = [...TRANSLATED_KINDS, 'Translation'] as const
export type ImportType = (typeof IMPORT_TYPES)[number]

/** What a row of texts holds: which entity they are of, in which language, and the texts; `title` is what names it. */
export const TRANSLATION_FIELDS = [
  ...new Set([
    '_id',
    'language',
    ...TRANSLATED_KINDS.flatMap((kind) => (kindOf(kind).texts?.fields ?? []).map((field) => columnOf(kind, field))),
  ]),
]

/** The column that a text of a kind is in: the one that names an entity is `title`, whatever its kind calls it. */
export function columnOf(kind: Translated, field: string): string {
  return field === kindOf(kind).texts?.title ? 'title' : field
}

export const IMPORT_FORMATS = ['csv', 'xlsx', 'ndjson'] as const

/** What an empty cell does to an entry that has a value there. */
export const EMPTY_CELLS = ['keep', 'clear'] as const

/** How likely duplicates are dealt with: left out, or created beside what they are like. They overwrite nothing. */
export const DUPLICATE_CHOICES = ['skip', 'write'] as const

/** The field that each column goes to, by its header: a path such as `translations.en.title`; null for none. */
const ImportMapping = z.record(text(1000), z.nullable(text(100)))
export type ImportMapping = Record<string, string | null>

const ImportMappingInput = z.strictObject({
  mapping: ImportMapping.check(
    z.refine((mapping) => Object.keys(mapping).length <= MAX_IMPORT_COLUMNS, SENTENCES.columnsMany),
  ),
  emptyCells: z._default(z.enum(EMPTY_CELLS), 'keep'),
})

const ImportRow = z.object({
  /** Where it is in the file, as a spreadsheet numbers its rows. */
  row: z.number(),
  /** '' until it is checked. */
  outcome: z.enum([...IMPORT_OUTCOMES, '']),
  /** The texts of its cells by header. */
  cells: z.record(z.string(), z.string()),
  /** Why it is refused, or what it is probably the same as. */
  reason: z.nullable(z.string()),
  /** What is wrong with its cells, one by one. */
  errors: z.array(
    z.object({
      path: z.string(),
      message: z.string(),
      code: z.optional(z.string()),
      params: z.optional(
        z.object({
          limit: z.optional(z.number()),
          values: z.optional(z.array(z.string())),
          kind: z.optional(z.string()),
          id: z.optional(z.string()),
        }),
      ),
    }),
  ),
  /** The entry that it matches, by its `_id` or as a likely duplicate; null where there is none. */
  _id: z.nullable(z.string()),
  /** The kind of that entry. */
  kind: z.nullable(z.enum(TRANSLATED_KINDS)),
  /** The title of that entry, and the earlier row that it is a likely duplicate of. */
  match: z.nullable(z.string()),
  matchRow: z.nullable(z.number()),
  /** What would change, by path, as texts. */
  changes: z.array(z.object({ path: z.string(), from: z.string(), to: z.string() })),
})
export type ImportRow = z.output<typeof ImportRow>

const summary = {
  _id: z.string(),
  entityType: z.enum(IMPORT_TYPES),
  filename: z.string(),
  /** Bytes. */
  size: z.number(),
  state: z.enum(IMPORT_STATES),
  /** How many rows are checked, or written while it is applied; null where nothing is under way. */
  progress: z.nullable(z.object({ done: z.number(), total: z.number() })),
  /** Of all rows, so far as they are checked: together they are all rows. */
  counts: z.object({
    new: z.number(),
    changed: z.number(),
    unchanged: z.number(),
    refused: z.number(),
    duplicates: z.number(),
  }),
  total: z.number(),
  /** Why it failed. */
  reason: z.nullable(z.string()),
  /** What writes it, once it is applied. */
  batch: z.nullable(z.string()),
  createdBy: z.object({ _id: z.string(), username: z.string() }),
  createdAt: z.string(),
  expiresAt: z.string(),
}

const Import = z.object({
  ...summary,
  /** The headers in the order of the columns, each with some of its cells. */
  columns: z.array(z.object({ header: z.string(), samples: z.array(z.string()) })),
  mapping: z.record(z.string(), z.nullable(z.string())),
  emptyCells: z.enum(EMPTY_CELLS),
  /** The fields that a column can go to: texts are there once for each language in use. */
  fields: z.array(z.string()),
})
export type Import = z.output<typeof Import>

const ImportSummary = z.object(summary)
export type ImportSummary = z.output<typeof ImportSummary>

const Pagination = z.object({ total: z.number(), page: z.number(), limit: z.number() })

export const ImportQuery = z.strictObject({ ...page(20), outcome: z.optional(z.enum(IMPORT_OUTCOMES)) })

/** Comes first as the import is, and then whenever it has changed; the stream ends when nothing is under way. */
const ImportEvent = z.object({ event: z.literal('import'), id: z.string(), data: ImportSummary })
export type ImportEvent = z.output<typeof ImportEvent>

/** Files of entities, of whoever sent them: nobody else but administrators sees them. */
export const importsApi = {
  /** Newest first. */
  list: get('/api/imports', {
    query: z.strictObject(page(20)),
    response: z.object({ data: z.array(ImportSummary), pagination: Pagination }),
  }),
  /** Takes a file in `file`, and in the field `entityType` what its rows are. */
  create: post('/api/imports', { upload: 'file', response: Import, status: 201 }),
  /** `rows`: a page of them, of one outcome or all. */
  find: get('/api/imports/:id', {
    query: ImportQuery,
    response: z.extend(Import, { rows: z.array(ImportRow), pagination: Pagination }),
  }),
  stream: get('/api/imports/:id/stream', { response: ImportEvent, stream: true }),
  /** Says which column is which field, and checks all rows anew. It is remembered for the next file, by header. */
  map: put('/api/imports/:id/mapping', { body: ImportMappingInput, response: Import }),
  /** Writes the new and the changed rows as a batch, and with `write` the likely duplicates as entries of their own. */
  apply: post('/api/imports/:id/apply', {
    body: z.strictObject({ duplicates: z._default(z.enum(DUPLICATE_CHOICES), 'skip') }),
    response: BatchStarted,
    status: 202,
  }),
  /** Stops what is under way: what is written stays, and can be rolled back. */
  cancel: post('/api/imports/:id/cancel', { response: Import }),
  /** A table of the rows that are refused, each with its reason: it can be corrected, and sent again. */
  refused: get('/api/imports/:id/refused', { response: z.string(), file: ['text/csv'] }),
  remove: del('/api/imports/:id', { response: SuccessResponse }),
}

/** The column of the reasons in the table of refused rows; no field. */
export const REASON_HEADER = 'import.reason'

/** Whether a path is one that a column can go to: `_id`, a field, or a text of a language. */
export function isImportField(type: ImportType, fields: readonly string[], path: string): boolean {
  if (type === 'Translation') return TRANSLATION_FIELDS.includes(path)
  if (path === '_id') return true
  const [first = '', tag = '', field = '', ...more] = path.split('.')
  if (first !== 'translations') return tag === '' && fields.includes(path)
  return more.length === 0 && canonical(tag) === tag && (kindOf(type).texts?.fields.includes(field) ?? false)
}
