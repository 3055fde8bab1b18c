import type { Transaction } from '#database/db.ts'

/** What a job keeps for whoever goes on with it, and how much there is to do. */
export interface Note {
  payload?: Record<string, unknown> | undefined
  total?: number | undefined
}

/** What a kind of work is given of a job. */
export interface Job {
  _id: string
  payload: Record<string, unknown>
  /** Aborted when the server stops, when the job was cancelled, and when another process has taken it over. */
  signal: AbortSignal
  /**
   * Renews the claim as a part of `tx`, and notes how much more is done: what the transaction writes is then written by
   * one process alone. Without `done` the job has got no further, and still fails in a row. Throws `ClaimLost` when the
   * job is not this process's any more.
   */
  hold: (tx: Transaction, done?: number, note?: Note) => Promise<void>
}

/** Thrown by a job that another try would not help. */
export class JobFailed extends Error {}

/** How a job ended. */
export type Ending = 'done' | 'failed' | 'cancelled'

/** What one kind of job does, and how often. */
export interface Work {
  /** Works until the job is finished or `signal` aborts. Called again after a crash: what is done must show in the database. */
  run: (job: Job) => Promise<void>
  /** Called in the transaction that ends the job. */
  ended?: (tx: Transaction, id: string, ending: Ending) => Promise<void>
  /** It is done so often, in milliseconds, for as long as there is a server. Its only job has the name of the kind as id. */
  everyMs?: number
  /** How often it may fail in a row, or end with its process, before it is given up; 8 times where it does not say. */
  attempts?: number
  /** It takes much of the machine: a process does one such job at a time, beside those of other kinds. */
  isHeavy?: boolean
}

const works = new Map<string, Work>()

/** Has the jobs of a kind done by `work` in this process. */
export const registerWork = (kind: string, work: Work): void => void works.set(kind, work)

export const workOf = (kind: string): Work | undefined => works.get(kind)

/** The kinds that this process can do: those that are heavy, and those that are not. */
export const kindsThat = (are: { heavy: boolean }): string[] =>
  [...works].flatMap(([kind, { isHeavy = false }]) => (isHeavy === are.heavy ? [kind] : []))
