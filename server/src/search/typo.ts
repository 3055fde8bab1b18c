import { chars } from './chars.ts'

/** How many typing mistakes a query of this many characters may have: short ones are too near to everything. */
export function allowedTypos(length: number): number {
  if (length < 4) return 0
  return length < 8 ? 1 : 2
}

/**
 * The Damerau-Levenshtein distance (optimal string alignment) between two texts in characters: insertions, deletions,
 * substitutions, and swaps of neighbours. Anything above `max` is given as `max + 1`.
 */
export function distance(a: string, b: string, max: number): number {
  const [left, right] = [chars(a), chars(b)]
  if (Math.abs(left.length - right.length) > max) return max + 1
  return Math.min(lastRow(left, right, max)?.at(-1) ?? max + 1, max + 1)
}

/** As `distance`, to the nearest beginning of `text`. */
export function distanceToPrefix(query: string, text: string, max: number): number {
  const left = chars(query)
  const row = lastRow(left, chars(text).slice(0, left.length + max), max)
  return row ? Math.min(...row, max + 1) : max + 1
}

/** The distances of `left` to every beginning of `right`; undefined when all of them are above `max`. */
function lastRow(left: string[], right: string[], max: number): number[] | undefined {
  let before: number[] = []
  let above = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1]
      let cost = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      if (swapped) cost = Math.min(cost, at(before, j - 2) + 1)
      row.push(cost)
    }
    // A swap reaches back two rows, so both must be beyond hope.
    if (Math.min(...row) > max && Math.min(...above) > max) return undefined
    before = above
    above = row
  }
  return above
}

const at = (row: number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY
