import {
  AbortedTransactionError,
  type CompiledQuery,
  type Driver,
  PostgresDriver,
  type PostgresPoolClient,
} from 'kysely'
import pg from 'pg'
import { encode } from './columns.ts'
import { type Access, type Answer, isAfterFailure, isUnprepared, type Session, TransactionOver } from './executor.ts'
import { NOT_SERIALIZABLE, primaryOf } from './hosts.ts'
import { measurePool } from './meter.ts'
import { type Prepared, prepareBy, StaleStatement } from './prepared.ts'
import { Question } from './question.ts'
import { TlsFault } from './tls.ts'

/** Connections at the same time, where DATABASE_POOL does not say. */
const DEFAULT_CONNECTIONS = 10
/** How long something may take, in milliseconds. */
interface Timeouts {
  /** For a connection to come, or to be free. */
  connectMs: number
  /** For the answer to one statement. */
  statementMs: number
}
const OF_PRIMARY: Timeouts = { connectMs: 10_000, statementMs: 15_000 }
/** What a replica does not answer, the primary is asked. */
const OF_REPLICA: Timeouts = { connectMs: 2000, statementMs: 5000 }
const WATCH_INTERVAL_MS = 500
/** How often somebody whose connection has not come looks whether another one is free, in milliseconds. */
const POLL_INTERVAL_MS = 50
/** In the transaction itself, so that it holds behind a pooler too: what was cut off gives its locks back. */
const beginning = (level = ''): Prepared => ({
  text: `begin${level}; set local idle_in_transaction_session_timeout = ${OF_PRIMARY.statementMs}`,
  onlyReads: false,
})
let begin = beginning()

/**
 * Has transactions begin at the isolation that the database has by default, but for repeatable reads: what is read after a
 * lock has to be as whoever held it before left it. Serializable transactions that read otherwise fail, and are tried again.
 */
export const beginAs = (isolation: string): void =>
  void (begin = beginning(isolation === 'repeatable read' ? ' isolation level read committed' : ''))

const [COMMIT, ROLLBACK]: Prepared[] = ['commit', 'rollback'].map((text) => ({ text, onlyReads: false }))
/** SQLSTATE of a write where there are none: the host is a standby, or became one. */
const READ_ONLY = '25006'
const ROLLED_BACK = { command: 'ROLLBACK', rowCount: 0, rows: [] }
/** So many statements of the same moment go to one connection; the database works on those of several at once. */
const MAX_TOGETHER = 8

/** Whatever a test makes of the clock. */
const afterThisTurn = setImmediate

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** No answer came; SQLSTATE 08006 is a connection failure. */
class NoAnswer extends Error {
  readonly code = '08006'
}

/** No connection was free; SQLSTATE 53300 is too many connections. */
class NoTurn extends Error {
  readonly code = '53300'
}

/** Whether the database is waited for no more. */
let isAbandoned = false

/** Fails at once what waits for an answer, and all that is still asked: a stop does not wait for a database that is away. */
export function abandon(): void {
  isAbandoned = true
  for (const line of watched) line.giveUp()
}

let losses = 0
/**
 * How often a connection was lost, or the last one closed: what happened since may have gone unnoticed. After a crash,
 * PostgreSQL may give ids of transactions that it had not yet logged to others.
 */
export const connectionLosses = (): number => losses

/** Whether statements must be answered in a while: a migration may take as long as it needs. */
let timeoutsEnforced = false
export const enforceTimeouts = (on: boolean): void => void (timeoutsEnforced = on)

export interface PoolOptions {
  /** The most connections at the same time. */
  pool?: number | undefined
  /** Whether PostgreSQL is asked to keep statements prepared. */
  prepares?: boolean | undefined
}

