import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import { backUpDatabase, db, engine } from './db.ts'
import { flush } from '#lib/flush.ts'
import {
  appliedIn,
  build,
  startSchemaChange,
  rowsIn,
  type Schema,
  schemaOf,
  schemaOfFile,
  tablesIn,
} from './migrate.ts'
import { withoutTimeouts } from './pooledConnection.ts'
import { uncreatable } from './requirements.ts'
import type { Tables } from './tables.ts'
import { ADMIN_COMMAND } from '#lib/adminCommand.ts'

/** The maximum number of rows in memory at a time. */
const CHUNK_SIZE = 500
/** The search index is not copied but rebuilt: each engine has its own. */
const DERIVED = 'labels'

type Row = Record<string, unknown>
/** Called with the table and the number of its rows copied so far. */
type Progress = (table: string, rows: number) => void

/**
 * Copies the open database, of either engine, into a new SQLite file. The copy is a consistent snapshot, taken while
 * others write. From PostgreSQL everything is copied except the search index, which has to be rebuilt.
 */
export async function copyDatabaseTo(path: string, progress: Progress): Promise<void> {
  if (engine === 'sqlite') await backUpDatabase(path)
  const file = new DatabaseSync(path)
  try {
    if (engine === 'postgres') await fill(file, progress)
    // Without a WAL file beside it, the copy is a single file that can be read from anywhere.
    file.exec('PRAGMA journal_mode=DELETE')
    const [check] = file.prepare('PRAGMA quick_check(1)').all()
    if (check?.quick_check !== 'ok')
      throw new Error(
        `The copy of the database is damaged (${String(check?.quick_check)}). Run: ${ADMIN_COMMAND} verify`,
      )
  } finally {
    file.close()
  }
  flush(path)
}

/**
 * The applied migrations of a copied database, and the number of rows of each table. Throws an Error with a one-line
 * message if a newer version made it.
 */
export async function contentsOf(path: string): Promise<{ migrations: string[]; tables: Record<string, number> }> {
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    const schema = schemaOfFile(file)
    return { migrations: await appliedIn(schema), tables: await rowsIn(schema) }
  } finally {
    file.close()
  }
}

/** Throws an Error with a one-line message unless the open database holds nothing but what these migrations insert. */
export async function refuseUsed(migrations: string[]): Promise<void> {
  const tables = await rowsIn(schemaOf(db, engine))
  if (Object.keys(tables).length === 0) return
  const unused = await unusedRows(migrations)
  const isUnused = Object.keys({ ...tables, ...unused }).every((table) => tables[table] === unused[table])
  if (!isUnused)
    throw new Error('The database at DATABASE_URL is not empty. Create a new one, and set DATABASE_URL to it.')
}

/** The number of rows of each table when only migrations have written any. */
async function unusedRows(migrations: string[]): Promise<Record<string, number>> {
  const file = new DatabaseSync(':memory:')
  try {
    await build(schemaOfFile(file), migrations)
    return await rowsIn(schemaOfFile(file))
  } finally {
    file.close()
  }
}

/**
 * Whether `copyDatabaseFrom` has filled the open PostgreSQL database from the backup with this hash. The number of its rows
 * does not show it: what follows the copy, such as an upgrade, changes it.
 */
export async function isFilledFrom(backup: string): Promise<boolean> {
  const [found] = await schemaOf(db, engine).run(
    `SELECT obj_description(to_regclass(quote_ident(current_schema()) || '.migrations'), 'pg_class') AS "comment"`,
  )
  return found?.comment === filledFrom(backup)
}

/**
 * From now on, `isFilledFrom` is false: the restore is complete, and what the database holds, or a copy of it, may be more
 * than the backup.
 */
export async function forgetBackup(): Promise<void> {
  if (engine === 'postgres') await schemaOf(db, engine).run('COMMENT ON TABLE "migrations" IS NULL')
}

/** The comment of the table of migrations in a database that is being filled from a backup. */
const filledFrom = (backup: string): string => `Restored from ${backup}`

/**
 * Copies a file made by `copyDatabaseTo` into the open, empty PostgreSQL database, in one transaction. `backup` is the
 * hash of the backup that it is from, in hexadecimal. Throws an Error with a one-line message if the user may not create
 * the tables, or does not own them.
 */
export async function copyDatabaseFrom(path: string, backup: string, progress: Progress): Promise<void> {
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    await withoutTimeouts(async () => {
      await db
        .withoutPlugins()
        .transaction()
        .execute((tx) => copyRows(file, tx, backup, progress))
      await sql`ANALYZE`.execute(db)
    })
  } catch (error) {
    throw (await uncreatable(error, schemaOf(db, engine))) ?? error
  } finally {
    file.close()
  }
}

async function copyRows(file: DatabaseSync, tx: Kysely<Tables>, backup: string, progress: Progress): Promise<void> {
  const [from, to] = [schemaOfFile(file), schemaOf(tx, engine)]
  const migrations = await appliedIn(from)
  await startSchemaChange(to)
  if ((await tablesIn(to)).length === 0) await build(to, migrations)
  // Before any row, as it also shows whether the tables belong to this user.
  await to.run(`COMMENT ON TABLE "migrations" IS '${filledFrom(backup)}'`)
  const held = await rowsIn(to)
  for (const table of await inOrder(from)) {
    const columns = await columnsOf(from, table)
    const end = held[table] === 0 ? '' : overwriting(columns)
    let copied = 0
    for (const rows of chunks(file, table, columns)) {
      await insert(tx, table, columns, rows, end)
      progress(table, (copied += rows.length))
    }
  }
  await advanceSequences(to)
  await markIndexOutdated(to)
}

