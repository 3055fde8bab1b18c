import type { Character } from '@mokuroku/contract/characters'
import { useLanguage } from '#i18n/messages.ts'
import { type Text, translated } from '#lib/text.ts'
import { original } from '#parts/titles.ts'

/** The name of a character in the console's language, else in any other, else the original one. */
export function useNameOf() {
  const language = useLanguage()
  return ({ translations, originalName }: Pick<Character, 'translations' | 'originalName'>): Text =>
    translated(translations, 'name', language) ?? original(originalName) ?? { text: '—', lang: undefined }
}
