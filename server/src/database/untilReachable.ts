import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseGone } from '#lib/faults.ts'
import { NoPrimary } from './hosts.ts'
import { TlsFault } from './tls.ts'

const RETRY_INTERVAL_MS = 1000

/** Excludes TLS errors, which the operator has to correct. During a failover, no host accepts writes. */
const isTemporary = (error: unknown): boolean =>
  error instanceof NoPrimary || (isDatabaseGone(error) && !(error instanceof TlsFault))

/**
 * Runs `open`, and retries it for up to `seconds` while the database cannot be reached or none of its hosts accepts
 * writes. Rethrows the last error then, and other errors at once. `log` is called once, with a line for the operator.
 */
export async function untilReachable(
  open: () => Promise<void>,
  { seconds, log }: { seconds: number; log: (line: string) => void },
): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (let attempt = 1; ; attempt += 1)
    try {
      return await open()
    } catch (error) {
      if (!isTemporary(error) || performance.now() >= end) throw error
      if (attempt === 1)
        log(`The database at DATABASE_URL is not available yet. Trying again for up to ${seconds} seconds.`)
      await sleep(RETRY_INTERVAL_MS)
    }
}
