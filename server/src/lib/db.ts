import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type PostgresPoolClient,
  type SelectQueryBuilder,
  sql,
  SqliteDialect,
  type Transaction as KyselyTransaction,
  type UnknownRow,
} from 'kysely'
import pg from 'pg'
import { COLUMNS, type Tables } from './tables.ts'

export type Engine = 'sqlite' | 'postgres'
export type Transaction = KyselyTransaction<Tables>

/** The open database. Set by `openDatabase`. */
export let db: Kysely<Tables>
export let engine: Engine

/** Opens the database at `url`, or the embedded one in `folder`, and brings its schema up to date. */
export async function openDatabase({ url, folder }: { url?: string | undefined; folder: string }): Promise<void> {
  engine = url ? 'postgres' : 'sqlite'
  const dialect = url ? postgres(url) : embedded(folder)
  db = new Kysely<Tables>({ dialect, plugins: [decoding] })
  try {
    await migrate()
  } catch (error) {
    await db.destroy()
    throw error
  }
}

export const closeDatabase = (): Promise<void> => db.destroy()

/**
 * Runs `work` in one transaction. On PostgreSQL a deadlock or a serialisation failure is tried again, three times
 * at most; `work` must therefore do nothing but talk to the database.
 */
export async function transaction<T>(work: (tx: Transaction) => Promise<T>, tries = 3): Promise<T> {
  const acts: (() => void)[] = []
  try {
    const result = await db.transaction().execute((tx) => {
      whenCommitted.set(tx, acts)
      return work(tx)
    })
    for (const act of acts) act()
    return result
  } catch (error) {
    const again = ['40001', '40P01'].includes(String((error as { code?: unknown }).code))
    if (again && tries > 1) return transaction(work, tries - 1)
    throw error
  }
}

const whenCommitted = new WeakMap<Transaction, (() => void)[]>()

/** Runs `act` when the transaction has been committed, and never when it fails. `act` must not throw. */
export const afterCommit = (tx: Transaction, act: () => void): void => void whenCommitted.get(tx)?.push(act)

/** Locks the selected rows until the transaction ends. SQLite has one writer at a time and needs nothing. */
export const locked = <T extends SelectQueryBuilder<Tables, keyof Tables, unknown>>(query: T): T =>
  engine === 'postgres' ? (query.forUpdate() as T) : query

/** Transactions that name the same pass one at a time from here to their end; in SQLite they do anyway. */
export async function oneAtATime(tx: Transaction, name: string): Promise<void> {
  if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

// What the engines store differs from what the contract says in three ways: booleans are 0 and 1, documents are JSON
// text, and an empty clearable field is null. Values are encoded by the drivers below and decoded by this plugin.

const encode = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === undefined) return null
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const decoding: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    for (const row of result.rows) decode(row)
    return result
  },
}

function decode(row: UnknownRow): void {
  for (const key in row) {
    const value = row[key]
    if (value === null) {
      if (COLUMNS.clearable.has(key)) delete row[key]
    } else if (typeof value === 'number') {
      if (COLUMNS.boolean.has(key)) row[key] = value === 1
    } else if (typeof value === 'string' && COLUMNS.json.has(key)) row[key] = JSON.parse(value)
  }
}

/** The embedded database, for what SQL cannot say. */
let sqlite: DatabaseSync | undefined

/** SQLite, built into Node. WAL with synchronous=FULL: a write is acknowledged only when it survives a power cut. */
function embedded(folder: string): SqliteDialect {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = new DatabaseSync(join(folder, 'catalogue.sqlite'))
  sqlite = file
  file.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000')
  file.exec('PRAGMA cache_size=-65536; PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY')
  const statements = new Map<string, StatementSync>()
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text)
    if (known) return known
    if (statements.size >= 500) statements.clear()
    const statement = file.prepare(text)
    statements.set(text, statement)
    return statement
  }
  return new SqliteDialect({
    database: {
      close: () => {
        statements.clear()
        file.close()
      },
      prepare: (text) => {
        const statement = prepared(text)
        const values = (given: readonly unknown[]) => given.map(encode) as SQLInputValue[]
        return {
          reader: statement.columns().length > 0,
          all: (given) => statement.all(...values(given)),
          run: (given) => statement.run(...values(given)),
          iterate: (given) => statement.iterate(...values(given)),
        }
      },
    },
  })
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

function postgres(url: string): PostgresDialect {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  // A connection lost while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return new PostgresDialect({
    pool: {
      options: pool.options,
      end: () => pool.end(),
      connect: async () => {
        const client = await pool.connect()
        return {
          query: (text: string, values: readonly unknown[] = []) => client.query(text, values.map(encode)),
          release: () => client.release(),
        } as unknown as PostgresPoolClient
      },
    },
  })
}

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** Applies the migrations that are missing, in order, all or nothing. Refuses a database made by a newer version. */
async function migrate(): Promise<void> {
  const names = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  await db.transaction().execute(async (tx) => {
    if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(20261121)`.execute(tx)
    await sql`CREATE TABLE IF NOT EXISTS "migrations" ("name" TEXT PRIMARY KEY, "appliedAt" TEXT NOT NULL)`.execute(tx)
    const { rows } = await sql<{ name: string }>`SELECT "name" FROM "migrations"`.execute(tx)
    const applied = new Set(rows.map(({ name }) => name))
    const unknown = [...applied].find((name) => !names.includes(name))
    if (unknown)
      throw new Error(`The database was made by a newer version of Mokuroku (it has ${unknown}). Please upgrade.`)
    for (const name of names.filter((each) => !applied.has(each))) {
      for (const statement of statementsOf(readFileSync(join(MIGRATIONS, name), 'utf8')))
        await sql.raw(statement).execute(tx)
      await sql`INSERT INTO "migrations" VALUES (${name}, ${new Date().toISOString()})`.execute(tx)
    }
  })
}

/** The statements of a migration for this engine. `-- only sqlite` or `-- only postgres` above one limits it. */
function statementsOf(text: string): string[] {
  return text
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/^--.*$/gm, '').trim() !== '')
    .filter((statement) => [engine, undefined].includes(/^-- only (\w+)$/m.exec(statement)?.[1] as Engine | undefined))
    .map((statement) => (engine === 'postgres' ? statement.replace(/\bTEXT\b/g, 'TEXT COLLATE "C"') : statement))
}

/** Copies the embedded database into a file, consistent also while others write. */
export async function backUpDatabase(to: string): Promise<void> {
  if (sqlite) await backup(sqlite, to)
}

/** Whether the database answers. */
export async function isReachable(): Promise<boolean> {
  try {
    await sql`SELECT 1`.execute(db)
    return true
  } catch {
    return false
  }
}
