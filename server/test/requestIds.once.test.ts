import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { app, signedIn, withApp } from '#test/app.ts'
import { mediaInput } from '#test/factories.ts'
import { listening } from './trust/rawClient.ts'
import { temporaryFolder } from './folder.ts'
import { listen } from './stream.ts'

withApp()

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

test('sends a request id with every response, and in the body of every error', async () => {
  const { token } = await signedIn()
  const headers = { authorization: `Bearer ${token}` }
  for (const url of ['/healthz', '/metrics', '/api/site', '/api/openapi.json', '/api/media'])
    expect((await app.inject({ url, headers })).headers['x-request-id']).toMatch(UUID)
  const calls = [
    { url: '/api/nothing' },
    { url: '/files/nothing' },
    { url: '/api/media' },
    { url: '/api/media/none', headers },
    { url: '/api/media?limit=x', headers },
    { url: '/api/%', headers },
    { url: '/api/media', headers: { ...headers, host: 'evil.example.org' } },
    { url: '/api/media', method: 'POST' as const, headers: { ...headers, 'content-type': 'text/x' }, payload: 'x' },
  ]
  for (const call of calls) {
    const answer = await app.inject(call)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.headers['x-request-id']).toMatch(UUID)
    expect(answer.json()).toMatchObject({ requestId: answer.headers['x-request-id'] })
  }
})

test('keeps a well-formed request id of the client, and replaces any other', async () => {
  const idOf = async (id: string) =>
    (await app.inject({ url: '/api/nothing', headers: { 'x-request-id': id } })).headers['x-request-id']
  for (const id of [
    'a',
    'edge-7:42/1',
    '01890a5d-ac96-774b-bcce-b302099a8057',
    'Root=1-67891233-abcdef012345678912345678',
    'x'.repeat(128),
  ])
    expect(await idOf(id)).toBe(id)
  for (const id of ['', ' ', 'a b', 'a,b', '<script>', '目録', '"a"', 'x'.repeat(129)])
    expect(await idOf(id)).toMatch(UUID)
})

test('sends a request id even in answer to bytes that are not HTTP', async () => {
  const socket = connect(Number(new URL(await listening()).port), '127.0.0.1')
  socket.end('no HTTP at all\r\n\r\n')
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const id = /^x-request-id: (.+)$/m.exec(head)?.[1]
  expect(id).toMatch(UUID)
  expect(JSON.parse(body)).toMatchObject({ requestId: id })
})

test('sends a request id for requests without a Host header or with an unknown Expect header', async () => {
  for (const [line, status] of [
    ['Accept: */*', 421],
    ['Host: localhost\r\nExpect: the-unexpected', 200],
  ]) {
    const socket = connect(Number(new URL(await listening()).port), '127.0.0.1')
    socket.end(`GET /api/site HTTP/1.1\r\n${line}\r\nConnection: close\r\n\r\n`)
    const [head = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(`HTTP/1.1 ${status} `)
    expect(/^x-request-id: (.+)$/m.exec(head)?.[1]).toMatch(UUID)
  }
})

/** A server whose log is captured. */
async function logging(accessLog: boolean) {
  const lines: Record<string, unknown>[] = []
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>)
      done()
    },
  })
  const files = temporaryFolder()
  const logged = await createApp({ files, publicUrl: 'http://127.0.0.1:3000', logger: pino(output), accessLog })
  onTestFinished(() => logged.close())
  return { logged, lines }
}

test('logs each response in the access log, without search terms, signatures or tokens', async () => {
  const { token, user } = await signedIn()
  const { logged, lines } = await logging(true)
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'mine', 'user-agent': 'a test' }
  await logged.inject({ url: '/api/media?search=secret', headers })
  await logged.inject({ url: '/files/x?signature=secret' })
  await logged.inject({ method: 'POST', url: '/api/media', headers, payload: mediaInput() })
  expect(lines.filter(({ msg }) => msg === 'answered')).toMatchObject([
    {
      method: 'GET',
      path: '/api/media',
      status: 200,
      requestId: 'mine',
      user: user._id,
      address: '127.0.0.1',
      userAgent: 'a test',
    },
    { method: 'GET', path: '/files/x', status: 404, requestId: expect.stringMatching(UUID) as string },
    { method: 'POST', path: '/api/media', status: 201, requestId: 'mine' },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/secret|Bearer/)
})

test('logs and counts calls whose client disconnects', async () => {
  const { token } = await signedIn()
  const { logged, lines } = await logging(true)
  const url = await logged.listen({ port: 0 })
  const stream = await listen(`${url}/api/notifications/stream`, token)
  stream.close()
  // To check a password takes longer than to disconnect.
  const body = JSON.stringify({ email: 'nobody@example.org', password: 'a wrong password' })
  const head = `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`${head}\r\n\r\n${body}`, () => socket.destroy())
  await expect
    .poll(() =>
      lines.filter(({ msg }) => msg === 'answered').toSorted((one, other) => Number(one.status) - Number(other.status)),
    )
    .toMatchObject([
      { path: '/api/notifications/stream', status: 200 },
      { path: '/api/auth/login', status: 499, address: '127.0.0.1' },
    ])
  const metrics = (await logged.inject({ url: '/metrics' })).body
  expect(metrics).toContain('http_request_duration_seconds_count{method="POST",route="/api/auth/login",status="499"} 1')
  expect(metrics).toContain('route="/api/notifications/stream",status="200"} 1')
})

test('logs the answer to bytes that are not HTTP', async () => {
  const { logged, lines } = await logging(true)
  const socket = connect(Number(new URL(await logged.listen({ port: 0 })).port), '127.0.0.1')
  socket.end('no HTTP at all\r\n\r\n')
  const [, id] = /^x-request-id: (.+)\r$/m.exec(await text(socket)) ?? []
  expect(lines.filter(({ msg }) => msg === 'answered')).toMatchObject([
    { status: 400, requestId: id, address: '127.0.0.1' },
  ])
})

test('logs no responses if the access log is off', async () => {
  const { logged, lines } = await logging(false)
  await logged.inject({ url: '/healthz' })
  expect(lines).toEqual([])
})
