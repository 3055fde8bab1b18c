/** Of more words than these, some are never left out: each way to leave some out costs a query. */
const MAX_WORDS = 8

/**
 * What is asked of a query of which no text holds all words: the query without one word, and of five words and more
 * without two, each way to do so. So most of the words are there always. None for less than three words.
 */
export function withoutSome(query: string): string[][] {
  const words = query.trim().split(/\s+/u)
  if (words.length < 3 || words.length > MAX_WORDS) return []
  const places = words.map((_, at) => at)
  const without = (left: number[]) => words.filter((_, at) => !left.includes(at)).join(' ')
  const one = places.map((at) => without([at]))
  if (words.length < 5) return [one]
  return [one, places.flatMap((at) => places.slice(at + 1).map((other) => without([at, other])))]
}
