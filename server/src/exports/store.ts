import { type ExportQuery, exportColumns, LIST_SEPARATOR } from '@mokuroku/contract/exports'
import { kinds, type Translated } from '@mokuroku/contract/kinds'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Document } from '@mokuroku/contract/merge'
import type { Actor } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import { TABLES } from '#database/tables.ts'
import type { Row } from '#ledger/definition.ts'
import { definitionOf } from '#ledger/registry.ts'
import { BYTE_ORDER_MARK, csvLine } from '#lib/csv.ts'
import { Refusal } from '#lib/errors.ts'
import { now } from '#lib/ids.ts'
import { languages } from '#store/languages'
import { lists } from '#store/lists'

/** So many entities are read at a time: a file of any length takes the memory of so many. */
const PAGE_SIZE = 500
/** How many files one user may take at a time from one process. */
const MAX_OPEN = 2

type Filter = Parameters<typeof lists.matching>[1]
type Entity = Row<Document>

const open = new Map<string, number>()

export const exports = {
  /**
   * The file of all entities of a kind that the filters leave, read as it is sent. Throws 429 for who is taking others
   * already.
   */
  file: async (kind: Translated, { format, columns, bom, ids, ...filter }: ExportQuery, actor: Actor) => {
    if ((open.get(actor._id) ?? 0) >= MAX_OPEN) throw new Refusal(429, 'exports', reasonText('exportsOpen'))
    const entities = counted(actor._id, entitiesOf(kind, filter, ids?.split(',').filter(Boolean)))
    const filename = `${kinds[kind].plural}-${now().slice(0, 10)}.${format}`
    if (format === 'ndjson') return { filename, type: 'application/x-ndjson', parts: linesOf(kind, entities) }
    const asked = columns?.split(',') ?? exportColumns(kind, definitionOf(kind).fields, await languagesOf(kind))
    return { filename, type: 'text/csv', parts: tableOf(asked, entities, bom === true) }
  },
}

/** Pages of entities in the order of their ids. What changes while they are read is in it as it was when it was read. */
async function* entitiesOf(kind: Translated, filter: Filter, asked?: string[]): AsyncGenerator<Entity[]> {
  const among = asked && [...new Set(asked)].toSorted()
  for (let after = '', at = 0; ; at += PAGE_SIZE) {
    const ids = among ? among.slice(at, at + PAGE_SIZE) : await lists.matching(kind, filter, after, PAGE_SIZE)
    if (ids.length === 0) return
    yield await db
      .selectFrom(TABLES[kind])
      .selectAll()
      .where('_id', 'in', ids)
      .where('deletedAt', 'is', null)
      .orderBy('_id')
      .execute()
    after = ids.at(-1) ?? ''
  }
}

/** Counts a file as open from its first part to its last, or to where it is broken off. */
async function* counted(userId: string, pages: AsyncGenerator<Entity[]>): AsyncGenerator<Entity[]> {
  open.set(userId, (open.get(userId) ?? 0) + 1)
  try {
    yield* pages
  } finally {
    const left = (open.get(userId) ?? 1) - 1
    if (left > 0) open.set(userId, left)
    else open.delete(userId)
  }
}

async function* tableOf(columns: string[], pages: AsyncIterable<Entity[]>, bom: boolean): AsyncGenerator<string> {
  yield (bom ? BYTE_ORDER_MARK : '') + csvLine(columns)
  for await (const entities of pages)
    yield entities.map((entity) => csvLine(columns.map((column) => cellOf(entity, column)))).join('')
}

/** Each line holds the fields of an entity as its calls take them. */
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

function cellOf(entity: Entity, column: string): string {
  const value = column.split('.').reduce<unknown>((of, name) => (of as Document | undefined)?.[name], entity)
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(LIST_SEPARATOR) : JSON.stringify(value)
}

/** The wanted languages, then those that something of the kind is named in. */
const languagesOf = async (kind: Translated): Promise<string[]> =>
  (await languages.list()).filter((row) => row.wanted || row[kind].filled > 0).map(({ tag }) => tag)
