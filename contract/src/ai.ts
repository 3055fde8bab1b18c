import * as z from 'zod/mini'
import { Character } from './characters.ts'
import { SENTENCES } from './faults.ts'
import { BooleanParam, LongText, Ref, text, Title, translations, Version } from './common.ts'
import { Media } from './media.ts'
import { AiRun, UnavailableSource } from './provenance.ts'
import { get, post, put } from './route.ts'
import { BaseUrl } from './settings.ts'
import { DescribedCharacter, SelectedMedia } from './selection.ts'
import { MediaSuggestion, StandardizedItem, SuggestedTexts } from './suggestion.ts'

// The AI calls (docs/behaviour.md#ai). An answer streams as it is made; its last event says what it held,
// checked by the schemas of suggestion.ts, and where it comes from. `run._id` goes back with whatever is saved of it
// (`call(…, { runs })`), so that the ledger knows.

const Chunk = z.object({ event: z.literal('chunk'), data: z.object({ content: z.string() }) })
const End = z.object({ event: z.literal('end'), data: z.object({}) })

/** `result` is null where the answer holds none: the topic is unknown, or, as `problem` then says, it cannot be read. */
const completed = <T extends z.ZodMiniType>(result: T) =>
  z.object({ run: AiRun, result: z.nullable(result), problem: z.optional(z.string()) })

const complete = <T extends z.ZodMiniObject>(data: T) => z.object({ event: z.literal('complete'), data })

/** `isKnown`: whether the reference data or this catalogue know what is enhanced. A model may know more than they do. */
export const EnhanceResult = z.extend(completed(SuggestedTexts), { isKnown: z.boolean() })
export type EnhanceResult = z.output<typeof EnhanceResult>

export const SuggestResult = z.extend(completed(MediaSuggestion), {
  /** Who says what each field holds: AniList, bangumi-data, this catalogue, the model. The one it is taken from is first. */
  origins: z.record(z.string(), z.array(z.string())),
  /** The sources that could not be asked: the answer is without what they know. */
  unavailable: z.array(UnavailableSource),
})
export type SuggestResult = z.output<typeof SuggestResult>

/** One line of the AI search service: an address of a picture, a part of the answer, or why there is no more of it. */
export const SearchLine = z.union([
  z.object({
    type: z.literal('image'),
    data: z.string(),
    /** What it shows, where it was found, and where this server shows it: pages may not load it from elsewhere. */
    title: z.string(),
    source: z.string(),
    preview: z.string(),
  }),
  /** The last one is empty, and says what the answer held. */
  z.object({ type: z.literal('answer'), data: z.string(), complete: z.optional(SuggestResult) }),
  z.object({ type: z.literal('error'), data: z.string(), code: z.string(), retryAfter: z.optional(z.number()) }),
])
export type SearchLine = z.output<typeof SearchLine>

/** Why a media has no result: 'unknown' where the sources know nothing about it, 'faulty' where the answer is at fault. */
const Problem = z.object({ id: z.string(), message: z.string(), code: z.enum(['unknown', 'faulty']) })

/** The last line says what was standardized, also of an answer that failed on the way, and what was not. */
export const StandardizeLine = z.union([
  z.object({ content: z.string() }),
  z.object({
    status: z.literal('completed'),
    run: AiRun,
    result: z.array(StandardizedItem),
    errors: z.array(Problem),
  }),
  z.object({
    status: z.literal('failed'),
    message: z.string(),
    code: z.string(),
    retryAfter: z.optional(z.number()),
    run: AiRun,
    result: z.array(StandardizedItem),
    errors: z.array(Problem),
  }),
])
export type StandardizeLine = z.output<typeof StandardizeLine>

const Json = z.transform((value: unknown, context) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    context.issues.push({ code: 'custom', input: value, message: SENTENCES.jsonFormat })
    return z.NEVER
  }
})

const AnyTexts = z
  .record(text(35), z.record(text(40), z.nullable(LongText)), SENTENCES.nothingToEnhance)
  .check(z.refine((value) => Object.keys(value).length > 0, SENTENCES.nothingToEnhance))

/** Translations as JSON: by language, then by field. */
const ProcessText = z.pipe(Json, AnyTexts)
const streaming = { stream: z.optional(BooleanParam) }

/** How many media are standardized at once. */
export const MAX_STANDARDIZE_ITEMS = 30

export const StandardizeInput = z.object({
  /** May also be the same as JSON text. */
  text: z.pipe(
    Json,
    z
      .array(z.object({ id: Ref, translations: AnyTexts }))
      .check(z.minLength(1, SENTENCES.selectMedia), z.maxLength(MAX_STANDARDIZE_ITEMS)),
  ),
  stream: z.optional(z.boolean()),
})

