import { SIMPLIFIED_ONLY, TRADITIONAL_ONLY } from './chineseForms.ts'
import { type Check, titlesOf } from './check.ts'
import { scriptOf } from './scripts.ts'

/** A Chinese title with characters of the other script: Traditional ones in `zh-Hans`, Simplified ones in `zh-Hant`. */
export const mixed: Check = (entity) =>
  titlesOf(entity)
    .filter(([language, title]) => {
      const forms = otherForms(language)
      return forms !== undefined && Array.from(title).some((char) => forms.has(char))
    })
    .map(([language, title]) => ({ language, field: entity.title, text: title }))

/** The characters that a language does not use; undefined if its tag does not determine the script. */
function otherForms(language: string): ReadonlySet<string> | undefined {
  if (!language.includes('-')) return undefined
  const script = scriptOf(language)
  return script === 'Hans' ? TRADITIONAL_ONLY : script === 'Hant' ? SIMPLIFIED_ONLY : undefined
}
