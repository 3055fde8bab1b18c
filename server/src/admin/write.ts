import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flush } from '#lib/flush.ts'

/** A line at most once a second: a terminal is read, a log is kept. */
const SECOND = 1000

/** Writes a file that survives a power cut, readable by its owner only. */
export async function writeDurably(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flush: true })
  flush(dirname(path))
}

/** Passes on a line about progress now and then. */
export function throttled(say: (line: string) => void): (line: string) => void {
  let last = performance.now()
  return (line) => {
    if (performance.now() - last < SECOND) return
    last = performance.now()
    say(line)
  }
}
