import { MAX_MENTIONS } from '@mokuroku/contract/comments'

/** The minimum and maximum length of a username, in UTF-16 code units. */
const [MIN_NAME_CHARS, MAX_NAME_CHARS] = [3, 60]
/** A word character, in scripts that separate words by spaces. */
const WORD = /[[\p{L}\p{N}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]/v

/**
 * Candidates for a username after each `@` of a text, longest first: usernames may contain spaces, so only a lookup
 * shows where one ends. An `@` inside a word, as in an email address, mentions nobody; but Chinese and Japanese put no
 * spaces around names.
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
