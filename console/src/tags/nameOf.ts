import { type Text, translated, type Translations } from '#lib/text.ts'
import { NAMELESS } from '#parts/titles.ts'

/** The name of a tag in a language, or else in any other. */
export const nameOf = ({ translations }: { translations: Translations }, language: string): Text =>
  translated(translations, 'name', language) ?? NAMELESS
