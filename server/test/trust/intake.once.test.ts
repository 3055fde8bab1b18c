// What a request may cost before the caller is known and authorized.
import { reasonText } from '@mokuroku/contract/reasons'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { MAX_DEPTH, MAX_KEYS, MAX_VALUES } from '@mokuroku/contract/jsonSize'
import { pathOf, TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import type { Route } from '@mokuroku/contract/route'
import { beforeAll, describe, expect, test } from 'vitest'
import { ErrorAnswer } from '#http/openapi.ts'
import { app, signedIn, withApp } from '#test/app.ts'
import { endpoints } from '../../src/app.ts'
import { fieldsOf } from '#test/contract.ts'
import { ask, listening } from './rawClient.ts'
import { everybody, noId, type People } from './people.ts'
import { HASHED, HOSTILE } from './hostile.ts'
import { BESIDE, RULES } from './rules.ts'

withApp()

let port: number
let people: People
beforeAll(async () => {
  port = Number(new URL(await listening()).port)
  people = await everybody()
})

const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const urlOf = ({ path }: Route): string => path.replaceAll(/:\w+/g, noId())
const withBody = (route: Route): boolean => route.method !== 'GET'
const named = (wanted: (route: Route) => boolean) =>
  endpoints.filter(({ route }) => wanted(route)).map(({ route }) => [nameOf(route), route] as const)
const open = named((route) => route.access === 'public' && withBody(route))
const closed = named((route) => route.access !== 'public' && withBody(route))

/** Sends only the head of a request that announces a body: any response is sent without reading the body. */
async function announced(method: string, path: string, bytes: number, headers: Record<string, string> = {}) {
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const socket = connect(port, '127.0.0.1')
  socket.write(`${method} ${path} HTTP/1.1\r\n${head}content-length: ${bytes}\r\n\r\n`)
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  while (!/\r\n\r\n[^]*\}$/.test(Buffer.concat(parts).toString())) await once(socket, 'data')
  socket.destroy()
  const text = Buffer.concat(parts).toString()
  const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as unknown
  expect(ErrorAnswer.safeParse(body).success).toBe(true)
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), body }
}

describe('class 16: cheap refusals before sign-in', () => {
  test.each(open)('%s refuses a body of 1 MB without reading it', async (_, route) => {
    expect(await announced(route.method, urlOf(route), 1024 * 1024)).toMatchObject({
      status: 413,
      body: { code: 'tooLarge' },
    })
  })

  test.each(closed)('%s answers 401 without reading the body', async (_, route) => {
    const bytes = Math.floor(1.9 * 1024 * 1024)
    const calls: Record<string, string>[] = [
      {},
      { authorization: 'Bearer x.y.z' },
      { 'content-type': 'multipart/form-data; boundary=X' },
    ]
    for (const headers of calls)
      expect(await announced(route.method, urlOf(route), bytes, headers)).toMatchObject({ status: 401 })
  })

  test.each([
    ['/api/nothing', 404],
    ['/nothing', 404],
    ['/files', 404],
    ['/api/openapi.json', 405],
    ['/healthz', 405],
    ['/metrics', 405],
    ['/files/x', 405],
  ] as const)('POST %s answers %i without reading the body', async (path, status) => {
    expect(await announced('POST', path, 1024 * 1024)).toMatchObject({ status })
  })

  test('routes without a body refuse a large one', async () => {
    const { token } = await signedIn()
    const bodiless = closed.filter(([, route]) => !route.body && !route.upload && route.method !== 'DELETE')
    expect(bodiless.length).toBeGreaterThan(5)
    for (const [, route] of bodiless)
      expect(
        (await announced(route.method, urlOf(route), 1024 * 1024, { authorization: `Bearer ${token}` })).status,
      ).toBe(413)
  })
})

describe('class 16: measured cost of hostile calls', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/trust.md'), 'utf8')
  const rows = [
    ...(text.split('<!-- hostile -->')[1] ?? '').matchAll(/^\| (.+?) +\| (.+?) +\| (\d+) +\| ([\d.]+) +\|$/gm),
  ]
  const names = named((route) => route.access === 'public').map(([name]) => name)

  test.each([
    ...names,
    ...BESIDE.map((path) => `GET ${path}`),
    'GET /',
    'GET /assets/:file',
    'GET /favicon.svg',
    'GET /nothing',
    'any',
  ])('%s is in docs/trust.md', (name) => {
    const calls = HOSTILE.filter(({ route }) => route === name).map(({ what }) => what)
    expect(calls).not.toEqual([])
    expect(rows.filter(([, route]) => route === name).map(([, , what]) => what)).toEqual(calls)
  })

  test('none costs 20 ms, except for hashing a password in its own thread', () => {
    expect(rows.filter(([, , what, , cost]) => what !== HASHED && Number(cost) >= 20)).toEqual([])
  })
})

