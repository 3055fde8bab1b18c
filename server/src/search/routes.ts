import { type Hit, type INDEXES, searchApi } from '@mokuroku/contract/search'
import { serve } from '#http/serve.ts'
import type { Kind } from '#database/tables.ts'
import { assets } from '#store/assets'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { search } from '#store/search'
import { tags } from '#store/tags'
import { users } from '#store/users'

type Index = (typeof INDEXES)[number]
type Shown = Omit<Hit, 'match'>

const KIND_OF: Record<Index, Kind> = {
  media: 'Media',
  characters: 'Character',
  tags: 'Tag',
  assets: 'Asset',
  users: 'User',
}

/** How the hits of an index are read: in the order of the ids, without those that are gone. */
const READ: Record<Index, (ids: string[]) => Promise<Shown[]>> = {
  media: (ids) => media.byIds(ids),
  characters: async (ids) =>
    (await characters.byIds(ids)).map(({ originalName, ...character }) => ({
      ...character,
      originalTitle: originalName,
    })),
  tags: async (ids) => {
    const found = await tags.refs(ids)
    return ids.flatMap((id) => found.get(id) ?? []).map((tag) => ({ ...tag, cover: '' as const }))
  },
  assets: async (ids) =>
    (await assets.byIds(ids)).map(({ _id, filename, type, url, thumbnail }) => ({
      _id,
      translations: {},
      originalTitle: filename,
      cover: type === 'IMAGE' ? { _id, url, thumbnail } : ('' as const),
    })),
  users: (ids) => users.hits(ids),
}

export const searchRoutes = serve(searchApi, {
  search: async ({ query: { q, indexName, limit }, actor }) => {
    if (q === '') return { status: 'ready' as const, hits: [] }
    const { status, matches } = await search.find(
      KIND_OF[indexName],
      q,
      limit,
      indexName === 'users' ? users.seenBy(actor) : undefined,
    )
    const byId = new Map(matches.map(({ entityId, ...match }) => [entityId, match]))
    const shown = await READ[indexName]([...byId.keys()])
    return {
      status,
      hits: shown.flatMap((hit) => {
        const match = byId.get(hit._id)
        return match ? [{ ...hit, match }] : []
      }),
    }
  },
})
