import { memoize } from '../memoize.ts'
import { CHINESE_ONLY } from './chineseForms.ts'

const LATIN_ONLY = /^[\p{Script=Latin}\p{N}\p{P}\p{S}\p{Z}\p{M}\p{Cf}]*$/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HAN = /\p{Script=Han}/u
/** By the script that CLDR gives a language (ISO 15924), a letter of it. */
const LETTERS: Record<string, RegExp> = {
  Latn: /\p{Script=Latin}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Kore: /\p{Script=Hangul}/u,
  Thai: /\p{Script=Thai}/u,
  Arab: /\p{Script=Arabic}/u,
  Hebr: /\p{Script=Hebrew}/u,
  Grek: /\p{Script=Greek}/u,
  Deva: /\p{Script=Devanagari}/u,
}

/** Whether a text has no letters but Latin ones: names such as `CLANNAD` or `R-15` are the same everywhere. */
export const isLatinOnly = (text: string): boolean => LATIN_ONLY.test(text)

/** Whether a text has kana, which only Japanese is written in. */
export const hasKana = (text: string): boolean => KANA.test(text)

/** Whether a text has Chinese characters, of whichever language. */
export const hasHan = (text: string): boolean => HAN.test(text)

/** Whether a text has Chinese characters in a form that Japanese does not write: 灵 for 霊, 劍 for 剣. */
export const hasChineseForm = (text: string): boolean => Array.from(text).some((char) => CHINESE_ONLY.has(char))

/** The script that a language is written in, by ISO 15924: `Jpan` of `ja`, `Hans` of `zh`; '' where none is known. */
export const scriptOf = memoize((language) => {
  try {
    return new Intl.Locale(language).maximize().script ?? ''
  } catch {
    return ''
  }
})

/** Whether a text could have been written in this language, told from its letters alone. */
export function couldBeIn(text: string, language: string): boolean {
  const script = scriptOf(language)
  if (script === 'Jpan') return hasKana(text) || (hasHan(text) && !hasChineseForm(text))
  if (script === 'Hans' || script === 'Hant') return hasHan(text) && !hasKana(text)
  return LETTERS[script]?.test(text) ?? true
}

/** The letters and digits of a text, of whichever width and case. */
export const foldedLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '')
