import { type Kysely, type RawBuilder, sql } from 'kysely'
import { atOneMoment } from '#database/copy.ts'
import { locked, type Transaction } from '#database/db.ts'
import { definitionOf } from '#ledger/registry.ts'
import { registeredKinds } from '../../kinds.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import { type Meta, TABLES, type Tables } from '#database/tables.ts'
import { type Footprint, footprintOf } from '#ledger/footprint.ts'

/** So many entities are looked at together. */
const CHUNK = 200
/** So many rows that belong to nothing are read at a time. */
export const MAX_ORPHANS = 1000

/** Something that is not as it should be. Without `repair` it is no derived data, and a person has to look at it. */
export interface Issue {
  /** Begins with what it is about: a kind and an id, or a name. */
  what: string
  repair?: () => Promise<unknown>
  /** A job is about to do the same: what it has not done yet is no fault. */
  isQueued?: boolean
}

export interface Check {
  name: string
  run(): AsyncIterable<Issue>
}

export type Inspect = (tx: Kysely<Tables>, kind: Kind, rows: Meta[]) => Promise<Issue[]>

/** Looks at all entities of some kinds, those in the trash too, some at a time and each time at one moment. */
export async function* everyEntity(inspect: Inspect, kinds = registeredKinds): AsyncGenerator<Issue> {
  for (const kind of kinds)
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const after: string = cursor
      const { faults, last } = await atOneMoment(async (tx) => {
        const query = tx.selectFrom(TABLES[kind]).selectAll().where('_id', '>', after).orderBy('_id').limit(CHUNK)
        const rows = (await query.execute()) as Meta[]
        return { faults: rows.length > 0 ? await inspect(tx, kind, rows) : [], last: rows.at(-1)?._id }
      })
      yield* faults
      cursor = last
    }
}

/** The first rows that such a query finds, as they are at one moment. */
export const left = (query: RawBuilder<unknown>) =>
  atOneMoment(
    async (tx) => (await sql<{ id: string; from: string }>`${query} LIMIT ${sql.lit(MAX_ORPHANS)}`.execute(tx)).rows,
  )

/** Says that rows of which as many were read as are read at a time may not be all. */
export function* truncationNotice({ length }: unknown[]): Generator<Issue> {
  if (length === MAX_ORPHANS) yield { what: 'there are more of these: run it again' }
}

export const idsOf = (rows: Meta[]): string[] => rows.map(({ _id }) => _id)

/** What an entity should have left elsewhere, told from its row as it is now. The row stays locked. */
export async function expectedFootprint(tx: Transaction, kind: Kind, id: string): Promise<Footprint | undefined> {
  const query = tx.selectFrom(TABLES[kind]).selectAll().where('_id', '=', id)
  const row = (await (locked(query as never) as typeof query).executeTakeFirst()) as Meta | undefined
  return row && footprintOf(definitionOf(kind), row)
}

/** The first of two that differ, as `name is a, not b`. */
export function difference(stored: object, right: object): string | undefined {
  const [is, should] = [new Map(Object.entries(stored)), Object.entries(right)]
  const wrong = should.find(([name, value]) => JSON.stringify(is.get(name)) !== JSON.stringify(value))
  return wrong && `${wrong[0]} is ${JSON.stringify(is.get(wrong[0]))}, not ${JSON.stringify(wrong[1])}`
}
