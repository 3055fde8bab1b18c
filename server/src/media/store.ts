import { orderOf } from '@mokuroku/contract/common'
import { type Media, MediaInput, type MediaQuery, type MediaRow } from '@mokuroku/contract/media'
import type { ExpressionBuilder } from 'kysely'
import type * as z from 'zod/mini'
import { countersOf } from '#ledger/counters.ts'
import { db, type Transaction } from '#database/db.ts'
import { ledger } from '#ledger/ledger.ts'
import { presentIds } from '#ledger/links.ts'
import { rankedPage } from '#database/ranked.ts'
import { titled } from '#ledger/texts.ts'
import type { MediaFields, Tables } from '#database/tables.ts'
import { assets } from '#store/assets'
import { writtenBy } from '#ledger/recentWrites.ts'
import { search } from '#store/search'
import { tags } from '#store/tags'

/** From this row on, it pays to see whether a page lies nearer to the end of the list than to its start. */
const DEEP = 1000

type List = z.output<typeof MediaQuery>

export const media = {
  ...ledger<MediaFields>({
    kind: 'Media',
    fields: Object.keys(MediaInput.shape),
    empty: { characters: [], tags: [], cover: '', assets: [], relatedMedia: [] },
    links: { characters: 'Character', tags: 'Tag', cover: 'Asset', assets: 'Asset', relatedMedia: 'Media' },
    mirrors: { characters: { kind: 'Character', field: 'mediaRefs' } },
    ...titled('Media'),
    hits: byIds,
    dependents: ratingsOf,
  }),

  /** A page of the list. First its ids, from an index alone; then the rows and what they point at, one query each. */
  list: async (query: List): Promise<MediaRow[]> => {
    const among = await idsAmong(query)
    if (among?.length === 0) return []
    const order = orderOf(query)
    if (among && order === 'relevance') return byIds(await pageByRank(query, among))
    const { offset, limit, fromEnd } = await stretchOf(query, among)
    const sortedBy = order.replace('-', '') as 'createdAt'
    const direction = order.startsWith('-') === fromEnd ? 'asc' : 'desc'
    const rows = await db
      .selectFrom('media')
      .select('_id')
      .where((column) => matching(column, query, among))
      .orderBy(sortedBy, direction)
      .orderBy('_id', direction)
      .limit(limit)
      .offset(offset)
      .execute()
    const ids = rows.map(({ _id }) => _id)
    return byIds(fromEnd ? ids.toReversed() : ids)
  },

  find: async (id: string): Promise<Media | undefined> => {
    const [row] = await rowsOf([id])
    if (!row) return undefined
    const [[found], relatedMedia, characters] = await Promise.all([
      shown([row]),
      byIds(row.relatedMedia),
      presentIds('Character', row.characters),
    ])
    return found && { ...found, ratingHistogram: row.ratingHistogram, relatedMedia, characterCount: characters.length }
  },

  byIds,
}

/** Media as lists show them, in the order of their ids; those in the trash are left out. */
async function byIds(ids: string[]): Promise<MediaRow[]> {
  return shown(await rowsOf(ids))
}

async function rowsOf(ids: string[]): Promise<Tables['media'][]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('media').selectAll().where('_id', 'in', ids).where('deletedAt', 'is', null).execute()
  const byId = new Map(rows.map((row) => [row._id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function shown(rows: Tables['media'][]): Promise<MediaRow[]> {
  const [tagOf, coverOf] = await Promise.all([
    tags.refs([...new Set(rows.flatMap((row) => row.tags))]),
    assets.refs(rows.map(({ cover }) => cover).filter(Boolean)),
  ])
  return rows.map((row) => ({
    ...row,
    createdBy: row.createdBy ?? undefined,
    tags: row.tags.flatMap((id) => tagOf.get(id) ?? []),
    cover: coverOf.get(row.cover) ?? '',
  }))
}

/** The ids of a page of what a search found, best match first: a thousand at most, so they are read whole. */
async function pageByRank(query: List, among: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('media')
    .select('_id')
    .where((column) => matching(column, query, among))
    .execute()
  return rankedPage(among, rows, { offset: (query.page - 1) * query.limit, limit: query.limit })
}

/** Which rows make the page, and counted from which end: walking past half a million of them would take a while. */
async function stretchOf(query: List, among: string[] | undefined) {
  const { page, limit } = query
  const offset = (page - 1) * limit
  const fromStart = { offset, limit, fromEnd: false }
  if (offset < DEEP || among || filtersOf(query).length > 0) return fromStart
  const { mediaCount = 0 } = await countersOf(db, ['mediaCount'])
  const left = Math.max(0, mediaCount - offset)
  if (left > offset) return fromStart
  return { offset: Math.max(0, left - limit), limit: Math.min(limit, left), fromEnd: true }
}

function matching(where: ExpressionBuilder<Tables, 'media'>, query: List, among: string[] | undefined) {
  return where.and([
    where('deletedAt', 'is', null),
    ...filtersOf(query).map(([column, value]) => where(column, '=', value)),
    ...(among ? [where('_id', 'in', among)] : []),
  ])
}

/** The columns that a query asks to be equal to a value. A filter is called by its column, but for the type. */
function filtersOf({ page: _, limit: __, sort: ___, search: ____, userId: _____, type: mediaType, ...others }: List) {
  const given = { mediaType, ...others }
  return Object.entries(given).filter(([, value]) => value !== undefined) as [keyof MediaFields, string | boolean][]
}

/** The ids that search text or user leave, best match first when there is a text; undefined when neither is asked for. */
async function idsAmong({ search: text, userId }: List): Promise<string[] | undefined> {
  const matches = text ? await search.ids('Media', text) : undefined
  if (!userId) return matches
  const recent = await writtenBy(userId, 'Media')
  if (!matches) return recent
  const own = new Set(recent)
  return matches.filter((id) => own.has(id))
}

/** The ratings of a media: those that are there, then those in the trash. */
async function ratingsOf(tx: Transaction, mediaId: string, limit: number) {
  const ratings = tx.selectFrom('ratings').select('_id').where('mediaId', '=', mediaId).limit(limit)
  const present = await ratings.where('deletedAt', 'is', null).execute()
  const found = present.length > 0 ? present : await ratings.where('deletedAt', 'is not', null).execute()
  return found.map(({ _id }) => ({ kind: 'Rating' as const, _id }))
}
