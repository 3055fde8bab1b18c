import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const server = 'server/**/*.test.ts'
// What asks no database gives the same answer on both engines, and so runs once.
const withoutDatabase = ['server/**/*.pure.test.ts', 'server/**/*bucket.test.ts', 'server/src/sample/**']
const dependencies = '**/node_modules/**'

export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      { extends: true, test: { name: 'tools', include: ['scripts/**/*.test.ts'] } },
      { extends: true, test: { name: 'sqlite', include: [server], env: { ENGINE: 'sqlite' } } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [server],
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
