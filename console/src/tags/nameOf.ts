import { type Text, translated, type Translations } from '#lib/text.ts'

/** The name of a tag in a language, or else in any other. */
export const nameOf = ({ translations }: { translations: Translations }, language: string): Text =>
  translated(translations, 'name', language) ?? { text: '—', lang: undefined }
