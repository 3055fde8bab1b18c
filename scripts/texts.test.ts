// Finds texts of the console that nothing reads. That both languages have the same ones is checked by the compiler.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const CONSOLE = 'console/src/'
const SHARED = 'console/src/i18n/en.ts'

/** Texts that CodeMirror reads by its own English ones, and a type of activity that is made of a kind and an action. */
const READ_OTHERWISE = new Set(['Completions', 'Diagnostics', 'unfold', 'ASSET_CREATED'])

/** Sources without tests, by their path. */
const sourcesIn = (folder: string): [string, string][] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|testing/.test(name))
    .map((name) => [folder + name, readFileSync(path.join(root, folder + name), 'utf8')])

const sources = new Map(sourcesIn(CONSOLE))
const withoutTexts: [string, string][] = [...sources].filter(([file]) => !/i18n\/(en|zh)\.ts$|[tT]exts\.ts$/.test(file))
const contract = sourcesIn('contract/src/')
const textOf = (files: readonly [string, string][]) => files.map(([, source]) => source).join('\n')
const codes = textOf(contract)
const everything = textOf([...withoutTexts, ...contract, ...sourcesIn('server/src/')])
/** What names that are put together begin or end with: `ai.`, `Hint`. */
const STARTS = Array.from(everything.matchAll(/`([a-z]+\.|-)\$\{/g), ([, start = '']) => start)
const ENDS = Array.from(everything.matchAll(/\}(_?[A-Z][A-Za-z_]+)`/g), ([, end = '']) => end)

/** The part of a file that defines texts; undefined if it has none. */
function tableIn(file: string, source: string): string | undefined {
  if (file === SHARED || (/[tT]exts\.ts$/.test(file) && source.includes('areaTexts('))) return source
  return /\bareaTexts\(\n[^]*?\n\)/.exec(source)?.[0]
}

const keysIn = (table: string): string[] => [
  ...new Set(Array.from(table.matchAll(/^\s+(?:'([\w.-]+)'|(\w+)):/gm), ([, quoted, name]) => quoted ?? name ?? '')),
]

/** The file itself and those that import it; for what is handed on, or shared by all areas, every file. */
function readersOf(file: string): string {
  const own = sources.get(file) ?? ''
  const tables = Array.from(own.matchAll(/^export const (\w+) = areaTexts\(/gm), ([, name = '']) => name)
  const importing = withoutTexts.filter(([reader, source]) =>
    Array.from(source.matchAll(/ from '([#.][^']+)'/g), ([, to = '']) =>
      to.startsWith('#') ? CONSOLE + to.slice(1) : path.posix.join(path.posix.dirname(reader), to),
    ).includes(file),
  )
  const isHandedOn =
    tables.some((name) => new RegExp(String.raw`\b${name}\.in\b|[:=] ${name}\b(?!\.)`).test(everything)) ||
    importing.some(([, source]) => /\btexts(?:: [\w.]+)?,|\btexts=\{/.test(source))
  const all = file === SHARED || isHandedOn ? withoutTexts : importing
  return `${own}\n${textOf(all)}`
}

/** Whether a key is read: by its name, as one of the codes that exist, or by a name that is put together. */
function isRead(key: string, readers: string): boolean {
  const name = key.replaceAll('.', String.raw`\.`)
  const property = new RegExp(String.raw`\.${name}\b|[{,(\n]\s*${name}\s*(?:,|\}|= )|[{,]\s*${name}: [a-zA-Z]+\s*[,}]`)
  const code = new RegExp(String.raw`^\s+${name}\??:`, 'm')
  return (
    READ_OTHERWISE.has(key) ||
    /^\d+$/.test(key) ||
    property.test(readers) ||
    new RegExp(String.raw`['"\`]${name}['"\`]`).test(everything) ||
    code.test(codes) ||
    STARTS.some((start) => key.startsWith(start)) ||
    ENDS.some((end) => key.endsWith(end))
  )
}

const tables = [...sources].flatMap(([file, source]) => {
  const table = tableIn(file, source)
  return table === undefined ? [] : [[file, table] as const]
})

test.each(tables)('%s has no text that nothing reads', (file, table) => {
  const readers = readersOf(file)
  expect(keysIn(table).filter((key) => !isRead(key, readers))).toEqual([])
})
