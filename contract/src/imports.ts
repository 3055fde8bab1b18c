import * as z from 'zod/mini'
import { Batch } from './batches.ts'
import { BatchStarted } from './bulk.ts'
import { Moment, page, Pagination, SuccessResponse, text, WholeNumber } from './common.ts'
import { canonical } from './languageTags.ts'
import { SENTENCES } from './faults.ts'
import { kindOf, type Translated, TRANSLATED_KINDS } from './kinds.ts'
import { del, get, post, put } from './route.ts'

/** The limits of an imported file. */
export const MAX_IMPORT_BYTES = 100 * 1024 * 1024
export const MAX_IMPORT_ROWS = 100_000
export const MAX_IMPORT_COLUMNS = 500
/** How long an import is kept, in days, and how many are kept per user. */
export const IMPORT_DAYS = 7
export const MAX_KEPT_IMPORTS = 10

/**
 * `reading`: parsing the file; `checking`: validating its rows; `ready` to be applied; `applying`: a batch writes it;
 * then `done`, `failed` or `cancelled`.
 */
const IMPORT_STATES = ['reading', 'checking', 'ready', 'applying', 'done', 'failed', 'cancelled'] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/** What applying would do with a row. `duplicates`: it is a likely duplicate of an existing entry or an earlier row. */
export const IMPORT_OUTCOMES = ['new', 'changed', 'unchanged', 'refused', 'duplicates'] as const
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number]

/** What the rows of a file are: entities of one kind, or translations of entities of any kind. */
export const IMPORT_TYPES = [...TRANSLATED_KINDS, 'Translation'] as const
export type ImportType = (typeof IMPORT_TYPES)[number]

/** The columns of a translation row: the entity's id, the language, and the texts (`title` also for names). */
export const TRANSLATION_FIELDS = [
  ...new Set([
    '_id',
    'language',
    ...TRANSLATED_KINDS.flatMap((kind) => (kindOf(kind).texts?.fields ?? []).map((field) => columnOf(kind, field))),
  ]),
]

/** The column of a text field: `title` for the field that names an entity, even if its kind calls it differently. */
export function columnOf(kind: Translated, field: string): string {
  return field === kindOf(kind).texts?.title ? 'title' : field
}

/** What an empty cell does to an existing value. */
export const EMPTY_CELLS = ['keep', 'clear'] as const

/** Whether likely duplicates are skipped, or created as separate entries. They never overwrite anything. */
const DUPLICATE_CHOICES = ['skip', 'write'] as const

/** The field of each column, by header: a path such as `translations.en.title`, or null for no field. */
const ImportMapping = z.record(text(1000), z.nullable(text(100)))
export type ImportMapping = Record<string, string | null>

const ImportMappingInput = z.strictObject({
  mapping: ImportMapping.check(
    z.refine((mapping) => Object.keys(mapping).length <= MAX_IMPORT_COLUMNS, SENTENCES.columnsMany),
  ),
  emptyCells: z._default(z.enum(EMPTY_CELLS), 'keep'),
})

/** The maximum number of cells that are corrected at a time, and the maximum length of a corrected cell. */
export const [MAX_CORRECTIONS, MAX_CORRECTED_CHARS] = [500, 100_000]
/** The largest 32-bit integer: PostgreSQL does not even compare its integers with a larger number. */
const MAX_ROW = 2_147_483_647

const Correction = z.strictObject({
  /** The row number in the file, and the header of the column. */
  row: z.int().check(z.gte(1), z.lte(MAX_ROW)),
  header: text(1000),
  text: text(MAX_CORRECTED_CHARS),
})
export type Correction = z.output<typeof Correction>

/** The maximum length of a cell in a page of rows, of which a person reads only the beginning. */
export const MAX_SHOWN_CHARS = 1000

const ImportRow = z.object({
  /** The row number in the file, counted as in a spreadsheet; of NDJSON, the line number. */
  row: WholeNumber,
  /** '' until the row has been checked. */
  outcome: z.enum([...IMPORT_OUTCOMES, '']),
  /** The texts of the cells, by header; a longer one is cut to `MAX_SHOWN_CHARS` characters, of which the last is “…”. */
  cells: z.record(z.string(), z.string()),
  /** Why it is refused, or what it is a likely duplicate of. */
  reason: z.nullable(z.string()),
  /** The validation errors of its cells. */
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
  /** The id of the entry that it matches by `_id` or as a likely duplicate; null if there is none. */
  _id: z.nullable(z.string()),
  /** The kind of that entry. */
  kind: z.nullable(z.enum(TRANSLATED_KINDS)),
  /** The title of that entry, and the number of the earlier row that it likely duplicates. */
  match: z.nullable(z.string()),
  matchRow: z.nullable(WholeNumber),
  /** The changes it would make, by path, as texts. */
  changes: z.array(z.object({ path: z.string(), from: z.string(), to: z.string() })),
})
export type ImportRow = z.output<typeof ImportRow>

