// The database metrics of `GET /metrics`.
import type { CompiledQuery } from 'kysely'
import { counter, duration, gauge } from '#lib/metrics.ts'
import { traceStatement } from './traces.ts'

const queries = duration('database_query_duration_seconds', 'Duration of database statements in seconds', ['kind'])
const errors = counter('database_query_errors_total', 'Database statements that failed, by SQLSTATE', ['code'])
const retried = counter(
  'database_transaction_retries_total',
  'Transaction retries, by SQLSTATE: 40001 is a serialization failure, 40P01 a deadlock',
  ['code'],
)

/** Records a statement that was answered or failed, and its duration in milliseconds. */
export function noteQuery(compiled: CompiledQuery, took: number, error?: unknown): void {
  const failure = error === undefined ? undefined : codeOf(error)
  traceStatement(compiled, { system: pool ? 'postgresql' : 'sqlite', milliseconds: took, failure })
  queries.observe({ kind: kindOf(compiled.query.kind) }, took / 1000)
  if (failure !== undefined) errors.inc({ code: failure })
}

const kinds = new Map<string, string>()
function kindOf(node: string): string {
  const known = kinds.get(node) ?? node.replace(/(Query)?Node$/, '').toLowerCase()
  kinds.set(node, known)
  return known
}

/** Records a retry of a transaction. */
export const noteRetry = (code: string): void => retried.inc({ code })

/** The part of a connection pool that the metrics read. */
interface Pool {
  options: { max?: number | undefined }
  totalCount: number
  idleCount: number
  waitingCount: number
}
let pool: Pool | undefined
let othersWaiting = () => 0

/** Sets the pool that the metrics describe, and the number of callers that do not wait in its own queue yet. */
export function measurePool(opened: Pool, waiting: () => number): void {
  pool = opened
  othersWaiting = waiting
}

gauge('database_pool_connections', 'Connections to PostgreSQL', ['state'], () =>
  pool
    ? [
        { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
        { labels: { state: 'idle' }, value: pool.idleCount },
      ]
    : [],
)
gauge('database_pool_waiting', 'Callers that wait for a connection to PostgreSQL', [], () =>
  pool ? [{ value: pool.waitingCount + othersWaiting() }] : [],
)
gauge('database_pool_size', 'The most connections to PostgreSQL: DATABASE_POOL', [], () =>
  pool?.options.max ? [{ value: pool.options.max }] : [],
)

/** The engine's error code, if it is as short as such codes are; otherwise 'none'. */
const codeOf = (error: unknown): string => {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return /^\w{1,20}$/.exec(String(errcode ?? code))?.[0] ?? 'none'
}
