import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseGone } from '#lib/faults.ts'

const RETRY_INTERVAL_MS = 1000

/**
 * Runs `open`, and retries it for up to `seconds` while the database cannot be reached. Rethrows the last error then,
 * and other errors at once. `say` is called once, with a line for the operator.
 */
export async function untilReachable(
  open: () => Promise<void>,
  { seconds, say }: { seconds: number; say: (line: string) => void },
): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (let attempt = 1; ; attempt += 1)
    try {
      return await open()
    } catch (error) {
      if (!isDatabaseGone(error) || performance.now() >= end) throw error
      if (attempt === 1)
        say(`The database at DATABASE_URL cannot be reached yet. Trying again for up to ${seconds} seconds.`)
      await sleep(RETRY_INTERVAL_MS)
    }
}
