import { setTimeout as sleep } from 'node:timers/promises'

/** The backoff after a failure: it doubles each time, from the first value up to the second. */
const [FIRST_BACKOFF_MS, MAX_BACKOFF_MS] = [1000, 60_000]

/** For what is retried until this process ends. */
export const FOREVER = new AbortController().signal

/**
 * Runs `work`, and retries it until it succeeds or `signal` is aborted. Calls `failed` after each failure. Never
 * throws.
 */
export async function retryUntilDone(
  work: () => Promise<unknown>,
  { signal, failed }: { signal: AbortSignal; failed: (error: unknown) => void },
): Promise<void> {
  for (let wait = FIRST_BACKOFF_MS; !signal.aborted; wait = Math.min(2 * wait, MAX_BACKOFF_MS))
    try {
      await work()
      return
    } catch (error) {
      failed(error)
      await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined)
    }
}
