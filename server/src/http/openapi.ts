import { BatchItem } from '@mokuroku/contract/ai'
import { Moment } from '@mokuroku/contract/common'
import { TRASH_KINDS } from '@mokuroku/contract/kinds'
import { MediaInput } from '@mokuroku/contract/media'
import type { Route } from '@mokuroku/contract/route'
import { SelectedMedia } from '@mokuroku/contract/selection'
import * as z from 'zod/mini'
import { type Json, jsonSchemas, nameSchemas } from './jsonSchemas.ts'
import { isRead } from './methods.ts'
import { isText } from './mount.ts'
import { ERROR_EXAMPLES, EXAMPLES } from './openapiExamples.ts'
import { areaTextOf, HEADERS, INTRODUCTION, PARAMETERS, summaryOf } from './openapiTexts.ts'
import { fieldsOf } from './read.ts'
import type { Endpoint } from './serve.ts'

type Schemas = ReturnType<typeof jsonSchemas>

/** The OpenAPI 3.1 description of the endpoints, generated from the contract and the guards. `server` is the API host. */
export function openApi(endpoints: Endpoint[], server: string, version: string): Json {
  const routes = endpoints.map(({ route }) => route)
  const schemas = jsonSchemas({
    input: routes.flatMap((route) => [route.query, route.form, bodyOf(route)]),
    output: [...routes.map(({ response }) => response), ...Object.values(ERRORS).map(({ body }) => body)],
  })
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const { method, path } = endpoint.route
    const at = path.replace(/:(\w+)/g, '{$1}')
    paths[at] = { ...paths[at], [method.toLowerCase()]: operationOf(endpoint, schemas) }
  }
  const tags = new Set(routes.map(areaOf))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mokuroku',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: INTRODUCTION,
    },
    servers: [{ url: server }],
    security: [{ token: [] }],
    tags: [...tags].map((name) => ({ name, description: areaTextOf(name) })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      headers: Object.fromEntries(RESPONSE_HEADERS.map((name) => [name, headerOf(name)])),
      responses: Object.fromEntries(
        Object.values(ERRORS).map(({ name, description, body, headers }) => [
          name,
          {
            description,
            ...headersNamed(['X-Request-Id', ...(headers ?? [])]),
            ...json(schemas.of(body, 'output'), ERROR_EXAMPLES[name]),
          },
        ]),
      ),
      schemas: schemas.definitions,
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
const Denied = z.extend(ErrorAnswer, { reason: z.optional(z.string()) })
/** `from` was merged into `into` by the batch. */
const Merged = z.extend(ErrorAnswer, { from: z.string(), into: z.string(), batch: z.string() })
/** What the caller has seen, has sent, and is stored now; at `conflicts`, both have changed the same value. */
const Stale = z.extend(ErrorAnswer, {
  ...Object.fromEntries(['base', 'mine', 'theirs'].map((name) => [name, z.optional(z.unknown())])),
  conflicts: z.optional(z.array(z.string())),
  version: z.optional(z.int()),
  updatedAt: z.optional(Moment),
  savedBy: z.optional(z.array(z.string())),
})
const TooMany = z.extend(ErrorAnswer, { retryAfter: z.optional(z.int()) })
/** What a call conflicts with; which fields there are depends on the code. */
const Conflict = z.extend(ErrorAnswer, {
  ...z.partial(z.pick(Merged, { from: true, into: true, batch: true })).shape,
  offset: z.optional(z.int()),
  version: z.optional(z.int()),
  current: z.optional(z.string()),
})
nameSchemas({ Error: ErrorAnswer, Conflict, Denied, Merged, Stale, TooMany })

interface Problem {
  name: string
  description: string
  body: z.ZodMiniType
  headers?: string[]
  /** Which calls are answered like this. */
  of: (route: Route, endpoint: Endpoint) => boolean
}

const isPublic = ({ access }: Route): boolean => access === 'public'
/** Whether a call names an entry, which may not exist: in its path, its query or its body. */
const namesEntity = ({ path, query, body }: Route): boolean =>
  path.includes('/:') ||
  fieldsOf(query).has('entityId') ||
  ['entityId', 'replaces'].some((name) => fieldsOf(body).has(name))
const hasBody = ({ body, upload }: Route): boolean => body !== undefined || upload !== undefined

/** The errors of calls, by status; any call may also be answered with the others of docs/behaviour.md#errors. */
const ERRORS: Record<number | 'default', Problem> = {
  308: {
    name: 'Merged',
    description: 'The entry was merged into another one',
    body: Merged,
    headers: ['Location'],
    of: ({ redirects }) => redirects === true,
  },
  400: { name: 'Invalid', description: 'The input is invalid', body: ErrorAnswer, of: () => true },
  401: {
    name: 'Unauthorized',
    description: 'There is no valid session, or email or password are wrong',
    body: ErrorAnswer,
    headers: ['WWW-Authenticate'],
    of: (route) => !isPublic(route) || fieldsOf(route.response).has('token'),
  },
  403: {
    name: 'Forbidden',
    description: 'Not permitted; with the code `reauthenticate`, the password has to be confirmed first',
    body: Denied,
    // A read that not everyone may make has a guard; that of versions refuses those of some kinds.
    of: (route, { guard }) =>
      !isPublic(route) && (!isRead(route) || guard !== undefined || areaOf(route) === 'revisions'),
  },
  404: { name: 'NotFound', description: 'Does not exist, or is not the caller’s', body: ErrorAnswer, of: namesEntity },
  409: {
    name: 'Conflict',
    description:
      'Conflicts with the current state. With the code `merged`, the body has the fields of a redirect; with `offset`, where the next part of an upload begins; with `stale`, the version of the entry that was to be merged; with `changed`, the text that a rollback would replace',
    body: Conflict,
    of: (route) => !isRead(route) && !isPublic(route),
  },
  412: {
    name: 'Stale',
    description: 'Someone else has changed the same value in the meantime; nothing was saved',
    body: Stale,
    // An upload may replace a file.
    of: ({ versioned, body, upload }) =>
      versioned === true || upload === 'part' || ['base', 'replaces'].some((name) => fieldsOf(body).has(name)),
  },
  413: { name: 'TooLarge', description: 'The body is too large', body: ErrorAnswer, of: hasBody },
  415: {
    name: 'UnsupportedType',
    description: 'The type of the body is not supported',
    body: ErrorAnswer,
    of: hasBody,
  },
  429: {
    name: 'TooMany',
    description: 'A limit is reached',
    body: TooMany,
    headers: ['Retry-After'],
    // Only reads that last have limits.
    of: (route) => !isRead(route) || route.stream === true || route.file !== undefined,
  },
  default: {
    name: 'Failed',
    description:
      'The request could not be read (408, 413, 414, 415, 421, 431), or failed (5xx); 503 and 507 have `Retry-After`',
    body: ErrorAnswer,
    headers: ['Retry-After'],
    of: () => true,
  },
}

const RESPONSE_HEADERS = [
  'Content-Disposition',
  'ETag',
  'Location',
  'Retry-After',
  'Upload-Offset',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-Search-Words',
  'X-Total-Count',
]

/** Bodies of which the contract leaves parts to the handler, which checks them by these schemas. */
const CHECKED_LATER: Record<string, z.ZodMiniType> = {
  'PUT /api/translations/media/batch': z.array(BatchItem).check(z.minLength(1), z.maxLength(200)),
  'POST /api/ai/create-media': z.object({
    ...SelectedMedia.shape,
    ...z.partial(
      z.pick(MediaInput, {
        mediaType: true,
        originalTitle: true,
        isOngoing: true,
        releaseDate: true,
        duration: true,
        episodes: true,
      }),
    ).shape,
  }),
}

const bodyOf = ({ method, path, body }: Route): z.ZodMiniType | undefined => CHECKED_LATER[`${method} ${path}`] ?? body

/** The part of the catalogue or the product that a call belongs to, by its path. */
const areaOf = ({ path }: Route): string => /^\/(?:api\/)?([\w-]+)/.exec(path)?.[1] ?? ''

/** The name of a call: its area and its action, such as `mediaList`, or the action alone if that begins with the area. */
export function callNameOf({ route, action }: Endpoint): string {
  const area = areaOf(route).replace(/-(\w)/g, (_, initial: string) => initial.toUpperCase())
  return action.startsWith(area) ? action : `${area}${action[0]?.toUpperCase()}${action.slice(1)}`
}

function operationOf(endpoint: Endpoint, schemas: Schemas): Json {
  const { route } = endpoint
  const parameters = [
    ...pathParameters(route.path),
    ...queryParameters(route.query, schemas),
    ...headerParameters(route),
  ]
  const name = callNameOf(endpoint)
  const example = EXAMPLES[name]
  const body = bodyOf(route)
  const done = { description: 'Done', ...headersOf(route), ...answerOf(route, schemas, example?.response) }
  const preview = previewOf(route, schemas)
  const errors = Object.entries(ERRORS).filter(([, { of }]) => of(route, endpoint))
  return {
    operationId: name,
    summary: summaryOf(route),
    tags: [areaOf(route)],
    ...(isPublic(route) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: !body.safeParse(undefined).success, ...json(schemas.of(body, 'input'), example?.body) },
    }),
    ...(route.upload && { requestBody: { required: true, ...fileIn(route.upload, route.form, schemas) } }),
    responses: {
      [route.status ?? 200]: preview ? { ...done, ...json(preview.started, example?.response) } : done,
      ...(preview && {
        200: { ...done, description: 'The preview, with dryRun', ...json(preview.planned, example?.preview) },
      }),
      ...(isConditional(route) && {
        304: { description: 'If-None-Match has the current ETag', ...headersNamed(['ETag', 'X-Request-Id']) },
      }),
      ...Object.fromEntries(
        errors.map(([status, problem]) => [status, { $ref: `#/components/responses/${problem.name}` }]),
      ),
    },
  }
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'kind' ? { type: 'string', enum: TRASH_KINDS } : { type: 'string' },
  }))

