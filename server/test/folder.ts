// Folders for what tests write.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder, which goes with the run of the tests (built.setup.ts). */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'mokuroku-test-'))
