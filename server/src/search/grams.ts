import { chars, lengthOf } from './chars.ts'

/** What an index of grams is asked: grams in a row, or several such wants. */
export type Wanted = { run: string[] } | { all: Wanted[] } | { any: Wanted[] }

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

/** The query in the language of FTS5. */
export function ftsQuery(wanted: Wanted): string {
  if ('run' in wanted) return `"${wanted.run.join(' ')}"`
  return 'all' in wanted ? joined(wanted.all, ' AND ', ftsQuery) : joined(wanted.any, ' OR ', ftsQuery)
}

/** The query as a PostgreSQL tsquery literal. */
export function tsQuery(wanted: Wanted): string {
  if ('run' in wanted) return `(${wanted.run.join('<->')})`
  return 'all' in wanted ? joined(wanted.all, '&', tsQuery) : joined(wanted.any, '|', tsQuery)
}

/** The text as a PostgreSQL tsvector literal, each token at its position. */
export const tsVector = (tokens: string[]): string => tokens.map((token, at) => `${token}:${at + 1}`).join(' ')

const joined = (wants: Wanted[], operator: string, write: (wanted: Wanted) => string): string =>
  wants.length === 1 && wants[0] ? write(wants[0]) : `(${wants.map(write).join(operator)})`

/** Texts that hold `text`: all its grams in a row. Undefined for less than two characters. */
export const holding = (text: string): Wanted | undefined => (lengthOf(text) < 2 ? undefined : { run: grams(text) })

/**
 * Texts that may hold `text` with up to `typos` mistakes. A mistake touches one character or two neighbours, so the
 * text is asked for with gaps, placed so that every pair of neighbours lies in one: the mistakes are then in one gap,
 * or in a pair of gaps, and what is left must be there. Undefined when nothing would be left.
 */
export function nearly(text: string, typos: number): Wanted | undefined {
  const letters = chars(text)
  // Around a gap of three, four letters would leave no two together.
  const width = letters.length < 5 ? 2 : Math.max(3, Math.ceil(letters.length / 6))
  const step = letters.length < 5 ? 2 : width - 1
  const gaps = Array.from(letters.keys()).filter((at) => at % step === 0)
  const any = choose(gaps, typos).flatMap((open) => {
    const isOpen = (at: number) => open.some((gap) => at >= gap && at < gap + width)
    const left = letters.map((letter, at) => (isOpen(at) ? ' ' : letter)).join('')
    const all = left.split(/ +/).flatMap((part) => holding(part) ?? [])
    return all.length > 0 ? [{ all }] : []
  })
  return any.length > 0 ? { any } : undefined
}

const choose = (gaps: number[], typos: number): number[][] =>
  typos < 2 ? gaps.map((gap) => [gap]) : gaps.flatMap((a) => gaps.filter((b) => b > a).map((b) => [a, b]))
