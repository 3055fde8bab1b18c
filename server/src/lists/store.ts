import { canonical } from '@mokuroku/contract/languageTags'
import { orderOf } from '@mokuroku/contract/order'
import type { Translated } from '@mokuroku/contract/kinds'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { idsListed, oneOf } from '#database/oneOf.ts'
import { db, engine } from '#database/db.ts'
import { statement } from '#database/statement.ts'
import {
  BOUNDS,
  type Bounds,
  type Driver,
  type Filter,
  meetingIds,
  narrowestOf,
  sortedMeeting,
  unindexed,
} from '#database/meeting.ts'
import { rankedPage } from '#database/ranked.ts'
import { TABLES } from '#database/tables.ts'
import { countersOf, totalCounter } from '#ledger/counters.ts'
import { filledCounter } from '#ledger/filled.ts'
import { checkProgress, rulesIn } from '#ledger/findingStore.ts'
import { writtenBy } from '#ledger/recentWrites.ts'
import { currentIds } from '#ledger/merges.ts'
import { filtersOf, type ListQuery, tagIdsOf } from '#ledger/rowFilters.ts'
import { lastGone } from '#ledger/trash.ts'
import { search } from '#store/search'
import { keptOf, matchingFound } from './foundIds.ts'

export { NO_COLUMNS } from '#ledger/rowFilters.ts'

/** What more match than are counted lies near enough: so many rows after each other at most, on average and in a million. */
const [NEAR, SPARSE] = [5000, 100]
/** The longest page. */
const FIRST = 100
/** From this row on, it pays to see whether a page lies nearer to the end of the list than to its start. */
const DEEP = 1000

/** The filters that ask for what is derived of a row, which what is in the trash has not. */
const DERIVED = ['search', 'userId', 'finding', 'language', 'missing', 'tags'] as const

/** The ids of one page, and how many match in all: exact up to `BOUNDS.total`, more than it above. */
export interface Page {
  ids: string[]
  total: number
}

export const lists = {
  /** A page of the list of a kind, in the order asked for, read from an index. What is in the trash is in no list. */
  page: async (kind: Translated, asked: ListQuery, bounds: Bounds = BOUNDS): Promise<Page> => {
    const query = await withCurrentTags(asked)
    const [isKept, kept] = await Promise.all([
      isChecked(query),
      query.finding ? keptOf(kind, query.finding) : undefined,
    ])
    const filters = filtersOf(kind, query, { isChecked: isKept, foundIn: kept?.language })
    const among = await idsAmong(kind, query, filters, bounds.narrow)
    if (among) return pageAmong(kind, query, filters, among)
    const driver = await narrowestOf(filters)
    if (!driver) return pageInOrder(kind, query, filters, bounds.total)
    const known = filters.length === 1 ? kept?.count : undefined
    return pageMeeting(kind, query, filters, driver, bounds, known)
  },

  /** Up to `limit` ids that a query matches, in the order of ids, after `after`; `also` is one more condition on the row. */
  matching: async (
    kind: Translated,
    asked: Omit<ListQuery, 'limit'>,
    after: string,
    limit: number,
    also?: RawBuilder<SqlBool>,
  ): Promise<string[]> => {
    const query = await withCurrentTags(asked)
    const filters = filtersOf(kind, { ...query, limit })
    const among = await idsAmong(kind, { ...query, limit }, filters, BOUNDS.narrow)
    if (among?.length === 0) return []
    const matches = present(kind, also ? [...filters, { where: also }] : filters)
    const idsIn = async (ids?: string[]) => {
      const some = ids ? matches.where(oneOf('_id', ids)) : matches
      const rows = await some.where('_id', '>', after).orderBy('_id').limit(limit).execute()
      return rows.map(({ _id }) => _id)
    }
    const { finding = '' } = query
    const found = finding && !among ? await matchingFound(kind, finding, after, limit, idsIn) : undefined
    return found ?? idsIn(among)
  },

  trashed,
}

/** The tags that a saved view or an address names may have been merged into others since. */
async function withCurrentTags<Query extends Pick<ListQuery, 'tags'>>(query: Query): Promise<Query> {
  const ids = tagIdsOf(query)
  return ids.length > 0 ? { ...query, tags: (await currentIds(db, ids)).join() } : query
}

