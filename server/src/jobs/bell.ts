// Signals within this process that there may be something to do. Other processes announce their jobs; if announcements
// are not received, polling finds them.
import { announce, onAnnounced } from '#database/announcements.ts'

const listeners = new Set<() => void>()

/** Signals that a job was added, has progressed or has ended. */
export function publishJobs(): void {
  ringHere()
  announce('jobs')
}

function ringHere(): void {
  for (const listener of listeners) listener()
}

onAnnounced('jobs', ringHere)

export interface Bell {
  /** Resets the bell. Call it before querying the database, so that nothing is missed. */
  hush(): void
  /**
   * Resolves when the bell has rung since `hush` or rings, after at most `ms` milliseconds, or when the signal aborts.
   */
  rung(ms: number): Promise<void>
  close(): void
}

/** A bell that rings with every `publishJobs`, until it is closed. */
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
