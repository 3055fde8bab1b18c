import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
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

const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** The lines of a table in Markdown. */
export function tableOf(results: Result[]): string[] {
  const heads = ['engine', 'media', 'call', 'median ×', 'p95 ×', 'throughput ×', 'processor ×', 'bare median, ms']
  const lines = results.map(({ engine, size, case: name, product, bare }) => [
    NAMES[engine],
    size.toLocaleString('en'),
    name,
    (product.median / bare.median).toFixed(2),
    (product.p95 / bare.p95).toFixed(2),
    (product.rate / bare.rate).toFixed(2),
    Number.isFinite(product.cpu / bare.cpu) ? (product.cpu / bare.cpu).toFixed(2) : '',
    bare.median.toFixed(2),
  ])
  return [heads, heads.map((_, at) => (at < 3 ? '---' : '--:')), ...lines].map((cells) => `| ${cells.join(' | ')} |`)
}

export function writeReport(results: Result[], command: string): void {
  const text = `# Benchmarks

The server against a bare one, \`bench/bare.ts\`: node:http and prepared statements on the same database, with the same
answers, but without framework, validation, sign-in, translation history, links, search texts, activities or metrics.
Both are asked in turns within one run, so that whatever else the machine does hits both. What counts are the ratios
(server ÷ bare): median and p95 of one call after the other (1 is the limit, less is better), and throughput over eight
connections (1 is the limit, more is better). The last column is for context only; it says as much about the machine.

- The client's own time, some tenths of a millisecond, is in both sides, and so makes every ratio a little milder.
- *search as you type*: the bare server finds only texts that begin with the query. Ours also finds those that hold it,
  its words apart, and mistypings.
- *save*: the bare server writes the row and a revision in one transaction. Ours also checks the session, compares with
  the version before, and writes history, links, search texts and the activity, all in one transaction.
- Both engines write durably: SQLite with synchronous=FULL, PostgreSQL with fsync.

Machine: ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${system()}, Node ${process.version}${postgresVersion(results)}, ${new Date().toISOString().slice(0, 10)}. It was shared with other work while this ran.

Again: \`${command}\`, which writes this page with \`--write\`.

${tableOf(results).join('\n')}
`
  writeFileSync(join(import.meta.dirname, '../docs/bench.md'), text)
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
