import { lookup } from 'node:dns'
import { request as overHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Refusal } from '#lib/errors.ts'
import { inCall } from '#lib/tracing.ts'

/** Timeout of a request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000
const MAX_REDIRECTS = 3

/** Internal hosts, with ports, that may be queried anyway: stand-ins for public ones. */
export const allowedInternalHosts = new Set<string>()

interface FetchOptions {
  signal: AbortSignal
  /** Maximum size of the response, in bytes. */
  maxBytes: number
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

interface FetchResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * Fetches from a public host, protected against SSRF: no connection is made to a non-public network, even after a
 * redirect or when the name's DNS entry changes meanwhile. Throws a Refusal that says what went wrong in our own words.
 */
export async function fetchPublic(address: string, asked: FetchOptions, redirects = 0): Promise<FetchResponse> {
  const url = checked(address)
  const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)])
  const answer = await inCall(asked.method ?? 'GET', url, () => sent(url, { ...asked, signal }))
  const location = answer.headers.location
  if (!location || answer.status < 300 || answer.status > 399)
    return received(answer.stream, answer, asked.maxBytes, signal)
  answer.stream.destroy()
  if ((asked.method ?? 'GET') !== 'GET' || redirects >= MAX_REDIRECTS || !URL.canParse(location, url)) fail('redirect')
  // A redirect is followed by a bare GET, so that a host cannot pass on the headers or body it received.
  return fetchPublic(new URL(location, url).href, { signal: asked.signal, maxBytes: asked.maxBytes }, redirects + 1)
}

/** Internal addresses in public ranges: a cloud's host service, and IPv4 addresses written as IPv6. */
const INTERNAL = ['168.63.129.16/32', '::/96'].map((range) => ipaddr.parseCIDR(range))

/** Whether an IP address belongs to the public internet. */
export function isPublic(address: string): boolean {
  try {
    const known = ipaddr.process(address)
    const isInternal = INTERNAL.some(([range, bits]) => known.kind() === range.kind() && known.match(range, bits))
    return known.range() === 'unicast' && !isInternal
  } catch {
    return false
  }
}

const REASONS = {
  address: 'Only public http and https addresses are allowed.',
  internal: 'This address belongs to an internal network.',
  unreachable: 'The host cannot be reached.',
  slow: 'The host did not answer in time.',
  large: 'The answer is too large.',
  redirect: 'The host redirected too often or to an invalid address.',
} as const

function fail(reason: keyof typeof REASONS): never {
  throw new Refusal(502, `outside.${reason}`, REASONS[reason])
}

function checked(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : fail('address')
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) fail('address')
  if (allowedInternalHosts.has(url.host)) return url
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // An IP address needs no DNS lookup, so it is checked here. `URL` has already normalized it as browsers do.
  if (ipaddr.isValid(host) && !isPublic(host)) fail('internal')
  return url
}

/** Resolves a name when connecting, so that the address that was checked is the one connected to. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return callback(error ?? new Error('No address'), '', 0)
    if (!addresses.every(({ address }) => isPublic(address))) return callback(new Internal(), '', 0)
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

class Internal extends Error {}

const USER_AGENT = 'Mokuroku (a catalogue console)'

function sent(url: URL, { signal, method = 'GET', headers, body }: FetchOptions) {
  return new Promise<FetchResponse & { stream: IncomingMessage }>((resolve, reject) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
      method,
      signal,
      // No connection pool: a pooled connection would have been checked for another request.
      agent: false,
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers },
      ...(!allowedInternalHosts.has(url.host) && { lookup: publicLookup }),
    })
    request.once('error', (error) => reject(refusalOf(error, signal)))
    request.once('response', (stream) =>
      resolve({ status: stream.statusCode ?? 0, headers: stream.headers, body: Buffer.alloc(0), stream }),
    )
    request.end(body)
  })
}

async function received(
  stream: IncomingMessage,
  { status, headers }: FetchResponse,
  maxBytes: number,
  signal: AbortSignal,
) {
  const parts: Buffer[] = []
  let size = 0
  if (Number(headers['content-length']) > maxBytes) {
    stream.destroy()
    fail('large')
  }
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      size += part.length
      if (size > maxBytes) fail('large')
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof Refusal ? error : refusalOf(error, signal)
  }
  return { status, headers, body: Buffer.concat(parts) }
}

function refusalOf(error: unknown, signal: AbortSignal): unknown {
  const reason = error instanceof Internal ? 'internal' : signal.aborted ? 'slow' : 'unreachable'
  return new Refusal(502, `outside.${reason}`, REASONS[reason])
}
