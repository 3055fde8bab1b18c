import { turns } from '#lib/turns.ts'
import { lengthOf } from './chars.ts'
import { compact, variants } from './fold.ts'
import { parseQuery, type Candidate, type Match, ranking } from './rank.ts'
import { allowedTypos } from './typo.ts'

/** Minimum share of the query's letter pairs that a text must contain to be checked for typos. */
const MIN_SHARED_PAIRS = 0.5
/** After so many texts, others may have their turn: each may be compared with a long query. */
export const TEXTS_PER_TURN = 16

/** The forms in which a text is compared: two texts that share one are equal to search. */
export const spellings = (text: string): string[] => [...new Set(variants(text).map(compact))].filter(Boolean)

/**
 * The best matches for a query among texts that are not indexed, ranked like those of `search.find`. If nothing else is
 * found, typos are allowed, but must then match nearly the whole text: tens of thousands of texts take a few
 * milliseconds. A single letter only matches a whole text.
 */
export async function rankAmong(q: string, candidates: readonly Candidate[], limit: number): Promise<Match[]> {
  const asked = parseQuery(q)
  const ranked = ranking(asked)
  if (asked.texts.length === 0) return []
  const turn = turns()
  const each = async (add: (candidate: Candidate) => void) => {
    for (const [at, candidate] of candidates.entries()) {
      add(candidate)
      if (at % TEXTS_PER_TURN === 0) await turn()
    }
  }
  const holds = holding(q)
  await each((candidate) => {
    if (holds(candidate.compact)) ranked.add(candidate)
  })
  if (ranked.count() > 0) return ranked.first(limit)
  for (const text of asked.texts) {
    const length = lengthOf(text)
    const maxTypos = allowedTypos(length)
    const pairs = pairsIn(text)
    await each((candidate) => {
      if (Math.abs(lengthOf(candidate.compact) - length) <= maxTypos && sharesPairs(pairs, candidate.compact))
        ranked.add(candidate)
    })
  }
  return ranked.first(limit)
}

/** Whether a text as it is compared holds the query, or all of its words. A single letter only matches a whole text. */
export function holding(q: string): (compact: string) => boolean {
  const { texts, words } = parseQuery(q)
  const asked = texts.map((each) => ({ each, isLetter: lengthOf(each) === 1 }))
  return (text) =>
    asked.some(({ each, isLetter }) => (isLetter ? text === each : text.includes(each))) ||
    words.some((some) => some.every((word) => text.includes(word)))
}

const pairsIn = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))

const sharesPairs = (pairs: string[], text: string): boolean =>
  pairs.filter((pair) => text.includes(pair)).length >= pairs.length * MIN_SHARED_PAIRS
