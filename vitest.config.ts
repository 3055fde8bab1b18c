import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// An editor's test runner may start another Node than npm does.
if (Number.parseInt(process.versions.node) < 24)
  throw new Error(`These tests need Node 24, not ${process.version}: choose node_modules/node/bin/node in your editor.`)

const server = 'server/**/*.test.ts'
// What asks no database gives the same answer on both engines, and so runs once.
const withoutDatabase = [
  'server/**/*.pure.test.ts',
  'server/**/*bucket.test.ts',
  'server/src/sample/**',
  'server/test/eventStream.test.ts',
  'server/test/trust/{bounds,limits,paths,raw}.test.ts',
]
// Most of the time of a small test file is the loading of libraries.
const loadedOnce = { isolate: false, setupFiles: ['server/test/fresh.setup.ts'] }
const dependencies = '**/node_modules/**'

export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      { extends: true, test: { name: 'tools', include: ['scripts/**/*.test.ts'] } },
      { extends: true, test: { name: 'sqlite', include: [server], ...loadedOnce, env: { ENGINE: 'sqlite' } } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [server],
          ...loadedOnce,
          exclude: [dependencies, ...withoutDatabase],
          env: { ENGINE: 'postgres' },
          globalSetup: ['server/test/postgres.setup.ts'],
        },
      },
      { extends: true, test: { name: 'console', include: ['console/src/**/*.test.ts'] } },
      {
        extends: true,
        plugins: [react()],
        test: { name: 'console-dom', include: ['console/src/**/*.test.tsx'], environment: 'happy-dom' },
      },
    ],
  },
})
