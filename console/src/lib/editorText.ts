import type { FieldError } from '@mokuroku/contract/call'
import { toFieldErrors } from '@mokuroku/contract/issues'
import * as z from 'zod/mini'

/** The editable fields of an entity. */
export type Fields = Readonly<Record<string, unknown>>

/** One invalid value. `place` is the path to what is marked in the text. */
export interface ValidationIssue extends FieldError {
  place: readonly PropertyKey[]
}

/** The parsed text of an editor, or its errors. */
export type ParseResult =
  | { state: 'read'; value: Fields; flaws: ValidationIssue[] }
  | { state: 'empty' | 'syntax' | 'schema' | 'format'; flaws: ValidationIssue[] }

/** Pretty-printed with two spaces, as the editor shows it. */
export const textOf = (fields: Fields) => JSON.stringify(fields, null, 2)

/**
 * The entity's fields that the schema has, in the schema's order. A reference that is an object is replaced by its id.
 */
export function editable(schema: z.ZodMiniObject, entity: Fields): Fields {
  const names = Object.keys(schema.shape).filter((name) => entity[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, idsIn(entity[name])]))
}

/** Parses and validates the text against the schema. Never throws. */
export function readText(text: string, schema: z.ZodMiniType): ParseResult {
  if (text.trim() === '') return { state: 'empty', flaws: [] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { state: 'syntax', flaws: [] }
  }
  try {
    const parsed = z.safeParse(schema, value)
    if (parsed.success) return { state: 'read', value: parsed.data as Fields, flaws: [] }
    const flaws = toFieldErrors(parsed.error, value).map((fault) => ({ ...fault, place: placeOf(fault.path) }))
    return { state: 'schema', flaws }
  } catch {
    return { state: 'format', flaws: [] }
  }
}

/**
 * The request body: every field of the text, and the emptiest value that the schema accepts (null, an empty list or
 * text) for fields that `before` had and the text no longer has, because the server leaves omitted fields unchanged.
 */
export function toRequestBody(schema: z.ZodMiniObject, value: Fields, before: Fields): Fields {
  const gone = Object.keys(schema.shape).filter((name) => before[name] !== undefined && value[name] === undefined)
  return { ...value, ...Object.fromEntries(gone.map((name) => [name, emptyValueFor(schema.shape[name])])) }
}

/** The value at `place`, or undefined. */
export const valueAt = (value: unknown, place: readonly PropertyKey[]): unknown =>
  place.reduce<unknown>((at, step) => (isRecord(at) ? at[String(step)] : undefined), value)

/** Parses a dotted path; neither language tags nor field names contain dots. */
export const placeOf = (path: string): PropertyKey[] =>
  path === '' ? [] : path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))

function idsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(idsIn)
  return isRecord(value) && typeof value._id === 'string' ? value._id : value
}

const emptyValueFor = (schema: z.core.$ZodType | undefined) =>
  [null, [], ''].find((value) => schema && z.safeParse(schema as z.ZodMiniType, value).success)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
