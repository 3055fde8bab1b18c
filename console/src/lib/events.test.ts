import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { eventsIn, follow, type Message } from './events.ts'
import { createStore } from './createStore.ts'

// A real HTTP server that sends server-sent events, and fails as a test says.
type Answer = (response: ServerResponse, request: IncomingMessage, asked: number) => void
const closing: (() => void)[] = []
const HOUR_MS = 3_600_000
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

async function serverThat(answer: Answer) {
  let asked = 0
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/event-stream')
    answer(response, request, ++asked)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked: () => asked }
}

async function bodyAt(url: string, init: RequestInit = {}): Promise<ReadableStream<Uint8Array>> {
  const { body, status } = await fetch(url, init)
  if (status !== 200 || !body) throw new Error(`HTTP ${status}`)
  return body
}

async function all(events: AsyncIterable<Message>) {
  const found: Message[] = []
  for await (const event of events) found.push(event)
  return found
}

test('parses events however the bytes are chunked', async () => {
  const bytes = Buffer.from(
    '\uFEFF: hi\r\n\r\nevent: chunk\nid: 7\ndata: {"a":\ndata: "目録"}\n\ndata: last\r\rdata: half',
  )
  const { url } = await serverThat((response) => {
    for (const byte of bytes) response.write(Buffer.from([byte]))
    response.end()
  })
  expect(await all(eventsIn(await bodyAt(url)))).toEqual([
    { event: 'chunk', id: '7', data: '{"a":\n"目録"}' },
    { event: undefined, id: undefined, data: 'last' },
  ])
})

test('fails when a connection breaks or falls silent', async () => {
  const broken = await serverThat((response) => response.write('data: 1\n\n', () => response.destroy()))
  const events = eventsIn(await bodyAt(broken.url))
  await expect(all(events)).rejects.toThrow('terminated')
  const silent = await serverThat((response) => response.write(': hello\n\n'))
  await expect(all(eventsIn(await bodyAt(silent.url), 50))).rejects.toThrow('silent')
})

test('heartbeats keep an idle stream alive', async () => {
  const { url } = await serverThat((response) => {
    const beat = setInterval(() => response.write(': still here\n\n'), 20)
    setTimeout(() => {
      clearInterval(beat)
      response.end('data: done\n\n')
    }, 2500)
  })
  expect(await all(eventsIn(await bodyAt(url), 2000))).toHaveLength(1)
})

test('closes the connection when the reader stops', async () => {
  let gone = false
  const { url } = await serverThat((response) => {
    response.once('close', () => (gone = true))
    setInterval(() => response.write('data: more\n\n'), 5).unref()
  })
  for await (const _ of eventsIn(await bodyAt(url))) break
  await expect.poll(() => gone).toBe(true)
})

/** Follows a server; `stop` aborts. */
function following(url: string, more: Partial<Parameters<typeof follow<Message>>[0]> = {}) {
  const ending = new AbortController()
  const got: string[] = []
  const awake = createStore(true)
  const over = follow<Message>({
    open: async function* (signal, after) {
      yield* eventsIn(
        await bodyAt(url, { signal, headers: after === undefined ? {} : { 'last-event-id': after } }),
        500,
      )
    },
    onEvent: ({ data }) => got.push(data),
    isFinal: (error) => String(error).includes('HTTP 4'),
    awake,
    signal: ending.signal,
    backoffMs: 10,
    ...more,
  })
  closing.push(() => ending.abort())
  return { got, over, awake, stop: () => ending.abort() }
}

test('resumes a lost stream after the last event received', async () => {
  const { url } = await serverThat((response, { headers }) => {
    const next = Number(headers['last-event-id'] ?? 0) + 1
    response.write(`id: ${next}\ndata: ${next}\n\n`, () => (next % 2 ? response.destroy() : response.end()))
  })
  const { got, over, stop } = following(url)
  await expect.poll(() => got.length).toBeGreaterThanOrEqual(4)
  stop()
  await over
  expect(got.slice(0, 4)).toEqual(['1', '2', '3', '4'])
})

test('the delay between retries doubles, up to sixteen times the first', async () => {
  const moments: number[] = []
  const { url } = await serverThat((response) => {
    moments.push(Date.now())
    response.writeHead(503).end()
  })
  const { stop, over } = following(url, { backoffMs: 20 })
  await expect.poll(() => moments.length).toBe(10)
  stop()
  await over
  const waits = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0))
  for (const [index, wait] of waits.entries()) {
    const nominal = 20 * Math.min(2 ** index, 16)
    expect(wait).toBeGreaterThan(nominal * 0.7)
    // Without an upper limit, the last wait would be seven seconds.
    expect(wait).toBeLessThan(nominal * 1.25 + 5000)
  }
})

test('the delay starts again after a stream that was open for an hour, even without events', async () => {
  vi.useFakeTimers()
  const moments: number[] = []
  const next = async () => {
    if (moments.push(Date.now()) < 6) throw new Error('HTTP 503')
    await new Promise((resolve) => setTimeout(resolve, HOUR_MS))
    return { done: true as const, value: undefined }
  }
  const { stop, over } = following('', { open: () => ({ [Symbol.asyncIterator]: () => ({ next }) }), backoffMs: 1000 })
  await vi.advanceTimersByTimeAsync(1.5 * HOUR_MS)
  stop()
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  await over
  const [, , , , , quiet = 0, after = 0] = moments
  expect(after - quiet - HOUR_MS).toBeLessThanOrEqual(1250)
})

test('does not retry after a 403', async () => {
  const { url, asked } = await serverThat((response) => response.writeHead(403).end())
  await following(url).over
  expect(asked()).toBe(1)
})

test('disconnects while paused, and reconnects immediately afterwards', async () => {
  let connections = 0
  const { url, asked } = await serverThat((response) => {
    connections++
    response.once('close', () => connections--)
    response.write('data: here\n\n')
  })
  const { awake, got } = following(url, { backoffMs: 60_000 })
  await expect.poll(() => got.length).toBe(1)
  awake.set(false)
  await expect.poll(() => connections).toBe(0)
  awake.set(true)
  await expect.poll(() => got.length).toBe(2)
  expect(asked()).toBe(2)
})
