// Compares the server with a minimal one (bare.ts) on the same database, in turns, so that other load affects both.
// `npm run bench -- [--sizes 8500,100000,1000000] [--engines sqlite,postgres] [--quick] [--keep folder] [--write]`,
// `npm run bench -- --hostile [--write]`, `npm run bench -- --import [--write]`, or
// `npm run bench -- --against <a checkout whose server is built>`
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../scripts/postgres.ts'
import { freePort, launch, ready, startServer } from '../server/test/process.ts'
import { type Case, cases } from './cases.ts'
import { ADMIN, fill, type Place } from './catalogue.ts'
import { measureHostile } from './hostile.ts'
import { measureImports } from './imports.ts'
import { anew, type Answer, Client, cpuOf } from './load.ts'
import { lineOf, type Result, writeReport } from './report.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '8500,100000,1000000' },
    engines: { type: 'string', default: 'sqlite,postgres' },
    cases: { type: 'string', default: '' },
    /** A smoke test: 8,500 media and few rounds. */
    quick: { type: 'boolean', default: false },
    /** A folder in which the filled databases are kept for later runs. */
    keep: { type: 'string' },
    /** Writes the results to docs/bench.md, or docs/trust.md with `hostile`. */
    write: { type: 'boolean', default: false },
    /** Measures only the cost of calls without a sign-in (hostile.ts). */
    hostile: { type: 'boolean', default: false },
    /** Measures only an import of 100,000 rows and their export (imports.ts). */
    import: { type: 'boolean', default: false },
    /** Measures the effect of a change: another checkout's server, on its own database, replaces the minimal one. */
    against: { type: 'string' },
  },
})
if (values.hostile) {
  await measureHostile(values.write)
  process.exit(0)
}
if (values.import) {
  await measureImports(values.write)
  process.exit(0)
}
if (values.write && (values.cases || values.against || values.quick))
  throw new Error('--write needs all cases: not --cases, --against or --quick')
const chosen = cases.filter(({ name }) => name.includes(values.cases))
if (chosen.length === 0) throw new Error(`No case has “${values.cases}” in its name.`)
const sizes = (values.quick ? '8500' : values.sizes).split(',').map(Number)
const ROUNDS = values.quick ? 3 : 12
/** How long each server is measured per round, with one client and then with several, in milliseconds. */
const TURN = values.quick ? 50 : 120
const CONNECTIONS = 8
/** PostgreSQL settings: durable commits, which wait for the disk as those of SQLite do, and enough memory. */
const DURABLE = ['fsync=on', 'full_page_writes=on', 'shared_buffers=512MB', 'max_wal_size=4GB']

