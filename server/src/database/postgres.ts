import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'

/** Connections at the same time, where DATABASE_POOL does not say. */
const DEFAULT_CONNECTIONS = 10
/** How long a connection may take to come, or to be free, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000
/** How long the answer to one statement may take, and how long a transaction may say nothing, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 15_000
/** In the transaction itself, so that it holds behind a pooler too: what was cut off gives its locks back. */
const BEGIN = `begin; set local idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`
const ROLLED_BACK = { command: 'ROLLBACK', rowCount: 0, rows: [] }

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** No answer came; SQLSTATE 08006 is a connection failure. */
class NoAnswer extends Error {
  readonly code = '08006'
}

/** No connection was free; SQLSTATE 53300 is too many connections. */
class NoTurn extends Error {
  readonly code = '53300'
}

/** Whether statements must be answered in a while: a migration may take as long as it needs. */
let timeoutsEnforced = false
export const enforceTimeouts = (on: boolean): void => void (timeoutsEnforced = on)

/** A pool of up to `size` connections to the database at `url`, none of which is waited for without end. */
export function postgres(
  url: string,
  encode: (value: unknown) => unknown,
  size: number = DEFAULT_CONNECTIONS,
): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  // A connection lost while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  // So would one that is lost between two statements of a transaction: the next statement says it.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  let answered = performance.now()
  const isAnswering = () => performance.now() - answered < CONNECT_TIMEOUT_MS / 2
  return new PostgresDialect({
    pool: {
      options: pool.options,
      end: () => pool.end(),
      connect: async () => {
        try {
          return guarded(await pool.connect(), encode, () => (answered = performance.now()))
        } catch (error) {
          // All connections are taken, and come back: others are served.
          throw isAnswering() && pool.totalCount >= size
            ? new NoTurn('No connection', { cause: error })
            : toConnectionError(error)
        }
      },
    },
  })
}

/** A connection that is given up for good once it has not answered. */
function guarded(client: pg.PoolClient, encode: (value: unknown) => unknown, noted: () => void): PostgresPoolClient {
  let isLost = false
  const query = async (text: string, values: readonly unknown[] = []) => {
    // A transaction without its connection is none any more, and what it failed of has been thrown.
    if (isLost && text === 'rollback') return ROLLED_BACK
    const sent = { text: text === 'begin' ? BEGIN : text, values: values.map(encode) }
    const timeouts = timeoutsEnforced && { query_timeout: STATEMENT_TIMEOUT_MS }
    try {
      const result: unknown = await client.query({ ...sent, ...timeouts } as pg.QueryConfig)
      noted()
      return Array.isArray(result) ? result[0] : result
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') isLost = true
      throw toConnectionError(error)
    }
  }
  return { query, release: () => client.release(isLost) } as unknown as PostgresPoolClient
}

/** The driver gives some of what happens to a connection no code. */
const toConnectionError = (error: unknown): unknown =>
  (error as { code?: unknown }).code === undefined ? new NoAnswer('No answer', { cause: error }) : error
