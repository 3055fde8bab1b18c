import { type Media, MediaInput, type MediaQuery, type MediaRow } from '@mokuroku/contract/media'
import type { ExpressionBuilder } from 'kysely'
import type * as z from 'zod/mini'
import { db } from '#lib/db.ts'
import { ledger } from '#lib/ledger.ts'
import { labelsOf, titleOf } from '#lib/texts.ts'
import type { MediaFields, Tables } from '#lib/tables.ts'
import { assets } from '#store/assets'
import { writtenBy } from '#store/history'
import { search } from '#store/search'
import { tags } from '#store/tags'

/** How many matches of a search a list can page through. */
const MOST_MATCHES = 1000

type List = z.output<typeof MediaQuery>

export const media = {
  ...ledger<MediaFields>({
    kind: 'Media',
    fields: Object.keys(MediaInput.shape),
    empty: { characters: [], tags: [], cover: '', assets: [], relatedMedia: [] },
    links: { characters: 'Character', tags: 'Tag', cover: 'Asset', assets: 'Asset', relatedMedia: 'Media' },
    mirrors: { characters: { kind: 'Character', field: 'mediaRefs' } },
    title: ({ translations, originalTitle }) => titleOf(translations, 'title', originalTitle),
    labels: ({ translations, originalTitle }) => labelsOf(translations, 'title', originalTitle),
  }),

  /** A page of the list. First its ids, from an index alone; then the rows and what they point at, one query each. */
  list: async (query: List): Promise<MediaRow[]> => {
    const among = await idsAmong(query)
    if (among?.length === 0) return []
    const sortedBy = query.sort.replace('-', '') as 'createdAt'
    const direction = query.sort.startsWith('-') ? 'desc' : 'asc'
    const ids = await db
      .selectFrom('media')
      .select('_id')
      .where((column) => matching(column, query, among))
      .orderBy(sortedBy, direction)
      .orderBy('_id', direction)
      .limit(query.limit)
      .offset((query.page - 1) * query.limit)
      .execute()
    return byIds(ids.map(({ _id }) => _id))
  },

  find: async (id: string): Promise<Media | undefined> => {
    const [found] = await byIds([id])
    if (!found) return undefined
    const row = await db.selectFrom('media').select('relatedMedia').where('_id', '=', id).executeTakeFirstOrThrow()
    return { ...found, relatedMedia: await byIds(row.relatedMedia) }
  },

  byIds,
}

/** Media as lists show them, in the order of their ids; those in the trash are left out. */
async function byIds(ids: string[]): Promise<MediaRow[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('media').selectAll().where('_id', 'in', ids).where('deletedAt', 'is', null).execute()
  const [tagOf, coverOf] = await Promise.all([
    tags.refs([...new Set(rows.flatMap((row) => row.tags))]),
    assets.refs(rows.map(({ cover }) => cover).filter(Boolean)),
  ])
  const shown = (row: Tables['media']): MediaRow => ({
    ...row,
    createdBy: row.createdBy ?? undefined,
    tags: row.tags.flatMap((id) => tagOf.get(id) ?? []),
    cover: coverOf.get(row.cover) ?? '',
  })
  const byId = new Map(rows.map((row) => [row._id, row]))
  return ids.flatMap((id) => byId.get(id) ?? []).map(shown)
}

function matching(where: ExpressionBuilder<Tables, 'media'>, query: List, among: string[] | undefined) {
  return where.and([
    where('deletedAt', 'is', null),
    ...(query.type === undefined ? [] : [where('mediaType', '=', query.type)]),
    ...(query.isOngoing === undefined ? [] : [where('isOngoing', '=', query.isOngoing)]),
    ...(among ? [where('_id', 'in', among)] : []),
  ])
}

/** The ids that search text or user leave; undefined when neither is asked for. */
async function idsAmong({ search: text, userId }: List): Promise<string[] | undefined> {
  const found = text ? await search.find('Media', text, MOST_MATCHES) : undefined
  const matches = found?.matches.map(({ entityId }) => entityId)
  if (!userId) return matches
  const recent = await writtenBy(userId, 'Media')
  return matches ? recent.filter((id) => matches.includes(id)) : recent
}
