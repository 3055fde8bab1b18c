import * as z from 'zod/mini'
import { entityExports } from './exports.ts'
import { bulk } from './bulk.ts'
import {
  nullish,
  Cover,
  CoverRef,
  SuccessResponse,
  LongText,
  Names,
  page,
  Refs,
  sort,
  entityFields,
  Title,
  translations,
  WholeNumber,
} from './common.ts'
import { coverFilter, ENTITY_SORTS, entityFilters, tagFilters } from './lists.ts'
import { MediaRow } from './media.ts'
import { duplicatePairs, likelyDuplicates } from './duplicates.ts'
import { merging } from './merges.ts'
import { del, get, post, put } from './route.ts'
import { TagRef } from './tags.ts'
import { Uses } from './uses.ts'

export const CharacterInput = z.strictObject({
  translations: translations({ name: Title, description: LongText }),
  originalName: nullish(Title),
  aliases: nullish(Names),
  readings: nullish(Names),
  tags: z.optional(Refs),
  assets: z.optional(Refs),
  cover: z.optional(CoverRef),
  mediaRefs: z.optional(Refs),
})
export type CharacterInput = z.output<typeof CharacterInput>

export const Character = z.object({
  ...entityFields,
  translations: z.record(z.string(), z.object({ name: z.string(), description: z.string() })),
  originalName: z.optional(z.string()),
  /** Alternative names, also searched; absent if none were entered. */
  aliases: z.optional(z.array(z.string())),
  /** Readings of its Japanese names, in kana or romaji, as entered; derived ones exist in the search index only. */
  readings: z.optional(z.array(z.string())),
  tags: z.array(TagRef),
  assets: z.array(z.string()),
  cover: Cover,
  mediaRefs: z.array(z.string()),
  /** The number of media it appears in: those of `mediaRefs` that are not in the trash. */
  mediaCount: WholeNumber,
  createdBy: z.optional(z.string()),
})
export type Character = z.output<typeof Character>

export const CharacterQuery = z.strictObject({
  ...page(10),
  sort: sort(ENTITY_SORTS),
  ...entityFilters,
  ...tagFilters,
  ...coverFilter,
})

export const charactersApi = {
  list: get('/api/characters', {
    query: CharacterQuery,
    response: z.object({
      characters: z.array(Character),
      pagination: z.object({ total: WholeNumber, pages: WholeNumber, page: WholeNumber, limit: WholeNumber }),
    }),
    counted: true,
    cached: true,
  }),
  ofMedia: get('/api/characters/media/:id', {
    query: z.object(page(20)),
    response: z.array(Character),
    cached: true,
    redirects: true,
  }),
  duplicates: duplicatePairs('Character', Character),
  likely: likelyDuplicates('Character', Character, CharacterInput),
  find: get('/api/characters/:id', { response: Character, cached: true, redirects: true }),
  /** The media that a character appears in, as cards. */
  media: get('/api/characters/:id/media', {
    query: z.object(page(20)),
    response: z.array(MediaRow),
    cached: true,
    redirects: true,
  }),
  create: post('/api/characters', { body: CharacterInput, response: Character, status: 201, idempotent: true }),
  update: put('/api/characters/:id', { body: CharacterInput, response: Character, versioned: true }),
  remove: del('/api/characters/:id', { response: SuccessResponse, versioned: true }),
  restore: post('/api/characters/:id/restore', { response: Character }),
  bulk: bulk('Character', CharacterInput, CharacterQuery),
  ...entityExports('Character', CharacterInput, CharacterQuery),
  merge: merging('Character'),
  uses: get('/api/characters/:id/uses', { response: Uses, cached: true }),
}

/** The initial values of 'Add New Character'. */
export const newCharacter = () => ({
  translations: { en: { name: '', description: '' }, zh: { name: '', description: '' } },
  originalName: '',
  tags: [] as string[],
  assets: [] as string[],
  cover: '',
  mediaRefs: [] as string[],
})
