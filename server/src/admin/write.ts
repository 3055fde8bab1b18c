import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flush } from '#lib/flush.ts'

/** At most one line per second, so that it can be read in a terminal and does not fill a log. */
const SECOND = 1000

/** Writes a file, readable by its owner only, and syncs it to disk, so that it survives a power cut. */
export async function writeDurably(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flush: true })
  flush(dirname(path))
}

/** Passes on at most one progress line per second. */
export function throttled(log: (line: string) => void): (line: string) => void {
  let last = performance.now()
  return (line) => {
    if (performance.now() - last < SECOND) return
    last = performance.now()
    log(line)
  }
}
