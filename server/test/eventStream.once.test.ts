import { setTimeout as sleep } from 'node:timers/promises'
import { authApi } from '@mokuroku/contract/auth'
import { get } from '@mokuroku/contract/route'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { db } from '#database/db.ts'
import { tooMany } from '#lib/errors.ts'
import { eventStream } from '#http/eventStream.ts'
import { mount } from '#http/mount.ts'
import { serve } from '#http/serve.ts'
import { httpServer } from '#http/server.ts'
import { now } from '#lib/clock.ts'
import { SYSTEM } from '#access/permissions.ts'
import { findActor } from '#access/session.ts'
import { users } from '#store/users'
import { signedIn, withApp } from './app.ts'
import { listen } from './stream.ts'

withApp()

const Event = z.object({ event: z.optional(z.string()), id: z.optional(z.string()), data: z.optional(z.unknown()) })
const testApi = {
  count: get('/api/test/count', { query: z.object({ to: z.coerce.number() }), response: Event, stream: true }),
  wait: get('/api/test/wait', { response: Event, stream: true }),
  flood: get('/api/test/flood', { response: Event, stream: true }),
  break: get('/api/test/break', { query: z.object({ foreseen: z.string() }), response: Event, stream: true }),
}

/** Longer than any test, in milliseconds. */
const HOUR = 3_600_000

let server: FastifyInstance
let url: string
/** How much was produced, and by whom the calls were whose work has ended. */
const produced = { flood: 0, ended: new Set<string>() }

beforeAll(async () => {
  ;({ server, url } = await aServer())
})
afterAll(() => server.close())
afterEach(() => vi.useRealTimers())

async function aServer() {
  const made = httpServer({ publicUrl: 'http://127.0.0.1' })
  const endpoints = serve(testApi, {
    count: async function* ({ query, lastEventId }) {
      for (let each = Number(lastEventId ?? 0) + 1; each <= query.to; each++)
        yield { event: 'number', id: String(each), data: { each, text: 'two\nlines 目録', secret: undefined } }
    },
    wait: async function* ({ actor, signal }) {
      yield { data: 'begun' }
      await sleep(HOUR, undefined, { signal }).catch(() => undefined)
      produced.ended.add(actor._id)
    },
    flood: async function* ({ actor }) {
      try {
        for (;;) {
          produced.flood++
          yield { data: 'x'.repeat(64 * 1024) }
        }
      } finally {
        produced.ended.add(actor._id)
      }
    },
    break: async function* ({ query }) {
      yield { data: 'begun' }
      if (query.foreseen === 'yes') tooMany(7)
      throw new Error('the password of the database is 1234')
    },
  })
  mount(made, endpoints, findActor)
  return { server: made, url: await made.listen({ host: '127.0.0.1', port: 0 }) }
}

test('delivers events in order, with name, id and data', async () => {
  const { token } = await signedIn()
  const stream = await listen(`${url}/api/test/count?to=2`, token)
  expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(stream.headers.get('cache-control')).toBe('no-store')
  expect(await stream.rest()).toEqual([
    { event: 'number', id: '1', data: { each: 1, text: 'two\nlines 目録' } },
    { event: 'number', id: '2', data: { each: 2, text: 'two\nlines 目録' } },
  ])
})

test('resumes a lost stream after the Last-Event-ID', async () => {
  const { token } = await signedIn()
  const stream = await listen(`${url}/api/test/count?to=5`, token, '3')
  expect((await stream.rest()).map(({ id }) => id)).toEqual(['4', '5'])
})

test('refuses a stream without a session or with an invalid query before it begins', async () => {
  await expect(listen(`${url}/api/test/count?to=2`, 'nobody')).rejects.toMatchObject({ status: 401 })
  const { token } = await signedIn()
  await expect(listen(`${url}/api/test/count?to=many`, token)).rejects.toMatchObject({ status: 400 })
})

