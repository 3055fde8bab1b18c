// Bulk inserts directly into the database, to fill the databases of benchmarks.
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import pg from 'pg'

type Value = string | number | null

/** Inserts rows. Indexes are dropped at the start and created again by `end`. */
export interface Bulk {
  add(table: string, row: Record<string, Value>): Promise<void>
  run(statement: string): Promise<unknown>
  end(): Promise<void>
}

/** Inserts into the embedded database of a data folder, which no server may have open. */
export function sqliteBulk(folder: string): Bulk {
  const file = new DatabaseSync(join(folder, 'catalogue.sqlite'))
  file.exec('PRAGMA synchronous=OFF; PRAGMA cache_size=-262144; PRAGMA temp_store=MEMORY')
  const indexes = file.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").all()
  file.exec('BEGIN')
  for (const { name } of indexes) file.exec(`DROP INDEX "${String(name)}"`)
  const statements = new Map<string, StatementSync>()
  const prepared = (table: string, row: Record<string, Value>): StatementSync => {
    const columns = Object.keys(row)
    const known = statements.get(table)
    if (known) return known
    const names = columns.map((name) => `"${name}"`)
    const statement = file.prepare(`INSERT INTO "${table}" (${names.join()}) VALUES (${columns.map(() => '?').join()})`)
    statements.set(table, statement)
    return statement
  }
  return {
    add: (table, row) => {
      prepared(table, row).run(...Object.values(row))
      return Promise.resolve()
    },
    run: (statement) => Promise.resolve(file.exec(statement)),
    end: () => {
      for (const { sql } of indexes) file.exec(String(sql))
      file.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
      file.close()
      return Promise.resolve()
    },
  }
}

const BATCH_SIZE = 2000

/** Inserts into a PostgreSQL database, 2,000 rows per statement, passed as one array per column. */
export async function postgresBulk(url: string): Promise<Bulk> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("SET maintenance_work_mem = '512MB'; SET synchronous_commit = off")
  // Disables foreign keys: the tables are filled at the same time, so a row may come before one that it references.
  await client.query('SET session_replication_role = replica')
  const all = await client.query<{ indexname: string; indexdef: string }>(
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT LIKE '%_pkey'",
  )
  for (const { indexname } of all.rows) await client.query(`DROP INDEX "${indexname}"`)
  const { rows: columns } = await client.query<{ table_name: string; column_name: string; data_type: string }>(
    "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'",
  )
  const types = new Map(columns.map((each) => [`${each.table_name}.${each.column_name}`, each.data_type]))
  const waiting = new Map<string, Record<string, Value>[]>()
  const flush = async (table: string): Promise<void> => {
    const rows = waiting.get(table) ?? []
    waiting.set(table, [])
    const names = Object.keys(rows[0] ?? {})
    if (names.length === 0) return
    const arrays = names.map((name, at) => `$${at + 1}::${types.get(`${table}.${name}`)}[]`)
    const text = `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join()}) SELECT * FROM unnest(${arrays.join()})`
    await client.query(
      text,
      names.map((name) => rows.map((row) => row[name])),
    )
  }
  return {
    add: async (table, row) => {
      const rows = waiting.get(table) ?? []
      waiting.set(table, rows)
      if (rows.push(row) >= BATCH_SIZE) await flush(table)
    },
    run: (statement) => client.query(statement),
    end: async () => {
      for (const table of waiting.keys()) await flush(table)
      for (const { indexdef } of all.rows) await client.query(indexdef)
      await client.query('VACUUM ANALYZE')
      await client.query('CHECKPOINT')
      await client.end()
    },
  }
}
