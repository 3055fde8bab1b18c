import { setTimeout as sleep } from 'node:timers/promises'
import { notifications } from '#store/notifications'

const DAY = 24 * 60 * 60 * 1000

/** Removes notifications that are too old, now and once a day, until `signal` is aborted. */
export async function removeOldDaily(signal: AbortSignal, failed: (error: unknown) => void): Promise<void> {
  while (!signal.aborted) {
    await notifications.removeOld().catch(failed)
    await sleep(DAY, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
