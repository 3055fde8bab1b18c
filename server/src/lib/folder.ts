import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Takes a data folder for this process alone; the system gives it back when the process ends, however it ends.
 * Throws an Error with one line that says what to do when it cannot be written or belongs to another process.
 */
export function takeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch {
    throw new Error(`The data folder ${folder} cannot be written. Set DATA_DIR to a folder that can.`)
  }
  try {
    lock = new DatabaseSync(join(folder, 'lock.sqlite'))
    lock.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE')
  } catch {
    throw new Error(
      `The data folder ${folder} is in use by another process. Stop it, or set DATA_DIR to another folder.`,
    )
  }
}

/** Held as long as the process lives: collecting it would give the folder away. */
let lock: DatabaseSync | undefined

export function releaseFolder(): void {
  lock?.close()
  lock = undefined
}
