// What this process measures of itself, beside its calls: each room keeps its own meters, and `GET /metrics` has them all.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** All meters that are not about calls. */
export const meters = new Registry()

/** What the calls take; it is named here for who reads it under another name. */
export const REQUEST_DURATIONS = 'http_request_duration_seconds'

const registries = new Set([meters])

/** Has what a registry measures read with all the rest, until the answer is called. */
export function addMeters(registry: Registry): () => void {
  registries.add(registry)
  return () => void registries.delete(registry)
}

/** What everything measures at this moment. */
export const readMeters = async () =>
  (await Promise.all([...registries].map((registry) => registry.getMetricsAsJSON()))).flat()

/** A value of a gauge, by the names of its labels. */
export interface Reading {
  labels?: Record<string, string>
  value: number
}

const DURATIONS = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

/** How often something happened. */
export const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
  new Counter({ name, help, labelNames: [...labelNames], registers: [meters] })

/** How long something took, in seconds. */
export const duration = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
  new Histogram({ name, help, labelNames: [...labelNames], buckets: DURATIONS, registers: [meters] })

/** A state that is looked up when the metrics are read. What cannot be looked up, or not in a second, is left out. */
export function gauge(name: string, help: string, labelNames: string[], probe: () => Promise<Reading[]> | Reading[]) {
  const made: Gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [meters],
    collect: async () => {
      made.reset()
      // Without labels, a reset gauge is 0: nothing is said of what is not known.
      if (labelNames.length === 0) made.remove()
      for (const { labels = {}, value } of await inTime(probe)) made.set(labels, value)
    },
  })
}

const LOOK_TIMEOUT_MS = 1000

async function inTime(probe: () => Promise<Reading[]> | Reading[]): Promise<Reading[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Reading[]>((resolve) => {
    timer = setTimeout(() => resolve([]), LOOK_TIMEOUT_MS).unref()
  })
  const looked = (async () => probe())().catch((): Reading[] => [])
  return Promise.race([looked, late]).finally(() => clearTimeout(timer))
}

/** `probe`, asked again only when its last answer is older than this, in milliseconds: whoever reads, reads for nothing. */
export function atMostEvery(ms: number, probe: () => Promise<Reading[]>): () => Promise<Reading[]> {
  let [at, last] = [-Infinity, Promise.resolve<Reading[]>([])]
  return () => {
    if (performance.now() - at < ms) return last
    at = performance.now()
    return (last = probe())
  }
}
