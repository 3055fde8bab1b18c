import { canonical } from '@mokuroku/contract/languageTags'
import { orderOf } from '@mokuroku/contract/order'
import type { Translated } from '@mokuroku/contract/kinds'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { idsFrom, inList } from '#database/inList.ts'
import { countUpTo } from '#database/countUpTo.ts'
import { db, engine } from '#database/db.ts'
import { statement } from '#database/statement.ts'
import {
  BOUNDS,
  type Bounds,
  type CandidateQuery,
  type Filter,
  intersectionIds,
  isCommon,
  mostSelective,
  sortedIntersection,
  unindexed,
  widthOf,
} from '#database/intersection.ts'
import { rankedPage } from '#database/ranked.ts'
import { TABLES } from '#database/tables.ts'
import { countersOf, totalCounter } from '#ledger/counters.ts'
import { filledCounter } from '#ledger/filled.ts'
import { checkProgress, rulesIn } from '#ledger/findingStore.ts'
import { writtenBy } from '#ledger/recentWrites.ts'
import { currentIds } from '#ledger/merges.ts'
import { filtersOf, type ListQuery, tagIdsOf } from '#ledger/rowFilters.ts'
import { lastGone } from '#ledger/trash.ts'
import { type Matches, search } from '#store/search'
import { findingCountOf, idsWithFinding } from './findingIds.ts'

export { NO_COLUMNS } from '#ledger/rowFilters.ts'
export { findingCountOf } from './findingIds.ts'

/**
 * If more rows match than are counted, a page is expected within NEAR + SPARSE × (offset + limit) rows of the list: in
 * a million rows, matches are then on average at most SPARSE apart.
 */
const [NEAR, SPARSE] = [5000, 100]
/** Up to this length, the start of a list is read by a statement of its own (`firstOf`). */
const FIRST = 100
/** From this row on, it pays to check whether a page is nearer to the end of the list than to its start. */
const DEEP = 1000

/** Filters on data derived from a row, which is deleted when the row moves to the trash. */
const DERIVED = ['search', 'userId', 'finding', 'language', 'missing', 'tags'] as const

/** The ids of one page, and the total: exact up to `BOUNDS.total`, otherwise any larger number. */
export interface Page {
  ids: string[]
  total: number
}

export const lists = {
  /** A page of a kind's list, in the requested order, read from an index. Entities in the trash are in no list. */
  page: async (kind: Translated, asked: ListQuery, bounds: Bounds = BOUNDS): Promise<Page> => {
    const query = await withCurrentTags(asked)
    const [isKept, kept, found] = await Promise.all([
      isChecked(query),
      query.finding ? findingCountOf(kind, query.finding) : undefined,
      matchesOf(kind, query),
    ])
    const filters = filtersOf(kind, query, { isChecked: isKept, foundIn: kept?.language }).concat(found?.all ?? [])
    const among = await idsAmong(kind, query, filters, bounds.narrow, found)
    if (among) return pageAmong(kind, query, filters, among)
    const candidates = await mostSelective(filters)
    if (!candidates) return pageInOrder(kind, query, filters, bounds.total)
    const counted = filters.length === 1 ? kept?.count : undefined
    const known = counted ?? ((await isCommon(kind, filters, bounds.total)) ? bounds.total + 1 : undefined)
    const list = { kind, query, filters, candidates, bounds, known }
    return found && isByRelevance(query) ? pageRanked(list, found.ids) : pageOfMatches(list)
  },

  /** Up to `limit` matching ids after `after`, in the order of ids; `also` is one more condition on the row. */
  matching: async (
    kind: Translated,
    asked: Omit<ListQuery, 'limit'>,
    after: string,
    limit: number,
    also?: RawBuilder<SqlBool>,
  ): Promise<string[]> => {
    const query = await withCurrentTags(asked)
    const found = await matchesOf(kind, query)
    const filters = filtersOf(kind, { ...query, limit }).concat(found?.all ?? [])
    const narrow = await idsAmong(kind, query, filters, BOUNDS.narrow, found)
    // Matches of a search may be rare and far apart, so that walking the list would take long.
    const among = narrow ?? (found && (await allMatches(kind, filters)))
    if (among?.length === 0) return []
    const matches = present(kind, also ? [...filters, { where: also }] : filters)
    const idsIn = async (ids?: string[]) => {
      const some = ids ? matches.where(inList('_id', ids)) : matches
      const rows = await some.where('_id', '>', after).orderBy('_id').limit(limit).execute()
      return rows.map(({ _id }) => _id)
    }
    const { finding = '' } = query
    const withFinding = finding && !among ? await idsWithFinding(kind, finding, after, limit, idsIn) : undefined
    return withFinding ?? idsIn(among)
  },

  trashed,
}

