import { Tinypool } from 'tinypool'
import { Refusal } from '#lib/errors.ts'
import { semaphore } from '#lib/semaphore.ts'

/** The maximum number of concurrent parser processes. Each may use all cores for pictures. */
const MAX_WORKERS = 2
/** The JavaScript heap limit of such a process, in MB; each job limits the memory of the process as a whole. */
const MAX_HEAP_MB = 384
/** How long a process may take to start and to load the code of a job, in milliseconds. */
const START_TIMEOUT_MS = 60_000
/** After how many idle milliseconds a process ends. */
const IDLE_MS = 60_000
/** The wall-clock limit of a job is this many times its CPU limit: the machine may be busy with other work. */
const WALL_FACTOR = 4
/**
 * A process ends itself when its time is over. If it has not after this many more milliseconds, it is killed from here.
 */
const GRACE_MS = 2000

/** The limits of a job. A process that exceeds them is killed, and its job rejects with `SandboxKilled`. */
export interface Limits {
  cpuMs: number
  memoryMB: number
}

/** What the parser process receives. */
export interface Sandboxed<Task> {
  task: Task
  limits: Limits & { wallMs: number }
}

/** The process of a job was killed: it took too long, used too much memory, or crashed. */
export class SandboxKilled extends Error {}

/**
 * Killed because the wall-clock limit came before the other limits: the machine is too busy, and the file is not at
 * fault.
 */
export class SandboxStarved extends SandboxKilled {
  readonly code = 'STARVED'
}

/** Whether a job was killed because of its file. */
export const costsTooMuch = (error: unknown): boolean =>
  error instanceof SandboxKilled && !(error instanceof SandboxStarved)

type Jobs<J> = { [Name in keyof J]: (given: Sandboxed<never>) => Promise<unknown> }
type TaskOf<J> = J extends (given: Sandboxed<infer Task>) => unknown ? Task : never
type ResultOf<J> = J extends (given: never) => Promise<infer Result> ? Result : never

/**
 * Runs the exported jobs of `file` in separate processes, so that the server survives whatever a hostile file does to a
 * parser. They are processes rather than threads: a thread that reaches its memory limit while an array grows takes the
 * whole process with it, and so does a crash in native code. A job is an export made by `limited` (worker.ts). Errors
 * of a job are rethrown here; throws `SandboxKilled` if the process was killed.
 */
export const sandbox =
  <J extends Jobs<J>>(file: URL) =>
  <Name extends keyof J & string>(name: Name, task: TaskOf<J[Name]>, limits: Limits): Promise<ResultOf<J[Name]>> =>
    inTurn(() => run(file, name, task, limits) as Promise<ResultOf<J[Name]>>)

/** Ends the processes and their jobs. The next job starts new ones. */
export async function closeSandbox(): Promise<void> {
  const closing = pool
  pool = undefined
  await closing?.destroy()
}

let pool: Tinypool | undefined
/** Jobs wait here rather than in the pool, so that the time limit of a job starts when it runs. */
const inTurn = semaphore(MAX_WORKERS)

async function run(file: URL, name: string, task: unknown, limits: Limits): Promise<unknown> {
  pool ??= openPool()
  const wallMs = limits.cpuMs * WALL_FACTOR
  const timeout = new AbortController()
  const endAfter = (ms: number) => setTimeout(() => timeout.abort(), ms)
  let timer = endAfter(START_TIMEOUT_MS)
  let began = performance.now()
  let hasBegun = false
  const begin = () => {
    // Only once: a job that has been taken over could put off its end with further messages.
    if (hasBegun) return
    hasBegun = true
    clearTimeout(timer)
    timer = endAfter(wallMs + GRACE_MS)
    began = performance.now()
  }
  try {
    const given: Sandboxed<unknown> = { task, limits: { ...limits, wallMs } }
    // The only message is that the job begins: on a busy machine, starting a process can take longer than its job may.
    const channel = { postMessage: begin }
    return await pool.run(given, { filename: file.href, name, signal: timeout.signal, channel })
  } catch (error) {
    const failure = errorOf(error)
    const isOver = timeout.signal.aborted || performance.now() - began >= wallMs
    throw failure instanceof SandboxKilled && isOver ? new SandboxStarved(failure.message) : failure
  } finally {
    clearTimeout(timer)
  }
}

function openPool(): Tinypool {
  const opened = new Tinypool({
    runtime: 'child_process',
    // Otherwise, jobs that wait for a process that was killed would wait forever.
    minThreads: 1,
    maxThreads: MAX_WORKERS,
    idleTimeout: IDLE_MS,
    serialization: 'advanced',
    // Without environment variables, which contain secrets.
    env: {},
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
  })
  // A process that ends without a job is not an error.
  opened.on('error', () => undefined)
  return opened
}

/** Errors of a job arrive as plain data; any other error means that there was no answer. */
function errorOf(thrown: unknown): Error {
  if (thrown instanceof Error) {
    // The system could not start another process: the file is not at fault.
    if ((thrown as NodeJS.ErrnoException).syscall?.startsWith('spawn')) return thrown
    return new SandboxKilled(thrown.message)
  }
  const { message, status, code, ...more } = thrown as Partial<Refusal> & { message: string }
  if (typeof status === 'number' && code !== undefined)
    return new Refusal(status, code, message, more.errors, more.more ?? {})
  return Object.assign(new Error(message), { ...more, code })
}
