import { setTimeout as sleep } from 'node:timers/promises'

/** How long it is waited after a failure, in milliseconds: twice as long each time, but no longer than the second. */
const [SOON, LATE] = [1000, 60_000]

/** Does `work` once it succeeds, however often the machine fails it, until `signal` is aborted. Never throws. */
export async function again(
  work: () => Promise<unknown>,
  { signal, failed }: { signal: AbortSignal; failed: (error: unknown) => void },
): Promise<void> {
  for (let wait = SOON; !signal.aborted; wait = Math.min(2 * wait, LATE))
    try {
      await work()
      return
    } catch (error) {
      failed(error)
      await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined)
    }
}
