import { type Character, CharacterInput, CharacterQuery } from '@mokuroku/contract/characters'
import type * as z from 'zod/mini'
import { inList } from '#database/inList.ts'
import { db } from '#database/db.ts'
import { orderByIds } from '#lib/orderByIds.ts'
import type { Row } from '#ledger/definition.ts'
import { embeddedRows } from '#ledger/embedded.ts'
import { ledger } from '#ledger/ledger.ts'
import { presentIds } from '#ledger/links.ts'
import { redirectMerged } from '#ledger/merges.ts'
import type { CharacterFields, Tables } from '#database/tables.ts'
import { titled } from '#ledger/texts.ts'
import { assets } from '#store/assets'
import { lists } from '#store/lists'
import { tags } from '#store/tags'

export const characters = {
  ...ledger<CharacterFields>({
    kind: 'Character',
    fields: Object.keys(CharacterInput.shape),
    empty: { tags: [], assets: [], cover: '', mediaRefs: [] },
    links: { tags: 'Tag', assets: 'Asset', cover: 'Asset', mediaRefs: 'Media' },
    hidden: ['tags', 'cover'],
    listQuery: CharacterQuery,
    mirrors: { mediaRefs: { kind: 'Media', field: 'characters', requiresEdit: true } },
    ...titled('Character'),
    hits: async (ids) =>
      (await byIds(ids)).map(({ originalName, ...character }) => ({ ...character, originalTitle: originalName })),
  }),

  /** A page of the list, and the total, which comes from a counter if nothing is filtered. */
  list: async (query: z.output<typeof CharacterQuery>) => {
    const { ids, total } = await lists.page('Character', query)
    const { page, limit } = query
    const pagination = { total, pages: Math.ceil(total / limit), page, limit }
    return { answer: { characters: await byIds(ids), pagination }, total }
  },

  find: async (id: string, written?: Row<CharacterFields>): Promise<Character | undefined> =>
    (written ? await shown([written]) : await byIds([id]))[0],

  /** A page of the characters of a media item, in the order of the media. */
  ofMedia: async (mediaId: string, page: number, limit: number): Promise<Character[]> => {
    const media = await db
      .selectFrom('media')
      .select(['characters', 'deletedAt'])
      .where('_id', '=', mediaId)
      .executeTakeFirst()
    if (!media || media.deletedAt) await redirectMerged('Media', mediaId)
    const ids = await presentIds('Character', media?.characters ?? [])
    return byIds(ids.slice((page - 1) * limit, page * limit))
  },

  byIds,

  /** Characters as shown within another answer, by id; `ids` has an id as often as the character is shown. */
  embedded: async (ids: string[]): Promise<Map<string, Character>> => {
    const rows = await embeddedRows('Character', ids)
    const found = await shown([...rows.values()] as unknown as Tables['characters'][])
    return new Map(found.map((character) => [character._id, character]))
  },
}

/** Characters in the order of the ids; those in the trash are left out. */
async function byIds(ids: string[]): Promise<Character[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('characters')
    .selectAll()
    .where(inList('_id', ids))
    .where('deletedAt', 'is', null)
    .execute()
  return orderByIds(ids, await shown(rows))
}

/** Characters with their tags and covers. */
async function shown(rows: Tables['characters'][]): Promise<Character[]> {
  const [tagOf, coverOf, mediaCountOf] = await Promise.all([
    tags.refs(rows.flatMap((row) => row.tags)),
    assets.refs(rows.map(({ cover }) => cover).filter(Boolean)),
    mediaCounts(rows.map(({ _id }) => _id)),
  ])
  return rows.map((row) => ({
    ...row,
    createdBy: row.createdBy ?? undefined,
    tags: row.tags.flatMap((id) => tagOf.get(id) ?? []),
    cover: coverOf.get(row.cover) ?? ('' as const),
    mediaCount: mediaCountOf.get(row._id) ?? 0,
  }))
}

/** The number of media outside the trash for each character; characters in none are left out. */
async function mediaCounts(ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('links')
    .innerJoin('media', 'media._id', 'links.toId')
    .select(({ fn }) => ['links.fromId', fn.countAll<number>().as('count')])
    .where(inList('links.fromId', ids))
    .where('links.field', '=', 'mediaRefs')
    .where('media.deletedAt', 'is', null)
    .groupBy('links.fromId')
    .execute()
  return new Map(rows.map(({ fromId, count }) => [fromId, count]))
}
