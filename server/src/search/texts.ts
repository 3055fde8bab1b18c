import { lengthOf } from './chars.ts'
import { compact, variants } from './fold.ts'
import { parseQuery, type Candidate, type Match, ranking } from './rank.ts'
import { allowedTypos } from './typo.ts'

/** Minimum share of the query's letter pairs that a text must contain to be checked for typos. */
const MIN_SHARED_PAIRS = 0.5

/** The forms in which a text is compared: two texts that share one are equal to search. */
export const spellings = (text: string): string[] => [...new Set(variants(text).map(compact))].filter(Boolean)

/**
 * The best matches for a query among texts that are not indexed, ranked like those of `search.find`. If nothing else is
 * found, typos are allowed, but must then match nearly the whole text: tens of thousands of texts take a few
 * milliseconds. A single letter only matches a whole text.
 */
export function rankAmong(q: string, candidates: readonly Candidate[], limit: number): Match[] {
  const asked = parseQuery(q)
  const ranked = ranking(asked)
  if (asked.texts.length === 0) return []
  const holds = holding(q)
  for (const candidate of candidates) if (holds(candidate.compact)) ranked.add(candidate)
  if (ranked.count() > 0) return ranked.first(limit)
  for (const text of asked.texts) {
    const maxTypos = allowedTypos(lengthOf(text))
    const pairs = pairsIn(text)
    for (const candidate of candidates)
      if (Math.abs(lengthOf(candidate.compact) - lengthOf(text)) <= maxTypos && sharesPairs(pairs, candidate.compact))
        ranked.add(candidate)
  }
  return ranked.first(limit)
}

/** Whether a text as it is compared holds the query, or all of its words. A single letter only matches a whole text. */
export function holding(q: string): (compact: string) => boolean {
  const { texts, words } = parseQuery(q)
  return (text) =>
    texts.some((each) => (lengthOf(each) > 1 ? text.includes(each) : text === each)) ||
    words.some((some) => some.every((word) => text.includes(word)))
}

const pairsIn = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))

const sharesPairs = (pairs: string[], text: string): boolean =>
  pairs.filter((pair) => text.includes(pair)).length >= pairs.length * MIN_SHARED_PAIRS
