import { type Check, type Checked, type Found, titlesOf } from './check.ts'
import { foldedLetters, hasHan, scriptOf } from './scripts.ts'

/** Brackets that come in pairs, of whichever width. */
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
/** What stands where nobody has written a title yet, as `foldedLetters` has it. */
const PLACEHOLDERS = new Set(
  'tba tbd todo test testing asdf qwerty untitled notitle none null undefined na xxx 待定 测试 測試 未定 无标题 無標題 タイトル未定'.split(
    ' ',
  ),
)

/** Spaces before or after a title, or several in a row. */
export const spaces: Check = (entity) => inTitles(entity, (title) => title !== title.trim() || /\s{2}/.test(title))

/** A bracket of a title that is not closed, or not opened. */
export const brackets: Check = (entity) => inTitles(entity, (title) => !isBalanced(title))

/** Full stops in a Chinese or Japanese title where an ellipsis belongs. */
export const ellipsis: Check = (entity) =>
  inTitles(entity, (title, language) => isEastAsian(language) && hasHan(title) && /\.{3}|。{2}/.test(title))

/** A title that only keeps the place of one. */
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
