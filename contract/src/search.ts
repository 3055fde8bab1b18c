import * as z from 'zod/mini'
import { Cover, idsParam, text } from './common.ts'
import { CATALOGUE, kinds, SEARCHED_KINDS } from './kinds.ts'
import { get, post } from './route.ts'

/** What can be searched, by the plural of its kind. */
export const INDEXES = SEARCHED_KINDS.map((kind) => kinds[kind].plural)
export const MATCHES = ['exact', 'prefix', 'inside', 'typo'] as const

/** An entry as it is shown where something points at it. */
export const SearchEntry = z.object({
  _id: z.string(),
  translations: z.record(z.string(), z.record(z.string(), z.string())),
  originalTitle: z.optional(z.string()),
  cover: Cover,
  /** Of a media, by which those of one title are told apart. */
  mediaType: z.optional(z.string()),
  releaseDate: z.optional(z.string()),
  /** Of a media or a character: whoever writes what was shown here sends it along. */
  version: z.optional(z.number()),
})
export type SearchEntry = z.output<typeof SearchEntry>

export const Hit = z.object({
  ...SearchEntry.shape,
  /** Why it was found: the text that matched, its language ('' for the original title and aliases), and how well. */
  match: z.object({ text: z.string(), language: z.string(), kind: z.enum(MATCHES) }),
})
export type Hit = z.output<typeof Hit>

export const SearchQuery = z.object({
  q: z._default(text(200).check(z.trim()), ''),
  indexName: z._default(z.enum(INDEXES), 'media'),
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(50)), 10),
})

/** How many entries are asked for at once by their ids. */
export const MAX_ENTRIES = 100

export const searchApi = {
  /** Where nothing has all the words, what has most of them is answered, and the header X-Search-Words says `most`. */
  search: get('/api/search', {
    query: SearchQuery,
    response: z.object({ status: z.enum(['ready', 'indexing']), hits: z.array(Hit) }),
    cached: true,
  }),
  /** Entries by their ids; what is in the trash, or gone, is left out. */
  entries: get('/api/search/entries', {
    query: z.object({ indexName: z.enum(INDEXES), ids: idsParam(MAX_ENTRIES) }),
    response: z.object({ data: z.array(SearchEntry) }),
    cached: true,
  }),
}

/** `done` of `total` entities are indexed again while the status is 'indexing'. */
export const IndexState = z.object({
  status: z.enum(['ready', 'indexing']),
  done: z.number(),
  total: z.number(),
  /** Whether it is being rebuilt now. Indexing without that: the last rebuild did not come to its end. */
  isRunning: z.boolean(),
  /** How many entities of the catalogue can be found, by the plural of their kind. */
  entries: z.object(
    Object.fromEntries(CATALOGUE.map((kind) => [kinds[kind].plural, z.number()])) as Record<
      (typeof kinds)[(typeof CATALOGUE)[number]]['plural'],
      z.ZodMiniNumber
    >,
  ),
  /** When it was last rebuilt to the end. */
  rebuiltAt: z.nullable(z.string()),
})
export type IndexState = z.output<typeof IndexState>

export const indexApi = {
  state: get('/api/search/index', { response: IndexState }),
  /** Begins to rebuild the index, unless that is under way. */
  rebuild: post('/api/search/index', { response: IndexState }),
}
