import type * as z from 'zod/mini'

type Schema = z.ZodMiniType

/** The schemas and options of a route. With `access: 'public'` it needs no sign-in; all other routes do. */
interface Spec {
  query?: Schema
  body?: Schema
  response: Schema
  /** The multipart field of an uploaded file; 'part': the body is raw bytes, from the offset in Upload-Offset on. */
  upload?: string
  /** The text fields of its form. */
  form?: Schema
  /** The header If-Match holds the version that the caller has seen; without it, the call replaces any version. */
  versioned?: true
  /** The header Idempotency-Key names the request: repeated with the same key and body or file, it creates nothing again. */
  idempotent?: true
  /** The response is an event stream (text/event-stream); `response` is then the schema of one event. */
  stream?: true
  /** The response is a file to download, of one of these media types; `response` is then the schema of its text. */
  file?: readonly string[]
  /** The query contains whole texts, so the usual length limit of URLs does not apply. */
  longAddress?: true
  /** The response depends on the database and the caller only, so it is cached until something is written. */
  cached?: true
  /** The header X-Total-Count holds the total: exact up to 10,000, then `10000+`. */
  counted?: true
  /** A read of an entity that was merged into another one is redirected to the same read of that one (308). */
  redirects?: true
  /** The status of a successful response; calls with `dryRun` in the body answer 200. */
  status?: 201 | 202
  access?: 'public'
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A route of the API. */
export type Route<Path extends string = string, S extends Spec = Spec, M extends Method = Method> = S & {
  method: M
  path: Path
}

/** The routes of one area, by action. */
export type Api = Record<string, Route>

/** The path parameters as a type: `{ id: string }` for `/api/media/:id`. */
export type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [key in Name]: string } & Params<Rest>
  : Path extends `${string}:${infer Name}`
    ? { [key in Name]: string }
    : unknown

export type Query<R extends Route> = R['query'] extends Schema ? z.output<R['query']> : undefined
export type Body<R extends Route> = R['body'] extends Schema ? z.output<R['body']> : undefined
export type Response<R extends Route> = z.output<R['response']>

export const get = <Path extends string, const S extends Spec>(path: Path, spec: S) => route('GET', path, spec)
export const post = <Path extends string, const S extends Spec>(path: Path, spec: S) => route('POST', path, spec)
export const put = <Path extends string, const S extends Spec>(path: Path, spec: S) => route('PUT', path, spec)
export const patch = <Path extends string, const S extends Spec>(path: Path, spec: S) => route('PATCH', path, spec)
export const del = <Path extends string, const S extends Spec>(path: Path, spec: S) => route('DELETE', path, spec)

function route<M extends Method, Path extends string, S extends Spec>(
  method: M,
  path: Path,
  spec: S,
): Route<Path, S, M> {
  return { ...spec, method, path }
}
