import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { watchLoop } from '#lib/eventLoop.ts'
import { onCallEnd } from './callEnd.ts'
import { knownMethod } from './methods.ts'
import { meters, REQUEST_DURATIONS, setCallMeters } from '#lib/metrics.ts'

/**
 * `GET /metrics`, for Prometheus: metrics of the process, the duration of calls in seconds, and the metrics of all
 * modules.
 */
export function measure(app: FastifyInstance): void {
  const register = new Registry()
  setCallMeters(register)
  collectDefaultMetrics({ register })
  const durations = new Histogram({
    name: REQUEST_DURATIONS,
    help: 'Duration of HTTP calls in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [register],
  })
  onCallEnd(app, (request, reply) => (status) => {
    const labels = { method: knownMethod(request), route: request.routeOptions.url ?? 'none', status }
    durations.observe(labels, reply.elapsedTime / 1000)
  })
  measureLoop(app, register)
  app.get('/metrics', async (_, reply) => {
    const [own, others] = await Promise.all([register.metrics(), meters.metrics()])
    return reply.type(register.contentType).send(own + others)
  })
}

/** Measures the event loop delay since the last scrape, and logs a line when the event loop was blocked. */
function measureLoop(app: FastifyInstance, register: Registry): void {
  const loop = watchLoop((seconds, routes) => app.log.warn({ seconds, routes }, 'the event loop was blocked'))
  app.addHook('onClose', async () => loop.stop())
  app.addHook('onRequest', async (request, { raw }) => {
    raw.once('close', loop.begin(`${request.method} ${request.routeOptions.url ?? 'none'}`))
  })
  const registers = [register]
  // Collected first, it sets both gauges.
  const max = new Gauge({
    name: 'event_loop_delay_max_seconds',
    help: 'Longest delay of the event loop since the last reading, in seconds',
    registers,
    collect: () => {
      const taken = loop.take()
      max.set(taken.max)
      p99.set(taken.p99)
    },
  })
  const p99 = new Gauge({ name: 'event_loop_delay_p99_seconds', help: '99th percentile of the delay', registers })
}