// These are refused depending on their content, or do nothing instead of being refused.
const ABOUT_SOMETHING = new Set<string>([
  ...TRANSLATED_KINDS.map((kind) => `POST ${pathOf(kind)}/bulk`),
  'POST /api/assets/unused/restore',
  'POST /api/translation-history/rollback',
  'POST /api/findings/dismiss',
  'POST /api/work/claim',
  'DELETE /api/findings/dismiss',
])

/** Routes that can refuse by the caller alone: without a path parameter, or only for moderators and administrators. */
const byCallerAlone = closed.filter(([name, { path, body }]) => {
  const who = RULES[name]?.may ?? []
  const isOfFew = who.every((each) => each === 'admin' || each === 'moderator')
  return body && !ABOUT_SOMETHING.has(name) && (isOfFew || !path.includes(':'))
})

describe('class 1: answers 403 without reading the body', () => {
  test.each(byCallerAlone)('%s', async (name, route) => {
    const refused = Object.values(people).filter(
      ({ who, token }) => token && who !== 'deactivated' && !RULES[name]?.may.includes(who),
    )
    for (const { who, token } of refused) {
      const headers = { authorization: `Bearer ${token}` }
      expect({ who, ...(await announced(route.method, urlOf(route), 1024 * 1024, headers)) }).toMatchObject({
        who,
        status: 403,
      })
    }
  })
})

describe('class 16: short error responses', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`unknown${at}`, at]))

  test('refuses a body with too many values before parsing it', async () => {
    const { token } = await signedIn()
    const send = (payload: string) =>
      app.inject({
        method: 'POST',
        url: '/api/media',
        payload,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
    for (const payload of [
      JSON.stringify(keys(MAX_KEYS + 1)),
      JSON.stringify({ translations: keys(MAX_KEYS + 1) }),
      JSON.stringify([keys(MAX_KEYS), [keys(MAX_KEYS + 1)]]),
      `[${'[],'.repeat(MAX_VALUES)}`,
      `[${','.repeat(1_000_000)}`,
    ]) {
      const answer = await send(payload)
      expect({ status: answer.statusCode, ...answer.json<object>() }).toMatchObject({ status: 413, code: 'tooLarge' })
    }
    // Commas and brackets inside texts do not count.
    const texts = { en: { title: 'x', description: '[{,"\\'.repeat(9000) } }
    expect((await send(JSON.stringify({ mediaType: 'ANIME', translations: texts }))).json()).not.toMatchObject({
      status: 413,
    })
  })

  test('refuses a body that is nested too deep, with and without an Idempotency-Key', async () => {
    const { token } = await signedIn()
    const nested = (depth: number) => `{"mediaType":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    const send = async (payload: string, key: string) => {
      const { statusCode } = await app.inject({
        method: 'POST',
        url: '/api/ai/create-media',
        payload,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      })
      return statusCode
    }
    for (const key of ['', noId()])
      for (const payload of [nested(2), nested(MAX_DEPTH), nested(MAX_DEPTH + 1), nested(8000), '['.repeat(1_000_000)])
        expect(await send(payload, key)).toBe(400)
    for (const depth of [MAX_DEPTH, MAX_DEPTH + 1]) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/media',
        payload: nested(depth),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
      const { code, message } = answer.json<{ code: string; message: string }>()
      expect(code).toBe('invalid')
      expect(message === reasonText('deepValues', { limit: MAX_DEPTH })).toBe(depth > MAX_DEPTH)
    }
  })

  test.each(named((route) => route.body !== undefined))('%s', async (_, route) => {
    const { token } = await signedIn()
    const hostile = [
      keys(route.access === 'public' ? 500 : MAX_KEYS),
      Array.from({ length: route.access === 'public' ? 500 : 20_000 }, () => 1),
      { translations: keys(route.access === 'public' ? 500 : MAX_KEYS), text: keys(500), general: keys(500) },
      ...fieldsOf(route.body).map((name) => ({
        [name]: Array.from({ length: route.access === 'public' ? 500 : 20_000 }, () => '\u0001'.repeat(2)),
      })),
    ]
    for (const [at, body] of hostile.entries()) {
      const path = Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, part = '']) => [part, noId()]))
      const answer = await ask(route, { path, body }, { token, address: `10.77.${at}.1` })
      const answers = answer.body as { errors?: unknown[]; message?: string } | undefined
      expect(answer.status).toBeLessThan(500)
      expect(answers?.errors?.length ?? 0).toBeLessThanOrEqual(10)
      expect(Buffer.byteLength(JSON.stringify(answers ?? ''))).toBeLessThan(10_000)
    }
  })
})
