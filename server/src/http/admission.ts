// What is refused before a route is even looked for: addresses and names that no caller needs.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { withoutBasePath } from './basePath.ts'
import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'

/** Bounds of a request line and its headers, in characters. */
const MAX_ADDRESS = 16 * 1024
const MAX_HEADERS = 32 * 1024
const MAX_PARAMETERS = 200

/** Load balancers ask these two by address; they say nothing and do nothing, so whoever asks learns nothing by them. */
const HEALTH = new Set(['/healthz', '/readyz'])

/**
 * Prometheus scrapes by address. DNS rebinding needs a name: a web page that a browser got from an address is from the
 * server at that address. Other names stay refused, for what is measured is not for every page.
 */
const METRICS = '/metrics'

/** An escaped character that needs no escape (RFC 3986, 2.3): rules of a proxy that compare paths would not see it. */
const NEEDLESS_ESCAPE = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i

export interface Admitted {
  /** The names of this server, beside those of the machine itself. */
  hosts: ReadonlySet<string>
  /** The paths whose parameters may hold whole texts. */
  longAddresses: ReadonlySet<string>
  /** What may stand before every path. */
  basePath?: string
}

/** The path and query that a call is about. Throws a Refusal where it is not to be answered at all. */
export function admit(
  { url = '/', headers, rawHeaders }: IncomingMessage,
  { hosts, longAddresses, basePath = '' }: Admitted,
): string {
  // The form that calls to a proxy have names the host itself.
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [undefined, headers.host, url]
  const address = withoutBasePath(rest || '/', basePath)
  const [path = ''] = address.split('?', 1)
  if (address.length > MAX_ADDRESS && !longAddresses.has(path))
    throw new Refusal(414, 'tooLarge', reasonText('addressLong'))
  if (rawHeaders.reduce((sum, { length }) => sum + length, 0) > MAX_HEADERS)
    throw new Refusal(431, 'tooLarge', reasonText('headersLarge'))
  if (!address.startsWith('/') || address.includes('#') || NEEDLESS_ESCAPE.test(path) || countsMore(address))
    throw new Refusal(400, 'invalid', reasonText('malformedAddress'))
  const host = hostnameOf(authority ?? '')
  if (!HEALTH.has(path) && !isLoopback(host) && !hosts.has(host) && !(path === METRICS && isAddress(host)))
    throw new Refusal(421, 'host', reasonText('hostUnknown', { host: host.slice(0, 100) }))
  return address
}

/** The name in `Host`, or in an entry of ALLOWED_HOSTS, without its port; empty where it holds none. */
export function hostnameOf(host: string): string {
  // Most calls name the same one.
  if (host !== last.host) last = { host, name: nameIn(host) }
  return last.name
}

let last = { host: '', name: '' }

function nameIn(host: string): string {
  if (!/^[^\s/?#@\\]+$/.test(host) || !URL.canParse(`http://${host}`)) return ''
  return new URL(`http://${host}`).hostname.replace(/\.$/, '')
}

/** Whether a host, or an address to listen on, is this machine and no other. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Whether a host is an IP address. */
const isAddress = (host: string): boolean => isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0

function countsMore(address: string): boolean {
  let count = 0
  for (let at = address.indexOf('&'); at >= 0; at = address.indexOf('&', at + 1))
    if (++count >= MAX_PARAMETERS) return true
  return false
}
