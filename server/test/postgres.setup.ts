// One PostgreSQL server for the whole run of the postgres project; every test file creates its own database on it.
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
  // To run the same tests with tables partitioned by month: TEST_PARTITIONED=on npx vitest run --project postgres
  if (process.env.TEST_PARTITIONED) await partition()
  await closeDatabase()
  const name = new URL(template).pathname.slice(1)
  // Set for this project's workers only, so that those of the sqlite project cannot use the server by accident.
  Object.assign(project.config.env, { TEST_DATABASE_URL: url, TEST_DATABASE_TEMPLATE: name })
  return async () => {
    await queryPostgres(url, `DROP DATABASE "${name}"`)
    await stop()
  }
}
