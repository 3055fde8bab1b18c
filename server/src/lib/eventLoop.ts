import { monitorEventLoopDelay } from 'node:perf_hooks'

/** During a longer delay, in milliseconds, no request is answered: a call or background work blocks the event loop. */
const MAX_BLOCKED_MS = 1000
const INTERVAL_MS = 500
const RESOLUTION_MS = 20
const NS = 1e9

export interface LoopDelay {
  /** The longest delay and the 99th percentile since the last call, in seconds. */
  take(): { max: number; p99: number }
  /** Records a pending call, by its route. Call the returned function when it has been answered. */
  begin(route: string): () => void
  stop(): void
}

/**
 * Measures the event loop delay. Calls `blocked` after a delay of more than a second, with the delay in seconds and the
 * routes of the pending calls: one of them has blocked the server, or background work if there are none.
 */
export function watchLoop(blocked: (seconds: number, routes: string[]) => void): LoopDelay {
  // One is reset when the metrics are read, the other by the watchdog.
  const [since, recent] = [histogram(), histogram()]
  const underWay = new Map<symbol, string>()
  // The call that blocked may already have been answered.
  const lately = new Set<string>()
  let pending: NodeJS.Timeout | undefined
  const report = (counted: number): void => {
    // A delay is recorded when the timer of the histogram fires: resetting it before that would lose the delay.
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
