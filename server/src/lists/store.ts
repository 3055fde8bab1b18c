import { canonical, orderOf } from '@mokuroku/contract/common'
import { kindOf, type Translated } from '@mokuroku/contract/kinds'
import { GENERAL_FILTERS, MAX_TOTAL, PAGING, type TAGS_MODES } from '@mokuroku/contract/lists'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { oneOf } from '#database/oneOf.ts'
import { db } from '#database/db.ts'
import { statement } from '#database/statement.ts'
import { rankedPage } from '#database/ranked.ts'
import { TABLES } from '#database/tables.ts'
import { countersOf, totalCounter } from '#ledger/counters.ts'
import { writtenBy } from '#ledger/recentWrites.ts'
import { currentIds } from '#ledger/merges.ts'
import { lastGone } from '#ledger/trash.ts'
import { search } from '#store/search'
import { matchingFound } from './foundIds.ts'

/** A filter that leaves so many ids or fewer is looked up first; one that leaves more is checked row by row. */
const MAX_NARROW = 2000
/** From this row on, it pays to see whether a page lies nearer to the end of the list than to its start. */
const DEEP = 1000

/** The query of a list, as its contract parsed it; what is not named here is a column that has to be equal. */
export interface ListQuery {
  limit: number
  /** 1-based; lists by `skip` say how many rows are before the page instead. */
  page?: number
  skip?: number
  sort?: string | undefined
  search?: string | undefined
  userId?: string | undefined
  finding?: string | undefined
  language?: string | undefined
  missing?: string | undefined
  createdBy?: string | undefined
  updatedSince?: string | undefined
  tags?: string | undefined
  tagsMode?: (typeof TAGS_MODES)[number] | undefined
  hasCover?: boolean | undefined
  from?: string | undefined
  to?: string | undefined
  ratingMin?: number | undefined
}
/** The filters that ask for what is derived of a row, which what is in the trash has not. */
const DERIVED = ['search', 'userId', 'finding', 'language', 'missing', 'tags'] as const
/** What is no column that has to be equal. */
export const NO_COLUMNS = new Set([...GENERAL_FILTERS, ...PAGING, 'ratingMin'])

/** One condition on a row. `ids`, where an index has them, selects the `id` of all that meet it. */
interface Filter {
  where: RawBuilder<SqlBool>
  ids?: RawBuilder<{ id: string }>
}

/** The ids of one page, and how many match in all: exact up to MAX_TOTAL, more than it above. */
export interface Page {
  ids: string[]
  total: number
}

