import * as z from 'zod/mini'
import { Character } from './characters.ts'
import { SENTENCES } from './faults.ts'
import { excessOf } from './jsonSize.ts'
import {
  BooleanParam,
  distinct,
  Language,
  LongText,
  MAX_LANGUAGES,
  Ref,
  text,
  Title,
  translations,
  Version,
  WholeNumber,
} from './common.ts'
import { Media } from './media.ts'
import { AiRun, UnavailableSource } from './provenance.ts'
import { get, post, put } from './route.ts'
import { ApiKey, BaseUrl } from './settings.ts'
import { DescribedCharacter, SelectedMedia } from './selection.ts'
import { MediaSuggestion, StandardizedItem, SuggestedTexts } from './suggestion.ts'

// The AI calls (docs/behaviour.md#ai). An answer is streamed while it is generated. Its last event holds the result,
// validated by the schemas of suggestion.ts, and its provenance (`run`). Whoever saves parts of the result sends
// `run._id` along (`call(…, { runs })`), so that the ledger can record where they came from.

const Chunk = z.object({ event: z.literal('chunk'), data: z.object({ content: z.string() }) })
const End = z.object({ event: z.literal('end'), data: z.object({}) })

/** `result` is null if the topic is unknown, or if the answer cannot be parsed; `problem` then says why. */
const completed = <T extends z.ZodMiniType>(result: T) =>
  z.object({ run: AiRun, result: z.nullable(result), problem: z.optional(z.string()) })

const complete = <T extends z.ZodMiniObject>(data: T) => z.object({ event: z.literal('complete'), data })

/** `isKnown`: whether the reference data or this catalogue know the work; a model may know it even if they do not. */
export const EnhanceResult = z.extend(completed(SuggestedTexts), { isKnown: z.boolean() })
export type EnhanceResult = z.output<typeof EnhanceResult>

export const SuggestResult = z.extend(completed(MediaSuggestion), {
  /** By field, the sources of its value: AniList, bangumi-data, this catalogue, the model. The one used is first. */
  origins: z.record(z.string(), z.array(z.string())),
  /** The sources that could not be queried, so that their data is missing from the answer. */
  unavailable: z.array(UnavailableSource),
})
export type SuggestResult = z.output<typeof SuggestResult>

/** One line of the AI search service: the URL of an image, a part of the answer, or the error that ended it. */
export const SearchLine = z.union([
  z.object({
    type: z.literal('image'),
    data: z.string(),
    /**
     * `title`: what the image shows; `source`: the page it was found on; `preview`: its URL on this server, because the
     * console may not load images from other hosts.
     */
    title: z.string(),
    source: z.string(),
    preview: z.string(),
  }),
  /** The last one has empty `data`, and the parsed answer in `complete`. */
  z.object({ type: z.literal('answer'), data: z.string(), complete: z.optional(SuggestResult) }),
  z.object({ type: z.literal('error'), data: z.string(), code: z.string(), retryAfter: z.optional(WholeNumber) }),
])
export type SearchLine = z.output<typeof SearchLine>

/**
 * Why a media item has no result. `unknown`: the sources know nothing about it in the languages of the batch; `faulty`:
 * the answer is invalid.
 */
const Problem = z.object({ id: z.string(), message: z.string(), code: z.enum(['unknown', 'faulty']) })

/** The last line lists what was standardized, even if the answer failed halfway, and what was not (`errors`). */
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
    retryAfter: z.optional(WholeNumber),
    run: AiRun,
    result: z.array(StandardizedItem),
    errors: z.array(Problem),
  }),
])
export type StandardizeLine = z.output<typeof StandardizeLine>

const Json = z.transform((value: unknown, context) => {
  if (typeof value !== 'string') return value
  try {
    // The text is a value of the body, whose limits it must not escape.
    if (!excessOf(value)) return JSON.parse(value) as unknown
  } catch {
    // It is not JSON.
  }
  context.issues.push({ code: 'custom', input: value, message: SENTENCES.jsonFormat })
  return z.NEVER
})

const Texts = z
  .record(Language, z.record(text(40), z.nullable(LongText)), {
    error: ({ code }) => (code === 'invalid_type' ? SENTENCES.nothingToEnhance : undefined),
  })
  .check(z.refine((texts) => Object.keys(texts).length <= MAX_LANGUAGES, SENTENCES.languagesMany))
const hasLanguage = (texts: z.output<typeof Texts>): boolean => Object.keys(texts).length > 0

/** Translations as JSON text: by language, then by field. */
const ProcessText = z.pipe(Json, Texts.check(z.refine(hasLanguage, SENTENCES.nothingToEnhance)))
const streaming = { stream: z.optional(BooleanParam) }

/** The maximum number of media in one call. */
export const MAX_STANDARDIZE_ITEMS = 30

export const StandardizeInput = z.object({
  /**
   * The list, or the same list as JSON text. Some of its media may have no translations, but not all. Of a media item
   * that is named twice, the last one counts.
   */
  text: z.pipe(
    Json,
    z.array(z.object({ id: Ref, translations: Texts })).check(
      z.minLength(1, SENTENCES.selectMedia),
      z.maxLength(MAX_STANDARDIZE_ITEMS),
      z.overwrite((items) => [...new Map(items.map((item) => [item.id, item])).values()]),
      z.refine((items) => items.some((item) => hasLanguage(item.translations)), SENTENCES.nothingToEnhance),
    ),
  ),
  stream: z.optional(z.boolean()),
})

