// Our own implementation: the package `diff` is slower on our texts and splits phrases
// (docs/decisions/015-libraries.md).
export interface Part {
  text: string
  /** `old` is only in the first text, `new` only in the second. */
  kind: 'same' | 'old' | 'new'
}

/**
 * With more comparisons than this, the differing middle counts as rewritten, so that the user does not have to wait.
 */
const MAX_CELLS = 4_000_000

/**
 * Word diff of two texts; Chinese and Japanese are segmented into words, too. `language` is the texts' tag. Without the
 * new parts, the result is the first text; without the old parts, the second.
 */
export function wordDiff(before: string, after: string, language?: string): Part[] {
  const [one, two] = [wordsOf(before, language), wordsOf(after, language)]
  let start = 0
  while (start < one.length && start < two.length && one[start] === two[start]) start++
  let end = 0
  while (end < one.length - start && end < two.length - start && one.at(-1 - end) === two.at(-1 - end)) end++
  const middle = changes(one.slice(start, one.length - end), two.slice(start, two.length - end))
  return joined([
    ...marked(one.slice(0, start), 'same'),
    ...phrases(joined(middle)),
    ...marked(one.slice(one.length - end), 'same'),
  ])
}

/** How much unchanged text an excerpt keeps on each side of a change, in UTF-16 units. */
const AROUND = 80
/** The longest excerpt. */
const MAX_EXCERPT_CHARS = 600

/** The changes with a little context; '…' where something was left out. */
export function excerpt(parts: readonly Part[]): { parts: Part[]; isWhole: boolean } {
  const short = parts.map((part, at): Part => {
    if (part.kind !== 'same') return part
    const [head, tail] = [at > 0 ? AROUND : 0, at < parts.length - 1 ? AROUND : 0]
    if (part.text.length <= 2 * (head + tail)) return part
    return { text: `${startOf(part.text, head)}…${endOf(part.text, tail)}`, kind: 'same' }
  })
  const shown: Part[] = []
  let room = MAX_EXCERPT_CHARS
  for (const part of short) {
    if (room <= 0) break
    shown.push(part.text.length > room ? { ...part, text: `${startOf(part.text, room)}…` } : part)
    room -= part.text.length
  }
  const isWhole = shown.length === parts.length && shown.every(({ text }, at) => text === parts[at]?.text)
  return { parts: shown, isWhole }
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
/** Longer than any word, so that only the ends of a long text need to be segmented. */
const SPARE = 32

/** The beginning of a text, cut at a word boundary. */
function startOf(text: string, length: number): string {
  const start = text.slice(0, length + SPARE)
  const ends = Array.from(segmenter.segment(start), ({ index, segment }) => index + segment.length)
  return start.slice(0, ends.findLast((end) => end <= length) ?? 0)
}

function endOf(text: string, length: number): string {
  const end = text.slice(-length - SPARE)
  const starts = Array.from(segmenter.segment(end), ({ index }) => index)
  return end.slice(starts.find((start) => start >= end.length - length) ?? end.length)
}

function wordsOf(text: string, language: string | undefined): string[] {
  return Array.from(new Intl.Segmenter(language, { granularity: 'word' }).segment(text), ({ segment }) => segment)
}

const marked = (words: string[], kind: Part['kind']): Part[] => words.map((text) => ({ text, kind }))

/** Longest common subsequence. */
function changes(one: string[], two: string[]): Part[] {
  if (one.length * two.length > MAX_CELLS) return [...marked(one, 'old'), ...marked(two, 'new')]
  const width = two.length + 1
  const lengths = new Uint32Array((one.length + 1) * width)
  const length = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = one.length - 1; row >= 0; row--)
    for (let column = two.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        one[row] === two[column]
          ? length(row + 1, column + 1) + 1
          : Math.max(length(row + 1, column), length(row, column + 1))
  const parts: Part[] = []
  let [row, column] = [0, 0]
  while (row < one.length || column < two.length) {
    const [old = '', fresh = ''] = [one[row], two[column]]
    if (row < one.length && column < two.length && old === fresh) {
      parts.push({ text: old, kind: 'same' })
      row++
      column++
    } else if (column === two.length || (row < one.length && length(row + 1, column) >= length(row, column + 1))) {
      parts.push({ text: old, kind: 'old' })
      row++
    } else {
      parts.push({ text: fresh, kind: 'new' })
      column++
    }
  }
  return parts
}

/** Merges consecutive changed words into one phrase, including the spaces between them. */
function phrases(parts: Part[]): Part[] {
  const isChange = (at: number) => parts[at] !== undefined && parts[at].kind !== 'same'
  const isSpace = (at: number) => parts[at]?.kind === 'same' && parts[at].text.trim() === ''
  const result: Part[] = []
  for (let at = 0; at < parts.length;) {
    const from = at
    while (isChange(at) || (at > from && isSpace(at) && isChange(at + 1))) at++
    if (at === from) result.push(...parts.slice(at, ++at))
    else result.push(...(['old', 'new'] as const).map((kind) => side(parts.slice(from, at), kind)))
  }
  return result.filter(({ text }) => text !== '')
}

const side = (parts: Part[], kind: 'old' | 'new'): Part => ({
  text: parts
    .filter((part) => part.kind === kind || part.kind === 'same')
    .map(({ text }) => text)
    .join(''),
  kind,
})

function joined(parts: Part[]): Part[] {
  const result: Part[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (last?.kind === part.kind) last.text += part.text
    else result.push({ ...part })
  }
  return result
}
