// Which requests are answered at all: paths, host names, and trusted proxies.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { aiApi } from '@mokuroku/contract/ai'
import { authApi } from '@mokuroku/contract/auth'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { backgroundDone } from '#lib/background.ts'
import { ErrorAnswer } from '#http/openapi.ts'
import { ADMIN, app, signedIn, withApp } from '#test/app.ts'
import { createApp, endpoints } from '../../src/app.ts'
import { listening } from './rawClient.ts'
import { BESIDE } from './rules.ts'
import { temporaryFolder } from '../folder.ts'

withApp()

/** The paths of everything that is served, and two that do not exist; what a visitor gets there does not matter. */
const paths = [...new Set([...endpoints.map(({ route }) => route.path), ...BESIDE, '/api/nothing', '/nothing'])].map(
  (path) => path.replaceAll(/:\w+/g, 'x'),
)
const long = new Set<string>([aiApi.process.path, aiApi.processMedia.path])

interface Sent {
  url: string
  headers?: Record<string, string>
  remoteAddress?: string
  method?: 'GET' | 'POST' | 'OPTIONS'
}
const get = (sent: Sent, server = app) => server.inject({ method: 'GET', ...sent })
const refused = async (sent: Sent, server = app) => {
  const answer = await get(sent, server)
  expect(ErrorAnswer.safeParse(answer.json()).success).toBe(true)
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  return answer.statusCode
}

describe('class 16: long URLs and headers', () => {
  test.each(paths)('%s refuses URLs and headers that are too long', async (path) => {
    const query = `?text=${'x'.repeat(17_000)}`
    if (long.has(path)) expect((await get({ url: path + query })).statusCode).toBe(401)
    else expect(await refused({ url: path + query })).toBe(414)
    expect(await refused({ url: `${path}/${'x'.repeat(400_000)}` })).toBe(414)
    expect(await refused({ url: `${path}?${'a=1&'.repeat(2000)}` })).toBe(400)
    expect(await refused({ url: path, headers: { 'x-long': 'x'.repeat(40_000) } })).toBe(431)
  })

  test('accepts 16 KiB of URL, 32 KiB of headers and 200 parameters, and no more', async () => {
    const statuses = async (...sent: Sent[]) => Promise.all(sent.map(async (each) => (await get(each)).statusCode))
    const withLength = (length: number) => ({ url: '/healthz?'.padEnd(length, 'x') })
    expect(await statuses(withLength(16 * 1024), withLength(16 * 1024 + 1))).toEqual([200, 414])
    const withParameters = (count: number) => ({ url: `/healthz?${Array(count).fill('a=1').join('&')}` })
    expect(await statuses(withParameters(200), withParameters(201))).toEqual([200, 400])
    const withHeaders = (length: number) => {
      const others = { host: 'localhost', 'user-agent': 'test' }
      const rest = length - Object.entries(others).flat().join('').length - 'x-long'.length
      return { url: '/healthz', headers: { ...others, 'x-long': 'x'.repeat(rest) } }
    }
    expect(await statuses(withHeaders(32 * 1024), withHeaders(32 * 1024 + 1))).toEqual([200, 431])
  })

  test('accepts the texts of a media item in the URL of an AI call', async () => {
    const { token } = await signedIn()
    const texts = JSON.stringify({ en: { title: 'x', description: 'y'.repeat(45_000) } })
    const url = `${aiApi.process.path}?stream=true&text=${encodeURIComponent(texts)}`
    const answer = await get({ url, headers: { authorization: `Bearer ${token}` } })
    expect(answer.statusCode).toBe(200)
  })
})

/** Sends a request as a client does to a proxy: with the host in the URL, whatever the Host header says. */
async function wholly(address: string): Promise<{ status: number | undefined; cache: string | undefined }> {
  const { port } = new URL(await listening())
  const call = request({ host: '127.0.0.1', port, path: address, headers: { host: 'localhost' } }).end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.resume()
  return { status: answer.statusCode, cache: answer.headers['cache-control'] }
}

