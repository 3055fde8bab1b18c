// One PostgreSQL for the whole run of the postgres project; every test file makes a database of its own in it.
import { tmpdir } from 'node:os'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../scripts/postgres.ts'
import { closeDatabase, openDatabase } from '../src/database/db.ts'
import { partition } from '../src/database/partitions.ts'
import { createDatabase, queryPostgres } from './postgres.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres(['synchronous_commit=off', 'autovacuum=off'])
  const template = await createDatabase(url)
  await openDatabase({ url: template, folder: tmpdir() })
  // The same tests over tables that are kept by month: TEST_PARTITIONED=on npx vitest run --project postgres
  if (process.env.TEST_PARTITIONED) await partition()
  await closeDatabase()
  const name = new URL(template).pathname.slice(1)
  // Only this project's workers see it: those of the sqlite project have no server to find by accident.
  Object.assign(project.config.env, { TEST_DATABASE_URL: url, TEST_DATABASE_TEMPLATE: name })
  return async () => {
    await queryPostgres(url, `DROP DATABASE "${name}"`)
    await stop()
  }
}
