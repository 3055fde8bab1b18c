// One PostgreSQL for the whole run of the postgres project; every test file makes a database of its own in it.
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../scripts/postgres.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres(['synchronous_commit=off', 'autovacuum=off'])
  // Only this project's workers see it: those of the sqlite project have no server to find by accident.
  project.config.env.TEST_DATABASE_URL = url
  return stop
}
