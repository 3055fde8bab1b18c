// The SDK of OpenTelemetry. Loaded only where a collector is configured (main.ts). Nothing is registered with the
// global API: a library that would make spans of its own, with whatever it holds, finds none that takes them.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { diag, DiagLogLevel, type TracerProvider as Provider } from '@opentelemetry/api'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, resourceFromAttributes, type Resource } from '@opentelemetry/resources'
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

/** How long a stop waits for the collector, in milliseconds. */
const FLUSH_TIMEOUT_MS = 3000
/** How often it is told that nothing can be sent, in milliseconds. */
const TELL_EVERY_MS = 10 * 60_000

interface Opening {
  settings: TelemetrySettings
  version: string
  /** The address that others see. */
  publicUrl: string
  log: Pick<Logger, 'warn'>
}

/** Sends spans and metrics from here on. The answer sends what is left, for a while, and ends it. */
export function openTelemetry({ settings, version, publicUrl, log }: Opening): () => Promise<void> {
  const failed = tellSeldom(log)
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

const resourceOf = (version: string): Resource =>
  resourceFromAttributes({
    'service.name': 'mokuroku',
    'service.version': version,
    'service.instance.id': randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }))

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

/** Tells of failures in one line now and then, with how many there were. */
function tellSeldom(log: Opening['log']): (error: unknown) => void {
  let [count, toldAt] = [0, -Infinity]
  return (error) => {
    count += 1
    if (performance.now() - toldAt < TELL_EVERY_MS) return
    const reason = error instanceof Error ? error.message || error.name : String(error)
    log.warn({ reason: reason.slice(0, 300), failures: count }, 'telemetry is not taken by the collector')
    ;[count, toldAt] = [0, performance.now()]
  }
}
