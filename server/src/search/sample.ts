// What very many labels hold, many labels of a sample hold: PostgreSQL notes every label that answers before it reads the
// first one, which takes a second for two letters in a million titles.
import { estimatedRows } from '#database/estimate.ts'

/** The labels that are in it, by the condition of their index (migration 048), and how many make a page of what they hold. */
export const SAMPLE = { condition: '"id" % 64 = 0', enough: 100 }

/** With fewer labels, all of them are asked as soon. */
const WORTH_IT = 1_000_000
const BELIEVED_MS = 600_000

let known: { labels: Promise<number>; until: number } | undefined

/** Whether there are so many labels that the sample is asked first. */
export async function hasSample(): Promise<boolean> {
  if (!known || performance.now() > known.until) {
    known = { labels: estimatedRows('labels', 'labels_sample'), until: performance.now() + BELIEVED_MS }
    known.labels.catch(() => (known = undefined))
  }
  return (await known.labels) >= WORTH_IT
}
