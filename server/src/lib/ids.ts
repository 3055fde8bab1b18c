import { v7 } from 'uuid'

/** A new UUIDv7: ids sort by the moment they were made. */
export const newId = (): string => v7()

/** Now, as ISO 8601 in UTC. */
export const now = (): string => new Date().toISOString()

/** By how much the clocks of servers may differ, in milliseconds. */
export const MAX_SKEW_MS = 60 * 60_000

/** Where the ids begin that were made at a moment, in milliseconds since 1970. */
export function firstIdAt(moment: number): string {
  const time = Math.max(moment, 0).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}
