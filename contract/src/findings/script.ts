import { type Check, type Checked, titlesOf } from './check.ts'
import { scriptOf } from './scripts.ts'

/**
 * What shows that a title is in a script. Latin and Greek letters are used in all languages, and single letters of some
 * other scripts in emoticons: (´Д`), (و).
 */
const SCRIPTS: Record<string, RegExp> = {
  Hani: /\p{Script=Han}/u,
  Kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  Hang: /\p{Script=Hangul}/u,
  Thai: /\p{Script=Thai}{2}/u,
  Cyrl: /\p{Script=Cyrillic}{2}/u,
  Arab: /\p{Script=Arabic}{2}/u,
  Hebr: /\p{Script=Hebrew}{2}/u,
  Deva: /\p{Script=Devanagari}{2}/u,
}
/** The scripts that those of East Asian languages consist of (ISO 15924). */
const PARTS: Record<string, readonly string[]> = {
  Jpan: ['Hani', 'Kana'],
  Hrkt: ['Kana'],
  Hira: ['Kana'],
  Hans: ['Hani'],
  Hant: ['Hani'],
  Kore: ['Hang'],
}

/** A title with letters that its language does not use: kana in Chinese, Chinese characters or Cyrillic in English. */
export const script: Check = (entity) =>
  titlesOf(entity)
    .filter(([language, title]) => isForeign(title, scriptOf(language), entity))
    .map(([language, title]) => ({ language, field: entity.title, text: title }))

function isForeign(title: string, written: string, { original }: Checked): boolean {
  const isIn = (name: string, text = title): boolean => SCRIPTS[name]?.test(text) ?? false
  const own = PARTS[written] ?? [written]
  const foreign = Object.keys(SCRIPTS).filter((name) => written !== '' && !own.includes(name) && isIn(name))
  // A Korean title may have Chinese characters and kana beside Hangul, and that of a Korean work in Chinese may have Hangul.
  if (written === 'Kore' && isIn('Hang')) return foreign.some((name) => name !== 'Hani' && name !== 'Kana')
  return foreign.some((name) => name !== 'Hang' || !(written in PARTS && isIn('Hang', original)))
}
