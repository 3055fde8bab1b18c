import type { FastifyInstance, FastifyRequest } from 'fastify'
import { beginRoot, isTracing } from '#lib/tracing.ts'
import { statusOf } from './callEnd.ts'
import { knownMethod } from './methods.ts'

/** Traces API calls and files of assets; not monitoring requests, and not the console's own files. */
const TRACED = /^\/(api|admin|files)\//
/** The form of an id. Other path parameters may be text that somebody wrote; only their names are recorded. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Makes every call a span that continues the caller's trace, if tracing is on. */
export function traceCalls(app: FastifyInstance): void {
  if (!isTracing()) return
  const spans = new WeakMap<FastifyRequest, NonNullable<ReturnType<typeof beginRoot>>>()
  app.addHook('onRequest', (request, reply, done) => {
    const span = begin(request)
    if (!span) return done()
    spans.set(request, span)
    request.log = reply.log = request.log.child({ traceId: span.traceId })
    reply.raw.once('close', () => {
      const status = statusOf(reply)
      span.set({ 'http.response.status_code': status })
      span.end(status >= 500 ? String(status) : undefined)
    })
    span.within(done)
  })
  // What runs after the body was read is called from the connection, outside the context of the request.
  app.addHook('preValidation', (request, _, done) => {
    const span = spans.get(request)
    if (span) span.within(done)
    else done()
  })
  // A stream may last for hours, and starts loops that serve others: its span ends when it has started.
  app.addHook('onSend', async (request, reply) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/event-stream')) return
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': reply.statusCode })
    span?.end()
  })
}

function begin(request: FastifyRequest) {
  // A path that the API does not know may still match the route of the console's files.
  const route = TRACED.test(request.routeOptions.url ?? '') ? request.routeOptions.url : undefined
  if (route === undefined && !TRACED.test(request.url)) return undefined
  const { protocol, id, headers } = request
  const method = knownMethod(request)
  const attributes = {
    'http.request.method': method,
    ...(method !== request.method && { 'http.request.method_original': request.method }),
    'url.scheme': protocol,
    'mokuroku.request.id': id,
    ...(route !== undefined && { 'http.route': route, 'url.path': pathOf(route, request.params as Params) }),
  }
  const verb = method === request.method ? method : 'HTTP'
  const name = route === undefined ? verb : `${verb} ${route}`
  return beginRoot(name, { kind: 'server', attributes }, { caller: one(headers.traceparent) })
}

type Params = Record<string, string>

/** The path of a route with its ids filled in. */
const pathOf = (route: string, params: Params): string =>
  route.replaceAll(/:(\w+)/g, (part, name: string) => (ID.test(params[name] ?? '') ? (params[name] ?? part) : part))

const one = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0]
