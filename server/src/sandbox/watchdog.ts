// A thread in the parser process (worker.ts). It kills the process when a job exceeds its limits, or when the server
// that started it is gone.
import { workerData } from 'node:worker_threads'
import { isExceeded } from './limits.ts'

const INTERVAL_MS = 50
const bounds = workerData as Float64Array
const server = process.ppid

setInterval(() => {
  if (process.ppid === server && !isExceeded(bounds, usage)) return
  process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)

function usage() {
  const { user, system } = process.cpuUsage()
  return {
    cpuMs: (user + system) / 1000,
    moment: Number(process.hrtime.bigint()) / 1e6,
    bytes: process.memoryUsage.rss(),
  }
}