/** The ids of what the filters of a list leave of the trash, the last deleted first. What is derived of a row went with it: nothing is found there by texts, tags or findings. */
async function trashed(kind: Translated, query: Omit<ListQuery, 'limit'>, limit: number): Promise<string[]> {
  if (DERIVED.some((name) => query[name])) return []
  const rows = db.selectFrom(tableOf(kind)).select('_id').where('deletedAt', 'is not', null)
  const left = filtersOf(kind, { ...query, limit }).reduce((some, { where }) => some.where(where), rows)
  const found = await left
    .where('deletedAt', '>', lastGone())
    .orderBy('deletedAt', 'desc')
    .orderBy('_id', 'desc')
    .limit(limit)
    .execute()
  return found.map(({ _id }) => _id)
}

/** The rows that all filters leave. Kinds differ in columns that no filter names without knowing that they are there. */
function present(kind: Translated, filters: Filter[]) {
  const rows = db.selectFrom(tableOf(kind)).select('_id').where('deletedAt', 'is', null)
  return filters.reduce((some, { where }) => some.where(where), rows)
}

const tableOf = (kind: Translated) => TABLES[kind] as 'media'

type Rows = ReturnType<typeof present>

interface Stretch {
  offset: number
  limit: number
  fromEnd: boolean
}

/** A page of what no index has the ids of: of everything, or of what is checked row by row in the order of the list. */
async function pageInOrder(kind: Translated, query: ListQuery, filters: Filter[], most: number): Promise<Page> {
  const lacking = await keptLacking(kind, query, filters)
  if (lacking === 0) return { ids: [], total: 0 }
  const { offset, limit, fromEnd } = await stretchOf(kind, query, filters)
  const [rows, kept = lacking] = await Promise.all([
    pageOf(kind, query, filters, { offset, limit, fromEnd }),
    lacking === undefined ? countedBeside(kind, filters, most) : undefined,
  ])
  const ids = rows.map(({ _id }) => _id)
  const total = totalAfter(query, fromEnd ? undefined : ids.length) ?? kept ?? (await totalOf(kind, filters, most))
  return { ids: fromEnd ? ids.toReversed() : ids, total }
}

/**
 * How many match, where to ask for it costs less than to wait for the page, which may say it: it is kept, or leaves with
 * the page.
 */
function countedBeside(kind: Translated, filters: Filter[], most: number): Promise<number> | undefined {
  if (filters.length === 0) return countOf(kind)
  return engine === 'postgres' ? totalOf(kind, filters, most) : undefined
}

/** How many lack a title in a language, where nothing else is asked: what is kept of all and of those that have one. */
async function keptLacking(kind: Translated, { missing }: ListQuery, filters: Filter[]): Promise<number | undefined> {
  if (!missing || filters.length > 1) return undefined
  const [all, filled] = [totalCounter(kind), filledCounter(kind, canonical(missing) ?? missing)]
  const { [all]: count = 0, [filled]: has = 0 } = await countersOf(db, [all, filled])
  return Math.max(0, count - has)
}

/** Whether what lacks the language that a query asks for is kept: it is wanted, and everything is checked by these rules. */
async function isChecked({ missing }: ListQuery): Promise<boolean> {
  if (!missing) return false
  const [{ codes, wanted }, unfinished] = await Promise.all([rulesIn(db), checkProgress()])
  return !unfinished && codes.includes('missing') && wanted.includes(canonical(missing) ?? missing)
}

/** A page of what meets all filters; `known` says how many these are, where that is kept. Where they are few, they are known by then; of many, a page is near in the order of the list, or all are sorted. */
async function pageMeeting(
  kind: Translated,
  query: ListQuery,
  filters: Filter[],
  driver: Driver,
  { total: most, walked }: Bounds,
  known = 0,
): Promise<Page> {
  const met = known > most ? undefined : await meetingIds(kind, driver, most)
  const total = met?.length ?? known
  const { column, direction } = orderIn(query, false)
  const stretch = { column, direction, offset: offsetOf(query), limit: query.limit }
  const sorted = async (from: Driver) => {
    const rows = await sortedMeeting(kind, from, stretch)
    return { ids: rows.map(({ _id }) => _id), total }
  }
  if (met && total <= most) return sorted({ ids: idsListed(met), rest: [] })
  const last = await rowAt(kind, query, Math.min(walked, NEAR + SPARSE * (stretch.offset + stretch.limit)))
  const checks = filters.map(unindexed)
  const near = await pageOf(kind, query, last ? [...checks, last] : checks, { ...stretch, fromEnd: false })
  if (last && near.length < query.limit) return sorted(driver)
  return { ids: near.map(({ _id }) => _id), total }
}

