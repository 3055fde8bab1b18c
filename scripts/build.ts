// Builds the console when something it is made of has changed since the last build; says nothing when nothing has.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const stamp = path.join(root, 'console/dist/.stamp')

/** A hash of every file that can change the built console. Content, not dates: a checkout or a copy changes dates only. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const files = globSync(['console/**/*', 'contract/**/*', 'package-lock.json', 'tsconfig.base.json'], {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => ['dist', 'node_modules'].includes(entry.name) || /\.test\.tsx?$/.test(entry.name),
  })
  const names = files.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  for (const name of names.toSorted()) hash.update(path.relative(root, name)).update(readFileSync(name))
  return hash.digest('hex')
}

const wanted = fingerprint()
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  // Vite would build React's development version under NODE_ENV=test or development.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  await build({
    root: path.join(root, 'console'),
    configFile: path.join(root, 'console/vite.config.ts'),
    logLevel: 'warn',
  })
  writeFileSync(stamp, wanted)
}
