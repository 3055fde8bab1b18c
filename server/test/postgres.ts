import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** The rows that a query answers, on a connection of its own. */
export async function queryPostgres<Row extends pg.QueryResultRow>(url: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(query)).rows
  } finally {
    await client.end()
  }
}

/** Makes an empty database on a PostgreSQL server, and answers its address. */
export const createDatabase = (server: string): Promise<string> => create(server, '')

/**
 * As `createDatabase`, for who wants the schema and not the way to it: on the server of the run it is a copy of what
 * postgres.setup.ts migrated, for migrating takes longer than copying.
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
