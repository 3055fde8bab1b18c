// Serializes responses with functions that are compiled from the contract once. In one pass, they check a response,
// drop what the contract does not name, and write its JSON. They write the same as parsing and JSON.stringify, which
// are the fallback for what cannot be compiled or is uncertain (docs/decisions/024).
import type * as z from 'zod/mini'
import { strip } from './read.ts'

type Schema = z.core.$ZodType
/** Writes a value as JSON: undefined if nothing is written, false if the value does not fit its schema. */
type Writer = (value: unknown) => string | undefined | false

/**
 * A function that writes answers of a schema as JSON, with only the fields that the schema names. It throws if an
 * answer does not fit, and says where.
 */
export function serializer(schema: z.ZodMiniType): (answer: unknown) => string {
  // Compiled for the first answer: of the routes that a start mounts, many are never called.
  let write: Writer | false | undefined
  return (answer) => {
    write ??= writerOf(schema) ?? false
    return (write && written(write, answer)) || JSON.stringify(strip(schema, answer))
  }
}

/**
 * The writer for values of a schema; undefined if the schema has checks, transformations or anything else beyond its
 * shape.
 */
export function writerOf(schema: Schema): Writer | undefined {
  const { def } = schema._zod
  if (def.checks?.length || 'check' in def || 'coerce' in def) return undefined
  return WRITERS[def.type]?.(schema as never)
}

function written(write: Writer, answer: unknown): string | undefined {
  try {
    return write(answer) || undefined
  } catch {
    return undefined
  }
}

const UNSURE = new Error('Whether this fits is for zod to say')

const WRITERS: { [type: string]: ((schema: never) => Writer | undefined) | undefined } = {
  string: () => (value) => typeof value === 'string' && quoted(value),
  number: () => (value) => Number.isFinite(value) && String(value),
  boolean: () => (value) => typeof value === 'boolean' && String(value),
  enum: (schema: z.core.$ZodEnum) => oneOf(schema._zod.values),
  literal: (schema: z.core.$ZodLiteral) => oneOf(schema._zod.values),
  unknown: () => anything,
  optional: (schema: z.core.$ZodOptional) => {
    const write = writerOf(schema._zod.def.innerType)
    return write && ((value) => (value === undefined ? undefined : write(value)))
  },
  nullable: (schema: z.core.$ZodNullable) => {
    const write = writerOf(schema._zod.def.innerType)
    return write && ((value) => (value === null ? 'null' : write(value)))
  },
  union: (schema: z.core.$ZodUnion) => {
    const writers = schema._zod.def.options.map(writerOf)
    return writers.every((each) => each !== undefined) ? firstFitting(writers) : undefined
  },
  array: (schema: z.core.$ZodArray) => {
    const write = writerOf(schema._zod.def.element)
    return write && list(write)
  },
  record: (schema: z.core.$ZodRecord) => {
    const { keyType, valueType } = schema._zod.def
    const write = keyType._zod.def.type === 'string' && writerOf(keyType) ? writerOf(valueType) : undefined
    return write && record(write)
  },
  object: (schema: z.core.$ZodObject) => {
    const { shape, catchall } = schema._zod.def
    if (catchall) return undefined
    const fields = Object.entries(shape).map(([name, field]) => ({
      name,
      key: `${quoted(name)}:`,
      write: writerOf(field),
    }))
    return fields.every((field): field is Field => field.write !== undefined) ? object(fields) : undefined
  },
}

function oneOf(values: Iterable<unknown>): Writer | undefined {
  const texts = new Map<unknown, string>()
  for (const value of values) {
    if (value !== null && typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value))
      return undefined
    texts.set(value, JSON.stringify(value))
  }
  return (value) => texts.get(value) ?? false
}

/**
 * Uncertain: `toJSON` decides itself what JSON.stringify writes; and it is unknown here whether an undefined field is
 * present.
 */
function anything(value: unknown): string | undefined {
  if (value === undefined || hasToJSON(value)) throw UNSURE
  return JSON.stringify(value)
}

const hasToJSON = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'

const firstFitting =
  (writers: Writer[]): Writer =>
  (value) => {
    for (const write of writers) {
      const text = write(value)
      if (text !== false) return text
    }
    return false
  }

const list =
  (write: Writer): Writer =>
  (value) => {
    if (!Array.isArray(value)) return false
    let all = ''
    for (let at = 0; at < value.length; at++) {
      const text = write(value[at])
      if (text === false) return false
      all += `${at === 0 ? '' : ','}${text ?? 'null'}`
    }
    return `[${all}]`
  }

const record =
  (write: Writer): Writer =>
  (value) => {
    if (!isRecord(value)) throw UNSURE
    let all = ''
    for (const name of Object.keys(value)) {
      if (name === '__proto__') continue
      const text = write(value[name])
      if (text === false) return false
      if (text !== undefined) all += `${all === '' ? '' : ','}${quoted(name)}:${text}`
    }
    return `{${all}}`
  }

/** Whether it is a plain object, for which JSON.stringify writes exactly its keys. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  if (Object.hasOwn(value, 'constructor') || Object.hasOwn(value, 'toJSON')) return false
  return Object.getOwnPropertySymbols(value).length === 0
}

interface Field {
  name: string
  /** The key in JSON: `"name":`. */
  key: string
  write: Writer
}

const object =
  (fields: readonly Field[]): Writer =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const given = value as Record<string, unknown>
    let all = ''
    for (const { name, key, write } of fields) {
      const text = write(given[name])
      if (text === false) return false
      if (text !== undefined) all += all === '' ? key + text : `,${key}${text}`
    }
    return `{${all}}`
  }

// eslint-disable-next-line no-control-regex -- they are what is looked for
const ESCAPED = /["\\\0-\x1f\ud800-\udfff]/

const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`)
