import { chars, lengthOf } from './chars.ts'
import { grams, lengthToken } from './grams.ts'
import type { ParsedQuery } from './rank.ts'
import { allowedTypos } from './typo.ts'

/** What an index of grams is asked: grams in a row, or several such wants. */
export type GramQuery = { run: string[] } | { all: GramQuery[] } | { any: GramQuery[] }

/** Texts of which one holds all of some: what an index is asked for those that may, and what they must hold indeed. */
export interface Held {
  grams: GramQuery
  anyOf: string[][]
}

/** Texts that hold the whole query in one of its spellings. */
export const wholeQuery = ({ texts }: ParsedQuery): Held | undefined => held(texts.map((text) => [text]))

/** Texts that hold all the words of the query, wherever they are. The index has no single characters: those are looked for. */
export const everyWord = ({ words }: ParsedQuery): Held | undefined => held(words)

function held(spellings: string[][]): Held | undefined {
  const isLong = (text: string) => lengthOf(text) > 1
  const asked = spellings.filter((texts) => texts.some(isLong))
  if (asked.length === 0) return undefined
  return { grams: { any: asked.map((texts) => ({ all: texts.filter(isLong).flatMap(sparseGrams) })) }, anyOf: asked }
}

/** Each gram that is asked for costs a walk through the texts that have it; the few texts too many are looked at. */
const MAX_GRAMS = 4
const HAN = /\p{Script=Han}/u

/**
 * Some grams of a text: of those that are rare, if it has several. Pairs of Latin letters are common; a Han character and
 * another one are mostly of two words, which meet less often than each of them comes. The others are spread over the text.
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

/** Some of a list, from its first to its last. */
function spread<Each>(list: Each[], most: number): Each[] {
  const step = Math.max(1, (list.length - 1) / Math.max(1, most - 1))
  const places = new Set(Array.from({ length: Math.min(most, list.length) }, (_, at) => Math.round(at * step)))
  return list.filter((_, at) => places.has(at))
}

/** Texts that may hold the query as it was typed, but for some mistakes. */
export function fuzzySubstring({ texts: [text = ''] }: ParsedQuery): GramQuery | undefined {
  return allowedTypos(lengthOf(text)) === 0 ? undefined : approximately(text)
}

/** As `partButForTypos`, of those texts that are nearly as long as the query. */
export function fuzzyWhole(asked: ParsedQuery): GramQuery | undefined {
  const part = fuzzySubstring(asked)
  const length = lengthOf(asked.texts[0] ?? '')
  const give = allowedTypos(length)
  const lengths = Array.from({ length: 2 * give + 1 }, (_, at) => ({ run: [lengthToken(length - give + at)] }))
  return part && { all: [{ any: lengths }, part] }
}

/** Texts that hold all the words that were typed, those that are long enough but for some mistakes. */
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

/** Texts that hold `text`: all its grams in a row. Undefined for less than two characters. */
export const containing = (text: string): GramQuery | undefined =>
  lengthOf(text) < 2 ? undefined : { run: grams(text) }

/** From this length on, a text is asked for in quarters. */
const LONG = 12

/**
 * Texts that may hold `text` but for some mistakes; undefined when nothing would be left to ask for. Every gram that is
 * named costs a walk through all the texts that have it, so the fewer the better, at the price of a mistake missed:
 *
 * - a long text in quarters, of which two must be there. Two mistakes touch two of them, or a third when letters were
 *   swapped across a border;
 * - a short one with a gap of three, placed so that every pair of neighbours lies in one, for one mistake.
 */
export function approximately(text: string): GramQuery | undefined {
  const letters = chars(text)
  if (letters.length >= LONG) return twoOf([0, 1, 2, 3].map((quarter) => quarterOf(letters, quarter)))
  // Around a gap of three, four letters would leave no two together.
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

/** The query in the language of FTS5; every token of a kind of entity begins with its letter. */
export function ftsQuery(wanted: GramQuery, letter: string): string {
  const write = (each: GramQuery) => ftsQuery(each, letter)
  if ('run' in wanted) return `"${wanted.run.map((gram) => letter + gram).join(' ')}"`
  return 'all' in wanted ? joined(wanted.all.map(write), ' AND ') : joined(wanted.any.map(write), ' OR ')
}

/** The query as a PostgreSQL tsquery literal. */
export function tsQuery(wanted: GramQuery, letter: string): string {
  const write = (each: GramQuery) => tsQuery(each, letter)
  if ('run' in wanted) return `(${wanted.run.map((gram) => letter + gram).join('<->')})`
  return 'all' in wanted ? joined(wanted.all.map(write), '&') : joined(wanted.any.map(write), '|')
}

const joined = (parts: string[], operator: string): string =>
  parts.length === 1 ? parts.join('') : `(${parts.join(operator)})`
