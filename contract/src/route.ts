import type * as z from 'zod/mini'

type Schema = z.ZodMiniType

/** What a route takes and gives. `access: 'public'` opens it to visitors; every other route needs a signed-in user. */
interface Spec {
  query?: Schema
  body?: Schema
  response: Schema
  /** The multipart field in which a file is sent; 'part': the body itself, from the header Upload-Offset on. */
  upload?: string
  /** The answer is a stream of events (text/event-stream); `response` is then what one event holds. */
  stream?: true
  /** The answer is a file to be kept, of one of these media types; `response` is then what it holds: text. */
  file?: readonly string[]
  /** Whole texts are part of the address, which may then be as long as they are. */
  longAddress?: true
  /** The answer depends on the database and on who asks alone: while nothing is written, it is given again. */
  cached?: true
  /** How many there are in all is in the header X-Total-Count: exact up to 10,000, then `10000+`. */
  counted?: true
  /** Of an answer that is no preview: one with `dryRun` in its body is answered with 200. */
  status?: 201 | 202
  access?: 'public'
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One call of the API. */
export type Route<Path extends string = string, S extends Spec = Spec, M extends Method = Method> = S & {
  method: M
  path: Path
}

/** The routes of one area, by the name of the thing they do. */
export type Api = Record<string, Route>

/** The named parts of a path: `/api/media/:id` has `{ id: string }`. */
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