export const AiSearchInput = z.object({
  query: text(500).check(z.trim(), z.minLength(1, SENTENCES.topic)),
  /** What the answer should be like, in the words of who asks; without one, the form of a suggestion (requirement.ts). */
  requirement: z._default(text(10_000), ''),
  maxResults: z._default(z.int().check(z.gte(1), z.lte(300)), 300),
  searchDepth: z._default(z.enum(['basic', 'advanced']), 'basic'),
  /** Names of sources that could not be reached before: they are asked again now, and not after a rest. */
  retry: z._default(z.array(text(100)).check(z.maxLength(20)), []),
})

/** What is sent has been picked: it takes the place of what is there. What is left out or empty says nothing. */
export const BatchItem = z.strictObject({
  id: Ref,
  translations: translations({ title: z.optional(Title), description: z.optional(LongText) }),
  /** The version that was seen: changes that others made since are kept, or the item is refused. */
  version: z.optional(Version),
})
export type BatchItem = z.output<typeof BatchItem>

export const BatchAnswer = z.object({
  success: z.boolean(),
  /** How many media were changed, or had these texts already. */
  count: z.number(),
  message: z.string(),
  /** Each item is saved whole or not at all; these were not. */
  errors: z.array(z.object({ id: z.string(), message: z.string(), code: z.string() })),
  /** What the revisions have in common, to roll them back together; null when there are none. */
  batch: z.nullable(z.string()),
})

export const AiStatus = z.object({
  /** Who answers source 1, the enhancement and the standardization. */
  provider: z.enum(['model', 'reference']),
  model: z.string(),
  /** What source 2 looks into; one name where another AI search service answers. */
  sources: z.array(z.string()),
  isElsewhere: z.boolean(),
  isAllowed: z.boolean(),
  reason: z.optional(z.string()),
  streamsPerUser: z.number(),
  /** Tokens that the user spent today (UTC), and may spend in a day; 0 for no limit. */
  tokensToday: z.number(),
  dailyTokens: z.number(),
})
export type AiStatus = z.output<typeof AiStatus>

/** What is to be tried: the settings as they are kept, but for what is given here. */
export const ConnectionTestInput = z.object({
  baseUrl: z.optional(BaseUrl),
  model: z.optional(text(200).check(z.trim())),
  apiKey: z.optional(z.string().check(z.trim(), z.maxLength(1000))),
})

export const ConnectionTestResult = z.object({
  success: z.boolean(),
  /** A sentence that says what stands, or names what is wrong. */
  message: z.string(),
  code: z.string(),
  milliseconds: z.number(),
})

export const aiApi = {
  status: get('/api/ai/status', { response: AiStatus }),
  process: get('/api/ai/process', {
    query: z.object({ text: ProcessText, ...streaming }),
    response: z.union([Chunk, complete(EnhanceResult), End]),
    stream: true,
    longAddress: true,
  }),
  /** As `process`, for texts that are too long for an address. */
  processLong: post('/api/ai/process', {
    body: z.object({ text: ProcessText, stream: z.optional(z.boolean()) }),
    response: z.union([Chunk, complete(EnhanceResult), End]),
    stream: true,
  }),
  processMedia: get('/api/ai/process-media2', {
    query: z.object({ text: text(500).check(z.trim(), z.minLength(1, SENTENCES.topic)), ...streaming }),
    response: z.union([Chunk, complete(SuggestResult), End]),
    stream: true,
    longAddress: true,
  }),
  processStandard: post('/api/ai/process-standard', {
    body: StandardizeInput,
    response: z.object({ data: StandardizeLine }),
    stream: true,
  }),
  search: post('/api/search', { body: AiSearchInput, response: z.object({ data: SearchLine }), stream: true }),
  /** For each character that is described, those of the catalogue that it may be: the likeliest first, none where nobody is. */
  matchCharacters: post('/api/ai/match-characters', {
    body: z.object({ characters: z.array(DescribedCharacter).check(z.minLength(1), z.maxLength(100)) }),
    response: z.object({ matches: z.array(z.array(Character)) }),
  }),
  createMedia: post('/api/ai/create-media', { body: SelectedMedia, response: Media, status: 201 }),
  saveBatch: put('/api/translations/media/batch', {
    /** Each is checked by itself, so that one that is wrong does not keep the others from being saved. */
    body: z
      .array(z.custom<z.input<typeof BatchItem>>())
      .check(z.minLength(1, SENTENCES.nothingToSave), z.maxLength(200)),
    response: BatchAnswer,
  }),
  /** Test connection. An answer of 200 says what was found out; only an administrator may ask. */
  test: post('/api/settings/ai/test', { body: ConnectionTestInput, response: ConnectionTestResult }),
}
