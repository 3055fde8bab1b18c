import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import { machineFault } from '#lib/faults.ts'

/** One event of a stream. `id` is what a client that lost the stream sends back as Last-Event-ID, to go on from. */
export interface StreamEvent {
  event?: string | undefined
  id?: string | undefined
  /** Anything that JSON can hold. */
  data?: unknown
}

interface How {
  /** Ends the stream, and the work behind it: the client is gone, its session has ended, the server stops. */
  signal: AbortSignal
  /** Told when `events` fails in a way that nobody foresaw. */
  onError: (error: unknown) => void
  /** How long there may be silence, in milliseconds: then a comment is sent, so that both ends know of each other. */
  heartbeat?: number
}

/** Shorter than the time after which proxies usually give up on a silent connection. */
const HEARTBEAT = 15_000

/**
 * The bytes of an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html), data as JSON.
 * Events are taken one at a time, and only when the client has room for them: nothing is heaped up for a slow one.
 * A failure on the way is the last event, named `error`, with `{ status, message, code }`: what an answer would have said.
 */
export function eventStream(events: AsyncIterable<StreamEvent>, how: How): Readable {
  return Readable.from(blocks(events, how))
}

async function* blocks(events: AsyncIterable<StreamEvent>, how: How): AsyncGenerator<string> {
  const { signal, onError } = how
  const source = events[Symbol.asyncIterator]()
  // The first bytes carry the headers: the client learns that the stream stands.
  yield ': open\n\n'
  try {
    for (let next = source.next(); ; next = source.next()) {
      const result = yield* untilNext(next, how)
      if (!result || result.done) return
      yield blockOf(result.value)
    }
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof Refusal)) onError(error)
    yield blockOf({ event: 'error', data: answerOf(error) })
  } finally {
    // Not waited for: what it is in the middle of ends with the signal, and the answer does not hang on it.
    source.return?.()?.catch(onError)
  }
}

/** Sends heartbeats until there is a next event; answers undefined when the stream is ended meanwhile. */
async function* untilNext<T>(
  next: Promise<T>,
  { signal, heartbeat = HEARTBEAT }: How,
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
  // JSON has no line ends of its own, so the data is always one line.
  const lines = [event && `event: ${event}`, id !== undefined && `id: ${id}`, `data: ${JSON.stringify(data ?? null)}`]
  return `${lines.filter(Boolean).join('\n')}\n\n`
}

const answerOf = (error: unknown) =>
  error instanceof Refusal
    ? { ...error.more, status: error.status, message: error.message, code: error.code }
    : (machineFault(error) ?? { status: 500, message: reasonText('failed'), code: 'internal' })
