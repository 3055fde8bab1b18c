import { areRelated } from '@mokuroku/contract/languageTags'

/** A map of language tags to fields, as media, characters and tags carry it. */
export type Translations = Readonly<Record<string, Readonly<Record<string, string | undefined>>>>

export interface Text {
  text: string
  /** The language of the text, for the `lang` attribute; undefined when it is not known. */
  lang: string | undefined
}

/**
 * Reads a field of a translated entity: in `language`, or else in English, or else in any language that has the field
 * (docs/behaviour.md#languages). `zh` also finds `zh-Hans`, and `zh-Hans` finds `zh`. Returns undefined if no language
 * has the field.
 */
export function translated(translations: Translations, field: string, language = 'en'): Text | undefined {
  const tags = Object.keys(translations)
  const near = tags.filter((tag) => areRelated(tag, language))
  for (const tag of [language, ...near, 'en', ...tags]) {
    const text = translations[tag]?.[field]
    if (text) return { text, lang: tag }
  }
  return undefined
}

/** The language codes that have at least one text, in stored order. */
export function languagesOf(translations: Translations): string[] {
  return Object.keys(translations).filter((tag) => Object.values(translations[tag] ?? {}).some(Boolean))
}

/**
 * Guesses the language of a text of unknown language (an original title) by its script: kana is Japanese, hangul is
 * Korean. Han alone could be Chinese or Japanese; in this catalogue it is most often Japanese. The Arabic script is most
 * often Arabic, Cyrillic Russian. Greek letters occur in Latin names, such as μ's.
 */
export function guessLanguage(text: string): string | undefined {
  if (/[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9d]/.test(text)) return 'ja'
  if (/[\uac00-\ud7a3\u1100-\u11ff]/.test(text)) return 'ko'
  if (/\p{Script=Han}/u.test(text)) return 'ja'
  if (/\p{Script=Arabic}/u.test(text)) return 'ar'
  if (/\p{Script=Hebrew}/u.test(text)) return 'he'
  if (/\p{Script=Thai}/u.test(text)) return 'th'
  if (/\p{Script=Cyrillic}/u.test(text)) return 'ru'
  if (/\p{Script=Devanagari}/u.test(text)) return 'hi'
  if (/\p{Script=Greek}/u.test(text) && !/\p{Script=Latin}/u.test(text)) return 'el'
  return undefined
}

/** The first letter of a name, as a capital; it may have two UTF-16 units, as 𠮷 does. */
export const initialOf = (name: string): string => (Array.from(name.slice(0, 2))[0] ?? '').toUpperCase()

/** Items side by side, without “and”. `Intl.ListFormat` has no separator for that in Chinese. */
export const enumerated = (items: readonly string[], locale: string): string =>
  items.join(locale === 'zh' ? '、' : ', ')

/** TAG_TYPE for display: underscores become spaces. */
export const humanize = (name: string) => name.replaceAll('_', ' ')