export const lists = {
  /** A page of the list of a kind, in the order asked for, read from an index. What is in the trash is in no list. */
  page: async (kind: Translated, asked: ListQuery): Promise<Page> => {
    const query = await withCurrentTags(asked)
    const filters = filtersOf(kind, query)
    const among = await idsAmong(kind, query, filters)
    if (among) return pageAmong(kind, query, filters, among)
    const { offset, limit, fromEnd } = await stretchOf(kind, query, filters)
    // To ask for what is kept costs less than to wait for the page, which may say it.
    const counting = filters.length === 0 ? countOf(kind) : undefined
    const [rows, kept] = await Promise.all([pageOf(kind, query, filters, { offset, limit, fromEnd }), counting])
    const ids = rows.map(({ _id }) => _id)
    const total = totalAfter(query, fromEnd ? undefined : ids.length) ?? kept ?? (await totalOf(kind, filters))
    return { ids: fromEnd ? ids.toReversed() : ids, total }
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
    const among = await idsAmong(kind, { ...query, limit }, filters)
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

const tagIdsOf = ({ tags = '' }: Pick<ListQuery, 'tags'>): string[] => tags.split(',').filter(Boolean)

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

/** The ids of a page. Without filters its statement is one of a few, and built once. */
function pageOf(kind: Translated, query: ListQuery, filters: Filter[], { offset, limit, fromEnd }: Stretch) {
  if (filters.length > 0) return inOrder(query, fromEnd, present(kind, filters)).limit(limit).offset(offset).execute()
  const name = `${kind} ${orderOf(query)} ${fromEnd}`
  const page =
    pages.get(name) ??
    statement((_, most: number, from: number) => inOrder(query, fromEnd, present(kind, [])).limit(most).offset(from))
  pages.set(name, page)
  return page(db, limit, offset)
}

const pages = new Map<string, (from: typeof db, limit: number, offset: number) => Promise<{ _id: string }[]>>()

function inOrder(query: ListQuery, fromEnd: boolean, rows: Rows): Rows {
  const order = orderOf(query)
  const column = order === 'relevance' ? 'createdAt' : (order.replace('-', '') as 'createdAt')
  const direction = order.startsWith('-') === fromEnd ? 'asc' : 'desc'
  return rows.orderBy(column, direction).orderBy('_id', direction)
}

/** A page of few ids: all that are left are read, and so counted. The best match comes first where that is asked for. */
async function pageAmong(kind: Translated, query: ListQuery, filters: Filter[], among: string[]): Promise<Page> {
  if (among.length === 0) return { ids: [], total: 0 }
  const { limit } = query
  const offset = offsetOf(query)
  const left = present(kind, filters).where(oneOf('_id', among))
  const isRanked = orderOf(query) === 'relevance'
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

/** Counted as far as MAX_TOTAL and one more. */
async function totalOf(kind: Translated, filters: Filter[]): Promise<number> {
  const some = present(kind, filters).limit(MAX_TOTAL + 1)
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
async function idsAmong(kind: Translated, query: ListQuery, filters: Filter[]): Promise<string[] | undefined> {
  const { search: text, userId } = query
  const matches = text ? await search.ids(kind, text) : undefined
  if (userId) {
    const recent = await writtenBy(userId, kind)
    const own = new Set(recent)
    return matches ? matches.filter((id) => own.has(id)) : recent
  }
  if (matches) return matches
  for (const { ids } of filters) {
    const { rows } = ids ? await sql<{ id: string }>`${ids} LIMIT ${MAX_NARROW + 1}`.execute(db) : { rows: undefined }
    if (rows && rows.length <= MAX_NARROW) return [...new Set(rows.map(({ id }) => id))]
  }
  return undefined
}

function filtersOf(kind: Translated, query: ListQuery): Filter[] {
  const { finding, language, missing, createdBy, updatedSince, tagsMode = 'any', hasCover, ratingMin } = query
  const own = sql.ref(`${TABLES[kind]}._id`)
  /** Where another table has rows of the entity: those that meet `condition`. */
  const has = (table: string, id: string, of: string, condition: RawBuilder<SqlBool>): Filter => ({
    where: sql`EXISTS (SELECT 1 FROM ${sql.table(table)} "its" WHERE "its".${sql.ref(id)} = ${own} AND ${condition})`,
    ids: sql`SELECT ${sql.ref(id)} AS "id" FROM ${sql.table(table)} "its" WHERE ${sql.ref(of)} = ${kind} AND ${condition}`,
  })
  /** A condition on columns of the entity, which an index begins with. */
  const row = (condition: RawBuilder<SqlBool>): Filter => ({
    where: condition,
    ids: sql`SELECT "_id" AS "id" FROM ${sql.table(TABLES[kind])} WHERE ${condition} AND "deletedAt" IS NULL`,
  })
  const not = ({ where }: Filter): Filter => ({ where: sql`NOT ${where}` })
  const labelled = (tag: string) => has('labels', 'entityId', 'kind', inFamily('language', tag))
  const tagged = (ids: string[]) =>
    has('links', 'fromId', 'fromKind', sql`"its"."field" = 'tags' AND "its"."toId" IN (${sql.join(ids)})`)
  const found = (asked: string) => {
    const [code, about] = asked.split(':')
    const isCode = sql<SqlBool>`"its"."code" = ${code}`
    return has('findings', 'entityId', 'entityType', about ? sql`${isCode} AND ${inFamily('language', about)}` : isCode)
  }
  const tagIds = tagIdsOf(query)
  return [
    ...(finding ? [found(finding)] : []),
    ...(language ? [labelled(language)] : []),
    ...(missing ? [not(labelled(missing))] : []),
    ...(tagIds.length === 0 ? [] : taggedBy(tagsMode, tagIds, tagged, not)),
    ...(createdBy ? [row(sql`"createdBy" = ${createdBy}`)] : []),
    ...(updatedSince ? [row(sql`"updatedAt" >= ${updatedSince}`)] : []),
    ...(hasCover === true ? [row(sql`"cover" <> ''`)] : []),
    ...(hasCover === false ? [{ where: sql<SqlBool>`"cover" = ''` }] : []),
    ...(ratingMin === undefined ? [] : [row(sql`"averageRating" >= ${ratingMin} AND "ratingCount" > 0`)]),
    ...dayFiltersOf(kind, query).map(row),
    ...columnsOf(kind, query).map(([column, value]) => ({
      where: sql<SqlBool>`${sql.ref(column)} = ${typeof value === 'boolean' ? Number(value) : value}`,
    })),
  ]
}

function taggedBy(
  mode: (typeof TAGS_MODES)[number],
  ids: string[],
  tagged: (ids: string[]) => Filter,
  not: (filter: Filter) => Filter,
): Filter[] {
  if (mode === 'all') return ids.map((id) => tagged([id]))
  return [mode === 'none' ? not(tagged(ids)) : tagged(ids)]
}

/** Both days included; a moment sorts as its text does. */
function dayFiltersOf(kind: Translated, { from, to }: ListQuery): RawBuilder<SqlBool>[] {
  const { dateField } = kindOf(kind)
  if (!dateField) return []
  const after = (day: string) => new Date(Date.parse(day) + 24 * 3_600_000).toISOString()
  return [
    ...(from ? [sql<SqlBool>`${sql.ref(dateField)} >= ${from}`] : []),
    ...(to ? [sql<SqlBool>`${sql.ref(dateField)} < ${after(to)}`] : []),
  ]
}

/** The columns that a query asks to be equal to a value; the kind says which filters are called otherwise. */
function columnsOf(kind: Translated, query: ListQuery): [string, string | boolean][] {
  const { filters = {} } = kindOf(kind)
  return Object.entries(query as unknown as Record<string, string | boolean | undefined>).flatMap(([name, value]) =>
    value === undefined || NO_COLUMNS.has(name) ? [] : [[filters[name] ?? name, value]],
  )
}

/** A language, or what its family has: `zh` is `zh-Hans` too. */
function inFamily(column: string, language: string): RawBuilder<SqlBool> {
  const tag = canonical(language) ?? language
  // A hyphen comes right before the full stop.
  return sql`("its".${sql.ref(column)} = ${tag} OR ("its".${sql.ref(column)} >= ${`${tag}-`} AND "its".${sql.ref(column)} < ${`${tag}.`}))`
}
