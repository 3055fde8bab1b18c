import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inSnapshot } from '#database/copy.ts'
import { db, locked, type Transaction } from '#database/db.ts'
import { definitionOf } from '#ledger/registry.ts'
import { registeredKinds } from '../../kinds.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import { type Meta, TABLES, type Tables } from '#database/tables.ts'
import { type Footprint, footprintOf } from '#ledger/footprint.ts'

/** The number of entities checked at a time. */
const CHUNK_SIZE = 200
/** The maximum number of orphaned rows read at a time. */
export const MAX_ORPHANS = 1000

/** An inconsistency. Without `repair`, it is not in derived data, and a person has to look at it. */
export interface Issue {
  /** Starts with its subject: a kind and an id, or a name. */
  what: string
  repair?: () => Promise<unknown>
  /** A queued job will repair it anyway, so it is not a fault yet. */
  isQueued?: boolean
}

export interface Check {
  name: string
  run(): AsyncIterable<Issue>
}

export type Inspect = (tx: Kysely<Tables>, kind: Kind, rows: Meta[]) => Promise<Issue[]>

/**
 * Checks all entities of some kinds, including those in the trash, in chunks; each chunk reads a snapshot. One that
 * cannot be read is reported.
 */
export async function* everyEntity(inspect: Inspect, kinds = registeredKinds): AsyncGenerator<Issue> {
  for (const kind of kinds)
    for (let ids = await idsAfter(kind, ''); ids.length > 0; ids = await idsAfter(kind, ids.at(-1) ?? ''))
      yield* await readEach(
        ids,
        (id) => `${kind} ${id}`,
        async (tx, some) => {
          const query = tx.selectFrom(TABLES[kind]).selectAll().where('_id', 'in', some).orderBy('_id')
          const rows = (await query.execute()) as Meta[]
          return rows.length > 0 ? inspect(tx, kind, rows) : []
        },
      )
}

async function idsAfter(kind: Kind, cursor: string): Promise<string[]> {
  const query = db.selectFrom(TABLES[kind]).select('_id').where('_id', '>', cursor).orderBy('_id').limit(CHUNK_SIZE)
  return (await query.execute()).map(({ _id }) => _id)
}

/** Checks some items in one snapshot. If one cannot be read, each is checked by itself, and that one is reported. */
export async function readEach<Item>(
  items: Item[],
  nameOf: (item: Item) => string,
  inspect: (tx: Kysely<Tables>, items: Item[]) => Promise<Issue[]>,
): Promise<Issue[]> {
  try {
    return await inSnapshot((tx) => inspect(tx, items))
  } catch (error) {
    const damage = damageIn(error)
    const issues: Issue[] = []
    for (const item of items)
      if (items.length > 1) issues.push(...(await readEach([item], nameOf, inspect)))
      else issues.push({ what: `${nameOf(item)}: ${damage}` })
    return issues
  }
}

/** What cannot be read, if a document in the database is damaged. Throws any other error again. */
export function damageIn(error: unknown): string {
  if (error instanceof SyntaxError) return error.message
  throw error
}

/** The first rows of a query for orphaned rows, read from a snapshot. */
export const orphanedRows = (query: RawBuilder<unknown>) =>
  inSnapshot(
    async (tx) => (await sql<{ id: string; from: string }>`${query} LIMIT ${sql.lit(MAX_ORPHANS)}`.execute(tx)).rows,
  )

/** Reports that there may be more rows if as many as the limit were read. */
export function* truncationIssue({ length }: unknown[]): Generator<Issue> {
  if (length === MAX_ORPHANS) yield { what: 'there are more; run verify again' }
}

export const idsOf = (rows: Meta[]): string[] => rows.map(({ _id }) => _id)

/** What an entity should have written to other tables, derived from its current row, which stays locked. */
export async function expectedFootprint(tx: Transaction, kind: Kind, id: string): Promise<Footprint | undefined> {
  const query = tx.selectFrom(TABLES[kind]).selectAll().where('_id', '=', id)
  const row = await locked(query).executeTakeFirst()
  return row && footprintOf(definitionOf(kind), row)
}

/** The first difference, as `name is a, not b`; undefined if there is none. */
export function difference(stored: object, right: object): string | undefined {
  const [is, should] = [new Map(Object.entries(stored)), Object.entries(right)]
  const wrong = should.find(([name, value]) => JSON.stringify(is.get(name)) !== JSON.stringify(value))
  return wrong && `${wrong[0]} is ${JSON.stringify(is.get(wrong[0]))}, not ${JSON.stringify(wrong[1])}`
}
