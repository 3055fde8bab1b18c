// How statements get to the database: Kysely builds and compiles them, and they are sent from here.
import { type CompiledQuery, DefaultQueryExecutor, type QueryResult } from 'kysely'
import { decodeRows } from './columns.ts'
import { noteQuery } from './meter.ts'

export type Answer = QueryResult<unknown>

/** Sends a compiled statement. */
export type Send = (query: CompiledQuery) => Promise<Answer>

/** A transaction that has begun. */
export interface Session {
  send: Send
  /** Ends it well; all its statements have been answered. */
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Gives back what it holds; the last call. */
  release(): void
}

/** A statement came after the end of its transaction. */
export class TransactionOver extends Error {
  constructor() {
    super('The transaction is over')
  }
}

/** How an engine is reached. */
export interface Access {
  /** A statement of its own. */
  send: Send
  begin(): Promise<Session>
}

/** Sends statements itself instead of lending a connection to each: that would cost more than many of them. */
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

/** A statement was to be prepared by one that was sent before it, and failed. */
export const isUnprepared = (error: unknown): boolean => codeOf(error) === '26000'

/** PostgreSQL does nothing more in a transaction in which something failed. */
export const isAfterFailure = (error: unknown): boolean => codeOf(error) === '25P02' || isUnprepared(error)

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code

/** The error that the others follow from. */
export const firstCause = (errors: unknown[]): unknown => errors.find((error) => !isAfterFailure(error)) ?? errors[0]

/**
 * What several parts of a transaction answer that do not depend on each other: their statements leave together. When one
 * fails, the others have ended before this throws, so that nothing is sent after the transaction has ended.
 */
export async function together<Each extends unknown[]>(
  ...asked: { [At in keyof Each]: Promise<Each[At]> }
): Promise<Each> {
  const settled = await Promise.allSettled(asked)
  const failed = settled.filter((each) => each.status === 'rejected').map(({ reason }) => reason as unknown)
  if (failed.length > 0) throw firstCause(failed)
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value) as Each
}
