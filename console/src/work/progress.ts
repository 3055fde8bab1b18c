import * as z from 'zod/mini'
import { localEntry, storedKeys } from '#api/browserStorage.ts'

/** Of a longer pause between two entities, only this much counts as work, in milliseconds. */
const MAX_PAUSE_MS = 2 * 60_000
/** How long the progress in a queue is kept after the last change, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60_000
const PREFIX = 'work:'

const Progress = z.object({
  /** How many were corrected or dismissed. */
  done: z.number(),
  skipped: z.number(),
  /** How many there were when the queue was started. */
  of: z.number(),
  /** All entities up to this id are finished. */
  after: z.string(),
  /** Time worked, without longer pauses, in milliseconds; and the timestamp up to which it was counted. */
  workedMs: z.number(),
  at: z.number(),
})
export type Progress = z.output<typeof Progress>

export const NO_PROGRESS: Progress = { done: 0, skipped: 0, of: 0, after: '', workedMs: 0, at: 0 }

/** The progress of a user in a queue, in local storage. */
export function progressOf(user: string, kind: string, filter: Readonly<Record<string, string>>) {
  const filters = Object.entries(filter).toSorted(([one], [other]) => one.localeCompare(other))
  const key = `${PREFIX}${user}:${kind}?${new URLSearchParams(filters).toString()}`
  return {
    read: (): Progress => read(key),
    write: (progress: Progress) => localEntry(key).set(JSON.stringify(progress)),
  }
}

/** Deletes the progress in queues that nobody has continued for KEPT_MS. */
export function pruneProgress(now = Date.now()) {
  for (const key of storedKeys(PREFIX)) if (now - read(key).at > KEPT_MS) localEntry(key).remove()
}

function read(key: string): Progress {
  try {
    return z.parse(Progress, JSON.parse(localEntry(key).get() ?? ''))
  } catch {
    return NO_PROGRESS
  }
}

/** Adds the time until `now` to the time worked, limited by MAX_PAUSE_MS. */
export function worked(progress: Progress, now: number): Progress {
  const passed = progress.at > 0 ? now - progress.at : 0
  return { ...progress, at: now, workedMs: progress.workedMs + Math.min(Math.max(0, passed), MAX_PAUSE_MS) }
}

/** How many are done per minute of work, to one decimal; undefined until there is enough data. */
export const perMinute = ({ done, workedMs }: Progress): number | undefined =>
  done > 0 && workedMs >= 1000 ? Math.round((done / workedMs) * 600_000) / 10 : undefined
