import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clockError, setClock, resetClock, now, time } from './clock.ts'
import { newId } from './ids.ts'

const SERVER = join(import.meta.dirname, '../..')
/** Files whose measurements a collector compares with those of other programs on this machine. */
const BY_OWN_CLOCK = ['src/lib/clock.ts', 'src/database/traces.ts', 'src/telemetry/meters.ts']
/** Tests that set the clock, or stand in for a host that has one of its own. */
const OF_ANOTHER_CLOCK = [
  'src/lib/clock.pure.test.ts',
  'src/assets/bucket.test.ts',
  'test/dailyWork.test.ts',
  'test/trust/cached.test.ts',
]
const READS_CLOCK = /\bDate\.now\b|\bnew Date(?!\()|\bnew Date\(\s*\)/

// Time stands still.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
afterEach(() => {
  vi.useRealTimers()
  resetClock()
})

test('no source file, and no test that runs the server in its process, reads the clock of this machine directly', async () => {
  const exclude = ['node_modules/**', 'dist/**', ...BY_OWN_CLOCK, ...OF_ANOTHER_CLOCK]
  const asking = []
  for await (const file of glob('**/*.ts', { cwd: SERVER, exclude })) {
    const text = readFileSync(join(SERVER, file), 'utf8')
    const isSource = file.startsWith('src/') && !file.endsWith('.test.ts')
    if ((isSource || text.includes('withApp()')) && READS_CLOCK.test(text)) asking.push(file)
  }
  expect(asking).toEqual([])
})

test('adopts another clock once the difference exceeds the uncertainty of the reading', () => {
  setClock(Date.now() + 60_000, 20)
  expect(clockError()).toBe(-60_010)
  expect(time()).toBe(Date.now() + 60_010)
  for (const difference of [-90, -10, 90]) setClock(time() - 100 + difference, 200)
  expect(clockError()).toBe(-60_010)
  setClock(time() - 100 + 150, 200)
  expect(clockError()).toBe(-60_160)
  setClock(Number.NaN, 1)
  expect(clockError()).toBe(-60_160)
})

test('an adopted clock does not change when the clock of this machine is set', () => {
  setClock(Date.now() + 60_000, 0)
  const before = time()
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(time()).toBe(before)
  expect(clockError()).toBe(-3_660_000)
  vi.advanceTimersByTime(5000)
  expect(time()).toBe(before + 5000)
  resetClock()
  expect(time()).toBe(Date.now())
})

test('ids follow the adopted clock, and stay in order even if it goes back', () => {
  setClock(Date.now() + 3_600_000, 0)
  const first = newId()
  expect(Number.parseInt(first.replace('-', '').slice(0, 12), 16)).toBe(Date.parse(now()))
  resetClock()
  const made = [first, ...Array.from({ length: 1000 }, newId)]
  expect(new Set(made).size).toBe(made.length)
  expect(made).toEqual(made.toSorted())
})

test('no two ids share their random bits', () => {
  const ids = Array.from({ length: 1000 }, newId)
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(1000)
})
