// On PostgreSQL, tables that grow forever can be partitioned by month (docs/decisions/031). The partition key is the
// id, which starts with its creation time (UUIDv7): so the primary key need not contain a date.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { firstIdAt, MAX_SKEW_MS } from '#lib/ids.ts'
import { db, engine } from './db.ts'
import { dropViews, isInUse, startSchemaChange, REPORTING, reportingIn, type Schema, schemaOf } from './migrate.ts'
import { withoutTimeouts } from './pooledConnection.ts'
import { DAY_MS, time } from '#lib/clock.ts'
import { refreshReporting } from './reporting.ts'

export const PARTITIONED = ['revisions', 'history', 'activities', 'audit'] as const
/** The schema of the partitions. Commands and checks only use the tables themselves. */
const PARTITIONS = 'partitions'
/** How many months after the current one have a partition. */
const MONTHS_AHEAD = 3
/**
 * How long a schema change waits for a table lock, while others queue behind it; how often it is tried; and the pause
 * between.
 */
const [LOCK_TIMEOUT, MAX_ATTEMPTS, RETRY_MS] = ['2s', 30, 2000]
/** The constraint that a killed command has left on a table is dropped this long before it would reject rows. */
const BOUND_AHEAD_MS = 14 * DAY_MS
/**
 * SQLSTATE of a month that stays without a partition: the default partition already has rows of it, or a table has its
 * name, as after a partition was detached by hand.
 */
const [CHECK_VIOLATION, DUPLICATE_TABLE] = ['23514', '42P07']
/** SQLSTATE: the privilege to create a schema is missing. */
const NOT_ALLOWED = '42501'

type Table = (typeof PARTITIONED)[number]

/**
 * Partitions the tables by month, while servers keep reading and writing. The existing rows stay where they are, and
 * become the first partition. Returns the names of the tables that were not partitioned before. Throws an Error with a
 * one-line message if it cannot be done; each table is changed completely or not at all.
 */
export async function partition(at = time()): Promise<Table[]> {
  if (engine !== 'postgres') throw new Error('Only PostgreSQL has partitions. The embedded database needs none.')
  const schema = schemaOf(db, engine)
  const left = await unpartitioned(schema)
  await refuseUsers(schema, left)
  await prepareSchema(schema, left)
  await withoutTimeouts(async () => {
    for (const table of left) {
      await split(schema, table, at)
      await refreshReporting(db)
    }
  })
  await keepPartitions(at)
  return left
}

/**
 * Creates the partitions of the coming months, and drops those of past months that retention has emptied. Does nothing
 * on tables that are not partitioned. Partitions in use are left until the next run.
 */
export async function keepPartitions(at = time()): Promise<void> {
  if (engine !== 'postgres') return
  const schema = schemaOf(db, engine)
  for (const table of PARTITIONED) {
    const parts = await partsOf(schema, table)
    if (parts.length === 0) {
      await dropLeftBound(schema, table, at)
      continue
    }
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
      const first = firstIdAt(monthAt(at, ahead))
      // Compared with each one: months far ahead have partitions if the clock was wrong for a while.
      const isCovered = parts.some(({ from, until }) => until !== null && (from ?? '') <= first && first < until)
      if (!isCovered) await addMonth(schema, table, at, ahead)
    }
    const past = firstIdAt(monthAt(at, 0) - MAX_SKEW_MS)
    for (const { name, until } of parts) if (until !== null && until <= past) await dropEmpty(schema, name)
  }
}

async function unpartitioned({ run }: Schema): Promise<Table[]> {
  const rows = await run(`SELECT "relname" AS "name" FROM "pg_class"
    WHERE "relkind" = 'r' AND "relnamespace" = quote_ident(current_schema())::regnamespace`)
  return PARTITIONED.filter((table) => rows.some(({ name }) => name === table))
}

/**
 * Creates the schema of the partitions if there is none. Throws if this user may not, or if another catalogue, with a
 * schema of its own in this database, has its partitions there.
 */
