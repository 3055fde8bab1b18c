import { type Check, type Checked, type Found, titlesOf } from './check.ts'
import { foldedLetters, hasHan, scriptOf } from './scripts.ts'

/** Closing brackets by opening bracket, half-width and full-width. */
const PAIRS: Record<string, string> = {
  '(': ')',
  '（': '）',
  '[': ']',
  '［': '］',
  '【': '】',
  '「': '」',
  '『': '』',
  '《': '》',
  '〈': '〉',
}
const CLOSING = new Set(Object.values(PAIRS))
/** Placeholders for a title that nobody has written yet, as `foldedLetters` returns them. */
const PLACEHOLDERS = new Set(
  'tba tbd todo test testing asdf qwerty untitled notitle none null undefined na xxx 待定 测试 測試 未定 无标题 無標題 タイトル未定'.split(
    ' ',
  ),
)

/** Leading or trailing spaces in a title, or several in a row. */
export const spaces: Check = (entity) => inTitles(entity, (title) => title !== title.trim() || /\s{2}/.test(title))

/** Unbalanced brackets in a title. */
export const brackets: Check = (entity) => inTitles(entity, (title) => !isBalanced(title))

/** Full stops instead of an ellipsis in a Chinese or Japanese title. */
export const ellipsis: Check = (entity) =>
  inTitles(entity, (title, language) => isEastAsian(language) && hasHan(title) && /\.{3}|。{2}/.test(title))

/** A placeholder instead of a title. */
export const placeholder: Check = (entity) =>
  inTitles(
    entity,
    (title) => PLACEHOLDERS.has(foldedLetters(title)) && foldedLetters(title) !== foldedLetters(entity.original),
  )

const inTitles = (entity: Checked, isFound: (title: string, language: string) => boolean): Found[] =>
  titlesOf(entity)
    .filter(([language, title]) => isFound(title, language))
    .map(([language, title]) => ({ language, field: entity.title, text: title }))

const isEastAsian = (language: string): boolean => ['Hans', 'Hant', 'Jpan'].includes(scriptOf(language))

function isBalanced(text: string): boolean {
  const open: string[] = []
  for (const char of text) {
    const closing = PAIRS[char]
    if (closing) open.push(closing)
    else if (CLOSING.has(char) && open.pop() !== char) return false
  }
  return open.length === 0
}