/**
 * A pool of connections to the database at `url`, none of which is waited for without end, and for less time where it is
 * a replica. What its metrics say is about the other one.
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
  if (!isReplica) measurePool(pool)
  // A connection lost while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  pool.on('remove', () => void (pool.totalCount === 0 && losses++))
  pool.on('connect', (client) => {
    // So would one that is lost between two statements of a transaction: the next statement says it.
    client.on('error', () => void losses++)
    writeTogether(client)
    if (isReplica) client.query(NOT_SERIALIZABLE).catch(() => undefined)
  })
  let answered = performance.now()
  const isAnswering = () => performance.now() - answered < timeouts.connectMs / 2
  const connect = async (): Promise<Line> => {
    if (isAbandoned) throw new NoAnswer('No answer')
    try {
      const client = await connectTo(pool, await primary.url())
      const noted = (isLost: boolean) => void (isLost ? primary.lost() : (answered = performance.now()))
      return new Line(client, timeouts.statementMs, noted)
    } catch (error) {
      primary.lost()
      // All connections are taken, and come back: others are served. What was refused or lost says so itself.
      const isTooLong = (error as { code?: unknown }).code === undefined
      throw isTooLong && isAnswering() && pool.totalCount >= size
        ? new NoTurn('No connection', { cause: error })
        : toConnectionError(error)
    }
  }
  const driver = new PostgresDriver({
    pool: { options: pool.options, end: () => pool.end(), connect: async () => lent(await connect()) },
  })
  const prepared = prepareBy(prepares)
  const readers = shared(connect, () => pool.totalCount - pool.idleCount < size)
  const access: Access = {
    send: async ({ sql, parameters }) => {
      try {
        return await sendAlone(prepared.named(sql), parameters)
      } catch (error) {
        if (!prepared.note(error) && !isUnprepared(error)) throw error
        // It was refused before it was done.
        return sendAlone(prepared.named(sql), parameters)
      }
    },
    begin: async () => sessionOn(await connect(), prepared),
  }
  const sendAlone = async (statement: Prepared, parameters: readonly unknown[]): Promise<Answer> => {
    if (statement.onlyReads) return toAnswer(await readers(statement, parameters))
    const line = await connect()
    try {
      return toAnswer(await line.send(statement, parameters))
    } finally {
      line.release()
    }
  }
  return { access, driver }
}

/**
 * Sends statements that only read, and so wait for nobody, over connections that they share. Those of the same moment go
 * out in one write: to write is dearer than most of what is done with an answer.
 */
function shared(connect: () => Promise<Line>, mayConnect: () => boolean) {
  const lines = new Set<Line>()
  let connecting: Promise<Line> | undefined
  const open = async (): Promise<Line> => {
    const line = await connect()
    lines.add(line)
    // Whoever asked for it may have found another one meanwhile.
    afterThisTurn(() => giveBack(line))
    return line
  }
  const giveBack = (line: Line): void => {
    if (line.load === 0 && lines.delete(line)) line.release()
  }
  const free = (): Line | undefined => {
    let least: Line | undefined
    for (const line of lines) {
      if (line.isLost) continue
      if (line.load === 0 || (line.isFilling && line.load < MAX_TOGETHER)) return line
      if (!least || line.load < least.load) least = line
    }
    return mayConnect() ? undefined : least
  }
  return async (statement: Prepared, parameters: readonly unknown[]): Promise<pg.QueryResult> => {
    let line = free()
    while (!line) {
      connecting ??= open().finally(() => (connecting = undefined))
      await connecting
      line = free()
    }
    try {
      return await line.send(statement, parameters)
    } finally {
      giveBack(line)
    }
  }
}

/** A connection that knows which host it leads to. */
class HostClient extends pg.Client {
  readonly url: string | undefined

  constructor(options?: pg.ClientConfig) {
    super(options)
    this.url = options?.connectionString
  }
}

/** A connection to a host; what is left in the pool of another host is closed. */
async function connectTo(pool: pg.Pool, url: string): Promise<pg.PoolClient> {
  pool.options.connectionString = url
  for (;;) {
    const client = await acquire(pool)
    if ((client as unknown as HostClient).url === url) return client
    client.release(true)
  }
}

/**
 * A connection of the pool. Where that is a new one, it may be one that others give back before it has come: a name that is
 * slow to be found, or a packet that is lost, holds up one connection for seconds, and not those that are there.
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

/** A connection that is ours for a while. It is given up for good once it has not answered, or takes no writes any more. */
class Line {
  readonly #client: pg.PoolClient
  readonly #timeoutMs: number
  readonly #noted: (isLost: boolean) => void
  /** When each statement that is not answered was sent, the first one first. */
  readonly #sent: number[] = []
  isLost = false

  constructor(client: pg.PoolClient, timeoutMs: number, noted: (isLost: boolean) => void) {
    this.#client = client
    this.#timeoutMs = timeoutMs
    this.#noted = noted
  }

  /** How many statements are under way. */
  get load(): number {
    return this.#sent.length
  }

