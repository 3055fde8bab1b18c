import type { Finding } from '@mokuroku/contract/findings'
import type { WorkSuggestion } from '@mokuroku/contract/work'
import type { Fields } from '#lib/editorText.ts'
import type { VersionConflict } from '#lib/versionConflict.ts'
import type { Stored } from '#parts/area/area.ts'
import type { Progress } from './progress.ts'

// The queue of the desk: its entities, and the state of each.

/** `failed`: saving failed. `gone`: deleted in the meantime. */
export type EntryState =
  | 'loading'
  | 'waiting'
  | 'saving'
  | 'saved'
  | 'merged'
  | 'skipped'
  | 'dismissed'
  | 'failed'
  | 'gone'

/** A suggestion; those by AI have the id of their run. */
export type Offered = Omit<WorkSuggestion, 'origin'> & { origin: WorkSuggestion['origin'] | 'ai'; run?: string }

export interface Entry {
  id: string
  state: EntryState
  entity?: Stored & Fields
  findings: readonly Finding[]
  /** undefined until loaded. */
  suggestions?: readonly Offered[]
  /** Why suggestions could not be loaded. */
  suggestionsFailure?: unknown
  /** The typed text; undefined if nothing was typed. */
  text?: string
  /** The chosen values, by field. */
  chosen?: Fields | undefined
  /** The text was restored from a draft. */
  isRestored?: boolean
  /** The version that the draft began with: the text may have been changed by others since. */
  base?: number | undefined
  /** Why saving failed. */
  reason?: string | undefined
  stale?: VersionConflict | undefined
  /** Ids of the AI runs that the text came from. */
  runs: readonly string[]
}

/** An action that can be undone. */
export interface Act {
  id: string
  what: 'saved' | 'merged' | 'skipped' | 'dismissed'
  /** The fields before it. */
  before: Fields
  /** The fields that were sent, if it was a save. */
  sent?: Fields
  /** The batch, if it was a merge, and the entries of the queue as they were before it. */
  merge?: { batch: string; entries: readonly Pick<Entry, 'id' | 'state'>[] }
  /** Settles when the server has responded. */
  ended: Promise<unknown>
}

export interface Queue {
  entries: readonly Entry[]
  current: string | undefined
  /** Number of matches, exact up to 10,000; undefined until the first response. */
  total: number | undefined
  /** When the queue was opened, all entities up to this id were finished. */
  from: string
  /** Whether there are no more entities to reserve. */
  isAtEnd: boolean
  /** The error, if the queue could not be loaded. */
  failure: unknown
  acts: readonly Act[]
  isUndoing: boolean
  progress: Progress
}

/** Final states. */
const ENDED: ReadonlySet<EntryState> = new Set(['saved', 'merged', 'skipped', 'dismissed', 'gone'])
const OPEN: ReadonlySet<EntryState> = new Set(['loading', 'waiting'])
export const isEnded = (state: EntryState): boolean => ENDED.has(state)
/** Whether an entry can be worked on. */
export const isEditable = ({ state }: Entry): boolean => state === 'waiting' || state === 'failed'

export const newQueue = (progress: Progress): Queue => ({
  entries: [],
  current: undefined,
  total: undefined,
  from: progress.after,
  isAtEnd: false,
  failure: undefined,
  acts: [],
  isUndoing: false,
  progress,
})

export const newEntry = (id: string): Entry => ({ id, state: 'loading', findings: [], runs: [] })

/** The queue with one entry changed. */
export const withEntry = (queue: Queue, id: string, change: Partial<Entry>): Queue => ({
  ...queue,
  entries: queue.entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)),
})

/** How many entries are done, and how many are skipped. */
export function tallyOf({ entries }: Pick<Queue, 'entries'>): { done: number; skipped: number } {
  const count = (...states: EntryState[]) => entries.filter(({ state }) => states.includes(state)).length
  return { done: count('saved', 'merged', 'dismissed'), skipped: count('skipped') }
}

/** The entry on screen. */
export const currentOf = ({ entries, current }: Pick<Queue, 'entries' | 'current'>): Entry | undefined =>
  entries.find(({ id }) => id === current)

/**
 * The next entry: the first unfinished one, or else one that could not be saved. In between, a text that is typed ahead
 * would replace that of the failed one.
 */
export const nextOf = (queue: Pick<Queue, 'entries'>): string | undefined =>
  (queue.entries.find(({ state }) => OPEN.has(state)) ?? failedIn(queue)[0])?.id

/** The entries that could not be saved. */
export const failedIn = ({ entries }: Pick<Queue, 'entries'>): readonly Entry[] =>
  entries.filter(({ state }) => state === 'failed')

/** How many of the reserved entries are unfinished. */
export const openIn = ({ entries }: Pick<Queue, 'entries'>): number =>
  entries.filter(({ state }) => OPEN.has(state)).length

/** How many are being saved, or have failed. */
export const pendingIn = ({ entries }: Pick<Queue, 'entries'>): number =>
  entries.filter(({ state }) => !OPEN.has(state) && !ENDED.has(state)).length

/** The last id up to which everything is finished; the next entities are reserved from there. */
export function doneUntil({ entries, from }: Pick<Queue, 'entries' | 'from'>): string {
  const first = entries.findIndex(({ state }) => !ENDED.has(state))
  return (first < 0 ? entries : entries.slice(0, first)).at(-1)?.id ?? from
}

/** The queue with more entries, sorted by id. */
export function withNew(queue: Queue, ids: readonly string[]): Queue {
  const known = new Set(queue.entries.map(({ id }) => id))
  const added = ids.filter((id) => !known.has(id)).map(newEntry)
  const entries = [...queue.entries, ...added].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return { ...queue, entries, current: queue.current ?? nextOf({ entries }) }
}
