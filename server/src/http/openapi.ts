import * as z from 'zod/mini'
import { isRead } from './methods.ts'
import { fieldsOf } from './read.ts'
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
  errors: z.optional(
    z.array(
      z.looseObject({
        path: z.string(),
        message: z.string(),
        code: z.optional(z.string()),
        params: z.optional(z.record(z.string(), z.unknown())),
      }),
    ),
  ),
  /** As in the header X-Request-Id, and in the log. */
  requestId: z.optional(z.string()),
})

function operationOf({ route }: Endpoint): Json {
  const parameters = [...pathParameters(route.path), ...queryParameters(route.query), ...headerParameters(route)]
  const done = { description: 'Done', ...headersOf(route), ...answerOf(route) }
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/\W+(\w)/g, (_, initial: string) => initial.toUpperCase())}`,
    ...(route.access === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: { required: !route.body.safeParse(undefined).success, ...json(schemaOf(route.body, 'input')) },
    }),
    ...(route.upload && { requestBody: { required: true, ...fileIn(route.upload, route.form) } }),
    responses: {
      [route.status ?? 200]: done,
      ...(hasPreview(route) && { 200: { ...done, description: 'The preview, with dryRun' } }),
      ...(isConditional(route) && { 304: { description: 'If-None-Match has the current ETag' } }),
      default: { description: 'Refused', ...json({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

function queryParameters(query: Endpoint['route']['query']): Json[] {
  const { properties = {}, required = [] } = query ? propertiesOf(query) : {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    // An object is sent as JSON.
    ...(schema.type === 'object' ? json(schema) : { schema }),
  }))
}

function headerParameters(route: Endpoint['route']): Json[] {
  const { versioned, idempotent, upload } = route
  return [
    ...(isConditional(route) ? [{ name: 'If-None-Match', in: 'header', schema: { type: 'string' } }] : []),
    ...(versioned ? [{ name: 'If-Match', in: 'header', schema: { type: 'string' } }] : []),
    ...(idempotent ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }] : []),
    ...(upload === 'part'
      ? [{ name: 'Upload-Offset', in: 'header', required: true, schema: { type: 'integer', minimum: 0 } }]
      : []),
  ]
}

/** Whether a response has an ETag: only that of a versioned entity has one. */
const hasEtag = ({ response }: Endpoint['route']): boolean => fieldsOf(response).has('version')

/** Whether a call is answered without a body if the caller has the current response. */
const isConditional = (route: Endpoint['route']): boolean => isRead(route) && hasEtag(route)

/** The headers of a response that clients need. */
function headersOf(route: Endpoint['route']): Json {
  const names = [
    ...(route.counted ? ['X-Total-Count'] : []),
    ...(hasEtag(route) ? ['ETag'] : []),
    ...(fieldsOf(route.response).has('offset') ? ['Upload-Offset'] : []),
  ]
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' } }])) }
}

const propertiesOf = (schema: z.ZodMiniType): { properties?: Record<string, Json>; required?: string[] } =>
  schemaOf(schema, 'input')

/** Whether a call with `dryRun` is answered with 200 instead of the status of the route. */
const hasPreview = ({ status, body }: Endpoint['route']): boolean =>
  status !== undefined && fieldsOf(body).has('dryRun')

const json = (schema: Json) => ({ content: { 'application/json': { schema } } })

/** A stream is described by the schema of one of its events. */
function answerOf({ stream, file, response }: Endpoint['route']): Json {
  const schema = schemaOf(response, 'output')
  if (file) return { content: Object.fromEntries(file.map((type) => [type, { schema }])) }
  return stream ? { content: { 'text/event-stream': { schema } } } : json(schema)
}

/** A file in a multipart field, with the text fields of its form, or a part of a file as the body. */
function fileIn(field: string, form: Endpoint['route']['form']): Json {
  if (field === 'part') return { content: { 'application/offset+octet-stream': { schema: {} } } }
  const { properties = {}, required = [] } = form ? propertiesOf(form) : {}
  const schema = {
    type: 'object',
    properties: { ...properties, [field]: { type: 'string', format: 'binary' } },
    required: [...required, field],
  }
  return { content: { 'multipart/form-data': { schema } } }
}

/** A schema of the contract as JSON Schema: of what it accepts, or of what it returns. */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}
