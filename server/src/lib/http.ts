import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, Body, Params, Query, Response, Route } from '@mokuroku/contract/route'
import multipart from '@fastify/multipart'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { Refusal, unauthorized } from './errors.ts'
import { eventStream, type StreamEvent } from './eventStream.ts'
import { machineFault } from './faults.ts'
import type { Actor } from './may.ts'
import { endStreams, openStream } from './openStreams.ts'
import { baseOf, listIn, parse, pathParts, strip, withoutEmpty, withoutReadOnly } from './reading.ts'
import { drain, PART, receive, type Upload } from './receiving.ts'
import { SECURITY_HEADERS } from './securityHeaders.ts'
import { limitArrival, refuseUnreadable } from './unreadable.ts'

/** Where a call comes from. */
export interface Client {
  address: string
  userAgent: string
}

type ActorOf<R extends Route> = R['access'] extends 'public' ? Actor | undefined : Actor

/** What a handler gets: the parts of the path, the query, the body, who calls, and the version it is based on. */
export type Given<R extends Route> = Params<R['path']> & {
  query: Query<R>
  body: Body<R>
  actor: ActorOf<R>
  base: number | undefined
  /** The answers of AI that parts of the body are said to be from. */
  runs: string[]
  client: Client
} & (R['upload'] extends string ? { receive: () => Promise<Upload> } : unknown) &
  (R['stream'] extends true ? Streaming : unknown)

interface Streaming {
  /** Aborted when nobody listens any more; the work behind the stream, and what it asks of others, ends with it. */
  signal: AbortSignal
  /** The last event that the client got before it lost the stream. */
  lastEventId: string | undefined
}

/** A file that is sent as it is made. Who ends the call ends what makes it. */
export interface TextFile {
  filename: string
  type: string
  parts: AsyncIterable<string>
}

/** What a handler answers: for a stream its events, one after the other. */
type Answer<R extends Route> = R['stream'] extends true
  ? AsyncIterable<Response<R>>
  : R['file'] extends readonly string[]
    ? TextFile
    : Response<R>
type Handlers<A extends Api> = {
  [Name in keyof A]: (given: Given<A[Name]>) => Promise<Answer<A[Name]>> | Answer<A[Name]>
}

export interface Endpoint {
  route: Route
  handle: (given: never) => unknown
}

/** Joins the routes of an area with what answers them. A missing handler does not compile. */
export const serve = <A extends Api>(api: A, handlers: Handlers<A>): Endpoint[] =>
  Object.entries(api).map(([name, route]) => ({ route, handle: handlers[name as keyof A] as Endpoint['handle'] }))

/** A call that was refused, and whose it was. */
export interface Refused {
  route: Route
  /** The parts of its path. */
  params: { id?: string }
  actor: Actor | undefined
  client: Client
  refusal: Refusal
}

/** Finds who calls from the Authorization header; undefined when nobody may be found behind it. */
export type FindActor = (header: string | undefined) => Promise<Actor | undefined>

