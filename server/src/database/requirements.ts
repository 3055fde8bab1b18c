import type { Schema } from './migrate.ts'

/** The first version of PostgreSQL that numbers transactions without end (`pg_current_xact_id`), and the oldest that was tried. */
const [MIN_VERSION, MIN_VERSION_NUM] = ['13', 130_000]

/** What a database of PostgreSQL is like. */
interface Given {
  name: string
  /** As in `server_version_num`: 150018 is 15.18. */
  version: number
  /** As in `server_encoding`. */
  encoding: string
}

/** Throws an Error of one line unless the database can hold a catalogue: nothing has been written to it. */
export async function requireSuitable({ run }: Schema): Promise<void> {
  const [given] = await run(`SELECT current_database() AS "name", current_setting('server_encoding') AS "encoding",
    current_setting('server_version_num')::int AS "version"`)
  const refusal = unsuitable(given as unknown as Given)
  if (refusal) throw new Error(refusal)
}

/** Why a database cannot hold a catalogue, and what to do about it. */
export function unsuitable({ name, version, encoding }: Given): string | undefined {
  if (version < MIN_VERSION_NUM)
    return `Mokuroku needs PostgreSQL ${MIN_VERSION} or newer, and DATABASE_URL leads to version ${Math.floor(version / 10_000)}.`
  if (encoding !== 'UTF8')
    return `The database "${name}" has the encoding ${encoding}, which does not hold every script. Create one with UTF8 (createdb --encoding=UTF8 --template=template0), and name it in DATABASE_URL.`
  return undefined
}
