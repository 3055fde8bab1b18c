// The hosts that DATABASE_URL names. One of them accepts writes at a time, and a failover changes which one.
import pg from 'pg'
import { asLibpq, tlsParameterFault } from './tls.ts'

/** How long a host may take to say whether it accepts writes, in milliseconds. */
const PROBE_TIMEOUT_MS = 2000

/**
 * Sent first to a host that may be a standby: a standby supports no serializable transactions, and rejects every
 * statement if they are the default.
 */
export const NOT_SERIALIZABLE = `set default_transaction_isolation = 'read committed'`

/** The supported values of `target_session_attrs`, as in libpq. */
const TARGETS = ['any', 'read-write', 'primary'] as const
type Target = (typeof TARGETS)[number]

/** One URL for each host, in their order, and what kind of host is wanted. */
interface Hosts {
  urls: string[]
  target: Target
}

/** The host to connect to. */
export interface Primary {
  /**
   * Its URL. Probes the hosts if it is not known. If no host fits, throws `NoPrimary`, or the first error if none
   * answered.
   */
  url(): Promise<string>
  /** Reports that the host did not answer, or accepts no writes any more. The next `url` probes again. */
  lost(): void
}

/** No host accepts writes. SQLSTATE 25006 is a read-only transaction. */
export class NoPrimary extends Error {
  readonly code = '25006'
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)(@))?([^/?#]*)([^?#]*)(?:\?([^#]*))?$/

/**
 * Parses a connection URL as libpq does: several hosts separated by commas, each with a port of its own, and
 * `target_session_attrs` among the parameters (https://www.postgresql.org/docs/current/libpq-connect.html). Undefined
 * if it is not valid.
 */
export function parseHosts(url: string): Hosts | undefined {
  const [, scheme, given = '', at = '', hosts = '', path = ''] = URL_PARTS.exec(url) ?? []
  const [user, name] = [recoded(given, encodeURIComponent), recoded(path, encodeURI)]
  if (scheme === undefined || user === undefined || name === undefined) return undefined
  const parameters = parametersOf(url)
  const target = TARGETS.find((each) => each === (parameters.get('target_session_attrs') ?? 'any'))
  parameters.delete('target_session_attrs')
  asLibpq(parameters)
  const after = parameters.size > 0 ? `${name}?${parameters.toString()}` : name
  const urls = hosts.split(',').map((host) => scheme + user + at + host + after)
  return target && urls.every(isAddress) ? { urls, target } : undefined
}

/**
 * Encodes the user and password, or the name of the database, as the driver decodes it: of a name it decodes only some
 * characters, and if a space or a single % is not encoded, nothing that is. Undefined if the encoding is wrong.
 */
function recoded(text: string, encode: (text: string) => string): string | undefined {
  try {
    const parts = text.split(':').map((part) => decodeURIComponent(part.replace(/%(?![\da-f]{2})/gi, '%25')))
    return parts.map(encode).join(':')
  } catch {
    return undefined
  }
}

const isAddress = (url: string): boolean => URL.canParse(withHost(url))

/**
 * Only libpq and the driver accept a URL with a user but no host, as with a Unix socket in a parameter; `URL` does not.
 */
const withHost = (url: string): string => url.replace('@/', '@localhost/')

/** The host and port of a URL, or the folder of its Unix socket. */
export function hostOf(url: string): string {
  const { host, searchParams } = new URL(withHost(url))
  return searchParams.get('host') ?? decodeURIComponent(host)
}

/**
 * The query parameters that have an effect, those of libpq about connections, whose timeouts are fixed here, and
 * `channel_binding`, which providers add to the URLs that they give out.
 */
const PARAMETERS = new Set(
  `host port user password target_session_attrs options application_name fallback_application_name client_encoding
  uselibpqcompat query_timeout statement_timeout lock_timeout idle_in_transaction_session_timeout
  ssl sslmode sslrootcert sslcert sslkey sslnegotiation
  channel_binding connect_timeout keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout`.split(
    /\s+/,
  ),
)

/** Those that the driver takes for numbers. */
const NUMBERS = ['query_timeout', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/** What is wrong with the name of the database or the query parameters of a URL; undefined if nothing is. */
export function parameterFault(url: string): string | undefined {
  // The driver leaves these two encoded.
  if (/%(?:3f|23)/i.test(URL_PARTS.exec(url)?.[5] ?? '')) return 'the name of the database must not contain ? or #'
  const parameters = parametersOf(url)
  const names = [...parameters.keys()]
  // It is misspelt, or for another client.
  const unknown = names.find((name) => !PARAMETERS.has(name))
  if (unknown) return `the parameter ${unknown} is not supported; correct its name, or remove it`
  const repeated = names.find((name, at) => names.indexOf(name) < at)
  if (repeated) return `the parameter ${repeated} is there twice; remove one of them`
  const wrong = NUMBERS.find((name) => !/^\d{1,9}$/.test(parameters.get(name) ?? '0'))
  if (wrong) return `${wrong} must be a whole number`
  if (!isPort(parameters.get('port') ?? '5432')) return 'port must be a whole number from 1 to 65535'
  if (parameters.get('host')?.includes(','))
    return 'several hosts must be in front of the name, as in postgres://user:password@db1:5432,db2:5432/name'
  return tlsParameterFault(parameters)
}
const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535

/** The query parameters of a URL. */
const parametersOf = (url: string): URLSearchParams => new URLSearchParams(URL_PARTS.exec(url)?.[6])

/** Finds the host to connect to, and remembers it until it is lost. A single host is not probed if any kind will do. */
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
