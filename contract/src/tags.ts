import * as z from 'zod/mini'
import { entityExports } from './exports.ts'
import { bulk } from './bulk.ts'
import { SENTENCES } from './faults.ts'
import {
  entityFields,
  LongText,
  offset,
  Ref,
  sort,
  SuccessResponse,
  text,
  Title,
  translations,
  WholeNumber,
} from './common.ts'
import { ENTITY_SORTS, entityFilters } from './lists.ts'
import { duplicatePairs, likelyDuplicates } from './duplicates.ts'
import { merging } from './merges.ts'
import { del, get, post, put } from './route.ts'
import { Uses } from './uses.ts'

export const TAG_TYPES = ['GENRE', 'THEME', 'CHARACTER_TRAIT', 'CONTENT_WARNING', 'CUSTOM'] as const
const TAG_STATUSES = ['ACTIVE', 'DEPRECATED', 'HIDDEN'] as const

export const TagInput = z.strictObject({
  type: z.enum(TAG_TYPES),
  translations: translations({ name: Title, description: LongText }),
  icon: z.nullable(text(200)),
  color: z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, SENTENCES.color)),
  parentTag: z.nullable(Ref),
  status: z.enum(TAG_STATUSES),
})
export type TagInput = z.output<typeof TagInput>

/** A tag as included in the entities that have it. */
export const TagRef = z.object({
  _id: z.string(),
  type: z.enum(TAG_TYPES),
  color: z.string(),
  translations: z.record(z.string(), z.object({ name: z.string(), description: z.string() })),
})
export type TagRef = z.output<typeof TagRef>

export const Tag = z.object({
  ...entityFields,
  ...TagRef.shape,
  icon: z.nullable(z.string()),
  parentTag: z.nullable(z.string()),
  status: z.enum(TAG_STATUSES),
  usageCount: WholeNumber,
  mediaCount: WholeNumber,
  characterCount: WholeNumber,
  createdBy: z.optional(z.string()),
})
export type Tag = z.output<typeof Tag>

export const TagQuery = z.strictObject({
  ...offset(20),
  sort: sort(ENTITY_SORTS),
  ...entityFilters,
  type: z.optional(z.enum(TAG_TYPES)),
  status: z.optional(z.enum(TAG_STATUSES)),
})

export const tagsApi = {
  list: get('/api/tags', {
    query: TagQuery,
    response: z.object({ tags: z.array(Tag), total: WholeNumber }),
    counted: true,
    cached: true,
  }),
  duplicates: duplicatePairs('Tag', Tag),
  likely: likelyDuplicates('Tag', Tag, TagInput),
  find: get('/api/tags/:id', { response: Tag, cached: true, redirects: true }),
  create: post('/api/tags', { body: TagInput, response: Tag, status: 201, idempotent: true }),
  update: put('/api/tags/:id', { body: TagInput, response: Tag, versioned: true }),
  remove: del('/api/tags/:id', { response: SuccessResponse, versioned: true }),
  restore: post('/api/tags/:id/restore', { response: Tag }),
  bulk: bulk('Tag', TagInput, TagQuery),
  ...entityExports('Tag', TagInput, TagQuery),
  merge: merging('Tag'),
  uses: get('/api/tags/:id/uses', { response: Uses, cached: true }),
  /** Replaces this tag with another one wherever it is used, as one batch. */
  replace: post('/api/tags/:id/replace', {
    body: z.strictObject({ with: Ref }),
    response: z.object({ success: z.boolean(), count: WholeNumber }),
  }),
}

/** The initial values of a new tag. */
export const newTag = () => ({
  type: 'GENRE' as const,
  translations: { en: { name: '', description: '' }, zh: { name: '', description: '' } },
  icon: null,
  color: '#000000',
  parentTag: null,
  status: 'ACTIVE' as const,
})
