import { useLanguage } from '#i18n/messages.ts'
import { type Text, translated, type Translations, guessLanguage } from '#lib/text.ts'

interface Titled {
  translations: Translations
  originalTitle?: string | undefined
}

/** `titleOf` in the console's language. */
export function useTitleOf() {
  const language = useLanguage()
  return (media: Titled) => titleOf(media, language)
}

/** The title of a media in a language, else in any other, else as it was published. */
export const titleOf = ({ translations, originalTitle }: Titled, language: string): Text =>
  translated(translations, 'title', language) ?? original(originalTitle) ?? { text: '—', lang: undefined }

/** An original title or name, with the language its writing tells. */
export const original = (text: string | undefined): Text | undefined =>
  text ? { text, lang: guessLanguage(text) } : undefined

/** The name of what a search found, in a language, else in any other, else the original one. */
export const nameOfHit = ({ translations, originalTitle }: Titled, language: string): Text | undefined =>
  translated(translations, 'title', language) ?? translated(translations, 'name', language) ?? original(originalTitle)

/** A language as its readers' words: 'ja' is 'Japanese' in English, '日语' in Chinese; the code when it has no name. */
export function languageName(tag: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
