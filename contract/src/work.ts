import * as z from 'zod/mini'
import { distinct, Id, LanguageTag, Moment, SuccessResponse, text, WholeNumber } from './common.ts'
import { TRANSLATED_KINDS } from './kinds.ts'
import { FilterTexts } from './lists.ts'
import { get, post } from './route.ts'

/** The maximum number of entities that one call reserves. */
export const MAX_CLAIM = 10
/** The maximum number of reservations per user; beyond it, the oldest are released. */
export const MAX_RESERVED = 30
/** How long a reservation lasts unless it is renewed by another claim, in milliseconds. */
export const RESERVED_MS = 5 * 60_000
/** The maximum number of suggestions in a response. */
export const MAX_SUGGESTIONS = 9

export const ClaimInput = z.strictObject({
  entityType: z.enum(TRANSLATED_KINDS),
  /** The filters of the kind's list, as in its URL. */
  filter: z._default(FilterTexts, {}),
  /** The id of the last entity that was done; the queue is in the order of ids. Omitted at the start of the queue. */
  after: z.optional(Id),
  limit: z._default(z.int().check(z.gte(1), z.lte(MAX_CLAIM)), 6),
})
export type ClaimInput = z.output<typeof ClaimInput>

/** The next entities of a queue, reserved for the caller until `until`. */
export const Claimed = z.object({
  ids: z.array(z.string()),
  /** The number of matches in total, done or not: exact up to 10,000, beyond that 10,001. */
  total: WholeNumber,
  /** ISO 8601 in UTC. */
  until: Moment,
})
export type Claimed = z.output<typeof Claimed>

/** Where a suggestion comes from: reference data, another entity, or the entity's own text in another script. */
const SUGGESTION_ORIGINS = ['reference', 'related', 'converted'] as const

export const WorkSuggestion = z.object({
  text: z.string(),
  origin: z.enum(SUGGESTION_ORIGINS),
  /** The name of the reference data, the title of the other entity, or the language that it was converted from. */
  source: z.string(),
  /** The web page of the source; for another entity, `entityId` is its id instead. */
  url: z.optional(z.string()),
  entityId: z.optional(z.string()),
})
export type WorkSuggestion = z.output<typeof WorkSuggestion>

export const workApi = {
  /**
   * Reserves the next entities of a queue for the caller, and renews reservations that the caller already has. Entities
   * reserved by others are skipped. Users who may edit only their own entities get only those.
   */
  claim: post('/api/work/claim', { body: ClaimInput, response: Claimed }),
  /** Releases the caller's reservations. Refused if one of them belongs to somebody else. */
  release: post('/api/work/release', {
    body: z.strictObject({ ids: z.array(Id).check(z.minLength(1), z.maxLength(MAX_RESERVED), distinct()) }),
    response: SuccessResponse,
  }),
}

export const suggestionsApi = {
  /** Suggests a text in a language, most likely first, without calling a model or another host. */
  list: get('/api/work/suggestions', {
    query: z.strictObject({
      entityType: z.enum(TRANSLATED_KINDS),
      entityId: Id,
      language: LanguageTag,
      /** One of the kind's text fields; the default is its title. */
      field: z.optional(text(64)),
    }),
    response: z.object({
      data: z.array(WorkSuggestion),
      /** Whether a source was too slow to be included; it may answer a later call. */
      late: z.boolean(),
    }),
  }),
}
