import { randomInt } from 'node:crypto'
import { v7 } from 'uuid'
import { time } from './clock.ts'

/** What the last id was made of: its moment, and its number among those of that moment. */
let [msecs, seq] = [0, 0]

/**
 * A new UUIDv7: ids sort by the moment they were made, and those of one process by their order, also when the clock goes
 * back.
 */
export function newId(): string {
  const at = time()
  if (at > msecs) [msecs, seq] = [at, randomInt(MAX_FIRST_SEQ)]
  else seq += 1
  return v7({ msecs, seq })
}
/** Room for 2 billion more in a millisecond, within the 32 bits that a number has. */
const MAX_FIRST_SEQ = 2 ** 31

/** By how much the clocks of servers may differ, in milliseconds. */
export const MAX_SKEW_MS = 60 * 60_000

/** Where the ids begin that were made at a moment, in milliseconds since 1970. */
export function firstIdAt(moment: number): string {
  const digits = Math.max(moment, 0).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}