describe('class 1: each URL has one spelling', () => {
  const escaped = (path: string, at: number) =>
    `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}`

  // Those that need no escape (RFC 3986, 2.3); ids may contain characters that no path has.
  test.each(Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'))(
    'refuses an id with a needlessly escaped %s',
    async (char) => {
      const url = escaped(`/api/media/id${char}`, '/api/media/id'.length)
      expect([await refused({ url }), await refused({ url: url.toUpperCase() })]).toEqual([400, 400])
    },
  )

  test.each(paths)('refuses %s with needlessly escaped characters', async (path) => {
    for (let at = 1; at < path.length; at++)
      if (/[\w.~-]/.test(path[at] ?? '')) {
        expect(await refused({ url: escaped(path, at) })).toBe(400)
        expect(await refused({ url: escaped(path, at).toUpperCase() })).toBe(400)
      }
  })

  test('accepts an absolute URL, but only with an allowed host', async () => {
    expect(await wholly('http://localhost/api/site')).toEqual({ status: 200, cache: 'no-store' })
    expect(await wholly('http://rebind.evil.example/api/site')).toEqual({ status: 421, cache: 'no-store' })
  })

  test('accepts escapes of non-ASCII characters in the path and of any character in the query', async () => {
    const { token } = await signedIn()
    const headers = { authorization: `Bearer ${token}` }
    expect((await get({ url: '/api/media/%E7%8C%AB', headers })).statusCode).toBe(404)
    expect((await get({ url: '/api/media?search=%61', headers })).statusCode).toBe(200)
  })
})

const open = (more: Partial<Parameters<typeof createApp>[0]>) =>
  createApp({ files: temporaryFolder(), publicUrl: 'http://127.0.0.1:3000', ...more })

describe('class 10: allowed host names', () => {
  let named: FastifyInstance
  beforeAll(async () => {
    named = await open({
      publicUrl: 'https://catalogue.example.org',
      allowedHosts: ['api.example.org', '[2001:db8::7]', '192.0.2.7'],
      consoleOrigin: 'https://console.example.org',
    })
  })
  afterAll(() => named.close())

  const NAMES = ['catalogue.example.org', 'CATALOGUE.example.org:8443', 'api.example.org', '192.0.2.7:81']
  const LOOPBACK = ['localhost', 'localhost:4000', '127.0.0.1', '127.8.9.1:3000', '[::1]', '[::1]:3000']
  const FOREIGN = ['rebind.evil.example', 'evil.example:3000', 'localhost.evil.example', '192.0.2.8', 'a@localhost']

  test.each([...NAMES, ...LOOPBACK, '[2001:db8::7]:80'])('answers to %s', async (host) => {
    expect((await get({ url: '/api/site', headers: { host } }, named)).statusCode).toBe(200)
  })

  test.each(FOREIGN)('refuses %s for everything but health checks', async (host) => {
    const byAddress = host === '192.0.2.8' ? ['/metrics'] : []
    const answered = new Set(['/healthz', '/readyz', ...byAddress])
    for (const url of paths.filter((path) => !answered.has(path)))
      expect(await refused({ url, headers: { host } }, named)).toBe(421)
    expect(await refused({ url: '/api/site', method: 'OPTIONS', headers: { host } }, named)).toBe(421)
    const signIn = { method: 'POST' as const, url: authApi.login.path, headers: { host }, payload: ADMIN }
    expect((await named.inject(signIn)).statusCode).toBe(421)
  })

  test('answers health checks for any host name', async () => {
    for (const url of ['/healthz', '/readyz'])
      expect((await get({ url, headers: { host: '10.1.2.3:8080' } }, named)).statusCode).toBe(200)
  })

  test.each(['10.1.2.3:3000', '192.0.2.8', '[2001:db8::9]:3000'])(
    'serves only metrics by IP address: %s',
    async (host) => {
      expect((await get({ url: '/metrics', headers: { host } }, named)).statusCode).toBe(200)
      expect(await refused({ url: '/metrics/', headers: { host } }, named)).toBe(421)
      expect(await refused({ url: '/api/site', headers: { host } }, named)).toBe(421)
    },
  )

  test('says in the refusal which setting allows the host', async () => {
    const answer = await get({ url: '/', headers: { host: '192.168.1.5:3000' } })
    expect(answer.json()).toMatchObject({
      code: 'host',
      message:
        'This server does not answer to the name “192.168.1.5”. Its operator can add the name to ALLOWED_HOSTS, or set it in PUBLIC_URL.',
    })
  })

  test('allows CORS calls of a separate console for an allowed host name', async () => {
    const headers = {
      host: 'api.example.org',
      origin: 'https://console.example.org',
      'access-control-request-method': 'GET',
    }
    const asked = await get({ url: '/api/media', method: 'OPTIONS', headers }, named)
    expect(asked.headers['access-control-allow-origin']).toBe('https://console.example.org')
  })
})

