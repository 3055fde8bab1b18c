import { memoize } from '@mokuroku/contract/memoize'
import { messages, useLanguage } from '#i18n/messages.ts'
import { type Text, translated, type Translations, guessLanguage } from '#lib/text.ts'

interface Titled {
  translations: Translations
  originalTitle?: string | undefined
}

/** Shown for an entry without a name. */
export const NAMELESS: Text = { text: '—', lang: undefined }

/** `titleOf` in the console's language. */
export function useTitleOf() {
  const language = useLanguage()
  return (media: Titled) => titleOf(media, language)
}

/** The title of a media item in a language, or else in any other, or else its original title. */
export const titleOf = ({ translations, originalTitle }: Titled, language: string): Text =>
  translated(translations, 'title', language) ?? original(originalTitle) ?? NAMELESS

/** An original title or name, with its language guessed by its script; undefined if it is the name that is `shown`. */
export const original = (text: string | undefined, shown?: Text): Text | undefined =>
  text && text !== shown?.text ? { text, lang: guessLanguage(text) } : undefined

/** The name of an entity of any kind in a language, or else in any other; by `title` if its kind has no texts. */
export const nameOfEntity = (
  { title, translations = {} }: { title: string; translations?: Translations | undefined },
  language: string,
): Text | undefined => translated(translations, 'name', language) ?? original(title)

/** The name of a search hit in a language, or else in any other, or else its original name. */
export const nameOfHit = ({ translations, originalTitle }: Titled, language: string): Text | undefined =>
  translated(translations, 'title', language) ?? translated(translations, 'name', language) ?? original(originalTitle)

// A thousand of them on a screen with many languages would take longer to construct than everything else to render.
const languageNames = memoize((locale) => new Intl.DisplayNames(locale, { type: 'language' }))

/** The name of a language in `locale`: 'ja' is 'Japanese' in English, '日语' in Chinese; the tag if it has no name. */
export function languageName(tag: string, locale: string): string {
  try {
    const name = languageNames(locale).of(tag) ?? tag
    // Browsers call the undetermined language 'root'.
    return name.replace(/^(?:root|und)\b/, messages().common.unknownLanguage)
  } catch {
    return tag
  }
}
