// A thread in the parser process (worker.ts). It kills the process when a job exceeds its limits, or when the server
// that started it is gone.
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
