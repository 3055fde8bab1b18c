import type { Logger } from 'pino'
import { traceField } from './tracing.ts'

/** How long a stop waits for what is under way, in milliseconds. */
const SETTLE_TIMEOUT_MS = 5000

const underWay = new Set<Promise<void>>()
let log: Pick<Logger, 'error'> | undefined

/** Says where failures of work done later are told. */
export function tellFailures(to: Pick<Logger, 'error'> | undefined): void {
  log = to
}

/** Tells that something failed. */
export const tellFailure =
  (what: string) =>
  (error: unknown): void =>
    log?.error({ err: error, ...traceField() }, `${what} failed`)

/** Does `work` after the answer to the present call; how long it takes, and whether it fails, the caller does not see. */
export function later(what: string, work: () => Promise<unknown>): void {
  const task = new Promise((resolve) => setImmediate(resolve))
    .then(work)
    .catch(tellFailure(what))
    .then(() => void underWay.delete(task))
  underWay.add(task)
}

/** Waits for the work under way and what that begins, for a while: before the database is closed, and in tests. */
export async function settled(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, SETTLE_TIMEOUT_MS).unref())
  await Promise.race([allDone(), timeout])
}

async function allDone(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay)
}
