// How statements reach the database: Kysely builds and compiles them, and this sends them.
import { type CompiledQuery, DefaultQueryExecutor, type QueryResult } from 'kysely'
import { decodeRows } from './columns.ts'
import { noteQuery } from './meter.ts'

export type Answer = QueryResult<unknown>

/** Sends a compiled statement. */
export type Send = (query: CompiledQuery) => Promise<Answer>

/** An open transaction. */
export interface Session {
  send: Send
  /** How many of its statements are written to the connection; 0 if the engine answers each before the next. */
  readonly written: number
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Returns the connection to the pool. No call may follow. */
  release(): void
}

/** A statement was sent after the end of its transaction. */
export class TransactionOver extends Error {
  constructor() {
    super('The transaction is over')
  }
}

/** How an engine is accessed. */
export interface Access {
  /** Sends a single statement, outside a transaction. */
  send: Send
  begin(): Promise<Session>
}

/**
 * Sends statements itself, instead of acquiring a connection for each as Kysely does: that would cost more than many of
 * the statements.
 */
export class DirectExecutor extends DefaultQueryExecutor {
  readonly #send: Send

  constructor(
    send: Send,
    ...[compiler, adapter, provider, plugins]: ConstructorParameters<typeof DefaultQueryExecutor>
  ) {
    super(compiler, adapter, provider, plugins)
    this.#send = send
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const began = performance.now()
    try {
      const result = await this.#send(query)
      noteQuery(query, performance.now() - began)
      decodeRows(result.rows, query.queryId)
      return result as QueryResult<Row>
    } catch (error) {
      noteQuery(query, performance.now() - began, error)
      throw error
    }
  }
}

/** SQLSTATE 26000: the statement that should have prepared this one was sent before it, and failed. */
export const isUnprepared = (error: unknown): boolean => codeOf(error) === '26000'

/**
 * Whether a statement failed only because an earlier one did: after an error, PostgreSQL rejects all further statements
 * of the transaction.
 */
export const isAfterFailure = (error: unknown): boolean => codeOf(error) === '25P02' || isUnprepared(error)

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code

/** The error that caused the others. */
export const firstCause = (errors: unknown[]): unknown => errors.find((error) => !isAfterFailure(error)) ?? errors[0]

/**
 * Runs independent parts of a transaction concurrently, so that their statements are pipelined. Returns their results.
 * If one fails, waits for the others before it throws, so that nothing is sent after the transaction has ended.
 */
export async function together<Each extends unknown[]>(
  ...asked: { [At in keyof Each]: Promise<Each[At]> }
): Promise<Each> {
  const settled = await Promise.allSettled(asked)
  const failed = settled.filter((each) => each.status === 'rejected').map(({ reason }) => reason as unknown)
  if (failed.length > 0) throw firstCause(failed)
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value) as Each
}

/** How many parts of `eachTogether` run concurrently. */
const TOGETHER = 50

/**
 * Like `together`, for very many independent parts, some at a time: changes to entities that are locked and do not read
 * what the other changes write.
 */
export async function eachTogether<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += TOGETHER) await together(...items.slice(at, at + TOGETHER).map(act))
}
