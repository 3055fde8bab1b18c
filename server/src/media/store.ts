import { dayOf, sharedTitles } from '@mokuroku/contract/findings/duplicate'
import { type DuplicatePair, type Media, MediaInput, MediaQuery, type MediaRow } from '@mokuroku/contract/media'
import type * as z from 'zod/mini'
import { db, type Transaction } from '#database/db.ts'
import { ledger } from '#ledger/ledger.ts'
import { presentIds } from '#ledger/links.ts'
import { titled } from '#ledger/texts.ts'
import type { MediaFields, Tables } from '#database/tables.ts'
import { assets } from '#store/assets'
import { findings } from '#store/findings'
import { lists } from '#store/lists'
import { tags } from '#store/tags'

export const media = {
  ...ledger<MediaFields>({
    kind: 'Media',
    fields: Object.keys(MediaInput.shape),
    empty: { characters: [], tags: [], cover: '', assets: [], relatedMedia: [] },
    links: { characters: 'Character', tags: 'Tag', cover: 'Asset', assets: 'Asset', relatedMedia: 'Media' },
    listQuery: MediaQuery,
    mirrors: { characters: { kind: 'Character', field: 'mediaRefs' } },
    ...titled('Media'),
    hits: byIds,
    dependents: ratingsOf,
  }),

  /** A page of the list. First its ids, from an index alone; then the rows and what they point at, one query each. */
  list: async (query: z.output<typeof MediaQuery>): Promise<{ answer: MediaRow[]; total: number }> => {
    const { ids, total } = await lists.page('Media', query)
    return { answer: await byIds(ids), total }
  },

  /** A page of the pairs that are likely the same, and how many there are. */
  duplicates: async ({ page, limit }: { page: number; limit: number }) => {
    const { pairs, total } = await findings.duplicatePairs('Media', (page - 1) * limit, limit)
    const rows = new Map((await byIds([...new Set(pairs.flat())])).map((row) => [row._id, row]))
    return { answer: pairs.flatMap(([one, other]) => pairOf(rows.get(one), rows.get(other))), total }
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

function pairOf(first: MediaRow | undefined, second: MediaRow | undefined): DuplicatePair[] {
  if (!first || !second) return []
  const daysApart = Math.abs(dayOf(first.releaseDate) - dayOf(second.releaseDate))
  return [{ first, second, evidence: { titles: sharedTitles('Media', first, second), daysApart } }]
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

/** The ratings of a media: those that are there, then those in the trash. */
async function ratingsOf(tx: Transaction, mediaId: string, limit: number) {
  const ratings = tx.selectFrom('ratings').select('_id').where('mediaId', '=', mediaId).limit(limit)
  const present = await ratings.where('deletedAt', 'is', null).execute()
  const found = present.length > 0 ? present : await ratings.where('deletedAt', 'is not', null).execute()
  return found.map(({ _id }) => ({ kind: 'Rating' as const, _id }))
}