const folder = mkdtempSync(join(tmpdir(), 'mokuroku-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

type Compared = Pick<Result, 'product' | 'bare'>

const results: Result[] = []
for (const engine of values.engines.split(',') as Result['engine'][]) {
  const postgres = engine === 'postgres' ? await startPostgres(DURABLE) : undefined
  try {
    for (const size of sizes) results.push(...(await measure(engine, size, postgres?.url)))
  } finally {
    await postgres?.stop()
  }
}
const command = ['npm run bench --', ...process.argv.slice(2).filter((word) => word !== '--write')].join(' ')
if (values.write) writeReport(results, command)

async function measure(engine: Result['engine'], size: number, server: string | undefined): Promise<Result[]> {
  const place = await placeOf(engine, size, server)
  const other = values.against ? await placeOf(engine, size, server, '-against') : place
  try {
    const found = await compareOn([place, other], engine, size)
    if (!values.against) return found
    // Swap the databases, because one of two equal databases may be 10 % faster.
    console.log('The same with the databases exchanged:')
    const exchanged = await compareOn([other, place], engine, size)
    const both = found.map((one, at) => mean([one, exchanged[at] ?? one]))
    console.log('The mean of both:')
    for (const each of both) console.log(lineOf(each))
    return both
  } finally {
    if (!values.keep) for (const each of new Set([place, other])) await clear(each, server)
  }
}

/** Runs all cases, with the server on the first database and the one it is compared with on the second. */
async function compareOn(places: readonly [Place, Place], engine: Result['engine'], size: number): Promise<Result[]> {
  const product = await startServer({ ...places[0] })
  const other = values.against ? await startOther(places[1], values.against) : await startBare(places[1])
  const sides = [
    { client: new Client(product.port, await signIn(product.port)), pid: product.pid },
    { client: new Client(other.port, values.against ? await signIn(other.port) : {}), pid: other.pid },
  ]
  try {
    const found: Result[] = []
    for (const each of chosen) {
      const result = { engine, size, case: each.name, ...(await compare(each, size, sides)) }
      found.push(result)
      console.log(lineOf(result))
    }
    return found
  } finally {
    for (const { client } of sides) client.close()
    await Promise.all([product.end(), other.end()])
  }
}

/** The geometric means of several results of one case, so that the ratio of means is the mean of ratios. */
function mean(each: [Result, ...Result[]]): Result {
  const of = (side: keyof Compared, name: keyof Result['product']) =>
    each.reduce((product, one) => product * one[side][name], 1) ** (1 / each.length)
  const figures = (side: keyof Compared) => ({
    median: of(side, 'median'),
    p95: of(side, 'p95'),
    rate: of(side, 'rate'),
    cpu: of(side, 'cpu'),
  })
  return { ...each[0], product: figures('product'), bare: figures('bare') }
}

interface Side {
  client: Client
  pid: number | undefined
}

/** Measures one case on both servers, in turns. */
async function compare({ calls, isSame, mayBeCached }: Case, size: number, sides: readonly Side[]): Promise<Compared> {
  const streams = await Promise.all(sides.map(async ({ client }, at) => calls(size, at, client)))
  const both = sides.map(({ client, pid }, at) => {
    const stream = streams[at] ?? (() => ({ path: '/' }))
    const next = mayBeCached ? stream : () => anew(stream())
    const asked = { calls: 0 }
    const count = () => {
      asked.calls++
      return next()
    }
    return { client, pid, asked, next: count, alone: [] as number[], rates: [] as number[], cpu: 0 }
  })
  const first: Answer[] = []
  for (const { client, next } of both) first.push(await client.ask(next()))
  if (first.some(({ status }) => status !== 200))
    throw new Error(`Refused: ${first.map(({ body }) => body).join(' | ')}`)
  if (isSame && !values.against && first[0]?.body !== first[1]?.body)
    throw new Error(`The servers differ:\n${first.map(({ body }) => body).join('\n')}`)
  // Warm-up of both servers: JIT compilation, prepared statements, page cache.
  for (const { client, next } of both) await client.press(next, CONNECTIONS, 3 * TURN)
  for (const side of both) {
    side.asked.calls = 0
    side.cpu = cpuOf(side.pid)
  }
  for (let round = 0; round < ROUNDS; round++) {
    const inTurn = round % 2 === 0 ? both : both.toReversed()
    const end = performance.now() + 2 * TURN
    do for (const side of inTurn) side.alone.push(await side.client.time(side.next()))
    while (performance.now() < end)
    for (const side of inTurn) side.rates.push(await side.client.press(side.next, CONNECTIONS, TURN))
  }
  const [product, bare] = both.map(({ alone, rates, cpu, pid, asked }) => ({
    median: quantile(alone, 0.5),
    p95: quantile(alone, 0.95),
    rate: quantile(rates, 0.5),
    cpu: (cpuOf(pid) - cpu) / asked.calls,
  }))
  if (!product || !bare) throw new Error('There are two servers')
  return { product, bare }
}

function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

async function startOther(place: Place, checkout: string) {
  const port = await freePort()
  const program = join(checkout, 'server/dist/main.js')
  const { child, ended } = launch(program, { LOG_LEVEL: 'error', ...place, PORT: String(port) })
  await ready(child, ended, 'is ready on')
  const end = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { port, pid: child.pid, end }
}

async function startBare(place: Place) {
  const port = await freePort()
  const { child, ended } = launch(join(import.meta.dirname, 'bare.ts'), { ...place, PORT: String(port) })
  await ready(child, ended, 'bare is ready')
  const end = () => {
    child.kill('SIGKILL')
    return ended
  }
  return { port, pid: child.pid, end }
}

async function signIn(port: number): Promise<Record<string, string>> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  const { token } = (await answer.json()) as { token: string }
  return { authorization: `Bearer ${token}` }
}

/** A filled database: a new one, or one kept from an earlier run (--keep). */
async function placeOf(
  engine: Result['engine'],
  size: number,
  server: string | undefined,
  suffix: '' | '-against' = '',
): Promise<Place> {
  const kept = join(values.keep ?? folder, `${engine}-${size}${suffix}`)
  const database = `bench_${size}${suffix}`
  const url = server === undefined ? undefined : new URL(`/${database}`, server)
  const DATABASE_URL = url?.href.replace(/^.*?:/, 'postgres:')
  if (existsSync(kept) && (server === undefined || (await hasDatabase(server, database))))
    return { DATA_DIR: kept, DATABASE_URL }
  const began = performance.now()
  const part = `${kept}-part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  if (server) {
    await onServer(server, `DROP DATABASE IF EXISTS "${database}"`)
    await onServer(server, `CREATE DATABASE "${database}"`)
  }
  await fill({ DATA_DIR: part, DATABASE_URL }, size)
  renameSync(part, kept)
  console.log(`${engine}: ${size} media written in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return { DATA_DIR: kept, DATABASE_URL }
}

async function clear({ DATA_DIR, DATABASE_URL }: Place, server: string | undefined): Promise<void> {
  rmSync(DATA_DIR, { recursive: true, force: true })
  if (server && DATABASE_URL)
    await onServer(server, `DROP DATABASE "${new URL(DATABASE_URL).pathname.slice(1)}" WITH (FORCE)`)
}

async function hasDatabase(server: string, name: string): Promise<boolean> {
  const found = await onServer(server, `SELECT 1 FROM pg_database WHERE datname = '${name}'`)
  return found.length > 0
}

async function onServer(server: string, statement: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return (await client.query<object>(statement)).rows
  } finally {
    await client.end()
  }
}