async function fill(file: DatabaseSync, progress: Progress): Promise<void> {
  file.exec('PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF')
  const to = schemaOfFile(file)
  await withoutTimeouts(() =>
    db
      .withoutPlugins()
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        await build(to, await appliedIn(schemaOf(tx, engine)))
        for (const table of await inOrder(to)) await fetchTable(tx, file, table, await columnsOf(to, table), progress)
      }),
  )
  await markIndexOutdated(to)
}

async function fetchTable(
  tx: Kysely<Tables>,
  file: DatabaseSync,
  table: string,
  columns: Column[],
  progress: Progress,
): Promise<void> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const places = columns.map(() => '?').join(', ')
  const add = file.prepare(`INSERT INTO "${table}" (${names}) VALUES (${places}) ${overwriting(columns)}`)
  await sql.raw(`DECLARE "copied" NO SCROLL CURSOR FOR SELECT ${names} FROM "${table}"`).execute(tx)
  for (let copied = 0; ;) {
    const { rows } = await sql.raw<Row>(`FETCH ${CHUNK_SIZE} FROM "copied"`).execute(tx)
    file.exec('BEGIN')
    for (const row of rows) add.run(...columns.map(({ name }) => row[name] as SQLInputValue))
    file.exec('COMMIT')
    if (rows.length > 0) progress(table, (copied += rows.length))
    if (rows.length < CHUNK_SIZE) break
  }
  await sql`CLOSE "copied"`.execute(tx)
}

async function insert(tx: Kysely<Tables>, table: string, columns: Column[], rows: Row[], end: string): Promise<void> {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  const values = rows.map((row) => sql`(${sql.join(columns.map(({ name }) => row[name]))})`)
  const statement = sql`INSERT INTO ${sql.table(table)} (${names}) VALUES ${sql.join(values)}`
  await sql`${statement} ${sql.raw(end)}`.execute(tx)
}

function* chunks(file: DatabaseSync, table: string, columns: Column[]): Generator<Row[]> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  // A PostgreSQL statement takes at most 65,535 parameters.
  const rowsPerStatement = Math.min(CHUNK_SIZE, Math.floor(65_535 / columns.length))
  let rows: Row[] = []
  for (const row of file.prepare(`SELECT ${names} FROM "${table}"`).iterate()) {
    rows.push(row)
    if (rows.length < rowsPerStatement) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

interface Column {
  name: string
  isKey: boolean
}

async function columnsOf({ run }: Schema, table: string): Promise<Column[]> {
  const rows = await run(`SELECT "name", "pk" FROM pragma_table_info('${table}')`)
  return rows.map(({ name, pk }) => ({ name: String(name), isKey: Number(pk) > 0 }))
}

/**
 * The ON CONFLICT clause for a table into which a migration has already inserted rows: the copied rows replace them.
 */
function overwriting(columns: Column[]): string {
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => `"${name}"`)
  const others = columns.filter(({ isKey }) => !isKey).map(({ name }) => `"${name}" = excluded."${name}"`)
  return others.length === 0
    ? `ON CONFLICT (${keys.join(', ')}) DO NOTHING`
    : `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${others.join(', ')}`
}

/** The tables to copy, referenced tables before those with foreign keys to them. */
async function inOrder(file: Schema): Promise<string[]> {
  const waiting = (await tablesIn(file)).filter((table) => table !== DERIVED)
  const order: string[] = []
  const targets = new Map<string, string[]>()
  for (const table of waiting) {
    const rows = await file.run(`SELECT "table" FROM pragma_foreign_key_list('${table}')`)
    targets.set(
      table,
      rows.map((row) => String(row.table)).filter((target) => target !== table),
    )
  }
  while (order.length < waiting.length) {
    const next = waiting.filter(
      (table) => !order.includes(table) && (targets.get(table) ?? []).every((target) => order.includes(target)),
    )
    if (next.length === 0) throw new Error('The tables of the database point at each other in a circle.')
    order.push(...next)
  }
  return order
}

/** Lets identity columns of PostgreSQL continue after the highest number that was copied. */
async function advanceSequences({ run }: Schema): Promise<void> {
  const found = await run(`SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_identity = 'YES'`)
  for (const { table, column } of found)
    await run(`SELECT setval(pg_get_serial_sequence('"${String(table)}"', '${String(column)}'), max("${String(column)}"))
      FROM "${String(table)}" HAVING max("${String(column)}") IS NOT NULL`)
}

/**
 * Marks the search index as outdated: unless it is rebuilt before, the next start of the server rebuilds it
 * (search/store.ts).
 */
const markIndexOutdated = ({ run }: Schema): Promise<Row[]> =>
  run(`INSERT INTO "counters" ("name", "value") VALUES ('searchVersion', 0)
    ON CONFLICT ("name") DO UPDATE SET "value" = 0`)

/** Runs `work`, which must only read, on a snapshot of the open database. Writers are not blocked. */
export async function inSnapshot<T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
  if (engine === 'postgres')
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
  await sql`BEGIN DEFERRED`.execute(db)
  try {
    return await work(db)
  } finally {
    await sql`COMMIT`.execute(db)
  }
}
