import * as z from 'zod/mini'
import { clearable, Cover, CoverRef, LongText, page, Refs, stored, Title, translations } from './common.ts'
import { get } from './route.ts'

export const CharacterInput = z.strictObject({
  translations: translations({ name: Title, description: LongText }),
  originalName: clearable(Title),
  tags: z.optional(Refs),
  assets: z.optional(Refs),
  cover: z.optional(CoverRef),
})
export type CharacterInput = z.output<typeof CharacterInput>

export const Character = z.object({
  ...stored,
  translations: z.record(z.string(), z.object({ name: z.string(), description: z.string() })),
  originalName: z.optional(z.string()),
  tags: z.array(z.string()),
  assets: z.array(z.string()),
  cover: Cover,
})
export type Character = z.output<typeof Character>

export const charactersApi = {
  ofMedia: get('/api/characters/media/:id', { query: z.object(page(20)), response: z.array(Character) }),
}
