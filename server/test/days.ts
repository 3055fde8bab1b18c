import { setTimeout as sleep } from 'node:timers/promises'
import { secondsToMidnight } from '#lib/clock.ts'

/** How long a test that counts by day may take, in seconds. */
const MAX_SECONDS = 30

/** Waits until after midnight (UTC) if it is near, so that the day does not change during the test. */
export async function withinOneDay(): Promise<void> {
  const seconds = secondsToMidnight()
  if (seconds <= MAX_SECONDS) await sleep(seconds * 1000)
}
