import type { Finding } from '@mokuroku/contract/findings'
import type { WorkSuggestion } from '@mokuroku/contract/work'
import type { Fields } from '#lib/editorText.ts'
import type { VersionConflict } from '#lib/versionConflict.ts'
import type { Stored } from '#parts/area/area.ts'
import type { Progress } from './progress.ts'

// What the desk shows: the entities of the queue, and what became of each.

/** `failed` came back: it was not saved. `gone` was deleted meanwhile. */
export type EntryState = 'loading' | 'waiting' | 'saving' | 'saved' | 'skipped' | 'dismissed' | 'failed' | 'gone'

/** A suggestion; one of AI names the answer that it is from. */
export type Offered = Omit<WorkSuggestion, 'origin'> & { origin: WorkSuggestion['origin'] | 'ai'; run?: string }

export interface Entry {
  id: string
  state: EntryState
  entity?: Stored & Fields
  findings: readonly Finding[]
  /** Undefined until they are there. */
  suggestions?: readonly Offered[]
  /** What was typed; undefined while nothing was. */
  text?: string
  /** What was chosen: the fields that it sets, and what they are set to. */
  chosen?: Fields | undefined
  /** It was typed on an earlier visit. */
  isRestored?: boolean
  /** Why it came back. */
  reason?: string | undefined
  stale?: VersionConflict | undefined
  /** The answers of AI that the text is from. */
  runs: readonly string[]
}

/** One thing that was done, to be taken back. */
export interface Act {
  id: string
  what: 'saved' | 'skipped' | 'dismissed'
  /** The fields before it. */
  before: Fields
  /** Once the server has answered. */
  ended: Promise<unknown>
}

export interface Queue {
  entries: readonly Entry[]
  current: string | undefined
  /** How many match, and whether there are more than that; undefined until the first answer. */
  total: number | undefined
  /** Up to which id all was dealt with when the queue was opened. */
  from: string
  /** There is nothing more to reserve. */
  isAtEnd: boolean
  /** Why the queue could not be asked. */
  failure: unknown
  acts: readonly Act[]
  isUndoing: boolean
  progress: Progress
}

/** States in which nothing more is to be done. */
const ENDED: ReadonlySet<EntryState> = new Set(['saved', 'skipped', 'dismissed', 'gone'])
const OPEN: ReadonlySet<EntryState> = new Set(['loading', 'waiting'])
export const isEnded = (state: EntryState): boolean => ENDED.has(state)
/** What can be worked on. */
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

/** The entry that is shown. */
export const currentOf = ({ entries, current }: Pick<Queue, 'entries' | 'current'>): Entry | undefined =>
  entries.find(({ id }) => id === current)

/** What comes next: what came back, then the first that is still to be done. */
export const nextOf = ({ entries }: Pick<Queue, 'entries'>): string | undefined =>
  (entries.find(({ state }) => state === 'failed') ?? entries.find(({ state }) => OPEN.has(state)))?.id

/** How many are still to be done, of those that are reserved. */
export const openIn = ({ entries }: Pick<Queue, 'entries'>): number =>
  entries.filter(({ state }) => OPEN.has(state)).length

/** How many are neither done nor waiting for their turn: they are being saved, or came back. */
export const pendingIn = ({ entries }: Pick<Queue, 'entries'>): number =>
  entries.filter(({ state }) => !OPEN.has(state) && !ENDED.has(state)).length

/** The last id up to which everything is done: from there the next ones are reserved. */
export function doneUntil({ entries, from }: Pick<Queue, 'entries' | 'from'>): string {
  const first = entries.findIndex(({ state }) => !ENDED.has(state))
  return (first < 0 ? entries : entries.slice(0, first)).at(-1)?.id ?? from
}

/** The queue with further entries, in the order of ids. */
export function withNew(queue: Queue, ids: readonly string[]): Queue {
  const known = new Set(queue.entries.map(({ id }) => id))
  const added = ids.filter((id) => !known.has(id)).map(newEntry)
  const entries = [...queue.entries, ...added].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return { ...queue, entries, current: queue.current ?? nextOf({ entries }) }
}