async function prepareSchema({ run }: Schema, tables: Table[]): Promise<void> {
  const among = tables.map((table) => `'${laterOf(table)}'`).join(', ')
  const parts = `SELECT 1 FROM "pg_tables" WHERE "schemaname" = '${PARTITIONS}' AND "tablename" IN (${among || "''"})`
  const [found] = await run(
    `SELECT to_regnamespace('${PARTITIONS}') IS NULL AS "isNew", EXISTS (${parts}) AS "isTaken"`,
  )
  if (found?.isTaken)
    throw new Error(`The schema ${PARTITIONS} has the partitions of another catalogue: one database has room for one.`)
  if (!found?.isNew) return
  try {
    await run(`CREATE SCHEMA IF NOT EXISTS "${PARTITIONS}"`)
  } catch (error) {
    if ((error as { code?: unknown }).code !== NOT_ALLOWED) throw error
    throw new Error(
      `The user in DATABASE_URL may not create the schema ${PARTITIONS}. Create it: CREATE SCHEMA ${PARTITIONS} AUTHORIZATION ….`,
      { cause: error },
    )
  }
}

/**
 * Throws if a view or publication that is not ours depends on a table: it would silently keep referring to the old rows
 * only, or publish changes under the names of partitions. A publication of all tables, or of the schema, does neither
 * if it publishes by the partitioned table (`pubviaroot`).
 */
async function refuseUsers(schema: Schema, tables: Table[]): Promise<void> {
  const { run } = schema
  const among = tables.map((table) => `'"${table}"'::regclass`).join(', ')
  if (among === '') return
  // The reporting views of this catalogue are recreated.
  const ours = (await reportingIn(schema))?.isOwn ? REPORTING : ''
  const users = await run(`
    SELECT DISTINCT 'view ' || "view"."oid"::regclass AS "user" FROM "pg_depend"
    JOIN "pg_rewrite" ON "pg_rewrite"."oid" = "pg_depend"."objid"
    JOIN "pg_class" AS "view" ON "view"."oid" = "pg_rewrite"."ev_class"
    WHERE "refclassid" = 'pg_class'::regclass AND "refobjid" IN (${among})
    AND "relnamespace" NOT IN (SELECT "oid" FROM "pg_namespace" WHERE "nspname" = '${ours}')
    UNION ALL
    SELECT DISTINCT 'publication ' || "pubname" FROM "pg_publication" AS "p" JOIN "pg_publication_tables" USING ("pubname")
    WHERE "schemaname" = current_schema() AND "tablename" IN (${tables.map((table) => `'${table}'`).join(', ')})
    AND NOT ("pubviaroot" AND NOT EXISTS (SELECT 1 FROM "pg_publication_rel" WHERE "prpubid" = "p"."oid"))`)
  if (users.length === 0) return
  const names = users.map(({ user }) => user).join(', ')
  throw new Error(`Drop these first, and create them again afterwards: ${names}.`)
}

/** The name of the first partition, and of the constraint that rejects rows beyond it while it is being made. */
const boundOf = (table: Table): string => `${table}_before`
/** The name of the default partition. */
const laterOf = (table: Table): string => `${table}_later`
const unbound = (table: Table): string => `ALTER TABLE "${table}" DROP CONSTRAINT IF EXISTS "${boundOf(table)}"`

/**
 * Drops the constraint that a killed command has left, a while before it would reject rows. A running command has set
 * its own at least a month ahead.
 */
async function dropLeftBound(schema: Schema, table: Table, at: number): Promise<void> {
  const [left] = await schema.run(`SELECT substring(pg_get_constraintdef("oid") from '''([^'']+)''') AS "end"
    FROM "pg_constraint" WHERE "conrelid" = '"${table}"'::regclass AND "conname" = '${boundOf(table)}'`)
  if (left && String(left.end) < firstIdAt(at + BOUND_AHEAD_MS))
    await inTurn(schema, ({ run }) => run(unbound(table)), 1)
}

/** The start of the month that is `ahead` months after that of `at`: in milliseconds, in UTC. */
function monthAt(at: number, ahead: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead)
}

