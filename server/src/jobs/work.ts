import type { Transaction } from '#database/db.ts'

/** What a job stores for whoever continues it, and the total amount of work. */
export interface Note {
  payload?: Record<string, unknown> | undefined
  total?: number | undefined
}

/** What the work of a kind receives of a job. */
export interface Job {
  _id: string
  payload: Record<string, unknown>
  /** Aborted when the server shuts down, when the job is cancelled, and when another process has taken it over. */
  signal: AbortSignal
  /**
   * Renews the lease within `tx`, and records how much more is done. What the transaction writes is then written by
   * only one process. Without `done`, there is no progress, and failures still count as consecutive. Throws `ClaimLost`
   * if this process no longer holds the job.
   */
  hold: (tx: Transaction, done?: number, note?: Note) => Promise<void>
}

/** The states of a job that has not ended. */
export const UNFINISHED = ['queued', 'running'] as const

export const isUnfinishedState = (state: string | null | undefined): state is (typeof UNFINISHED)[number] =>
  UNFINISHED.some((each) => each === state)

/** Thrown by a job that a retry would not help. */
export class JobFailed extends Error {}

/** How a job ended. */
export type Ending = 'done' | 'failed' | 'cancelled'

/** What jobs of one kind do, and how often. */
export interface Work {
  /**
   * Works until the job is finished or `signal` aborts. It is called again after a crash, so progress must be stored in
   * the database.
   */
  run: (job: Job) => Promise<void>
  /**
   * `run` never stops early: once it returns, the job is done, even during a shutdown. For what must not be repeated,
   * such as sending an email.
   */
  ignoresSignal?: boolean
  /** Called in the transaction that ends the job. */
  ended?: (tx: Transaction, id: string, ending: Ending) => Promise<void>
  /** Called in the transaction in which an administrator starts a failed job again. */
  restarted?: (tx: Transaction, id: string) => Promise<void>
  /** The interval of repeated work, in milliseconds. Its only job has the name of the kind as its id. */
  everyMs?: number
  /** After how many consecutive failures, or crashes of its process, it is given up; 8 by default. */
  attempts?: number
  /**
   * A process runs one job of this kind at a time, besides those of other kinds: each needs much CPU or memory, or may
   * wait long for another server.
   */
  hasOwnSlot?: boolean
}

const works = new Map<string, Work>()

/** Makes this process run jobs of a kind with `work`. */
export const registerWork = (kind: string, work: Work): void => void works.set(kind, work)

export const workOf = (kind: string): Work | undefined => works.get(kind)

/** Whether a job of this kind is due again after each run. */
export const isRepeated = ({ kind }: { kind: string }): boolean => works.get(kind)?.everyMs !== undefined

/** The kinds of jobs that this process can run. */
export const jobKinds = (): string[] => [...works.keys()]
