import { chars } from './chars.ts'

/** The n-grams of a text, in order: overlapping pairs of characters. A single character is returned as it is. */
export function grams(compact: string): string[] {
  const tokens = chars(compact).map(tokenOf)
  if (tokens.length < 2) return tokens
  return tokens.slice(1).map((token, at) => `${tokens[at]}${token}`)
}

/**
 * Letters and digits as they are; anything else as z and its code point, four digits in base 36. The tokenizers of both
 * engines then see one ASCII word, and no two texts produce the same one (a code point's first digit is below z).
 */
function tokenOf(char: string): string {
  if (/[a-y0-9]/.test(char)) return char
  return char === 'z' ? 'zz' : `z${(char.codePointAt(0) ?? 0).toString(36).padStart(4, '0')}`
}

/** A token for the length of a text, in characters. It cannot be an n-gram, since no code point starts with y. */
export const lengthToken = (length: number): string => `zy${length}`

/** The text as a PostgreSQL tsvector literal, each token at its position. */
export const tsVector = (tokens: string[]): string => tokens.map((token, at) => `${token}:${at + 1}`).join(' ')