/** Converts a table to a partitioned one, whose first partition is the old table. */
async function split(schema: Schema, table: Table, at: number): Promise<void> {
  // The first partition also covers this month and the next one. Until it is attached, no row beyond it may be
  // inserted.
  const end = firstIdAt(monthAt(at, 2))
  const bound = `ALTER TABLE "${table}" ADD CONSTRAINT "${boundOf(table)}" CHECK ("_id" < '${end}') NOT VALID`
  const key = table === 'audit' ? '"seq", "_id"' : '"_id"'
  await inTurn(schema, async ({ run }) => {
    await run(unbound(table))
    await run(bound)
    await run(`DROP INDEX IF EXISTS "${table}_key"`)
  })
  try {
    // The slow steps run without blocking others: checking the existing rows, and building the longer key.
    await schema.run(`ALTER TABLE "${table}" VALIDATE CONSTRAINT "${boundOf(table)}"`)
    if (table === 'audit') await schema.run(`CREATE UNIQUE INDEX CONCURRENTLY "${table}_key" ON "${table}" (${key})`)
    await inTurn(schema, (tx) => exchange(tx, table, key, end))
  } catch (error) {
    await inTurn(schema, ({ run }) => run(unbound(table)))
    throw error
  }
}

/**
 * Replaces the table by a partitioned one with the same indexes, triggers and grants, and attaches the old table to it.
 */
async function exchange(schema: Schema, table: Table, key: string, end: string): Promise<void> {
  const { run } = schema
  const before = `"${PARTITIONS}"."${boundOf(table)}"`
  await run(`LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`)
  // The reporting views of the product are recreated later.
  await dropViews(schema)
  const indexes = await run(`SELECT pg_get_indexdef("indexrelid") AS "text" FROM "pg_index"
    WHERE "indrelid" = '"${table}"'::regclass AND NOT "indisunique"`)
  const triggers = await triggersOf(schema, table)
  const grants = await run(`SELECT format('GRANT %s ON %s TO %s', "privilege_type", '"${table}"',
      CASE WHEN "grantee" = 0 THEN 'PUBLIC' ELSE "grantee"::regrole::text END) AS "text"
    FROM "pg_class", aclexplode("relacl") WHERE "oid" = '"${table}"'::regclass AND "grantee" <> "relowner"`)
  // A foreign key to a partitioned table has to be looked up in dozens of partitions for each row. It is not needed:
  // both tables are written, and deleted from, in the same transaction.
  if (table === 'revisions') await run(`ALTER TABLE "history" DROP CONSTRAINT IF EXISTS "history_revisionId_fkey"`)
  for (const { name } of triggers.filter(({ isOfRow }) => isOfRow)) await run(`DROP TRIGGER "${name}" ON "${table}"`)
  if (table === 'audit')
    await run(`ALTER TABLE "audit" DROP CONSTRAINT "audit_pkey", ADD PRIMARY KEY USING INDEX "audit_key"`)

  await run(`ALTER TABLE "${table}" SET SCHEMA "${PARTITIONS}"`)
  await run(`ALTER TABLE "${PARTITIONS}"."${table}" RENAME TO "${boundOf(table)}"`)
  await run(`CREATE TABLE "${table}" (LIKE ${before} INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE ("_id")`)
  await run(`ALTER TABLE "${table}" ADD PRIMARY KEY (${key})`)
  for (const { text } of [...indexes, ...triggers, ...grants]) await run(String(text))
  await run(`ALTER TABLE "${table}" ATTACH PARTITION ${before} FOR VALUES FROM (MINVALUE) TO ('${end}')`)
  await run(`ALTER TABLE ${before} DROP CONSTRAINT IF EXISTS "${boundOf(table)}"`)
  // The default partition takes rows of months that have no partition yet: no row is ever rejected.
  await addPart(schema, table, laterOf(table), 'DEFAULT')
}

interface Trigger {
  name: string
  text: string
  /** A row-level trigger: partitions inherit it from the table. */
  isOfRow: boolean
}

