// Tests that start the server, or a command of the operator, start what `npm start` does. What they write into temporary
// folders goes with the run: a worker has no end at which it could clean up. It lies in memory where there is room, for
// each write of an embedded database is flushed.
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
