// Views for people who look into PostgreSQL with tools of their own: a schema in which documents are jsonb, flags boolean
// and moments timestamptz (docs/decisions/023).
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { typeOf } from './columns.ts'
import { dropViews, holdSchema, OURS, REPORTING as SCHEMA, schemaOf } from './migrate.ts'
import type { Tables } from './tables.ts'

/** How long the views are waited for where somebody reads them; the next start tries again. */
const LOCK_TIMEOUT = '2s'

/** What there is a view of: the catalogue, and what was done to it. */
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

/** A counter is the sum of what two tables hold (ledger/counters.ts). */
const COUNTERS = `(SELECT "name", sum("value") AS "value" FROM (
  SELECT "name", "value" FROM "counters" UNION ALL SELECT "name", "value" FROM "counterShards") AS "parts"
  GROUP BY "name") AS "counters"`

/** Columns that no view has: what opens something, and where people can be reached. */
const PRIVATE = /password|token|secret|hash|key$|email|address|useragent/i
/** Texts that are moments, by their names. */
const MOMENT = /(?:At|Date|Seen)$|^since$|^until$/

/** What an expression of SQL makes of a text; of one that it cannot be made of, the rest says. */
const FUNCTIONS = [
  // What jsonb cannot hold, such as \u0000, is the text as it is.
  ['document', 'jsonb', 'to_jsonb("value")'],
  ['moment', 'timestamptz', 'NULL'],
].map(
  ([name, type, otherwise]) => `CREATE OR REPLACE FUNCTION "${SCHEMA}"."${name}"("value" text) RETURNS ${type}
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET "TimeZone" = 'UTC' AS $$
    BEGIN RETURN nullif("value", '')::${type}; EXCEPTION WHEN data_exception THEN RETURN ${otherwise}; END $$`,
)

/**
 * Makes the views anew where they are not those of this version. Without the right to make a schema, where there is one of
 * this name that is not ours, and while somebody reads them, all stays as it is, and `say` takes a line about it.
 */
export async function refreshReporting(db: Kysely<Tables>, say: (line: string) => void = () => undefined) {
  try {
    const statements = [...FUNCTIONS, ...(await viewsOf(db))]
    const fingerprint = `${OURS} ${createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16)}`
    const { rows } = await sql<{ comment: string | null }>`
      SELECT obj_description("oid", 'pg_namespace') AS "comment" FROM "pg_namespace" WHERE "nspname" = ${SCHEMA}`.execute(
      db,
    )
    if (rows[0]?.comment === fingerprint) return
    if (rows[0] && !rows[0].comment?.startsWith(OURS)) throw new Error(`there is another schema ${SCHEMA}`)
    await db.transaction().execute(async (tx) => {
      const schema = schemaOf(tx, 'postgres')
      await schema.run(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
      await holdSchema(schema)
      if (!rows[0]) await schema.run(`CREATE SCHEMA IF NOT EXISTS "${SCHEMA}"`)
      await dropViews(schema)
      for (const statement of statements) await schema.run(statement)
      await schema.run(`COMMENT ON SCHEMA "${SCHEMA}" IS '${fingerprint}'`)
    })
  } catch (error) {
    say(`The views for reports could not be made (${(error as Error).message}). The next start tries again.`)
  }
}

/** The statements that make the views, of all columns that the tables have. */
async function viewsOf(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ table: string; name: string; type: string }>`
    SELECT "table_name" AS "table", "column_name" AS "name", "data_type" AS "type" FROM "information_schema"."columns"
    WHERE "table_schema" = current_schema() ORDER BY "table_name", "ordinal_position"`.execute(db)
  return REPORTED.flatMap((table) => {
    const columns = rows.filter((row) => row.table === table && !PRIVATE.test(row.name))
    // Tests open databases of older versions, where a table may not be yet.
    if (columns.length === 0) return []
    const shown = columns.map(({ name, type }) => `${shownAs(table, name, type)} AS "${name}"`)
    const isSummed = table === 'counters' && rows.some((row) => row.table === 'counterShards')
    const from = isSummed ? COUNTERS : `"${table}"`
    return `CREATE VIEW "${SCHEMA}"."${table}" AS SELECT ${shown.join(', ')} FROM ${from}`
  })
}

function shownAs(table: keyof Tables, name: string, type: string): string {
  const held = typeOf(table, name)
  if (held === 'boolean') return `("${name}" <> 0)`
  if (type !== 'text') return `"${name}"`
  if (held === 'json') return `"${SCHEMA}"."document"("${name}")`
  return MOMENT.test(name) ? `"${SCHEMA}"."moment"("${name}")` : `"${name}"`
}
