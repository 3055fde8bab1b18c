import { searchApi } from '@mokuroku/contract/search'
import { call } from '#api/call.ts'
import { translated, guessLanguage } from '#lib/text.ts'
import type { Found } from './completion.ts'
import type { Index } from './idNames.ts'

/** Finds what a text in an id's place could mean, named in the console's language. Silent when the search fails. */
export const searchIds =
  (language: string) =>
  async (indexName: Index, q: string): Promise<Found[]> => {
    try {
      const { hits } = await call(searchApi.search, { query: { q, indexName } })
      return hits.flatMap(({ _id: id, translations, originalTitle: text }) => {
        const name = translated(translations, 'title', language) ?? translated(translations, 'name', language)
        if (name) return { id, ...name }
        return text ? { id, text, lang: guessLanguage(text) } : []
      })
    } catch (error) {
      console.error(error)
      return []
    }
  }
