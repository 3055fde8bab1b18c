import { isDatabaseGone } from '#lib/faults.ts'
import { TlsFault } from './tls.ts'

/** What an operator can do if the database cannot be opened, in one line; undefined for other errors. */
export function explainConnectError(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  if (error instanceof TlsFault) return error.message
  if (isDatabaseGone(error)) return 'The database at DATABASE_URL cannot be reached. Is it running?'
  if (code === '53300')
    return 'The database at DATABASE_URL has no free connections. Raise max_connections there, or lower DATABASE_POOL.'
  if (code === '28P01' || code === '28000') return 'The database at DATABASE_URL refuses this user or password.'
  if (code === '3D000') return 'The database named in DATABASE_URL does not exist. Create it first.'
  return undefined
}
