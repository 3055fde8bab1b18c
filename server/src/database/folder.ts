import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { machineFault, noRightTo, UID } from '#lib/faults.ts'
import { ADMIN_COMMAND } from '#lib/adminCommand.ts'
import { inaccessible } from './folderOwner.ts'

/** The embedded database, in a data folder. */
export const DATABASE_FILE = 'catalogue.sqlite'

/** Held by the process that has the folder; it stays when that ends. */
export const LOCK = 'lock.sqlite'

/**
 * Takes a data folder for this process alone; the system gives it back when the process ends, however it ends.
 * Throws an Error with one line that says what to do when it cannot be written or belongs to another process.
 */
export function takeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if (machineFault(error)?.code === 'full') throw error
    const advice =
      noRightTo(error) && existsSync(folder)
        ? `Change its owner (chown) to the account that runs the server${UID}, or set`
        : 'Set'
    throw new Error(`The data folder ${folder} cannot be written. ${advice} DATA_DIR to a folder that can.`, {
      cause: error,
    })
  }
  const denied = inaccessible(folder, namesIn(folder))
  if (denied.length > 0)
    throw new Error(
      `This account may not read or write these files of the data folder ${folder}: ${denied.join(', ')}. Change their owner (chown) to the account that runs the server.`,
    )
  try {
    lock = new DatabaseSync(join(folder, LOCK))
    lock.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    // Whatever else hinders it is not another process, and stopping one would not help.
    if (machineFault(error)?.code !== 'busy') throw error
    throw new Error(
      `The data folder ${folder} is in use by another process. Stop it, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

/**
 * Makes a data folder and what lies in it readable by its owner only, and so whatever this process creates from here on.
 * What lies deeper is behind these. Passes a line to `say` for what belongs to another account and stays open.
 */
export function protectFolder(folder: string, say: (line: string) => void): void {
  process.umask(0o077)
  const open = [folder, ...namesIn(folder).map((name) => join(folder, name))].filter((path) => !isProtected(path))
  if (open.length > 0)
    say(`Other accounts of this machine can read ${open.join(', ')}. Make it readable by its owner only.`)
}

/** A folder that is not there, or cannot be read, is reported by `takeFolder`. */
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

/** Held as long as the process lives: collecting it would give the folder away. */
let lock: DatabaseSync | undefined

export function releaseFolder(): void {
  lock?.close()
  lock = undefined
}

/** Lies in a data folder for as long as it is being restored (admin/restore.ts). */
export const UNFINISHED = 'restore.partial'

/** Throws an Error with one line for a data folder that is only half restored. */
export function refuseUnfinished(folder: string): void {
  if (existsSync(join(folder, UNFINISHED)))
    throw new Error(`A restore into ${folder} was interrupted. Run it again: ${ADMIN_COMMAND} restore <folder>`)
}
