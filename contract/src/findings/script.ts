import { type Check, type Checked, titlesOf } from './check.ts'
import { hasHan, hasKana, scriptOf } from './scripts.ts'

const CHINESE = new Set(['Hans', 'Hant'])
/** Non-Latin letters that a title in a language with Latin script must not contain. */
const NOT_LATIN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** A title with letters that its language does not use: kana in Chinese, Chinese characters in English. */
export const script: Check = (entity) =>
  titlesOf(entity)
    .filter(([language, title]) => isForeign(title, scriptOf(language), entity))
    .map(([language, title]) => ({ language, field: entity.title, text: title }))

function isForeign(title: string, written: string, { original }: Checked): boolean {
  if (CHINESE.has(written)) return hasKana(title) || (hasHangul(title) && !hasHangul(original))
  if (written === 'Latn') return NOT_LATIN.test(title)
  if (written === 'Kore') return (hasHan(title) || hasKana(title)) && !hasHangul(title)
  return written !== 'Jpan' && hasKana(title)
}

const hasHangul = (text: string): boolean => /\p{Script=Hangul}/u.test(text)
