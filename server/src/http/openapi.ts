import * as z from 'zod/mini'
import type { Endpoint } from './serve.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 description of the endpoints, generated from the contract alone. `server` is the API host. */
export function openApi(endpoints: Endpoint[], server: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const { method, path } = endpoint.route
    const at = path.replace(/:(\w+)/g, '{$1}')
    paths[at] = { ...paths[at], [method.toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Mokuroku', version: '0.1.0', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: server }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(ErrorAnswer, 'output') },
    },
  }
}

/** The body of every error response (docs/behaviour.md#errors). */
export const ErrorAnswer = z.looseObject({
  message: z.string(),
  code: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** As in the header X-Request-Id, and in the log. */
  requestId: z.optional(z.string()),
})

function operationOf({ route }: Endpoint): Json {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const query =
    route.query && (schemaOf(route.query, 'input') as { properties?: Record<string, Json>; required?: string[] })
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query?.required?.includes(name) ?? false,
    schema,
  }))
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/\W+(\w)/g, (_, initial: string) => initial.toUpperCase())}`,
    ...(route.access === 'public' && { security: [] }),
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(route.body && { requestBody: { required: true, ...json(schemaOf(route.body, 'input')) } }),
    ...(route.upload && { requestBody: { required: true, ...fileIn(route.upload) } }),
    responses: {
      [route.status ?? 200]: { description: 'Done', ...answerOf(route) },
      default: { description: 'Refused', ...json({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

const json = (schema: Json) => ({ content: { 'application/json': { schema } } })

/** A stream is described by the schema of one of its events. */
function answerOf({ stream, file, response }: Endpoint['route']): Json {
  const schema = schemaOf(response, 'output')
  if (file) return { content: Object.fromEntries(file.map((type) => [type, { schema }])) }
  return stream ? { content: { 'text/event-stream': { schema } } } : json(schema)
}

/** A file in a multipart field, or a part of a file as the body. */
function fileIn(field: string): Json {
  if (field === 'part') return { content: { 'application/offset+octet-stream': { schema: {} } } }
  const schema = { type: 'object', properties: { [field]: { type: 'string', format: 'binary' } }, required: [field] }
  return { content: { 'multipart/form-data': { schema } } }
}

/** A schema of the contract as JSON Schema: of what it accepts, or of what it returns. */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}
