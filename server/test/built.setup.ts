// Tests that start the server, or a command of the operator, start what `npm start` does. What they write into temporary
// folders goes with the run: a worker has no end at which it could clean up.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

const MEMORY = '/dev/shm'
/** What the tests of a run write at most, with room to spare, in bytes. */
const ROOM = 4 * 2 ** 30

export default function setup(project: TestProject): () => void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts'), 'server'], { stdio: 'inherit' })
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'mokuroku-tests-'))
  // Some tests run PostgreSQL or the server under another account.
  chmodSync(folder, 0o711)
  Object.assign(project.config.env, { TMPDIR: folder })
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** In memory nobody waits for a disk: each write of an embedded database is flushed to it. */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ROOM
}
