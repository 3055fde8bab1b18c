// Views for those who query PostgreSQL with other tools: a schema in which documents are jsonb, flags boolean and
// timestamps timestamptz (docs/decisions/023).
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { typeOf } from './columns.ts'
import { dropViews, startSchemaChange, OURS, REPORTING as SCHEMA, reportingIn, schemaOf } from './migrate.ts'
import { TABLES, type Tables } from './tables.ts'

/** How long to wait for a lock if somebody is reading the views; the next start tries again. */
const LOCK_TIMEOUT = '2s'

/** The tables that have a view: the catalogue and its history. */
export const REPORTED = [
  'activities',
  'assets',
  'audit',
  'batches',
  'batchRows',
  'characters',
  'comments',
  'counterDays',
  'counters',
  'dismissals',
  'findings',
  'history',
  'links',
  'media',
  'merges',
  'ratings',
  'revisions',
  'tags',
  'tiers',
  'users',
] as const satisfies (keyof Tables)[]

/** The value of a counter is the sum over two tables (ledger/counters.ts). */
const COUNTERS = `(SELECT "name", sum("value") AS "value" FROM (
  SELECT "name", "value" FROM "counters" UNION ALL SELECT "name", "value" FROM "counterShards") AS "parts"
  GROUP BY "name") AS "counters"`

/** Columns that no view has: credentials, and how to reach people. */
const PRIVATE = /password|token|secret|hash|key$|email|address|useragent/i
/** Names of text columns that hold timestamps. */
const MOMENT = /(?:At|Date|Seen|Login)$|^since$|^until$/

/** What no view has of the details of the audit log: what commands, tests and searches were given. */
const PRIVATE_DETAILS = ['address', 'argument', 'search']
/** Documents whose fields include those of private columns, or private details. */
const PUBLISHED = new Set(['audit.details', 'revisions.snapshot'])

/** Before this version, PostgreSQL refuses to run a function that catches errors in a parallel query. */
const CATCHES_IN_PARALLEL = 170_000

/**
 * The functions that convert a text: name, result type, the result, and the result if the text cannot be converted.
 * `hidden` are the names of the fields that `published` leaves out of a document.
 */
async function functionsWithout(hidden: string[], db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ version: number }>`
    SELECT current_setting('server_version_num')::int AS "version"`.execute(db)
  const parallel = (rows[0]?.version ?? 0) < CATCHES_IN_PARALLEL ? 'UNSAFE' : 'SAFE'
  return [
    // What jsonb cannot hold, such as \u0000, becomes the plain text as a JSON string.
    ['document', 'jsonb', `nullif("value", '')::jsonb`, 'to_jsonb("value")'],
    ['published', 'jsonb', `nullif("value", '')::jsonb - '{${hidden.join()}}'::text[]`, 'NULL'],
    // The year 0 of ISO 8601 is 1 BC in PostgreSQL.
    ['moment', 'timestamptz', `nullif(regexp_replace("value", '^0000(.*)', '0001\\1 BC'), '')::timestamptz`, 'NULL'],
  ].map(
    ([name, type, result, otherwise]) => `CREATE OR REPLACE FUNCTION "${SCHEMA}"."${name}"("value" text) RETURNS ${type}
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL ${parallel} SET "TimeZone" = 'UTC' AS $$
    BEGIN RETURN ${result}; EXCEPTION WHEN data_exception THEN RETURN ${otherwise}; END $$`,
  )
}

/**
 * Recreates the views if they are not those of this version. Changes nothing, and calls `log` with a line, if this user
 * may not create a schema, if there is another schema of this name, or while somebody reads the views.
 */
export async function refreshReporting(db: Kysely<Tables>, log: (line: string) => void = () => undefined) {
  try {
    const statements = await statementsFor(db)
    const fingerprint = `${OURS} ${createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16)}`
    const there = await reportingIn(schemaOf(db, 'postgres'))
    if (there?.comment === fingerprint && there.isOwn) return
    if (there && !there.isOwn)
      throw new Error(
        `the schema ${SCHEMA} was not created by Mokuroku, or is that of another catalogue in this database`,
      )
    await db.transaction().execute(async (tx) => {
      const schema = schemaOf(tx, 'postgres')
      await schema.run(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
      await startSchemaChange(schema)
      if (!there) await schema.run(`CREATE SCHEMA IF NOT EXISTS "${SCHEMA}"`)
      await dropViews(schema)
      for (const statement of statements) await schema.run(statement)
      await schema.run(`COMMENT ON SCHEMA "${SCHEMA}" IS '${fingerprint}'`)
    })
  } catch (error) {
    log(`Could not create the reporting views (${(error as Error).message}). The next start tries again.`)
  }
}

/** The statements that create the views, with all columns that the tables have, and their functions. */
async function statementsFor(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ table: string; name: string; type: string }>`
    SELECT "table_name" AS "table", "column_name" AS "name", "udt_name" AS "type" FROM "information_schema"."columns"
    WHERE "table_schema" = current_schema() ORDER BY "table_name", "ordinal_position"`.execute(db)
  const ofEntities = rows.filter(({ table }) => Object.values<string>(TABLES).includes(table))
  const hidden = new Set(ofEntities.map(({ name }) => name).filter((name) => PRIVATE.test(name)))
  const views = REPORTED.flatMap((table) => {
    const columns = rows.filter((row) => row.table === table && !PRIVATE.test(row.name))
    // Tests open databases of older versions, which may lack a table.
    if (columns.length === 0) return []
    const shown = columns.map(({ name, type }) => `${shownAs(table, name, type)} AS "${name}"`)
    const isSummed = table === 'counters' && rows.some((row) => row.table === 'counterShards')
    const from = isSummed ? COUNTERS : `"${table}"`
    return `CREATE VIEW "${SCHEMA}"."${table}" AS SELECT ${shown.join(', ')} FROM ${from}`
  })
  return [...(await functionsWithout([...hidden, ...PRIVATE_DETAILS].toSorted(), db)), ...views]
}

function shownAs(table: keyof Tables, name: string, type: string): string {
  const held = typeOf(table, name)
  if (held === 'boolean') return `("${name}" <> 0)`
  if (type !== 'text') return `"${name}"`
  if (PUBLISHED.has(`${table}.${name}`)) return `"${SCHEMA}"."published"("${name}")`
  if (held === 'json') return `"${SCHEMA}"."document"("${name}")`
  // The address of an account, or what was typed instead at a sign-in.
  if (table === 'audit' && name === 'label') return `CASE WHEN "entityType" = 'User' THEN '' ELSE "label" END`
  return MOMENT.test(name) ? `"${SCHEMA}"."moment"("${name}")` : `"${name}"`
}
