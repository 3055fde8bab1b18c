// The hosts that DATABASE_URL names, of which one takes writes at a time: which one that is changes with a failover.
import pg from 'pg'
import { asLibpq } from './tls.ts'

/** How long one host may take to say whether it takes writes, in milliseconds. */
const PROBE_TIMEOUT_MS = 2000

/** Sent first to what may be a standby: it has no serializable transactions, and refuses all else where they are the default. */
export const NOT_SERIALIZABLE = `set default_transaction_isolation = 'read committed'`

/** What `target_session_attrs` may ask of a host, as libpq has it. */
const TARGETS = ['any', 'read-write', 'primary'] as const
type Target = (typeof TARGETS)[number]

/** One address for each host, in their order, and what the host has to be. */
interface Hosts {
  urls: string[]
  target: Target
}

/** The host that is connected to. */
export interface Primary {
  /** Its address. Looks for it where it is not known; throws what the last host said when there is none. */
  url(): Promise<string>
  /** It did not answer, or takes no writes any more: it is looked for again. */
  lost(): void
}

/** No host takes writes; SQLSTATE 25006 is a transaction that may only read. */
class NoPrimary extends Error {
  readonly code = '25006'
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/

/**
 * Reads an address as libpq does: several hosts between commas, each with a port of its own, and `target_session_attrs`
 * among the parameters (https://www.postgresql.org/docs/current/libpq-connect.html). Undefined for what is none.
 */
export function parseHosts(url: string): Hosts | undefined {
  const [, before = '', hosts = '', path = ''] = URL_PARTS.exec(url) ?? []
  if (before === '') return undefined
  const parameters = parametersOf(url)
  const target = TARGETS.find((each) => each === (parameters.get('target_session_attrs') ?? 'any'))
  parameters.delete('target_session_attrs')
  asLibpq(parameters)
  const after = parameters.size > 0 ? `${path}?${parameters.toString()}` : path
  const urls = hosts.split(',').map((host) => before + host + after)
  return target && urls.every(isAddress) ? { urls, target } : undefined
}

const isAddress = (url: string): boolean => URL.canParse(withHost(url))

/** A user without a host, as of a Unix socket that a parameter names, is an address to libpq and the driver only. */
const withHost = (url: string): string => url.replace('@/', '@localhost/')

/** The host of an address, with its port, or the folder of its Unix socket. */
export function hostOf(url: string): string {
  const { host, searchParams } = new URL(withHost(url))
  return searchParams.get('host') ?? decodeURIComponent(host)
}

/** The parameters of an address. */
export const parametersOf = (url: string): URLSearchParams => new URLSearchParams(URL_PARTS.exec(url)?.[4])

/** Finds the host to connect to, and keeps it until it is lost. One host that may be any is not asked. */
export function primaryOf(url: string): Primary {
  const { urls, target } = parseHosts(url) ?? { urls: [url], target: 'any' }
  const [only = url] = urls
  if (urls.length === 1 && target === 'any') return { url: async () => only, lost: () => undefined }
  let known: string | undefined
  let isSure = false
  let probing: Promise<string> | undefined
  const probe = async (): Promise<string> => {
    known = await firstOf([...new Set([...(known ? [known] : []), ...urls])], target)
    isSure = true
    return known
  }
  return {
    url: async () =>
      isSure && known !== undefined ? known : (probing ??= probe().finally(() => (probing = undefined))),
    lost: () => void (isSure = false),
  }
}

/** The first host that fits. */
async function firstOf(urls: string[], target: Target): Promise<string> {
  let fault: unknown
  for (const url of urls)
    try {
      if (await fits(url, target)) return url
      fault = new NoPrimary('No host of DATABASE_URL takes writes')
    } catch (error) {
      fault ??= error
    }
  throw fault
}

async function fits(connectionString: string, target: Target): Promise<boolean> {
  const timeouts = { connectionTimeoutMillis: PROBE_TIMEOUT_MS, query_timeout: PROBE_TIMEOUT_MS }
  const client = new pg.Client({ connectionString, ...timeouts })
  client.on('error', () => undefined)
  try {
    await client.connect()
    if (target === 'any') return true
    await client.query(NOT_SERIALIZABLE)
    const { rows } = await client.query<{ no: boolean }>(
      target === 'primary'
        ? 'SELECT pg_is_in_recovery() AS "no"'
        : `SELECT current_setting('transaction_read_only') = 'on' AS "no"`,
    )
    return rows[0]?.no === false
  } finally {
    void client.end().catch(() => undefined)
  }
}
