import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/chromium.ts'
import './scripts/noProxy.ts'

const port = Number(process.env.E2E_PORT ?? 3100)
// Workers load this file too; the variable saves them from searching again.
process.env.CHROMIUM_PATH ??= await findChromium()
// Emptied before every run, and kept after it to examine failed tests.
const data = `node_modules/.cache/e2e-data-${port}`

// `npm test` has built it already.
const build = process.env.MOKUROKU_IS_BUILT ? '' : 'node scripts/build.ts && '

const env = {
  HOST: '127.0.0.1',
  PORT: String(port),
  DATA_DIR: data,
  ADMIN_EMAIL: 'admin@example.org',
  ADMIN_PASSWORD: 'correct horse battery',
  SAMPLE_CATALOGUE: 'on',
  LOG_LEVEL: 'warn',
}
// The server gets no other variables, since those of whoever runs the tests may name their own database, bucket or mail
// server.
const variables = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE', ...Object.keys(env)]
const only = `env -i ${variables.map((name) => `${name}="$${name}"`).join(' ')}`

const OWN = '**/*.own.spec.ts'
const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'node_modules/.cache/playwright',
  fullyParallel: true,
  // Generous, because a test visits several screens, and a loaded machine is slow.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // One more worker than cores, because browsers spend time waiting for frames and responses.
  workers: availableParallelism() + 1,
  forbidOnly: Boolean(process.env.CI),
  globalTimeout: 50 * 60_000,
  reporter: [['list'], ['json', { outputFile: 'node_modules/.cache/reports/browser.json' }]],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    screenshot: 'only-on-failure',
    locale: 'en-GB',
    timezoneId: 'UTC',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Every test loads the console anew, which with V8's small initial heap causes many garbage collections.
        '--js-flags=--min-semi-space-size=16 --max-semi-space-size=32',
      ],
    },
  },
  // Tests that use the same server follow each other, because a worker ends when the next test needs another server.
  projects: [
    { name: 'desktop, own server', testMatch: OWN, use: desktop },
    { name: 'phone, own server', testMatch: OWN, grep: /@phone/, use: phone },
    { name: 'desktop', testIgnore: [OWN, '**/phone.spec.ts'], use: desktop },
    { name: 'phone', testIgnore: OWN, grep: /@phone/, use: phone },
  ],
  webServer: {
    command: `rm -rf ${data} && ${build}exec ${only} node server/dist/main.js`,
    url: `http://127.0.0.1:${port}/readyz`,
    env,
    stderr: 'pipe',
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  },
})
