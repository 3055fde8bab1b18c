/** With more words than this, none are left out, since each combination costs a query. */
const MAX_WORDS = 8

/**
 * Variants of a query of which no text contains all words: without one word, and then, from five words on, without two,
 * in all combinations. So most words always remain. Empty for less than three words.
 */
export function partialQueries(query: string): string[][] {
  const words = query.trim().split(/\s+/u)
  if (words.length < 3 || words.length > MAX_WORDS) return []
  const places = words.map((_, at) => at)
  const without = (omitted: number[]) => words.filter((_, at) => !omitted.includes(at)).join(' ')
  const one = places.map((at) => without([at]))
  if (words.length < 5) return [one]
  return [one, places.flatMap((at) => places.slice(at + 1).map((other) => without([at, other])))]
}
