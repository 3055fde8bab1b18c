import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { SENTENCES } from '@mokuroku/contract/faults'
import { BaseUrl } from '@mokuroku/contract/settings'
import * as z from 'zod/mini'
import { parameterFault, parseHosts } from '#database/hosts.ts'
import { hostnameOf, isLoopback } from '#http/admission.ts'
import { telemetryIn, type TelemetrySettings } from './telemetry/settings.ts'

/** An integer in an inclusive range. */
function integer(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return z.pipe(
    z.pipe(z.string().check(z.trim(), z.regex(/^\d+$/, message)), z.transform(Number)),
    z.number().check(z.gte(min, message), z.lte(max, message)),
  )
}
const Switch = z.enum(['on', 'off'], 'must be on or off')
const PASSWORD_LENGTH = 'must have 8 to 200 characters'
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** A URL whose scheme matches. */
const urlOf = (scheme: RegExp, message: string) => z.url(message).check(z.regex(scheme, message))
/** The address of a service or of this one; unlike in the settings, it may not be blank. */
const Address = z.pipe(BaseUrl, z.string().check(z.minLength(1, SENTENCES.baseUrl)))
const matching = (form: RegExp, message: string) => z.string().check(z.regex(form, message))

/** An address to listen on: without brackets or a port. No name has a hyphen in front. */
const isHost = (host: string): boolean => isIP(host) !== 0 || (hostnameOf(host) !== '' && !/[:[\]]|^-/.test(host))

/** An origin as browsers send it: in lower case, without a default port. */
const Origin = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (value) => /^https?:\/\/[^/?#@\s]+\/?$/i.test(value) && URL.canParse(value),
        'must be an origin, such as https://console.example.org',
      ),
    ),
  z.transform((value) => new URL(value).origin),
)

/** Whether the user and password of a URL are percent-encoded correctly. */
function isDecodable(url: string): boolean {
  try {
    const { username, password } = new URL(url)
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

/** A comma-separated list. */
const listOf = (isValid: (entry: string) => boolean, message: string) =>
  z._default(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((value) =>
          value
            .split(',')
            .map((entry) => entry.trim())
            .filter((entry) => entry !== ''),
        ),
      ),
      z.array(z.string()).check(z.refine((entries) => entries.every(isValid), message)),
    ),
    [],
  )

/** An IP address, or a range such as 10.0.0.0/8. A range of all addresses is rejected: not everyone is a proxy. */
function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const maxBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return (
    maxBits > 0 && rest.length === 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= maxBits))
  )
}

/** A PostgreSQL connection URL. */
const Hosts = z.optional(
  z.string().check(
    z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'),
    z.refine(
      (url) => parseHosts(url) !== undefined,
      'must be an address such as postgres://user:password@host:5432/name, with special characters of the password percent-encoded (%2F for a /), several hosts between commas, and target_session_attrs any, read-write or primary',
    ),
    (context) => {
      const message = parameterFault(context.value)
      if (message) context.issues.push({ code: 'custom', input: context.value, message })
    },
  ),
)

