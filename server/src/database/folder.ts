import { accessSync, chmodSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { machineFault, accessDenied, UID_NOTE } from '#lib/faults.ts'
import { ADMIN_COMMAND } from '#lib/adminCommand.ts'
import { createFolder } from '#lib/createFolder.ts'
import { inaccessible, isOwn } from './folderOwner.ts'

/** The name of the embedded database in a data folder. */
export const DATABASE_FILE = 'catalogue.sqlite'

/** The lock file, locked by the process that uses the folder; the file stays when that process ends. */
export const LOCK = 'lock.sqlite'

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const [SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_CANTOPEN, SQLITE_NOTADB] = [5, 11, 14, 26]

const BACKUP = 'Restore a backup into an empty folder, and set DATA_DIR to it.'
const REASONS: Record<number, string> = {
  [SQLITE_BUSY]: 'is in use by another program, such as a database browser. Close it there, then start again.',
  [SQLITE_CORRUPT]: `is damaged. ${BACKUP}`,
  [SQLITE_CANTOPEN]:
    'cannot be opened. Make sure that it is a file, as are those whose names begin like it, and that this account may read and write them.',
  [SQLITE_NOTADB]: `is not a database, or is damaged. ${BACKUP}`,
}

/** Why the SQLite file at `path` cannot be used, and what to do, in one line; undefined for other errors. */
export function unusable(error: unknown, path: string): Error | undefined {
  const { code, errcode = 0 } = (error ?? {}) as { code?: unknown; errcode?: number }
  const reason = code === 'ERR_SQLITE_ERROR' ? REASONS[errcode & 0xff] : undefined
  return reason === undefined ? undefined : new Error(`The file ${path} ${reason}`, { cause: error })
}

/**
 * Creates a data folder if there is none. Throws an Error with a one-line message that says what to do if this account
 * may not write it, or may not read or write the server's files in it.
 */
export function requireAccess(folder: string): void {
  try {
    createFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if (machineFault(error)?.code === 'full') throw error
    throw unwritable(folder, error)
  }
  const denied = inaccessible(folder, namesIn(folder))
  if (denied.length > 0)
    throw new Error(
      `This account may not read or write these files of the data folder ${folder}: ${denied.join(', ')}. Change their owner (chown) to the account that runs the server.`,
    )
}

function unwritable(folder: string, cause: unknown): Error {
  if ((cause as { code?: unknown }).code === 'ENAMETOOLONG')
    return new Error('The path of the data folder is too long. Set DATA_DIR to a shorter one.', { cause })
  const advice =
    accessDenied(cause) && existsSync(folder)
      ? `Change its owner (chown) to the account that runs the server${UID_NOTE}, or set`
      : 'Set'
  return new Error(`The data folder ${folder} cannot be written. ${advice} DATA_DIR to a folder that can.`, { cause })
}

/**
 * Locks a data folder for this process. Throws an Error with a one-line message that says what to do if the folder
 * is a backup or cannot be used (`requireAccess`), or another process uses it.
 */
export function lockDataFolder(folder: string): void {
  refuseBackup(folder)
  requireAccess(folder)
  try {
    lock = lockFile(
      join(folder, LOCK),
      `The data folder ${folder} is in use by another process. Stop it, or set DATA_DIR to another folder.`,
    )
  } catch (error) {
    // Nothing can be created in /proc or /sys, though this account may write them.
    if ((error as { errcode?: number }).errcode === SQLITE_CANTOPEN) throw unwritable(folder, error)
    throw unusable(error, join(folder, LOCK)) ?? error
  }
}

/**
 * Creates and locks a file. The operating system releases the lock when the process ends, however it ends, or when the
 * result is closed or collected as garbage. Throws an Error with the message `inUse` if another process holds the lock.
 */
export function lockFile(path: string, inUse: string): DatabaseSync {
  const file = new DatabaseSync(path)
  try {
    file.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE')
    return file
  } catch (error) {
    file.close()
    // Any other error is not caused by another process, and stopping one would not help.
    if (machineFault(error)?.code !== 'busy') throw error
    throw new Error(inUse, { cause: error })
  }
}

/** Exists in the root of a file system. */
export const OF_FILE_SYSTEM = 'lost+found'

/**
 * Makes a data folder and the server's files in it readable by their owner only, and everything this process creates
 * from now on. What lies deeper is protected by these. The folder itself is left as it is if it also holds files of
 * others: DATA_DIR may be mistyped. Calls `log` with a line about what belongs to another account and stays readable.
 */
export function protectFolder(folder: string, log: (line: string) => void): void {
  process.umask(0o077)
  // Nor is a file or a device changed, such as /dev/null.
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return
  const names = namesIn(folder)
  const own = names.filter(isOwn).map((name) => join(folder, name))
  const isShared = names.some((name) => !isOwn(name) && name !== OF_FILE_SYSTEM)
  const open = [...(isShared ? [] : [folder]), ...own].filter((path) => !isProtected(path))
  if (open.length > 0)
    log(`Other accounts of this machine can read ${open.join(', ')}. Make it readable by its owner only.`)
}

/** Lists the folder; empty if it does not exist or cannot be read, which `lockDataFolder` reports. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isProtected(path: string): boolean {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0 }
  if ((mode & 0o077) === 0) return true
  try {
    chmodSync(path, mode & 0o700)
    return true
  } catch {
    return false
  }
}

/** Referenced for the life of the process: garbage collection would close the file and release the lock. */
let lock: DatabaseSync | undefined

export function unlockDataFolder(): void {
  lock?.close()
  lock = undefined
}

/** A marker file in a data folder while it is being restored (admin/restore.ts). */
export const UNFINISHED = 'restore.partial'

/** Files of a backup that no data folder has (admin/manifest.ts). */
const OF_BACKUP = ['manifest.json', 'checksums.txt']

/** Throws an Error with a one-line message if the folder is a backup, or a restore into it was interrupted. */
export function refuseUnrestored(folder: string): void {
  if (existsSync(join(folder, UNFINISHED)))
    throw new Error(`A restore into ${folder} was interrupted. Run it again: ${ADMIN_COMMAND} restore <folder>`)
  refuseBackup(folder)
}

/** Nothing is written into a backup: its sessions would still be valid, and the first write would damage it. */
function refuseBackup(folder: string): void {
  if (OF_BACKUP.every((name) => existsSync(join(folder, name))))
    throw new Error(
      `${folder} is a backup. Set DATA_DIR to an empty folder, and restore it there: ${ADMIN_COMMAND} restore ${folder}`,
    )
}
