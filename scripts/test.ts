// Runs all checks that a change must pass: `npm test`, or only some steps: `npm test -- types unit`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readReport, type Report } from './reports.ts'

const root = path.resolve(import.meta.dirname, '..')
const reports = path.join(root, 'node_modules/.cache/reports')
const steps: Record<string, string> = {
  build: 'node scripts/build.ts',
  size: 'node console/size.ts',
  lock: 'node scripts/lockcheck.mjs',
  licences: 'node scripts/licences.ts --check',
  audit: 'node scripts/audit.ts',
  format: "oxfmt --check . '!**/*.md'",
  lint: 'oxlint --deny-warnings',
  // A single checker: the unit tests use the other cores, and parallel checkers duplicate much of the work.
  types: 'tsc -b --pretty false --checkers 1',
  deadcode: 'knip',
  unit: `vitest run --reporter=default --reporter=json --outputFile.json=${reports}/unit.json`,
  browser: 'playwright test',
}
/** The lists of a round run in parallel, the steps of a list in sequence: short steps use the CPU while tests wait. */
const rounds = [
  [['build', 'size']],
  [['lock', 'licences', 'audit', 'format', 'lint', 'types', 'deadcode'], ['unit']],
  [['browser']],
]
const SLOWEST = 10

const asked = process.argv.slice(2).flatMap((word) => (word === '--only' ? [] : word.split(',')))
const names = Object.keys(steps)
const unknown = asked.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. There are ${names.join(', ')}.`)
  process.exit(2)
}

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const results: Result[] = []
for (const lists of rounds) await Promise.all(lists.map(runAll))

console.log()
for (const { name, seconds, ok } of results)
  console.log(`${name.padEnd(9)} ${seconds.toFixed(1).padStart(6)} s  ${ok ? 'ok' : 'failed'}`)
const slowest = results.flatMap(({ tests }) => tests).toSorted((one, two) => two.seconds - one.seconds)
if (slowest.length > 0) console.log('\nThe slowest tests:')
for (const { name, seconds } of slowest.slice(0, SLOWEST)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`)
if (results.some(({ ok }) => !ok)) process.exitCode = 1
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
// CI parses this line.
console.log(`\n${sum(results.map(({ passed }) => passed))} passed, ${sum(results.map(({ failed }) => failed))} failed`)

interface Result extends Report {
  name: string
  ok: boolean
  seconds: number
}

async function runAll(list: string[]): Promise<void> {
  for (const name of list) if (asked.length === 0 || asked.includes(name)) results.push(await run(name))
}

/** Runs one step without output, and prints its whole output if it fails. */
async function run(name: string): Promise<Result> {
  const started = performance.now()
  const env = {
    ...process.env,
    PATH: `${root}/node_modules/.bin:${process.env.PATH}`,
    NO_COLOR: '1',
    // Tells the tests that the build step has succeeded, so that they need not build again.
    ...(results.some(({ name: built, ok }) => built === 'build' && ok) && { MOKUROKU_IS_BUILT: 'yes' }),
    // Shared with the servers and commands that the tests start (server/test/process.ts).
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
  }
  const child = spawn('sh', ['-c', `exec ${steps[name]}`], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part))
  const [code] = (await once(child, 'close')) as [number | null]
  const { tests, passed, failed } = readReport(path.join(reports, `${name}.json`))
  // A flaky test, which passes on a second attempt, counts as failed, whatever the exit code says.
  const ok = code === 0 && failed === 0
  const said = Buffer.concat(output).toString().trim()
  console.log(`${name} … ${ok ? (/^skipped.*/m.exec(said)?.[0] ?? 'ok') : `failed\n\n${said}\n`}`)
  // A step that fails without a failed test (a type error, a crash) counts as one failure.
  return { name, ok, seconds: (performance.now() - started) / 1000, tests, passed, failed: ok ? 0 : failed || 1 }
}
