import * as z from 'zod/mini'
import { Cover, text } from './common.ts'
import { get } from './route.ts'

export const INDEXES = ['media', 'characters', 'tags', 'assets', 'users'] as const
export const MATCHES = ['exact', 'prefix', 'inside', 'typo'] as const

export const Hit = z.object({
  _id: z.string(),
  translations: z.record(z.string(), z.record(z.string(), z.string())),
  originalTitle: z.optional(z.string()),
  cover: Cover,
  /** Why it was found: the text that matched, its language ('' for the original title), and how well. */
  match: z.object({ text: z.string(), language: z.string(), kind: z.enum(MATCHES) }),
})
export type Hit = z.output<typeof Hit>

export const SearchQuery = z.object({
  q: z._default(text(200).check(z.trim()), ''),
  indexName: z._default(z.enum(INDEXES), 'media'),
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(50)), 10),
})

export const searchApi = {
  search: get('/api/search', {
    query: SearchQuery,
    response: z.object({ status: z.enum(['ready', 'indexing']), hits: z.array(Hit) }),
  }),
}
