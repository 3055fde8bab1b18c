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

The server is compared with a bare one, \`bench/bare.ts\`: node:http and prepared statements on the same database, with the
same answers (compared byte by byte where possible), but without a framework, validation, sessions, translation history,
links, search texts, activities or metrics. One run measures both in turns, call by call with one client and in slices of a
tenth of a second with eight, so that other work on the machine affects both.

The ratios are what counts: server ÷ bare. For the median, the p95 (one client) and the processor time per call of the
server's own process, 1 is the ideal and lower is better. For throughput (eight clients), 1 is the ideal and higher is
better. The last column is context only; it depends on the machine as much as on the program.

- The client's own time counts on both sides, which brings the latency ratios a little closer to 1. The processor ratios
  are the most stable on a busy machine, although the system reports processor time in hundredths of a second only. They
  do not include PostgreSQL's own processes.
- *list, last page*: below 1, because the server reads from the nearer end of the list and the bare one from its start.
- *search as you type*: the bare server finds only texts that begin with the query. Ours also finds texts that contain
  it, or its words separately, tolerates typing errors, and ranks the results.
- *save*: the bare server writes the row and a revision in one transaction. Ours also compares with the previous version
  and writes history, links, search texts, findings, counters and the activity in the same transaction.
- *list, by finding* and *by tags and cover*: both count the matches, up to 10,000; the bare server reads all matches
  and sorts them. *list, by finding and cover* asks for two wide filters that nothing meets: the server reads an index
  of each, and its time grows with the smaller one.
- *bulk, preview of 100*: the bare server checks whether each media has the tag. Ours plans each change as it would be
  made, with permissions and links.
- Both engines write durably: SQLite with synchronous=FULL, PostgreSQL with fsync.

## What was tried

Measured in pairs, the version before and after on databases of their own in one run, in turns of half a second, 16 clients,
8,500 media: the processor time per call of the server's own process, after ÷ before. Other work ran beside it, so that a
tenth more or less says little.

| on PostgreSQL | list | one media | search, Latin | search, CJK | save |
| --- | --: | --: | --: | --: | --: |
| pipelining, one write for a turn of the event loop, shared reads, no connection lent to a statement | 0.69 | 0.66 | 0.64 | 0.68 | 0.89 |
| … and a save asks together what does not depend on each other | 0.67 |  |  |  | 0.60 |
| … and statements built once, a list of ids as one value, kept prepared | 0.49 | 0.41 | 0.53 | 0.43 | 0.62 |
| of this, keeping statements prepared (\`DATABASE_PREPARE\` on ÷ off) | 0.69 | 0.90 | 0.86 |  | 0.85 |

| on SQLite | list | one media | search, Latin | search, CJK | save |
| --- | --: | --: | --: | --: | --: |
| all of it | 0.71 | 0.59 | 0.69 | 0.78 | 0.78 |

Not kept: the commit in one write with the last statement. It saves one write of ten, but a statement that was lost on the
way to the database would be missing from what is committed.

Measured against the version before by \`npm run bench -- --against <checkout>\` (8 clients, SQLite):

| on SQLite | list | one media |
| --- | --: | --: |
| answers written by functions compiled from the contract (docs/decisions/024) | 0.92 | 0.90 |

| on SQLite, 100,000 media | search, Latin | search, CJK | search, kana | search, Cyrillic |
| --- | --: | --: | --: | --: |
| a search reads and ranks only the shortest labels that begin with the query, and asks its index for a few grams of a text that the database then looks for | 0.67 | 0.66 | 0.49 | 0.56 |

The results are the same, to the last of 2,400 queries on SQLite and 1,200 on PostgreSQL, where the server's part is 0.7 to
0.9 of what it was and the database's the same. Of 1,600 queries to 1,000,000 media 21 have more that hold all words, where
other spellings of the same titles had filled what is read. What \`find\` takes there, on SQLite, without HTTP, in
milliseconds of processor time:

| 1,000,000 media, before → after | Latin | CJK | kana | Cyrillic |
| --- | --: | --: | --: | --: |
| mean | 1.6 → 0.5 | 5.2 → 2.0 | 11.2 → 1.8 | 1.7 → 0.3 |
| 99th percentile | 7.8 → 2.5 | 75 → 16 | 64 → 15 | 8.5 → 1.0 |

The slow ones are long Japanese titles whose words twenty thousand others share, as only made-up titles do.

Tried and not kept: more grams of a text (5 or 6 in place of 4), which costs the index what it saves the database.

Machine: ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${system()}, Node ${process.version}${postgresVersion(results)}, ${new Date().toISOString().slice(0, 10)}. Other work ran beside it.

To repeat: \`npm run bench -- --write\`, or a part of it; the last one: \`${command}\`.

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
