import * as z from 'zod/mini'
import { Cover, idsParam, Moment, text, WholeNumber, wholeParam } from './common.ts'
import { CATALOGUE, kinds, SEARCHED_KINDS } from './kinds.ts'
import { get, post } from './route.ts'

/** The search indexes, named by the plural of their kind. */
const INDEXES = SEARCHED_KINDS.map((kind) => kinds[kind].plural)
const MATCHES = ['exact', 'prefix', 'inside', 'typo'] as const

/** An entity as displayed where others refer to it. */
export const SearchEntry = z.object({
  _id: z.string(),
  translations: z.record(z.string(), z.record(z.string(), z.string())),
  originalTitle: z.optional(z.string()),
  cover: Cover,
  /** Of media only, to distinguish those with the same title. */
  mediaType: z.optional(z.string()),
  releaseDate: z.optional(Moment),
  /** Of media and characters: clients that edit an entity from this response send it back. */
  version: z.optional(WholeNumber),
})
export type SearchEntry = z.output<typeof SearchEntry>

export const Hit = z.object({
  ...SearchEntry.shape,
  /** Why it matched: the matching text, its language ('' for the original title and aliases), and the kind of match. */
  match: z.object({ text: z.string(), language: z.string(), kind: z.enum(MATCHES) }),
})
export type Hit = z.output<typeof Hit>

export const SearchQuery = z.object({
  q: z._default(text(200).check(z.trim()), ''),
  indexName: z._default(z.enum(INDEXES), 'media'),
  limit: z.prefault(wholeParam(1, 50), 10),
})

/** The maximum number of ids in one call of `entries`. */
export const MAX_ENTRIES = 100

export const searchApi = {
  /** If nothing matches all words, returns entries that match most of them, with the header `X-Search-Words: most`. */
  search: get('/api/search', {
    query: SearchQuery,
    response: z.object({ status: z.enum(['ready', 'indexing']), hits: z.array(Hit) }),
    cached: true,
  }),
  /** Entries by ids; those that are in the trash or deleted are omitted. */
  entries: get('/api/search/entries', {
    query: z.object({ indexName: z.enum(INDEXES), ids: idsParam(MAX_ENTRIES) }),
    response: z.object({ data: z.array(SearchEntry) }),
    cached: true,
  }),
}

/** The state of the search index. While the status is 'indexing', `done` of `total` entities have been reindexed. */
export const IndexState = z.object({
  status: z.enum(['ready', 'indexing']),
  done: WholeNumber,
  total: WholeNumber,
  /** Whether a rebuild is running. If false while the status is 'indexing', the last rebuild did not finish. */
  isRunning: z.boolean(),
  /** The number of indexed entities, by the plural of their kind. */
  entries: z.object(
    Object.fromEntries(CATALOGUE.map((kind) => [kinds[kind].plural, WholeNumber])) as Record<
      (typeof kinds)[(typeof CATALOGUE)[number]]['plural'],
      z.ZodMiniNumber
    >,
  ),
  /** When the last rebuild finished. */
  rebuiltAt: z.nullable(Moment),
})
export type IndexState = z.output<typeof IndexState>

export const indexApi = {
  state: get('/api/search/index', { response: IndexState }),
  /** Starts to rebuild the index, unless a rebuild is running. */
  rebuild: post('/api/search/index', { response: IndexState }),
}
