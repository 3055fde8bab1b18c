import type { Api, Body, Params, Query, Response, Route } from '@mokuroku/contract/route'
import type { Client } from '#access/client.ts'
import type { Actor } from '#access/permissions.ts'
import type { Upload } from './receive.ts'

type ActorOf<R extends Route> = R['access'] extends 'public' ? Actor | undefined : Actor

/** What a handler receives: the parts of the path, the query, the body, the caller, and the version it is based on. */
export type Given<R extends Route> = Params<R['path']> & {
  query: Query<R>
  body: Body<R>
  actor: ActorOf<R>
  /** The AI runs that parts of the body claim to come from. */
  runs: string[]
  /** Links into the trash that the body leaves out on purpose. */
  dropped: string[]
  client: Client
} & (R['versioned'] extends true ? { base: number | undefined } : unknown) &
  (R['idempotent'] extends true ? { key: string | undefined } : unknown) &
  (R['upload'] extends string ? { receive: () => Promise<Upload> } : unknown) &
  (R['stream'] extends true ? Streaming : unknown)

interface Streaming {
  /**
   * Aborted when nobody listens any more; the work behind the stream, and its requests to other services, end with it.
   */
  signal: AbortSignal
  /** The last event that the client received before it lost the stream. */
  lastEventId: string | undefined
}

/** A file that is sent while it is generated. If the client disconnects, generating it stops. */
export interface TextFile {
  filename: string
  type: string
  parts: AsyncIterable<string | Uint8Array>
  /** Called once the response is over, even if not all parts were read, or none. */
  done?: () => void
}

/** A page of a list, and the total number of entries; `totalText` formats it. */
export interface Counted<Answered> {
  answer: Answered
  total: number
}

/** An answer with headers. */
export class Headed {
  readonly answer: unknown
  readonly headers: Record<string, string>

  constructor(answer: unknown, headers: Record<string, string>) {
    this.answer = answer
    this.headers = headers
  }
}

/** The answer of a handler, with additional response headers. */
export const withHeaders = <Answered>(answer: Answered, headers: Record<string, string>): Answered =>
  new Headed(answer, headers) as Answered

/** What a handler returns; for a stream, its events one after the other. */
type Answer<R extends Route> = R['stream'] extends true
  ? AsyncIterable<Response<R>>
  : R['file'] extends readonly string[]
    ? TextFile
    : R['counted'] extends true
      ? Counted<Response<R>>
      : Response<R>
type Handlers<A extends Api> = {
  [Name in keyof A]: (given: Given<A[Name]>) => Promise<Answer<A[Name]>> | Answer<A[Name]>
}

/** The caller, as known before the body is read. */
interface Caller<R extends Route> {
  actor: ActorOf<R>
  client: Client
}

/** Rejects a caller by throwing, based only on who calls: not on the request body or the entity. */
type Guards<A extends Api> = { [Name in keyof A]?: (caller: Caller<A[Name]>) => Promise<void> | void }

/**
 * Rejects a caller by throwing, based on who calls and on what the path names. Runs only when a call has failed because
 * of its input: handlers authorize valid calls themselves.
 */
type EntityGuards<A extends Api> = {
  [Name in keyof A]?: (call: Caller<A[Name]> & Params<A[Name]['path']>) => Promise<void> | void
}

export interface Endpoint {
  route: Route
  /** Its name in the area of the contract. */
  action: string
  handle: (given: never) => unknown
  guard?: ((caller: never) => unknown) | undefined
  entityGuard?: ((call: never) => unknown) | undefined
}

/**
 * Connects the routes of an area with their handlers; a missing handler does not compile. `guards` reject a call before
 * its body is read, and so before it costs anything; `entityGuards` before it is told that its input is invalid.
 */
export const serve = <A extends Api>(
  api: A,
  handlers: Handlers<A>,
  guards: Guards<A> = {},
  entityGuards: EntityGuards<A> = {},
): Endpoint[] =>
  Object.entries(api).map(([name, route]) => ({
    route,
    action: name,
    handle: handlers[name as keyof A] as Endpoint['handle'],
    guard: guards[name as keyof A],
    entityGuard: entityGuards[name as keyof A],
  }))
