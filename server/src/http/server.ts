import type { IncomingMessage } from 'node:http'
import { reasonText } from '@mokuroku/contract/reasons'
import multipart from '@fastify/multipart'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { Refusal } from '#lib/errors.ts'
import { logAccess } from './accessLog.ts'
import { type Admitted, admit, hostnameOf } from './admission.ts'
import { basePathOf } from './basePath.ts'
import { endGently, isLeaving } from './closing.ts'
import { answerError } from './errorAnswer.ts'
import { SECURITY_HEADERS } from './headers.ts'
import { readJsonBodies } from './jsonBody.ts'
import { measure } from './measure.ts'
import { allowedMethods, isRead } from './methods.ts'
import { callerOf, MAX_PUBLIC_BODY_BYTES } from './mount.ts'
import { drain, FORM_LIMITS, PART } from './receive.ts'
import { answerRequestId, nameRequest, requestIdOf } from './requestId.ts'
import type { Endpoint } from './serve.ts'
import { traceCalls } from './traces.ts'
import { limitArrival, refuseUnreadable } from './unreadable.ts'

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

/** What is answered besides the endpoints. */
const BESIDE = ['/healthz', '/readyz', '/metrics', '/api/openapi.json', '/files/:key'].map(
  (path) => ({ path, method: 'GET' }) as const,
)

/** The HTTP server, with error responses, security headers and metrics, but without routes of the API. */
export function httpServer(options: ServerOptions, endpoints: Endpoint[] = []): FastifyInstance {
  const { publicUrl, allowedHosts = [], trustedProxies = [], accessLog } = options
  const basePath = basePathOf(publicUrl)
  const app = instance(options, {
    hosts: new Set([new URL(publicUrl).hostname, ...allowedHosts.map(hostnameOf)]),
    basePath,
    longAddresses: new Set(endpoints.filter(({ route }) => route.longAddress).map(({ route }) => route.path)),
  })
  // Cut off meanwhile (unreadable.ts).
  app.addHook('onRequest', async ({ raw }, reply) => (raw.socket.destroyed ? reply.hijack() : undefined))
  answerRequestId(app)
  traceCalls(app)
  measure(app)
  if (accessLog) logAccess(app, (request) => callerOf(request as FastifyRequest).actor?._id)
  if (trustedProxies.length === 0) warnAboutProxy(app)
  refuseEarly(app, endpoints)
  addHeaders(app, publicUrl.startsWith('https:'), basePath)
  // Sizes are limited where files are written, depending on the user.
  void app.register(multipart, { limits: FORM_LIMITS })
  readJsonBodies(app)
  app.addContentTypeParser(PART, (_, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  // An unknown expectation is ignored, as RFC 9110 (10.1.1) allows; Node would respond without a request id.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))
  limitArrival(app.server)
  endGently(app)
  return app
}

/** Fastify with its limits. A request that is not admitted is marked as such, for `refuseEarly`. */
function instance({ logger, trustedProxies = [], accessLog }: ServerOptions, admitted: Admitted): FastifyInstance {
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: MAX_PUBLIC_BODY_BYTES,
    // The contract validates. Fastify's own compilers would be loaded and never used.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: 200 },
    ...(trustedProxies.length > 0 && { trustProxy: [...trustedProxies] }),
    rewriteUrl: (request) => {
      try {
        return admit(request, admitted)
      } catch (error) {
        // Rejected by `refuseEarly`, whatever route the URL would match.
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
    clientErrorHandler: (error, socket) => {
      const { remoteAddress: address } = socket
      const answered = refuseUnreadable(error, socket)
      // Such a request has no hooks that log it (accessLog.ts).
      if (answered && accessLog) app.log.info({ ...answered, address }, 'answered')
    },
    frameworkErrors: (error, request, reply) => {
      // Such a URL has no route, so its hooks do not run.
      for (const [name, value] of SECURITY_HEADERS) reply.header(name, value)
      nameRequest(reply, request.id)
      const isPage = isRead(request) && !/^\/(api|admin|files)\//.test(request.url)
      // The router of the console cannot decode the path either.
      if (error.code === 'FST_ERR_BAD_URL' && isPage) reply.redirect(`${admitted.basePath}/not-found`)
      else answerError(error, request, reply)
    },
  })
  return app
}

const notAdmitted = new WeakMap<IncomingMessage, unknown>()

/** Rejects what no route can answer, before anything else of a request is done. */
function refuseEarly(app: FastifyInstance, endpoints: Endpoint[]): void {
  const methodsAt = allowedMethods([...endpoints.map(({ route }) => route), ...BESIDE])
  app.addHook('onRequest', async (request, reply) => {
    const refusal = notAdmitted.get(request.raw)
    if (refusal) throw refusal
    const hasBody = carriesBody(request)
    if (hasBody) reply.raw.once('finish', () => drain(request.raw))
    if (isUnknown(request)) {
      const allowed = methodsAt(request.url.split('?', 1)[0] ?? '')
      if (allowed && !allowed.includes(request.method)) {
        reply.header('allow', allowed.join(', '))
        throw new Refusal(405, 'method', reasonText('methodNotAllowed'))
      }
      if (hasBody || isApi(request.url)) throw new Refusal(404, 'notFound', reasonText('notFound'))
    }
    if (hasBody) refuseEncoded(request, reply)
  })
}

/** Rejects a body in an encoding that is not read. */
function refuseEncoded({ headers }: FastifyRequest, reply: FastifyReply): void {
  // Node removes chunks, and nothing else (RFC 9112, 6.1).
  if (!/^(chunked)?$/i.test(headers['transfer-encoding'] ?? ''))
    throw new Refusal(501, 'transferEncoding', reasonText('contentEncoding'))
  if (/^(identity)?$/i.test(headers['content-encoding'] ?? '')) return
  reply.header('accept-encoding', 'identity')
  throw new Refusal(415, 'mediaType', reasonText('contentEncoding'))
}

/** The headers of every response. */
function addHeaders(app: FastifyInstance, isAlwaysSecure: boolean, basePath: string): void {
  app.addHook('onSend', async (request, reply) => {
    if (isAlwaysSecure || request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    for (const [name, value] of SECURITY_HEADERS) if (!reply.hasHeader(name)) reply.header(name, value)
    if (isLeaving()) reply.header('connection', 'close')
    const location = reply.getHeader('location')
    if (typeof location === 'string' && location.startsWith('/')) reply.header('location', basePath + location)
    if (isApi(request.routeOptions.url ?? '') || isApi(request.url)) reply.header('cache-control', 'no-store')
  })
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

const carriesBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether no route of the server answers a request. The files of the console are a route that reads every path. */
const isUnknown = (request: FastifyRequest): boolean =>
  request.is404 || (isRead(request) && isApi(request.url) && !isApi(request.routeOptions.url ?? ''))

/** API paths; everything else belongs to the console. */
export const isApi = (url: string): boolean => /^\/(api|admin)\//.test(url)
