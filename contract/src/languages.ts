import * as z from 'zod/mini'
import { canonical, LanguageTag } from './common.ts'
import { TRANSLATED_KINDS, type Translated } from './kinds.ts'
import { memoize } from './memoize.ts'
import { get, post } from './route.ts'

/** The languages that the console always offers, in the order of the translation history's filter. */
export const OFFERED_LANGUAGES: readonly string[] = ['zh', 'en', 'vi', 'fr', 'ru', 'es', 'th']

/** The primary language of a BCP 47 tag: `zh` of `zh-Hant-TW`. */
export const primaryLanguage = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''

/**
 * Whether the BCP 47 tag `tag` is `family` or narrower: `zh-Hans` and `zh-TW` are in the family `zh`, `zh-Hant-TW` is
 * in `zh-Hant`, and `zh` is not in `zh-Hans`. This is basic filtering of RFC 4647, section 3.3.1. Tags that are not
 * well-formed are compared as they are.
 */
export function isInFamily(tag: string, family: string): boolean {
  const [narrow, wide] = [comparable(tag), comparable(family)]
  return narrow === wide || narrow.startsWith(`${wide}-`)
}

const comparable = memoize((tag) => (canonical(tag) ?? tag).toLowerCase())

/** Whether two BCP 47 tags share their primary language: `zh-Hans` and `zh-Hant` do, `zh` and `ja` do not. */
export const areRelated = (one: string, other: string): boolean => primaryLanguage(one) === primaryLanguage(other)

/**
 * The languages of `offered` that nothing in `present` stands for yet. Any Chinese text stands for `zh`; a `zh-Hans`
 * text does not stand for `zh-Hant`.
 */
export const missingLanguages = (offered: readonly string[], present: readonly string[]): string[] =>
  offered.filter((family) => !present.some((tag) => isInFamily(tag, family)))

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
  list: get('/api/languages', { query: z.strictObject({}), response: z.object({ data: z.array(LanguageRow) }) }),
  /** Says what a fold would do. */
  preview: get('/api/languages/fold', { query: z.object(Fold.shape), response: FoldResult }),
  /**
   * Folds, as one batch of the history. A text that `to` has stays; the one in `from` is then in the history alone. The
   * languages of the settings change likewise.
   */
  fold: post('/api/languages/fold', { body: Fold, response: FoldResult }),
}
