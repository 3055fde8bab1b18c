// Folders for files written by tests.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder, deleted at the end of the test run (built.setup.ts). */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'mokuroku-test-'))
