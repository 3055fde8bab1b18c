import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import type { Engine } from './engine.ts'
import { now } from '#lib/clock.ts'
import { machineFault } from '#lib/faults.ts'
import type { Tables } from './tables.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
/** Backs up all pages in one step: with several steps, a write in between would restart the backup. */
export const ALL_PAGES = 2 ** 31 - 1
/**
 * On PostgreSQL, how long an upgrade waits for a table lock: whoever needs the table meanwhile waits behind it. If a
 * long reader such as a backup holds the table, the upgrade retries many times, with pauses in which others can go on.
 */
const [LOCK_TIMEOUT_MS, PAUSE_MS, MAX_TRIES] = [1000, 2000, 200]

/** What migrations need of a database. */
export interface Schema {
  engine: Engine
  run(statement: string): Promise<Record<string, unknown>[]>
}

export interface Migrating {
  db: Kysely<Tables>
  engine: Engine
  /** The data folder, where the copy of an embedded database is kept. */
  folder: string
  sqlite: DatabaseSync | undefined
  /** The folder of the migrations, if not the usual one. */
  migrations?: string | undefined
  /** Called with a line for the operator. */
  log?: ((line: string) => void) | undefined
  /**
   * Called with the pending migrations before anything is changed, while no server can join (instances.ts). Throws if
   * they must not be applied now.
   */
  mayUpgrade?: ((pending: string[]) => Promise<void>) | undefined
}

/**
 * Applies the pending migrations in order, all or none. A database that has been used is upgraded only if no rows get
 * lost; an embedded one is first upgraded as a copy, and the copy of its previous state is kept. Throws an Error with a
 * one-line message, with nothing changed, if a migration fails. It also throws for a database of a newer version,
 * unless that version only added to it: a server of the previous version works during a rolling upgrade, so it may also
 * restart.
 */
export async function migrate({ db, engine, folder, sqlite, migrations, log, mayUpgrade }: Migrating): Promise<void> {
  const pending = await pendingIn(schemaOf(db, engine), migrations)
  if (pending.length === 0) return
  const copy = sqlite && (await isUsed(schemaOf(db, engine))) ? await rehearse(sqlite, folder, migrations) : undefined
  try {
    await whenTablesAreFree(log, () =>
      db.transaction().execute(async (tx) => {
        const schema = schemaOf(tx, engine)
        await startSchemaChange(schema)
        await refuseTaken(schema, migrations)
        await mayUpgrade?.(await pendingIn(schema, migrations))
        if (engine === 'postgres') await schema.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
        if (!pending.every((name) => additiveIn(name, migrations))) await dropViews(schema)
        await upgrade(schema, migrations)
      }),
    )
    const left = await pendingIn(schemaOf(db, engine), migrations)
    for (const name of left) await makeIndexes(schemaOf(db, engine), name, { migrations, log })
  } catch (error) {
    if (copy) rmSync(join(folder, copy), { force: true })
    throw error
  }
  if (!copy) return
  for (const name of readdirSync(folder)) if (isCopy(name) && name !== copy) rmSync(join(folder, name))
  log?.(`Database upgraded. The previous version is saved as ${copy}`)
}

/** Retries `work` while a table that it needs is in use. Throws an Error with a one-line message after `MAX_TRIES`. */
async function whenTablesAreFree(log: Migrating['log'], work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      if (!isInUse(error)) throw error
      if (tries === MAX_TRIES)
        throw new Error(
          'The upgrade of the database could not lock the tables: other sessions have been using them for several minutes. Wait until long reads, such as a backup, have finished, then start again.',
          { cause: error },
        )
      if (tries === 1) log?.('Waiting for other sessions to release the tables that the upgrade changes')
      await sleep(PAUSE_MS)
    }
}

/** SQLSTATE: a lock was not available in time, and a deadlock. */
const IN_USE = new Set(['55P03', '40P01'])
/** Whether a change of the schema failed because others were using the tables. */
export const isInUse = (error: unknown): boolean => IN_USE.has(String((error as { code?: unknown }).code))

/**
 * Whether a migration only adds to the schema, as its line `-- additive` says: then servers that do not know it keep
 * working.
 */
