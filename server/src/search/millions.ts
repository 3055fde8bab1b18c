// PostgreSQL notes every label that answers before it reads the first one, which takes a second for two letters in a
// million titles. So what very many labels hold is looked for in a sample of them, and the beginnings of words in an index
// of words (migration 048), before all are asked.
import { estimatedRows } from '#database/estimate.ts'

/** The labels of the sample, by the condition of their index, and how many of them make a page of what they hold. */
export const SAMPLE = { condition: '"id" % 64 = 0', enough: 100 }
/** The words of labels, as they are in their index, and those that are in it. */
export const WORDS = { of: `to_tsvector('simple', "text")`, condition: `"compact" < U&'\\0530'` }

/** With fewer labels, all of them are asked as soon. */
const WORTH_IT = 1_000_000
const BELIEVED_MS = 600_000

let known: { labels: Promise<number>; until: number } | undefined

/** Whether there are so many labels that these indexes are asked first. */
export async function hasMillions(): Promise<boolean> {
  if (!known || performance.now() > known.until) {
    known = { labels: estimatedRows('labels', 'labels_words'), until: performance.now() + BELIEVED_MS }
    known.labels.catch(() => (known = undefined))
  }
  return (await known.labels) >= WORTH_IT
}

/**
 * The words of a query as the index of words is asked for them, as they were typed; the last one may go on. Undefined where
 * there are none, and for scripts whose labels it has not.
 */
export function wordsQuery(q: string): string | undefined {
  const words = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length > 0 && words.every((word) => word < '\u0530')
    ? `${words.map((word) => `'${word}'`).join(' & ')}:*`
    : undefined
}
