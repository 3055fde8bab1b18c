import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { machineFault } from './faults.ts'

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
    throw new Error(`The data folder ${folder} cannot be written. Set DATA_DIR to a folder that can.`, { cause: error })
  }
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
    throw new Error(`A restore into ${folder} did not come to its end. Run it again: npm run admin -- restore <folder>`)
}
