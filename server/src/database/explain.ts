import { isDatabaseGone } from '#lib/faults.ts'
import { foreignTables } from './requirements.ts'
import { TlsFault } from './tls.ts'

/**
 * SQLSTATE of a protocol violation, with which PgBouncer reports all that is wrong: the database is away, or the pooler
 * does not know it or the user.
 */
const POOLER = '08P01'

/** What an operator can do if the database cannot be opened, in one line; undefined for other errors. */
export function explainConnectError(error: unknown): string | undefined {
  const { code, message, severity } = (error ?? {}) as { code?: unknown; message?: string; severity?: string }
  if (error instanceof TlsFault) return message
  // The database was opened (`uncreatable`), but some of its tables may not be used.
  const forbidden = foreignTables(error)
  if (forbidden) return forbidden
  if (code === POOLER)
    return `The pooler at DATABASE_URL gives no connection to the database (${message}). Is the database running, and does the pooler know its name and this user?`
  // Of Node, and without a code of its own: the connection was closed before it was encrypted.
  if (message?.includes('before secure TLS connection'))
    return 'The database at DATABASE_URL closes connections that begin with encryption. Is it running, and is it PostgreSQL 17 or newer, which sslnegotiation=direct needs?'
  if (isDatabaseGone(error)) return 'The database at DATABASE_URL cannot be reached. Is it running?'
  if (code === '53300')
    return 'The database at DATABASE_URL has no free connections. Raise max_connections there, or the CONNECTION LIMIT of the user or database, or lower DATABASE_POOL.'
  if (code === '28P01') return 'The database at DATABASE_URL refuses this user or password.'
  if (code === '3D000') return 'The database named in DATABASE_URL does not exist. Create it first.'
  // There is no such user, or no entry in pg_hba.conf; or, of all errors of PostgreSQL, those that end a connection: at a
  // start, it was refused, as with unknown `options`. PostgreSQL translates the severity, but not the code.
  if (code === '28000' || severity === 'FATAL')
    return `The database at DATABASE_URL refuses the connection (${message}).`
  return undefined
}
