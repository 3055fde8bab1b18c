import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem, type as system } from 'node:os'
import { join } from 'node:path'

/** Median and 95th percentile with one client, in milliseconds; throughput with several, in calls per second. */
interface Figures {
  median: number
  p95: number
  rate: number
  /** CPU time of the server's process per call, in hundredths of a second. */
  cpu: number
}

export interface Result {
  engine: 'sqlite' | 'postgres'
  size: number
  case: string
  product: Figures
  bare: Figures
}

const PAGE = join(import.meta.dirname, '../docs/bench.md')
const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** The start of the generated part of the page. */
const MACHINE = 'Machine: '
const HEADS = ['engine', 'media', 'call', 'median ×', 'p95 ×', 'throughput ×', 'processor ×', 'bare median, ms']

/** The table row of a result. */
export function lineOf({ engine, size, case: name, product, bare }: Result): string {
  const processor = product.cpu / bare.cpu
  return row([
    NAMES[engine],
    size.toLocaleString('en'),
    name,
    (product.median / bare.median).toFixed(2),
    (product.p95 / bare.p95).toFixed(2),
    (product.rate / bare.rate).toFixed(2),
    Number.isFinite(processor) ? processor.toFixed(2) : '',
    bare.median.toFixed(2),
  ])
}

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
const partOf = (line: string): string => cellsOf(line).slice(0, 2).join('|')

/** The table rows of these results, together with the page's existing ones for other engines and sizes. */
function linesOf(results: Result[], page: string): string[] {
  const fresh = results.map((result) => lineOf(result))
  const parts = new Set(fresh.map((line) => partOf(line)))
  const before = page.split(MACHINE)[1]?.split('\n') ?? []
  const kept = before.filter((line) => /^\| (SQLite|PostgreSQL) /.test(line) && !parts.has(partOf(line)))
  const order = (line: string) => [line.startsWith('| SQLite') ? 0 : 1, Number(cellsOf(line)[1]?.replaceAll(',', ''))]
  return [...kept, ...fresh].toSorted((one, other) => {
    const [[engine = 0, size = 0], [engine2 = 0, size2 = 0]] = [order(one), order(other)]
    return engine - engine2 || size - size2
  })
}

/** Writes the results below the text of the page. Those of other engines and sizes stay: each ratio is from one run. */
export function writeReport(results: Result[], command: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const text = `${page.slice(0, page.indexOf(MACHINE))}${MACHINE}${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${system()}, Node ${process.version}${postgresVersion(results)}, ${new Date().toISOString().slice(0, 10)}.

To repeat: \`npm run bench -- --write\`, or a part of it; the last one: \`${command}\`.

${[row(HEADS), row(HEADS.map((_, at) => (at < 3 ? '---' : '--:'))), ...linesOf(results, page)].join('\n')}
`
  writeFileSync(PAGE, text)
}

function postgresVersion(results: Result[]): string {
  if (!results.some(({ engine }) => engine === 'postgres')) return ''
  try {
    const version = execFileSync('sh', ['-c', 'postgres --version || /usr/lib/postgresql/*/bin/postgres --version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return `, PostgreSQL ${/[\d.]+/.exec(version)?.[0] ?? ''}`
  } catch {
    return ''
  }
}

/** Replaces the lines of a page between `<!-- mark -->` and `<!-- /mark -->`. */
export function writeBetween(page: string, mark: string, lines: string[]): void {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`]
  const [head, rest = ''] = readFileSync(page, 'utf8').split(begin)
  writeFileSync(page, `${head}${begin}\n\n${lines.join('\n')}\n\n${end}${rest.split(end)[1] ?? ''}`)
}
