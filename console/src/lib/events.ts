import { createParser } from 'eventsource-parser'

/** One event of a stream; its data is not parsed yet. */
export interface Message {
  event?: string | undefined
  id?: string | undefined
  data: string
}

/**
 * In milliseconds: three intervals of the server's heartbeat. If nothing arrives for so long, the connection is dead.
 */
export const IDLE_TIMEOUT_MS = 45_000
/** The longest event that is accepted, in characters. */
const MAX_MESSAGE_CHARS = 8_000_000

/**
 * The events in a response body, as they arrive. Throws if the connection breaks, or if nothing, not even a heartbeat,
 * arrives within `timeoutMs`. Leaving the loop closes the connection.
 */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  timeoutMs = IDLE_TIMEOUT_MS,
): AsyncGenerator<Message> {
  const arrived: Message[] = []
  let tooLong = false
  const parser = createParser({
    maxBufferSize: MAX_MESSAGE_CHARS,
    onEvent: (message) => arrived.push(message),
    onError: ({ type }) => (tooLong ||= type === 'max-buffer-size-exceeded'),
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), timeoutMs)
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      if (tooLong) throw new Error('An event of the stream is too long')
      yield* arrived.splice(0)
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** The result of work, or a TimeoutError if it takes longer. */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException('The stream fell silent', 'TimeoutError')), milliseconds)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

export interface FollowOptions<Event> {
  /** Opens the stream after the event with this id, or from the start. */
  open: (signal: AbortSignal, after: string | undefined) => AsyncIterable<Event & { id?: string | undefined }>
  onEvent: (event: Event) => void
  /** Called with what made it fail to connect, or broke the connection. */
  onFailure?: ((error: unknown) => void) | undefined
  /** Whether retrying after this error is pointless. */
  isFinal: (error: unknown) => boolean
  /** Whether the stream may be connected now; while false, it is disconnected. */
  awake: { get: () => boolean; subscribe: (listener: () => void) => () => void }
  /** Stops following. */
  signal: AbortSignal
  /** The first backoff. It doubles up to 16 times this value. */
  backoffMs?: number
}

/**
 * Follows a stream: reconnects when it breaks or ends, and resumes after the last event. Resolves when it is aborted,
 * or when an error is final.
 */
export async function follow<Event>(options: FollowOptions<Event>): Promise<void> {
  const { open, onEvent, onFailure, isFinal, awake, signal, backoffMs = 1000 } = options
  let after: string | undefined
  for (let failures = 0; !signal.aborted; failures++) {
    await untilAwake(awake, signal)
    const sleeping = new AbortController()
    const unsubscribe = awake.subscribe(() => awake.get() || sleeping.abort())
    const began = Date.now()
    try {
      for await (const event of open(AbortSignal.any([signal, sleeping.signal]), after)) {
        onEvent(event)
        after = event.id ?? after
      }
    } catch (error) {
      if (isFinal(error)) return
      if (!signal.aborted && !sleeping.signal.aborted) onFailure?.(error)
    } finally {
      unsubscribe()
    }
    // Reset the backoff only after a while: a server that accepts connections and then drops them is still failing.
    if (Date.now() - began > 16 * backoffMs) failures = 0
    if (sleeping.signal.aborted) failures = -1
    else await pause(backoffMs * 2 ** Math.min(failures, 4), signal)
  }
}

/** Resolves when the stream may be connected, or when the signal aborts. */
async function untilAwake(awake: FollowOptions<unknown>['awake'], signal: AbortSignal): Promise<void> {
  if (awake.get() || signal.aborted) return
  await new Promise<void>((resolve) => {
    const unsubscribe = awake.subscribe(() => awake.get() && done())
    const done = () => {
      unsubscribe()
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}

/** Waits about `milliseconds`, with jitter, so that clients of the same failed server do not all reconnect at once. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds * (0.75 + Math.random() / 2))
    signal.addEventListener('abort', done)
  })
}
