import { ApiError } from '@mokuroku/contract/call'
import type { StreamEvent } from '#http/eventStream.ts'

/** Reads an event stream over a real connection; throws ApiError if the response is an error. */
export async function listen(url: string, token: string, lastEventId?: string, body?: unknown) {
  const leaving = new AbortController()
  const response = await fetch(url, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    signal: leaving.signal,
  })
  if (!response.ok || !response.body) throw new ApiError(response.status, await response.json())
  // Take the body at once: fetch cancels one without a reader when its Response is garbage-collected.
  const events = eventsOf(response.body.values())
  return {
    headers: response.headers,
    /** The next event; undefined when the stream has ended. */
    next: async (): Promise<StreamEvent | undefined> => (await events.next()).value,
    /** All events until the stream ends. */
    rest: async (): Promise<StreamEvent[]> => {
      const rest: StreamEvent[] = []
      for await (const event of events) rest.push(event)
      return rest
    },
    close: (): void => leaving.abort(),
  }
}

async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent, undefined> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const fields = Object.fromEntries(
        lines.map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      )
      const { '': _, data, ...rest } = fields
      if (data !== undefined) yield { ...rest, data: JSON.parse(data) as unknown }
    }
  }
}
