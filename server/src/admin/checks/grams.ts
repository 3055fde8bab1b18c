import { type Kysely, sql } from 'kysely'
import { db, engine } from '#database/db.ts'
import type { Tables } from '#database/tables.ts'
import { indexTokens } from '../../search/entries.ts'
import { tsVector } from '../../search/grams.ts'
import { type Issue, truncationIssue, MAX_ORPHANS } from './check.ts'

/** The maximum number of texts in one statement. */
const BATCH_SIZE = 5000

export type Label = Omit<Tables['labels'], 'id'> & { id: number }

/**
 * Copies the content of SQLite's search index to a temporary table, as it cannot be queried for a single text. Returns
 * a function that drops the table.
 */
export async function readGrams(): Promise<() => Promise<void>> {
  if (engine === 'postgres') return async () => undefined
  const dropTables = async () => {
    await sql`DROP TABLE IF EXISTS temp."indexed"`.execute(db)
    await sql`DROP TABLE IF EXISTS temp."grams"`.execute(db)
  }
  // In a file rather than in memory: there may be millions of rows.
  await sql`PRAGMA temp_store=FILE`.execute(db)
  await dropTables()
  await sql`CREATE VIRTUAL TABLE temp."grams" USING fts5vocab('main', 'labelGrams', 'instance')`.execute(db)
  await sql`CREATE TEMP TABLE "indexed" ("id" INTEGER PRIMARY KEY, "tokens" TEXT NOT NULL)`.execute(db)
  await sql`INSERT INTO temp."indexed" SELECT "doc", group_concat("term", ' ' ORDER BY "offset")
    FROM temp."grams" GROUP BY "doc"`.execute(db)
  return dropTables
}

/** The entities of labels that a search for their own grams does not find. */
export async function missingFromIndex(tx: Kysely<Tables>, labels: Label[]): Promise<Set<string>> {
  const ids = new Set<number>()
  for (let at = 0; at < labels.length; at += BATCH_SIZE) {
    const some = labels.slice(at, at + BATCH_SIZE)
    const unfound = await (engine === 'postgres' ? missingInPostgres(tx, some) : missingInSqlite(tx, some))
    for (const id of unfound) ids.add(id)
  }
  return new Set(labels.filter(({ id }) => ids.has(id)).map(({ entityId }) => entityId))
}

async function missingInPostgres(tx: Kysely<Tables>, labels: Label[]): Promise<number[]> {
  const values = labels.map((label) => sql`(${label.id}::bigint, ${tsVector(indexTokens(label))}::tsvector)`)
  const { rows } = await sql<{ id: number }>`SELECT "labels"."id" FROM "labels"
    JOIN (VALUES ${sql.join(values)}) AS "right" ("id", "grams") ON "right"."id" = "labels"."id"
    WHERE "labels"."grams" <> "right"."grams"`.execute(tx)
  return rows.map(({ id }) => id)
}

async function missingInSqlite(tx: Kysely<Tables>, labels: Label[]): Promise<number[]> {
  const ids = sql.join(labels.map(({ id }) => id))
  const { rows } = await sql<{
    id: number
    tokens: string
  }>`SELECT * FROM temp."indexed" WHERE "id" IN (${ids})`.execute(tx)
  const tokensBy = new Map(rows.map(({ id, tokens }) => [id, tokens]))
  const unfound: number[] = []
  for (const label of labels) {
    const tokens = indexTokens(label).join(' ')
    if (tokensBy.get(label.id) === tokens) continue
    // The label may have been written since the index was read.
    const found = await sql`SELECT 1 FROM "labelGrams"
      WHERE "labelGrams" MATCH ${`"${tokens}"`} AND "rowid" = ${label.id}`.execute(tx)
    if (found.rows.length === 0) unfound.push(label.id)
  }
  return unfound
}

/** Index entries of labels that do not exist, whose ids may be used again. */
export async function* orphanedGrams(): AsyncGenerator<Issue> {
  if (engine === 'postgres') return
  const { rows } = await sql<{ id: number }>`SELECT "id" FROM "labelGrams_docsize"
    WHERE "id" NOT IN (SELECT "id" FROM "labels") LIMIT ${sql.lit(MAX_ORPHANS)}`.execute(db)
  for (const { id } of rows)
    yield {
      what: `text ${id}: is indexed but does not exist`,
      repair: () => sql`DELETE FROM "labelGrams" WHERE "rowid" = ${id}`.execute(db),
    }
  yield* truncationIssue(rows)
}
