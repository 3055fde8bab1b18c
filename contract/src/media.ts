import * as z from 'zod/mini'
import { entityExports } from './exports.ts'
import { bulk } from './bulk.ts'
import {
  Moment,
  nullish,
  Cover,
  CoverRef,
  SuccessResponse,
  BooleanParam,
  LongText,
  Names,
  Timestamp,
  page,
  Refs,
  sort,
  entityFields,
  Title,
  translations,
  WholeNumber,
} from './common.ts'
import { duplicatePairs, likelyDuplicates } from './duplicates.ts'
import { coverFilter, dayFilters, entityFilters, ratingFilter, tagFilters } from './lists.ts'
import { merging } from './merges.ts'
import { del, get, post, put } from './route.ts'
import { TagRef } from './tags.ts'
import { Uses } from './uses.ts'

export const MEDIA_TYPES = ['ANIME', 'MANGA', 'NOVEL'] as const
export const MEDIA_SORTS = ['createdAt', 'updatedAt', 'releaseDate', 'averageRating'] as const
export type MediaSort = NonNullable<z.output<typeof MediaQuery>['sort']>

const MediaText = { title: Title, description: LongText }
const Amount = z.number().check(z.gte(0), z.lte(1_000_000))

export const MediaInput = z.strictObject({
  mediaType: z.enum(MEDIA_TYPES),
  translations: translations(MediaText),
  originalTitle: nullish(Title),
  aliases: nullish(Names),
  readings: nullish(Names),
  isOngoing: z.boolean(),
  releaseDate: Timestamp,
  duration: nullish(Amount),
  episodes: nullish(Amount),
  characters: z.optional(Refs),
  tags: z.optional(Refs),
  cover: z.optional(CoverRef),
  assets: z.optional(Refs),
  relatedMedia: z.optional(Refs),
})
export type MediaInput = z.output<typeof MediaInput>

const fields = {
  ...entityFields,
  mediaType: z.enum(MEDIA_TYPES),
  translations: z.record(z.string(), z.object({ title: z.string(), description: z.string() })),
  originalTitle: z.optional(z.string()),
  /** Alternative titles, also searched; absent if none were entered. */
  aliases: z.optional(z.array(z.string())),
  /** Readings of its Japanese titles, in kana or romaji, as entered; derived ones exist in the search index only. */
  readings: z.optional(z.array(z.string())),
  isOngoing: z.boolean(),
  releaseDate: Moment,
  duration: z.optional(z.number()),
  episodes: z.optional(z.number()),
  averageRating: z.number(),
  ratingCount: WholeNumber,
  characters: z.array(z.string()),
  tags: z.array(TagRef),
  cover: Cover,
  assets: z.array(z.string()),
  createdBy: z.optional(z.string()),
}

/** A media item as displayed on cards and in lists. */
export const MediaRow = z.object(fields)
export type MediaRow = z.output<typeof MediaRow>

export const Media = z.object({
  ...fields,
  relatedMedia: z.array(MediaRow),
  /** The number of its characters that are not in the trash. */
  characterCount: WholeNumber,
  /** The number of ratings for each score 0, 1, … 10, rounded half up. */
  ratingHistogram: z.array(z.number()),
})
export type Media = z.output<typeof Media>

export const MediaQuery = z.strictObject({
  ...page(10),
  sort: sort(MEDIA_SORTS),
  ...entityFilters,
  ...tagFilters,
  ...coverFilter,
  ...dayFilters,
  ...ratingFilter,
  type: z.optional(z.enum(MEDIA_TYPES)),
  isOngoing: z.optional(BooleanParam),
})

export const mediaApi = {
  list: get('/api/media', { query: MediaQuery, response: z.array(MediaRow), counted: true, cached: true }),
  duplicates: duplicatePairs('Media', MediaRow),
  likely: likelyDuplicates('Media', MediaRow, MediaInput),
  find: get('/api/media/:id', { response: Media, cached: true, redirects: true }),
  create: post('/api/media', { body: MediaInput, response: Media, status: 201, idempotent: true }),
  update: put('/api/media/:id', { body: MediaInput, response: Media, versioned: true }),
  remove: del('/api/media/:id', { response: SuccessResponse, versioned: true }),
  restore: post('/api/media/:id/restore', { response: Media }),
  bulk: bulk('Media', MediaInput, MediaQuery),
  ...entityExports('Media', MediaInput, MediaQuery),
  merge: merging('Media'),
  uses: get('/api/media/:id/uses', { response: Uses, cached: true }),
}

/** The initial values of 'Add New Media'. `now` is an ISO 8601 timestamp. */
export const newMedia = (now: string) => ({
  mediaType: 'ANIME' as const,
  translations: { en: { title: '', description: '' }, zh: { title: '', description: '' } },
  originalTitle: '',
  isOngoing: true,
  releaseDate: now,
  duration: 0,
  episodes: 0,
  characters: [] as string[],
  tags: [] as string[],
  cover: '',
  assets: [] as string[],
})
