import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Syncs a file, or the names in a folder, to disk, so that it survives a power cut. */
export function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
