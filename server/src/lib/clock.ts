// The time, which is the same for all servers of a database even if the clocks of their machines differ.

/**
 * Added to the time since this process started (`performance.now()`), in milliseconds, which does not change when the
 * clock of this machine is set. Undefined while the clock of this machine is used.
 */
let offset: number | undefined

/** By how much the times of two servers may still differ, in milliseconds: the clock may just have been set. */
export const CLOCK_TOLERANCE_MS = 60_000

/** A day in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1000

/** The time in milliseconds since 1970. */
export const time = (): number => (offset === undefined ? Date.now() : Math.floor(performance.now() + offset))

/** The time `ms` milliseconds from now, as ISO 8601 in UTC. */
export const momentIn = (ms: number): string => new Date(time() + ms).toISOString()

/** Now, as ISO 8601 in UTC. */
export const now = (): string => momentIn(0)

/** The whole seconds until daily limits reset. */
export const secondsToMidnight = (): number => Math.ceil((new Date(time()).setUTCHours(24, 0, 0, 0) - time()) / 1000)

/** By how much the clock of this machine is ahead of the time, in milliseconds; negative if it is behind. */
export const clockError = (): number => Date.now() - time()

/**
 * Adopts another clock, which showed `shown` (milliseconds since 1970) at some moment of the last `took` milliseconds.
 * Ignores a change smaller than that uncertainty.
 */
export function setClock(shown: number, took: number): void {
  const measured = shown + took / 2 - performance.now()
  offset ??= Date.now() - performance.now()
  if (Math.abs(measured - offset) > took / 2 + 1) offset = measured
}

/** Uses the clock of this machine again. */
export function resetClock(): void {
  offset = undefined
}
