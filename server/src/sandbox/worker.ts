// The counterpart of sandbox.ts: runs in the parser process.
import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Sandboxed } from './sandbox.ts'

/**
 * The limits of the current job, read by the watchdog: CPU time and deadline (both in milliseconds), and bytes of
 * memory. 0 if there is no job.
 */
const bounds = new Float64Array(new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT))

// When memory runs out, Linux kills the process with the highest score: this one, instead of the possibly larger
// server.
if (process.platform === 'linux')
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // /proc is missing or read-only.
  }

// A separate thread enforces the limits: a parser that hangs never yields.
new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: bounds }).unref()

// The server ends this process. A signal to the whole process group, as from a terminal, does not end a running job:
// the server lets it finish for a while.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => bounds[0] || process.exit(0))

/** Makes a function a job that runs within the given limits, or is killed. */
export const limited =
  <Task, Result>(job: (task: Task) => Promise<Result>) =>
  async ({ task, limits }: Sandboxed<Task>): Promise<Result> => {
    process.send?.('begin')
    const { user, system } = process.cpuUsage()
    bounds[2] = limits.memoryMB * 1024 * 1024
    bounds[1] = Number(process.hrtime.bigint()) / 1e6 + limits.wallMs
    bounds[0] = (user + system) / 1000 + limits.cpuMs
    try {
      return await job(task)
    } finally {
      bounds.fill(0)
    }
  }
