import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Longer than this nobody is answered at all, in milliseconds: somebody's call or work blocks the event loop. */
const MAX_BLOCKED_MS = 1000
const INTERVAL_MS = 500
const RESOLUTION_MS = 20
const NS = 1e9

export interface LoopDelay {
  /** The longest delay and the 99th percentile since the last time that they were taken, in seconds. */
  take(): { max: number; p99: number }
  /** Notes a call under way, by its route; the returned function says that it was answered. */
  begin(route: string): () => void
  stop(): void
}

/**
 * Measures how late the event loop is. `blocked` is told of a delay of more than a second, in seconds, with the routes of
 * the calls that were under way: one of them, or work in the background where there is none, has blocked the server.
 */
export function watchLoop(blocked: (seconds: number, routes: string[]) => void): LoopDelay {
  // One is emptied by who reads the metrics, the other by the watchdog.
  const [since, recent] = [histogram(), histogram()]
  const underWay = new Map<symbol, string>()
  // A call that blocked may have been answered when it is looked for.
  const lately = new Set<string>()
  let pending: NodeJS.Timeout | undefined
  const report = (counted: number): void => {
    // A delay is recorded when its timer comes: a reset before that would lose it.
    if (recent.count === counted) return void (pending = reportLater(counted))
    const max = recent.max / NS
    if (max * 1000 > MAX_BLOCKED_MS) blocked(max, [...new Set([...lately, ...underWay.values()])].toSorted())
    recent.reset()
    lately.clear()
  }
  const reportLater = (counted: number) => setTimeout(() => report(counted), 2 * RESOLUTION_MS).unref()
  const timer = setInterval(() => {
    clearTimeout(pending)
    pending = reportLater(recent.count)
  }, INTERVAL_MS).unref()
  return {
    take: () => {
      const taken = { max: since.max / NS, p99: since.percentile(99) / NS }
      since.reset()
      return taken
    },
    begin: (route) => {
      const key = Symbol(route)
      underWay.set(key, route)
      return () => {
        if (underWay.delete(key)) lately.add(route)
      }
    },
    stop: () => {
      clearInterval(timer)
      clearTimeout(pending)
      since.disable()
      recent.disable()
    },
  }
}

function histogram() {
  const made = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  made.enable()
  return made
}