  /** Whether what is sent now leaves with what was sent before. */
  get isFilling(): boolean {
    return filling.has(this.#client)
  }

  async send(statement: Prepared, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    const { name } = statement
    const isPrepared = name !== undefined && connectionOf(this.#client).parsedStatements[name] !== undefined
    this.#sent.push(performance.now())
    if (this.#sent.length === 1) watch(this)
    try {
      const result = await ask(this.#client, statement, values.map(encode))
      this.#noted(false)
      return result
    } catch (error) {
      // Of the statement, and not of the bytes that came.
      if (error instanceof Error) Error.captureStackTrace(error)
      if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.code === READ_ONLY)
        this.isLost = true
      if (this.isLost) this.#noted(true)
      throw StaleStatement.of(error, isPrepared) ?? toConnectionError(error)
    } finally {
      // Answers come in the order of the statements.
      this.#sent.shift()
      if (this.#sent.length === 0) watched.delete(this)
    }
  }

  /** Gives up a connection whose answer is overdue, and fails all that waits for one. */
  check(): void {
    const [first = Infinity] = this.#sent
    if (timeoutsEnforced && performance.now() - first >= this.#timeoutMs) this.giveUp()
  }

  giveUp(): void {
    this.isLost = true
    connectionOf(this.#client).stream.destroy()
  }

  release(): void {
    this.#client.release(this.isLost)
  }
}

/** Of several statements in one text, the answer to the first. */
const ask = (client: pg.PoolClient, statement: Prepared, values: unknown[]): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const done = (error: unknown, result: pg.QueryResult | pg.QueryResult[]) =>
      error ? reject(error) : resolve((Array.isArray(result) ? result[0] : result) as pg.QueryResult)
    client.query(new Question(statement, values, done) as unknown as pg.Submittable)
  })

const watched = new Set<Line>()
let watching: NodeJS.Timeout | undefined

function watch(line: Line): void {
  watched.add(line)
  watching ??= setInterval(() => {
    for (const each of watched) each.check()
  }, WATCH_INTERVAL_MS).unref()
}

function sessionOn(line: Line, prepared: ReturnType<typeof prepareBy>): Session {
  let isOver = false
  // Whoever awaits a later statement may not know of the one before it that failed.
  let failure: unknown
  // Sent with the first statement, which is refused when this is.
  const started = line.send(begin)
  started.catch(() => undefined)
  const send = async (statement: Prepared, parameters?: readonly unknown[]): Promise<Answer> => {
    const sent = line.send(statement, parameters)
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
    commit: async () => {
      const { rows } = await end(COMMIT as Prepared)
      if ((rows[0] as { command?: string } | undefined)?.command === 'ROLLBACK') throw new AbortedTransactionError()
    },
    rollback: async () => {
      // A transaction without its connection is none any more.
      if (!isOver && !line.isLost) await end(ROLLBACK as Prepared)
    },
    release: () => line.release(),
  }
}

function toAnswer({ command, rowCount, rows }: pg.QueryResult): Answer {
  if (command === 'SELECT') return { rows }
  if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command }] }
  return { rows, ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) }
}

/** A connection as the driver of Kysely takes it, for what it sends by itself. */
function lent(line: Line): PostgresPoolClient {
  const query = async (text: string, values: readonly unknown[] = []) => {
    // A transaction without its connection is none any more, and what it failed of has been thrown.
    if (line.isLost && text === 'rollback') return ROLLED_BACK
    return line.send(text === 'begin' ? begin : { text, onlyReads: false }, values)
  }
  return { query, release: () => line.release() } as unknown as PostgresPoolClient
}

interface Connection {
  /** By its name, what has been prepared. */
  parsedStatements: Record<string, string>
  stream: { write: (...given: unknown[]) => boolean; destroy: () => void }
}
const connectionOf = (client: pg.PoolClient): Connection => (client as unknown as { connection: Connection }).connection

/** The connections to which something is written at this moment. */
const filling = new WeakSet<pg.PoolClient>()

/** Has all that is written to a connection in one turn of the event loop leave in one write. */
function writeTogether(client: pg.PoolClient): void {
  const { stream } = connectionOf(client)
  const write = stream.write.bind(stream)
  let parts: Buffer[] = []
  const flush = () => {
    filling.delete(client)
    if (parts.length > 0) write(parts.length === 1 ? parts[0] : Buffer.concat(parts))
    parts = []
  }
  stream.write = (part, ...rest) => {
    if (rest.length > 0 || !Buffer.isBuffer(part)) {
      flush()
      return write(part, ...rest)
    }
    if (parts.length === 0) {
      filling.add(client)
      afterThisTurn(flush)
    }
    parts.push(part)
    return true
  }
}

/** The driver gives some of what happens to a connection no code. */
const toConnectionError = (error: unknown): unknown =>
  TlsFault.of(error) ??
  ((error as { code?: unknown }).code === undefined ? new NoAnswer('No answer', { cause: error }) : error)
