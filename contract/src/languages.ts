import * as z from 'zod/mini'
import { LanguageTag } from './common.ts'
import { TRANSLATED_KINDS, type Translated } from './kinds.ts'
import { get, post } from './route.ts'

/** The languages that the console always offers, in the order of the translation history's filter. */
export const OFFERED_LANGUAGES: readonly string[] = ['zh', 'en', 'vi', 'fr', 'ru', 'es', 'th']

/** How many entities of a kind have a title or name in a language or in what is narrower, and how many there are. */
const Share = z.object({ filled: z.number(), of: z.number() })

/** A language of the catalogue. `family` is its primary language; `wanted`: the settings ask for it. */
export const LanguageRow = z.object({
  tag: z.string(),
  /** In English. */
  name: z.string(),
  family: z.string(),
  wanted: z.boolean(),
  ...(Object.fromEntries(TRANSLATED_KINDS.map((kind) => [kind, Share])) as Record<Translated, typeof Share>),
})
export type LanguageRow = z.output<typeof LanguageRow>

/** Moves the texts in `from` to `to`, another language of its family: plain `zh` to `zh-Hans`. */
export const Fold = z.strictObject({ from: LanguageTag, to: LanguageTag })
export type Fold = z.output<typeof Fold>

/** Chinese of which nobody said how it is written: in Simplified characters, nearly always. */
export const PLAIN_CHINESE: Fold = { from: 'zh', to: 'zh-Hans' }

/** What a fold does, or would. */
export const FoldResult = z.object({
  ...Fold.shape,
  /** How many entities have texts in `from`, and in how many of them a text in `to` is there already and stays. */
  kinds: z.array(z.object({ entityType: z.enum(TRANSLATED_KINDS), count: z.number(), kept: z.number() })),
  /** Some of them. */
  first: z.array(
    z.object({ entityType: z.enum(TRANSLATED_KINDS), _id: z.string(), title: z.string(), kept: z.boolean() }),
  ),
  /** Its changes in the history; null where nothing was changed. */
  batch: z.nullable(z.string()),
})
export type FoldResult = z.output<typeof FoldResult>

export const languagesApi = {
  /**
   * The wanted languages in the order of the settings; then the others in use, sorted by tag: those of titles and names
   * that are there, and of changes of texts.
   */
  list: get('/api/languages', {
    query: z.strictObject({}),
    response: z.object({ data: z.array(LanguageRow) }),
    cached: true,
  }),
  /** Says what a fold would do. */
  preview: get('/api/languages/fold', { query: z.object(Fold.shape), response: FoldResult }),
  /**
   * Folds, as one batch of the history. A text that `to` has stays; the one in `from` is then in the history alone. The
   * languages of the settings change likewise.
   */
  fold: post('/api/languages/fold', { body: Fold, response: FoldResult }),
}