/** A query string with an empty one is read as if it had none. */
const Topic = text(500, SENTENCES.topic).check(z.trim(), z.minLength(1, SENTENCES.topic))

const AiSearchInput = z.object({
  query: Topic,
  /** The caller's instructions about the form of the answer; if empty, the form of a suggestion (requirement.ts). */
  requirement: z._default(text(10_000), ''),
  maxResults: z._default(z.int().check(z.gte(1), z.lte(300)), 300),
  searchDepth: z._default(z.enum(['basic', 'advanced']), 'basic'),
  /** Names of sources that were unreachable: they are queried again at once, without waiting for the backoff to end. */
  retry: z._default(z.array(text(100)).check(z.maxLength(20), distinct()), []),
})

/** The texts that the user picked: they replace the current ones. Omitted and empty texts change nothing. */
export const BatchItem = z.strictObject({
  id: Ref,
  translations: translations({ title: z.optional(Title), description: z.optional(LongText) }),
  /** The version that the user saw: later changes by others are merged, or the item is refused. */
  version: z.optional(Version),
})
export type BatchItem = z.output<typeof BatchItem>

export const BatchAnswer = z.object({
  success: z.boolean(),
  /** The number of media that were changed or already had these texts. */
  count: WholeNumber,
  message: z.string(),
  /** The items that were not saved. Each item is saved completely or not at all. */
  errors: z.array(z.object({ id: z.string(), message: z.string(), code: z.string() })),
  /** The batch id of the revisions, by which they can be rolled back together; null if there are none. */
  batch: z.nullable(z.string()),
})

export const AiStatus = z.object({
  /** What answers source 1 of a comparison, the enhancement and the standardization. */
  provider: z.enum(['model', 'reference']),
  model: z.string(),
  /** The sources that source 2 of a comparison searches; a single name if an external AI search service answers. */
  sources: z.array(z.string()),
  /** Whether an external AI search service answers source 2. */
  isElsewhere: z.boolean(),
  isAllowed: z.boolean(),
  reason: z.optional(z.string()),
  streamsPerUser: WholeNumber,
  /** Tokens that the user has spent today (UTC), and may spend per day; 0 for no limit. */
  tokensToday: WholeNumber,
  dailyTokens: WholeNumber,
})
export type AiStatus = z.output<typeof AiStatus>

/** The connection to test: the saved settings, overridden by the fields that are given. */
export const ConnectionTestInput = z.object({
  baseUrl: z.optional(BaseUrl),
  model: z.optional(text(200).check(z.trim())),
  apiKey: z.optional(ApiKey),
})

export const ConnectionTestResult = z.object({
  success: z.boolean(),
  /** A sentence that confirms the connection, or names the error. */
  message: z.string(),
  code: z.string(),
  milliseconds: WholeNumber,
})

export const aiApi = {
  status: get('/api/ai/status', { response: AiStatus }),
  process: get('/api/ai/process', {
    query: z.object({ text: ProcessText, ...streaming }),
    response: z.union([Chunk, complete(EnhanceResult), End]),
    stream: true,
    longAddress: true,
  }),
  /** Like `process`, for texts that are too long for a URL. */
  processLong: post('/api/ai/process', {
    body: z.object({ text: ProcessText, stream: z.optional(z.boolean()) }),
    response: z.union([Chunk, complete(EnhanceResult), End]),
    stream: true,
  }),
  processMedia: get('/api/ai/process-media2', {
    query: z.object({ text: Topic, ...streaming }),
    response: z.union([Chunk, complete(SuggestResult), End]),
    stream: true,
    longAddress: true,
  }),
  processStandard: post('/api/ai/process-standard', {
    body: StandardizeInput,
    response: z.object({ data: StandardizeLine }),
    stream: true,
  }),
  searchOutside: post('/api/search', { body: AiSearchInput, response: z.object({ data: SearchLine }), stream: true }),
  /** For each described character, the characters of the catalogue that may be the same, the most likely first. */
  matchCharacters: post('/api/ai/match-characters', {
    body: z.object({ characters: z.array(DescribedCharacter).check(z.minLength(1), z.maxLength(100)) }),
    response: z.object({ matches: z.array(z.array(Character)) }),
  }),
  createMedia: post('/api/ai/create-media', { body: SelectedMedia, response: Media, status: 201, idempotent: true }),
  saveBatch: put('/api/translations/media/batch', {
    /** The items are validated one by one, so that an invalid one does not prevent the others from being saved. */
    body: z
      .array(z.custom<z.input<typeof BatchItem>>())
      .check(z.minLength(1, SENTENCES.nothingToSave), z.maxLength(200)),
    response: BatchAnswer,
  }),
  /** Tests the connection. Answers 200 even if the test fails. For administrators only. */
  test: post('/api/settings/ai/test', { body: ConnectionTestInput, response: ConnectionTestResult }),
}