export const additiveIn = (name: string, migrations = MIGRATIONS): boolean => declares('additive', name, migrations)

/** Whether a migration has the line `-- ` followed by `what`. */
const declares = (what: string, name: string, migrations: string): boolean =>
  new RegExp(`^-- ${what}$`, 'm').test(readFileSync(join(migrations, name), 'utf8'))

/** The newest migration that this version has. */
export const newestMigration = (): string => namesIn(MIGRATIONS).at(-1) ?? ''

/**
 * Locks the schema against other builds and upgrades until the transaction ends. SQLite has one writer at a time
 * anyway.
 */
export async function holdSchema({ engine, run }: Schema): Promise<void> {
  if (engine === 'postgres') await run('SELECT pg_advisory_xact_lock(20261121)')
}

/**
 * Locks the schema like `holdSchema`, at the start of a transaction that changes it: before its first query, as it sets
 * the isolation level. What is read under the lock has to include what its previous holder committed.
 */
export async function startSchemaChange(schema: Schema): Promise<void> {
  if (schema.engine === 'postgres') await schema.run('SET TRANSACTION ISOLATION LEVEL READ COMMITTED')
  await holdSchema(schema)
}

/** The schema of the reporting views (reporting.ts), and the prefix of its comment that says that we made it. */
export const [REPORTING, OURS] = ['reporting', 'Mokuroku']

/**
 * The comment of the schema of the reporting views, and whether it is that of this catalogue: another one may have a
 * schema of its own in the same database. Undefined if there is none.
 */
export async function reportingIn({ run }: Schema): Promise<{ comment: string; isOwn: boolean } | undefined> {
  const [found] = await run(`SELECT "comment", "comment" LIKE '${OURS}%' AND NOT EXISTS (
      SELECT 1 FROM "pg_rewrite" JOIN "pg_class" AS "view" ON "view"."oid" = "ev_class"
      JOIN "pg_depend" ON "objid" = "pg_rewrite"."oid" AND "classid" = 'pg_rewrite'::regclass
      JOIN "pg_class" AS "table" ON "table"."oid" = "refobjid" AND "refclassid" = 'pg_class'::regclass
      WHERE "view"."relnamespace" = "schema"."oid" AND "table"."relkind" IN ('r', 'p')
      AND "table"."relnamespace" <> quote_ident(current_schema())::regnamespace) AS "isOwn"
    FROM (SELECT "oid", coalesce(obj_description("oid", 'pg_namespace'), '') AS "comment" FROM "pg_namespace"
      WHERE "nspname" = '${REPORTING}') AS "schema"`)
  return found as { comment: string; isOwn: boolean } | undefined
}

/**
 * Drops the reporting views on PostgreSQL: a migration that is not additive may change the columns that they select.
 */
export async function dropViews(schema: Schema): Promise<void> {
  if (schema.engine !== 'postgres' || !(await reportingIn(schema))?.isOwn) return
  const { run } = schema
  const views = await run(`SELECT "viewname" AS "name" FROM "pg_views" WHERE "schemaname" = '${REPORTING}'`)
  for (const { name } of views) await run(`DROP VIEW "${REPORTING}"."${String(name)}"`)
  if (views.length > 0) await run(`COMMENT ON SCHEMA "${REPORTING}" IS '${OURS}'`)
}

/** Applies migrations to an empty database. */
export async function build(schema: Schema, names: string[]): Promise<void> {
  await apply(schema, names, MIGRATIONS)
}

/**
 * The applied migrations of a database, in order. Throws an Error with a one-line message if one is of a newer version.
 */
export async function appliedIn(schema: Schema, migrations = MIGRATIONS): Promise<string[]> {
  const applied = (await recordsIn(schema)).map(({ name }) => name)
  refuseNewer(applied, migrations)
  return applied
}

