import { isInFamily } from '@mokuroku/contract/languageTags'
import type { Translations } from './text.ts'

/** Whether there is a name in a wanted language; `suspect`: there is, and something was found about it. */
export type LanguageState = 'filled' | 'empty' | 'suspect'

/**
 * The state of each wanted language, in their order. `field` is what names the thing; `found` are the languages that
 * something was found about, but that they are missing. A text of a family's language counts for the family.
 */
export function languageStates(
  wanted: readonly string[],
  translations: Translations,
  field: string,
  found: readonly string[],
): { tag: string; state: LanguageState }[] {
  const named = Object.keys(translations).filter((tag) => translations[tag]?.[field])
  return wanted.map((tag) => {
    if (!named.some((each) => isInFamily(each, tag))) return { tag, state: 'empty' }
    return { tag, state: found.some((each) => isInFamily(each, tag)) ? 'suspect' : 'filled' }
  })
}
