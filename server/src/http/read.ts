// Reads the parts of a request, by the contract.
import { hash } from 'node:crypto'
import type { Route } from '@mokuroku/contract/route'
import { fieldError } from '@mokuroku/contract/faults'
import { toFieldErrors } from '@mokuroku/contract/issues'
import { reasonText } from '@mokuroku/contract/reasons'
import * as z from 'zod/mini'
import { MAX_FAULTS } from './errorAnswer.ts'
import { invalid, notFound } from '#lib/errors.ts'

/** Parses by the contract. Throws a 400 that names the first faults. */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  return invalid(toFieldErrors(parsed.error, value, MAX_FAULTS))
}

/** The query and the body of calls that have none in the contract. */
export const NOTHING = z.strictObject({})

/**
 * Parses a query by the contract, and rejects parameters that the contract does not name. Undefined for calls without a
 * query.
 */
export function parseQuery(declared: z.ZodMiniType | undefined, query: object): unknown {
  const known = declared ? (shapeOf(declared) ?? query) : {}
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length > 0) invalid(unknown.slice(0, MAX_FAULTS).map((name) => fieldError([name], 'unknown')))
  return declared && parse(declared, query)
}

export function strip(schema: z.ZodMiniType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Error(`An answer does not fit the contract: ${parsed.error.issues[0]?.path.join('.')}`)
}

/**
 * Fields that the response has and the input does not are read-only and dropped: an entity may be sent back as it was
 * read.
 */
export function withoutReadOnly(route: Route, body: unknown): unknown {
  const [input, answer] = [shapeOf(route.body), shapeOf(route.response)]
  if (!input || !answer || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => Object.hasOwn(input, name) || !Object.hasOwn(answer, name)),
  )
}

/** An empty filter counts as not set. */
export const withoutEmpty = (query: object): object =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))

/** Throws 404 for a NUL: PostgreSQL cannot even search for such a text, and no id contains one. */
export function pathParts(parts: Record<string, string>): Record<string, string> {
  if (Object.values(parts).some((part) => part.includes('\0'))) notFound()
  return parts
}

/** The names of the fields of an object schema; none for any other. */
export const fieldsOf = (schema: z.ZodMiniType | undefined): ReadonlySet<string> =>
  new Set(Object.keys(shapeOf(schema) ?? {}))

const shapeOf = (schema: z.ZodMiniType | undefined): object | undefined =>
  (schema as { shape?: object } | undefined)?.shape

/**
 * The version in `If-Match: "3"`, or in the longer form that an ETag may have (entityTag.ts). `*` or no header means
 * any version. Throws 400 for anything that is not a version.
 */
export function baseOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const version = /^\s*(?:W\/)?"?(\d{1,9})(?:-[\w-]{1,32})?"?\s*$/.exec(header)?.[1]
  return version ? Number(version) : invalid([{ path: 'If-Match', message: reasonText('etag') }])
}

/**
 * Names a request: a hash of its Idempotency-Key, its call and its body. The same key with another body is another
 * request. Undefined without a key.
 */
export const keyOf = (header: string | string[] | undefined, path: string, body: unknown): string | undefined =>
  header ? hash('sha256', JSON.stringify([header, path, body])) : undefined

/** The ids in a header, at most as many as a person can have looked at. */
export const listIn = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => /^[\w-]{1,64}$/.test(id))
    .slice(0, 20)
