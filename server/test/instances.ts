import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll } from 'vitest'
import { createDatabase } from './postgres.ts'

type Row = Record<string, unknown>

/** The place of a catalogue (data folder and database), with direct access to its database. */
export interface Place {
  folder: string
  url: string | undefined
  env: { DATA_DIR: string; DATABASE_URL: string | undefined }
  /** Runs statements; returns the rows of the last one. */
  sql(...statements: string[]): Promise<Row[]>
  /** Runs statements; returns the rows of each. */
  each(statements: string[]): Promise<Row[][]>
  remove(): void
}

/** An empty data folder, with its own database on the PostgreSQL server under test unless `engine` says otherwise. */
export async function aPlace(engine = process.env.ENGINE): Promise<Place> {
  const home = mkdtempSync(join(tmpdir(), 'mokuroku-place-'))
  const folder = join(home, 'data')
  mkdirSync(folder)
  const server = engine === 'postgres' ? process.env.TEST_DATABASE_URL : undefined
  const url = server && (await createDatabase(server))
  const each = async (statements: string[]) =>
    url ? onPostgres(url, statements) : eachOnFile(join(folder, 'catalogue.sqlite'), statements)
  return {
    folder,
    url,
    env: { DATA_DIR: folder, DATABASE_URL: url },
    sql: async (...statements) => (await each(statements)).at(-1) ?? [],
    each,
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

/** Returns `aPlace` for a test file; its places are removed at the end. Must be called at the top of the file. */
export function placesOfFile(): typeof aPlace {
  const places: Place[] = []
  afterAll(() => {
    for (const place of places) place.remove()
  })
  return async (engine) => {
    const place = await aPlace(engine)
    places.push(place)
    return place
  }
}

async function onPostgres(url: string, statements: string[]): Promise<Row[][]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const all: Row[][] = []
    for (const statement of statements) all.push((await client.query<Row>(statement)).rows)
    return all
  } finally {
    await client.end()
  }
}

function eachOnFile(path: string, statements: string[]): Row[][] {
  const file = new DatabaseSync(path, { timeout: 10_000 })
  try {
    return statements.map((statement) => file.prepare(statement).all())
  } finally {
    file.close()
  }
}

/** Runs a statement on an SQLite file. */
export const onFile = (path: string, statement: string): Row[] => eachOnFile(path, [statement])[0] ?? []
