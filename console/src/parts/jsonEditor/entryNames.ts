import { MAX_ENTRIES, searchApi } from '@mokuroku/contract/search'
import { call } from '#api/call.ts'
import { NAMELESS, nameOfHit } from '#parts/titles.ts'
import { createIdNames, type Index, type Name, type NameLookup } from './idNames.ts'

/** Names by id, for all kinds, in one language; looked up on demand. */
export const entryNames = (language: string) =>
  createIdNames(new Map(), {
    media: lookUp('media', language),
    characters: lookUp('characters', language),
    tags: lookUp('tags', language),
    assets: lookUp('assets', language),
  })

const lookUp =
  (indexName: Index, language: string): NameLookup =>
  async (all) => {
    const names = new Map<string, Name>(all.map((id) => [id, 'missing']))
    for (let at = 0; at < all.length; at += MAX_ENTRIES) {
      const ids = all.slice(at, at + MAX_ENTRIES).join(',')
      for (const choice of (await call(searchApi.entries, { query: { indexName, ids } })).data)
        names.set(choice._id, { ...(nameOfHit(choice, language) ?? NAMELESS), choice })
    }
    return names
  }