/** The records of a database about its applied migrations, in order. */
async function recordsIn(schema: Schema): Promise<{ name: string; isAdditive: boolean }[]> {
  if (!(await tablesIn(schema)).includes('migrations')) return []
  const rows = await schema.run('SELECT * FROM "migrations"')
  // Other applications have a table of this name, too.
  if (!rows.every((row) => 'name' in row && 'appliedAt' in row)) return []
  const records = rows.map(({ name, isAdditive }) => ({ name: String(name), isAdditive: Boolean(isAdditive) }))
  return records.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Throws an Error with a one-line message if another application has tables where those of a new catalogue would be. */
async function refuseTaken(schema: Schema, migrations = MIGRATIONS): Promise<void> {
  if ((await recordsIn(schema)).length > 0) return
  const text = namesIn(migrations).map((name) => readFileSync(join(migrations, name), 'utf8'))
  const own = new Set([
    'migrations',
    ...[...text.join('\n').matchAll(/^CREATE TABLE "(\w+)"/gm)].map(([, name]) => name),
  ])
  const taken = (await tablesIn(schema)).filter((name) => own.has(name))
  if (taken.length > 0)
    throw new Error(
      schema.engine === 'postgres'
        ? `The database at DATABASE_URL has tables of another application (${taken.join(', ')}). Create a database for Mokuroku alone, and set DATABASE_URL to it.`
        : `The database in the data folder has tables of another application (${taken.join(', ')}). Set DATA_DIR to a folder for Mokuroku alone.`,
    )
}

/** This server cannot use the database, or not together with the servers that do. The message is one line. */
export class Unfit extends Error {}

/** Throws `Unfit` unless this version has all of these migrations. */
export function refuseNewer(applied: string[], migrations = MIGRATIONS): void {
  const known = namesIn(migrations)
  const unknown = applied.find((name) => !known.includes(name))
  if (unknown)
    throw new Unfit(`The database was made by a newer version of Mokuroku (it has ${unknown}). Please upgrade.`)
}

/** The names of the tables, without internal ones of the engine or of a search index. */
export async function tablesIn({ engine, run }: Schema): Promise<string[]> {
  const rows = await run(
    engine === 'postgres'
      ? `SELECT tablename AS "name" FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`
      : `SELECT "name" FROM pragma_table_list
         WHERE "schema" = 'main' AND "type" = 'table' AND "name" NOT LIKE 'sqlite%' ORDER BY 1`,
  )
  return rows.map(({ name }) => String(name))
}

/** How many rows each table has. */
export async function rowsIn(schema: Schema): Promise<Record<string, number>> {
  const counted: [string, number][] = []
  for (const table of await tablesIn(schema)) {
    const [row] = await schema.run(`SELECT count(*) AS "n" FROM "${table}"`)
    counted.push([table, Number(row?.n)])
  }
  return Object.fromEntries(counted)
}

/** The schema of the open database, or of a transaction in it. */
export const schemaOf = (db: Kysely<Tables>, engine: Engine): Schema => ({
  engine,
  run: async (statement) => (await sql.raw<Record<string, unknown>>(statement).execute(db)).rows,
})

/** The schema of an SQLite file. */
export const schemaOfFile = (file: DatabaseSync): Schema => ({
  engine: 'sqlite',
  run: async (text) => file.prepare(text).all(),
})

/**
 * The migrations that a database lacks. Throws an Error with a one-line message if a newer version applied one that is
 * not additive.
 */
export async function pendingIn(schema: Schema, migrations = MIGRATIONS): Promise<string[]> {
  const records = await recordsIn(schema)
  const applied = new Set(records.map(({ name }) => name))
  refuseNewer(
    records.filter(({ isAdditive }) => !isAdditive).map(({ name }) => name),
    migrations,
  )
  return namesIn(migrations).filter((name) => !applied.has(name))
}

/** Whether the database holds data that could get lost. Only users count: migrations may insert counters themselves. */
async function isUsed(schema: Schema): Promise<boolean> {
  const tables = await tablesIn(schema)
  if (!tables.includes('users')) return false
  const [row] = await schema.run('SELECT 1 AS "one" FROM "users" LIMIT 1')
  return row !== undefined
}

/**
 * Whether a migration only creates indexes, as its line `-- concurrently` says: PostgreSQL does so outside a
 * transaction, without blocking writes.
 */
const isConcurrent = ({ engine }: Schema, name: string, migrations: string): boolean =>
  engine === 'postgres' && declares('concurrently', name, migrations)

/**
 * Creates the indexes of a concurrent migration, one after the other. Waits for an index that another server is
 * creating, and recreates one that a killed server left invalid. If one fails, the next start tries again.
 */
async function makeIndexes(
  schema: Schema,
  name: string,
  { migrations = MIGRATIONS, log }: Pick<Migrating, 'migrations' | 'log'>,
): Promise<void> {
  log?.(`Creating new indexes (${name}) while other servers keep running`)
  try {
    for (const statement of statementsOf(readFileSync(join(migrations, name), 'utf8'), schema.engine))
      await makeIndex(schema, statement)
  } catch (error) {
    log?.(
      `Creating the indexes of ${name} failed (${(error as Error).message.split('\n')[0]}). The next start tries again.`,
    )
    return
  }
  await schema.run(`${recordOf(name, migrations)} ON CONFLICT DO NOTHING`)
}

/** The beginning of a statement that creates an index, with the names of the index and its table. */
const NEW_INDEX = /^CREATE INDEX "(\w+)" ON "(\w+)"/m

async function makeIndex(schema: Schema, statement: string): Promise<void> {
  const { run } = schema
  const [, index = '', table = ''] = NEW_INDEX.exec(statement) ?? []
  const [found] = await run(`SELECT quote_ident(current_schema()) || '."${index}"' AS "place", EXISTS (
    SELECT 1 FROM "pg_partitioned_table" WHERE "partrelid" = '"${table}"'::regclass) AS "isPartitioned"`)
  if (!found?.isPartitioned) return makeIndexAt(String(found?.place), schema, statement)
  // Only the indexes of the partitions can be created without blocking writes. That of the table is valid once it has
  // one of each partition; a partition that is created meanwhile gets one at once.
  await run(statement.replace(NEW_INDEX, `CREATE INDEX IF NOT EXISTS "${index}" ON ONLY "${table}"`))
  const missing = await run(`SELECT "nspname", "relname" FROM "pg_inherits" AS "part"
    JOIN "pg_class" ON "pg_class"."oid" = "inhrelid" JOIN "pg_namespace" ON "pg_namespace"."oid" = "relnamespace"
    WHERE "inhparent" = '"${table}"'::regclass AND NOT EXISTS (SELECT 1 FROM "pg_index"
      JOIN "pg_inherits" AS "own" ON "own"."inhrelid" = "indexrelid"
      WHERE "indrelid" = "part"."inhrelid" AND "own"."inhparent" = '"${index}"'::regclass)`)
  for (const { nspname, relname } of missing) {
    const [place, part] = [`"${String(nspname)}"`, String(relname)]
    const own = `${part}_${index}`
    await makeIndexAt(
      `${place}."${own}"`,
      schema,
      statement.replace(NEW_INDEX, `CREATE INDEX "${own}" ON ${place}."${part}"`),
    )
    await run(`ALTER INDEX "${index}" ATTACH PARTITION ${place}."${own}"`)
  }
}

/** `index` is its name, with its schema. */
async function makeIndexAt(index: string, { run }: Schema, statement: string): Promise<void> {
  for (;;) {
    const [found] = await run(`SELECT "indisvalid" AS "isValid", EXISTS (
        SELECT 1 FROM "pg_stat_progress_create_index" WHERE "index_relid" = "indexrelid") AS "isBeingMade"
      FROM "pg_index" WHERE "indexrelid" = to_regclass('${index}')`)
    if (found?.isValid) return
    if (found?.isBeingMade) {
      await sleep(PAUSE_MS)
      continue
    }
    if (found) await run(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
    try {
      await run(statement.replace('CREATE INDEX', 'CREATE INDEX CONCURRENTLY'))
    } catch (error) {
      if (!isThere(error)) throw error
    }
  }
}

/** SQLSTATE of an index whose name is taken: another server created it first. */
const isThere = (error: unknown): boolean => ['42P07', '23505'].includes(String((error as { code?: unknown }).code))

/**
 * Applies the pending migrations within a transaction. Throws, so that it is rolled back, if rows got lost. On
 * PostgreSQL, rows are not counted if all migrations are additive: other servers run meanwhile (instances.ts), and may
 * delete some.
 */
async function upgrade(schema: Schema, migrations = MIGRATIONS): Promise<void> {
  const used = await isUsed(schema)
  const missing = await pendingIn(schema, migrations)
  const pending = missing.filter((name) => !used || !isConcurrent(schema, name, migrations))
  const isAlone = schema.engine === 'sqlite' || !pending.every((name) => additiveIn(name, migrations))
  const before = used && isAlone ? await rowsIn(schema) : {}
  await apply(schema, pending, migrations)
  if (Object.keys(before).length === 0) return
  const after = await rowsIn(schema)
  const mayShrink = new Set(pending.flatMap((name) => shrunkBy(readFileSync(join(migrations, name), 'utf8'))))
  for (const [table, count] of Object.entries(before)) {
    const left = after[table] ?? 0
    if (left < count && !mayShrink.has(table))
      refuse(`${pending.join(', ')} would lose ${count - left} of ${count} rows of ${table}`)
  }
}

async function apply(schema: Schema, names: string[], migrations: string): Promise<void> {
  await schema.run('CREATE TABLE IF NOT EXISTS "migrations" ("name" TEXT PRIMARY KEY, "appliedAt" TEXT NOT NULL)')
  const [record] = await schema.run('SELECT * FROM "migrations" LIMIT 1')
  if (!record || !('isAdditive' in record)) await schema.run('ALTER TABLE "migrations" ADD COLUMN "isAdditive" INTEGER')
  for (const name of names) {
    try {
      for (const statement of statementsOf(readFileSync(join(migrations, name), 'utf8'), schema.engine))
        await schema.run(statement)
    } catch (error) {
      // Not because of the migration: the tables are in use, the database is gone, or the disk is full.
      if (machineFault(error)) throw error
      refuse(`${name} failed (${(error as Error).message.split('\n')[0]})`)
    }
    await schema.run(recordOf(name, migrations))
  }
}

const recordOf = (name: string, migrations: string): string =>
  `INSERT INTO "migrations" VALUES ('${name}', '${now()}', ${additiveIn(name, migrations) ? 1 : 0})`

function refuse(reason: string): never {
  throw new Error(`Database upgrade failed: ${reason}. Nothing was changed. Run the previous version and report this.`)
}

/**
 * Upgrades a copy and rolls it back, so that the copy keeps the previous state of the database. Returns its file name.
 */
async function rehearse(sqlite: DatabaseSync, folder: string, migrations = MIGRATIONS): Promise<string> {
  const [first = ''] = await pendingIn(schemaOfFile(sqlite), migrations)
  const name = `catalogue.before-${first.replace(/\.sql$/, '')}.sqlite`
  const path = join(folder, `${name}.partial`)
  const drop = () => {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(path + end, { force: true })
  }
  drop()
  try {
    await backup(sqlite, path, { rate: ALL_PAGES }).catch((error: Error) =>
      refuse(`there must be room for a copy in ${folder} (${error.message})`),
    )
    const file = new DatabaseSync(path)
    try {
      file.exec('PRAGMA journal_mode=DELETE; PRAGMA foreign_keys=ON; BEGIN')
      await upgrade(schemaOfFile(file), migrations)
      const [broken] = file.prepare('SELECT "table" FROM pragma_foreign_key_check').all()
      if (broken) refuse(`it would leave rows of ${String(broken.table)} pointing at nothing`)
      file.exec('ROLLBACK')
    } finally {
      file.close()
    }
    renameSync(path, join(folder, name))
    return name
  } finally {
    drop()
  }
}

const isCopy = (name: string): boolean => /^catalogue\.before-.*\.sqlite(\.partial)?$/.test(name)

const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()

/** The tables that a migration may delete rows from, as its lines `-- loses rows of <table>` say. */
const shrunkBy = (text: string): string[] =>
  [...text.matchAll(/^-- loses rows of (\w+)$/gm)].map(([, name = '']) => name)

/** The statements of a migration for an engine. A line `-- only sqlite` or `-- only postgres` above one limits it. */
function statementsOf(text: string, engine: Engine): string[] {
  return text
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/^--.*$/gm, '').trim() !== '')
    .filter((statement) => [engine, undefined].includes(/^-- only (\w+)$/m.exec(statement)?.[1] as Engine | undefined))
    .map((statement) => (engine === 'postgres' ? statement.replace(/\bTEXT\b/g, 'TEXT COLLATE "C"') : statement))
}
