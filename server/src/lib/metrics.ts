// Metrics of this process besides those of its calls. Each module defines its own; `GET /metrics` returns them all.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** All metrics that are not about calls. */
export const meters = new Registry()

/** The durations of calls; defined here because telemetry exports them under another name. */
export const REQUEST_DURATIONS = 'http_request_duration_seconds'

let callMeters = new Registry()
/** Sets the registry of the metrics about calls. They are readable even after the server was closed. */
export const setCallMeters = (registry: Registry): void => void (callMeters = registry)

/** The current values of all metrics. */
export const readMeters = async () =>
  (await Promise.all([meters, callMeters].map((registry) => registry.getMetricsAsJSON()))).flat()

/** A value of a gauge, with its labels. */
export interface Reading {
  labels?: Record<string, string>
  value: number
}

const DURATIONS = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

/** Counts how often something happened. */
export const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
  new Counter({ name, help, labelNames: [...labelNames], registers: [meters] })

/** Measures how long something took, in seconds. */
export const duration = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
  new Histogram({ name, help, labelNames: [...labelNames], buckets: DURATIONS, registers: [meters] })

/** A state that is read when metrics are collected. It is left out if `probe` fails or takes more than a second. */
export function gauge(name: string, help: string, labelNames: string[], probe: () => Promise<Reading[]> | Reading[]) {
  const made: Gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [meters],
    collect: async () => {
      made.reset()
      // A reset gauge without labels would report 0: an unknown value is not reported.
      if (labelNames.length === 0) made.remove()
      for (const { labels = {}, value } of await inTime(probe)) made.set(labels, value)
    },
  })
}

const PROBE_TIMEOUT_MS = 1000

async function inTime(probe: () => Promise<Reading[]> | Reading[]): Promise<Reading[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Reading[]>((resolve) => {
    timer = setTimeout(() => resolve([]), PROBE_TIMEOUT_MS).unref()
  })
  const probed = (async () => probe())().catch((): Reading[] => [])
  return Promise.race([probed, late]).finally(() => clearTimeout(timer))
}

const CACHE_MS = 5000

/** Caches the result of `probe`: metrics that are read more often get the same numbers again. */
export function cached(probe: () => Promise<Reading[]>): () => Promise<Reading[]> {
  let [at, last] = [-Infinity, Promise.resolve<Reading[]>([])]
  return () => {
    if (performance.now() - at < CACHE_MS) return last
    at = performance.now()
    return (last = probe())
  }
}
