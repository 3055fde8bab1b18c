import { AliasNode, IdentifierNode, type OperationNode, type QueryId, type RootOperationNode, TableNode } from 'kysely'
import { newTier } from '@mokuroku/contract/tiers'
import type * as z from 'zod/mini'
import { INPUTS, type Tables } from './tables.ts'

/**
 * What a column holds beyond its SQL type: a boolean as 0 or 1, or a document as JSON text. A clearable field is absent
 * when its column is null. `defaults`: what a document lacks that was stored before it had these fields.
 */
interface Column {
  type: 'boolean' | 'json' | 'plain'
  clearable: boolean
  defaults?: object
}
type Columns = ReadonlyMap<string, Column>

const boolean: Column = { type: 'boolean', clearable: false }
const json: Column = { type: 'json', clearable: false }
const clearable = (column: Column): Column => ({ ...column, clearable: true })
const plain: Column = { type: 'plain', clearable: false }

/** The columns to decode that no contract describes. */
const OTHERS: { [Table in keyof Tables]?: Columns } = {
  media: new Map([['ratingHistogram', json]]),
  assets: new Map([
    ['isPublic', boolean],
    ['keepsMetadata', clearable(boolean)],
    ['dimensions', clearable(json)],
    ['duration', clearable(plain)],
    ['failure', clearable(plain)],
  ]),
  tiers: new Map([['permissions', { ...json, defaults: newTier().permissions }]]),
  uploads: new Map([['isPublic', boolean]]),
  revisions: new Map([
    ['paths', json],
    ['snapshot', json],
    ['delta', clearable(json)],
    ['provenance', clearable(json)],
  ]),
  history: new Map([['isRolledBack', boolean]]),
  aiRuns: new Map([
    ['sources', json],
    ['isEstimate', boolean],
    ['answers', json],
  ]),
  findingsProgress: new Map([['isComplete', boolean]]),
  notifications: new Map([['data', json]]),
  comments: new Map([['mentions', json]]),
  audit: new Map([['details', json]]),
  preferences: new Map([['columns', json]]),
  views: new Map([
    ['filters', json],
    ['columns', json],
    ['shared', boolean],
  ]),
  jobs: new Map([['payload', json]]),
  batches: new Map([['change', json]]),
  batchRows: new Map([['kept', json]]),
  imports: new Map([
    ['columns', json],
    ['mapping', json],
    ['isGuarded', boolean],
  ]),
  importRows: new Map([
    ['cells', json],
    ['numbers', json],
  ]),
  importPlans: new Map([
    ['input', json],
    ['changes', json],
    ['errors', json],
  ]),
  importMappings: new Map([['mapping', json]]),
}
const NONE: Columns = new Map()

/** The columns to decode, by table: those of a kind as its contract says, and `OTHERS`. */
const COLUMNS = new Map<string, Columns>([
  ...Object.entries(OTHERS),
  ...Object.entries(INPUTS).map(
    ([table, input]) => [table, new Map([...columnsOf(input), ...(OTHERS[table as keyof Tables] ?? NONE)])] as const,
  ),
])

/** Cache of the merged columns of tables that are read together, by their joined names. */
const JOINED = new Map<string, Columns>()

const columnsIn = (table: string): Columns => COLUMNS.get(table) ?? NONE

/** Whether an empty value of this column is absent; in other columns it is null. */
export const isClearable = (table: keyof Tables, column: string): boolean =>
  columnsIn(table).get(column)?.clearable ?? false

/** What a column holds beyond its SQL type. */
export const typeOf = (table: keyof Tables, column: string): Column['type'] =>
  columnsIn(table).get(column)?.type ?? 'plain'

/** The columns with documents, by table. */
export const documentColumns = (): [table: string, columns: string[]][] =>
  [...COLUMNS]
    .map(([table, columns]): [string, string[]] => [
      table,
      [...columns].flatMap(([name, { type }]) => (type === 'json' ? [name] : [])),
    ])
    .filter(([, columns]) => columns.length > 0)

/** Converts the columns of a row, in place, from what the engines store to what the contract says. */
function decode(row: Record<string, unknown>, columns: Columns): void {
  for (const [name, column] of columns) {
    const value = row[name]
    if (value === undefined) continue
    if (value === null) {
      if (column.clearable) delete row[name]
    } else if (value === '' && column.type === 'json') delete row[name]
    else if (column.type === 'boolean') row[name] = value === 1
    else if (column.type === 'json' && typeof value === 'string')
      row[name] = withDefaults(parsed(value, name, row), column)
  }
}

/** Parses a document; an error names its column and its row. */
function parsed(text: string, column: string, row: Record<string, unknown>): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const owner = typeof row._id === 'string' ? ` of ${row._id}` : ''
    throw new SyntaxError(`the column ${column}${owner} is not valid JSON`, { cause: error })
  }
}

const withDefaults = (value: unknown, { defaults }: Column): unknown =>
  defaults ? Object.assign({}, defaults, value) : value

/** Converts a value to what the engines store. */
export const encode = (value: unknown): unknown => {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === undefined) return null
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const columnsByQuery = new WeakMap<QueryId, Columns>()

/** Remembers which columns to decode in the result of a query. */
export const noteColumns = (node: RootOperationNode, queryId: QueryId): void =>
  void columnsByQuery.set(queryId, columnsOfQuery(node))

/** Decodes the rows of a query's result. */
export function decodeRows(rows: unknown[], queryId: QueryId): void {
  const columns = columnsByQuery.get(queryId)
  if (columns?.size) for (const row of rows) decode(row as Record<string, unknown>, columns)
}

/** The columns to decode in the result of a query: those of the tables in it. Raw SQL has none. */
function columnsOfQuery(node: OperationNode): Columns {
  const tables = tablesIn(node)
  const [only = '', ...others] = tables
  if (others.length === 0) return columnsIn(only)
  const name = tables.join()
  const known = JOINED.get(name) ?? new Map(tables.flatMap((table) => [...columnsIn(table)]))
  JOINED.set(name, known)
  return known
}

interface Query extends OperationNode {
  from?: { froms: OperationNode[] }
  joins?: { table: OperationNode }[]
  into?: OperationNode
  table?: OperationNode
}

function tablesIn(node: OperationNode | undefined): string[] {
  if (!node) return []
  if (TableNode.is(node)) return [IdentifierNode.is(node.table.identifier) ? node.table.identifier.name : '']
  if (AliasNode.is(node)) return tablesIn(node.node)
  const { from, joins = [], into, table } = node as Query
  return [...(from?.froms ?? []), ...joins.map((join) => join.table), into, table].flatMap(tablesIn)
}

function columnsOf(schema: z.ZodMiniObject): [string, Column][] {
  return Object.entries(schema.shape)
    .map(([name, field]): [string, Column] => [name, columnOf(field)])
    .filter(([, { type, clearable: mayBeAbsent }]) => type !== 'plain' || mayBeAbsent)
}

/** Unwraps optional, nullable and transform. A clearable field is optional around nullable (contract/src/common.ts). */
function columnOf(schema: z.core.$ZodType): Column {
  const { def } = schema._zod as { def: { type: string; innerType?: z.core.$ZodType; in?: z.core.$ZodType } }
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined)
  if (inner) return { ...columnOf(inner), clearable: def.type === 'optional' && inner._zod.def.type === 'nullable' }
  if (def.type === 'boolean') return boolean
  return ['object', 'record', 'array'].includes(def.type) ? json : plain
}
