// Encrypted connections to PostgreSQL, with the connection parameters of libpq
// (https://www.postgresql.org/docs/current/libpq-ssl.html).
import { accessSync, constants, statSync } from 'node:fs'

/** The supported values of `sslmode`. `prefer` is none: the driver does not fall back to an unencrypted connection. */
const MODES = new Set(['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'])
/** The values of other parameters. `ssl` is that of JDBC. */
const CHOICES: Record<string, string[]> = {
  ssl: ['true'],
  sslnegotiation: ['postgres', 'direct'],
  channel_binding: ['disable', 'prefer', 'require'],
}
const FILES = ['sslrootcert', 'sslcert', 'sslkey']
/** Error codes of certificates outside of their period of validity. */
const NOT_VALID_NOW = /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/
/** Error codes of other rejected certificates: of OpenSSL (`X509_V_ERR_…`) and of Node. */
const NOT_TRUSTED = /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH|ERR_TLS_)/
/** Error codes of OpenSSL: the database rejected the client certificate; a file is unusable; any other handshake. */
const [REJECTED, UNUSABLE, FAILED] = [/^ERR_SSL_.*ALERT_.*(CERTIFICATE|UNKNOWN_CA)/, /^ERR_OSSL_/, /^ERR_SSL_/]
/** SQLSTATE: no matching entry in pg_hba.conf, or one that requires a client certificate. */
const NO_ENTRY = '28000'

/** What is wrong with the parameters; undefined if nothing is. */
export function tlsParameterFault(parameters: URLSearchParams): string | undefined {
  const [mode, authority] = [parameters.get('sslmode'), parameters.get('sslrootcert')]
  if (mode !== null && !MODES.has(mode)) return 'sslmode must be disable, require, verify-ca or verify-full'
  if (mode === 'verify-ca' && (!authority || authority === 'system'))
    return 'sslmode=verify-ca needs the file of a certificate authority, as sslrootcert'
  if (authority === 'system' && mode !== null && mode !== 'verify-full')
    return 'sslrootcert=system needs sslmode=verify-full'
  for (const [name, values] of Object.entries(CHOICES))
    if (!values.includes(parameters.get(name) ?? values[0] ?? ''))
      return `${name} must be ${values.join(', ').replace(/, ([^,]*)$/, ' or $1')}`
  if (parameters.get('sslnegotiation') === 'direct' && mode === 'disable')
    return 'sslnegotiation=direct is for encrypted connections, which sslmode=disable excludes'
  const unreadable = FILES.find((name) => {
    const path = parameters.get(name)
    return path && path !== 'system' && !isReadable(path)
  })
  return unreadable && `${unreadable} must be a file that can be read, and ${parameters.get(unreadable)} is none`
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return !statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Makes the driver treat the parameters as libpq does: by default it is stricter, and warns that this will change. */
export function asLibpq(parameters: URLSearchParams): void {
  if (parameters.get('sslrootcert') === 'system') {
    parameters.set('sslmode', 'verify-full')
    // Without the parameter, Node's built-in certificate authorities are used.
    parameters.delete('sslrootcert')
  }
  const mode = parameters.get('sslmode')
  if (mode !== null && mode !== 'no-verify') parameters.set('uselibpqcompat', 'true')
}

/**
 * An encrypted connection could not be made; the message tells the operator why. SQLSTATE 08001 is a connection that
 * cannot be established.
 */
export class TlsFault extends Error {
  readonly code = '08001'

  /** From an error of the driver; undefined for errors of another kind. */
  static from(error: unknown): TlsFault | undefined {
    const { code = '', message = '', reason } = (error ?? {}) as { code?: string; message?: string; reason?: string }
    const why = reason ?? message.split(';')[0]
    const because = (sentence: string) => new TlsFault(sentence, { cause: error })
    if (message.includes('does not support SSL'))
      return because('The database at DATABASE_URL does not support encrypted connections. Set sslmode=disable.')
    if (code === NO_ENTRY && /no encryption|SSL off/.test(message))
      return because(
        'The database at DATABASE_URL refuses connections that are not encrypted, or this user. Add sslmode=verify-full, or sslmode=require.',
      )
    if (code === NO_ENTRY && message.includes('client certificate'))
      return because(
        'The database at DATABASE_URL requires a client certificate. Name its file as sslcert, and that of its key as sslkey.',
      )
    if (REJECTED.test(code))
      return because(
        `The database at DATABASE_URL rejects the client certificate (${why}). Name the files of another one as sslcert and sslkey.`,
      )
    if (UNUSABLE.test(code))
      return because(
        `The files sslrootcert, sslcert and sslkey in DATABASE_URL cannot be used (${why}). They must be PEM files, and the key must be that of the certificate, without a password.`,
      )
    if (FAILED.test(code))
      return because(`An encrypted connection to the database at DATABASE_URL could not be made (${why}).`)
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
      return because(
        'The certificate of the database at DATABASE_URL is for another host. Use the name that is in it, or sslmode=verify-ca.',
      )
    if (NOT_VALID_NOW.test(code))
      return because(
        `The certificate of the database at DATABASE_URL, or of its authority, cannot be used now (${why}). Install a new one, or set the clock of this machine.`,
      )
    if (NOT_TRUSTED.test(code))
      return because(
        `The certificate of the database at DATABASE_URL is not trusted (${why}). Name the file of its certificate authority as sslrootcert, or set sslmode=require without sslrootcert, which does not check it.`,
      )
    return undefined
  }
}
