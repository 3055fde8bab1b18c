import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What is known of a request: who is connected, and the hops that trusted proxies name before them. */
interface Incoming {
  ip: string
  ips?: string[] | undefined
  headers: { 'user-agent'?: string | undefined }
}

/** Where a call comes from. */
export interface Client {
  address: string
  userAgent: string
}

export const clientOf = (request: Incoming): Client => ({
  address: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
})

/**
 * The address of who calls. `ips` begins with who is connected, and ends with the first that is no trusted proxy. What
 * a proxy names that is no address tells nothing: then the proxy counts.
 */
function addressOf({ ip, ips }: Incoming): string {
  const hops = (ips ?? [ip]).map(withoutPort).filter((hop) => isIP(hop) !== 0)
  const last = hops.at(-1)
  return last === undefined ? ip : ipaddr.process(last).toString()
}

/** Some proxies name the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string => /^(?:\[(.+)\]|([\d.]+)):\d+$/.exec(hop)?.slice(1).join('') ?? hop
