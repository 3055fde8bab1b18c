import { Tinypool } from 'tinypool'
import { Refusal } from '#lib/errors.ts'
import { semaphore } from '#lib/semaphore.ts'

/** Processes that parse at the same time. Each may use all cores for pictures. */
const MAX_WORKERS = 2
/** Of the JavaScript heap of such a process, in MB; the memory of the process as a whole is limited for each job. */
const MAX_HEAP_MB = 384
/** When a process that has nothing to do ends, in milliseconds. */
const IDLE_MS = 60_000
/** A job has so much more wall-clock time than processor time: the machine may have other things to do. */
const WALL_FACTOR = 4
/** The process ends itself when its time is over. After so many milliseconds more it is ended from here. */
const GRACE_MS = 2000

/** What a job may use. A process that uses more is killed, and its job rejects with `SandboxKilled`. */
export interface Limits {
  cpuMs: number
  memoryMB: number
}

/** What the process that parses is given. */
export interface Sandboxed<Task> {
  task: Task
  limits: Limits & { wallMs: number }
}

/** The process that ran a job was killed: it took too long, took too much memory, or crashed. */
export class SandboxKilled extends Error {}

/** It was killed since its time was over before it had used what it may: the machine is too busy, and the file not at fault. */
class SandboxStarved extends SandboxKilled {
  readonly code = 'STARVED'
}

/** Whether a job was killed for what its file costs. */
export const costsTooMuch = (error: unknown): boolean =>
  error instanceof SandboxKilled && !(error instanceof SandboxStarved)

type Jobs<J> = { [Name in keyof J]: (given: Sandboxed<never>) => Promise<unknown> }
type TaskOf<J> = J extends (given: Sandboxed<infer Task>) => unknown ? Task : never
type ResultOf<J> = J extends (given: never) => Promise<infer Result> ? Result : never

/**
 * Runs the exported jobs of `file` in processes of their own: whatever a hostile file does to a parser, the server goes
 * on. They are processes and not threads, because a thread that reaches its memory limit while one array grows takes the
 * whole process with it, and so does a crash in native code. A job is an export that `limited` made (worker.ts).
 * What a job throws is thrown here; `SandboxKilled` where it did not come to that.
 */
export const sandbox =
  <J extends Jobs<J>>(file: URL) =>
  <Name extends keyof J & string>(name: Name, task: TaskOf<J[Name]>, limits: Limits): Promise<ResultOf<J[Name]>> =>
    inTurn(() => run(file, name, task, limits) as Promise<ResultOf<J[Name]>>)

/** Ends the processes, and what is under way in them. The next job starts new ones. */
export async function closeSandbox(): Promise<void> {
  const closing = pool
  pool = undefined
  await closing?.destroy()
}

let pool: Tinypool | undefined
/** Jobs wait here and not in the pool, so that the time of a job begins when it does. */
const inTurn = semaphore(MAX_WORKERS)

async function run(file: URL, name: string, task: unknown, limits: Limits): Promise<unknown> {
  pool ??= openPool()
  const wallMs = limits.cpuMs * WALL_FACTOR
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), wallMs + GRACE_MS)
  const began = performance.now()
  try {
    const given: Sandboxed<unknown> = { task, limits: { ...limits, wallMs } }
    return await pool.run(given, { filename: file.href, name, signal: timeout.signal })
  } catch (error) {
    const failure = errorOf(error)
    const isOver = performance.now() - began >= wallMs
    throw failure instanceof SandboxKilled && isOver ? new SandboxStarved(failure.message) : failure
  } finally {
    clearTimeout(timer)
  }
}

function openPool(): Tinypool {
  const opened = new Tinypool({
    runtime: 'child_process',
    // Without one at hand, jobs that wait for a process that was killed would wait for ever.
    minThreads: 1,
    maxThreads: MAX_WORKERS,
    idleTimeout: IDLE_MS,
    serialization: 'advanced',
    // Nothing of the environment, which holds secrets.
    env: {},
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
  })
  // A process that ends while it has no job is nobody's failure.
  opened.on('error', () => undefined)
  return opened
}

/** What a job threw comes as plain data; anything else says that there was no answer. */
function errorOf(thrown: unknown): Error {
  if (thrown instanceof Error) {
    // The system had no room for another process: that is not the fault of the file.
    if ((thrown as NodeJS.ErrnoException).syscall?.startsWith('spawn')) return thrown
    return new SandboxKilled(thrown.message)
  }
  const { message, status, code, ...more } = thrown as Partial<Refusal> & { message: string }
  if (typeof status === 'number' && code !== undefined)
    return new Refusal(status, code, message, more.errors, more.more ?? {})
  return Object.assign(new Error(message), { ...more, code })
}
