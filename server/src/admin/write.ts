import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A line at most once a second: a terminal is read, a log is kept. */
const SECOND = 1000

/** Writes a file that survives a power cut, readable by its owner only. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await flush(dirname(path))
}

/** Makes a file, or the names in a folder, survive a power cut. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Passes on a line about progress now and then. */
export function paced(say: (line: string) => void): (line: string) => void {
  let last = performance.now()
  return (line) => {
    if (performance.now() - last < SECOND) return
    last = performance.now()
    say(line)
  }
}
