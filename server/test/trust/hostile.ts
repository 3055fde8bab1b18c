// The most expensive calls that a visitor can make, by kind.
import { aiApi } from '@mokuroku/contract/ai'
import { authApi } from '@mokuroku/contract/auth'
import { siteApi } from '@mokuroku/contract/site'
import type { Route } from '@mokuroku/contract/route'

export interface HostileCall {
  /** The route, or a description if there is none. */
  route: string
  what: string
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  /** `{each}` is replaced by a different value in each call. */
  body?: string
}

const keys = (bytes: number): string => {
  const one = (at: number) => `"${at.toString(36)}":1`
  const many = Array.from({ length: Math.floor(bytes / 9) }, (_, at) => one(at)).join(',')
  return `{${many.slice(0, bytes - 10)}`.replace(/,[^,]*$/, '}')
}
/** Marks calls that hash a password, in a thread of its own. */
export const HASHED = 'a wrong password, hashing included'

/** Placeholder in a path for the name of the largest file of the built console. */
export const LARGEST = '{largest}'

const SMALL = keys(16_000)
const LARGE = keys(1_900_000)
const TOKEN = { authorization: `Bearer ${'x'.repeat(30_000)}.y.z` }

const RANGES = { range: `bytes=${Array.from({ length: 100 }, (_, at) => `${2 * at}-${2 * at}`).join()}` }

const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const post = (route: Route): HostileCall[] => {
  const call = { route: nameOf(route), method: 'POST' as const, path: route.path }
  return [
    { ...call, what: '16 kB of keys', body: SMALL },
    { ...call, what: '1.9 MB of keys', body: LARGE },
  ]
}
const get = (path: string, what = 'an address of 16 kB'): HostileCall => ({
  route: `GET ${path}`,
  what,
  path: `${path.replace(':key', 'x')}?${'a=%41&'.repeat(150)}${'x'.repeat(14_000)}`,
})

export const HOSTILE: HostileCall[] = [
  ...post(authApi.login),
  {
    route: nameOf(authApi.login),
    what: HASHED,
    method: 'POST',
    path: authApi.login.path,
    body: '{"email":"{each}@example.org","password":"wrong"}',
  },
  ...post(authApi.forgotPassword),
  ...post(authApi.resetPassword),
  get(siteApi.find.path),
  get('/api/openapi.json'),
  get('/healthz'),
  get('/readyz'),
  get('/metrics'),
  get('/files/:key'),
  get('/files/outside'),
  get('/'),
  { route: 'GET /', what: 'a screen of the console', path: '/media' },
  { route: 'GET /assets/:file', what: 'the largest one, uncompressed', path: `/assets/${LARGEST}` },
  {
    route: 'GET /assets/:file',
    what: 'the largest one, compressed',
    path: `/assets/${LARGEST}`,
    headers: { 'accept-encoding': 'br' },
  },
  { route: 'GET /assets/:file', what: 'one that does not exist', path: '/assets/nothing-12345678.js' },
  { route: 'GET /favicon.svg', what: 'a hundred ranges', path: '/favicon.svg', headers: RANGES },
  get('/nothing', 'a path that does not exist'),
  { route: 'any', what: '1.9 MB of keys, without a token', method: 'POST', path: '/api/media', body: LARGE },
  { route: 'any', what: 'a token of 30 kB', path: '/api/media', headers: TOKEN },
  {
    route: 'any',
    what: 'an address of 480 kB with texts',
    path: `${aiApi.process.path}?text=${'%7B'.repeat(160_000)}`,
  },
  { route: 'any', what: 'an address of 400 kB', path: `/${'x/'.repeat(200_000)}` },
]
