import { randomFillSync, randomInt } from 'node:crypto'
import { v7 } from 'uuid'
import { time } from './clock.ts'

/** The last id: its timestamp, and its sequence number within that millisecond. */
let [msecs, seq] = [0, 0]

/**
 * A new UUIDv7. Ids sort by creation time, and those of one process in the order they were made, even if the clock is
 * set back.
 */
export function newId(): string {
  const at = time()
  if (at > msecs) [msecs, seq] = [at, randomInt(MAX_FIRST_SEQ)]
  else seq += 1
  return v7({ msecs, seq, random: nextRandom() })
}

/** Random bytes for many ids, since asking the system for those of one takes longer than all else about it. */
const random = new Uint8Array(16 * 256)
let used = random.length
function nextRandom(): Uint8Array {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  return random.subarray(used, (used += 16))
}

/** Leaves room for 2 billion more ids per millisecond within the 32 bits of the sequence number. */
const MAX_FIRST_SEQ = 2 ** 31

/** By how much the clocks of servers may differ, in milliseconds. */
export const MAX_SKEW_MS = 60 * 60_000

/** The prefix of the smallest id made at a time, in milliseconds since 1970. */
export function firstIdAt(moment: number): string {
  const digits = Math.max(moment, 0).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}
