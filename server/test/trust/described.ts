// Compares responses with the OpenAPI description, as a client generated from it relies on it.
import type { Route } from '@mokuroku/contract/route'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { fromJSONSchema } from 'zod'
import { openApi } from '#http/openapi.ts'
import { endpoints } from '../../src/app.ts'

type Json = Record<string, unknown>
interface Described {
  headers?: Json
  content?: Record<string, { schema: Json }>
}

interface Answered {
  status: number
  headers: Record<string, unknown>
  text: string
}

const { paths, components } = openApi(endpoints, 'http://127.0.0.1', '0.0.0') as {
  paths: Record<string, Record<string, { responses: Record<string, Described & { $ref?: string }> }>>
  components: { responses: Record<string, Described>; headers: Json; schemas: Record<string, Json> }
}
const described = new Set(Object.keys(components.headers).map((name) => name.toLowerCase()))
/** Statuses that any call may have, beyond its own (docs/behaviour.md#errors). */
const OTHERS = new Set([408, 413, 414, 415, 421, 431, 500, 501, 502, 503, 504, 507])

/** The description of the response of a call with this status; undefined if it has none. */
function responseOf({ method, path }: Route, status: number): Described | undefined {
  const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  const found = operation?.responses[status] ?? (OTHERS.has(status) ? operation?.responses.default : undefined)
  return found?.$ref === undefined ? found : components.responses[found.$ref.split('/').at(-1) ?? '']
}

const parsers = new WeakMap<Json, z.core.$ZodType>()

/** A parser made from a schema of the description. */
export function parserOf(schema: Json): z.core.$ZodType {
  let parser = parsers.get(schema)
  if (!parser) {
    const whole = JSON.stringify({ ...schema, $defs: components.schemas })
    parser = fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as never)
    parsers.set(schema, parser)
  }
  return parser
}

/** Fails for a response whose status, headers, media type or body the description does not have. */
export function expectDescribed(route: Route, { status, headers, text }: Answered): void {
  const name = `${route.method} ${route.path} ${status}`
  const response = responseOf(route, status)
  expect(response, `${name} is not described: ${text.slice(0, 300)}`).toBeDefined()
  const known = new Set(Object.keys(response?.headers ?? {}).map((each) => each.toLowerCase()))
  expect({ name, undescribed: Object.keys(headers).filter((each) => described.has(each) && !known.has(each)) }).toEqual(
    {
      name,
      undescribed: [],
    },
  )
  if (status === 304) return
  const [type = ''] = String(headers['content-type']).split(';')
  expect({ name, types: Object.keys(response?.content ?? {}) }).toEqual({ name, types: expect.arrayContaining([type]) })
  const schema = response?.content?.[type]?.schema
  if (type !== 'application/json' || !schema) return
  const { error } = z.safeParse(parserOf(schema), JSON.parse(text))
  expect({ name, issues: error?.issues ?? [], text: error && text.slice(0, 300) }).toEqual({ name, issues: [] })
}