/** Replaces merged tags by their survivors, since a saved view or a URL may still name the old ones. */
async function withCurrentTags<Query extends Pick<ListQuery, 'tags'>>(query: Query): Promise<Query> {
  const ids = tagIdsOf(query)
  return ids.length > 0 ? { ...query, tags: (await currentIds(db, ids)).join() } : query
}

/**
 * The ids in the trash that match the filters, last deleted first. Empty with a filter on derived data (texts, tags,
 * findings), which is deleted with the row.
 */
async function trashed(kind: Translated, query: Omit<ListQuery, 'limit'>, limit: number): Promise<string[]> {
  if (DERIVED.some((name) => query[name])) return []
  const rows = db.selectFrom(tableOf(kind)).select('_id').where('deletedAt', 'is not', null)
  const left = filtersOf(kind, { ...query, limit }).reduce((matches, { where }) => matches.where(where), rows)
  const found = await left
    .where('deletedAt', '>', lastGone())
    .orderBy('deletedAt', 'desc')
    .orderBy('_id', 'desc')
    .limit(limit)
    .execute()
  return found.map(({ _id }) => _id)
}

/** The rows outside the trash that match all filters. A filter only names columns that the kind has. */
function present(kind: Translated, filters: Filter[]) {
  const rows = db.selectFrom(tableOf(kind)).select('_id').where('deletedAt', 'is', null)
  return filters.reduce((matches, { where }) => matches.where(where), rows)
}

const tableOf = (kind: Translated) => TABLES[kind] as 'media'

type Rows = ReturnType<typeof present>

/** A list with a filter that an index supports; `known` is the total, if it is stored. */
interface FilteredList {
  kind: Translated
  query: ListQuery
  filters: Filter[]
  candidates: CandidateQuery
  bounds: Bounds
  known: number | undefined
}

interface Stretch {
  offset: number
  limit: number
  fromEnd: boolean
}

/**
 * A page read in the order of the list: of everything, or of filters without an index, which are checked row by row.
 */
async function pageInOrder(kind: Translated, query: ListQuery, filters: Filter[], maxTotal: number): Promise<Page> {
  const lacking = await keptLacking(kind, query, filters)
  if (lacking === 0) return { ids: [], total: 0 }
  const { offset, limit, fromEnd } = await stretchOf(kind, query, filters)
  const [rows, kept = lacking] = await Promise.all([
    pageOf(kind, query, filters, { offset, limit, fromEnd }),
    lacking === undefined ? countedBeside(kind, filters, maxTotal) : undefined,
  ])
  const ids = rows.map(({ _id }) => _id)
  const total = totalAfter(query, fromEnd ? undefined : ids.length) ?? kept ?? (await totalOf(kind, filters, maxTotal))
  return { ids: fromEnd ? ids.toReversed() : ids, total }
}

/**
 * The total, if querying it along with the page is better than waiting for the page, which may reveal it: if it comes
 * from a counter, or if both queries can run at the same time (PostgreSQL).
 */
function countedBeside(kind: Translated, filters: Filter[], maxTotal: number): Promise<number> | undefined {
  if (filters.length === 0) return countOf(kind)
  return engine === 'postgres' ? totalOf(kind, filters, maxTotal) : undefined
}

/**
 * How many entities lack a title in a language, if that is the only filter: the total minus those that have one, from
 * counters.
 */
async function keptLacking(kind: Translated, { missing }: ListQuery, filters: Filter[]): Promise<number | undefined> {
  if (!missing || filters.length > 1) return undefined
  const [all, filled] = [totalCounter(kind), filledCounter(kind, canonical(missing) ?? missing)]
  const { [all]: count = 0, [filled]: has = 0 } = await countersOf(db, [all, filled])
  return Math.max(0, count - has)
}

/**
 * Whether findings exist for a missing language: it is a wanted one, and everything is checked by the current rules.
 */
async function isChecked({ missing }: ListQuery): Promise<boolean> {
  if (!missing) return false
  const [{ codes, wanted }, unfinished] = await Promise.all([rulesIn(db), checkProgress()])
  return !unfinished && codes.includes('missing') && wanted.includes(canonical(missing) ?? missing)
}

