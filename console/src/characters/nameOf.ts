import type { Character } from '@mokuroku/contract/characters'
import { type Text, translated } from '#lib/text.ts'
import { NAMELESS, original } from '#parts/titles.ts'

type Named = Pick<Character, 'translations' | 'originalName'>

/** The name of a character in a language, or else in any other, or else its original name. */
export const nameOf = ({ translations, originalName }: Named, language: string): Text =>
  translated(translations, 'name', language) ?? original(originalName) ?? NAMELESS
