// A stand-in for an OpenTelemetry collector on loopback: receives OTLP over HTTP, as JSON or protobuf.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface CollectedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  status?: { code?: number }
  links?: { traceId: string; spanId: string }[]
  attributes: Record<string, unknown>
}

interface KeyValue {
  key: string
  value: Record<string, unknown>
}
interface Scoped {
  resource: { attributes: KeyValue[] }
  scopeSpans?: { spans: (Omit<CollectedSpan, 'attributes'> & { attributes?: KeyValue[] })[] }[]
  scopeMetrics?: { metrics: CollectedMetric[] }[]
}
interface CollectedMetric {
  name: string
  unit?: string
  sum?: Points
  gauge?: Points
  histogram?: Points
}
interface Points {
  dataPoints: {
    attributes?: KeyValue[]
    asDouble?: number
    count?: number | string
    bucketCounts?: (number | string)[]
    explicitBounds?: number[]
  }[]
}

export interface Collector {
  url: string
  /** All requests, as they arrived. */
  received: { path: string; headers: IncomingHttpHeaders; body: Buffer }[]
  /** Responds with another status from now on; 0 means no response at all. */
  answerWith: (status: number) => void
  spans: () => CollectedSpan[]
  metrics: () => CollectedMetric[]
  resource: () => Record<string, unknown>
  close: () => Promise<void>
}

export async function aCollector(): Promise<Collector> {
  const received: Collector['received'] = []
  let status = 200
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) })
    if (status > 0) response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const all = (path: string, of: string): Scoped[] =>
    received
      .filter((each) => each.path === path)
      .flatMap(({ body }) => (JSON.parse(body.toString('utf8')) as Record<string, Scoped[]>)[of] ?? [])
  return {
    url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    received,
    answerWith: (other) => void (status = other),
    spans: () =>
      all('/v1/traces', 'resourceSpans')
        .flatMap(({ scopeSpans = [] }) => scopeSpans.flatMap(({ spans }) => spans))
        .map((span) => ({ ...span, attributes: valuesOf(span.attributes) })),
    metrics: () =>
      all('/v1/metrics', 'resourceMetrics').flatMap(({ scopeMetrics = [] }) =>
        scopeMetrics.flatMap((of) => of.metrics),
      ),
    resource: () => valuesOf(all('/v1/traces', 'resourceSpans')[0]?.resource.attributes),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export const valuesOf = (attributes: KeyValue[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