/** The HTTP server, with error answers and security headers but without routes. */
export function httpServer(logger: FastifyBaseLogger | undefined): FastifyInstance {
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 2 * 1024 * 1024,
    routerOptions: { maxParamLength: 200 },
    // The texts of an entity are part of an address (specification 7, AI calls).
    http: { maxHeaderSize: 512 * 1024 },
    forceCloseConnections: 'idle',
    // Without a byte in either direction. Streams say something more often than that.
    connectionTimeout: 300_000,
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => {
      // Such an address has no route, and so none of its hooks.
      for (const [name, value] of SECURITY_HEADERS) reply.header(name, value)
      answerError(error, request, reply)
    },
  })
  app.addHook('onSend', async (request, reply) => {
    for (const [name, value] of SECURITY_HEADERS) if (!reply.hasHeader(name)) reply.header(name, value)
    if (isApi(request.url)) reply.header('cache-control', 'no-store')
  })
  // Sizes are limited where files are written, by who sends them.
  void app.register(multipart, { limits: { fileSize: Infinity, fields: 10, fieldSize: 1000, parts: 20 } })
  app.addContentTypeParser(PART, (_, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  limitArrival(app.server)
  endGently(app)
  return app
}

/** How long a stop waits for the answers that are due, in milliseconds. */
const PATIENCE = 5000

/** At a stop the calls under way are answered, and new ones refused; then every connection is cut. */
function endGently(app: FastifyInstance): void {
  const answers = new Set<ServerResponse>()
  app.addHook('onRequest', (_, { raw }, done) => {
    answers.add(raw)
    // Static files, multipart and Fastify itself each listen for the end of an answer: a few more than Node expects.
    raw.setMaxListeners(30)
    raw.once('close', () => answers.delete(raw))
    done()
  })
  // A stream that has begun is not waited for: it may have no end.
  const isDue = (answer: ServerResponse) => !answer.headersSent || (answer.writableEnded && !answer.writableFinished)
  app.addHook('preClose', async () => {
    endStreams()
    const deadline = performance.now() + PATIENCE
    while ([...answers].some(isDue) && performance.now() < deadline) await sleep(10)
    // More than once: a connection that comes just now and sends nothing would keep the server open for ever.
    const cut = setInterval(() => app.server.closeAllConnections(), 50).unref()
    app.server.once('close', () => clearInterval(cut))
  })
}

/** Adds endpoints: parses what comes in by the contract, and strips from the answer what the contract does not name. */
export function mount(
  app: FastifyInstance,
  endpoints: Endpoint[],
  findActor: FindActor,
  refused: (refused: Refused) => void = () => undefined,
): void {
  for (const { route, handle } of endpoints)
    app.route({
      method: route.method,
      url: route.path,
      errorHandler: (error, request, reply) => {
        const [actor, client] = [actors.get(request), clientOf(request)]
        if (error instanceof Refusal)
          refused({ route, params: request.params as object, actor, client, refusal: error })
        void answerError(error, request, reply)
      },
      handler: async (request, reply) => {
        const client = clientOf(request)
        const found = await findActor(request.headers.authorization)
        const actor = found && { ...found, client }
        if (actor) actors.set(request, actor)
        if (route.upload) reply.raw.once('finish', () => drain(request.raw))
        if (!actor && route.access !== 'public') unauthorized()
        const signal = route.stream && openStream(route.path, actor, reply.raw)
        const given = {
          ...pathParts(request.params as Record<string, string>),
          query: route.query && parse(route.query, withoutEmpty(request.query as object)),
          body: route.body && parse(route.body, withoutReadOnly(route, request.body)),
          actor,
          base: baseOf(request.headers['if-match']),
          runs: listIn(request.headers['ai-runs']),
          client,
          ...(route.upload && { receive: () => receive(request, route.upload ?? '') }),
          ...(signal && { signal, lastEventId: request.headers['last-event-id'] }),
        }
        if (signal) return sendEvents(route, await handle(given as never), signal, request, reply)
        if (route.file) return sendFile((await handle(given as never)) as TextFile, reply)
        const answer = strip(route.response, await handle(given as never))
        if (hasVersion(answer)) reply.header('etag', `"${answer.version}"`)
        if (hasOffset(answer)) reply.header('upload-offset', answer.offset)
        return reply.code(route.status ?? 200).send(answer)
      },
    })
}

const actors = new WeakMap<FastifyRequest, Actor>()

const clientOf = ({ ip, headers }: FastifyRequest): Client => ({
  address: ip,
  userAgent: (headers['user-agent'] ?? '').slice(0, 300),
})

const sendFile = ({ filename, type, parts }: TextFile, reply: FastifyReply): FastifyReply =>
  reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${filename}"`)
    .send(Readable.from(parts))

/** Answers with a stream; each event is stripped like any other answer. */
function sendEvents(route: Route, events: unknown, signal: AbortSignal, request: FastifyRequest, reply: FastifyReply) {
  const stripped = async function* (): AsyncGenerator<StreamEvent> {
    for await (const event of events as AsyncIterable<unknown>) yield strip(route.response, event) as StreamEvent
  }
  const onError = (error: unknown): void =>
    request.log.error({ err: error, url: request.routeOptions.url }, 'stream failed')
  // Without the header some proxies would hold the events back until there are many.
  reply.type('text/event-stream').header('x-accel-buffering', 'no')
  return reply.send(eventStream(stripped(), { signal, onError }))
}

/** API paths: everything else is the console. */
export const isApi = (url: string): boolean => /^\/(api|admin)\//.test(url)

const hasVersion = (answer: unknown): answer is { version: number } =>
  typeof answer === 'object' && answer !== null && 'version' in answer

const hasOffset = (answer: unknown): answer is { offset: number } =>
  typeof answer === 'object' && answer !== null && 'offset' in answer

const FASTIFY_CODES: Record<string, [number, string, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'tooLarge', 'This is too large to be sent.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'mediaType', 'This kind of content is not accepted here.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'invalid', 'Please provide valid JSON data.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'invalid', 'Invalid JSON format'],
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) {
    const { status, code, message, errors, more } = error
    if (typeof more.retryAfter === 'number') reply.header('retry-after', more.retryAfter)
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    return reply.code(status).send({ message, code, errors, ...more })
  }
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number }
  const known = FASTIFY_CODES[code]
  if (known) return reply.code(known[0]).send({ code: known[1], message: known[2] })
  if (statusCode >= 400 && statusCode < 500)
    return reply.code(statusCode).send({ code: 'invalid', message: 'This request cannot be understood.' })
  request.log.error({ err: error, url: request.routeOptions.url }, 'call failed')
  const fault = machineFault(error)
  if (!fault) return reply.code(500).send({ code: 'internal', message: 'Server error. Please try again later.' })
  const { status, message, retryAfter } = fault
  return reply.code(status).header('retry-after', retryAfter).send({ code: fault.code, message })
}
