/** What the parser process has used, and the time, in the units of the limits (worker.ts). */
interface Usage {
  cpuMs: number
  moment: number
  bytes: number
}

/**
 * Whether the running job exceeds its limits: CPU time, deadline and bytes of memory, the first of them 0 if no job is
 * running. The job may end while another thread reads them, which would take the zeros after it for limits: a process
 * killed for that takes the next job with it.
 */
export function isExceeded(limits: Float64Array, usage: () => Usage): boolean {
  const [cpuLimit = 0] = limits
  if (cpuLimit === 0) return false
  const { cpuMs, moment, bytes } = usage()
  const [, deadline = 0, byteLimit = 0] = limits
  const isWithin = cpuMs <= cpuLimit && moment <= deadline && bytes <= byteLimit
  return !isWithin && limits[0] === cpuLimit
}
