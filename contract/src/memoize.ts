/** How many answers are remembered: whoever writes texts can make up any number of language tags. */
const MAX_ANSWERS = 1000

/** Remembers what a pure function of a text answers. Language tags are few, and what Intl knows of one is slow to ask. */
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
