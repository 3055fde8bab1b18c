import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem, type as system } from 'node:os'
import { join } from 'node:path'

/** One caller: median and 95th percentile, in milliseconds. Several callers: calls in a second. */
interface Figures {
  median: number
  p95: number
  rate: number
  /** Processor time of the server's process for a call, in hundredths of a second. */
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

const HEADS = ['engine', 'media', 'call', 'median ×', 'p95 ×', 'throughput ×', 'processor ×', 'bare median, ms']

/** The line of a result in the table. */
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
const partOf = (line: string): string => line.split('|').slice(1, 3).join('|')

/** The lines of these results, among those of the page for other engines and sizes. */
function linesOf(results: Result[]): string[] {
  const fresh = results.map((result) => lineOf(result))
  const parts = new Set(fresh.map((line) => partOf(line)))
  const before = existsSync(PAGE) ? readFileSync(PAGE, 'utf8').split('\n') : []
  const kept = before.filter((line) => /^\| (SQLite|PostgreSQL) /.test(line) && !parts.has(partOf(line)))
  const order = (line: string) => [line.startsWith('| SQLite') ? 0 : 1, Number(line.split('|')[2]?.replaceAll(',', ''))]
  return [...kept, ...fresh].toSorted((one, other) => {
    const [[engine = 0, size = 0], [engine2 = 0, size2 = 0]] = [order(one), order(other)]
    return engine - engine2 || size - size2
  })
}

/** Writes the page; what it has of other engines and sizes stays, since each ratio is of one run by itself. */
export function writeReport(results: Result[], command: string): void {
  const text = `# Benchmarks

The server against a bare one, \`bench/bare.ts\`: node:http and prepared statements on the same database, with the same
answers (compared byte by byte where that is possible), but without framework, validation, sign-in, translation history,
links, search texts, activities or metrics. Both are asked in turns within one run, call by call for one caller and by
tenths of a second for eight, so that whatever else the machine does hits both.

What counts are the ratios, server ÷ bare. Median, p95 (one caller) and processor time of the server's own process for
each call: 1 is the limit, less is better. Throughput (eight callers): 1 is the limit, more is better. The last column is
for context only; it says as much about the machine as about the program.

- The client's own time is in both sides, and so makes the ratios of latency a little milder. The processor's are the
  steadiest on a busy machine, though told only in hundredths of a second; PostgreSQL's own processes are not in them.
- *list, last page*: below 1, since the server walks from the nearer end of the list, and the bare one from its start.
- *search as you type*: the bare server finds only texts that begin with the query. Ours also finds those that hold it,
  its words apart, and mistypings, and ranks them.
- *save*: the bare server writes the row and a revision in one transaction. Ours also compares with the version before
  and writes history, links, search texts, counters and the activity, all in one transaction.
- *list, by finding* and *by tags and cover*: both count what is left, as far as 10,000; the bare server reads what it
  finds and sorts it.
- *bulk, preview of 100*: the bare server looks whether each media has the tag. Ours plans each change as it would be
  made, rights and links included, one after the other.
- Both engines write durably: SQLite with synchronous=FULL, PostgreSQL with fsync.

Machine: ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${system()}, Node ${process.version}${postgresVersion(results)}, ${new Date().toISOString().slice(0, 10)}. It was shared with other work while this ran.

Again: \`npm run bench -- --write\`, or a part of it; last: \`${command}\`.

${[row(HEADS), row(HEADS.map((_, at) => (at < 3 ? '---' : '--:'))), ...linesOf(results)].join('\n')}
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
