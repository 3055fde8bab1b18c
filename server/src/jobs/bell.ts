// Rings in this process when there may be something to do. What other processes add they announce; where that is not
// heard, it is found by polling.
import { announce, onAnnounced } from '#database/announcements.ts'

const listeners = new Set<() => void>()

/** Says that a job was added, has progressed or has ended. */
export function publishJobs(): void {
  ringHere()
  announce('jobs')
}

function ringHere(): void {
  for (const listener of listeners) listener()
}

onAnnounced('jobs', ringHere)

export interface Bell {
  /** Forgets what has rung so far: to be called before the database is looked at. */
  hush(): void
  /** Resolves when it has rung since `hush`, or rings, after `ms` at the latest, and when the signal aborts. */
  rung(ms: number): Promise<void>
  close(): void
}

/** A bell that rings with `publishJobs`, until it is closed. */
export function createBell(signal: AbortSignal): Bell {
  let rings = false
  let answer: (() => void) | undefined
  const ring = (): void => {
    rings = true
    answer?.()
  }
  listeners.add(ring)
  signal.addEventListener('abort', ring)
  return {
    hush: () => void (rings = signal.aborted),
    rung: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms).unref()
        answer = () => {
          clearTimeout(timer)
          resolve()
        }
        if (rings) answer()
      }),
    close: () => {
      listeners.delete(ring)
      signal.removeEventListener('abort', ring)
    },
  }
}
