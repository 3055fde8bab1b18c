// Measures what a visitor downloads before a screen is usable: gzip size of the entry and the screen's chunk, with all
// their static imports and style sheets. A step of `npm test`, after a build. Exits with 1 if a screen exceeds its
// budget.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

/** In bytes: the last measured size plus a little headroom. */
const SCREENS: Record<string, { budget: number; chunks: string[] }> = {
  '/login': { budget: 153_000, chunks: ['src/auth/Login.tsx'] },
  '/': { budget: 150_000, chunks: ['src/dashboard/Dashboard.tsx'] },
  '/media': { budget: 199_400, chunks: ['src/media/area.tsx', 'src/parts/area/ListScreen.tsx'] },
}
const dist = new URL('dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Record<string, Chunk>

for (const [screen, { budget, chunks }] of Object.entries(SCREENS)) {
  const files = new Set<string>()
  for (const name of ['index.html', ...chunks]) collect(name, files)
  const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, dist))).length, 0)
  console.log(`${screen.padEnd(8)} ${(bytes / 1000).toFixed(1)} kB in ${files.size} files`)
  if (bytes > budget) process.exitCode = 1
}

function collect(name: string, files: Set<string>) {
  const chunk = manifest[name]
  if (!chunk || files.has(chunk.file)) return
  files.add(chunk.file)
  for (const file of chunk.css ?? []) files.add(file)
  for (const next of chunk.imports ?? []) collect(next, files)
}
