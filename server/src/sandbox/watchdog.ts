// A thread of a process that parses (worker.ts): kills the process when a job uses more than it may, or when the
// server that waited for it is gone.
import { workerData } from 'node:worker_threads'

const INTERVAL_MS = 50
const bounds = workerData as Float64Array
const server = process.ppid

setInterval(() => {
  const [cpuMs = 0, moment = 0, bytes = 0] = bounds
  if (process.ppid === server && (cpuMs === 0 || isWithin(cpuMs, moment, bytes))) return
  process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)

function isWithin(cpuMs: number, moment: number, bytes: number): boolean {
  const { user, system } = process.cpuUsage()
  return (
    (user + system) / 1000 <= cpuMs &&
    Number(process.hrtime.bigint()) / 1e6 <= moment &&
    process.memoryUsage.rss() <= bytes
  )
}
