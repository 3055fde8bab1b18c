import { expect, test } from 'vitest'
import { readTelemetry } from '../env.ts'

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318'
const usual = { sampler: 'parentbased_always_on', ratio: 1, everyMs: 5000, protocol: 'http/protobuf' }
const metrics = { protocol: 'http/protobuf', everyMs: 60_000 }

test('sends nothing without a collector, or if telemetry is turned off', () => {
  for (const given of [
    {},
    { OTEL_SERVICE_NAME: 'x', OTEL_RESOURCE_ATTRIBUTES: 'a=b', OTEL_TRACES_SAMPLER: 'always_on' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere', OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' },
  ])
    expect(readTelemetry(given)).toBeUndefined()
})

test('sends each signal to its own endpoint, and can leave it out', () => {
  expect(readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({ traces: usual, metrics })
  expect(readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_METRICS_EXPORTER: 'none' })).toEqual({ traces: usual })
  expect(readTelemetry({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://a.example/x' })).toEqual({ metrics })
  expect(readTelemetry({ OTEL_TRACES_EXPORTER: 'otlp' })).toEqual({ traces: usual })
  expect(
    readTelemetry({
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/protobuf',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '2147483647',
    }),
  ).toEqual({
    traces: { sampler: 'traceidratio', ratio: 0.25, everyMs: 100, protocol: 'http/json' },
    metrics: { protocol: 'http/protobuf', everyMs: 2_147_483_647 },
  })
})

test('names an invalid setting in one line', () => {
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_METRICS_EXPORTER', 'prometheus'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.01'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.01'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '99'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '2147483648'],
  ] as const)
    expect(() => readTelemetry({ [name]: value })).toThrow(new RegExp(String.raw`^${name}: [^\n]+$`))
})
