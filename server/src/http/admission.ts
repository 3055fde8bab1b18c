// Rejects requests before routing: URLs and host names that no legitimate caller needs.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { withoutBasePath } from './basePath.ts'
import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'

/** Limits of the request line and the headers, in characters; of the query, in parameters. */
const MAX_ADDRESS = 16 * 1024
const MAX_HEADERS = 32 * 1024
const MAX_PARAMETERS = 200

/**
 * Load balancers request these by IP address. They reveal nothing and have no effects, so any host name is accepted.
 */
const HEALTH = new Set(['/healthz', '/readyz'])

/**
 * Prometheus scrapes by IP address. That is safe, as DNS rebinding needs a name: a page that a browser loaded from an
 * IP address comes from the server at that address. Other names are rejected, since not every web page may read
 * metrics.
 */
const METRICS = '/metrics'

/** A percent-encoded character that needs no encoding (RFC 3986, 2.3): path rules of a proxy would not match it. */
const NEEDLESS_ESCAPE = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i

export interface Admitted {
  /** The host names of this server, besides those of the machine itself. */
  hosts: ReadonlySet<string>
  /** The paths whose parameters may contain whole texts. */
  longAddresses: ReadonlySet<string>
  /** The prefix that may precede every path; '' for none. */
  basePath: string
}

/** Returns the path and query of a request. Throws a `Refusal` if it must not be answered. */
export function admit(
  { url = '/', headers, rawHeaders }: IncomingMessage,
  { hosts, longAddresses, basePath }: Admitted,
): string {
  // A request to a proxy has an absolute URL, which contains the host.
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [undefined, headers.host, url]
  const address = withoutBasePath(rest || '/', basePath)
  const [path = ''] = address.split('?', 1)
  if (address.length > MAX_ADDRESS && !longAddresses.has(path))
    throw new Refusal(414, 'tooLarge', reasonText('addressLong'))
  if (rawHeaders.reduce((sum, { length }) => sum + length, 0) > MAX_HEADERS)
    throw new Refusal(431, 'tooLarge', reasonText('headersLarge'))
  // A proxy in front of this server may take the other one (RFC 9112, 3.2).
  if (hasTwoHosts(rawHeaders)) throw new Refusal(400, 'invalid', reasonText('malformed'))
  if (!address.startsWith('/') || address.includes('#') || NEEDLESS_ESCAPE.test(path) || countsMore(address))
    throw new Refusal(400, 'invalid', reasonText('malformedAddress'))
  const host = hostnameOf(authority ?? '')
  if (!HEALTH.has(path) && !isLoopback(host) && !hosts.has(host) && !(path === METRICS && isAddress(host)))
    throw new Refusal(421, 'host', reasonText('hostUnknown', { host: host.slice(0, 100) }))
  return address
}

/** The host name in `Host`, or in an entry of ALLOWED_HOSTS, without its port; '' if there is none. */
export function hostnameOf(host: string): string {
  // Most requests have the same one.
  if (host !== last.host) last = { host, name: nameIn(host) }
  return last.name
}

let last = { host: '', name: '' }

function nameIn(host: string): string {
  if (!/^[^\s/?#@\\]+$/.test(host) || !URL.canParse(`http://${host}`)) return ''
  return new URL(`http://${host}`).hostname.replace(/\.$/, '')
}

/** Whether a host, or an address to listen on, is only this machine itself. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Whether a host is an IP address. */
const isAddress = (host: string): boolean => isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0

const hasTwoHosts = (rawHeaders: string[]): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1

function countsMore(address: string): boolean {
  let count = 0
  for (let at = address.indexOf('&'); at >= 0; at = address.indexOf('&', at + 1))
    if (++count >= MAX_PARAMETERS) return true
  return false
}
