import { searchApi } from '@mokuroku/contract/search'
import { call } from '#api/call.ts'
import { nameOfHit } from '#parts/titles.ts'
import type { Found } from './completion.ts'
import type { Index } from './idNames.ts'

/** Searches for entities by text, named in the console's language. No results if the search fails. */
export const searchIds =
  (language: string) =>
  async (indexName: Index, q: string): Promise<Found[]> => {
    try {
      const { hits } = await call(searchApi.search, { query: { q, indexName } })
      return hits.flatMap((hit) => {
        const name = nameOfHit(hit, language)
        return name ? { id: hit._id, ...name } : []
      })
    } catch (error) {
      console.error(error)
      return []
    }
  }
