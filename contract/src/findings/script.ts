import { type Check, type Checked, titlesOf } from './check.ts'
import { hasHan, hasKana, scriptOf } from './scripts.ts'

const CHINESE = new Set(['Hans', 'Hant'])
/** Letters of other scripts than Latin that a title in a language of Latin script may not have. */
const NOT_LATIN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** A title in letters that its language is not written in: kana in Chinese, Chinese characters in English. */
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
