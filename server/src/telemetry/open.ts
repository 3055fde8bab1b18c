// The OpenTelemetry SDK, loaded only if a collector is configured (main.ts). It is not registered with the global API,
// so that libraries cannot send spans of their own, with data that we do not control.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { diag, DiagLogLevel, type TracerProvider as Provider } from '@opentelemetry/api'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { traceWith } from '#lib/tracing.ts'
import { metersFor } from './meters.ts'
import type { TelemetrySettings } from './settings.ts'
import { tracingWith } from './spans.ts'

/** How long a shutdown waits for the collector, in milliseconds. */
const FLUSH_TIMEOUT_MS = 3000
/** The minimum interval between log lines about failed exports, in milliseconds. */
const LOG_INTERVAL_MS = 10 * 60_000

interface Opening {
  settings: TelemetrySettings
  version: string
  /** The URL that clients use. */
  publicUrl: string
  log: Pick<Logger, 'warn'>
}

/** Starts sending spans and metrics. Returns a function that sends the rest, within a time limit, and stops. */
export function openTelemetry({ settings, version, publicUrl, log }: Opening): () => Promise<void> {
  const failed = failureLogger(log)
  setGlobalErrorHandler(failed)
  const nothing = (): void => undefined
  const logger = { error: failed, warn: failed, info: nothing, debug: nothing, verbose: nothing }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const resource = resourceOf(version)
  const traces = settings.traces && openTraces(settings.traces, resource)
  const metrics = settings.metrics && openMetrics(settings.metrics, resource, publicUrl)
  if (traces) traceWith(tracingWith((traces satisfies Provider).getTracer('mokuroku', version)))
  return async () => {
    traceWith(undefined)
    const flushed = Promise.allSettled([traces?.shutdown(), metrics?.shutdown()])
    await Promise.race([flushed, sleep(FLUSH_TIMEOUT_MS, undefined, { ref: false })])
    diag.disable()
  }
}

/** What sends: the SDK, this server, and what the operator's variables say of it. */
const resourceOf = (version: string): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'mokuroku',
        'service.version': version,
        'service.instance.id': randomUUID(),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))

function openTraces(
  { protocol, sampler, ratio, everyMs }: NonNullable<TelemetrySettings['traces']>,
  resource: Resource,
) {
  const exporter = protocol === 'http/json' ? new JsonTraceExporter() : new OTLPTraceExporter()
  const spanProcessors = [new BatchSpanProcessor({ exporter, scheduledDelayMillis: everyMs })]
  return new TracerProvider({ resource, sampler: samplerOf(sampler, ratio), spanProcessors })
}

function samplerOf(name: string, ratio: number): Sampler {
  if (name.startsWith('parentbased_'))
    return new ParentBasedSampler({ root: samplerOf(name.replace('parentbased_', ''), ratio) })
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio)
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler()
}

function openMetrics(
  { protocol, everyMs }: NonNullable<TelemetrySettings['metrics']>,
  resource: Resource,
  publicUrl: string,
) {
  const reader = new PeriodicExportingMetricReader({
    exporter: protocol === 'http/json' ? new JsonMetricExporter() : new OTLPMetricExporter(),
    exportIntervalMillis: everyMs,
    metricProducers: [metersFor(publicUrl)],
  })
  return new MeterProvider({ resource, readers: [reader] })
}

/** Logs failures at most once per interval, with their number. */
function failureLogger(log: Opening['log']): (error: unknown) => void {
  let [count, loggedAt] = [0, -Infinity]
  return (error) => {
    count += 1
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return
    const reason = error instanceof Error ? error.message || error.name : String(error)
    log.warn({ reason: reason.slice(0, 300), failures: count }, 'telemetry export failed')
    ;[count, loggedAt] = [0, performance.now()]
  }
}
