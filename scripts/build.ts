// Builds the console and the server where something they are made of has changed since the last build; says nothing when
// nothing has. `node scripts/build.ts server` builds that one only.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'rolldown'

const root = path.resolve(import.meta.dirname, '..')
const SHARED = ['contract/**/*', 'package-lock.json', 'tsconfig.base.json', 'scripts/build.ts']
const packages = {
  console: { sources: ['console/**/*'], build: buildConsole },
  server: { sources: ['server/src/**/*', 'server/package.json'], build: buildServer },
}

const asked = process.argv.slice(2)
for (const [name, { sources, build }] of Object.entries(packages)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const stamp = path.join(root, name, 'dist/.stamp')
  const wanted = fingerprint([...sources, ...SHARED])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) continue
  await build()
  writeFileSync(stamp, wanted)
}

/** A hash of every file that can change what is built. Content, not dates: a checkout or a copy changes dates only. */
function fingerprint(globs: string[]): string {
  const hash = createHash('sha256')
  const files = globSync(globs, {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => ['dist', 'node_modules'].includes(entry.name) || /\.test\.tsx?$/.test(entry.name),
  })
  const names = files.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  for (const name of names.toSorted()) hash.update(path.relative(root, name)).update(readFileSync(name))
  return hash.digest('hex')
}

async function buildConsole(): Promise<void> {
  // Vite would build React's development version under NODE_ENV=test or development.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const folder = path.join(root, 'console')
  await build({ root: folder, configFile: path.join(folder, 'vite.config.ts'), logLevel: 'warn' })
}

/** One file for each program, because most of the time of a start is finding and compiling a thousand modules. */
async function buildServer(): Promise<void> {
  const { build } = await import('rolldown')
  const folder = path.join(root, 'server')
  const dist = path.join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  await build({
    cwd: folder,
    input: [
      'main',
      'admin',
      'assets/jobs',
      'ai/previewJob',
      'imports/readJob',
      'sandbox/watchdog',
      'search/readingWorker',
    ].map((name) => `src/${name}.ts`),
    platform: 'node',
    external: [
      // Native code, and a pool that starts a file of its own.
      /^sharp/,
      /^@node-rs/,
      'pg-native',
      'tinypool',
      'lindera-wasm-nodejs-ipadic',
      // Fastify asks for these with its own schemas and calls within a process, which the server has none of.
      '@fastify/ajv-compiler',
      '@fastify/fast-json-stringify-compiler',
      'light-my-request',
    ],
    plugins: [pathsOfSources(dist)],
    logLevel: 'warn',
    // Without comments and white space there is half as much to read and to keep; names stay as they are written. V8 keeps
    // the whole text, with two bytes for each character where there is one beyond Latin-1.
    output: {
      dir: dist,
      format: 'esm',
      charset: 'ascii',
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    },
  })
}

/** What a source names relative to itself is found from the bundle. */
function pathsOfSources(dist: string): Plugin {
  const fromDist = (id: string) => path.relative(dist, path.dirname(id))
  return {
    name: 'paths of sources',
    transform: (code, id) =>
      id.includes('node_modules') || !code.includes('import.meta')
        ? undefined
        : code
            .replaceAll(/'\.\/(\w+)\.ts', import\.meta\.url/g, "'./$1.js', import.meta.url")
            .replaceAll('import.meta.dirname', `import.meta.dirname + '/${fromDist(id)}'`),
  }
}
