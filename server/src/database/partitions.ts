// On PostgreSQL, what grows for ever can be kept in a table for each month (docs/decisions/031). Its rows are told apart by
// their ids, which begin with the moment they were made (UUIDv7): so the key of a row need not hold a date.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { firstIdAt, MAX_SKEW_MS } from '#lib/ids.ts'
import { db, engine } from './db.ts'
import { dropViews, holdSchema, REPORTING, type Schema, schemaOf } from './migrate.ts'
import { enforceTimeouts } from './postgres.ts'
import { time } from '#lib/clock.ts'
import { refreshReporting } from './reporting.ts'

export const PARTITIONED = ['revisions', 'history', 'activities', 'audit'] as const
/** The schema that the partitions are in. Commands and checks know the tables, not their parts. */
const PARTITIONS = 'partitions'
/** So many months beyond the present one have a partition. */
const MONTHS_AHEAD = 3
/** How long a change waits for those who use a table, while others wait behind it; and how often it is tried. */
const [LOCK_TIMEOUT, MAX_ATTEMPTS, RETRY_MS] = ['2s', 30, 2000]
/** The limit of a table whose command was killed is lifted so long before it matters. */
const BOUND_AHEAD_MS = 14 * 24 * 60 * 60 * 1000
/** SQLSTATE: a lock was not had in time, or each waited for the other. */
const IN_USE = new Set(['55P03', '40P01'])
/** SQLSTATE: rows are where they would not be any more. */
const CHECK_VIOLATION = '23514'

type Table = (typeof PARTITIONED)[number]

/**
 * Has the tables kept by month from now on, while servers go on reading and writing. What they hold stays where it is, as
 * the first partition. Answers the names of those that were not kept so before. Throws an Error of one line where it
 * cannot be done; each table is changed as a whole, or not at all.
 */
export async function partition(at = time()): Promise<Table[]> {
  if (engine !== 'postgres') throw new Error('Only PostgreSQL has partitions. The embedded database needs none.')
  const schema = schemaOf(db, engine)
  const left = await unpartitioned(schema)
  await refuseUsers(schema, left)
  enforceTimeouts(false)
  try {
    for (const table of left) {
      await split(schema, table, at)
      await refreshReporting(db)
    }
  } finally {
    enforceTimeouts(true)
  }
  await keepPartitions(at)
  return left
}

/**
 * Makes the partitions of the coming months, and takes away those of past months that retention has emptied. Does nothing
 * where there are none. What is in use for long is left to the next time.
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
    const covered =
      parts
        .map(({ until }) => until ?? '')
        .toSorted()
        .at(-1) ?? ''
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++)
      if (firstIdAt(monthAt(at, ahead)) >= covered) await addMonth(schema, table, at, ahead)
    const past = firstIdAt(monthAt(at, 0) - MAX_SKEW_MS)
    for (const { name, until } of parts) if (until !== null && until <= past) await dropEmpty(schema, name)
  }
}

async function unpartitioned({ run }: Schema): Promise<Table[]> {
  const rows = await run(`SELECT "relname" AS "name" FROM "pg_class"
    WHERE "relkind" = 'r' AND "relnamespace" = current_schema()::regnamespace`)
  return PARTITIONED.filter((table) => rows.some(({ name }) => name === table))
}

/** Throws where something of others holds on to a table: it would see the rows of before only, and not say so. */
async function refuseUsers({ run }: Schema, tables: Table[]): Promise<void> {
  const among = tables.map((table) => `'"${table}"'::regclass`).join(', ')
  if (among === '') return
  const users = await run(`
    SELECT DISTINCT 'view ' || "view"."oid"::regclass AS "user" FROM "pg_depend"
    JOIN "pg_rewrite" ON "pg_rewrite"."oid" = "pg_depend"."objid"
    JOIN "pg_class" AS "view" ON "view"."oid" = "pg_rewrite"."ev_class"
    WHERE "refclassid" = 'pg_class'::regclass AND "refobjid" IN (${among})
    AND "relnamespace" IS DISTINCT FROM to_regnamespace('${REPORTING}')
    UNION ALL
    SELECT DISTINCT 'publication ' || "pubname" FROM "pg_publication_rel" JOIN "pg_publication" AS "p" ON "p"."oid" = "prpubid"
    WHERE "prrelid" IN (${among})`)
  if (users.length === 0) return
  const names = users.map(({ user }) => user).join(', ')
  throw new Error(`These have to be dropped before, and made again after: ${names}.`)
}

