import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { EXPORT_TYPES, type ExportBody, type ExportQuery, exportColumns } from '@mokuroku/contract/exports'
import { kinds, type Translated } from '@mokuroku/contract/kinds'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Document } from '@mokuroku/contract/merge'
import type { Actor } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { takeSlot } from '#database/slots.ts'
import { TABLES } from '#database/tables.ts'
import type { TextFile } from '#http/serve.ts'
import type { Row } from '#ledger/definition.ts'
import { cellOf } from '#ledger/cells.ts'
import { pagesBySize } from '#ledger/pages.ts'
import { definitionOf } from '#ledger/registry.ts'
import { BYTE_ORDER_MARK, csvLine } from '#lib/csv.ts'
import { Refusal } from '#lib/errors.ts'
import { machineFault } from '#lib/faults.ts'
import { now } from '#lib/clock.ts'
import { sheetCell } from '#lib/sheetCell.ts'
import { languages } from '#store/languages'
import { lists } from '#store/lists'

/** Number of entities listed at a time. Fewer are read at a time if they are large (`pagesBySize`). */
const PAGE_SIZE = 500
/** How many exports one user may have running, on all servers together. */
const MAX_OPEN = 2

type Filter = Parameters<typeof lists.matching>[1]
type Entity = Row<Document>

export const exports = {
  /**
   * Exports the selected entities of a kind, reading them as the file is sent. Throws 429 if the user has too many
   * exports running.
   */
  file: async (
    kind: Translated,
    { format, columns, bom, ids, filter = {} }: ExportBody,
    actor: Actor,
  ): Promise<TextFile> => {
    // Loaded on demand.
    const workbook = format === 'xlsx' ? await import('./workbook.ts') : undefined
    const running = await begin(actor._id)
    const pages = (): AsyncGenerator<Entity[]> => entitiesOf(kind, filter, running.signal, ids)
    const filename = `${kinds[kind].plural}-${now().slice(0, 10)}.${format}`
    const getColumns = async () => columns ?? (await columnsOf(kind, pages()))
    const parts =
      workbook?.workbookOf(sheetOf(getColumns, pages())) ??
      (format === 'csv' ? tableOf(getColumns, pages(), bom === true) : linesOf(kind, pages()))
    return { filename, type: EXPORT_TYPES[format], parts, done: () => running.abort() }
  },
}

/** The handlers of the export calls of a kind. */
export const exportHandlers = (kind: Translated) => ({
  export: ({ query, actor }: { query: ExportQuery; actor: Actor }) => {
    const { format, columns, bom, ...filter } = query
    return exports.file(kind, { format, columns, bom, filter }, actor)
  },
  exportSelected: ({ body, actor }: { body: ExportBody; actor: Actor }) => exports.file(kind, body, actor),
})

/** While nothing can be written, as on a full disk, exports are read without being counted. */
function uncounted(error: unknown): () => void {
  if (machineFault(error)) return () => undefined
  throw error
}

/** Counts an export as running until it is aborted. Throws 429 if too many are. */
async function begin(userId: string): Promise<AbortController> {
  const leave = await takeSlot(`exports ${userId}`, MAX_OPEN).catch(uncounted)
  if (!leave) throw new Refusal(429, 'exports', reasonText('exportsOpen'))
  const running = new AbortController()
  running.signal.addEventListener('abort', leave)
  return running
}

/**
 * Pages of entities in the order of their ids, until `signal` aborts. Each page shows its entities as they are when it
 * is read.
 */
async function* entitiesOf(
  kind: Translated,
  filter: Filter,
  signal: AbortSignal,
  asked?: string[],
): AsyncGenerator<Entity[]> {
  const among = asked && [...new Set(asked)].toSorted()
  for (let after = '', at = 0; !signal.aborted; at += PAGE_SIZE) {
    const ids = among ? among.slice(at, at + PAGE_SIZE) : await lists.matching(kind, filter, after, PAGE_SIZE)
    if (ids.length === 0) return
    for (const some of await pagesBySize(db, kind, ids)) {
      yield await db
        .selectFrom(TABLES[kind])
        .selectAll()
        .where(inList('_id', some))
        .where('deletedAt', 'is', null)
        .orderBy('_id')
        .execute()
      // Let waiting requests run in between, since SQLite reads block the process.
      await yieldToEventLoop()
      if (signal.aborted) return
    }
    after = ids.at(-1) ?? ''
  }
}

async function* tableOf(
  getColumns: () => Promise<string[]>,
  pages: AsyncIterable<Entity[]>,
  bom: boolean,
): AsyncGenerator<string> {
  const columns = await getColumns()
  yield (bom ? BYTE_ORDER_MARK : '') + csvLine(columns)
  for await (const entities of pages)
    yield entities.map((entity) => csvLine(columns.map((column) => cellOf(entity, column)))).join('')
}

/** Pages of rows, starting with the headers. Numbers become number cells. */
async function* sheetOf(getColumns: () => Promise<string[]>, pages: AsyncIterable<Entity[]>) {
  const columns = await getColumns()
  yield [columns]
  for await (const entities of pages)
    yield entities.map((entity) =>
      columns.map((column) => {
        const value = entity[column as never]
        return typeof value === 'number' ? value : sheetCell(cellOf(entity, column))
      }),
    )
}

/** One line of JSON for each entity, with its fields as in the API. */
async function* linesOf(kind: Translated, pages: AsyncIterable<Entity[]>): AsyncGenerator<string> {
  const { fields } = definitionOf(kind)
  for await (const entities of pages)
    yield entities
      .map((entity) => {
        const { _id, version, createdAt, updatedAt } = entity
        const own = fields.map((name) => [name, entity[name as never]])
        return `${JSON.stringify({ _id, ...Object.fromEntries(own), version, createdAt, updatedAt })}\n`
      })
      .join('')
}

/**
 * The columns for all data of the given entities: their fields, with texts in the wanted languages, in those that have
 * any title or name of this kind, and in those used by these entities. Reads the entities once.
 */
async function columnsOf(kind: Translated, pages: AsyncIterable<Entity[]>): Promise<string[]> {
  const rows = await languages.list()
  const known = new Set(rows.filter((row) => row.wanted || row[kind].filled > 0).map(({ tag }) => tag))
  const others = new Set<string>()
  for await (const entities of pages)
    for (const { translations } of entities)
      for (const tag of Object.keys(translations as Document)) if (!known.has(tag)) others.add(tag)
  return exportColumns(kind, definitionOf(kind).fields, [...known, ...[...others].toSorted()])
}
