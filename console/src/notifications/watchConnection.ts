import { authApi } from '@mokuroku/contract/auth'
import { ApiError } from '@mokuroku/contract/call'
import { call } from '#api/call.ts'
import { lostConnection } from '#api/connection.ts'
import { hasTimedOut, queryClient } from '#api/queryClient.ts'
import { isMissing, isUnreached, retryUnreached } from '#api/unreached.ts'

/**
 * Failures in a row after which the server is asked: a lost connection or a quick restart is over by then. It is asked
 * at once after a timeout, which is longer than both.
 */
const MAX_FAILURES = 3
/**
 * How often the server is asked while it cannot be reached: no stream is open while the page is hidden. Also how often
 * what is missing on screen is fetched again while it can.
 */
const ASK_INTERVAL_MS = 30_000

/**
 * Keeps `lostConnection` current until `signal` aborts: by the browser's own events, and by the failures of a stream,
 * which the returned functions report. Any answer of the server ends it. What could not be fetched is fetched again.
 */
export function watchConnection(signal: AbortSignal) {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  const found = () => {
    failures = 0
    clearTimeout(timer)
    if (!lostConnection.get()) return
    lostConnection.set(undefined)
    if (!signal.aborted) void retryUnreached()
  }
  const lost = () => {
    if (signal.aborted) return
    lostConnection.set(navigator.onLine ? 'server' : 'offline')
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), ASK_INTERVAL_MS)
  }
  /** Asks the server itself: a proxy may only break streams, and a browser may be offline beside its server. */
  const ask = () => call(authApi.verify).then(found, (error: unknown) => (isUnreached(error) ? lost() : found()))
  const failed = (error: unknown) => {
    if (isUnreached(error)) failures++
    else if (error instanceof ApiError) found()
    if (failures >= MAX_FAILURES || (error instanceof Error && hasTimedOut(error))) void ask()
  }
  /**
   * A proxy may not reach one instance while the stream is open to another one: the connection is not lost. Only what is
   * missing on screen is fetched again, since what is there would be reported as not refreshed each time.
   */
  const retryLater = () => {
    retryTimer ??= setTimeout(() => {
      retryTimer = undefined
      if (!lostConnection.get()) void retryUnreached({ onlyMissing: true })
    }, ASK_INTERVAL_MS)
  }
  const onChange = () => void ask()
  addEventListener('online', onChange, { signal })
  addEventListener('offline', onChange, { signal })
  const unsubscribe = [
    queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return
      if (event.action.type === 'success' && !event.action.manual) found()
      if (event.action.type === 'error' && isUnreached(event.action.error) && isMissing(event.query)) retryLater()
    }),
    queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') found()
    }),
  ]
  signal.addEventListener('abort', () => {
    for (const each of unsubscribe) each()
    clearTimeout(retryTimer)
    found()
  })
  if (!navigator.onLine) onChange()
  return { found, failed }
}