const summary = {
  _id: z.string(),
  entityType: z.enum(IMPORT_TYPES),
  filename: z.string(),
  /** Bytes. */
  size: WholeNumber,
  state: z.enum(IMPORT_STATES),
  /** The number of rows checked so far, or written so far while applying; null if nothing is in progress. */
  progress: z.nullable(z.object({ done: WholeNumber, total: WholeNumber })),
  /** The number of checked rows by outcome; once all rows are checked, they add up to `total`. */
  counts: z.object({
    new: WholeNumber,
    changed: WholeNumber,
    unchanged: WholeNumber,
    refused: WholeNumber,
    duplicates: WholeNumber,
  }),
  total: WholeNumber,
  /** Why it failed. */
  reason: z.nullable(z.string()),
  /** The id of the batch that writes it, once it is applied. */
  batch: z.nullable(z.string()),
  createdBy: z.object({ _id: z.string(), username: z.string() }),
  createdAt: Moment,
  expiresAt: Moment,
}

const Import = z.object({
  ...summary,
  /** Counts the changes to its mapping and its cells. */
  version: WholeNumber,
  /** The columns in order: their headers and some sample cells. */
  columns: z.array(z.object({ header: z.string(), samples: z.array(z.string()) })),
  mapping: z.record(z.string(), z.nullable(z.string())),
  emptyCells: z.enum(EMPTY_CELLS),
  /** The fields that a column can be mapped to; texts are listed once per language in use. */
  fields: z.array(z.string()),
})
export type Import = z.output<typeof Import>

const ImportSummary = z.object(summary)
export type ImportSummary = z.output<typeof ImportSummary>

/** With the rollback of the batch that wrote it, as a batch has it. */
const ListedImport = z.extend(ImportSummary, { rollback: Batch.shape.rollback })
export type ListedImport = z.output<typeof ListedImport>

export const ImportQuery = z.strictObject({ ...page(20), outcome: z.optional(z.enum(IMPORT_OUTCOMES)) })

/** Sent once with the current state, then after every change; the stream ends when nothing is in progress. */
const ImportEvent = z.object({ event: z.literal('import'), id: z.string(), data: ImportSummary })
export type ImportEvent = z.output<typeof ImportEvent>

/** Imports are visible to the user who uploaded the file, and to administrators. */
export const importsApi = {
  /** Newest first. */
  list: get('/api/imports', {
    query: z.strictObject(page(20)),
    response: z.object({ data: z.array(ListedImport), pagination: Pagination }),
  }),
  create: post('/api/imports', {
    upload: 'file',
    form: z.object({ entityType: z.enum(IMPORT_TYPES) }),
    response: Import,
    status: 201,
  }),
  /** `rows`: a page of the rows, optionally only those with one outcome. */
  find: get('/api/imports/:id', {
    query: ImportQuery,
    response: z.extend(Import, { rows: z.array(ImportRow), pagination: Pagination }),
  }),
  stream: get('/api/imports/:id/stream', { response: ImportEvent, stream: true }),
  /** Sets the mapping of columns to fields, and checks all rows again. It is remembered by header for later files. */
  map: put('/api/imports/:id/mapping', { body: ImportMappingInput, response: Import, versioned: true }),
  /** Replaces cells, and checks all rows again. */
  correct: put('/api/imports/:id/cells', {
    body: z.strictObject({
      corrections: z.array(Correction).check(z.minLength(1), z.maxLength(MAX_CORRECTIONS)),
    }),
    response: Import,
    versioned: true,
  }),
  /** Writes new and changed rows as a batch; with `write`, also creates likely duplicates as separate entries. */
  apply: post('/api/imports/:id/apply', {
    body: z.strictObject({ duplicates: z._default(z.enum(DUPLICATE_CHOICES), 'skip') }),
    response: BatchStarted,
    status: 202,
  }),
  /** Stops the import. What has been written stays, and can be rolled back. */
  cancel: post('/api/imports/:id/cancel', { response: Import }),
  /** A CSV of the refused rows with their reasons, to be corrected and uploaded again. */
  refused: get('/api/imports/:id/refused', { response: z.string(), file: ['text/csv'] }),
  remove: del('/api/imports/:id', { response: SuccessResponse }),
}

/** The header of the reasons column in the CSV of refused rows; it is mapped to no field. */
export const REASON_HEADER = 'import.reason'

/** Whether a column can be mapped to a path: `_id`, a field, or a text in a language. */
export function isImportField(type: ImportType, fields: readonly string[], path: string): boolean {
  if (type === 'Translation') return TRANSLATION_FIELDS.includes(path)
  if (path === '_id') return true
  const [first = '', tag = '', field = '', ...more] = path.split('.')
  if (first !== 'translations') return tag === '' && fields.includes(path)
  return more.length === 0 && canonical(tag) === tag && (kindOf(type).texts?.fields.includes(field) ?? false)
}
