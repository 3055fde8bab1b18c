import pg from 'pg'
import { type Prepared, StaleStatement } from './prepared.ts'

/** What `pg` makes of the columns that PostgreSQL describes, and reads rows by. */
interface Shape {
  fields: unknown[]
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

interface Connection {
  describe: (part: object) => void
}

/** What `pg` has in its queries. */
interface Internals {
  name: string | undefined
  _result: Shape
  _accumulateRows: boolean
  _canceledDueToError: unknown
  prepare(connection: Connection): void
  handleDataRow(row: { fields: unknown[] }): void
  handleReadyForQuery(connection: Connection): void
}

type Done = (error: unknown, result: pg.QueryResult | pg.QueryResult[]) => void

const Query = pg.Query as unknown as new (text: string, values: unknown[], done: Done) => Internals

/** What is known of a connection: by the names of what it has prepared, their shapes; and itself, but asking for none. */
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
 * A statement on its way over a connection of `pg`. What is prepared there is described once and not with every answer:
 * to read a description takes longer than to read some rows. PostgreSQL refuses a statement whose columns have changed.
 */
export class Question extends Query {
  #isKnown = false

  constructor({ text, name }: Prepared, values: unknown[], done: Done) {
    // Of an object, `pg` would copy each property with its descriptor.
    super(text, values, done)
    this.name = name
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
    // Behind a pooler, another connection to PostgreSQL may have prepared it after a migration.
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
