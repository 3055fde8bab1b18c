import { MAX_MENTIONS } from '@mokuroku/contract/comments'

/** The shortest and the longest username, in UTF-16 units. */
const [MIN_NAME_CHARS, MAX_NAME_CHARS] = [3, 60]
/** A letter of a word, in the scripts that set words apart by spaces. */
const WORD = /[[\p{L}\p{N}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]/v

/**
 * What may be a username behind each `@` of a text, the longest first: names can hold spaces, so that where one ends is
 * known only to who knows the names. An `@` inside a word, as in an e-mail address, mentions nobody; but Chinese and
 * Japanese set no spaces around names.
 */
export function namesAfter(text: string): string[][] {
  const found: string[][] = []
  for (const { index } of text.matchAll(/@/g)) {
    if (found.length === MAX_MENTIONS) break
    if (WORD.test(text.slice(0, index).at(-1) ?? '')) continue
    const [line = ''] = text.slice(index + 1, index + 1 + MAX_NAME_CHARS).split('\n')
    const rest = text.slice(index + 1)
    const names: string[] = []
    for (let end = line.length; end >= MIN_NAME_CHARS; end--)
      if (!WORD.test(rest[end] ?? '') && !/\s/.test(rest[end - 1] ?? '')) names.push(rest.slice(0, end))
    found.push(names)
  }
  return found
}
