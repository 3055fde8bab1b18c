// Bytes that no client library would send, over real connections.
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { time } from '#lib/clock.ts'
import { ErrorAnswer } from '#http/openapi.ts'
import { app, signedIn, withApp } from '#test/app.ts'
import { mediaInput } from '#test/factories.ts'
import { listening } from './rawClient.ts'

withApp()

let token: string
let port: number
beforeAll(async () => {
  ;({ token } = await signedIn())
  port = Number(new URL(await listening()).port)
})

afterEach(() => void vi.useRealTimers())

/** Timeout of a response, in milliseconds. */
const TIMEOUT_MS = 10_000
// The original functions, before a test fakes the server's clock.
const { setTimeout: wait, clearTimeout: waitNoMore } = globalThis

/**
 * Sends bytes, and `later` ones once an answer begins, and reads until the server closes the connection. Returns the
 * status and the body.
 */
async function sent(bytes: Buffer | string, later?: string): Promise<{ status: number; body: string }> {
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  // A server that refuses a request may close the connection while it is still being sent.
  socket.on('error', () => undefined)
  const timer = wait(() => socket.destroy(), TIMEOUT_MS)
  const began = time()
  socket.write(bytes)
  if (later !== undefined) socket.once('data', () => socket.write(later))
  await new Promise((resolve) => socket.once('close', resolve))
  waitNoMore(timer)
  expect(time() - began).toBeLessThan(TIMEOUT_MS)
  const text = Buffer.concat(parts).toString()
  return { status: Number(/^HTTP\/1\.\d (\d+)/.exec(text)?.[1] ?? 0), body: text.slice(text.indexOf('\r\n\r\n') + 4) }
}

const head = (line: string, more = ''): string =>
  `${line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n${more}\r\n`

const withBody = (body: Buffer | string, more = 'content-type: application/json\r\n', line = 'POST /api/media') => {
  const bytes = Buffer.from(body as string)
  return Buffer.concat([Buffer.from(head(line, `${more}content-length: ${bytes.length}\r\n`)), bytes])
}

const LEAKS = /Error:|\n\s+at |node_modules|FST_|HPE_|SyntaxError|\.ts\b|position \d/

/** Expects a refusal in the usual format, without any details of the server's internals. */
async function refused(bytes: Buffer | string): Promise<number> {
  const { status, body } = await sent(bytes)
  expect(status, `of ${body.slice(0, 200)}`).toBeGreaterThanOrEqual(400)
  expect(status, `of ${body.slice(0, 200)}`).toBeLessThan(500)
  expect(body).not.toMatch(LEAKS)
  expect(ErrorAnswer.safeParse(JSON.parse(body)).success, `of ${body}`).toBe(true)
  return status
}

const deep = (open: string, close: string, depth = 100_000) => open.repeat(depth) + close.repeat(depth)
const valid = JSON.stringify(mediaInput())