const Env = z.object({
  HOST: z._default(
    z.string().check(z.refine(isHost, 'must be an IP address or a host name, such as 0.0.0.0')),
    '127.0.0.1',
  ),
  PORT: z._default(integer(1, 65_535), 3000),
  PUBLIC_URL: z.optional(Address),
  ALLOWED_HOSTS: listOf(
    (entry) => hostnameOf(entry) !== '' && !entry.includes('*'),
    'must be host names, such as console.example.org,10.0.0.5',
  ),
  TRUSTED_PROXIES: listOf(isNetwork, 'must be addresses and ranges, such as 10.0.0.5,192.168.0.0/16,fd00::/8'),
  CONSOLE_ORIGIN: z.optional(Origin),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: Hosts,
  /** Standbys to read from. */
  DATABASE_REPLICA_URL: Hosts,
  /** Their maximum lag, in seconds. */
  DATABASE_REPLICA_LAG: z._default(integer(1, 3600), 10),
  /** The size of the connection pool. */
  DATABASE_POOL: z._default(integer(2, 500), 10),
  /** Whether to use prepared statements. */
  DATABASE_PREPARE: z._default(Switch, 'on'),
  /** How long a start waits for a database that cannot be reached, in seconds. */
  DATABASE_WAIT: z._default(integer(0, 3600), 0),
  ANSWER_CACHE_MB: z._default(integer(0, 4096), 32),
  ADMIN_EMAIL: z.optional(z.email('must be an email address').check(z.maxLength(254, 'must be an email address'))),
  // As for all accounts: nobody could sign in with a longer one.
  ADMIN_PASSWORD: z.optional(z.string().check(z.minLength(8, PASSWORD_LENGTH), z.maxLength(200, PASSWORD_LENGTH))),
  AUTH_SECRET: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
  S3_BUCKET: z.optional(matching(/^[^\s/]+$/, 'must be the name of a bucket, without a path')),
  S3_ENDPOINT: z.optional(Address),
  S3_REGION: z.optional(matching(/^[a-z\d-]+$/i, 'must be the name of a region, such as us-east-1')),
  S3_ACCESS_KEY_ID: z.optional(matching(/^[\x21-\x7e]+$/, 'must contain only ASCII characters, and no spaces')),
  S3_SECRET_ACCESS_KEY: z.optional(z.string()),
  SMTP_URL: z.optional(
    urlOf(/^smtps?:\/\/./i, 'must be an address such as smtp://user:password@mail.example.org:587').check(
      z.refine(isDecodable, 'must have %25 for a % in the password'),
    ),
  ),
  MAIL_FROM: z.optional(
    z.string().check(z.regex(/^([^<>\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must be an email address')),
  ),
  AI_BASE_URL: z.optional(Address),
  AI_API_KEY: z.optional(z.string().check(z.regex(/^[\x20-\x7e]*$/, 'must contain only ASCII characters'))),
  AI_MODEL: z.optional(z.string()),
  AI_SEARCH_URL: z.optional(Address),
  SAMPLE_CATALOGUE: z._default(Switch, 'off'),
  /** Demo mode: the first admin has a well-known password, which is printed at every start until it is changed. */
  DEMO: z._default(Switch, 'off'),
  /** In seconds. */
  SHUTDOWN_DELAY: z._default(integer(0, 300), 0),
  /** Whether to log a line for every call. */
  ACCESS_LOG: z._default(Switch, 'off'),
  LOG_LEVEL: z._default(z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`), 'info'),
})
export type Env = z.output<typeof Env>

const S3 = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** The bucket for assets; undefined if they are stored in DATA_DIR. */
export function bucketIn(env: Env) {
  const [name, endpoint, region, accessKeyId, secretAccessKey] = S3.map((each) => env[each] ?? '')
  return name && endpoint && region && accessKeyId && secretAccessKey
    ? { name, endpoint, region, accessKeyId, secretAccessKey }
    : undefined
}

/** These may begin or end with a space on purpose. */
const EXACT = new Set(['ADMIN_PASSWORD', 'AUTH_SECRET'])

/**
 * The variables that are set; an empty one counts as unset. Without line ends at the end of a value, as from a file with
 * those of Windows, or from a Kubernetes secret made of a file: nobody could sign in with such a password. Without
 * spaces around it, which Docker takes over from an `--env-file`.
 */
const setIn = (from: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(from)
      .map(([name, value = '']) => [name, EXACT.has(name) ? value.replace(/[\r\n]+$/, '') : value.trim()])
      .filter(([, value]) => value !== ''),
  ) as Record<string, string>

/** The telemetry settings from OpenTelemetry's own variables; see `telemetryIn`. */
export const readTelemetry = (from: Record<string, string | undefined> = process.env): TelemetrySettings | undefined =>
  telemetryIn(setIn(from))

/**
 * The configuration from environment variables; an empty one counts as unset. Throws an Error with a one-line message
 * that names the first invalid variable.
 */
export function readEnv(
  from: Record<string, string | undefined> = process.env,
): Env & { PUBLIC_URL: string; MAIL_FROM: string } {
  const parsed = Env.safeParse(setIn(from))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  const missing = S3.find((name) => !parsed.data[name])
  if (missing && S3.some((name) => parsed.data[name]))
    throw new Error(
      `${missing}: is not set. To keep assets in a bucket, set all of ${S3.join(', ')}; to keep them in DATA_DIR, set none of them.`,
    )
  const { HOST, PORT, DATA_DIR, DEMO } = parsed.data
  if (parsed.data.DATABASE_REPLICA_URL && !parsed.data.DATABASE_URL)
    throw new Error('DATABASE_REPLICA_URL: requires DATABASE_URL.')
  if (DEMO === 'on' && !isLoopback(HOST))
    throw new Error('HOST: must be 127.0.0.1 for a demo, because its password is public.')
  const PUBLIC_URL = parsed.data.PUBLIC_URL ?? `http://${isWildcard(HOST) ? 'localhost' : inUrl(HOST)}:${PORT}`
  const MAIL_FROM = parsed.data.MAIL_FROM ?? `Mokuroku <mokuroku@${domainOf(PUBLIC_URL)}>`
  return { ...parsed.data, DATA_DIR: resolve(DATA_DIR), PUBLIC_URL, MAIL_FROM }
}

/** A host as in a URL, which has no zone, as in fe80::1%eth0. */
const inUrl = (host: string): string => (host.includes(':') ? `[${host.replace(/%.*/, '')}]` : host)

/** Whether a host stands for all interfaces, in any spelling, such as `0`. */
const isWildcard = (host: string): boolean => ['0.0.0.0', '[::]'].includes(new URL(`http://${inUrl(host)}`).hostname)

/** Whether the server listens for other machines, but knows none of the host names that they would use. */
export const answersOnlyHere = ({ HOST, PUBLIC_URL, ALLOWED_HOSTS }: Env & { PUBLIC_URL: string }): boolean =>
  isWildcard(HOST) && ALLOWED_HOSTS.length === 0 && isLoopback(new URL(PUBLIC_URL).hostname)

/** The domain of an email address for this URL: a name rather than an IP address. */
function domainOf(url: string): string {
  const { hostname } = new URL(url)
  return /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname
}

/** The memory that a server needs, in MB, and what it needs if pictures are uploaded (docs/operations.md). */
const [MIN_MEMORY_MB, MEMORY_WITH_PICTURES_MB] = [512, 1024]

/** A warning for the operator if a container has too little memory; `bytes` is from `process.constrainedMemory()`. */
export function memoryWarning(bytes: number): string | undefined {
  const given = Math.round(bytes / 1024 ** 2)
  if (given === 0 || given >= MIN_MEMORY_MB) return undefined
  return `The server is limited to ${given} MB of memory, and may be killed for exceeding it. It needs at least ${MIN_MEMORY_MB} MB, and ${MEMORY_WITH_PICTURES_MB} MB if images are uploaded.`
}
