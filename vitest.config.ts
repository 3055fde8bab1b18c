import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longestFirst.ts'
import './scripts/noProxy.ts'

// An editor's test runner may use a different version of Node than npm does.
if (Number.parseInt(process.versions.node) < 24)
  throw new Error(`These tests need Node 24, not ${process.version}: choose node_modules/node/bin/node in your editor.`)

// Variables of whoever runs the tests must not change their results: React cannot be tested as it is in production, and
// a client of PostgreSQL takes from PGSSLMODE and the like what the URL of its database leaves open.
process.env.NODE_ENV = 'test'
for (const name of Object.keys(process.env))
  if (/^(PG[A-Z]|OTEL_)/.test(name)) Reflect.deleteProperty(process.env, name)

const server = 'server/**/*.test.ts'
// Tests whose result does not depend on the database engine run on SQLite only: those without a database (pure), with
// files in a bucket, or about processes, files, HTTP, the sample and calls refused before they reach the data (once).
// Tests that read or write data run on both engines.
const onOneEngine = ['server/**/*.{pure,once}.test.ts', 'server/**/*bucket.test.ts']
// No isolation: small test files would spend most of their time on loading libraries again.
const loadedOnce = { isolate: false, setupFiles: ['scripts/fresh.setup.ts'] }
const onServer = { ...loadedOnce, setupFiles: [...loadedOnce.setupFiles, 'server/test/process.setup.ts'] }
const built = 'server/test/built.setup.ts'
const dependencies = '**/node_modules/**'

export default defineConfig({
  test: {
    // One more worker than cores, because some tests just wait.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Generous timeouts, because tests are slow on a loaded machine; only a test that hangs reaches them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      { extends: true, test: { name: 'contract', include: ['contract/src/**/*.test.ts'], ...loadedOnce } },
      { extends: true, test: { name: 'tools', include: ['scripts/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'sqlite', include: [server], ...onServer, env: { ENGINE: 'sqlite' }, globalSetup: [built] },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [server],
          ...onServer,
          exclude: [dependencies, ...onOneEngine],
          env: { ENGINE: 'postgres' },
          globalSetup: [built, 'server/test/postgres.setup.ts'],
        },
      },
      { extends: true, test: { name: 'console', include: ['console/src/**/*.test.ts'], ...loadedOnce } },
      {
        extends: true,
        plugins: [react()],
        // In a copy of the repository, the packages are symbolic links (scripts/addingAKind.test.ts).
        server: { fs: { strict: false } },
        test: {
          name: 'console-dom',
          include: ['console/src/**/*.test.tsx'],
          environment: 'happy-dom',
          // Screens show dates of the user's time zone.
          env: { TZ: 'UTC' },
          ...loadedOnce,
          setupFiles: [...loadedOnce.setupFiles, 'console/src/testing.setup.ts'],
        },
      },
    ],
  },
})
