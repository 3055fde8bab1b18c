import pg from 'pg'
import { type Prepared, StaleStatement } from './prepared.ts'

/** What `pg` makes of a row description, and parses rows with. */
interface Shape {
  fields: unknown[]
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

interface Connection {
  describe: (part: object) => void
}

/** Internal members of `pg.Query`. */
interface Internals {
  name: string | undefined
  _result: Shape
  _accumulateRows: boolean
  _canceledDueToError: unknown
  submit(connection: Connection): Error | null
  prepare(connection: Connection): void
  handleError(error: unknown, connection: Connection): void
  handleDataRow(row: { fields: unknown[] }): void
  handleReadyForQuery(connection: Connection): void
}

type Done = (error: unknown, result: pg.QueryResult | pg.QueryResult[]) => void

const Query = pg.Query as unknown as new (text: string, values: unknown[], done: Done) => Internals

/**
 * What is known of a connection: the row descriptions of its prepared statements, by name; and a proxy of the
 * connection that sends no Describe message.
 */
interface Known {
  shapes: Map<string, Shape>
  silent: Connection
}
const knownOf = new WeakMap<Connection, Known>()

function knownOn(connection: Connection): Known {
  const silent = () => Object.create(connection, { describe: { value: () => undefined } }) as Connection
  const known = knownOf.get(connection) ?? { shapes: new Map<string, Shape>(), silent: silent() }
  knownOf.set(connection, known)
  return known
}

/**
 * A query on a connection of `pg`. A prepared statement is described once and not for every execution: to parse a row
 * description takes longer than to parse some rows. PostgreSQL rejects a statement whose columns have changed.
 */
export class PreparedQuery extends Query {
  #isKnown = false
  #hasFailed = false
  /** Whether it was written to the connection. */
  isWritten = false

  constructor({ text, name }: Prepared, values: unknown[], done: Done) {
    // Not a config object: `pg` would copy each of its properties with its descriptor.
    super(text, values, done)
    this.name = name
  }

  override submit(connection: Connection): Error | null {
    const refused = super.submit(connection)
    this.isWritten = !refused && !this.#hasFailed
    return refused
  }

  override handleError(error: unknown, connection: Connection): void {
    this.#hasFailed = true
    super.handleError(error, connection)
  }

  override prepare(connection: Connection): void {
    const { shapes, silent } = knownOn(connection)
    const shape = this.name === undefined ? undefined : shapes.get(this.name)
    if (!shape) return super.prepare(connection)
    this.#isKnown = true
    this._accumulateRows = true
    Object.assign(this._result, shape)
    super.prepare(silent)
  }

  override handleDataRow(row: { fields: unknown[] }): void {
    // Behind a pooler, another connection to PostgreSQL may have prepared the statement after a migration.
    if (row.fields.length === this._result.fields.length) super.handleDataRow(row)
    else this._canceledDueToError = new StaleStatement(false, new Error('A row does not have the columns it had'))
  }

  override handleReadyForQuery(connection: Connection): void {
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    if (this.name !== undefined && !this.#isKnown)
      knownOn(connection).shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    super.handleReadyForQuery(connection)
  }
}
