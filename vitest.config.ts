import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longestFirst.ts'

// An editor's test runner may start another Node than npm does.
if (Number.parseInt(process.versions.node) < 24)
  throw new Error(`These tests need Node 24, not ${process.version}: choose node_modules/node/bin/node in your editor.`)

const server = 'server/**/*.test.ts'
// What gives the same answer on both engines runs on one: it asks no database (pure), keeps its files in a bucket, or
// is about processes, files or HTTP, or what is refused before it reaches the data (once). Whatever reads or writes data of its own kind runs on both.
const onOneEngine = ['server/**/*.{pure,once}.test.ts', 'server/**/*bucket.test.ts', 'server/src/sample/**']
// Most of the time of a small test file is the loading of libraries.
const loadedOnce = { isolate: false, setupFiles: ['server/test/fresh.setup.ts'] }
const built = 'server/test/built.setup.ts'
const dependencies = '**/node_modules/**'

export default defineConfig({
  test: {
    // One more than cores: some tests wait for time to pass.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Nobody waits for it but a test that hangs; a loaded machine takes its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      { extends: true, test: { name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      { extends: true, test: { name: 'tools', include: ['scripts/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'sqlite', include: [server], ...loadedOnce, env: { ENGINE: 'sqlite' }, globalSetup: [built] },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [server],
          ...loadedOnce,
          exclude: [dependencies, ...onOneEngine],
          env: { ENGINE: 'postgres' },
          globalSetup: [built, 'server/test/postgres.setup.ts'],
        },
      },
      { extends: true, test: { name: 'console', include: ['console/src/**/*.test.ts'] } },
      {
        extends: true,
        plugins: [react()],
        // A copy of this folder finds its packages behind a link (scripts/addingAKind.test.ts).
        server: { fs: { strict: false } },
        test: {
          name: 'console-dom',
          include: ['console/src/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: ['console/src/testing.setup.ts'],
        },
      },
    ],
  },
})
