import { type Link, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import type { OpenSpan, SpanOptions, Tracing } from '#lib/tracing.ts'

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** Creates the spans of this process with a tracer of the SDK. */
export function tracingWith(tracer: Tracer): Tracing {
  const spans = new WeakMap<OpenSpan, Span>()
  const opened = (span: Span): OpenSpan => {
    const { traceId, spanId, traceFlags } = span.spanContext()
    const open: OpenSpan = {
      traceId,
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      set: (attributes) => void span.setAttributes(attributes),
      end: (failure) => {
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', failure)
        span.end()
      },
    }
    spans.set(open, span)
    return open
  }
  return {
    begin: (name, options, { caller, cause }) => {
      const parent = contextOf(caller)
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
      const linked = contextOf(cause)
      return opened(tracer.startSpan(name, optionsOf(options, linked && [{ context: linked }]), context))
    },
    beginBelow: (parent, name, options) => {
      const span = spans.get(parent)
      return opened(tracer.startSpan(name, optionsOf(options), span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT))
    },
  }
}

/** The span context of a `traceparent` header. What else a caller may send (`tracestate`, `baggage`) is ignored. */
const contextOf = (header: string | null | undefined) => (header ? parseTraceParent(header) : undefined) ?? undefined

const optionsOf = ({ kind, attributes, beganAt }: SpanOptions, links: Link[] = []) => ({
  kind: KINDS[kind],
  links,
  ...(attributes && { attributes }),
  ...(beganAt !== undefined && { startTime: beganAt }),
})
