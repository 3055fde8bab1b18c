import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * What a request says about its sender: the connected IP address, and the hops before it, as named by trusted proxies.
 */
interface Incoming {
  ip: string
  ips?: string[] | undefined
  headers: { 'user-agent'?: string | undefined }
}

/** Where a request comes from. */
export interface Client {
  address: string
  userAgent: string
}

export const clientOf = (request: Incoming): Client => ({
  address: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
})

/**
 * The IP address of the client. `ips` starts with the connected peer and ends with the first hop that is not a trusted
 * proxy. Hops that are not valid addresses are skipped; the proxy that named one then counts as the client.
 */
function addressOf({ ip, ips }: Incoming): string {
  const hops = (ips ?? [ip]).map(withoutPort).filter((hop) => isIP(hop) !== 0)
  const last = hops.at(-1)
  return last === undefined ? ip : ipaddr.process(last).toString()
}

/** Strips the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string => /^(?:\[(.+)\]|([\d.]+)):\d+$/.exec(hop)?.slice(1).join('') ?? hop
