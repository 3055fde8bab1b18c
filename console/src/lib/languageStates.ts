import { isInFamily } from '@mokuroku/contract/languageTags'
import type { Translations } from './text.ts'

/** Whether there is a name in a wanted language; `suspect`: there is one, but with a finding. */
export type LanguageState = 'filled' | 'empty' | 'suspect'

/**
 * The state of each wanted language, in the given order. `field` is the field with the name; `found` are the languages
 * that have findings other than `missing`. A text in a language also counts for the family that the language belongs
 * to.
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