/** That a row comes no later in the order of a list than another one, so many rows after its start; undefined where the list ends before. */
async function rowAt(kind: Translated, query: ListQuery, offset: number): Promise<Filter | undefined> {
  const { column, direction } = orderIn(query, false)
  const rows = inOrder(query, false, present(kind, [])).select(`${column} as by`).limit(1).offset(offset)
  const row = await rows.executeTakeFirst()
  const comparison = sql.raw(direction === 'asc' ? '<=' : '>=')
  return row && { where: sql<SqlBool>`(${sql.ref(column)}, "_id") ${comparison} (${row.by}, ${row._id})` }
}

/** The ids of a page. Without filters its statement is one of a few, and built once. */
function pageOf(kind: Translated, query: ListQuery, filters: Filter[], { offset, limit, fromEnd }: Stretch) {
  if (filters.length > 0) return inOrder(query, fromEnd, present(kind, filters)).limit(limit).offset(offset).execute()
  const isFirst = engine === 'postgres' && offset === 0 && limit <= FIRST
  const name = `${kind} ${orderOf(query)} ${fromEnd} ${isFirst}`
  const rows = () => inOrder(query, fromEnd, present(kind, []))
  const page =
    pages.get(name) ??
    statement((_, most: number, from: number) =>
      isFirst ? firstOf(rows()).limit(most) : rows().limit(most).offset(from),
    )
  pages.set(name, page)
  return page(db, limit, offset)
}

/** The start of a list. PostgreSQL sees that it is short, and keeps a plan for it, however long a page is asked for. */
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

/** A page of few ids: all that are left are read, and so counted. The best match comes first where that is asked for. */
async function pageAmong(kind: Translated, query: ListQuery, filters: Filter[], among: string[]): Promise<Page> {
  if (among.length === 0) return { ids: [], total: 0 }
  const { limit } = query
  const offset = offsetOf(query)
  const left = present(kind, filters).where(oneOf('_id', among))
  const isRanked = orderOf(query) === 'relevance' && (query.search ?? query.userId) !== undefined
  const rows = await (isRanked ? left : inOrder(query, false, left)).execute()
  const ids = isRanked
    ? rankedPage(among, rows, { offset, limit })
    : rows.slice(offset, offset + limit).map(({ _id }) => _id)
  return { ids, total: rows.length }
}

const offsetOf = ({ page = 1, limit, skip = (page - 1) * limit }: ListQuery): number => skip

/** Which rows make the page, and counted from which end: walking past half a million of them would take a while. */
async function stretchOf(kind: Translated, query: ListQuery, filters: Filter[]): Promise<Stretch> {
  const { limit } = query
  const offset = offsetOf(query)
  if (offset < DEEP || filters.length > 0) return { offset, limit, fromEnd: false }
  const left = Math.max(0, (await countOf(kind)) - offset)
  if (left > offset) return { offset, limit, fromEnd: false }
  return { offset: Math.max(0, left - limit), limit: Math.min(limit, left), fromEnd: true }
}

/** How many match, where the page that was just read says it: one that is not full is the last. */
function totalAfter(query: ListQuery, found: number | undefined): number | undefined {
  const offset = offsetOf(query)
  return found !== undefined && found < query.limit && (found > 0 || offset === 0) ? offset + found : undefined
}

/** Counted as far as `most` and one more. */
async function totalOf(kind: Translated, filters: Filter[], most: number): Promise<number> {
  const some = present(kind, filters).limit(most + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

async function countOf(kind: Translated): Promise<number> {
  const [count = 0] = Object.values(await countersOf(db, [totalCounter(kind)]))
  return count
}

/**
 * The few ids that a search, a user's last writes or a filter leave, best match first where there is a search. Undefined
 * when none of them leaves few.
 */
async function idsAmong(
  kind: Translated,
  query: ListQuery,
  filters: Filter[],
  most: number,
): Promise<string[] | undefined> {
  const { search: text, userId } = query
  const matches = text ? await search.ids(kind, text) : undefined
  if (userId) {
    const recent = await writtenBy(userId, kind)
    const own = new Set(recent)
    return matches ? matches.filter((id) => own.has(id)) : recent
  }
  if (matches) return matches
  for (const { ids } of filters) {
    const { rows } = ids ? await sql<{ id: string }>`${ids} LIMIT ${most + 1}`.execute(db) : { rows: undefined }
    if (rows && rows.length <= most) return [...new Set(rows.map(({ id }) => id))]
  }
  return undefined
}
