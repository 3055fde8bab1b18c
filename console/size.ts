// What a visitor downloads before a screen stands: gzip of the entry and the screen's chunk with all their static
// imports and style sheets. Run after a build: `node console/size.ts`. Exits with 1 when a screen is over its budget.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

const BUDGET = 202_000
const SCREENS: Record<string, string[]> = {
  '/login': ['src/auth/Login.tsx'],
  '/': ['src/shell/Shell.tsx', 'src/dashboard/Dashboard.tsx'],
  '/media': ['src/shell/Shell.tsx', 'src/media/area.tsx', 'src/parts/area/ListScreen.tsx'],
}
const dist = new URL('dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Record<string, Chunk>

for (const [screen, chunks] of Object.entries(SCREENS)) {
  const files = new Set<string>()
  for (const name of ['index.html', ...chunks]) collect(name, files)
  const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, dist))).length, 0)
  console.log(`${screen.padEnd(8)} ${(bytes / 1000).toFixed(1)} kB in ${files.size} files`)
  if (bytes > BUDGET) process.exitCode = 1
}

function collect(name: string, files: Set<string>) {
  const chunk = manifest[name]
  if (!chunk || files.has(chunk.file)) return
  files.add(chunk.file)
  for (const file of chunk.css ?? []) files.add(file)
  for (const next of chunk.imports ?? []) collect(next, files)
}