describe('class 8: the IP address of the client', () => {
  let behind: FastifyInstance
  beforeAll(async () => void (behind = await open({ trustedProxies: ['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.1'] })))
  afterAll(() => behind.close())

  /** The IP address of a sign-in in the audit log and in the list of sessions. */
  async function addressOf(server: FastifyInstance, remoteAddress: string, forwarded?: string): Promise<string> {
    const answer = await server.inject({
      method: 'POST',
      url: authApi.login.path,
      remoteAddress,
      headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
      payload: ADMIN,
    })
    expect(answer.statusCode).toBe(200)
    await backgroundDone()
    const session = await db.selectFrom('sessions').select('address').orderBy('createdAt', 'desc').executeTakeFirst()
    const entry = await db
      .selectFrom('audit')
      .select('address')
      .where('action', '=', 'signIn.done')
      .orderBy('seq', 'desc')
      .executeTakeFirst()
    expect(entry?.address).toBe(session?.address)
    return session?.address ?? ''
  }

  test.each([
    ['no proxy', '203.0.113.7', undefined, '203.0.113.7'],
    ['a client that claims another address', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['a trusted proxy', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    [
      'a client behind a trusted proxy that claims another address',
      '10.0.0.1',
      '198.51.100.1, 203.0.113.7',
      '203.0.113.7',
    ],
    ['a client behind a trusted proxy that claims to be a proxy', '10.0.0.1', '10.0.0.9, 203.0.113.7', '203.0.113.7'],
    ['several trusted proxies', '10.0.0.1', '198.51.100.1, 203.0.113.7, 192.0.2.1, 10.2.3.4', '203.0.113.7'],
    ['only trusted proxies', '10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
    ['a trusted proxy with an IPv6 address', '2001:db8:1::5', '2001:db8:2::7', '2001:db8:2::7'],
    ['an untrusted proxy in a similar network', '2001:db8:2::5', '203.0.113.7', '2001:db8:2::5'],
    ['IPv4 addresses mapped to IPv6', '::ffff:10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    ['an IPv4 address with a port', '10.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['an IPv6 address with a port', '10.0.0.1', '[2001:db8:2::7]:4711', '2001:db8:2::7'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['a header without an address', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['garbage after an address', '10.0.0.1', '203.0.113.7, <script>', '10.0.0.1'],
    ['a header with many addresses', '10.0.0.1', `${'198.51.100.1, '.repeat(500)}203.0.113.7`, '203.0.113.7'],
  ])('with %s', async (_, remote, forwarded, expected) => {
    expect(await addressOf(behind, remote, forwarded)).toBe(expected)
  })

  test('ignores X-Forwarded-For if no proxy is trusted', async () => {
    expect(await addressOf(app, '10.0.0.1', '203.0.113.7')).toBe('10.0.0.1')
  })

  test('warns of an untrusted proxy in the log once', async () => {
    const said = async (trustedProxies: string[]) => {
      const lines: string[] = []
      const logger = pino({}, { write: (line: string) => void lines.push(line) })
      const server = await open({ trustedProxies, logger })
      await get({ url: '/healthz' }, server)
      expect(lines).toEqual([])
      for (let each = 0; each < 3; each++)
        await get({ url: '/healthz', remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': '203.0.113.7' } }, server)
      await server.close()
      return lines.filter((line) => line.includes('TRUSTED_PROXIES') && line.includes('"10.0.0.1"'))
    }
    expect(await said([])).toHaveLength(1)
    expect(await said(['10.0.0.1'])).toEqual([])
  })

  test('sends HSTS only if PUBLIC_URL or a trusted proxy says HTTPS', async () => {
    const secure = async (server: FastifyInstance, remoteAddress: string) =>
      (await get({ url: '/api/site', remoteAddress, headers: { 'x-forwarded-proto': 'https' } }, server)).headers[
        'strict-transport-security'
      ]
    expect(await secure(behind, '10.0.0.1')).toBe('max-age=31536000')
    expect(await secure(behind, '203.0.113.7')).toBeUndefined()
    expect(await secure(app, '10.0.0.1')).toBeUndefined()
    const known = await open({ publicUrl: 'https://catalogue.example.org' })
    expect((await get({ url: '/api/nothing' }, known)).headers['strict-transport-security']).toBe('max-age=31536000')
    await known.close()
  })
})