/** The first partition, and what keeps rows out that would not fit into it while it is made. */
const boundOf = (table: Table): string => `${table}_before`
const unbound = (table: Table): string => `ALTER TABLE "${table}" DROP CONSTRAINT IF EXISTS "${boundOf(table)}"`

/** Of a command that was killed, a while before it would refuse rows. One that is under way has set it a month ahead. */
async function dropLeftBound(schema: Schema, table: Table, at: number): Promise<void> {
  const [left] = await schema.run(`SELECT substring(pg_get_constraintdef("oid") from '''([^'']+)''') AS "end"
    FROM "pg_constraint" WHERE "conrelid" = '"${table}"'::regclass AND "conname" = '${boundOf(table)}'`)
  if (left && String(left.end) < firstIdAt(at + BOUND_AHEAD_MS))
    await inTurn(schema, ({ run }) => run(unbound(table)), 1)
}

/** The first moment of a month, so many after that of `at`; in milliseconds, in UTC. */
function monthAt(at: number, ahead: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead)
}

/** Makes a table one of partitions, of which the first is what it was. */
async function split(schema: Schema, table: Table, at: number): Promise<void> {
  // The present month and the next stay with what was there before: no row may come that does not fit.
  const end = firstIdAt(monthAt(at, 2))
  const bound = `ALTER TABLE "${table}" ADD CONSTRAINT "${boundOf(table)}" CHECK ("_id" < '${end}') NOT VALID`
  const key = table === 'audit' ? '"seq", "_id"' : '"_id"'
  await inTurn(schema, async ({ run }) => {
    await run(unbound(table))
    await run(bound)
    await run(`DROP INDEX IF EXISTS "${table}_key"`)
  })
  try {
    // What takes long is done while everybody goes on: the rows are looked at, and a longer key is made.
    await schema.run(`ALTER TABLE "${table}" VALIDATE CONSTRAINT "${boundOf(table)}"`)
    if (table === 'audit') await schema.run(`CREATE UNIQUE INDEX CONCURRENTLY "${table}_key" ON "${table}" (${key})`)
    await inTurn(schema, (tx) => exchange(tx, table, key, end))
  } catch (error) {
    await inTurn(schema, ({ run }) => run(unbound(table)))
    throw error
  }
}

/** The table takes the place of its first partition, with its indexes, triggers and grants. */
async function exchange(schema: Schema, table: Table, key: string, end: string): Promise<void> {
  const { run } = schema
  const before = `"${PARTITIONS}"."${boundOf(table)}"`
  await run(`LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`)
  // The product's own views are made anew.
  await dropViews(schema)
  const indexes = await run(`SELECT pg_get_indexdef("indexrelid") AS "text" FROM "pg_index"
    WHERE "indrelid" = '"${table}"'::regclass AND NOT "indisunique"`)
  const triggers = await triggersOf(schema, table)
  const grants = await run(`SELECT format('GRANT %s ON %s TO %s', "privilege_type", '"${table}"',
      CASE WHEN "grantee" = 0 THEN 'PUBLIC' ELSE "grantee"::regrole::text END) AS "text"
    FROM "pg_class", aclexplode("relacl") WHERE "oid" = '"${table}"'::regclass AND "grantee" <> "relowner"`)
  // A reference to a table of partitions is one to each of them: dozens to look at for each row. What writes both keeps it.
  if (table === 'revisions') await run(`ALTER TABLE "history" DROP CONSTRAINT IF EXISTS "history_revisionId_fkey"`)
  for (const { name } of triggers.filter(({ isOfRow }) => isOfRow)) await run(`DROP TRIGGER "${name}" ON "${table}"`)
  if (table === 'audit')
    await run(`ALTER TABLE "audit" DROP CONSTRAINT "audit_pkey", ADD PRIMARY KEY USING INDEX "audit_key"`)

  await run(`CREATE SCHEMA IF NOT EXISTS "${PARTITIONS}"`)
  await run(`ALTER TABLE "${table}" SET SCHEMA "${PARTITIONS}"`)
  await run(`ALTER TABLE "${PARTITIONS}"."${table}" RENAME TO "${boundOf(table)}"`)
  await run(`CREATE TABLE "${table}" (LIKE ${before} INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE ("_id")`)
  await run(`ALTER TABLE "${table}" ADD PRIMARY KEY (${key})`)
  for (const { text } of [...indexes, ...triggers, ...grants]) await run(String(text))
  await run(`ALTER TABLE "${table}" ATTACH PARTITION ${before} FOR VALUES FROM (MINVALUE) TO ('${end}')`)
  await run(`ALTER TABLE ${before} DROP CONSTRAINT IF EXISTS "${boundOf(table)}"`)
  // Whatever no month has been made for yet: a row is never refused.
  await addPart(schema, table, `${table}_later`, 'DEFAULT')
}

