// The intersection of several broad filters. Each may match hundreds of thousands of entities and all together only a
// few, so that walking the list would check every entity. Instead, ids are read from the most selective filter and
// checked in indexes, which costs as much as reading that one filter.
import type { Kind, Translated } from '@mokuroku/contract/kinds'
import { MAX_TOTAL } from '@mokuroku/contract/lists'
import { type Expression, type ExpressionBuilder, expressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely'
import { db, engine } from './db.ts'
import { TABLES, type Tables } from './tables.ts'

/**
 * One condition on a row. If an index supports it, `ids` selects the `id` of all rows that meet it, some more than
 * once.
 */
export interface Filter {
  where: RawBuilder<SqlBool>
  ids?: RawBuilder<{ id: string }>
  /** Whether the index returns these ids in ascending order. */
  isOrdered?: boolean
  /** Whether `ids` may include rows that do not meet the condition. */
  isLoose?: boolean
  /** In a large index: like `ids`, for a sample of its entries; `weight` is 1 divided by the number of entries of the id. */
  sample?: RawBuilder<{ id: string; weight: number }> | undefined
}

/** Conditions on the columns of a table as filters. */
export const filtersOn = <Table extends keyof Tables>(
  conditions: (row: ExpressionBuilder<Tables, Table>) => Expression<SqlBool>[],
): Filter[] => conditions(expressionBuilder<Tables, Table>()).map((each) => ({ where: sql`${each}` }))

/** A query for ids that meet some of the filters, and the filters that remain to be checked. */
export interface CandidateQuery {
  ids: RawBuilder<{ id: string }>
  rest: Filter[]
}

/**
 * How many ids are counted to find the most selective filter: up to the first limit, or the second if no filter has
 * fewer.
 */
const WIDTHS = [20_000, 200_000]
/** Reading entries of an index in order is this many times cheaper than looking them up one by one. */
const CHEAPER = 4
/** PostgreSQL returns an id for each of its labels: it reads this many times as many, and again if too few differ. */
const REPEATED = 4

/** One in so many entries of a large index is in its sample. */
export const SAMPLED = 64
/** How many entries of a sample are read at most, and by how much the estimated number of entities has to exceed a limit. */
const [MAX_SAMPLE, MARGIN] = [1000, 1.5]

/**
 * The covering index with all columns that a row is filtered and sorted by, under its id. SQLite would not choose it
 * itself.
 */
const COVERING_INDEXES: Partial<Record<Kind, string>> = { Media: 'media_facts', Character: 'characters_facts' }

/** How far filters are evaluated; tests use smaller limits. */
export interface Bounds {
  /** A filter that matches at most this many ids is looked up first. */
  narrow: number
  /** Matches are counted up to this number; beyond it, the total only says that there are more. */
  total: number
  /** How many rows of a list are checked for a page before all matches are sorted instead. */
  walked: number
}

export const BOUNDS: Bounds = { narrow: 2000, total: MAX_TOTAL, walked: 50_000 }

/**
 * The filter that matches the fewest entities; counting in the indexes stops soon after that number. On SQLite, filters
 * with ids in the same order are intersected with it, where that costs less than checking them.
 */
export async function mostSelective(filters: Filter[]): Promise<CandidateQuery | undefined> {
  const indexed = filters.filter(({ ids }) => ids)
  const [first] = indexed
  if (!first) return undefined
  if (indexed.length === 1) return candidateQuery(filters, indexed)
  for (const limit of WIDTHS)
    for (const filter of indexed) {
      const width = await widthOf(filter, limit)
      if (width <= limit) return candidateQuery(filters, await mergedWith(filter, indexed, width * CHEAPER))
    }
  return candidateQuery(filters, await mergedWith(first, indexed))
}

function candidateQuery(filters: Filter[], parts: Filter[]): CandidateQuery {
  const all = parts.flatMap(({ ids }) => ids ?? [])
  const rest = filters.filter((each) => each.isLoose || !parts.includes(each))
  return { ids: sql.join(all, sql` INTERSECT `), rest }
}

/** The number of ids that an index has for a filter, counted up to `limit` + 1, or estimated from a sample. */
export async function widthOf({ ids, sample }: Filter, limit: number): Promise<number> {
  const [entries, each] = sample ? [sample, SAMPLED] : [ids, 1]
  const rowLimit = Math.ceil(limit / each) + 1
  const count = sql<{ count: number }>`SELECT count(*) AS "count" FROM (${entries} LIMIT ${rowLimit}) AS "some"`
  const { rows } = await count.execute(db)
  return Number(rows[0]?.count) * each
}

/**
 * PostgreSQL chooses a merge or hash join itself. SQLite would look up each id in the other index, on pages that lie
 * far apart.
 */
async function mergedWith(filter: Filter, indexed: Filter[], maxWidth = Infinity): Promise<Filter[]> {
  if (engine === 'postgres' || !filter.isOrdered) return [filter]
  const parts = [filter]
  for (const other of indexed)
    if (other !== filter && other.isOrdered && (maxWidth === Infinity || (await widthOf(other, maxWidth)) <= maxWidth))
      parts.push(other)
  return parts
}

/**
 * Up to `limit` + 1 entities that meet all filters, in no order: one more than `limit` says that there are more. An
 * index has no entities in the trash, so that ids without further filters need not be looked up.
 */
export async function intersectionIds(kind: Kind, candidates: CandidateQuery, limit: number): Promise<string[]> {
  const { ids, rest } = engine === 'sqlite' ? distinct(candidates) : candidates
  const matches = rest.length === 0 ? ids : sql`SELECT ${idOf(kind)} AS "id" ${fromMatches(kind, { ids, rest })}`
  for (let rowLimit = (limit + 1) * (engine === 'sqlite' ? 1 : REPEATED); ; rowLimit *= REPEATED) {
    const { rows } = await sql<{ id: string }>`${matches} LIMIT ${rowLimit}`.execute(db)
    const found = [...new Set(rows.map(({ id }) => id))]
    if (rows.length < rowLimit || found.length > limit) return found.slice(0, limit + 1)
  }
}

/** Each id once. SQLite drops repetitions as it reads, and stops at a LIMIT; PostgreSQL would read everything first. */
const distinct = ({ ids, rest }: CandidateQuery): CandidateQuery => ({
  ids: sql`SELECT DISTINCT "id" FROM (${ids}) AS "each"`,
  rest,
})

/**
 * Whether a sample shows that more than `limit` entities meet all filters, which saves reading the index for all of
 * them. The weights make this the estimate of Horvitz and Thompson: entities with many entries are more often in the sample.
 */
export async function isCommon(kind: Translated, filters: Filter[], limit: number): Promise<boolean> {
  const sampled = filters.find(({ sample }) => sample)
  if (!sampled?.sample) return false
  const candidates = { ids: sampled.sample, rest: filters.filter((each) => each !== sampled) }
  const { rows } = await sql<{ isCommon: boolean }>`
    SELECT coalesce(sum("weight") > ${(limit * MARGIN) / SAMPLED}, false) AS "isCommon" FROM (
      SELECT "weight" ${fromMatches(kind, candidates)} LIMIT ${MAX_SAMPLE}) AS "some"`.execute(db)
  return Boolean(rows[0]?.isCommon)
}

/**
 * The same filter for walking a list in its order: with the unary plus, SQLite does not read an index of the filter and
 * then sort.
 */
export const unindexed = ({ where }: Filter): Filter => (engine === 'sqlite' ? { where: sql`+(${where})` } : { where })

/** A page of all entities that meet the filters, sorted: for a page that is far down in the list. */
export async function sortedIntersection(
  kind: Translated,
  candidates: CandidateQuery,
  { column, direction, offset, limit }: { column: string; direction: 'asc' | 'desc'; offset: number; limit: number },
): Promise<{ _id: string }[]> {
  const [own, by, way] = [idOf(kind), sql.ref(`${TABLES[kind]}.${column}`), sql.raw(direction)]
  const { rows } = await sql<{ _id: string }>`SELECT ${own} AS "_id", ${by} AS "by"
    ${fromMatches(kind, distinct(candidates))} ORDER BY "by" ${way}, "_id" ${way} LIMIT ${limit} OFFSET ${offset}`.execute(
    db,
  )
  return rows
}

const idOf = (kind: Kind) => sql.ref(`${TABLES[kind]}._id`)

/** SQLite reads the sides of a CROSS JOIN from left to right. */
function fromMatches(kind: Kind, { ids, rest }: CandidateQuery): RawBuilder<unknown> {
  const index = COVERING_INDEXES[kind]
  const from = engine === 'sqlite' && index ? sql` INDEXED BY ${sql.ref(index)}` : sql``
  const checks = rest.map(({ where }) => sql` AND ${where}`)
  return sql`FROM (${ids}) AS "candidates" CROSS JOIN ${sql.table(TABLES[kind])}${from}
    WHERE ${idOf(kind)} = "candidates"."id" AND "deletedAt" IS NULL${sql.join(checks, sql``)}`
}
