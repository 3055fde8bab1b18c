import { chars, lengthOf } from './chars.ts'
import { grams, lengthToken } from './grams.ts'
import type { Asked } from './rank.ts'
import { allowedTypos } from './typo.ts'

/** What an index of grams is asked: grams in a row, or several such wants. */
export type Wanted = { run: string[] } | { all: Wanted[] } | { any: Wanted[] }

/** Texts that hold the whole query in one of its spellings. */
export const wholeQuery = ({ texts }: Asked): Wanted | undefined => anyOf(texts.map(holding))

/** Texts that hold all the words of the query, wherever they are. Single characters are left to the ranking. */
export const everyWord = ({ words }: Asked): Wanted | undefined =>
  anyOf(words.map((each) => allOf(each.flatMap((word) => holding(word) ?? []))))

/** Texts that are the query but for some mistakes, the whole text: the few of nearly its length. */
export function wholeButFor(typos: number, { texts }: Asked): Wanted | undefined {
  return anyOf(
    texts.map((text) => {
      const rest = typos > allowedTypos(lengthOf(text)) ? undefined : nearly(text, typos)
      return rest && { all: [ofLength(lengthOf(text), typos), rest] }
    }),
  )
}

/** Texts that begin with the query, or hold it or all its words, but for some mistakes. */
export function partButFor(typos: number, { texts, words }: Asked): Wanted | undefined {
  const part = (text: string) => {
    const most = Math.min(typos, allowedTypos(lengthOf(text)))
    return most === 0 ? holding(text) : nearly(text, most)
  }
  const long = texts.filter((text) => typos <= allowedTypos(lengthOf(text)))
  const apart = words.map((each) => allOf(each.flatMap((word) => part(word) ?? [])))
  return anyOf([...long.map(part), ...apart])
}

const ofLength = (length: number, give: number): Wanted => ({
  any: Array.from({ length: 2 * give + 1 }, (_, at) => ({ run: [lengthToken(length - give + at)] })),
})

function anyOf(wants: (Wanted | undefined)[]): Wanted | undefined {
  const any = wants.filter((want) => want !== undefined)
  return any.length > 0 ? { any } : undefined
}

const allOf = (all: Wanted[]): Wanted | undefined => (all.length > 0 ? { all } : undefined)

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

/** The query in the language of FTS5; every token of a kind of entity begins with its letter. */
export function ftsQuery(wanted: Wanted, letter: string): string {
  const write = (each: Wanted) => ftsQuery(each, letter)
  if ('run' in wanted) return `"${wanted.run.map((gram) => letter + gram).join(' ')}"`
  return 'all' in wanted ? joined(wanted.all.map(write), ' AND ') : joined(wanted.any.map(write), ' OR ')
}

/** The query as a PostgreSQL tsquery literal. */
export function tsQuery(wanted: Wanted, letter: string): string {
  const write = (each: Wanted) => tsQuery(each, letter)
  if ('run' in wanted) return `(${wanted.run.map((gram) => letter + gram).join('<->')})`
  return 'all' in wanted ? joined(wanted.all.map(write), '&') : joined(wanted.any.map(write), '|')
}

const joined = (parts: string[], operator: string): string =>
  parts.length === 1 ? parts.join('') : `(${parts.join(operator)})`
