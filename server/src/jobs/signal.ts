// Signals within this process that there may be something to do. Other processes announce their jobs; if announcements
// are not received, polling finds them.
import { announce, onAnnounced } from '#database/announcements.ts'
import { type ChangeSignal, createChangeSignal } from '#lib/changeSignal.ts'

const listeners = new Set<() => void>()

/** Signals that a job was added, has progressed or has ended. */
export function publishJobs(): void {
  notifyListeners()
  announce('jobs')
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

onAnnounced('jobs', notifyListeners)

/** Waits for changes of jobs, until it is closed. */
export const createJobSignal = (signal: AbortSignal): ChangeSignal =>
  createChangeSignal((changed) => {
    listeners.add(changed)
    return () => listeners.delete(changed)
  }, signal)
