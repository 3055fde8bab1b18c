// The queries of a piece of work, and their query plans.
import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type Kysely, type QueryResult, sql } from 'kysely'
import { expect, vi } from 'vitest'
import { db, engine } from '#database/db.ts'
import { DirectExecutor } from '#database/executor.ts'
import type { Tables } from '#database/tables.ts'

/**
 * Expects that no query of `work` scans, sorts or counts a table; shows the plan if one does. A sort is allowed if
 * `sorted` gives the reason why few rows are sorted, in all queries or, by table, in those of these tables only; a count
 * if `counted` gives the reason why few rows are counted.
 */
export async function expectIndexed(
  work: () => Promise<unknown>,
  { sorted = {}, counted }: { sorted?: string | Record<string, string>; counted?: string } = {},
): Promise<void> {
  const maySort = ({ sql: text }: CompiledQuery) =>
    typeof sorted === 'string' || Object.keys(sorted).some((table) => text.includes(`from "${table}"`))
  const queries = await queriesOf(work)
  expect(queries.length).toBeGreaterThan(0)
  const faults = await explained(queries, (plan, query) => {
    const bad = plan.filter((line) => isWalk(line, plan) || (isSort(line) && !maySort(query)))
    const counts = /\bcount\(/i.test(query.sql) && !maySort(query) && !counted
    return bad.length > 0 || counts ? `${query.sql}\n${plan.map((line) => `    ${line}`).join('\n')}` : undefined
  })
  if (faults.length > 0) throw new Error(`Not read by index:\n${faults.join('\n\n')}`)
}

/**
 * Expects that each query of `work` that lists ids finds rows by them. With another index, SQLite would read all rows
 * that have something else in common, such as their batch, for each page of ids. PostgreSQL decides by its statistics.
 */
export async function expectFoundByIds(work: () => Promise<unknown>): Promise<void> {
  const queries = await queriesOf(work)
  expect(queries.length).toBeGreaterThan(0)
  if (engine === 'postgres') return
  const faults = await explained(queries, (plan, { sql: text }) => {
    const listed = [...text.matchAll(/"(_?id|\w+Id|seq|key)" in \(/gi)].map(([, column]) => `${column}=?`)
    const isFound = (by: string) => plan.some((line) => line.includes(by) || line.includes('rowid=?'))
    return listed.every(isFound) ? undefined : [text, ...plan].join('\n    ')
  })
  if (faults.length > 0) throw new Error(`Not found by ids:\n${faults.join('\n\n')}`)
}

/**
 * Expects that no statement of `work` returns or writes more rows than this, however many there are: on SQLite, all
 * other requests wait while it runs.
 */
export async function expectFewRows(work: () => Promise<unknown>, max = 2000): Promise<void> {
  const counts = new Map<string, number>()
  await queriesOf(work, {
    answered: ({ sql: text }, { rows, numAffectedRows = 0n }) =>
      counts.set(text, Math.max(counts.get(text) ?? 0, rows.length, Number(numAffectedRows))),
  })
  expect([...counts.values()].some((count) => count > 0)).toBe(true)
  expect([...counts].filter(([, count]) => count > max)).toEqual([])
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

/** Like `plansOf`, with PostgreSQL's generic plans, which do not depend on the values; scans are allowed. */
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
 * Inserts many labels into PostgreSQL that are still in the pending list of their GIN index, which makes the index look
 * expensive to the planner. The returned function deletes them.
 */
export async function fullOfLabels(): Promise<() => Promise<void>> {
  const pending = (kB: number) => sql.raw(`ALTER INDEX "labels_grams" SET (gin_pending_list_limit = ${kB})`).execute(db)
  await pending(4096)
  // Empty the pending list first: otherwise entries left by other tests would cause it to be flushed on the way.
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

/** Makes PostgreSQL believe that a table has this many rows, until the next ANALYZE. */
export async function estimateRows(table: string, rows: number): Promise<void> {
  await sql`UPDATE "pg_class" SET "reltuples" = ${rows} WHERE "oid" = to_regclass(${`"${table}"`})`.execute(db)
}

/** The texts of the statements of some work. */
export const textsOf = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await queriesOf(work)).map(({ sql: text }) => text)

/** The number of statements of some work. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<number> => (await queriesOf(work)).length

/** The round trips to the database of some work: statements sent in one turn of the event loop go out together. */
export async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  let [count, isSending] = [0, false]
  const sent = () => {
    if (isSending) return
    isSending = true
    count++
    setImmediate(() => (isSending = false))
  }
  await queriesOf(work, { sent })
  return count
}

/**
 * The queries that some work causes: not those of the jobs that this process happens to run meanwhile. `answered` is
 * called with each and its result, and `sent` before.
 */
async function queriesOf(
  work: () => Promise<unknown>,
  {
    sent,
    answered,
  }: { sent?: () => void; answered?: (query: CompiledQuery, result: QueryResult<unknown>) => void } = {},
): Promise<CompiledQuery[]> {
  const queries: CompiledQuery[] = []
  const working = new AsyncLocalStorage<true>()
  const { executeQuery } = DirectExecutor.prototype
  const spy = vi.spyOn(DirectExecutor.prototype, 'executeQuery').mockImplementation(function record(
    this: DirectExecutor,
    query,
    ...rest
  ) {
    const result = executeQuery.call(this, query, ...rest)
    if (!working.getStore()) return result
    queries.push(query)
    sent?.()
    return answered ? result.then((each) => (answered(query, each), each)) : result
  })
  try {
    await working.run(true, work)
  } finally {
    spy.mockRestore()
  }
  return queries
}

/** Explains queries on one connection, and collects the judgements of `judge`. */
const explained = (queries: CompiledQuery[], judge: (plan: string[], query: CompiledQuery) => string | undefined) =>
  db.connection().execute(async (connection) => {
    // With a few thousand rows, scanning and sorting is faster. The question is whether an index could be used with a
    // million, so scans and sorts are disabled: they remain only where nothing else is possible.
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
 * Whether a plan line scans a whole table, or a whole index without a limit. The search index (a virtual table) and
 * results of subqueries do not count.
 */
const isWalk = (line: string, plan: string[]): boolean =>
  /Seq Scan/.test(line) ||
  (/^SCAN (?!.*(USING|VIRTUAL|CONSTANT|VALUES CLAUSE))/.test(line) &&
    !plan.includes(line.replace('SCAN', 'CO-ROUTINE')))
const isSort = (line: string): boolean => /\bSort\b/.test(line) || /TEMP B-TREE FOR.*ORDER BY/.test(line)

/**
 * Updates PostgreSQL's planner statistics, as autovacuum does after a while. The server never does so for SQLite, whose
 * planner then assumes that every table is large.
 */
export async function analyze(): Promise<void> {
  if (engine === 'postgres') await sql`ANALYZE`.execute(db)
}
