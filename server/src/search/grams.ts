import { chars } from './chars.ts'

/** Grams in the order of the text, two characters each, overlapping; a single character gives itself. */
export function grams(compact: string): string[] {
  const tokens = chars(compact).map(tokenOf)
  if (tokens.length < 2) return tokens
  return tokens.slice(1).map((token, at) => `${tokens[at]}${token}`)
}

/**
 * Letters and digits as they are; anything else as z and its code point, four digits in base 36. The tokenizers of both
 * engines then see one ASCII word, and no two texts give the same one (a code point's first digit is below z).
 */
function tokenOf(char: string): string {
  if (/[a-y0-9]/.test(char)) return char
  return char === 'z' ? 'zz' : `z${(char.codePointAt(0) ?? 0).toString(36).padStart(4, '0')}`
}

/** A token for the length of a text, in characters. It is no gram: no code point starts with y. */
export const lengthToken = (length: number): string => `zy${length}`

/** The text as a PostgreSQL tsvector literal, each token at its position. */
export const tsVector = (tokens: string[]): string => tokens.map((token, at) => `${token}:${at + 1}`).join(' ')
