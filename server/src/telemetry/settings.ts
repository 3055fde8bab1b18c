// Reads OpenTelemetry's own environment variables
// (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
// The exporters themselves read those that are not here (headers, timeouts, certificates, compression).
import * as z from 'zod/mini'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
const PROTOCOLS = ['http/protobuf', 'http/json'] as const

const HTTP = 'must be an http or https address'
const Endpoint = z.optional(z.url(HTTP).check(z.regex(/^https?:\/\//i, HTTP)))
const Exporter = z.optional(z.enum(['otlp', 'none'], 'must be otlp or none'))
const Protocol = z.optional(z.enum(PROTOCOLS, 'must be http/protobuf or http/json: this server does not speak gRPC'))
/** The longest interval of a timer: a longer one would count as 1 millisecond. */
const MAX_INTERVAL_MS = 2_147_483_647
const Milliseconds = (usual: number) => {
  const message = `must be a whole number of milliseconds, from 100 to ${MAX_INTERVAL_MS}`
  return z._default(
    z.coerce.number(message).check(z.int(message), z.gte(100, message), z.lte(MAX_INTERVAL_MS, message)),
    usual,
  )
}
const RATIO = 'must be a number from 0 to 1'
const Ratio = z.coerce.number(RATIO).check(z.gte(0, RATIO), z.lte(1, RATIO))

const Variables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: Endpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Endpoint,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: Endpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: Protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: Protocol,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: Protocol,
  OTEL_TRACES_EXPORTER: Exporter,
  OTEL_METRICS_EXPORTER: Exporter,
  OTEL_TRACES_SAMPLER: z._default(z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`), 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z._default(Ratio, 1),
  OTEL_BSP_SCHEDULE_DELAY: Milliseconds(5000),
  OTEL_METRIC_EXPORT_INTERVAL: Milliseconds(60_000),
})
type Variables = z.output<typeof Variables>
type Protocol = (typeof PROTOCOLS)[number]

/** What is sent, how, and how often. */
export interface TelemetrySettings {
  traces?: { protocol: Protocol; sampler: (typeof SAMPLERS)[number]; ratio: number; everyMs: number }
  metrics?: { protocol: Protocol; everyMs: number }
}

/**
 * What to send to a collector; undefined if nothing, the default until a collector is configured. Throws an Error with
 * a one-line message that names the first invalid variable.
 */
export function telemetryIn(given: Record<string, string>): TelemetrySettings | undefined {
  if (given.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const parsed = Variables.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  const { data } = parsed
  const settings: TelemetrySettings = {
    ...(isSent(data, 'TRACES') && {
      traces: {
        protocol: protocolOf(data, 'TRACES'),
        sampler: data.OTEL_TRACES_SAMPLER,
        ratio: data.OTEL_TRACES_SAMPLER_ARG,
        everyMs: data.OTEL_BSP_SCHEDULE_DELAY,
      },
    }),
    ...(isSent(data, 'METRICS') && {
      metrics: { protocol: protocolOf(data, 'METRICS'), everyMs: data.OTEL_METRIC_EXPORT_INTERVAL },
    }),
  }
  return settings.traces || settings.metrics ? settings : undefined
}

/** Whether a signal is sent: if an endpoint is set, or to the default endpoint if the exporter is set to `otlp`. */
function isSent(data: Variables, signal: 'TRACES' | 'METRICS'): boolean {
  const exporter = data[`OTEL_${signal}_EXPORTER`]
  const endpoint = data[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? data.OTEL_EXPORTER_OTLP_ENDPOINT
  return exporter === 'otlp' || (exporter === undefined && endpoint !== undefined)
}

const protocolOf = (data: Variables, signal: 'TRACES' | 'METRICS'): Protocol =>
  data[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] ?? data.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf'
