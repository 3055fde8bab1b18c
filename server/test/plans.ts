// The queries that a piece of work asks, and how the database means to answer them.
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { expect, vi } from 'vitest'
import { db, engine } from '#database/db.ts'
import { DirectExecutor } from '#database/executor.ts'
import type { Tables } from '#database/tables.ts'

/**
 * Expects that no query of `work` walks through a table, sorts one, or counts one; shows its plan when one does.
 * With `sorted`, the reason why what is sorted is few rows, a sort is let pass; with `counted`, the reason why what is
 * counted is few rows, a count is.
 */
export async function expectIndexed(
  work: () => Promise<unknown>,
  { sorted, counted }: { sorted?: string; counted?: string } = {},
): Promise<void> {
  const queries = await queriesOf(work)
  expect(queries.length).toBeGreaterThan(0)
  const faults = await explained(queries, (plan, query) => {
    const bad = plan.filter((line) => isWalk(line, plan) || (isSort(line) && !sorted))
    const counts = /\bcount\(/i.test(query.sql) && !sorted && !counted
    return bad.length > 0 || counts ? `${query.sql}\n${plan.map((line) => `    ${line}`).join('\n')}` : undefined
  })
  if (faults.length > 0) throw new Error(`Not read by index:\n${faults.join('\n\n')}`)
}

/** The lines of the plans of all queries of `work`. */
export async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = []
  await explained(await queriesOf(work), (plan) => {
    lines.push(...plan)
    return undefined
  })
  return lines
}

/** As `plansOf`, where PostgreSQL keeps a plan for whatever the values are, and walks where it believes that to be quicker. */
export async function keptPlansOf(work: () => Promise<unknown>): Promise<string[]> {
  const queries = await queriesOf(work)
  return db.connection().execute(async (connection) => {
    const lines: string[] = []
    for (const { sql: text, parameters } of queries) {
      const values = parameters.length > 0 ? `(${parameters.map(() => 'NULL').join()})` : ''
      await sql.raw(`SET plan_cache_mode = force_generic_plan; PREPARE "kept" AS ${text}`).execute(connection)
      const { rows } = await sql.raw<Record<string, string>>(`EXPLAIN EXECUTE "kept" ${values}`).execute(connection)
      lines.push(...rows.map((row) => row['QUERY PLAN'] ?? ''))
      await sql.raw('DEALLOCATE "kept"; RESET plan_cache_mode').execute(connection)
    }
    return lines
  })
}

/**
 * Many labels in PostgreSQL, none of which is in their index yet: that makes it dear to PostgreSQL. The answer takes them
 * away.
 */
export async function fullOfLabels(): Promise<() => Promise<void>> {
  const pending = (kB: number) => sql.raw(`ALTER INDEX "labels_grams" SET (gin_pending_list_limit = ${kB})`).execute(db)
  await pending(4096)
  // What other tests left waiting would have it emptied on the way.
  await sql`SELECT gin_clean_pending_list('labels_grams')`.execute(db)
  await sql`INSERT INTO "labels" ("kind", "entityId", "language", "text", "compact", "grams")
    SELECT 'Media', 'many ' || "at", 'en', md5("at"::text), md5("at"::text), ('mab:1 mq' || "at" || ':2')::tsvector
    FROM generate_series(1, 20000) AS "at"`.execute(db)
  await sql`ANALYZE "labels"`.execute(db)
  return async () => {
    await db.deleteFrom('labels').where('entityId', 'like', 'many %').execute()
    await pending(256)
  }
}

/** Has PostgreSQL believe that a table has so many rows, until it looks again. */
export async function estimateRows(table: string, rows: number): Promise<void> {
  await sql`UPDATE "pg_class" SET "reltuples" = ${rows} WHERE "oid" = to_regclass(${`"${table}"`})`.execute(db)
}

/** How many statements some work takes. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<number> => (await queriesOf(work)).length

async function queriesOf(work: () => Promise<unknown>): Promise<CompiledQuery[]> {
  const queries: CompiledQuery[] = []
  const { executeQuery } = DirectExecutor.prototype
  const spy = vi.spyOn(DirectExecutor.prototype, 'executeQuery').mockImplementation(function record(
    this: DirectExecutor,
    query,
    ...rest
  ) {
    queries.push(query)
    return executeQuery.call(this, query, ...rest)
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return queries
}

/** Explains on one connection, and gathers what `judge` has to say. */
const explained = (queries: CompiledQuery[], judge: (plan: string[], query: CompiledQuery) => string | undefined) =>
  db.connection().execute(async (connection) => {
    // A few thousand rows are read faster by walking and sorting them. The question here is whether an index would
    // serve when they are a million, so that walks and sorts are left only where nothing else can be done.
    if (engine === 'postgres') await sql`SET enable_seqscan = off; SET enable_sort = off`.execute(connection)
    try {
      const faults: string[] = []
      for (const query of queries) faults.push(judge(await planOf(connection, query), query) ?? '')
      return faults.filter(Boolean)
    } finally {
      if (engine === 'postgres') await sql`RESET enable_seqscan; RESET enable_sort`.execute(connection)
    }
  })

async function planOf(connection: Kysely<Tables>, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const explain = engine === 'postgres' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN'
  const { rows } = await connection.executeQuery<Record<string, string>>(
    CompiledQuery.raw(`${explain} ${text}`, [...parameters]),
  )
  return rows.map((row) => row['QUERY PLAN'] ?? row.detail ?? '')
}

/**
 * A whole table, or a whole index without a limit in sight; a search's own index is none, nor is what a subquery of the
 * same plan gives.
 */
const isWalk = (line: string, plan: string[]): boolean =>
  /Seq Scan/.test(line) ||
  (/^SCAN (?!.*(USING|VIRTUAL|CONSTANT|VALUES CLAUSE))/.test(line) &&
    !plan.includes(line.replace('SCAN', 'CO-ROUTINE')))
const isSort = (line: string): boolean => /\bSort\b/.test(line) || /TEMP B-TREE FOR.*ORDER BY/.test(line)

/**
 * Tells PostgreSQL's planner what is in the tables, as it does itself after a while. The product never tells SQLite's,
 * which then takes every table for a large one.
 */
export async function analyze(): Promise<void> {
  if (engine === 'postgres') await sql`ANALYZE`.execute(db)
}
