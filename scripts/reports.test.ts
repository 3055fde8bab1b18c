import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readReport } from './reports.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'mokuroku-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

function reportOf(content: unknown) {
  const file = path.join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(content))
  return readReport(file)
}

test('counts a flaky browser test as failed', () => {
  const tests = [{ projectName: 'phone', results: [{ duration: 1500 }, { duration: 500 }] }]
  const suites = [{ title: 'a.spec.ts', specs: [], suites: [{ title: 'group', specs: [{ title: 'works', tests }] }] }]
  expect(reportOf({ stats: { expected: 3, flaky: 1, unexpected: 2 }, suites })).toEqual({
    tests: [{ name: 'group › works (phone)', seconds: 2 }],
    passed: 3,
    failed: 3,
  })
})

test('counts unit tests with their durations', () => {
  const testResults = [{ assertionResults: [{ fullName: 'a works', duration: 250 }, { fullName: 'b is skipped' }] }]
  expect(reportOf({ numPassedTests: 1, numFailedTests: 0, testResults })).toEqual({
    tests: [
      { name: 'a works', seconds: 0.25 },
      { name: 'b is skipped', seconds: 0 },
    ],
    passed: 1,
    failed: 0,
  })
})

test('no test is retried, not even in CI', () => {
  for (const config of ['vitest.config.ts', 'playwright.config.ts'])
    expect(readFileSync(path.resolve(import.meta.dirname, '..', config), 'utf8')).not.toMatch(/\bretr(y|ies)\b/)
})