function queryParameters(query: Route['query'], schemas: Schemas): Json[] {
  const { properties = {}, required = [] } = query ? propertiesOf(query, schemas) : {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(PARAMETERS[name] && { description: PARAMETERS[name] }),
    // An object is sent as JSON.
    ...(schema.type === 'object' ? json(schema) : { schema }),
  }))
}

/** Whether the history of a call can name AI: it writes texts by language. */
const takesRuns = (route: Route): boolean =>
  !isRead(route) && (fieldsOf(bodyOf(route)).has('translations') || route.path === '/api/translations/media/batch')

function headerParameters(route: Route): Json[] {
  const { method, versioned, idempotent, upload, stream } = route
  const names = [
    ...(isConditional(route) ? ['If-None-Match'] : []),
    ...(versioned ? ['If-Match'] : []),
    ...(idempotent ? ['Idempotency-Key'] : []),
    ...(takesRuns(route) ? ['AI-Runs'] : []),
    ...(takesRuns(route) && versioned && method === 'PUT' ? ['Drop-Links'] : []),
    ...(stream && fieldsOf(route.query).has('entityId') ? ['Last-Event-ID'] : []),
  ]
  return [
    ...names.map((name) => ({ name, in: 'header', description: HEADERS[name], schema: { type: 'string' } })),
    ...(upload === 'part'
      ? [
          {
            name: 'Upload-Offset',
            in: 'header',
            required: true,
            description: HEADERS['Upload-Offset'],
            schema: { type: 'integer', minimum: 0 },
          },
        ]
      : []),
  ]
}

