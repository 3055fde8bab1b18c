import { DAY_MS } from '#lib/clock.ts'

/** The current time of the sample: nothing in it is later, and no builder reads the clock. */
export const REFERENCE_DATE = '2026-05-01T00:00:00.000Z'

/** The ISO moment `days` (may be fractional) before the reference date. */
export const daysBefore = (days: number): string =>
  new Date(Date.parse(REFERENCE_DATE) - Math.round(days * DAY_MS)).toISOString()

/** A 32-bit hash of a text (FNV-1a over UTF-16 code units). */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

/** An endless stream of pseudorandom numbers from 0 (inclusive) to 1 (exclusive), determined by `key` (mulberry32). */
export function seeded(key: string): () => number {
  let state = hash(key)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** An integer from `low` to `high`, both inclusive. */
export const between = (random: () => number, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1))

/** One of `items`, which must not be empty. */
export function pick<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('Nothing to pick from')
  return item
}

/** `items` in a pseudorandom order, determined by the stream. */
export const shuffled = <T>(random: () => number, items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