/**
 * A page of the intersection of all filters. A few matches are all read and sorted. With many, the page is expected near
 * the start of the list; if it is not found there, all matches are sorted. `also` holds for the entries of the page, but
 * not for the total.
 */
async function pageOfMatches(
  { kind, query, filters, candidates, bounds: { total: maxTotal, walked }, known = 0 }: FilteredList,
  also: Filter[] = [],
): Promise<Page> {
  const matches = known > maxTotal ? undefined : await intersectionIds(kind, candidates, maxTotal)
  const total = matches?.length ?? known
  if (query.limit === 0) return { ids: [], total }
  const { column, direction } = orderIn(query, false)
  const stretch = { column, direction, offset: offsetOf(query), limit: query.limit }
  const sorted = async (from: CandidateQuery) => {
    const rows = await sortedIntersection(kind, from, stretch)
    return { ids: rows.map(({ _id }) => _id), total }
  }
  if (matches && total <= maxTotal) return sorted({ ids: idsFrom(matches), rest: also })
  const last = await rowAt(kind, query, Math.min(walked, NEAR + SPARSE * (stretch.offset + stretch.limit)))
  const checks = [...filters, ...also].map(unindexed)
  const near = await pageOf(kind, query, last ? [...checks, last] : checks, { ...stretch, fromEnd: false })
  if (last && near.length < query.limit) return sorted({ ids: candidates.ids, rest: [...candidates.rest, ...also] })
  return { ids: near.map(({ _id }) => _id), total }
}

/**
 * A page of more matches of a search than were ranked: these `best` ones first, and then the others in the order of
 * creation.
 */
async function pageRanked(list: FilteredList, best: string[]): Promise<Page> {
  const { kind, query, filters } = list
  const rows = await present(kind, filters).where(inList('_id', best)).execute()
  const ranked = rankedPage(best, rows, { offset: 0, limit: best.length })
  const offset = offsetOf(query)
  const ids = ranked.slice(offset, offset + query.limit)
  const rest = { ...query, skip: Math.max(0, offset - ranked.length), limit: query.limit - ids.length }
  // PostgreSQL makes a hash table of a subquery, and would walk an array for every row.
  const isOther: Filter = { where: sql`"_id" NOT IN (${idsFrom(ranked)})` }
  const page = await pageOfMatches({ ...list, query: rest }, [isOther])
  return { ids: [...ids, ...page.ids], total: page.total }
}

/** All ids that meet the filters, if they are few enough to be counted. */
async function allMatches(kind: Translated, filters: Filter[]): Promise<string[] | undefined> {
  if (await isCommon(kind, filters, BOUNDS.total)) return undefined
  const candidates = await mostSelective(filters)
  const matches = candidates && (await intersectionIds(kind, candidates, BOUNDS.total))
  return matches && matches.length <= BOUNDS.total ? matches : undefined
}

/** A filter for rows up to the one at `offset` in the order of the list; undefined if the list ends before that. */
async function rowAt(kind: Translated, query: ListQuery, offset: number): Promise<Filter | undefined> {
  const { column, direction } = orderIn(query, false)
  const rows = inOrder(query, false, present(kind, [])).select(`${column} as by`).limit(1).offset(offset)
  const row = await rows.executeTakeFirst()
  const comparison = sql.raw(direction === 'asc' ? '<=' : '>=')
  return row && { where: sql<SqlBool>`(${sql.ref(column)}, "_id") ${comparison} (${row.by}, ${row._id})` }
}

/** The ids of a page. Without filters, the statement is one of a few, which are built once and cached. */
function pageOf(kind: Translated, query: ListQuery, filters: Filter[], { offset, limit, fromEnd }: Stretch) {
  if (filters.length > 0) return inOrder(query, fromEnd, present(kind, filters)).limit(limit).offset(offset).execute()
  const isFirst = engine === 'postgres' && offset === 0 && limit <= FIRST
  const name = `${kind} ${orderOf(query)} ${fromEnd} ${isFirst}`
  const rows = () => inOrder(query, fromEnd, present(kind, []))
  const page =
    pages.get(name) ??
    statement((_, rowLimit: number, from: number) =>
      isFirst ? firstOf(rows()).limit(rowLimit) : rows().limit(rowLimit).offset(from),
    )
  pages.set(name, page)
  return page(db, limit, offset)
}

/**
 * The start of a list, with a literal LIMIT: PostgreSQL then knows that it is short, and reuses one plan for all page
 * sizes.
 */
