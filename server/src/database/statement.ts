// Statements that are run often: built and compiled once.
import { type Kind, KINDS } from '@mokuroku/contract/kinds'
import type { Compilable, CompiledQuery, Kysely, RawBuilder } from 'kysely'
import { db, engine } from './db.ts'
import type { Tables } from './tables.ts'

/** Stands for a value while a statement is built. */
export class Placeholder {
  readonly #at: number
  readonly #as: (value: unknown) => unknown
  /** 1 for a list of one; undefined for other lists and other values. */
  readonly length: 1 | undefined

  constructor(at: number, length?: 1, as: (value: unknown) => unknown = (value) => value) {
    this.#at = at
    this.length = length
    this.#as = as
  }

  /** A placeholder for the same value in another form. */
  as(change: (value: never) => unknown): Placeholder {
    return new Placeholder(this.#at, this.length, change as (value: unknown) => unknown)
  }

  valueIn(values: readonly unknown[]): unknown {
    return this.#as(values[this.#at])
  }
}

/** What a statement can be run on: a database or a transaction. */
export type Executor = Pick<Kysely<Tables>, 'selectFrom' | 'insertInto' | 'executeQuery' | 'getExecutor'>

/**
 * A statement that is built once, and once more for lists of one. `build` receives placeholders for the values, which
 * it must only pass on: as the value of a condition, as a limit, or as the list of `inList`. Returns a function that
 * runs the statement on a database or in a transaction.
 */
export function statement<Values extends unknown[], Row>(
  build: (from: Executor, ...values: Values) => Compilable<Row>,
): (from: Executor, ...values: Values) => Promise<Row[]> {
  const compiled = new Map<string, CompiledQuery<Row>>()
  return async (from, ...values) => {
    const lengths = values.map(lengthOf)
    const name = `${engine} ${lengths.join()}`
    const known = compiled.get(name) ?? build(db, ...(lengths.map(standIn) as Values)).compile()
    compiled.set(name, known)
    const parameters = known.parameters.map((each) => (each instanceof Placeholder ? each.valueIn(values) : each))
    const { rows } = await from.executeQuery<Row>({ ...known, parameters })
    return rows
  }
}

const lengthOf = (value: unknown): 1 | undefined => (Array.isArray(value) && value.length === 1 ? 1 : undefined)

const standIn = (length: 1 | undefined, at: number): Placeholder => new Placeholder(at, length)

/** A statement for each kind. */
export const perKind = <Each>(build: (kind: Kind) => Each): Record<Kind, Each> =>
  Object.fromEntries(KINDS.map((kind) => [kind, build(kind)])) as Record<Kind, Each>

/** Raw SQL in the form that `statement` expects. */
export const compilable = <Row>(from: Executor, text: RawBuilder<unknown>): Compilable<Row> => ({
  compile: () => text.compile(from),
})
