import { memoize } from '../memoize.ts'
import { CHINESE_ONLY } from './chineseForms.ts'
import { normalize } from '../normalize.ts'

const LATIN_ONLY = /^[\p{Script=Latin}\p{N}\p{P}\p{S}\p{Z}\p{M}\p{Cf}]*$/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HAN = /\p{Script=Han}/u
/** A pattern for a letter of each script (ISO 15924), as CLDR assigns scripts to languages. */
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

/** Whether all letters of a text are Latin: names such as `CLANNAD` or `R-15` are the same in all languages. */
export const isLatinOnly = (text: string): boolean => LATIN_ONLY.test(text)

/** Whether a text contains kana, which only Japanese uses. */
const hasKana = (text: string): boolean => KANA.test(text)

/** Whether a text contains Chinese characters, in any language. */
export const hasHan = (text: string): boolean => HAN.test(text)

/** Whether a text contains simplified characters that Japanese does not use: 灵 for 霊, 剑 for 剣. */
const hasChineseForm = (text: string): boolean => Array.from(text).some((char) => CHINESE_ONLY.has(char))

/** The script of a language as an ISO 15924 code: `Jpan` for `ja`, `Hans` for `zh`; '' if it is unknown. */
export const scriptOf = memoize((language) => {
  try {
    return new Intl.Locale(language).maximize().script ?? ''
  } catch {
    return ''
  }
})

/** Whether a text could be in this language, judging by its letters alone. */
export function couldBeIn(text: string, language: string): boolean {
  const script = scriptOf(language)
  if (script === 'Jpan') return hasKana(text) || (hasHan(text) && !hasChineseForm(text))
  if (script === 'Hans' || script === 'Hant') return hasHan(text) && !hasKana(text)
  return LETTERS[script]?.test(text) ?? true
}

/**
 * The letters, digits and marks of a text after Unicode normalization (NFKC), in lower case. A × is an x. Variation
 * selectors, which choose between forms of one character (葛󠄀), are left out.
 */
export const foldedLetters = (text: string): string =>
  normalize(text, 'NFKC')
    .toLowerCase()
    .replaceAll('×', 'x')
    .replace(/[^\p{L}\p{N}\p{M}]|\p{Variation_Selector}/gu, '')
