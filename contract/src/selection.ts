import * as z from 'zod/mini'
import { Id, LongText, Ref, text, Title, translations } from './common.ts'

// What is picked from AI suggestions, and sent to be made a media.

const Texts = z._default(LongText, '')

/** A tag by id or by name; `en` is the language of a bare name. */
const TagChoice = z.union([
  text(200).check(z.trim(), z.minLength(1)),
  z.object({ _id: Id }),
  z.object({ name: Title }),
  z.object({ translations: translations({ name: Title, description: Texts }) }),
])

/** An id; an address of a picture that a source gave; '' for none. */
const CoverChoice = z._default(
  z.nullable(z.union([text(2000), z.object({ _id: Id }), z.object({ url: text(2000) })])),
  '',
)

/**
 * A character as a suggestion describes it. It is made with the media, also where the catalogue has one of that name:
 * only `existing`, the id of that one, links it instead. null says that it was asked, and that it is another.
 */
export const DescribedCharacter = z.object({
  translations: translations({ name: Title, description: Texts }),
  originalName: z.optional(z.nullable(Title)),
  tags: z._default(z.array(TagChoice).check(z.maxLength(100)), []),
  assets: z._default(z.array(Ref).check(z.maxLength(1000)), []),
  cover: CoverChoice,
  existing: z.optional(z.nullable(Id)),
})
export type DescribedCharacter = z.output<typeof DescribedCharacter>

/**
 * What was picked from the suggestions. Tags are matched to those that are there, by id or by name, and made where there
 * are none; characters are linked by id alone. What is left out is as 'Add New Media' has it.
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
  assets: z._default(z.array(Ref).check(z.maxLength(1000)), []),
  relatedMedia: z._default(z.array(Ref).check(z.maxLength(1000)), []),
})
export type SelectedMedia = z.output<typeof SelectedMedia>
