import * as z from 'zod/mini'
import { localEntry } from '#api/browserStorage.ts'

/** A pause longer than this between two entities is no work, in milliseconds. */
const MAX_PAUSE_MS = 2 * 60_000

const Progress = z.object({
  /** How many were corrected or called no problem. */
  done: z.number(),
  skipped: z.number(),
  /** How many there were when the queue was begun. */
  of: z.number(),
  /** Up to which id all are dealt with. */
  after: z.string(),
  /** The time worked on it, without pauses, in milliseconds; and when that was last counted. */
  workedMs: z.number(),
  at: z.number(),
})
export type Progress = z.output<typeof Progress>

export const NO_PROGRESS: Progress = { done: 0, skipped: 0, of: 0, after: '', workedMs: 0, at: 0 }

/** Where the progress of a user in a queue is kept on this device. */
export function progressOf(user: string, kind: string, filter: Readonly<Record<string, string>>) {
  const filters = Object.entries(filter).toSorted(([one], [other]) => one.localeCompare(other))
  const entry = localEntry(`work:${user}:${kind}?${new URLSearchParams(filters).toString()}`)
  return {
    read: (): Progress => {
      try {
        return z.parse(Progress, JSON.parse(entry.get() ?? ''))
      } catch {
        return NO_PROGRESS
      }
    },
    write: (progress: Progress) => entry.set(JSON.stringify(progress)),
  }
}

/** The progress with the time until `now` counted as work, unless it was a pause. */
export function worked(progress: Progress, now: number): Progress {
  const passed = progress.at > 0 ? now - progress.at : 0
  return { ...progress, at: now, workedMs: progress.workedMs + Math.min(Math.max(0, passed), MAX_PAUSE_MS) }
}

/** How many are done in a minute of work, to one decimal; undefined until there is something to go by. */
export const perMinute = ({ done, workedMs }: Progress): number | undefined =>
  done > 0 && workedMs >= 1000 ? Math.round((done / workedMs) * 600_000) / 10 : undefined
