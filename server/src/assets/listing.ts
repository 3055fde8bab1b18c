import type { AssetQuery } from '@mokuroku/contract/assets'
import type { ExpressionBuilder } from 'kysely'
import type * as z from 'zod/mini'
import { countersOf } from '#ledger/counters.ts'
import { db } from '#database/db.ts'
import { rankedPage } from '#database/ranked.ts'
import type { Tables } from '#database/tables.ts'
import { search } from '#store/search'

/** Beyond this, how many assets the filters leave is not counted: it would be read through at every page. */
const MAX_COUNTED_ROWS = 10_001

export type List = z.output<typeof AssetQuery>

/** The ids of a part of the list, best match first while searching, else newest first, and how many there are. */
export async function pageOf(query: List): Promise<Part> {
  const among = await idsAmong(query)
  return among ? pageAmong(among, query) : pageOfAll(query)
}

/** The ids that search and relation leave, best match first when there is a text; undefined when neither is asked for. */
async function idsAmong({ search: text, relatedTo }: List): Promise<string[] | undefined> {
  const found = text ? await search.ids('Asset', text) : undefined
  if (!relatedTo) return found
  const links = await db
    .selectFrom('links')
    .select('toId')
    .where('fromId', '=', relatedTo.id)
    .where('field', '=', 'assets')
    .execute()
  const shown = links.map(({ toId }) => toId)
  const related = new Set(shown)
  return found ? found.filter((id) => related.has(id)) : shown
}

interface Part {
  ids: string[]
  total: number
  size?: number
}

/** Few enough to be read whole: which index serves their filters need not be guessed. */
async function pageAmong(among: string[], query: List): Promise<Part> {
  if (among.length === 0) return { ids: [], total: 0 }
  const rows = await db
    .selectFrom('assets')
    .select(['_id', 'size'])
    .where('_id', 'in', among)
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

/** Kept where nothing but the type is asked for; else counted as far as it is worth. */
async function totalOf(query: List): Promise<Omit<Part, 'ids'>> {
  const { type, status, isPublic, unused } = query
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

type Filters = Pick<List, 'type' | 'status'> & Partial<Pick<List, 'isPublic' | 'unused'>>

/** Which assets some filters leave. */
export function matching(where: ExpressionBuilder<Tables, 'assets'>, { type, status, isPublic, unused }: Filters) {
  const used = where.exists(where.selectFrom('links').select('links.toId').whereRef('links.toId', '=', 'assets._id'))
  return where.and([
    where('deletedAt', 'is', null),
    ...(type === undefined ? [] : [where('type', '=', type)]),
    ...(status === undefined ? [] : [where('status', '=', status)]),
    ...(isPublic === undefined ? [] : [where('isPublic', '=', isPublic)]),
    ...(unused === undefined ? [] : [unused ? where.not(used) : used]),
  ])
}
