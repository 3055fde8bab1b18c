// The server of the version before, for what an upgrade must leave it able to do.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkPackages } from '../../scripts/linkPackages.ts'

/** What was released last; as long as nothing was, the commit before the newest migration. */
const COMMIT = 'c9e987e0b5e56771f8de74707ed9ecd34f6454eb'
const ROOT = join(import.meta.dirname, '../..')
const PARTS = ['contract', 'server', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.base.json']

interface Previous {
  /** Its program, as `npm start` builds it, with the packages of this version. */
  main: string
  remove(): void
}

/** Builds it, from the history of this checkout; undefined where there is none, as in an archive or a shallow clone. */
export function previousVersion(): Previous | undefined {
  if (spawnSync('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { cwd: ROOT }).status !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-previous-'))
  const archive = execFileSync('git', ['archive', COMMIT, ...PARTS], { cwd: ROOT, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x'], { cwd: folder, input: archive })
  linkPackages(folder)
  execFileSync(process.execPath, [join(folder, 'scripts/build.ts'), 'server'], { cwd: folder })
  return { main: join(folder, 'server/dist/main.js'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
