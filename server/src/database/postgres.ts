import {
  AbortedTransactionError,
  type CompiledQuery,
  type Driver,
  PostgresDriver,
  type PostgresPoolClient,
} from 'kysely'
import pg from 'pg'
import { semaphore } from '#lib/semaphore.ts'
import {
  type Access,
  type Answer,
  isAfterFailure,
  isUnprepared,
  type Session,
  together,
  TransactionOver,
} from './executor.ts'
import { NOT_SERIALIZABLE, primaryOf } from './hosts.ts'
import { measurePool } from './meter.ts'
import {
  afterThisTurn,
  areTimeoutsEnforced,
  isAbandoned,
  NoAnswer,
  PooledConnection,
  toConnectionError,
  writeTogether,
} from './pooledConnection.ts'
import { type Prepared, prepareBy } from './prepared.ts'

/** The size of the connection pool if DATABASE_POOL is not set. */
const DEFAULT_CONNECTIONS = 10
/** Timeouts, in milliseconds. */
interface Timeouts {
  /** For getting a connection, new or from the pool. */
  connectMs: number
  /** For the answer to one statement. */
  statementMs: number
}
const OF_PRIMARY: Timeouts = { connectMs: 10_000, statementMs: 15_000 }
/** Shorter, as the primary answers what a replica does not. */
const OF_REPLICA: Timeouts = { connectMs: 2000, statementMs: 5000 }
/** How often a caller waiting for a new connection checks whether another one has become idle, in milliseconds. */
const POLL_INTERVAL_MS = 50
/**
 * After this time, PostgreSQL cancels a statement of a transaction. That is before this side closes the connection, which
 * PostgreSQL does not notice while it waits for a lock: it would keep all other locks of the transaction until then.
 */
const CANCELLED_AFTER_MS = OF_PRIMARY.statementMs - 1000
/** What starts a transaction, as `beginAs` sets it. */
let beginning = 'begin'

/**
 * Starts a transaction with its timeouts, which are set within it, so that they work behind a pooler too: if this client
 * disappears, PostgreSQL ends the transaction and releases its locks. While timeouts are off, the database's own one is.
 */
const begin = (): Prepared =>
  limited(`${beginning}; set local idle_in_transaction_session_timeout = ${OF_PRIMARY.statementMs}`)

function limited(start: string): Prepared {
  const limitMs = areTimeoutsEnforced() ? CANCELLED_AFTER_MS : 0
  return { text: `${start}; set local statement_timeout = ${limitMs}`, onlyReads: false }
}

/**
 * Sets the isolation level of transactions: the default of the database, but read committed instead of repeatable read,
 * since what is read after taking a lock has to include what its previous holder committed. Serializable transactions
 * that read stale data fail, and are retried.
 */
export const beginAs = (isolation: string): void =>
  void (beginning = `begin${isolation === 'repeatable read' ? ' isolation level read committed' : ''}`)

const plain = (text: string): Prepared => ({ text, onlyReads: false })
const COMMIT = plain('commit')
const ROLLBACK = plain('rollback')
/** Of statements that cannot run in a transaction, only those for indexes may take long. */
const CONCURRENT = /\bINDEX CONCURRENTLY\b/
const ROLLED_BACK = { command: 'ROLLBACK', rowCount: 0, rows: [] }
/**
 * At most this many concurrent statements share one connection; PostgreSQL works on several connections in parallel.
 */
const MAX_TOGETHER = 8
/**
 * As many connections are kept for reads, as long as two others remain: transactions that all wait for one with many
 * locks, such as a merge, do not make reads wait, too.
 */
const FOR_READS = 2

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** No connection was free. SQLSTATE 53300 is too many connections. */
class NoTurn extends Error {
  readonly code = '53300'
}

let losses = 0
/**
 * How often a connection was lost, or the last one of the pool was closed: changes since then may have gone unnoticed.
 * After a crash, PostgreSQL may reuse transaction ids that it had not yet written to its log.
 */
export const connectionLosses = (): number => losses

export interface PoolOptions {
  /** The maximum number of connections. */
  pool?: number | undefined
  /** Whether to use prepared statements. */
  prepares?: boolean | undefined
}

/**
 * A connection pool for the database at `url`. Connecting and statements have timeouts, which are shorter for a
 * replica. The pool metrics describe the pool of the primary.
 */
