// What several wide filters leave together. Few may meet where each has hundreds of thousands, so that walking the list
// would check every entity. Read from the filter that leaves fewest, and checked in indexes, it costs as much as that one.
import type { Translated } from '@mokuroku/contract/kinds'
import { MAX_TOTAL } from '@mokuroku/contract/lists'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { db, engine } from './db.ts'
import { TABLES } from './tables.ts'

/** One condition on a row. `ids`, where an index has them, selects the `id` of all that meet it, of some more than once. */
export interface Filter {
  where: RawBuilder<SqlBool>
  ids?: RawBuilder<{ id: string }>
  /** Whether the index has these ids in their order. */
  isOrdered?: boolean
  /** Whether there may be others among these ids. */
  isLoose?: boolean
}

/** What is read of several filters, and the filters that are left to check. */
export interface Driver {
  ids: RawBuilder<{ id: string }>
  rest: Filter[]
}

/** How far is counted to find the filter that leaves fewest: as far as the first, or as the next where none ends there. */
const WIDTHS = [20_000, 200_000]
/** So many times as many entries of an index are read in order in the time in which entries are looked up one by one. */
const CHEAPER = 4
/** How many ids are asked for where the same entity came more than once. */
const GROWTH = 4

/** The index that has all columns that a row is filtered and sorted by, under its id; SQLite would not choose it itself. */
const FACTS: Partial<Record<Translated, string>> = { Media: 'media_facts', Character: 'characters_facts' }

/** How far filters are followed; a test asks for less. */
export interface Bounds {
  /** A filter that leaves so many ids or fewer is looked up first. */
  narrow: number
  /** So many that match are counted; of more, only that there are. */
  total: number
  /** So many rows of a list are checked for a page before all that match are sorted instead. */
  walked: number
}

export const BOUNDS: Bounds = { narrow: 2000, total: MAX_TOTAL, walked: 50_000 }

/**
 * The filter that leaves fewest entities, as far as indexes say without being read much further than that; together with
 * those others that are read in the same order, where that takes less than to check them.
 */
export async function narrowestOf(filters: Filter[]): Promise<Driver | undefined> {
  const indexed = filters.filter(({ ids }) => ids)
  const [first] = indexed
  if (!first) return undefined
  if (indexed.length === 1) return driverOf(filters, indexed)
  for (const most of WIDTHS)
    for (const filter of indexed) {
      const width = await widthOf(filter, most)
      if (width <= most) return driverOf(filters, await mergedWith(filter, indexed, width * CHEAPER))
    }
  return driverOf(filters, await mergedWith(first, indexed))
}

function driverOf(filters: Filter[], parts: Filter[]): Driver {
  const all = parts.flatMap(({ ids }) => ids ?? [])
  const rest = filters.filter((each) => each.isLoose || !parts.includes(each))
  return { ids: sql.join(all, sql` INTERSECT `) as RawBuilder<{ id: string }>, rest }
}

/** How many ids an index has for a filter, counted as far as `most` and one more. */
async function widthOf({ ids }: Filter, most: number): Promise<number> {
  const some = sql<{ count: number }>`SELECT count(*) AS "count" FROM (${ids} LIMIT ${most + 1}) AS "some"`
  const { rows } = await some.execute(db)
  return Number(rows[0]?.count)
}

/** PostgreSQL merges or hashes by itself. SQLite would look up each id in the other index, on pages that lie far apart. */
async function mergedWith(filter: Filter, indexed: Filter[], most = Infinity): Promise<Filter[]> {
  if (engine === 'postgres' || !filter.isOrdered) return [filter]
  const parts = [filter]
  for (const other of indexed)
    if (other !== filter && other.isOrdered && (most === Infinity || (await widthOf(other, most)) <= most))
      parts.push(other)
  return parts
}

/** Up to `most` entities that meet all filters, and one more where there are more, in no order. */
export async function meetingIds(kind: Translated, driver: Driver, most: number): Promise<string[]> {
  const own = idOf(kind)
  for (let limit = most + 1; ; limit *= GROWTH) {
    const met = sql<{ id: string }>`SELECT ${own} AS "id" ${meeting(kind, driver)} LIMIT ${limit}`
    const { rows } = await met.execute(db)
    const ids = [...new Set(rows.map(({ id }) => id))]
    if (rows.length < limit || ids.length > most) return ids.slice(0, most + 1)
  }
}

/** The same filter, for a walk in the order of a list: SQLite would read an index of the filter instead, and sort. */
export const unindexed = ({ where }: Filter): Filter => (engine === 'sqlite' ? { where: sql`+(${where})` } : { where })

/** A stretch of what meets all filters, sorted: for a page that lies far down in the order of the list. */
export async function sortedMeeting(
  kind: Translated,
  driver: Driver,
  { column, direction, offset, limit }: { column: string; direction: 'asc' | 'desc'; offset: number; limit: number },
): Promise<{ _id: string }[]> {
  const [own, by, way] = [idOf(kind), sql.ref(`${TABLES[kind]}.${column}`), sql.raw(direction)]
  const { rows } = await sql<{ _id: string }>`SELECT DISTINCT ${own} AS "_id", ${by} AS "by"
    ${meeting(kind, driver)} ORDER BY "by" ${way}, "_id" ${way} LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows
}

const idOf = (kind: Translated) => sql.ref(`${TABLES[kind]}._id`)

/** SQLite reads the sides of a CROSS JOIN from left to right. */
function meeting(kind: Translated, { ids, rest }: Driver): RawBuilder<unknown> {
  const facts = FACTS[kind]
  const from = engine === 'sqlite' && facts ? sql` INDEXED BY ${sql.ref(facts)}` : sql``
  const checks = rest.map(({ where }) => sql` AND ${where}`)
  return sql`FROM (${ids}) AS "driver" CROSS JOIN ${sql.table(TABLES[kind])}${from}
    WHERE ${idOf(kind)} = "driver"."id" AND "deletedAt" IS NULL${sql.join(checks, sql``)}`
}
