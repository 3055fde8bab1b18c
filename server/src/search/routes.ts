import { kinds, SEARCHED_KINDS } from '@mokuroku/contract/kinds'
import { searchApi } from '@mokuroku/contract/search'
import { serve, withHeaders } from '#http/serve.ts'
import { definitionOf } from '#ledger/registry.ts'
import { search } from '#store/search'

const KIND_OF = Object.fromEntries(SEARCHED_KINDS.map((kind) => [kinds[kind].plural, kind]))

export const searchRoutes = serve(searchApi, {
  search: async ({ query: { q, indexName, limit }, actor }) => {
    const kind = KIND_OF[indexName]
    if (q === '' || !kind) return { status: 'ready' as const, hits: [] }
    const { hits, findableBy } = definitionOf(kind)
    const { status, matches, isPartial = false } = await search.find(kind, q, limit, findableBy?.(actor))
    const byId = new Map(matches.map(({ entityId, ...match }) => [entityId, match]))
    const shown = (await hits?.([...byId.keys()])) ?? []
    const answered = shown.flatMap((hit) => {
      const match = byId.get(hit._id)
      return match ? [{ ...hit, match }] : []
    })
    const answer = { status, hits: answered }
    return withHeaders(answer, {
      ...(isPartial && { 'x-search-words': 'most' }),
      // The status is cached for a second, and so may be out of date.
      ...(status === 'indexing' && { 'cache-control': 'no-store' }),
    })
  },
  entries: async ({ query: { indexName, ids } }) => {
    const kind = KIND_OF[indexName]
    return { data: (kind && (await definitionOf(kind).hits?.(ids))) ?? [] }
  },
})