interface Trigger {
  name: string
  text: string
  /** For each row: the partitions get it from the table. */
  isOfRow: boolean
}

async function triggersOf({ run }: Schema, table: Table): Promise<Trigger[]> {
  const rows = await run(`SELECT "tgname" AS "name", pg_get_triggerdef("oid") AS "text", "tgtype" & 1 AS "row"
    FROM "pg_trigger" WHERE "tgrelid" = '"${table}"'::regclass AND NOT "tgisinternal"`)
  return rows.map(({ name, text, row }) => ({ name: String(name), text: String(text), isOfRow: row === 1 }))
}

interface Part {
  name: string
  /** The first id that is not in it; null of the one that takes what no other does. */
  until: string | null
}

async function partsOf({ run }: Schema, table: Table): Promise<Part[]> {
  const rows = await run(`SELECT "relname" AS "name",
      substring(pg_get_expr("relpartbound", "pg_class"."oid") from 'TO \\(''([^'']+)''\\)') AS "until"
    FROM "pg_inherits" JOIN "pg_class" ON "pg_class"."oid" = "inhrelid"
    WHERE "inhparent" = '"${table}"'::regclass ORDER BY "until"`)
  return rows as unknown as Part[]
}

/** A table like the others that has the rows of a range; with unique indexes and triggers for statements of its own. */
async function addPart(schema: Schema, table: Table, name: string, range: string): Promise<void> {
  const { run } = schema
  const [sibling] = await partsOf(schema, table)
  const part = `"${PARTITIONS}"."${name}"`
  await run(`CREATE TABLE ${part} (LIKE "${PARTITIONS}"."${sibling?.name}" INCLUDING ALL)`)
  await run(`ALTER TABLE "${table}" ATTACH PARTITION ${part} ${range}`)
  for (const { text, isOfRow } of await triggersOf(schema, table))
    if (!isOfRow) await run(text.replace(/ ON \S+ /, ` ON ${part} `))
}

async function addMonth(schema: Schema, table: Table, at: number, ahead: number): Promise<void> {
  const [from, to] = [monthAt(at, ahead), monthAt(at, ahead + 1)]
  const name = `${table}_${new Date(from).toISOString().slice(0, 7).replace('-', '_')}`
  const range = `FOR VALUES FROM ('${firstIdAt(from)}') TO ('${firstIdAt(to)}')`
  try {
    await inTurn(schema, (tx) => addPart(tx, table, name, range), 1)
  } catch (error) {
    // Rows of this month came before it had a partition: they stay with those that no other takes.
    if ((error as { code?: unknown }).code !== CHECK_VIOLATION) throw error
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
 * Changes the schema in a transaction of its own, one at a time, that waits for nobody for long: those who use a table go
 * on, and it is tried again. With one attempt only, it is left to the next time.
 */
async function inTurn(schema: Schema, work: (tx: Schema) => Promise<unknown>, attempts = MAX_ATTEMPTS): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await db.transaction().execute(async (tx) => {
        await sql.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`).execute(tx)
        const own = schemaOf(tx, schema.engine)
        await holdSchema(own)
        await work(own)
      })
      return
    } catch (error) {
      if (!IN_USE.has(String((error as { code?: unknown }).code))) throw error
      if (attempts === 1) return
      if (attempt === attempts)
        throw new Error('The tables are in use all the time. Try again when less is done.', { cause: error })
      await sleep(RETRY_MS * Math.random())
    }
}
