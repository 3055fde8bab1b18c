import type * as z from 'zod/mini'
import type { Params, Response, Route } from './route.ts'

/** A request for the caller's transport: fetch in the console, Fastify's inject in the tests. */
export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
}
export interface HttpResponse {
  status: number
  body: unknown
  /** The header X-Total-Count, if present. */
  total?: string | undefined
}

type RawInput<R extends Route, Key extends 'query' | 'body'> = R[Key] extends z.ZodMiniType ? z.input<R[Key]> : never
type WithQuery<R extends Route> = R['query'] extends z.ZodMiniType ? { query?: RawInput<R, 'query'> } : unknown
type WithBody<R extends Route> = R['body'] extends z.ZodMiniType
  ? undefined extends RawInput<R, 'body'>
    ? { body?: RawInput<R, 'body'> }
    : { body: RawInput<R, 'body'> }
  : unknown

/**
 * The path parameters, the query, the body, and four headers. `base`: the version that was edited (If-Match). `runs`:
 * the ids of the AI answers that parts of the body come from (AI-Runs). `dropped`: the ids of trashed entities whose
 * links the body omits on purpose (Drop-Links); without it such links are kept, because responses do not show them.
 * `key`: repeating a call with it creates nothing again (Idempotency-Key).
 */
export type Input<R extends Route> = Params<R['path']> &
  WithQuery<R> &
  WithBody<R> & { base?: number; runs?: string[]; dropped?: string[]; key?: string; signal?: AbortSignal }

type Arguments<R extends Route> = object extends Input<R> ? [input?: Input<R>] : [input: Input<R>]
export type Call = <R extends Route>(route: R, ...input: Arguments<R>) => Promise<Response<R>>

/** A validation error of one value. `path` is dotted, as in `translations.en.title`. */
export interface FieldError {
  path: string
  message: string
  /** The code of the message, for clients that translate it (contract/src/faults.ts); not every error has one. */
  code?: string | undefined
  /** The parameters of the message: a bound, the allowed values, the kind and id of a missing entity. */
  params?: { limit?: number; values?: string[]; kind?: string; id?: string } | undefined
}

/** A response other than 2xx. `status` is 0 if there was no response. `body` is the response body as received. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly errors: FieldError[] | undefined
  readonly body: unknown
  /** The HTTP method of the call, if known. */
  readonly method: string | undefined

  constructor(status: number, body: unknown, { method, ...options }: ErrorOptions & { method?: string } = {}) {
    const known = typeof body === 'object' && body !== null ? (body as Partial<ApiError>) : {}
    super(typeof known.message === 'string' ? known.message : `HTTP ${status}`, options)
    this.status = status
    this.code = known.code
    this.errors = known.errors
    this.body = body
    this.method = method
  }
}

/** The total of a list. `isMore`: there are more than were counted. */
export interface Total {
  total: number
  isMore: boolean
}
/** Like `Call`, for lists that return their total; without it if a proxy has removed the header. */
type CountedCall = <R extends Route & { counted: true }>(
  route: R,
  ...input: Arguments<R>
) => Promise<{ answer: Response<R> } & Partial<Total>>

type Send = (request: HttpRequest) => Promise<HttpResponse>

/**
 * The typed client: `call(mediaApi.update, { id, body, base: media.version })`.
 * Resolves to the route's response; throws ApiError for anything but 2xx.
 */
export function createClient(send: Send): Call {
  return async (route, ...[input]) => (await exchange(send, route, input)).body as never
}

/** Like `createClient`, for the lists that return X-Total-Count. */
export function createCountedClient(send: Send): CountedCall {
  return async (route, ...[input]) => {
    const { body, total } = await exchange(send, route, input)
    if (total === undefined) return { answer: body as never }
    return { answer: body as never, total: Number.parseInt(total), isMore: total.endsWith('+') }
  }
}

async function exchange(send: Send, route: Route, input: unknown): Promise<HttpResponse> {
  const given = (input ?? {}) as Record<string, unknown> & {
    base?: number
    runs?: string[]
    dropped?: string[]
    key?: string
    signal?: AbortSignal
  }
  const headers: Record<string, string> = {}
  if (given.body !== undefined) headers['content-type'] = 'application/json'
  if (given.base !== undefined) headers['if-match'] = `"${given.base}"`
  if (given.runs?.length) headers['ai-runs'] = given.runs.join(',')
  if (given.dropped?.length) headers['drop-links'] = given.dropped.join(',')
  if (given.key !== undefined) headers['idempotency-key'] = given.key
  const answer = await send({
    method: route.method,
    url: urlOf(route, given),
    headers,
    ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
    ...(given.signal && { signal: given.signal }),
  })
  if (answer.status < 200 || answer.status > 299)
    throw new ApiError(answer.status, answer.body, { method: route.method })
  return answer
}

/** The URL of a call: path parameters encoded, query without empty values, keys in the given order. */
export function urlOf(route: Route, input: Record<string, unknown>): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(
    (input.query ?? {}) as Record<string, string | number | boolean | object | null | undefined>,
  )) {
    if (value === undefined || value === null || value === '') continue
    query.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}
