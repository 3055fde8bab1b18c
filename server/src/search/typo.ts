import { chars } from './chars.ts'

type Row = Uint16Array<ArrayBuffer>

/** How many typos a query of this length may have: short ones are similar to everything. */
export function allowedTypos(length: number): number {
  if (length < 4) return 0
  return length < 8 ? 1 : 2
}

const LATIN = chars('abcdefghijklmnopqrstuvwxyz')
const KANA = chars(
  'あいうえおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろわをん',
)

/**
 * All texts that are one typo away from `text`, if it is Latin or kana and not long: some hundreds, to be looked up one
 * by one, which takes the same time among thousands of titles as among millions.
 */
export function neighbours(text: string): string[] {
  const letters = chars(text)
  const alphabet = [LATIN, KANA].find((each) => letters.every((letter) => each.includes(letter)))
  if (!alphabet || allowedTypos(letters.length) === 0 || letters.length > 11) return []
  const found = new Set<string>()
  for (const at of [...letters, ''].keys()) {
    const [before, letter = '', next = ''] = [letters.slice(0, at).join(''), letters[at], letters[at + 1]]
    const [rest, after] = [letters.slice(at).join(''), letters.slice(at + 1).join('')]
    found.add(before + after)
    found.add(before + next + letter + letters.slice(at + 2).join(''))
    for (const other of alphabet) found.add(before + other + after).add(before + other + rest)
  }
  found.delete(text)
  return [...found].toSorted()
}

/**
 * The Damerau-Levenshtein distance (optimal string alignment) between two texts, in characters: insertions, deletions,
 * substitutions, and swaps of neighbours. Anything above `max` is returned as `max + 1`.
 */
export function distance(a: string, b: string, max: number): number {
  const [left, right] = [chars(a), chars(b)]
  if (Math.abs(left.length - right.length) > max) return max + 1
  const row = lastRow(
    left,
    right,
    Uint16Array.from({ length: right.length + 1 }, (_, at) => at),
    max,
  )
  return Math.min(row?.at(-1) ?? max + 1, max + 1)
}

/**
 * Like `distance`, from a query to the nearest part of `text` that begins at one of `starts` (character positions where
 * words start): `part` wherever it ends, `words` if it also ends with a word.
 */
export function distanceToPart(
  query: string,
  text: string,
  starts: readonly number[],
  max: number,
): { part: number; words: number } {
  const right = chars(text)
  const first = new Uint16Array(right.length + 1).fill(max + 1)
  for (const start of starts) first[start] = 0
  for (let end = 1; end < first.length; end++) first[end] = Math.min(at(first, end), at(first, end - 1) + 1)
  const row = lastRow(chars(query), right, first, max)
  if (!row) return { part: max + 1, words: max + 1 }
  const ends = [...starts.filter((start) => start > 0), right.length]
  return { part: Math.min(...row, max + 1), words: Math.min(...ends.map((end) => at(row, end)), max + 1) }
}

/**
 * The distances of `left` to the parts of `right` that end at each position; `first` is the cost of beginning at each
 * position. Undefined if all are above `max`.
 */
function lastRow(left: string[], right: string[], first: Row, max: number): Row | undefined {
  const size = right.length + 1
  let [before, above, row] = [new Uint16Array(size), first, new Uint16Array(size)]
  let lowestAbove = 0
  for (let i = 1; i <= left.length; i++) {
    row[0] = at(above, 0) + 1
    let lowest = at(row, 0)
    for (let j = 1; j < size; j++) {
      let cost = Math.min(
        at(above, j) + 1,
        at(row, j - 1) + 1,
        at(above, j - 1) + (left[i - 1] === right[j - 1] ? 0 : 1),
      )
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      if (swapped) cost = Math.min(cost, at(before, j - 2) + 1)
      row[j] = cost
      lowest = Math.min(lowest, cost)
    }
    // A swap uses the row before last, so both rows must exceed the limit.
    if (lowest > max && lowestAbove > max) return undefined
    lowestAbove = lowest
    const spare = before
    before = above
    above = row
    row = spare
  }
  return above
}

const at = (row: Row, index: number): number => row[index] ?? 0
