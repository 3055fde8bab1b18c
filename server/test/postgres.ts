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

/** Creates an empty database on a PostgreSQL server, and returns its URL. */
export const createDatabase = (server: string): Promise<string> => create(server, '')

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