const firstOf = (rows: Rows) => db.selectFrom(rows.limit(sql.lit(FIRST)).as('first')).select('_id')

const pages = new Map<string, (from: typeof db, limit: number, offset: number) => Promise<{ _id: string }[]>>()

function inOrder(query: ListQuery, fromEnd: boolean, rows: Rows): Rows {
  const { column, direction } = orderIn(query, fromEnd)
  return rows.orderBy(column, direction).orderBy('_id', direction)
}

function orderIn(query: ListQuery, fromEnd: boolean) {
  const order = orderOf(query)
  const column = order === 'relevance' ? 'createdAt' : (order.replace('-', '') as 'createdAt')
  return { column, direction: order.startsWith('-') === fromEnd ? ('asc' as const) : ('desc' as const) }
}

/** A page among few ids: reads and counts all matches. Sorted by relevance if that is the requested order. */
async function pageAmong(kind: Translated, query: ListQuery, filters: Filter[], among: string[]): Promise<Page> {
  if (among.length === 0) return { ids: [], total: 0 }
  const { limit } = query
  const offset = offsetOf(query)
  const left = present(kind, filters).where(inList('_id', among))
  const isRanked = isByRelevance(query)
  const rows = await (isRanked ? left : inOrder(query, false, left)).execute()
  const ids = isRanked
    ? rankedPage(among, rows, { offset, limit })
    : rows.slice(offset, offset + limit).map(({ _id }) => _id)
  return { ids, total: rows.length }
}

const isByRelevance = (query: ListQuery): boolean =>
  orderOf(query) === 'relevance' && (query.search ?? query.userId) !== undefined

const offsetOf = ({ page = 1, limit, skip = (page - 1) * limit }: ListQuery): number => skip

/** Which rows make up the page, counted from the nearer end: skipping half a million rows would take a while. */
async function stretchOf(kind: Translated, query: ListQuery, filters: Filter[]): Promise<Stretch> {
  const { limit } = query
  const offset = offsetOf(query)
  if (offset < DEEP || filters.length > 0) return { offset, limit, fromEnd: false }
  const left = Math.max(0, (await countOf(kind)) - offset)
  if (left > offset) return { offset, limit, fromEnd: false }
  return { offset: Math.max(0, left - limit), limit: Math.min(limit, left), fromEnd: true }
}

/** The total, if the page reveals it: a page that is not full is the last one. */
function totalAfter(query: ListQuery, found: number | undefined): number | undefined {
  const offset = offsetOf(query)
  return found !== undefined && found < query.limit && (found > 0 || offset === 0) ? offset + found : undefined
}

/** Counts matches, up to `maxTotal` + 1. */
const totalOf = (kind: Translated, filters: Filter[], maxTotal: number): Promise<number> =>
  countUpTo(present(kind, filters), maxTotal + 1)

async function countOf(kind: Translated): Promise<number> {
  const [count = 0] = Object.values(await countersOf(db, [totalCounter(kind)]))
  return count
}

const matchesOf = async (kind: Translated, { search: text }: Pick<ListQuery, 'search'>): Promise<Matches | undefined> =>
  text ? search.matches(kind, text) : undefined

/**
 * The few ids left by a search, a user's last writes or a filter, best match first if there is a search. Undefined if
 * none of them leaves only a few. With `found.all`, `filters` has the search, and these ids are not all matches.
 */
async function idsAmong(
  kind: Translated,
  { userId }: Pick<ListQuery, 'userId'>,
  filters: Filter[],
  maxIds: number,
  found: Matches | undefined,
): Promise<string[] | undefined> {
  if (found && !found.all && !userId) return found.ids
  const narrow = userId ? await writtenBy(userId, kind) : await narrowIds(filters, maxIds)
  if (!narrow || !found) return narrow
  const own = new Set(narrow)
  return [...new Set([...found.ids.filter((id) => own.has(id)), ...(found.all ? narrow : [])])]
}

/** The ids of a filter that has at most `maxIds`. */
async function narrowIds(filters: Filter[], maxIds: number): Promise<string[] | undefined> {
  for (const filter of filters) {
    const { ids, sample } = filter
    // Of a large index, all entries would be read before the first one is returned.
    if (!ids || (sample && (await widthOf(filter, maxIds)) > maxIds)) continue
    const { rows } = await sql<{ id: string }>`${ids} LIMIT ${maxIds + 1}`.execute(db)
    if (rows.length <= maxIds) return [...new Set(rows.map(({ id }) => id))].toSorted()
  }
  return undefined
}
