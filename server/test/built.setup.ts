// Tests that start the server or an operator's command run the same build as `npm start`. Their temporary folders are
// deleted at the end of the run, since a worker has no hook to clean up at its end. They are in memory if there is
// room, because every write of SQLite is flushed to disk.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { inMemory } from '../../scripts/memory.ts'

export default function setup(project: TestProject): () => void {
  if (!process.env.MOKUROKU_IS_BUILT)
    execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts'), 'server'], {
      stdio: 'inherit',
    })
  const folder = mkdtempSync(join(inMemory() ?? tmpdir(), 'mokuroku-tests-'))
  // Some tests run PostgreSQL or the server under another account.
  chmodSync(folder, 0o711)
  Object.assign(project.config.env, { TMPDIR: folder })
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
