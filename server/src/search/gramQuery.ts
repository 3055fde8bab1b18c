import { chars, HAN, lengthOf } from './chars.ts'
import { grams, lengthToken } from './grams.ts'
import type { ParsedQuery } from './rank.ts'
import { allowedTypos } from './typo.ts'

/** A query for the n-gram index: consecutive n-grams, or a combination of queries. */
export type GramQuery = { run: string[] } | { all: GramQuery[] } | { any: GramQuery[] }

/** Matches labels that contain all texts of one of the lists in `anyOf`. `grams` is the index query for candidates. */
export interface Held {
  grams: GramQuery
  anyOf: string[][]
}

/** Labels that contain the whole query, in one of its spellings. */
export const wholeQuery = ({ texts }: ParsedQuery): Held | undefined => held(texts.map((text) => [text]))

/**
 * Labels that contain all words of the query, in any place. The index has no single characters; they are checked in the
 * text.
 */
export const everyWord = ({ words }: ParsedQuery): Held | undefined => held(words)

/** Labels that contain the whole query or all its words, in any spelling: all matches without typos. */
export const anyMatch = ({ texts, words }: ParsedQuery): Held | undefined =>
  held([...texts.map((text) => [text]), ...words])

function held(spellings: string[][]): Held | undefined {
  const isLong = (text: string) => lengthOf(text) > 1
  const asked = spellings.filter((texts) => texts.some(isLong))
  if (asked.length === 0) return undefined
  return { grams: { any: asked.map((texts) => ({ all: texts.filter(isLong).flatMap(sparseGrams) })) }, anyOf: asked }
}

/**
 * Maximum number of n-grams in a query. Each costs a scan of all texts that have it; the few false positives are
 * filtered.
 */
const MAX_GRAMS = 4

/**
 * Some n-grams of a text; only rare ones, if it has several. Pairs of Latin letters are common. Pairs of a Han
 * character and another one come first: they usually span two words, and are rarer than either word. The others are
 * spread over the text.
 */
function sparseGrams(text: string): GramQuery[] {
  const isHan = chars(text).map((char) => HAN.test(char))
  const each = grams(text).map((gram, at) => ({ gram, isBorder: isHan[at] !== isHan[at + 1] }))
  const all = [...new Map(each.map((one) => [one.gram, one])).values()]
  const rare = all.filter(({ gram }) => gram.length > 4)
  const some = rare.length > 1 ? rare : all
  const borders = spread(
    some.filter(({ isBorder }) => isBorder),
    MAX_GRAMS,
  )
  const others = some.filter(({ isBorder }) => !isBorder)
  return [...borders, ...spread(others, MAX_GRAMS - borders.length)].map(({ gram }) => ({ run: [gram] }))
}

/** Some elements of a list, evenly spread from its first to its last. */
function spread<Each>(list: Each[], count: number): Each[] {
  const step = Math.max(1, (list.length - 1) / Math.max(1, count - 1))
  const places = new Set(Array.from({ length: Math.min(count, list.length) }, (_, at) => Math.round(at * step)))
  return list.filter((_, at) => places.has(at))
}

/** Labels that may contain the query as typed, with some typos. */
export function fuzzySubstring({ texts: [text = ''] }: ParsedQuery): GramQuery | undefined {
  return allowedTypos(lengthOf(text)) === 0 ? undefined : approximately(text)
}

/** Like `fuzzySubstring`, but only labels of nearly the same length as the query. */
export function fuzzyWhole(asked: ParsedQuery): GramQuery | undefined {
  const part = fuzzySubstring(asked)
  const length = lengthOf(asked.texts[0] ?? '')
  const maxTypos = allowedTypos(length)
  const lengths = Array.from({ length: 2 * maxTypos + 1 }, (_, at) => ({ run: [lengthToken(length - maxTypos + at)] }))
  return part && { all: [{ any: lengths }, part] }
}

/** Labels that contain all words as typed, the longer ones possibly with typos. */
export function fuzzyWords({ words: [words = []] }: ParsedQuery): GramQuery | undefined {
  return allOf(
    words.flatMap((word) => (allowedTypos(lengthOf(word)) === 0 ? containing(word) : approximately(word)) ?? []),
  )
}

function anyOf(wants: (GramQuery | undefined)[]): GramQuery | undefined {
  const any = wants.filter((want) => want !== undefined)
  return any.length > 0 ? { any } : undefined
}

const allOf = (all: GramQuery[]): GramQuery | undefined => (all.length > 0 ? { all } : undefined)

/** Labels that contain `text`: all its n-grams in a row. Undefined for less than two characters. */
export const containing = (text: string): GramQuery | undefined =>
  lengthOf(text) < 2 ? undefined : { run: grams(text) }

/** From this length on, a text is searched in quarters. */
const MIN_QUARTERED_CHARS = 12

/**
 * Labels that may contain `text` with some typos; undefined if nothing would be left to search for. Every n-gram in the
 * query costs a scan of all texts that have it, so the fewer the better, even if a typo is missed now and then:
 *
 * - A long text is split into quarters, of which two must be present. Two typos affect two of them, or a third one if
 *   letters were swapped across a border.
 * - A short text is searched with a gap of three characters, in positions such that every pair of neighbours is in a
 *   gap, for one typo.
 */
export function approximately(text: string): GramQuery | undefined {
  const letters = chars(text)
  if (letters.length >= MIN_QUARTERED_CHARS) return twoOf([0, 1, 2, 3].map((quarter) => quarterOf(letters, quarter)))
  // With a gap of three, four letters would leave no pair.
  const width = letters.length < 5 ? 2 : 3
  const gaps = Array.from(letters.keys()).filter((at) => at % 2 === 0)
  return anyOf(
    gaps.map((gap) =>
      allOf([letters.slice(0, gap), letters.slice(gap + width)].flatMap((part) => containing(part.join('')) ?? [])),
    ),
  )
}

const quarterOf = (letters: string[], quarter: number): GramQuery => {
  const border = (at: number) => Math.floor((at * letters.length) / 4)
  return { run: grams(letters.slice(border(quarter), border(quarter + 1)).join('')) }
}

const twoOf = (wants: GramQuery[]): GramQuery => ({
  any: wants.slice(0, -1).map((want, at) => ({ all: [want, { any: wants.slice(at + 1) }] })),
})

/** The query in the syntax of FTS5; every token begins with the prefix of its kind. */
export function ftsQuery(query: GramQuery, prefix: string): string {
  const write = (each: GramQuery) => ftsQuery(each, prefix)
  if ('run' in query) return `"${query.run.map((gram) => prefix + gram).join(' ')}"`
  return 'all' in query ? joined(query.all.map(write), ' AND ') : joined(query.any.map(write), ' OR ')
}

/** The query as a PostgreSQL tsquery literal. */
export function tsQuery(query: GramQuery, prefix: string): string {
  const write = (each: GramQuery) => tsQuery(each, prefix)
  if ('run' in query) return `(${query.run.map((gram) => prefix + gram).join('<->')})`
  return 'all' in query ? joined(query.all.map(write), '&') : joined(query.any.map(write), '|')
}

const joined = (parts: string[], operator: string): string =>
  parts.length === 1 ? parts.join('') : `(${parts.join(operator)})`
