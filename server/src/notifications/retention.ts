import { setTimeout as sleep } from 'node:timers/promises'
import { again } from '#lib/retry.ts'
import { notifications } from '#store/notifications'

const DAY_MS = 24 * 60 * 60 * 1000

/** Removes notifications that are too old, now and once a day, until `signal` is aborted. */
export async function runDailyRetention(options: {
  signal: AbortSignal
  failed: (error: unknown) => void
}): Promise<void> {
  const { signal } = options
  while (!signal.aborted) {
    await again(() => notifications.deleteExpired(), options)
    await sleep(DAY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
