/** The maximum number of cached results, because users can invent any number of language tags. */
const MAX_ANSWERS = 1000

/** Memoizes a pure function of a string, such as the slow Intl lookups of the few language tags in use. */
export function memoize<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    const result = work(text)
    if (known.size >= MAX_ANSWERS) known.clear()
    known.set(text, result)
    return result
  }
}
