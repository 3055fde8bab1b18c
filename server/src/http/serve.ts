import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { totalText } from '@mokuroku/contract/lists'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Api, Body, Params, Query, Response, Route } from '@mokuroku/contract/route'
import multipart from '@fastify/multipart'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { logAccess } from './accessLog.ts'
import { admit, hostnameOf } from './admission.ts'
import { basePathOf } from './basePath.ts'
import { type Client, clientOf } from '#access/client.ts'
import { endGently, isLeaving } from './closing.ts'
import { answerError } from './errorAnswer.ts'
import { Refusal, unauthorized } from '#lib/errors.ts'
import { entityTag, matchesEntityTag } from './entityTag.ts'
import { AnswerCache, type CachedAnswer } from './answerCache.ts'
import { bytesOf, varyByEncoding, type Text } from './compress.ts'
import { eventStream, type StreamEvent } from './eventStream.ts'
import { readJsonBodies } from './jsonBody.ts'
import type { Actor } from '#access/permissions.ts'
import { openStream, openUpload } from '#access/openStreams.ts'
import { answerCall, eventsOf } from '#access/positions.ts'
import { measure } from './measure.ts'
import { allowedMethods, isRead } from './methods.ts'
import {
  baseOf,
  fieldsOf,
  keyOf,
  listIn,
  parse,
  parseQuery,
  pathParts,
  strip,
  withoutEmpty,
  withoutReadOnly,
} from './read.ts'
import { drain, PART, receive, type Upload } from './receive.ts'
import { SECURITY_HEADERS } from './headers.ts'
import { answerRequestId, nameRequest, requestIdOf } from './requestId.ts'
import { serializer } from './serializer.ts'
import { traceCalls } from './traces.ts'
import { limitArrival, refuseUnreadable } from './unreadable.ts'

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
class Headed {
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
    handle: handlers[name as keyof A] as Endpoint['handle'],
    guard: guards[name as keyof A],
    entityGuard: entityGuards[name as keyof A],
  }))

/** A call that was refused, and its caller. */
export interface Refused {
  route: Route
  /** The parameters of its path. */
  params: { id?: string }
  actor: Actor | undefined
  client: Client
  refusal: Refusal
}

/** Finds the caller by the Authorization header; undefined if it is not valid. */
export type FindActor = (header: string | undefined) => Promise<Actor | undefined>

/** The maximum size of a request body, in bytes: for public calls, and for signed-in callers. */
const [PUBLIC_BODY, SIGNED_IN_BODY] = [16 * 1024, 2 * 1024 * 1024]

/** How long an idle connection is kept open, in milliseconds: longer than nginx and Caddy do. */
const KEEP_ALIVE_MS = 125_000

export interface ServerOptions {
  logger?: FastifyBaseLogger | undefined
  /** The URL that clients use. */
  publicUrl: string
  /** Further host names of this server. */
  allowedHosts?: readonly string[]
  /** The addresses and ranges of the proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted. */
  trustedProxies?: readonly string[]
  /** Whether to log a line for each call. */
  accessLog?: boolean | undefined
}

