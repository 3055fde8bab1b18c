import { ApiError, type Input, urlOf } from '@mokuroku/contract/call'
import type { Response, Route } from '@mokuroku/contract/route'
import { eventsIn, follow, IDLE_TIMEOUT_MS, withTimeout } from '#lib/events.ts'
import { createStore } from '#lib/createStore.ts'
import { bearer } from './call.ts'
import { apiHost } from './host.ts'
import { wrote } from './queryClient.ts'
import { handleExpiredToken, token } from './session.ts'

type StreamRoute = Route & { stream: true }

/** Not a lost connection: somebody has answered. */
const NO_BODY = new Error('Response body is null')

/**
 * The events of a route, as they arrive: `for await (const { event, data } of stream(aiApi.process, { query, signal
 * }))`. Throws ApiError if the server refuses, initially or by an error event; status 0 means that no response came, or
 * that the connection broke or timed out. Leaving the loop, or aborting the input's `signal`, also stops the work on
 * the server.
 */
export async function* stream<R extends StreamRoute>(route: R, input: Input<R>): AsyncGenerator<Response<R>> {
  try {
    yield* eventsOf(route, input)
  } finally {
    wrote(route)
  }
}

async function* eventsOf<R extends StreamRoute>(
  route: R,
  input: Input<R>,
  after?: string,
  onOpen?: () => void,
): AsyncGenerator<Response<R>> {
  const leaving = new AbortController()
  const signal = input.signal ? AbortSignal.any([input.signal, leaving.signal]) : leaving.signal
  try {
    const body = await withTimeout(opened(route, { ...input, signal }, after), IDLE_TIMEOUT_MS)
    onOpen?.()
    for await (const { event, id, data } of eventsIn(body)) {
      const value: unknown = JSON.parse(data)
      if (event === 'error') throw new ApiError(statusIn(value), value)
      yield { event, id, data: value } as Response<R>
    }
  } catch (error) {
    throw error instanceof ApiError || error === NO_BODY || input.signal?.aborted
      ? error
      : new ApiError(0, undefined, { cause: error })
  } finally {
    leaving.abort()
  }
}

/**
 * Follows an endless stream until `signal` aborts: reconnects with backoff when it breaks, resumes after the last
 * event, and disconnects while the browser is offline or the page has been hidden for a while. A 4xx response of the
 * server ends it, except a 429: other streams of the user may end meanwhile. `onOpen` is called whenever it has
 * connected, `onFailure` whenever that fails or the connection breaks.
 */
export function followStream<R extends StreamRoute>(
  route: R,
  input: Omit<Input<R>, 'signal'>,
  onEvent: (event: Response<R>) => void,
  signal: AbortSignal,
  onOpen?: () => void,
  onFailure?: (error: unknown) => void,
): void {
  watch()
  void follow<Response<R>>({
    open: (stop, after) =>
      eventsOf(route, { ...input, signal: stop } as Input<R>, after, onOpen) as AsyncGenerator<never>,
    onEvent,
    onFailure,
    isFinal: isRefusal,
    awake,
    signal,
  })
}

/** The server's own refusal, not a proxy's while the server restarts (it has no code), and not one for a while. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.code !== undefined &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429

async function opened<R extends StreamRoute>(route: R, input: Input<R>, after: string | undefined) {
  const used = token.get()
  const { body, signal } = input as { body?: unknown; signal?: AbortSignal }
  const headers = {
    accept: 'text/event-stream',
    ...bearer(used),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(after !== undefined && { 'last-event-id': after }),
  }
  const { method } = route
  const init = { method, headers, signal: signal ?? null, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await fetch(apiHost + urlOf(route, input), init)
  if (answer.status === 401) handleExpiredToken(used)
  if (!answer.ok) throw new ApiError(answer.status, await answer.json().catch(() => undefined))
  if (!answer.body) throw NO_BODY
  return answer.body
}

const statusIn = (value: unknown): number =>
  typeof value === 'object' && value !== null && 'status' in value ? Number(value.status) : 500

/**
 * How long a page must be shown before its stream is opened, and may be hidden before it is closed. Browsers open six
 * connections to one host over HTTP/1.1: hidden tabs must not use up those that the visible tab needs. Of tabs that are
 * shown one after the other, at most five are connected at a time.
 */
const SHOWN_MS = 1000
const HIDDEN_MS = 4000

/** Whether the browser is online and the page has been visible for a moment, or was until a moment ago. */
const awake = createStore(true)
let watched = false

function watch() {
  if (watched) return
  watched = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const update = () => {
    clearTimeout(timer)
    const { hidden } = document
    if (!navigator.onLine) awake.set(false)
    else timer = setTimeout(() => awake.set(!hidden), hidden ? HIDDEN_MS : SHOWN_MS)
  }
  // A tab that was opened in the background has not been visible yet.
  if (document.hidden) awake.set(false)
  for (const change of ['online', 'offline'] as const) addEventListener(change, update)
  document.addEventListener('visibilitychange', update)
  // On navigation, the page may enter the back/forward cache, frozen with its connections and timers.
  addEventListener('pagehide', () => awake.set(false))
  addEventListener('pageshow', update)
  update()
}
