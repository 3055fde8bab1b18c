import type { Language } from '#i18n/messages.ts'
import { editorTexts } from './texts.ts'

/** How many people are named; the others are counted. */
const MAX_NAMES = 3

/** The names as a list in a sentence, with the number of further people. */
export function listPeople(names: readonly string[], more: number, language: Language): string {
  const named = names.slice(0, MAX_NAMES)
  const rest = names.length - named.length + more
  return new Intl.ListFormat(language).format(rest > 0 ? [...named, editorTexts.get().morePeople(rest)] : named)
}
