// The time, the same for all servers of a database: the clocks of their machines may differ.

/** What is added to the clock of this machine, in milliseconds. */
let offset = 0

/** By how much the times of two servers may still differ, in milliseconds: the clock of one may just have been set. */
export const CLOCK_TOLERANCE_MS = 60_000

/** The time in milliseconds since 1970. */
export const time = (): number => Date.now() + offset

/** So many milliseconds from now, as ISO 8601 in UTC. */
export const momentIn = (ms: number): string => new Date(time() + ms).toISOString()

/** Now, as ISO 8601 in UTC. */
export const now = (): string => momentIn(0)

/** How long until limits that are counted by the day begin anew, in whole seconds. */
export const secondsToMidnight = (): number => Math.ceil((new Date(time()).setUTCHours(24, 0, 0, 0) - time()) / 1000)

/** By how much the clock of this machine is ahead of the time, in milliseconds; below 0 where it is behind. */
export const clockError = (): number => -offset

/**
 * Uses the time of another clock, which was `shown` (milliseconds since 1970) at some moment of the last `took`
 * milliseconds. A change smaller than that uncertainty is ignored.
 */
export function setClock(shown: number, took: number): void {
  const measured = Math.round(shown + took / 2 - Date.now())
  if (Math.abs(measured - offset) > took / 2 + 1) offset = measured
}

/** Uses the clock of this machine. */
export function resetClock(): void {
  offset = 0
}
