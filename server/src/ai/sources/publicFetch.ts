import { lookup } from 'node:dns'
import { request as overHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Refusal } from '#lib/errors.ts'
import { inCall } from '#lib/tracing.ts'

/** How long an answer may take, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000
const MAX_REDIRECTS = 3

/** Hosts with their ports that may be asked although they are internal: stand-ins for public ones. */
export const allowedInternalHosts = new Set<string>()

interface FetchOptions {
  signal: AbortSignal
  /** Bytes. */
  most: number
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
 * Asks a public host. Whatever names the address, a redirect or a name that resolves elsewhere the next moment, no
 * connection is made to a network that is not public. Throws a Refusal that says what went wrong, in our words.
 */
export async function fetchPublic(address: string, asked: FetchOptions, redirects = 0): Promise<FetchResponse> {
  const url = checked(address)
  const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)])
  const answer = await inCall(asked.method ?? 'GET', url, () => sent(url, { ...asked, signal }))
  const location = answer.headers.location
  if (!location || answer.status < 300 || answer.status > 399)
    return received(answer.stream, answer, asked.most, signal)
  answer.stream.destroy()
  if ((asked.method ?? 'GET') !== 'GET' || redirects >= MAX_REDIRECTS || !URL.canParse(location, url)) fail('redirect')
  // A host that was given something may not pass it on.
  return fetchPublic(new URL(location, url).href, { signal: asked.signal, most: asked.most }, redirects + 1)
}

/** Internal although their range is public: the host service of a cloud, and IPv4 addresses written as IPv6. */
const INTERNAL = ['168.63.129.16/32', '::/96'].map((range) => ipaddr.parseCIDR(range))

/** Whether an address is of the public internet. */
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
  internal: 'This address is of an internal network.',
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
  // Numbers are looked up nowhere, so they are checked here; the address has already been read as browsers read it.
  if (ipaddr.isValid(host) && !isPublic(host)) fail('internal')
  return url
}

/** Resolves a name where the connection is made, so that what was checked is what is connected to. */
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
      // One connection for each question: a pooled one would have been checked for another.
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
  most: number,
  signal: AbortSignal,
) {
  const parts: Buffer[] = []
  let size = 0
  if (Number(headers['content-length']) > most) {
    stream.destroy()
    fail('large')
  }
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      size += part.length
      if (size > most) fail('large')
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
