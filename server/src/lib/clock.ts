// The time, as all servers of a database have it: the clocks of their machines may differ.

/** By how much the clock that counts is ahead of this machine's, in milliseconds. */
let ahead = 0

/** By how much the times of two servers may differ for a while, in milliseconds: one of their clocks was just set. */
export const MAX_DIFFERENCE_MS = 60_000

/** The time in milliseconds since 1970. */
export const time = (): number => Date.now() + ahead

/** So many milliseconds from now, as ISO 8601 in UTC. */
export const momentIn = (ms: number): string => new Date(time() + ms).toISOString()

/** Now, as ISO 8601 in UTC. */
export const now = (): string => momentIn(0)

/** How long what is counted by days has until it begins anew, in whole seconds. */
export const secondsToMidnight = (): number => Math.ceil((new Date(time()).setUTCHours(24, 0, 0, 0) - time()) / 1000)

/** By how much the clock of this machine is ahead of the one that counts, in milliseconds; below 0 where it is behind. */
export const clockError = (): number => -ahead

/**
 * Goes by another clock, which showed `shown` milliseconds since 1970 at some moment of the last `took` milliseconds. What
 * differs by less than is unknown about that moment does not differ.
 */
export function goByClock(shown: number, took: number): void {
  const measured = Math.round(shown + took / 2 - Date.now())
  if (Math.abs(measured - ahead) > took / 2 + 1) ahead = measured
}

/** Goes by the clock of this machine. */
export function goByOwnClock(): void {
  ahead = 0
}