/** Whether a response has an ETag: only that of a versioned entity has one. */
const hasEtag = ({ response }: Route): boolean => fieldsOf(response).has('version')

/** Whether a call is answered without a body if the caller has the current response. */
const isConditional = (route: Route): boolean => isRead(route) && hasEtag(route)

/** The headers of a response that clients need. */
const headersOf = (route: Route): Json =>
  headersNamed([
    'X-Request-Id',
    ...(route.counted ? ['X-Total-Count'] : []),
    ...(hasEtag(route) ? ['ETag'] : []),
    ...(fieldsOf(route.response).has('offset') ? ['Upload-Offset'] : []),
    ...(route.file ? ['Content-Disposition'] : []),
    ...(fieldsOf(route.response).has('hits') ? ['X-Search-Words'] : []),
  ])

const headersNamed = (names: string[]): Json => ({
  headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
})
const headerOf = (name: string): Json => ({
  description: HEADERS[name],
  schema: { type: name === 'Retry-After' || name === 'Upload-Offset' ? 'integer' : 'string' },
})

const propertiesOf = (schema: z.ZodMiniType, schemas: Schemas) =>
  schemas.of(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }

/** The two responses of a call that, with `dryRun`, is answered with 200 instead of the status of the route. */
function previewOf({ status, body, response }: Route, schemas: Schemas): { started: Json; planned: Json } | undefined {
  if (status === undefined || !fieldsOf(body).has('dryRun')) return undefined
  const { anyOf: [started = {}, planned = {}] = [] } = schemas.of(response, 'output') as { anyOf?: Json[] }
  return { started, planned }
}

const json = (schema: Json, example?: unknown) => ({
  content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
})

/** Bytes that are not text, as OpenAPI 3.1 describes them: without it, generated clients send a file as JSON. */
const BYTES: Json = { contentMediaType: 'application/octet-stream' }

/** A stream is described by the schema of one of its events. */
function answerOf({ stream, file, response }: Route, schemas: Schemas, example: unknown): Json {
  const schema = schemas.of(response, 'output')
  if (file)
    return { content: Object.fromEntries(file.map((type) => [type, { schema: isText(type) ? schema : BYTES }])) }
  return stream ? { content: { 'text/event-stream': { schema } } } : json(schema, example)
}

/** A file in a multipart field, with the text fields of its form, or a part of a file as the body. */
function fileIn(field: string, form: Route['form'], schemas: Schemas): Json {
  if (field === 'part') return { content: { 'application/offset+octet-stream': { schema: BYTES } } }
  const { properties = {}, required = [] } = form ? propertiesOf(form, schemas) : {}
  const schema = {
    type: 'object',
    properties: { ...properties, [field]: BYTES },
    required: [...required, field],
  }
  return { content: { 'multipart/form-data': { schema } } }
}