export function postgres(
  url: string,
  { pool: size = DEFAULT_CONNECTIONS, prepares = true, isReplica = false }: PoolOptions & { isReplica?: boolean },
): { access: Access; driver: Driver } {
  const timeouts = isReplica ? OF_REPLICA : OF_PRIMARY
  const primary = primaryOf(url)
  const pool = new pg.Pool({
    Client: HostClient,
    max: size,
    connectionTimeoutMillis: timeouts.connectMs,
    keepAlive: true,
    pipeline: true,
  })
  const writers = turnsFor(Math.min(size, Math.max(2, size - FOR_READS)), timeouts.connectMs)
  if (!isReplica) measurePool(pool, writers.waitingCount)
  // The pool replaces a connection that is lost while idle. Without a listener, the error would end the process.
  pool.on('error', () => undefined)
  pool.on('remove', () => void (pool.totalCount === 0 && losses++))
  pool.on('connect', (client) => {
    // The same goes for a connection that is lost between two statements of a transaction: the next statement fails.
    client.on('error', () => void losses++)
    writeTogether(client)
    if (isReplica) client.query(NOT_SERIALIZABLE).catch(() => undefined)
  })
  let answered = performance.now()
  const isAnswering = () => performance.now() - answered < timeouts.connectMs / 2
  const connect = async (released?: () => void): Promise<PooledConnection> => {
    if (isAbandoned()) throw new NoAnswer('No answer')
    try {
      const client = await connectTo(pool, await primary.url())
      const noted = (isLost: boolean) => void (isLost ? primary.lost() : (answered = performance.now()))
      return new PooledConnection(client, timeouts.statementMs, noted, released)
    } catch (error) {
      primary.lost()
      // A timeout has no code. If the pool is full and others get answers, all connections are just busy. A refused or
      // lost connection has a code of its own.
      const isTooLong = (error as { code?: unknown }).code === undefined
      throw isTooLong && isAnswering() && pool.totalCount >= size
        ? new NoTurn('No connection', { cause: error })
        : toConnectionError(error)
    }
  }
  const connectToWrite = async (): Promise<PooledConnection> => {
    const giveBack = await writers.turn()
    try {
      return await connect(giveBack)
    } catch (error) {
      giveBack()
      throw error
    }
  }
  const driver = new PostgresDriver({
    pool: { options: pool.options, end: () => pool.end(), connect: async () => kyselyClient(await connect()) },
  })
  const prepared = prepareBy(prepares)
  const readers = shared(() => connect(), {
    mayConnect: () => pool.totalCount - pool.idleCount < size,
    waitingCount: () => pool.waitingCount,
  })
  const access: Access = {
    send: async ({ sql, parameters }) => {
      try {
        return await sendAlone(prepared.named(sql), parameters)
      } catch (error) {
        if (!prepared.note(error) && !isUnprepared(error)) throw error
        // Safe to retry: PostgreSQL rejected the statement before running it.
        return sendAlone(prepared.named(sql), parameters)
      }
    },
    begin: async () => sessionOn(await connectToWrite(), prepared),
  }
  const sendAlone = async (statement: Prepared, parameters: readonly unknown[]): Promise<Answer> => {
    if (statement.onlyReads && areTimeoutsEnforced()) return toAnswer(await readers(statement, parameters))
    const connection = await connectToWrite()
    try {
      // In a transaction, for its timeout: PostgreSQL would run a statement that waited for a lock after it was given up.
      const [start, end] = CONCURRENT.test(statement.text)
        ? [plain('set statement_timeout = 0'), plain('reset statement_timeout')]
        : [begin(), COMMIT]
      const [, answer] = await together(
        connection.send(start),
        connection.send(statement, parameters),
        connection.send(end),
      )
      return toAnswer(answer)
    } finally {
      connection.release()
    }
  }
  return { access, driver }
}

/** Turns of which `limit` can be taken at a time. One that does not come in time is refused. */
function turnsFor(limit: number, timeoutMs: number) {
  const inTurn = semaphore(limit)
  let waiting = 0
  const turn = (): Promise<() => void> =>
    new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        waiting -= 1
        reject(new NoTurn('No connection'))
      }, timeoutMs)
      waiting += 1
      void inTurn(async () => {
        if (isLate) return
        waiting -= 1
        clearTimeout(timer)
        await new Promise<void>((giveBack) => resolve(giveBack))
      })
    })
  return { turn, waitingCount: () => waiting }
}

/**
 * Pipelines read-only statements, which wait for no locks, over shared connections. Those sent at the same moment go
 * out in one socket write: a write costs more than most of the work on an answer.
 */
