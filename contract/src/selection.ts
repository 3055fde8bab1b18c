import * as z from 'zod/mini'
import { Id, LongText, Refs, text, Title, translations } from './common.ts'
import { SENTENCES } from './faults.ts'
import type { MediaSuggestion } from './suggestion.ts'

// What the user picked from AI suggestions, sent to the server to create a media item.

const Texts = z._default(LongText, '')

/** The maximum number of different tags given by name, including those of its characters. */
export const MAX_NAMED_TAGS = 100

/** A tag by id or by name; `en` is the language of a bare name. */
const TagChoice = z.union([
  text(200).check(z.trim(), z.minLength(1)),
  z.object({ _id: Id }),
  z.object({ name: Title }),
  z.object({ translations: translations({ name: Title, description: Texts }) }),
])

const IdOrUrl = text(2000).check(
  z.refine((value) => !/^https?:/i.test(value) || URL.canParse(value), SENTENCES.address),
)
/** The id of an asset, the URL of an image from a source, or '' for none. */
const CoverChoice = z._default(z.nullable(z.union([IdOrUrl, z.object({ _id: Id }), z.object({ url: IdOrUrl })])), '')

/**
 * A character as described by a suggestion. It is created with the media, even if the catalogue has a character of that
 * name, unless `existing` is the id of a character to link instead. null: the user said that it is a different one.
 */
export const DescribedCharacter = z.object({
  translations: translations({ name: Title, description: Texts }),
  originalName: z.optional(z.nullable(Title)),
  tags: z._default(z.array(TagChoice).check(z.maxLength(100)), []),
  assets: z._default(Refs, []),
  cover: CoverChoice,
  existing: z.optional(z.nullable(Id)),
})
export type DescribedCharacter = z.output<typeof DescribedCharacter>

/**
 * The picked suggestion. Tags are matched with existing ones by id or name, or else created; characters are linked by
 * id only. Omitted fields get the defaults of 'Add New Media'.
 */
export const SelectedMedia = z.object({
  mediaType: z.optional(z.unknown()),
  translations: translations({ title: Title, description: Texts }),
  originalTitle: z.optional(z.unknown()),
  isOngoing: z.optional(z.unknown()),
  releaseDate: z.optional(z.unknown()),
  duration: z.optional(z.unknown()),
  episodes: z.optional(z.unknown()),
  characters: z._default(z.array(z.union([Id, z.object({ _id: Id }), DescribedCharacter])).check(z.maxLength(100)), []),
  tags: z._default(z.array(TagChoice).check(z.maxLength(100)), []),
  cover: CoverChoice,
  assets: z._default(Refs, []),
  relatedMedia: z._default(Refs, []),
} satisfies Record<keyof MediaSuggestion | 'relatedMedia', z.ZodMiniType>)
export type SelectedMedia = z.output<typeof SelectedMedia>
