import type { Logger } from 'pino'
import { traceField } from './tracing.ts'

/** How long a shutdown waits for pending work, in milliseconds. */
const SETTLE_TIMEOUT_MS = 5000

const underWay = new Set<Promise<void>>()
let log: Pick<Logger, 'error'> | undefined

/** Sets the log for failures of deferred work. */
export function setBackgroundLog(to: Pick<Logger, 'error'> | undefined): void {
  log = to
}

/** Logs that something failed. */
export const logFailure =
  (what: string) =>
  (error: unknown): void =>
    log?.error({ err: error, ...traceField() }, `${what} failed`)

/** Runs `work` after the response to the current call. The caller neither waits for it nor sees whether it fails. */
export function runInBackground(what: string, work: () => Promise<unknown>): void {
  const task = new Promise((resolve) => setImmediate(resolve))
    .then(work)
    .catch(logFailure(what))
    .then(() => void underWay.delete(task))
  underWay.add(task)
}

/** Waits, for a limited time, for pending work and what that starts: before the database is closed, and in tests. */
export async function backgroundDone(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, SETTLE_TIMEOUT_MS).unref())
  await Promise.race([allDone(), timeout])
}

async function allDone(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay)
}
