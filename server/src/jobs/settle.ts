import { setTimeout as sleep } from 'node:timers/promises'
import { machineFault } from '#lib/faults.ts'
import { ClaimLost } from './queue.ts'

/** The backoff for recording the outcome of a job, in milliseconds; the last value repeats. */
const SETTLE_WAITS_MS = [500, 2000, 5000]

/**
 * Records the outcome of a job, or of one of its attempts, retrying while the database is unreachable. Until then the
 * lease is renewed if possible, so that nobody else takes the job. Returns false if the claim was lost.
 */
export async function settle(record: () => Promise<void>, stopped: AbortSignal): Promise<boolean> {
  for (let tries = 0; ; tries += 1)
    try {
      await record()
      return true
    } catch (error) {
      if (error instanceof ClaimLost) return false
      if (!machineFault(error)) throw error
      if (stopped.aborted) return true
      const wait = SETTLE_WAITS_MS[tries] ?? SETTLE_WAITS_MS.at(-1)
      await sleep(wait, undefined, { signal: stopped, ref: false }).catch(() => undefined)
    }
}
