// The server of the previous version, which must still work after an upgrade has begun.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkPackages } from '../../scripts/linkPackages.ts'

/** The last release; as long as there is none, a commit before the newest migrations. */
const COMMIT = '249ebb927a339cb7f3a55ec5bb772faba66f2b47'
const ROOT = join(import.meta.dirname, '../..')
const PARTS = ['contract', 'server', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.base.json']

interface Previous {
  /** Path of its main file, built as for `npm start`, with the packages of this version. */
  main: string
  remove(): void
}

/** Builds it from this checkout's history; undefined if there is none, as in an archive or a shallow clone. */
export function previousVersion(): Previous | undefined {
  if (spawnSync('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { cwd: ROOT }).status !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-previous-'))
  const archive = execFileSync('git', ['archive', COMMIT, ...PARTS], { cwd: ROOT, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x'], { cwd: folder, input: archive })
  linkPackages(folder)
  execFileSync(process.execPath, [join(folder, 'scripts/build.ts'), 'server'], { cwd: folder })
  return { main: join(folder, 'server/dist/main.js'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