describe('class 15: malformed bodies, URLs and headers', () => {
  test.each<[string, Buffer | string]>([
    ['no content', ''],
    ['truncated JSON', '{"mediaType":"ANIME",'],
    ['text that is not JSON', 'mediaType=ANIME'],
    ['JSON with a trailing comma', '{"mediaType":"ANIME",}'],
    ['an infinite number', '{"releaseDate":1e999}'],
    ['NaN', '{"duration":NaN}'],
    ['a JSON string', '"ANIME"'],
    ['a JSON array', '[]'],
    ['null', 'null'],
    ['a __proto__ key', '{"__proto__":{"mediaType":"ANIME"}}'],
    ['a constructor key', '{"constructor":{"prototype":{"isAdmin":true}}}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"mediaType":"ANIME"}', 'utf16le')],
    ['NUL bytes', Buffer.alloc(1000)],
    ['deeply nested arrays', deep('[', ']')],
    ['deeply nested objects', deep('{"a":', '}').replace(':}', ':1}')],
    ['deeply nested, unclosed arrays', '['.repeat(1_000_000)],
    ['many keys', `{${Array.from({ length: 50_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
    ['more than the maximum size', `{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`],
  ])('refuses a body of %s', async (_, body) => {
    await refused(withBody(body))
  })

  test.each([
    'content-type: text/plain\r\n',
    'content-type: application/xml\r\n',
    'content-type: \r\n',
    'content-type: multipart/form-data\r\n',
    'content-type: application/offset+octet-stream\r\n',
    'content-type: application/json\r\ncontent-encoding: gzip\r\n',
  ])('refuses a body with the header %j', async (more) => {
    await refused(withBody(more.includes('gzip') ? gzipSync(valid) : valid, more))
  })

  test.each(
    [
      'GET /api/media/%',
      'GET /api/media/%E0%A4%A',
      'GET /api/media/%00',
      'GET /api/media/%c0%af..%c0%af',
      'GET /api/media/..%2f..%2fusers',
      'GET /api/media/%2e%2e/users/%ZZ',
      `GET /api/media/${'x'.repeat(5000)}`,
      `GET /api/media/${'%41'.repeat(3000)}`,
      'GET /api/media?page=%',
      'GET /api/media?page=1&page=2',
      'GET /api/media?page[]=1',
      'GET /api/media?limit=1e3',
      'GET /api/media?limit=-1&__proto__[limit]=1',
      'GET /api/media?sort=createdAt;DROP',
      'GET /api/media?type=ANIME&type=MANGA',
      `GET /api/media?${'a=1&'.repeat(2000)}limit=x`,
      'GET /files/%2e%2e%2fcatalogue.sqlite',
      'GET /files/..%5c..%5csecret',
      'GET //evil.example/api/media',
      'GET /api/media/;/admin',
      'DELETE /api/media',
      'PROPFIND /api/media',
      'TRACE /api/media',
    ].map((line) => [line.slice(0, 60), line] as const),
  )('answers without failing: %s', async (_, line) => {
    const answer = await sent(head(line))
    expect(answer.body).not.toMatch(LEAKS)
    // A header that is not understood is ignored or refused, but never causes a failure.
    if (answer.status >= 400 || answer.status === 0) expect(await refused(head(line))).toBeLessThan(500)
    else expect(answer.status).toBe(200)
  })

  test.each<[string, () => string]>([
    ['oversized headers', () => head('GET /api/media', `x: ${'x'.repeat(600 * 1024)}\r\n`)],
    [
      'thousands of headers',
      () => head('GET /api/media', Array.from({ length: 5000 }, (_, at) => `x${at}: 1\r\n`).join('')),
    ],
    ['a carriage return in a header', () => head('GET /api/media', 'x: a\rb\r\n')],
    ['a header without a name', () => head('GET /api/media', ': x\r\n')],
    ['a space before the colon of a header', () => head('GET /api/media', 'x : y\r\n')],
    [
      'two Content-Length headers',
      () => `${head('POST /api/media', 'content-length: 4\r\ncontent-length: 5\r\n')}null`,
    ],
    ['a negative Content-Length', () => head('POST /api/media', 'content-length: -1\r\n')],
    [
      'both a Content-Length and chunks',
      () => `${head('POST /api/media', 'content-length: 4\r\ntransfer-encoding: chunked\r\n')}0\r\n\r\n`,
    ],
    [
      'an invalid chunk',
      () =>
        `${head('POST /api/media', 'content-type: application/json\r\ntransfer-encoding: chunked\r\n')}zz\r\n{}\r\n`,
    ],
    ['an unknown Transfer-Encoding', () => head('POST /api/media', 'transfer-encoding: x\r\n')],
    ['no HTTP version', () => 'GET /api/media\r\n\r\n'],
    ['an unknown HTTP version', () => 'GET /api/media HTTP/9.9\r\nhost: localhost\r\n\r\n'],
    ['TLS instead of HTTP', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an invalid If-Match', () => head('DELETE /api/media/x', 'if-match: "1", "2"\r\n')],
  ])('refuses a request with %s', async (_, bytes) => {
    await refused(bytes())
  })

  test.each(['gzip, chunked', 'deflate,chunked'])('does not read a body with Transfer-Encoding: %s', async (coding) => {
    const more = `content-type: application/json\r\ntransfer-encoding: ${coding}\r\n`
    const content = `${Buffer.byteLength(valid).toString(16)}\r\n${valid}\r\n0\r\n\r\n`
    const { status, body } = await sent(head('POST /api/media', more) + content)
    expect({ status, ...(JSON.parse(body) as object) }).toMatchObject({ status: 501, code: 'transferEncoding' })
  })

  test.each(['localhost', 'evil.example'])('refuses a request with a second Host header: %s', async (host) => {
    expect(await refused(head('GET /readyz', `Host: ${host}\r\n`))).toBe(400)
  })

  const form = (content: string, boundary = 'X') =>
    withBody(content, `content-type: multipart/form-data; boundary=${boundary}\r\n`, 'POST /api/assets')
  const part = (more: string, content = 'x') => `--X\r\ncontent-disposition: form-data; ${more}\r\n\r\n${content}\r\n`

  test.each<[string, () => Buffer]>([
    ['without parts', () => form('')],
    ['without a closing boundary', () => form(part('name="file"; filename="a.png"'))],
    ['with a wrong boundary', () => form('--Y\r\n\r\n--Y--\r\n')],
    ['with an empty boundary', () => form('--\r\n\r\n----\r\n', '')],
    ['with a long boundary', () => form('x', 'y'.repeat(5000))],
    ['without a field name', () => form(`${part('filename="a.png"')}--X--\r\n`)],
    ['with a field named __proto__', () => form(`${part('name="__proto__"; filename="a.png"')}--X--\r\n`)],
    ['with many fields', () => form(`${part('name="a"').repeat(1000)}--X--\r\n`)],
    ['with a long field', () => form(`${part('name="a"', 'x'.repeat(100_000))}--X--\r\n`)],
    ['with a long header', () => form(`--X\r\n${'x'.repeat(200_000)}: y\r\n\r\nz\r\n--X--\r\n`)],
    [
      'with a file and a field swapped',
      () => form(`${part('name="isPublic"; filename="x"')}${part('name="file"')}--X--\r\n`),
    ],
    ['with invalid UTF-8', () => form(Buffer.from([45, 45, 88, 13, 10, 0xff, 0xfe, 0x00]).toString('latin1'))],
  ])('refuses a form %s', async (_, bytes) => {
    await refused(bytes())
  })

  test('class 16: times out a request whose body never ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const started = Buffer.from(head('POST /api/auth/login', 'content-type: application/json\r\ncontent-length: 9\r\n'))
    const moving = setInterval(() => vi.advanceTimersByTime(5000), 20)
    const answer = refused(Buffer.concat([started, Buffer.from('{"a')])).finally(() => clearInterval(moving))
    expect(await answer).toBe(408)
    vi.useRealTimers()
    const { body } = await app.inject('/metrics')
    expect(body).toMatch(/_count\{method="POST",route="\/api\/auth\/login",status="408"\} 1/)
    expect(body).not.toMatch(/route="\/api\/auth\/login",status="499"/)
    expect(app.server.timeout).toBe(300_000)
    expect(app.server.headersTimeout).toBeLessThanOrEqual(60_000)
  })

  test('a refusal is never taken for the response to an earlier request, or for part of it', async () => {
    const kept = (line: string, more = '') => head(line, more).replace('connection: close\r\n', '')
    const chunks = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n'
    const saved = Buffer.from(valid)
    const write = kept('POST /api/media', `content-type: application/json\r\ncontent-length: ${saved.length}\r\n`)
    const first = [
      kept('GET /api/openapi.json'),
      kept('GET /api/notifications/stream'),
      Buffer.concat([Buffer.from(write), saved]),
    ]
    for (const request of first) {
      const { status, body } = await sent(Buffer.concat([Buffer.from(request), Buffer.from('garbage\r\n\r\n')]))
      expect([0, 200, 201]).toContain(status)
      expect(body).not.toContain('HTTP/1.1 400')
    }
    const unsigned = kept('POST /api/media', chunks).replace('Bearer', 'No')
    const { status, body } = await sent(unsigned, 'zz\r\n')
    expect(status).toBe(401)
    expect(body).not.toContain('HTTP/1.1')
    expect((await sent(kept('HEAD /readyz'), 'garbage\r\n\r\n')).body).toContain('HTTP/1.1 400')
  })

  test('class 16: a connection with too many requests at once is cut instead of answered', async () => {
    const several = (count: number) =>
      sent(`GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(count) + head('GET /readyz'))
    const answersIn = ({ body }: { body: string }) => body.split('HTTP/1.1 200 ').length
    expect(answersIn(await several(15))).toBe(16)
    expect(answersIn(await several(1000))).toBe(1)
  })

  test('still works normally afterwards', async () => {
    expect((await sent(head('GET /readyz'))).status).toBe(200)
    const { status, body } = await sent(withBody(valid))
    expect(status, `of ${body}`).toBe(201)
    expect((await sent(head('GET /api/media'))).status).toBe(200)
  })
})