function shared(
  connect: () => Promise<PooledConnection>,
  { mayConnect, waitingCount }: { mayConnect: () => boolean; waitingCount: () => number },
) {
  const connections = new Set<PooledConnection>()
  /** These get no more statements, and are released once they have answered, because others wait for a connection. */
  const draining = new Set<PooledConnection>()
  let connecting: Promise<PooledConnection> | undefined
  const open = async (): Promise<PooledConnection> => {
    const connection = await connect()
    connections.add(connection)
    // The caller that this connection was opened for may have found another one meanwhile.
    afterThisTurn(() => giveBack(connection))
    return connection
  }
  const giveBack = (connection: PooledConnection): void => {
    if (connection.load === 0 && (connections.delete(connection) || draining.delete(connection))) connection.release()
  }
  const free = (): PooledConnection | undefined => {
    let least: PooledConnection | undefined
    for (const connection of connections) {
      if (connection.isLost) continue
      if (connection.load === 0 || (connection.isFilling && connection.load < MAX_TOGETHER)) return connection
      if (!least || connection.load < least.load) least = connection
    }
    if (mayConnect()) return undefined
    const othersWaiting = waitingCount() - (connecting ? 1 : 0)
    if (!least || othersWaiting <= draining.size) return least
    // Otherwise, a steady load of reads would keep all connections, and no transaction would get one.
    connections.delete(least)
    draining.add(least)
    return free()
  }
  return async (statement: Prepared, parameters: readonly unknown[]): Promise<pg.QueryResult> => {
    let connection = free()
    while (!connection) {
      connecting ??= open().finally(() => (connecting = undefined))
      await connecting
      connection = free()
    }
    try {
      return await connection.send(statement, parameters)
    } finally {
      giveBack(connection)
    }
  }
}

/** A client that knows the URL of its host. */
class HostClient extends pg.Client {
  readonly url: string | undefined

  constructor(options?: pg.ClientConfig) {
    super(options)
    this.url = options?.connectionString
  }
}

/** Gets a connection to the host at `url`, and closes idle ones of the pool that lead to another host. */
async function connectTo(pool: pg.Pool, url: string): Promise<pg.PoolClient> {
  pool.options.connectionString = url
  for (;;) {
    const client = await acquire(pool)
    if ((client as unknown as HostClient).url === url) return client
    client.release(true)
  }
}

/**
 * Gets a connection from the pool. If the pool has to open a new one, but an existing one becomes idle first, that is
 * used: a slow DNS lookup or a lost packet can delay a new connection for seconds, but not those that exist.
 */
function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  const ordered = pool.connect()
  const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
  const poll = setInterval(() => {
    if (pool.idleCount === 0) return
    clearInterval(poll)
    ordered.then(
      (late) => late.release(),
      () => undefined,
    )
    resolve(acquire(pool))
  }, POLL_INTERVAL_MS)
  ordered.then(resolve, reject).finally(() => clearInterval(poll))
  return promise
}

function sessionOn(connection: PooledConnection, prepared: ReturnType<typeof prepareBy>): Session {
  let isOver = false
  // The first error of the transaction. The caller of a later statement gets this one, and not just that the
  // transaction was aborted.
  let failure: unknown
  // BEGIN is pipelined with the first statement, which fails if it fails.
  const started = connection.send(begin())
  started.catch(() => undefined)
  const send = async (statement: Prepared, parameters?: readonly unknown[]): Promise<Answer> => {
    const sent = connection.send(statement, parameters)
    sent.catch((error: unknown) => void (failure ??= error))
    await started
    try {
      return toAnswer(await sent)
    } catch (error) {
      throw isAfterFailure(error) ? failure : error
    }
  }
  const end = (statement: Prepared) => {
    isOver = true
    return send(statement)
  }
  return {
    send: async ({ sql, parameters }: CompiledQuery) => {
      if (isOver) throw new TransactionOver()
      try {
        return await send(prepared.named(sql), parameters)
      } catch (error) {
        prepared.note(error)
        throw error
      }
    },
    get written() {
      return connection.written
    },
    commit: async () => {
      const { rows } = await end(COMMIT)
      if ((rows[0] as { command?: string } | undefined)?.command === 'ROLLBACK') throw new AbortedTransactionError()
    },
    rollback: async () => {
      // Without its connection, the transaction no longer exists.
      if (!isOver && !connection.isLost) await end(ROLLBACK)
    },
    release: () => connection.release(),
  }
}

function toAnswer({ command, rowCount, rows }: pg.QueryResult): Answer {
  if (command === 'SELECT') return { rows }
  if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command }] }
  return { rows, ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) }
}

/** A connection in the form that the driver of Kysely expects, for what Kysely sends itself. */
function kyselyClient(connection: PooledConnection): PostgresPoolClient {
  const query = async (text: string, values: readonly unknown[] = []) => {
    // Without its connection, the transaction no longer exists, and its error has already been thrown.
    if (connection.isLost && text === 'rollback') return ROLLED_BACK
    if (text === 'begin') return connection.send(begin())
    const isStart = text.startsWith('start transaction') && !areTimeoutsEnforced()
    return connection.send(isStart ? limited(text) : plain(text), values)
  }
  return { query, release: () => connection.release() } as unknown as PostgresPoolClient
}
