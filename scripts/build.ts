// Builds the console and the server if their sources have changed since the last build; otherwise does nothing.
// `node scripts/build.ts server` builds only the server.
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

/** A hash of the contents of all files that affect the build. Not of dates: a checkout or a copy changes those only. */
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
  // With NODE_ENV=test or development, Vite would bundle the development version of React.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const folder = path.join(root, 'console')
  await build({ root: folder, configFile: path.join(folder, 'vite.config.ts'), logLevel: 'warn' })
}

/** Bundles each program, because finding and compiling a thousand modules would take most of the startup time. */
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
      // Native code, and a worker pool that starts a file of its own package.
      /^sharp/,
      /^@node-rs/,
      'pg-native',
      'tinypool',
      'lindera-wasm-nodejs-ipadic',
      // Fastify needs these only for its own JSON schemas and for inject(), which the server does not use.
      '@fastify/ajv-compiler',
      '@fastify/fast-json-stringify-compiler',
      'light-my-request',
    ],
    plugins: [pathsOfSources(dist)],
    logLevel: 'warn',
    // Removing comments and white space halves the code to load; names are kept. ASCII output, because V8 keeps the
    // whole source in memory, with two bytes per character if any character is outside Latin-1.
    output: {
      dir: dist,
      format: 'esm',
      charset: 'ascii',
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    },
  })
}

/** Rewrites paths that a source file resolves relative to itself, so that the bundle finds them. */
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
