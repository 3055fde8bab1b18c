import { setTimeout as sleep } from 'node:timers/promises'
import { again } from '#lib/retry.ts'
import { notifications } from '#store/notifications'

const DAY = 24 * 60 * 60 * 1000

/** Removes notifications that are too old, now and once a day, until `signal` is aborted. */
export async function removeOldDaily(telling: {
  signal: AbortSignal
  failed: (error: unknown) => void
}): Promise<void> {
  const { signal } = telling
  while (!signal.aborted) {
    await again(() => notifications.removeOld(), telling)
    await sleep(DAY, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
