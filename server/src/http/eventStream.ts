import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import { machineFault } from '#lib/faults.ts'

/** One event of a stream. A client that reconnects sends the last `id` as Last-Event-ID, and continues from there. */
export interface StreamEvent {
  event?: string | undefined
  id?: string | undefined
  /** Any JSON value. */
  data?: unknown
}

interface StreamOptions {
  /**
   * Ends the stream and the work behind it: the client has disconnected, its session has ended, or the server shuts
   * down.
   */
  signal: AbortSignal
  /** The id of the request, as in every response to an error. */
  requestId: string
  /** Called when `events` fails unexpectedly. */
  onError: (error: unknown) => void
  /** After this many milliseconds of silence a comment is sent, so that both ends know that the connection is alive. */
  heartbeat?: number
}

/** Shorter than the usual idle timeout of proxies. */
const HEARTBEAT_MS = 15_000

/**
 * The bytes of an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html), with data as JSON.
 * Backpressure: the next event is only requested when the client has room for it. If `events` fails, the last event is
 * named `error`, with `{ status, message, code, requestId }` as in an error response.
 */
export function eventStream(events: AsyncIterable<StreamEvent>, options: StreamOptions): Readable {
  return Readable.from(blocks(events, options))
}

async function* blocks(events: AsyncIterable<StreamEvent>, options: StreamOptions): AsyncGenerator<string> {
  const { signal, requestId, onError } = options
  const source = events[Symbol.asyncIterator]()
  // The first bytes also send the headers: the client learns that the stream is open.
  yield ': open\n\n'
  try {
    for (let next = source.next(); ; next = source.next()) {
      const result = yield* untilNext(next, options)
      if (!result || result.done) return
      yield blockOf(result.value)
    }
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof Refusal)) onError(error)
    yield blockOf({ event: 'error', data: { ...answerOf(error), requestId } })
  } finally {
    // Not awaited: its pending work ends with the signal, and the response does not depend on it.
    source.return?.()?.catch(onError)
  }
}

/** Sends heartbeats until there is a next event. Returns undefined if the stream is ended meanwhile. */
async function* untilNext<T>(
  next: Promise<T>,
  { signal, heartbeat = HEARTBEAT_MS }: StreamOptions,
): AsyncGenerator<string, T | undefined> {
  next.catch(() => undefined)
  for (;;) {
    const waiting = new AbortController()
    const quiet = sleep(heartbeat, 'quiet' as const, { signal: AbortSignal.any([signal, waiting.signal]) })
    try {
      const first = await Promise.race([quiet, next.then((value) => ({ value }))])
      if (first !== 'quiet') return first.value
    } catch (error) {
      if (signal.aborted) return undefined
      throw error
    } finally {
      waiting.abort()
      quiet.catch(() => undefined)
    }
    yield ': still here\n\n'
  }
}

function blockOf({ event, id, data }: StreamEvent): string {
  // JSON contains no raw line breaks, so the data is always a single line.
  const lines = [event && `event: ${event}`, id !== undefined && `id: ${id}`, `data: ${JSON.stringify(data ?? null)}`]
  return `${lines.filter(Boolean).join('\n')}\n\n`
}

const answerOf = (error: unknown) =>
  error instanceof Refusal
    ? { ...error.more, status: error.status, message: error.message, code: error.code }
    : (machineFault(error) ?? { status: 500, message: reasonText('failed'), code: 'internal' })
