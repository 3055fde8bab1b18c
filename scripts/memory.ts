// An in-memory folder for the temporary files of tests and benchmarks, which is faster than a disk.
import { existsSync, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
/** The free space required for a whole run, with a margin, in bytes. */
const ROOM = 4 * 2 ** 30

/** The folder; undefined if there is none or it has too little space. */
export function inMemory(): string | undefined {
  if (!existsSync(FOLDER)) return undefined
  const { bavail, bsize } = statfsSync(FOLDER)
  return bavail * bsize > ROOM ? FOLDER : undefined
}
