// PostgreSQL collects all matching labels before it reads the first one, which takes a second for two letters in a
// million titles. So texts that very many labels contain are first searched in a sample, and beginnings of words in an
// index of words (migration 048).
import { estimatedRows } from '#database/estimate.ts'
import { SAMPLED } from '#database/intersection.ts'

/** The sample, as the condition of its index, and how many matches in it are enough for a page. */
export const SAMPLE = { condition: `"id" % ${SAMPLED} = 0`, enough: 100 }
/** The index of words: its expression, and the condition for labels in it. */
export const WORDS = { expression: `to_tsvector('simple', "text")`, condition: `"compact" < U&'\\0530'` }

/** With fewer labels than this, searching all of them is as fast. */
const MIN_LABELS = 1_000_000
const CACHE_TTL_MS = 600_000

let known: { labels: Promise<number>; until: number } | undefined

/** Whether there are so many labels that these indexes are searched first. */
export async function isLargeIndex(): Promise<boolean> {
  if (!known || performance.now() > known.until) {
    known = { labels: estimatedRows('labels', 'labels_words'), until: performance.now() + CACHE_TTL_MS }
    known.labels.catch(() => (known = undefined))
  }
  return (await known.labels) >= MIN_LABELS
}

/**
 * The words of a query as typed, as a tsquery for the index of words; the last one may be a prefix. Undefined if there
 * are none, or for scripts that are not in this index.
 */
export function wordsQuery(q: string): string | undefined {
  const words = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length > 0 && words.every((word) => word < '\u0530')
    ? `${words.map((word) => `'${word}'`).join(' & ')}:*`
    : undefined
}
