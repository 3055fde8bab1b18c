// The other side of sandbox.ts: what runs in the process that parses.
import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Sandboxed } from './sandbox.ts'

/**
 * What the job under way may use, as the watchdog reads it: the processor time and the moment (both in milliseconds) at
 * which it is over, and bytes. 0: no job.
 */
const bounds = new Float64Array(new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT))

// Where memory runs out, Linux ends the process that scores highest: this one, and not the server, which may be larger.
if (process.platform === 'linux')
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not where /proc is missing or read-only.
  }

// A thread of its own sees to the limits: a parser that hangs never yields.
new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: bounds }).unref()

// The server ends this process. Signals to the group of the server, as from a terminal, do not: the server lets a job
// that is under way come to its end for a while.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => bounds[0] || process.exit(0))

/** Makes a function a job: within the limits that it is given, or not at all. */
export const limited =
  <Task, Result>(job: (task: Task) => Promise<Result>) =>
  async ({ task, limits }: Sandboxed<Task>): Promise<Result> => {
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
