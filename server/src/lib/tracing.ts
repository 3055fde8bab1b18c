// Spans of what this process does, where OpenTelemetry is configured (telemetry/open.ts); elsewhere these functions do
// nothing but the work itself. A span never holds a value, an address with its query, a message of an error or a name
// of a person.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes } from '@opentelemetry/api'

export interface SpanOptions {
  kind: 'server' | 'client' | 'consumer' | 'internal'
  attributes?: Attributes
  /** When it began, in milliseconds since 1970, where that is over. */
  beganAt?: number
}

/** Where a span without a parent comes from, as `traceparent` headers (W3C Trace Context). */
interface Origin {
  /** What called. */
  caller?: string | undefined
  /** What caused it, some time ago. */
  cause?: string | null
}

export interface OpenSpan {
  traceId: string
  /** As a `traceparent` header names it. */
  traceparent: string
  set: (attributes: Attributes) => void
  /** `failure` is the type of what went wrong. */
  end: (failure?: string) => void
}

/** What makes spans. */
export interface Tracing {
  begin: (name: string, options: SpanOptions, origin: Origin) => OpenSpan
  beginBelow: (parent: OpenSpan, name: string, options: SpanOptions) => OpenSpan
}

/** A request or a job has at most so many spans below it: a batch of thousands says what it does by the first. */
const MAX_CHILDREN = 1000

/** A request or a job that is traced. */
interface Root {
  span: OpenSpan
  children: number
  isOver: boolean
}

let tracing: Tracing | undefined
const current = new AsyncLocalStorage<Root>()

/** Has spans made from here on, or none any more. */
export const traceWith = (made: Tracing | undefined): void => void (tracing = made)

export const isTracing = (): boolean => tracing !== undefined

/** Begins the span of a request or a job. `within` has what is done there below it, until it ends. */
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

/** Begins a span below the request or the job that this is a part of; none where there is none, or it is over. */
export function beginSpan(name: string, options: SpanOptions): OpenSpan | undefined {
  const root = current.getStore()
  if (!tracing || !root || root.isOver) return undefined
  root.children += 1
  return root.children > MAX_CHILDREN ? undefined : tracing.beginBelow(root.span, name, options)
}

/** A span for as long as `work` takes; what it answers, `describe` reads. */
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

/** A call to another host. The span names the host alone, and no trace header is sent. */
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

/** The trace that this is a part of, for a line of the log. */
export const traceField = (): { traceId?: string } => {
  const traceId = current.getStore()?.span.traceId
  return traceId === undefined ? {} : { traceId }
}

/** The request or the job that this is a part of, for what it causes later. */
export const traceparent = (): string | null => {
  const root = current.getStore()
  return root && !root.isOver ? root.span.traceparent : null
}

/** What kind of error it is: its code or its class, never its message, which may hold what somebody wrote. */
export function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return (
    [code, name].map(String).find((each) => /^[A-Za-z0-9][\w.]{0,60}$/.test(each) && each !== 'undefined') ?? 'error'
  )
}
