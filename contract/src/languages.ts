import * as z from 'zod/mini'
import { LanguageTag, WholeNumber } from './common.ts'
import { TRANSLATED_KINDS, type Translated } from './kinds.ts'
import { get, post } from './route.ts'

/** The languages that the console always offers, in the order of the translation history's filter. */
export const OFFERED_LANGUAGES: readonly string[] = ['zh', 'en', 'vi', 'fr', 'ru', 'es', 'th']

/** How many entities of a kind have a title or name in a language or a more specific one, and how many there are. */
const Share = z.object({ filled: WholeNumber, of: WholeNumber })

/** A language of the catalogue. `family`: its primary language; `wanted`: the settings list it. */
export const LanguageRow = z.object({
  tag: z.string(),
  /** In English. */
  name: z.string(),
  family: z.string(),
  wanted: z.boolean(),
  ...(Object.fromEntries(TRANSLATED_KINDS.map((kind) => [kind, Share])) as Record<Translated, typeof Share>),
})
export type LanguageRow = z.output<typeof LanguageRow>

/** Moves all texts from one language to another of the same family, such as plain `zh` to `zh-Hans`. */
export const Fold = z.strictObject({ from: LanguageTag, to: LanguageTag })
export type Fold = z.output<typeof Fold>

/** Texts tagged plain `zh`, without a script, are nearly always in Simplified Chinese. */
export const PLAIN_CHINESE: Fold = { from: 'zh', to: 'zh-Hans' }

/** The result of a fold, or its preview. */
export const FoldResult = z.object({
  ...Fold.shape,
  /** By kind, how many entities have texts in `from`, and in how many of these an existing text in `to` is kept. */
  kinds: z.array(z.object({ entityType: z.enum(TRANSLATED_KINDS), count: WholeNumber, kept: WholeNumber })),
  /** The first few of these entities. */
  first: z.array(
    z.object({ entityType: z.enum(TRANSLATED_KINDS), _id: z.string(), title: z.string(), kept: z.boolean() }),
  ),
  /** The batch id of its revisions; null if nothing was changed. */
  batch: z.nullable(z.string()),
})
export type FoldResult = z.output<typeof FoldResult>

export const languagesApi = {
  /**
   * The wanted languages in the order of the settings; then the others in use, sorted by tag: the languages of existing
   * titles and names, and of the translation history.
   */
  list: get('/api/languages', {
    query: z.strictObject({}),
    response: z.object({ data: z.array(LanguageRow) }),
    cached: true,
  }),
  /** A dry run of `fold`. */
  preview: get('/api/languages/fold', { query: z.object(Fold.shape), response: FoldResult }),
  /**
   * Folds as one batch. Existing texts in `to` are kept; the corresponding ones in `from` then exist in the history
   * only. The languages of the settings are changed accordingly.
   */
  fold: post('/api/languages/fold', { body: Fold, response: FoldResult }),
}
