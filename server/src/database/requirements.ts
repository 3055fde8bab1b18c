import type { Schema } from './migrate.ts'

/**
 * The first version of PostgreSQL with `pg_current_xact_id` (64-bit transaction ids), and the oldest that was tested.
 */
const [MIN_VERSION, MIN_VERSION_NUM] = ['13', 130_000]

/** The properties of a PostgreSQL database that matter. */
interface Given {
  name: string
  /** As in `server_version_num`: 150018 is 15.18. */
  version: number
  /** As in `server_encoding`. */
  encoding: string
  /** As in `default_transaction_isolation`. */
  isolation: string
  /** As in `extra_float_digits`: below 1, numbers are returned rounded. */
  digits: number
  /** As in `standard_conforming_strings`: if off, backslashes in SQL strings are escapes. */
  strings: string
  /** As in `default_transaction_read_only`. */
  readOnly: string
  /** Where tables are created: the first schema of `search_path` that exists. */
  schema: string | null
}

/**
 * Returns the default isolation level of the database. Throws an Error with a one-line message if it is unsuitable for
 * a catalogue. Writes nothing.
 */
export async function requireSuitable({ run }: Schema): Promise<string> {
  const [row] = await run(`SELECT current_database() AS "name", current_setting('server_encoding') AS "encoding",
    current_setting('server_version_num')::int AS "version",
    current_setting('default_transaction_isolation') AS "isolation",
    current_setting('extra_float_digits')::int AS "digits",
    current_setting('standard_conforming_strings') AS "strings",
    current_setting('default_transaction_read_only') AS "readOnly", current_schema() AS "schema"`)
  const given = row as unknown as Given
  const refusal = unsuitable(given)
  if (refusal) throw new Error(refusal)
  return given.isolation
}

/** Why a database is unsuitable, and what to do about it; undefined if it is suitable. */
export function unsuitable(given: Omit<Given, 'isolation'>): string | undefined {
  const { name, version, encoding, digits, strings, readOnly, schema } = given
  if (version < MIN_VERSION_NUM)
    return `Mokuroku needs PostgreSQL ${MIN_VERSION} or newer; the server at DATABASE_URL is version ${Math.floor(version / 10_000)}.`
  if (encoding !== 'UTF8')
    return `The database "${name}" has the encoding ${encoding}, which cannot store every script. Create one with UTF8 (createdb --encoding=UTF8 --template=template0), and name it in DATABASE_URL.`
  if (digits < 1) return mustBeSet('extra_float_digits', String(digits), '1')
  if (strings !== 'on') return mustBeSet('standard_conforming_strings', strings, 'on')
  if (readOnly !== 'off') return mustBeSet('default_transaction_read_only', readOnly, 'off')
  if (schema?.startsWith('pg_temp_'))
    return 'The search_path of the user in DATABASE_URL begins with pg_temp, where tables last only until the connection ends. Put another schema first: ALTER ROLE … SET search_path = public.'
  return undefined
}

const mustBeSet = (setting: string, is: string, should: string): string =>
  `The setting ${setting} is ${is} for the user in DATABASE_URL, and Mokuroku needs it to be ${should}. Change it: ALTER ROLE … SET ${setting} = ${should}.`

/** SQLSTATE: insufficient privilege, and no schema to create tables in. */
const [NOT_ALLOWED, NO_SCHEMA] = ['42501', '3F000']

/**
 * Why the database, or its tables, cannot be used or created, in one line; undefined for other errors. PostgreSQL has
 * one code for several reasons, and its messages are in the language of `lc_messages`: so the database is asked.
 */
export async function uncreatable(cause: unknown, { run }: Schema): Promise<Error | undefined> {
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: string }
  if (code === NO_SCHEMA)
    return new Error(
      'The search_path of the user in DATABASE_URL names no existing schema. Create the schema, or change the search_path.',
      { cause },
    )
  if (code !== NOT_ALLOWED) return undefined
  const [found] = await run(`SELECT has_schema_privilege(current_schema(), 'CREATE') OR EXISTS (
      SELECT 1 FROM "pg_class" WHERE "relname" = 'migrations' AND NOT pg_has_role("relowner", 'USAGE')
      AND "relnamespace" = quote_ident(current_schema())::regnamespace) AS "areTablesForeign"`).catch(() => [])
  if (!found)
    return new Error(
      `The user in DATABASE_URL may not connect to the database (${message}). Allow it: GRANT CONNECT ON DATABASE … TO ….`,
      { cause },
    )
  if (found.areTablesForeign) return new Error(foreignTables(cause), { cause })
  return new Error(
    `The user in DATABASE_URL may not create tables (${message}). Make it the owner of the database: ALTER DATABASE … OWNER TO ….`,
    { cause },
  )
}

/** What an operator can do about tables of another user, in one line; undefined for other errors. */
export function foreignTables(error: unknown): string | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string }
  return code === NOT_ALLOWED
    ? `The user in DATABASE_URL may not use the tables, which belong to another user (${message}). Connect as their owner, or make this user the owner: REASSIGN OWNED BY … TO ….`
    : undefined
}
