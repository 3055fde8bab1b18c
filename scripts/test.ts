// Everything that must hold before a change is accepted, in one run: `npm test`, or some of it: `npm test -- types unit`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const reports = path.join(root, 'node_modules/.cache/reports')
const steps: Record<string, string> = {
  lock: 'node scripts/lockcheck.mjs',
  licences: 'node scripts/licences.ts --check',
  audit: 'node scripts/audit.ts',
  format: "oxfmt --check . '!**/*.md'",
  lint: 'oxlint --deny-warnings',
  types: 'tsc -b --pretty false',
  deadcode: 'knip',
  unit: `vitest run --reporter=default --reporter=json --outputFile.json=${reports}/unit.json`,
  build: 'node scripts/build.ts',
  browser: 'playwright test',
}

const asked = process.argv.slice(2).flatMap((word) => (word === '--only' ? [] : word.split(',')))
const names = Object.keys(steps)
const unknown = asked.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. There are ${names.join(', ')}.`)
  process.exit(2)
}

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const results = []
for (const name of names) if (asked.length === 0 || asked.includes(name)) results.push(await run(name))

console.log()
for (const { name, seconds, ok } of results)
  console.log(`${name.padEnd(9)} ${seconds.padStart(6)} s  ${ok ? 'ok' : 'failed'}`)
if (results.some(({ ok }) => !ok)) process.exitCode = 1
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
// CI reads this line.
console.log(`${sum(results.map(({ passed }) => passed))} passed, ${sum(results.map(({ failed }) => failed))} failed`)

/** Runs one step quietly, and shows everything that it printed when it fails. */
async function run(name: string) {
  process.stdout.write(`${name} … `)
  const started = performance.now()
  const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}`, NO_COLOR: '1' }
  const child = spawn('sh', ['-c', `exec ${steps[name]}`], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part))
  const [code] = (await once(child, 'close')) as [number | null]
  const ok = code === 0
  const said = Buffer.concat(output).toString().trim()
  console.log(ok ? (/^skipped.*/m.exec(said)?.[0] ?? 'ok') : `failed\n\n${said}\n`)
  const { passed, failed } = counts(name)
  // A step that fails without naming a failed test (a type error, a crash) still counts as one failure.
  return { name, ok, seconds: ((performance.now() - started) / 1000).toFixed(1), passed, failed: ok ? 0 : failed || 1 }
}

type Report =
  | { numPassedTests: number; numFailedTests: number }
  | { stats: { expected: number; flaky: number; unexpected: number } }

/** What the reports of Vitest and Playwright count; nothing for the other steps. */
function counts(name: string): { passed: number; failed: number } {
  const file = path.join(reports, `${name}.json`)
  if (!existsSync(file)) return { passed: 0, failed: 0 }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  return 'stats' in report
    ? { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected }
    : { passed: report.numPassedTests, failed: report.numFailedTests }
}