async function triggersOf({ run }: Schema, table: Table): Promise<Trigger[]> {
  const rows = await run(`SELECT "tgname" AS "name", pg_get_triggerdef("oid") AS "text", "tgtype" & 1 AS "row"
    FROM "pg_trigger" WHERE "tgrelid" = '"${table}"'::regclass AND NOT "tgisinternal"`)
  return rows.map(({ name, text, row }) => ({ name: String(name), text: String(text), isOfRow: row === 1 }))
}

interface Part {
  name: string
  /** The lower bound of its ids; null for the first partition, and for the default one. */
  from: string | null
  /** The exclusive upper bound of its ids; null for the default partition. */
  until: string | null
}

async function partsOf({ run }: Schema, table: Table): Promise<Part[]> {
  const rows = await run(`SELECT "relname" AS "name",
      substring(pg_get_expr("relpartbound", "pg_class"."oid") from 'FROM \\(''([^'']+)''\\)') AS "from",
      substring(pg_get_expr("relpartbound", "pg_class"."oid") from 'TO \\(''([^'']+)''\\)') AS "until"
    FROM "pg_inherits" JOIN "pg_class" ON "pg_class"."oid" = "inhrelid"
    WHERE "inhparent" = '"${table}"'::regclass ORDER BY "until"`)
  return rows as unknown as Part[]
}

/**
 * Adds a partition for a range of ids, with the structure of the others. Unique indexes and statement-level triggers
 * are not inherited, so it gets its own.
 */
async function addPart(schema: Schema, table: Table, name: string, range: string): Promise<void> {
  const { run } = schema
  const [sibling] = await partsOf(schema, table)
  const part = `"${PARTITIONS}"."${name}"`
  await run(`CREATE TABLE ${part} (LIKE "${PARTITIONS}"."${sibling?.name}" INCLUDING ALL)`)
  await run(`ALTER TABLE "${table}" ATTACH PARTITION ${part} ${range}`)
  for (const { text, isOfRow } of await triggersOf(schema, table))
    if (!isOfRow) await run(text.replace(/ ON .+? FOR EACH /, ` ON ${part} FOR EACH `))
}

async function addMonth(schema: Schema, table: Table, at: number, ahead: number): Promise<void> {
  const [from, to] = [monthAt(at, ahead), monthAt(at, ahead + 1)]
  const name = `${table}_${new Date(from).toISOString().slice(0, 7).replace('-', '_')}`
  const range = `FOR VALUES FROM ('${firstIdAt(from)}') TO ('${firstIdAt(to)}')`
  try {
    await inTurn(schema, (tx) => addPart(tx, table, name, range), 1)
  } catch (error) {
    // Its rows are in the default partition.
    const { code } = error as { code?: unknown }
    if (code !== CHECK_VIOLATION && code !== DUPLICATE_TABLE) throw error
  }
}

async function dropEmpty(schema: Schema, name: string): Promise<void> {
  const part = `"${PARTITIONS}"."${name}"`
  const isEmpty = async ({ run }: Schema) => (await run(`SELECT 1 AS "one" FROM ${part} LIMIT 1`)).length === 0
  if (!(await isEmpty(schema))) return
  await inTurn(
    schema,
    async (tx) => {
      await tx.run(`LOCK TABLE ${part} IN ACCESS EXCLUSIVE MODE`)
      if (await isEmpty(tx)) await tx.run(`DROP TABLE ${part}`)
    },
    1,
  )
}

/**
 * Changes the schema in a transaction, one server at a time. It never waits long for a lock: those who use the table go
 * on, and it is retried. With a single attempt, it is left until the next run.
 */
async function inTurn(schema: Schema, work: (tx: Schema) => Promise<unknown>, attempts = MAX_ATTEMPTS): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await db.transaction().execute(async (tx) => {
        await sql.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`).execute(tx)
        const own = schemaOf(tx, schema.engine)
        await startSchemaChange(own)
        await work(own)
      })
      return
    } catch (error) {
      if (!isInUse(error)) throw error
      if (attempts === 1) return
      if (attempt === attempts)
        throw new Error('Could not lock the tables: they are in constant use. Try again when there is less traffic.', {
          cause: error,
        })
      await sleep(RETRY_MS * Math.random())
    }
}
