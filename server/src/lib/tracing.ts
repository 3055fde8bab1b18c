// Spans of this process, if OpenTelemetry is configured (telemetry/open.ts); otherwise these functions only run the
// work. A span never contains a value, a URL with its query, an error message or the name of a person.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes } from '@opentelemetry/api'

export interface SpanOptions {
  kind: 'server' | 'client' | 'consumer' | 'internal'
  attributes?: Attributes
  /** When it began, in milliseconds since 1970, if it is already over. */
  beganAt?: number
}

/** Where a root span comes from, as `traceparent` headers (W3C Trace Context). */
interface Origin {
  /** The span of the caller. */
  caller?: string | undefined
  /** The span that caused it some time ago. */
  cause?: string | null
}

export interface OpenSpan {
  traceId: string
  /** In the form of a `traceparent` header. */
  traceparent: string
  set: (attributes: Attributes) => void
  /** `failure` is the type of the error. */
  end: (failure?: string) => void
}

/** Creates spans. */
export interface Tracing {
  begin: (name: string, options: SpanOptions, origin: Origin) => OpenSpan
  beginBelow: (parent: OpenSpan, name: string, options: SpanOptions) => OpenSpan
}

/** The maximum number of spans below a request or a job: the first ones show what a batch of thousands does. */
const MAX_CHILDREN = 1000

/** A request or a job that is traced. */
interface Root {
  span: OpenSpan
  children: number
  isOver: boolean
}

let tracing: Tracing | undefined
const current = new AsyncLocalStorage<Root>()

/** Turns tracing on, or off with undefined. */
export const traceWith = (made: Tracing | undefined): void => void (tracing = made)

export const isTracing = (): boolean => tracing !== undefined

/** Begins the span of a request or a job. Spans begun inside `within` are its children, until it ends. */
export function beginRoot(name: string, options: SpanOptions, origin: Origin = {}) {
  if (!tracing) return undefined
  const span = tracing.begin(name, options, origin)
  const root: Root = { span, children: 0, isOver: false }
  return {
    ...span,
    set: (attributes: Attributes): void => {
      if (!root.isOver) span.set(attributes)
    },
    within: <T>(work: () => T): T => current.run(root, work),
    end: (failure?: string): void => {
      if (root.isOver) return
      root.isOver = true
      if (root.children > MAX_CHILDREN) span.set({ 'mokuroku.spans.dropped': root.children - MAX_CHILDREN })
      span.end(failure)
    },
  }
}

/** Begins a span below the current request or job; undefined if there is none, or it is over. */
export function beginSpan(name: string, options: SpanOptions): OpenSpan | undefined {
  const root = current.getStore()
  if (!tracing || !root || root.isOver) return undefined
  root.children += 1
  return root.children > MAX_CHILDREN ? undefined : tracing.beginBelow(root.span, name, options)
}

/** Runs `work` in a span; `describe` makes attributes of its result. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
  describe?: (result: T) => Attributes,
): Promise<T> {
  const span = beginSpan(name, options)
  if (!span) return work()
  try {
    const result = await work()
    if (describe) span.set(describe(result))
    span.end()
    return result
  } catch (error) {
    span.end(errorType(error))
    throw error
  }
}

/** Runs a call to another host in a span. It records only the host, not the URL; no trace header is sent. */
export function inCall<T extends { status: number }>(method: string, url: URL, call: () => Promise<T>): Promise<T> {
  const attributes = {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  }
  return inSpan(method, { kind: 'client', attributes }, call, ({ status }) => ({
    'http.response.status_code': status,
    ...(status >= 400 && { 'error.type': String(status) }),
  }))
}

/** The current trace, for a line of the log. */
export const traceField = (): { traceId?: string } => {
  const traceId = current.getStore()?.span.traceId
  return traceId === undefined ? {} : { traceId }
}

/** The current request or job, for work that it causes later. */
export const traceparent = (): string | null => {
  const root = current.getStore()
  return root && !root.isOver ? root.span.traceparent : null
}

/** The type of an error: its code or class, never its message, which may contain user data. */
export function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return (
    [code, name].map(String).find((each) => /^[A-Za-z0-9][\w.]{0,60}$/.test(each) && each !== 'undefined') ?? 'error'
  )
}
