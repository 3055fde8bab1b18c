// One PostgreSQL for the whole run of the postgres project; every test file makes a database of its own in it.
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../scripts/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres()
  project.provide('postgresUrl', url)
  // Only this project's workers see it: the SQLite project must not find a PostgreSQL by accident.
  project.config.env.TEST_DATABASE_URL = url
  return stop
}