test('sends heartbeat comments while there are no events', async () => {
  const heard = Promise.withResolvers<void>()
  const quiet = async function* () {
    await heard.promise
    yield { data: 'at last' }
  }
  const bytes: string[] = []
  for await (const block of eventStream(quiet(), {
    signal: new AbortController().signal,
    requestId: 'a',
    onError: () => undefined,
    heartbeat: 30,
  })) {
    bytes.push(String(block))
    if (bytes.length === 3) heard.resolve()
  }
  expect(bytes.slice(0, 3)).toEqual([': open\n\n', ': still here\n\n', ': still here\n\n'])
  expect(bytes.at(-1)).toBe('data: "at last"\n\n')
})

test('aborts the work behind a stream when the client disconnects', async () => {
  const { token, user } = await signedIn()
  const stream = await listen(`${url}/api/test/wait`, token)
  expect(await stream.next()).toEqual({ data: 'begun' })
  stream.close()
  await expect.poll(() => produced.ended).toContain(user._id)
})

test('ends with an error event that reveals no internal details', async () => {
  const { token } = await signedIn()
  const foreseen = await listen(`${url}/api/test/break?foreseen=yes`, token)
  expect((await foreseen.rest())[1]).toEqual({
    event: 'error',
    data: {
      status: 429,
      message: 'Too many requests. Please try again later.',
      code: 'tooMany',
      retryAfter: 7,
      requestId: expect.any(String),
    },
  })
  const unforeseen = await listen(`${url}/api/test/break?foreseen=no`, token)
  expect((await unforeseen.rest())[1]).toEqual({
    event: 'error',
    data: {
      status: 500,
      message: 'Server error. Please try again later.',
      code: 'internal',
      requestId: expect.any(String),
    },
  })
})

test('buffers little for a client that does not read, and disconnects it after a timeout', async () => {
  const { token, user } = await signedIn()
  const stream = await listen(`${url}/api/test/flood`, token)
  await expect.poll(() => produced.flood).toBeGreaterThan(3)
  await expect.poll(() => settled(() => produced.flood)).toBe(true)
  expect(produced.flood).toBeLessThan(500)
  vi.useFakeTimers({ toFake: ['performance'] })
  // Reading only once it is cut: before that, the stream is endless.
  await expect.poll(() => (vi.advanceTimersByTime(31_000), produced.ended), { interval: 500 }).toContain(user._id)
  await expect(stream.rest()).rejects.toThrow('terminated')
})

async function settled(value: () => number): Promise<boolean> {
  const before = value()
  await sleep(200)
  return value() === before
}

test('class 6: a stream ends at once when its user signs out or is deactivated', async () => {
  const ways: ((account: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>)[] = [
    ({ call }) => call(authApi.logout),
    ({ user }) => users.update(user._id, { isActive: false }, { actor: SYSTEM }),
  ]
  // Without the periodic check.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  for (const way of ways) {
    const account = await signedIn()
    const stream = await listen(`${url}/api/test/wait`, account.token)
    await stream.next()
    await way(account)
    expect(await stream.rest()).toEqual([])
  }
})

test('ends a stream when another process ends its session', async () => {
  const { token, user } = await signedIn()
  const [stream, other] = [
    await listen(`${url}/api/test/wait`, token),
    await listen(`${url}/api/test/wait`, (await signedIn()).token),
  ]
  await stream.next()
  await db.updateTable('sessions').set({ endedAt: now() }).where('userId', '=', user._id).execute()
  expect(await stream.rest()).toEqual([])
  expect(await other.next()).toEqual({ data: 'begun' })
  other.close()
})

test('class 16: limits the open streams of a user', async () => {
  const { token } = await signedIn()
  const streams = await Promise.all(Array.from({ length: 10 }, () => listen(`${url}/api/test/wait`, token)))
  await expect(listen(`${url}/api/test/wait`, token)).rejects.toMatchObject({ status: 429 })
  streams[0]?.close()
  await expect.poll(() => listen(`${url}/api/test/wait`, token).then(({ close }) => close())).toBeUndefined()
  for (const { close } of streams) close()
})

test('ends all streams when the server stops', async () => {
  const { token } = await signedIn()
  const other = await aServer()
  const stream = await listen(`${other.url}/api/test/wait`, token)
  await stream.next()
  const closed = other.server.close()
  expect(await stream.rest()).toEqual([])
  await closed
})
