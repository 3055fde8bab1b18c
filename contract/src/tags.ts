import * as z from 'zod/mini'
import { LongText, Ref, stored, Title, translations, text } from './common.ts'

export const TAG_TYPES = ['GENRE', 'THEME', 'CHARACTER_TRAIT', 'CONTENT_WARNING', 'CUSTOM'] as const
export const TAG_STATUSES = ['ACTIVE', 'DEPRECATED', 'HIDDEN'] as const

export const TagInput = z.strictObject({
  type: z.enum(TAG_TYPES),
  translations: translations({ name: Title, description: LongText }),
  icon: z.nullable(text(200)),
  color: z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Must be a hash followed by six hex digits')),
  parentTag: z.nullable(Ref),
  status: z.enum(TAG_STATUSES),
})
export type TagInput = z.output<typeof TagInput>

/** A tag as the entity that carries it shows it. */
export const TagRef = z.object({
  _id: z.string(),
  type: z.enum(TAG_TYPES),
  color: z.string(),
  translations: z.record(z.string(), z.object({ name: z.string(), description: z.string() })),
})
export type TagRef = z.output<typeof TagRef>

export const Tag = z.object({
  ...stored,
  ...TagRef.shape,
  icon: z.nullable(z.string()),
  parentTag: z.nullable(z.string()),
  status: z.enum(TAG_STATUSES),
  usageCount: z.number(),
  mediaCount: z.number(),
  characterCount: z.number(),
})
export type Tag = z.output<typeof Tag>
