import { reasonText } from '@mokuroku/contract/reasons'

/** What failed of the machine, and not of the call: as its caller is told. */
export interface MachineFault {
  status: 503 | 507
  code: 'full' | 'unavailable' | 'busy'
  message: string
  /** When another try makes sense, in seconds. */
  retryAfter: number
}

const FULL = fault(507, 'full', reasonText('diskFull'), 30)
const UNWRITABLE = fault(503, 'unavailable', reasonText('diskReadOnly'), 30)
const BROKEN = fault(503, 'unavailable', reasonText('diskBroken'), 30)
const GONE = fault(503, 'unavailable', reasonText('databaseGone'), 5)
const CLOSED = fault(503, 'unavailable', reasonText('databaseReadOnly'), 30)
const BUSY = fault(503, 'busy', reasonText('serverBusy'), 1)
const STORAGE = fault(503, 'unavailable', reasonText('storageGone'), 30)

/** By the primary result code of SQLite (https://www.sqlite.org/rescode.html). */
const OF_SQLITE: Record<number, MachineFault> = {
  3: UNWRITABLE,
  5: BUSY,
  6: BUSY,
  8: UNWRITABLE,
  10: BROKEN,
  13: FULL,
  14: BROKEN,
}

/** By the name of a system's error, or the SQLSTATE of PostgreSQL (appendix A of its manual). */
const BY_CODE: Record<string, MachineFault> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: FULL,
  '53100': FULL,
  EROFS: UNWRITABLE,
  EACCES: UNWRITABLE,
  EPERM: UNWRITABLE,
  EIO: BROKEN,
  ESTALE: BROKEN,
  '58030': BROKEN,
  EMFILE: BUSY,
  ENFILE: BUSY,
  '40001': BUSY,
  '40P01': BUSY,
  '55P03': BUSY,
  '57014': BUSY,
  '53300': BUSY,
  '25006': CLOSED,
  STARVED: BUSY,
  STORAGE,
}
/** Connections refused, lost and not answered; SQLSTATE class 08, and 57P: the database was stopped, or starts. */
const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|08...|57P0[1235]|25P03)$/
/** Of a Unix socket that is not there, may not be used, or has too many waiting; the same codes of files are their matter. */
const OF_SOCKETS = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EAGAIN'])
/** What looks for a file, or makes one; the same codes of a connection are no matter of the storage. */
const OF_FILES = new Set(['open', 'access', 'stat', 'lstat', 'mkdir', 'rename', 'copyfile', 'scandir', 'opendir'])

/** What failed of the machine, where an error says so; undefined where it is something else. */
export function machineFault(error: unknown): MachineFault | undefined {
  const { code, errcode, syscall = '' } = (error ?? {}) as { code?: unknown; errcode?: number; syscall?: string }
  if (code === 'ERR_SQLITE_ERROR') return OF_SQLITE[(errcode ?? 0) & 0xff]
  if (typeof code !== 'string') return undefined
  if (syscall === 'connect' && OF_SOCKETS.has(code)) return GONE
  if ((code === 'ENOENT' || code === 'ENOTDIR') && OF_FILES.has(syscall)) return STORAGE
  return BY_CODE[code] ?? (UNREACHABLE.test(code) ? GONE : undefined)
}

/** What to do about a file that this account has no right to, in one line; undefined for an error of another kind. */
export function noRightTo(error: unknown): string | undefined {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: string }
  if (code !== 'EACCES' || path === undefined) return undefined
  return `This account${UID} may not read or write ${path}. Change the owner (chown) of the folder, or name another one.`
}

/** The number of the account, where the system has one: in a container there may be no name. */
export const UID = process.getuid ? ` (uid ${process.getuid()})` : ''

/** Whether an error says that the database cannot be reached. */
export const isDatabaseGone = (error: unknown): boolean => machineFault(error) === GONE

function fault(status: 503 | 507, code: MachineFault['code'], message: string, retryAfter: number): MachineFault {
  return { status, code, message, retryAfter }
}
