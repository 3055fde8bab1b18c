import { reasonText } from '@mokuroku/contract/reasons'

/** A failure of the machine rather than of the call, as reported to the caller. */
export interface MachineFault {
  status: 503 | 507
  code: 'full' | 'unavailable' | 'busy'
  message: string
  /** The seconds until a retry makes sense. */
  retryAfter: number
}

const FULL = fault(507, 'full', reasonText('diskFull'), 30)
const UNWRITABLE = fault(503, 'unavailable', reasonText('diskReadOnly'), 30)
const BROKEN = fault(503, 'unavailable', reasonText('diskBroken'), 30)
const GONE = fault(503, 'unavailable', reasonText('databaseGone'), 5)
// As during a failover, which takes seconds.
const CLOSED = fault(503, 'unavailable', reasonText('databaseReadOnly'), 5)
const BUSY = fault(503, 'busy', reasonText('serverBusy'), 1)
const STORAGE = fault(503, 'unavailable', reasonText('storageGone'), 30)

/** By the result code of SQLite, the extended or else the primary one (https://www.sqlite.org/rescode.html). */
const SQLITE_FAULTS: Record<number, MachineFault> = {
  3: UNWRITABLE,
  5: BUSY,
  6: BUSY,
  8: UNWRITABLE,
  10: BROKEN,
  13: FULL,
  14: BROKEN,
  // SQLITE_IOERR_SHMSIZE: no room for the index of the write-ahead log, which the first connection creates.
  4874: FULL,
}

/** By the name of a system error, or the SQLSTATE of PostgreSQL (appendix A of its manual). */
const FAULTS_BY_CODE: Record<string, MachineFault> = {
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
  // Also without room for further locks, as when a table has very many partitions.
  '53200': BUSY,
  '53300': BUSY,
  '25006': CLOSED,
  STARVED: BUSY,
  STORAGE,
}
/**
 * Connections refused, lost or not answered; SQLSTATE class 08; and 57P0x: the database was stopped, or is starting.
 */
const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|08...|57P0[1235]|25P0[34])$/
/**
 * Errors of a Unix socket that does not exist, may not be used, or has a full backlog. With other system calls, the
 * same codes are about files.
 */
const SOCKET_ERRORS = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EAGAIN'])
/** System calls that open or create files. With those of a connection, the same codes are not about the storage. */
const FILE_CALLS = new Set(['open', 'access', 'stat', 'lstat', 'mkdir', 'rename', 'copyfile', 'scandir', 'opendir'])

/** The machine fault that an error stands for; undefined for other errors. */
export function machineFault(error: unknown): MachineFault | undefined {
  const { code, errcode, syscall = '' } = (error ?? {}) as { code?: unknown; errcode?: number; syscall?: string }
  if (code === 'ERR_SQLITE_ERROR') return SQLITE_FAULTS[errcode ?? 0] ?? SQLITE_FAULTS[(errcode ?? 0) & 0xff]
  if (typeof code !== 'string') return undefined
  if (syscall === 'connect' && SOCKET_ERRORS.has(code)) return GONE
  if ((code === 'ENOENT' || code === 'ENOTDIR') && FILE_CALLS.has(syscall)) return STORAGE
  return FAULTS_BY_CODE[code] ?? (UNREACHABLE.test(code) ? GONE : undefined)
}

/** What to do about a file that this account may not access, in one line; undefined for other errors. */
export function accessDenied(error: unknown): string | undefined {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: string }
  if (code !== 'EACCES' || path === undefined) return undefined
  return `This account${UID_NOTE} may not read or write ${path}. Change the owner (chown) of the folder, or name another one.`
}

/** The user id of this account for a message; empty if the system has none. In a container it may have no name. */
export const UID_NOTE = process.getuid ? ` (uid ${process.getuid()})` : ''

/** Whether an error says that the database cannot be reached. */
export const isDatabaseGone = (error: unknown): boolean => machineFault(error) === GONE

function fault(status: 503 | 507, code: MachineFault['code'], message: string, retryAfter: number): MachineFault {
  return { status, code, message, retryAfter }
}
