import { type Attributes, ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValueWithName } from 'prom-client'
import { readMeters, REQUEST_DURATIONS } from '#lib/metrics.ts'

type Read = MetricObjectWithValues<MetricValueWithName<string>>

/** The metrics of `GET /metrics` in the form of OpenTelemetry: both read the same counters. */
export function metersFor(publicUrl: string): MetricProducer {
  const scheme = new URL(publicUrl).protocol.replace(':', '')
  return {
    collect: async () => {
      const read = await readMeters()
      const times = { startTime: millisToHrTime(performance.timeOrigin), endTime: millisToHrTime(Date.now()) }
      const metrics = read.flatMap((each) => {
        const metric = metricOf(each, times)
        if (!metric || metric.dataPoints.length === 0) return []
        return each.name === REQUEST_DURATIONS ? requestDurations(metric, scheme) : metric
      })
      const scopeMetrics = [{ scope: { name: 'mokuroku' }, metrics }]
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] }
    },
  }
}

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>

function metricOf({ name, help, type, values }: Read, times: Times): MetricData | undefined {
  const common = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: attributesOf(labels), value }))
  // In some versions of prom-client's types the types are numbers; at runtime they are words.
  switch (String(type)) {
    case 'counter':
      return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    case 'gauge':
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
    case 'histogram':
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(values, times) }
    default:
      return undefined
  }
}

const unitOf = (name: string): string => (/_seconds(_total)?$/.test(name) ? 's' : name.endsWith('_bytes') ? 'By' : '')

const attributesOf = ({ le: _, ...labels }: Read['values'][number]['labels']): Attributes => labels

/** Prometheus buckets are cumulative, those of OpenTelemetry are not. */
function histogramsOf(values: Read['values'], times: Times): DataPoint<Histogram>[] {
  const groups = Map.groupBy(values, ({ labels }) => JSON.stringify(attributesOf(labels)))
  return [...groups.values()].map((group) => {
    const buckets = group.filter(({ metricName = '' }) => metricName.endsWith('_bucket'))
    const valueOf = (suffix: string) => group.find(({ metricName = '' }) => metricName.endsWith(suffix))?.value ?? 0
    const finite = buckets.filter(({ labels }) => labels.le !== '+Inf')
    const upTo = [...finite.map(({ value }) => value), valueOf('_count')]
    return {
      ...times,
      attributes: attributesOf(group[0]?.labels ?? {}),
      value: {
        buckets: {
          boundaries: finite.map(({ labels }) => Number(labels.le)),
          counts: upTo.map((count, at) => count - (upTo[at - 1] ?? 0)),
        },
        sum: valueOf('_sum'),
        count: valueOf('_count'),
      },
    }
  })
}

/**
 * The one metric that has a standard name in OpenTelemetry:
 * https://opentelemetry.io/docs/specs/semconv/http/http-metrics/
 */
function requestDurations(metric: MetricData, scheme: string): MetricData {
  const dataPoints = metric.dataPoints.map((point) => {
    const { method = '', route = '', status } = point.attributes
    const attributes: Attributes = {
      'http.request.method': method,
      'http.response.status_code': Number(status),
      'url.scheme': scheme,
      ...(route !== 'none' && { 'http.route': route }),
      ...(Number(status) >= 500 && { 'error.type': String(status) }),
    }
    return { ...point, attributes }
  })
  return {
    ...metric,
    descriptor: { ...metric.descriptor, name: 'http.server.request.duration' },
    dataPoints,
  } as MetricData
}
