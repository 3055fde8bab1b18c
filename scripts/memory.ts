// A folder in memory for what tests and benchmarks write and nobody keeps: no disk is waited for.
import { existsSync, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
/** What a whole run writes at most, with room to spare, in bytes. */
const ROOM = 4 * 2 ** 30

/** The folder, where there is one with room; undefined elsewhere. */
export function inMemory(): string | undefined {
  if (!existsSync(FOLDER)) return undefined
  const { bavail, bsize } = statfsSync(FOLDER)
  return bavail * bsize > ROOM ? FOLDER : undefined
}
