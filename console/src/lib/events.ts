import { createParser } from 'eventsource-parser'

/** One event of a stream, its data still as text. */
export interface Message {
  event?: string | undefined
  id?: string | undefined
  data: string
}

/** Three of the server's heartbeats: nobody who is there is silent for as long. Milliseconds. */
const IDLE_TIMEOUT_MS = 45_000
/** The longest event that is read, in characters. */
const MAX_MESSAGE_CHARS = 8_000_000

/**
 * The events in a body, as they arrive. Throws when the connection breaks, or when nothing, not even a heartbeat, came
 * for `silence` milliseconds. Leaving the loop closes the connection.
 */
export async function* eventsIn(body: ReadableStream<Uint8Array>, silence = IDLE_TIMEOUT_MS): AsyncGenerator<Message> {
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
      const { done, value } = await within(reader.read(), silence)
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      if (tooLong) throw new Error('An event of the stream is too long')
      yield* arrived.splice(0)
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

async function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The stream fell silent')), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export interface Following<Event> {
  /** Opens the stream, from what came after the event with this id on. */
  open: (signal: AbortSignal, after: string | undefined) => AsyncIterable<Event & { id?: string | undefined }>
  onEvent: (event: Event) => void
  /** Whether another try after this failure makes no sense. */
  isFinal: (error: unknown) => boolean
  /** Whether there may be a stream now: while not, it rests. */
  awake: { get: () => boolean; subscribe: (listener: () => void) => () => void }
  /** Ends it all. */
  signal: AbortSignal
  /** The first wait before another try, in milliseconds. It doubles up to 16 times the base. */
  base?: number
}

/** Follows a stream: opens it again when it breaks or ends, and goes on where it was lost. Resolves when it is over. */
export async function follow<Event>(following: Following<Event>): Promise<void> {
  const { open, onEvent, isFinal, awake, signal, base = 1000 } = following
  let after: string | undefined
  for (let failures = 0; !signal.aborted; failures++) {
    await waking(awake, signal)
    const resting = new AbortController()
    const unsubscribe = awake.subscribe(() => awake.get() || resting.abort())
    const began = Date.now()
    try {
      for await (const event of open(AbortSignal.any([signal, resting.signal]), after)) {
        onEvent(event)
        after = event.id ?? after
        // A server that lets one in and then breaks off is no better than one that does not.
        if (Date.now() - began > 16 * base) failures = 0
      }
    } catch (error) {
      if (isFinal(error)) return
    } finally {
      unsubscribe()
    }
    if (resting.signal.aborted) failures = -1
    else await pause(base * 2 ** Math.min(failures, 4), signal)
  }
}

/** Resolves when there may be a stream, or when it is all over. */
async function waking(awake: Following<unknown>['awake'], signal: AbortSignal): Promise<void> {
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

/** Somewhat more or less than `milliseconds`, so that those who lost the same server do not all come back at once. */
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
