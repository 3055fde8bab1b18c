import type { AssetQuery } from '@mokuroku/contract/assets'
import type { ExpressionBuilder } from 'kysely'
import type * as z from 'zod/mini'
import { flagCounters } from '#ledger/assetFlags.ts'
import { countersOf } from '#ledger/counters.ts'
import { inList } from '#database/inList.ts'
import { db } from '#database/db.ts'
import { BOUNDS, type Filter, filtersOn } from '#database/intersection.ts'
import { rankedPage } from '#database/ranked.ts'
import type { Tables } from '#database/tables.ts'
import { search } from '#store/search'

/** Counting stops here: counting all matches would mean reading through them for every page. */
const MAX_COUNTED_ROWS = 10_001

export type List = z.output<typeof AssetQuery>

/** One page of asset ids with the total: best match first when searching, otherwise newest first. */
export async function pageOf(query: List): Promise<Part> {
  const among = await idsAmong(query)
  return among ? pageAmong(among, query) : pageOfAll(query)
}

/**
 * The ids that match the search and the relation, best match first if there is a search, or the few unused ones;
 * undefined if none of them is asked for.
 */
async function idsAmong({ search: text, relatedTo, ...query }: List): Promise<string[] | undefined> {
  const filters = filtersOf(query)
  if (!relatedTo && text) return search.ids('Asset', text, { filters })
  if (!relatedTo) return query.unused ? fewUnused() : undefined
  const links = await db
    .selectFrom('links')
    .select('toId')
    .where('fromId', '=', relatedTo.id)
    .where('field', '=', 'assets')
    .execute()
  const shown = links.map(({ toId }) => toId)
  if (!text) return shown
  const related = new Set(shown)
  const found = await search.ids('Asset', text, { filters: [...filters, { where: inList('_id', shown) }] })
  return found.filter((id) => related.has(id))
}

/** The ids of the unused assets; undefined if they are so many that a page of them is found soon in the list. */
async function fewUnused(): Promise<string[] | undefined> {
  const rows = await db
    .selectFrom('assetFlags')
    .select('assetId')
    .where('flag', '=', 'unused')
    .limit(BOUNDS.narrow + 1)
    .execute()
  return rows.length > BOUNDS.narrow ? undefined : rows.map(({ assetId }) => assetId)
}

interface Part {
  ids: string[]
  total: number
  size?: number
}

/** A page among given ids: few enough to read them all, so that it does not matter which index fits the filters. */
async function pageAmong(among: string[], query: List): Promise<Part> {
  if (among.length === 0) return { ids: [], total: 0 }
  const rows = await db
    .selectFrom('assets')
    .select(['_id', 'size'])
    .where(inList('_id', among))
    .where((column) => matching(column, query))
    .orderBy('createdAt', 'desc')
    .orderBy('_id', 'desc')
    .execute()
  const newestFirst = rows.map(({ _id }) => _id)
  const ids = rankedPage(query.search ? among : newestFirst, rows, { offset: query.skip, limit: query.limit })
  const size = query.unused && { size: rows.reduce((sum, row) => sum + row.size, 0) }
  return { ids, total: rows.length, ...size }
}

async function pageOfAll(query: List): Promise<Part> {
  const rows = await db
    .selectFrom('assets')
    .select('_id')
    .where((column) => matching(column, query))
    .orderBy('createdAt', 'desc')
    .orderBy('_id', 'desc')
    .limit(query.limit)
    .offset(query.skip)
    .execute()
  return { ids: rows.map(({ _id }) => _id), ...(await totalOf(query)) }
}

/** The total: from counters if only the type or the use is filtered; otherwise counted up to the limit. */
async function totalOf(query: List): Promise<Omit<Part, 'ids'>> {
  const { type, status, isPublic, unused } = query
  if (unused && type === undefined && status === undefined && isPublic === undefined) {
    const { count, size } = flagCounters('unused')
    const kept = await countersOf(db, [count, size])
    return { total: kept[count] ?? 0, size: kept[size] ?? 0 }
  }
  if (status === undefined && isPublic === undefined && unused === undefined) {
    const name = type ? `assetCount.${type}` : 'assetCount'
    return { total: (await countersOf(db, [name]))[name] ?? 0 }
  }
  const some = db
    .selectFrom('assets')
    .select('size')
    .where((column) => matching(column, query))
    .limit(MAX_COUNTED_ROWS)
  const { total, size } = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => [fn.countAll<number>().as('total'), fn.sum<number | null>('some.size').as('size')])
    .executeTakeFirstOrThrow()
  return { total, ...(unused && { size: size ?? 0 }) }
}

type Assets = ExpressionBuilder<Tables, 'assets'>
type Filters = Pick<List, 'type' | 'status'> & Partial<Pick<List, 'isPublic' | 'unused'>>

/** The condition for the given filters. */
export const matching = (where: Assets, filters: Filters) =>
  where.and([where('deletedAt', 'is', null), ...conditionsOf(where, filters)])

/** The given filters for a search, which finds nothing in the trash. */
export const filtersOf = (filters: Filters): Filter[] => filtersOn<'assets'>((where) => conditionsOf(where, filters))

const conditionsOf = (where: Assets, { type, status, isPublic, unused }: Filters) => [
  ...(type === undefined ? [] : [where('type', '=', type)]),
  ...(status === undefined ? [] : [where('status', '=', status)]),
  ...(isPublic === undefined ? [] : [where('isPublic', '=', isPublic)]),
  ...(unused === undefined ? [] : [unused ? isFlagged(where) : where.not(isFlagged(where))]),
]

/** Whether an asset is unused, by its flag: looking for its uses would take several queries of the links and accounts. */
const isFlagged = (where: Assets) =>
  where.exists(
    where
      .selectFrom('assetFlags')
      .select('assetFlags.assetId')
      .whereRef('assetFlags.assetId', '=', 'assets._id')
      .where('assetFlags.flag', '=', 'unused'),
  )
