import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { createDatabase } from './crash.ts'

type Row = Record<string, unknown>

/** Where a catalogue is kept, and a way past the product into its database. */
export interface Place {
  folder: string
  url: string | undefined
  env: { DATA_DIR: string; DATABASE_URL: string | undefined }
  sql(...statements: string[]): Promise<Row[]>
  remove(): void
}

/** An empty data folder, with a database of its own on the PostgreSQL server under test unless `engine` says otherwise. */
export async function aPlace(engine = process.env.ENGINE): Promise<Place> {
  const home = mkdtempSync(join(tmpdir(), 'mokuroku-place-'))
  const folder = join(home, 'data')
  mkdirSync(folder)
  const server = engine === 'postgres' ? process.env.TEST_DATABASE_URL : undefined
  const url = server && (await createDatabase(server))
  return {
    folder,
    url,
    env: { DATA_DIR: folder, DATABASE_URL: url },
    sql: async (...statements) => {
      const run = url ? onPostgres(url) : onFile(join(folder, 'catalogue.sqlite'))
      return run(statements)
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

const onPostgres = (url: string) => async (statements: string[]) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Runs statements on a file of the embedded engine, and answers the rows of the last. */
export const onFile = (path: string) => (statements: string[]) => {
  const file = new DatabaseSync(path)
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = file.prepare(statement).all()
    return rows
  } finally {
    file.close()
  }
}
