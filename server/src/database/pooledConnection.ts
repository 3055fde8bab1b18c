import pg from 'pg'
import { encode } from './columns.ts'
import { type Prepared, StaleStatement } from './prepared.ts'
import { PreparedQuery } from './preparedQuery.ts'
import { TlsFault } from './tls.ts'

const WATCH_INTERVAL_MS = 500
/** SQLSTATE of a write in a read-only transaction: the host is a standby, or became one. */
const READ_ONLY = '25006'

/** Captured here so that fake timers of tests do not replace it. */
export const afterThisTurn = setImmediate

/** No answer came. SQLSTATE 08006 is a connection failure. */
export class NoAnswer extends Error {
  readonly code = '08006'
}

let abandoned = false
/** Whether new statements fail at once because the database is not waited for any more. */
export const isAbandoned = (): boolean => abandoned

/**
 * Fails all pending and all further statements at once, so that a shutdown does not wait for an unreachable database.
 */
export function abandon(): void {
  abandoned = true
  for (const connection of watched) connection.giveUp()
}

let timeoutsEnforced = false
/** Whether the timeouts of statements apply: a migration may take as long as it needs. */
export const areTimeoutsEnforced = (): boolean => timeoutsEnforced

/** Runs what may take as long as it needs. The timeouts apply afterwards, to every statement of this process. */
export async function withoutTimeouts<Result>(run: () => Promise<Result>): Promise<Result> {
  timeoutsEnforced = false
  try {
    return await run()
  } finally {
    timeoutsEnforced = true
  }
}

/**
 * A connection while it is acquired from the pool. On release it is closed if it did not answer, or accepts no writes
 * any more.
 */
export class PooledConnection {
  readonly #client: pg.PoolClient
  readonly #timeoutMs: number
  readonly #noted: (isLost: boolean) => void
  readonly #released: () => void
  /** When each pending statement was sent, the oldest first. */
  readonly #sent: number[] = []
  isLost = false
  /** How many statements were written to it. */
  written = 0

  /** `released` is called once the connection is back in the pool. */
  constructor(
    client: pg.PoolClient,
    timeoutMs: number,
    noted: (isLost: boolean) => void,
    released: () => void = () => undefined,
  ) {
    this.#client = client
    this.#timeoutMs = timeoutMs
    this.#noted = noted
    this.#released = released
  }

  /** The number of pending statements. */
  get load(): number {
    return this.#sent.length
  }

  /** Whether a statement sent now goes out in the same write as earlier ones. */
  get isFilling(): boolean {
    return filling.has(this.#client)
  }

  async send(statement: Prepared, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    const { name } = statement
    const isPrepared = name !== undefined && connectionOf(this.#client).parsedStatements[name] !== undefined
    this.#sent.push(performance.now())
    if (this.#sent.length === 1) watch(this)
    try {
      const result = await this.#ask(statement, values.map(encode))
      this.#noted(false)
      return result
    } catch (error) {
      // The stack trace of the caller, instead of that of the socket's data handler.
      if (error instanceof Error) Error.captureStackTrace(error)
      if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.code === READ_ONLY)
        this.isLost = true
      if (this.isLost) this.#noted(true)
      throw StaleStatement.from(error, isPrepared) ?? toConnectionError(error)
    } finally {
      // Answers arrive in the order of the statements.
      this.#sent.shift()
      if (this.#sent.length === 0) watched.delete(this)
    }
  }

  /** Runs a statement. If its text consists of several statements, resolves to the result of the first. */
  #ask(statement: Prepared, values: unknown[]): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const query = new PreparedQuery(statement, values, (error, result) =>
        error ? reject(error) : resolve((Array.isArray(result) ? result[0] : result) as pg.QueryResult),
      )
      this.#client.query(query as unknown as pg.Submittable)
      if (query.isWritten) this.written += 1
    })
  }

  /** Closes a connection whose answer is overdue: all its pending statements fail. */
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
    this.#released()
  }
}

const watched = new Set<PooledConnection>()
let watching: NodeJS.Timeout | undefined

function watch(connection: PooledConnection): void {
  watched.add(connection)
  watching ??= setInterval(() => {
    for (const each of watched) each.check()
  }, WATCH_INTERVAL_MS).unref()
}

interface Connection {
  /** The texts of the prepared statements, by name. */
  parsedStatements: Record<string, string>
  stream: { write: (...given: unknown[]) => boolean; destroy: () => void }
}
const connectionOf = (client: pg.PoolClient): Connection => (client as unknown as { connection: Connection }).connection

/** The connections with buffered data that is written at the end of this turn of the event loop. */
const filling = new WeakSet<pg.PoolClient>()

/** Buffers what is written to a connection in one turn of the event loop, and sends it in one socket write. */
export function writeTogether(client: pg.PoolClient): void {
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

/** The driver gives some connection errors no code. */
export const toConnectionError = (error: unknown): unknown =>
  TlsFault.from(error) ??
  ((error as { code?: unknown }).code === undefined ? new NoAnswer('No answer', { cause: error }) : error)
