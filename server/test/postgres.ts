import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** The URL of the PostgreSQL server under test; undefined if the tests run on SQLite. */
export const postgres = process.env.ENGINE === 'postgres' ? process.env.TEST_DATABASE_URL : undefined

/** Runs a query on its own connection, and returns the rows. */
export async function queryPostgres<Row extends pg.QueryResultRow>(url: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(query)).rows
  } finally {
    await client.end()
  }
}

/** A locale whose letters and order are unlike those of SQLite: tests fail if a query depends on that of the database. */
const FOREIGN = `TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LC_COLLATE 'C' LC_CTYPE 'C'`
/** Whether a database can have that locale: from PostgreSQL 15 on, if it was built with ICU. */
const hasForeign = `SELECT 1 FROM "pg_collation"
  WHERE "collname" = 'tr-x-icu' AND current_setting('server_version_num')::int >= 150000`

/** Creates an empty database on a PostgreSQL server, and returns its URL. */
export async function createDatabase(server: string): Promise<string> {
  const [isPossible] = await queryPostgres(server, hasForeign)
  return create(server, isPossible ? FOREIGN : '')
}

/**
 * Like `createDatabase`, but with the current schema. On the server of the test run, it is a copy of the database that
 * postgres.setup.ts migrated, since copying is faster than migrating.
 */
export async function createMigrated(server: string): Promise<string> {
  const { TEST_DATABASE_URL: own, TEST_DATABASE_TEMPLATE: template } = process.env
  return create(server, server === own && template ? `TEMPLATE "${template}"` : '')
}

async function create(server: string, more: string): Promise<string> {
  const url = new URL(server)
  url.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  await queryPostgres(server, `CREATE DATABASE "${url.pathname.slice(1)}" ${more}`)
  return url.toString()
}