/** The HTTP server, with error responses, security headers and metrics, but without routes of the API. */
export function httpServer(
  { logger, publicUrl, allowedHosts = [], trustedProxies = [], accessLog = false }: ServerOptions,
  endpoints: Endpoint[] = [],
): FastifyInstance {
  const admitted = {
    hosts: new Set([new URL(publicUrl).hostname, ...allowedHosts.map(hostnameOf)]),
    basePath: basePathOf(publicUrl),
    longAddresses: new Set(endpoints.filter(({ route }) => route.longAddress).map(({ route }) => route.path)),
  }
  const methodsAt = allowedMethods(endpoints.map(({ route }) => route))
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: PUBLIC_BODY,
    // The contract validates. Fastify's own compilers would be loaded and never used.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: 200 },
    ...(trustedProxies.length > 0 && { trustProxy: [...trustedProxies] }),
    rewriteUrl: (request) => {
      try {
        return admit(request, admitted)
      } catch (error) {
        // Rejected below, whatever route the URL would match.
        notAdmitted.set(request, error)
        return '/'
      }
    },
    // URLs may contain all texts of an entity: `longAddress` in the contract. `admit` rejects requests without a host,
    // with the request id.
    http: { maxHeaderSize: 512 * 1024, requireHostHeader: false },
    forceCloseConnections: 'idle',
    // Requests during a shutdown are answered (closing.ts).
    return503OnClosing: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Without a byte in either direction. Streams send heartbeats more often than that.
    connectionTimeout: 300_000,
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket),
    frameworkErrors: (error, request, reply) => {
      // Such a URL has no route, so its hooks do not run.
      for (const [name, value] of SECURITY_HEADERS) reply.header(name, value)
      nameRequest(reply, request.id)
      answerError(error, request, reply)
    },
  })
  answerRequestId(app)
  traceCalls(app)
  measure(app)
  if (accessLog) logAccess(app, (request) => callers.get(request as FastifyRequest)?.actor?._id)
  if (trustedProxies.length === 0) warnAboutProxy(app)
  app.addHook('onRequest', async (request, reply) => {
    const refusal = notAdmitted.get(request.raw)
    if (refusal) throw refusal
    const hasBody = carriesBody(request)
    if (hasBody) reply.raw.once('finish', () => drain(request.raw))
    const allowed = request.is404 && methodsAt(request.url.split('?', 1)[0] ?? '')
    if (allowed) {
      reply.header('allow', allowed)
      throw new Refusal(405, 'method', reasonText('methodNotAllowed'))
    }
    if (!hasBody) return
    if (request.is404) throw new Refusal(404, 'notFound', reasonText('notFound'))
    if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
      reply.header('accept-encoding', 'identity')
      throw new Refusal(415, 'mediaType', reasonText('contentEncoding'))
    }
  })
  const isAlwaysSecure = publicUrl.startsWith('https:')
  app.addHook('onSend', async (request, reply) => {
    if (isAlwaysSecure || request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    for (const [name, value] of SECURITY_HEADERS) if (!reply.hasHeader(name)) reply.header(name, value)
    if (isLeaving()) reply.header('connection', 'close')
    const location = reply.getHeader('location')
    if (typeof location === 'string' && location.startsWith('/')) reply.header('location', admitted.basePath + location)
    if (isApi(request.routeOptions.url ?? '') || isApi(request.url)) reply.header('cache-control', 'no-store')
  })
  // Sizes are limited where files are written, depending on the user.
  void app.register(multipart, { limits: { fileSize: Infinity, files: 1, fields: 10, fieldSize: 1000, parts: 20 } })
  readJsonBodies(app)
  app.addContentTypeParser(PART, (_, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  // An unknown expectation is ignored, as RFC 9110 (10.1.1) allows; Node would respond without a request id.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))
  limitArrival(app.server)
  endGently(app)
  return app
}

function noSchemas(): never {
  throw new Error('Routes have no schemas of Fastify: the contract has them')
}

/** Logs once that there seems to be a proxy that is not trusted: all clients then share its address. */
function warnAboutProxy(app: FastifyInstance): void {
  let isLogged = false
  app.addHook('onRequest', async ({ headers, ip: address }) => {
    if (isLogged || headers['x-forwarded-for'] === undefined) return
    isLogged = true
    app.log.warn(
      { address },
      'Ignored the X-Forwarded-For header of a request from an address that is not trusted. If it is your proxy, add it to TRUSTED_PROXIES: until then, all of its clients share its address in rate limits and in the audit log.',
    )
  })
}

/** Adds endpoints: parses requests by the contract, and drops from responses what the contract does not name. */
export function mount(
  app: FastifyInstance,
  endpoints: Endpoint[],
  findActor: FindActor,
  {
    refused = () => undefined,
    cache = new AnswerCache(),
  }: { refused?: (refused: Refused) => void; cache?: AnswerCache } = {},
): void {
  const saves = new Map(endpoints.map(({ route }) => [`${route.method} ${route.path}`, fieldsOf(route.body)]))
  for (const { route, handle, guard, entityGuard } of endpoints) {
    const inputs = saves.get(`PUT ${route.path}`) ?? fieldsOf(route.body)
    const shown = fieldsOf(route.response)
    const write = serializer(route.response)
    app.route({
      method: route.method,
      url: route.path,
      bodyLimit: route.body && route.access !== 'public' ? SIGNED_IN_BODY : PUBLIC_BODY,
      // oxlint-disable-next-line typescript/no-misused-promises -- Fastify awaits it, whatever its type says
      errorHandler: async (thrown, request, reply) => {
        const { actor, client } = callers.get(request) ?? { client: clientOf(request) }
        const params = request.params as Record<string, string>
        const refuse = () => entityGuard?.({ actor, client, ...pathParts(params) } as never)
        const error = actor && isInvalid(thrown) ? await errorOf(refuse, thrown) : thrown
        if (error instanceof Refusal) refused({ route, params, actor, client, refusal: error })
        return answerError(error, request, reply)
      },
      onRequest: async (request) => {
        const client = clientOf(request)
        const found = await findActor(request.headers.authorization)
        const caller = { client, actor: found && { ...found, client } }
        callers.set(request, caller)
        if (!caller.actor && route.access !== 'public') unauthorized()
        await guard?.(caller as never)
      },
      handler: async (request, reply) => {
        const { actor, client } = callers.get(request) ?? { client: clientOf(request) }
        const cached = route.cached && entryOf(request, actor)
        const known = cached && cache.find(...cached, { anew: asksAnew(request) })
        if (known) return sendText(known, request, reply)
        const signal = route.stream && (await openStream(route.path, actor, reply.raw))
        const body = route.body && parse(route.body, withoutReadOnly(route, request.body))
        const given = {
          ...pathParts(request.params as Record<string, string>),
          query: route.query && parseQuery(route.query, withoutEmpty(request.query as object)),
          body,
          actor,
          base: baseOf(request.headers['if-match']),
          runs: listIn(request.headers['ai-runs']),
          dropped: listIn(request.headers['drop-links']),
          key: route.idempotent && keyOf(request.headers['idempotency-key'], route.path, body),
          client,
          ...(route.upload && {
            receive: () => receive(request, route.upload ?? '', openUpload(route.path, actor, reply.raw)),
          }),
          ...(signal && { signal, lastEventId: request.headers['last-event-id'] }),
        }
        const isStill = async () => (await findActor(request.headers.authorization)) !== undefined
        const answered = await answerCall(actor, isRead(route) && !signal, () => handle(given as never))
        if (signal) {
          const events = eventsOf(actor, isRead(route), answered as AsyncIterable<unknown>)
          return sendEvents(route, events, signal, request, reply)
        }
        if (route.file) return sendFile(answered as TextFile, reply, isStill)
        const made = answered instanceof Headed ? answered.answer : answered
        const headers: Record<string, string> = { ...(answered instanceof Headed && answered.headers) }
        if (route.counted) headers['x-total-count'] = totalText((made as Counted<unknown>).total)
        const answer = route.counted ? (made as Counted<unknown>).answer : made
        const text = write(answer)
        if (hasField(answer, 'offset', shown)) headers['upload-offset'] = String(answer.offset)
        if (hasField(answer, 'version', shown)) headers.etag = entityTag(answer, text, { shown, inputs })
        reply.code(isPreview(given.body) ? 200 : (route.status ?? 200))
        if (!cached || headers['cache-control'] === 'no-store') return sendText({ headers, text }, request, reply)
        const kept = { headers, text: Buffer.from(text) }
        cache.keep(...cached, kept)
        return sendText(kept, request, reply)
      },
    })
  }
}

/** The cache key of a call: the state of the database, and who asks for what. Undefined if the state is not known. */
function entryOf({ url }: FastifyRequest, actor: Actor | undefined): [string, string] | undefined {
  return actor?.state === undefined ? undefined : [actor.state, `${actor._id} ${url}`]
}

/** Whether the client wants a fresh response (RFC 9111, 5.2.1.4). */
const asksAnew = ({ headers }: FastifyRequest): boolean => headers['cache-control']?.includes('no-cache') ?? false

type Sent = Text & Pick<CachedAnswer, 'headers'>

async function sendText(sent: Sent, request: FastifyRequest, reply: FastifyReply) {
  const { etag } = sent.headers
  reply.headers(sent.headers)
  varyByEncoding(sent, reply)
  if (isRead(request) && etag && matchesEntityTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(await bytesOf(sent, request, reply))
}

const callers = new WeakMap<FastifyRequest, { actor?: Actor | undefined; client: Client }>()

const notAdmitted = new WeakMap<IncomingMessage, unknown>()

const carriesBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Sends a file part by part, without buffering ahead, and aborts if the caller's session has ended. */
function sendFile({ filename, type, parts, done }: TextFile, reply: FastifyReply, isStill: () => Promise<boolean>) {
  // The client may have disconnected by now.
  if (reply.raw.destroyed) done?.()
  else if (done) reply.raw.once('close', done)
  const allowed = async function* () {
    for await (const part of parts) {
      if (!(await isStill())) throw new Refusal(401, 'unauthorized', reasonText('sessionEnded'))
      yield part
    }
  }
  return reply
    .type(isText(type) ? `${type}; charset=utf-8` : type)
    .header('content-disposition', `attachment; filename="${filename}"`)
    .send(Readable.from(allowed(), { highWaterMark: 1 }))
}

const isText = (type: string): boolean => /^text\/|json$/.test(type)

/** Responds with a stream; unknown fields are dropped from each event as from any other response. */
function sendEvents(route: Route, events: unknown, signal: AbortSignal, request: FastifyRequest, reply: FastifyReply) {
  const stripped = async function* (): AsyncGenerator<StreamEvent> {
    for await (const event of events as AsyncIterable<unknown>) yield strip(route.response, event) as StreamEvent
  }
  const onError = (error: unknown): void =>
    request.log.error({ err: error, url: request.routeOptions.url }, 'stream failed')
  // Without this header, some proxies would buffer events.
  reply.type('text/event-stream').header('x-accel-buffering', 'no')
  return reply.send(eventStream(stripped(), { signal, onError }))
}

/** Whether a call failed because of its input: its query, headers or body. */
const isInvalid = (error: unknown): boolean => {
  const { status, statusCode = status } = error as { status?: unknown; statusCode?: unknown }
  return statusCode === 400 || statusCode === 413 || statusCode === 415
}

/** What `run` throws; otherwise `error`. */
async function errorOf(run: () => unknown, error: unknown): Promise<unknown> {
  try {
    await run()
    return error
  } catch (thrown) {
    return thrown
  }
}

/** API paths; everything else belongs to the console. */
export const isApi = (url: string): boolean => /^\/(api|admin)\//.test(url)

/** A call that only asks what would be done. */
const isPreview = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'dryRun' in body && body.dryRun === true

/** Whether an answer has a field that the response shows. */
const hasField = <Name extends string>(
  answer: unknown,
  name: Name,
  shown: ReadonlySet<string>,
): answer is Record<Name, unknown> => shown.has(name) && typeof answer === 'object' && answer !== null && name in answer
