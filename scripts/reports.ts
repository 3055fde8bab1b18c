import { existsSync, readFileSync } from 'node:fs'

export interface Report {
  tests: { name: string; seconds: number }[]
  passed: number
  failed: number
}

interface Vitest {
  numPassedTests: number
  numFailedTests: number
  testResults: { assertionResults: { fullName: string; duration?: number | null }[] }[]
}

interface Playwright {
  stats: { expected: number; flaky: number; unexpected: number }
  suites: Suite[]
}

interface Suite {
  title: string
  suites?: Suite[]
  specs: { title: string; tests: { projectName: string; results: { duration: number }[] }[] }[]
}

/** The test counts and durations in a JSON report of Vitest or Playwright; empty if there is no report. */
export function readReport(file: string): Report {
  if (!existsSync(file)) return { tests: [], passed: 0, failed: 0 }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Vitest | Playwright
  if (!('stats' in report))
    return {
      tests: report.testResults.flatMap(({ assertionResults }) =>
        assertionResults.map(({ fullName, duration }) => ({ name: fullName, seconds: (duration ?? 0) / 1000 })),
      ),
      passed: report.numPassedTests,
      failed: report.numFailedTests,
    }
  const { expected, flaky, unexpected } = report.stats
  return { tests: report.suites.flatMap(testsIn), passed: expected, failed: flaky + unexpected }
}

function testsIn({ title, suites = [], specs }: Suite): Report['tests'] {
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ projectName, results }) => ({
      name: `${title} › ${spec.title} (${projectName})`,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
  )
  return [...own, ...suites.flatMap(testsIn)]
}
