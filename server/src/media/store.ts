import { type Media, MediaInput, MediaQuery, type MediaRow } from '@mokuroku/contract/media'
import type * as z from 'zod/mini'
import { inList } from '#database/inList.ts'
import { db, type Transaction } from '#database/db.ts'
import { statement } from '#database/statement.ts'
import { orderByIds } from '#lib/orderByIds.ts'
import type { Row } from '#ledger/definition.ts'
import { embeddedRows } from '#ledger/embedded.ts'
import { ledger } from '#ledger/ledger.ts'
import { presentIds } from '#ledger/links.ts'
import { titled } from '#ledger/texts.ts'
import type { MediaFields, Tables } from '#database/tables.ts'
import { assets } from '#store/assets'
import { lists } from '#store/lists'
import { ratings } from '#store/ratings'
import { tags } from '#store/tags'

export const media = {
  ...ledger<MediaFields>({
    kind: 'Media',
    fields: Object.keys(MediaInput.shape),
    empty: { isOngoing: false, characters: [], tags: [], cover: '', assets: [], relatedMedia: [] },
    links: { characters: 'Character', tags: 'Tag', cover: 'Asset', assets: 'Asset', relatedMedia: 'Media' },
    hidden: ['tags', 'cover', 'relatedMedia'],
    listQuery: MediaQuery,
    mirrors: { characters: { kind: 'Character', field: 'mediaRefs' } },
    ...titled('Media'),
    hits: byIds,
    dependents: ratingsOf,
    adopt: ratings.moveTo,
  }),

  /**
   * A page of the list: first its ids, from an index only, then the rows and what they refer to, with one query each.
   */
  list: async (query: z.output<typeof MediaQuery>): Promise<{ answer: MediaRow[]; total: number }> => {
    const { ids, total } = await lists.page('Media', query)
    return { answer: await byIds(ids), total }
  },

  find: async (id: string, written?: Row<MediaFields>): Promise<Media | undefined> => {
    const row = (written as Tables['media'] | undefined) ?? (await rowsOf([id]))[0]
    if (!row) return undefined
    const [[found], relatedMedia, characters] = await Promise.all([
      shown([row]),
      embedded(row.relatedMedia).then((related) => orderByIds(row.relatedMedia, [...related.values()])),
      presentIds('Character', row.characters),
    ])
    return found && { ...found, ratingHistogram: row.ratingHistogram, relatedMedia, characterCount: characters.length }
  },

  byIds,
  embedded,
}

/** Media as in lists, in the order of the ids; those in the trash are left out. */
async function byIds(ids: string[]): Promise<MediaRow[]> {
  return shown(await rowsOf(ids))
}

/** Media as shown within another answer, by id; `ids` has an id as often as the media item is shown. */
async function embedded(ids: string[]): Promise<Map<string, MediaRow>> {
  const rows = await embeddedRows('Media', ids)
  const found = await shown([...rows.values()] as unknown as Tables['media'][])
  return new Map(found.map((row) => [row._id, row]))
}

async function rowsOf(ids: string[]): Promise<Tables['media'][]> {
  if (ids.length === 0) return []
  return orderByIds(ids, await presentMedia(db, ids))
}

const presentMedia = statement((from, ids: string[]) =>
  from.selectFrom('media').selectAll().where(inList('_id', ids)).where('deletedAt', 'is', null),
)

async function shown(rows: Tables['media'][]): Promise<MediaRow[]> {
  const [tagOf, coverOf] = await Promise.all([
    tags.refs(rows.flatMap((row) => row.tags)),
    assets.refs(rows.map(({ cover }) => cover).filter(Boolean)),
  ])
  return rows.map((row) => ({
    ...row,
    createdBy: row.createdBy ?? undefined,
    tags: row.tags.flatMap((id) => tagOf.get(id) ?? []),
    cover: coverOf.get(row.cover) ?? '',
  }))
}

/** The ratings of a media item: those outside the trash, or if there are none, those in it. */
async function ratingsOf(tx: Transaction, mediaId: string, limit: number) {
  const all = tx.selectFrom('ratings').select('_id').where('mediaId', '=', mediaId).limit(limit)
  const present = await all.where('deletedAt', 'is', null).execute()
  const found = present.length > 0 ? present : await all.where('deletedAt', 'is not', null).execute()
  return found.map(({ _id }) => ({ kind: 'Rating' as const, _id }))
}
