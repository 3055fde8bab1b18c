import * as z from 'zod/mini'
import { Id, LanguageTag, SuccessResponse, text } from './common.ts'
import { TRANSLATED_KINDS } from './kinds.ts'
import { FilterTexts } from './lists.ts'
import { get, post } from './route.ts'

/** How many entities of a queue are reserved by one call at most. */
export const MAX_CLAIM = 10
/** How many a user has reserved at most: of more, those that were reserved first are free again. */
export const MAX_RESERVED = 30
/** For how long an entity stays reserved unless it is claimed again, in milliseconds. */
export const RESERVED_MS = 5 * 60_000
/** How many suggestions are answered at most. */
export const MAX_SUGGESTIONS = 9

export const ClaimInput = z.strictObject({
  entityType: z.enum(TRANSLATED_KINDS),
  /** The filters of the kind's list, as an address holds them. */
  filter: z._default(FilterTexts, {}),
  /** The last entity that was dealt with: the queue is in the order of ids. Left out, it is begun. */
  after: z.optional(Id),
  limit: z._default(z.int().check(z.gte(1), z.lte(MAX_CLAIM)), 6),
})
export type ClaimInput = z.output<typeof ClaimInput>

/** The next entities of a queue, which nobody else gets until `until`. */
export const Claimed = z.object({
  ids: z.array(z.string()),
  /** How many match in all, done with or not: exact up to 10,000, above it 10,001. */
  total: z.number(),
  /** An ISO 8601 moment in UTC. */
  until: z.string(),
})
export type Claimed = z.output<typeof Claimed>

/** Where a suggestion comes from: reference data, another entity of the catalogue, or the entity's text in another script. */
export const SUGGESTION_ORIGINS = ['reference', 'related', 'converted'] as const

export const WorkSuggestion = z.object({
  text: z.string(),
  origin: z.enum(SUGGESTION_ORIGINS),
  /** The name of the reference data, the title of the other entity, or the language that it is converted from. */
  source: z.string(),
  /** The page of the source: of another entity its id instead. */
  url: z.optional(z.string()),
  entityId: z.optional(z.string()),
})
export type WorkSuggestion = z.output<typeof WorkSuggestion>

export const workApi = {
  /**
   * Reserves the next entities of a queue for the caller, and those that the caller has already for another while. What
   * somebody else has reserved is passed over. Who may edit only what they created gets only that.
   */
  claim: post('/api/work/claim', { body: ClaimInput, response: Claimed }),
  /** Gives back what the caller has reserved. Refused when one of them is reserved by somebody else. */
  release: post('/api/work/release', {
    body: z.strictObject({ ids: z.array(Id).check(z.minLength(1), z.maxLength(MAX_RESERVED)) }),
    response: SuccessResponse,
  }),
}

export const suggestionsApi = {
  /** What a title or name could be in a language, the likeliest first, without asking a model or another host. */
  list: get('/api/work/suggestions', {
    query: z.strictObject({
      entityType: z.enum(TRANSLATED_KINDS),
      entityId: Id,
      language: LanguageTag,
      /** One of the kind's text fields; left out, its title. */
      field: z.optional(text(64)),
    }),
    response: z.object({
      data: z.array(WorkSuggestion),
      /** Whether a source was too slow to be in it, and may answer when it is asked again. */
      late: z.boolean(),
    }),
  }),
}
