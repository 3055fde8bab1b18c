import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { db, engine, transaction } from '#database/db.ts'
import { enqueue } from '#jobs/queue.ts'
import { registerWork } from '#jobs/work.ts'
import { newId } from '#lib/ids.ts'
import { beginRoot, beginSpan } from '#lib/tracing.ts'
import { openMail, sendMail } from '#mail/send.ts'
import { openai } from '../ai/providers/openai.ts'
import { createApp } from '../app.ts'
import { openBucket } from '../assets/bucket.ts'
import { idle, signedIn, withApp } from '#test/app.ts'
import { aBucket } from '#test/bucket.ts'
import { aCollector, type CollectedSpan, type Collector, valuesOf } from '#test/collector.ts'
import { mediaTitled } from '#test/factories.ts'
import { says, withModel } from '#test/model.ts'
import { smtpServer } from '#test/smtp.ts'
import { readTelemetry } from '../env.ts'
import { openTelemetry } from './open.ts'

withApp()
const model = await withModel()

const CALLER = { trace: 'a'.repeat(32), span: 'b'.repeat(16) }
const lines: Record<string, unknown>[] = []
const publicUrl = 'http://127.0.0.1:3000'
const files = mkdtempSync(join(tmpdir(), 'mokuroku-telemetry-'))
const page = mkdtempSync(join(tmpdir(), 'mokuroku-console-'))
let collector: Collector
let traced: Awaited<ReturnType<typeof createApp>>
let begin: () => void
let close: () => Promise<void>

beforeAll(async () => {
  collector = await aCollector()
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=for%20the%20collector',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_SERVICE_NAME: 'catalogue',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    // This is also the limit of an export: on a busy machine, a short one fails. Closing exports the metrics.
    OTEL_METRIC_EXPORT_INTERVAL: '60000',
  })
  const out = new Writable({
    write: (line: Buffer, _, done) => {
      lines.push(JSON.parse(line.toString()) as Record<string, unknown>)
      done()
    },
  })
  const log = pino({ level: 'info' }, out)
  const settings = readTelemetry()
  if (!settings) throw new Error('It is not configured')
  begin = () => void (close = openTelemetry({ settings, version: '1.2.3', publicUrl, log }))
  begin()
  writeFileSync(join(page, 'index.html'), '')
  traced = await createApp({ files, publicUrl, accessLog: true, logger: log, console: page })
})
afterAll(async () => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) Reflect.deleteProperty(process.env, name)
  await traced.close()
  await collector.close()
  for (const folder of [files, page]) rmSync(folder, { recursive: true, force: true })
})

/** The span that matches, once the collector has received it. */
async function spanOf(isIt: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
  await expect.poll(() => collector.spans().some(isIt)).toBe(true)
  const found = collector.spans().find(isIt)
  if (!found) throw new Error('It did not come')
  return found
}
const below = (parent: CollectedSpan) => collector.spans().filter((each) => each.parentSpanId === parent.spanId)

test('a call is a span in the trace of its caller, with its statements as child spans and without values', async () => {
  const { token } = await signedIn()
  const headers = {
    authorization: `Bearer ${token}`,
    'x-request-id': 'mine',
    traceparent: `00-${CALLER.trace}-${CALLER.span}-01`,
    tracestate: 'theirs=hidden-state',
    baggage: 'user=hidden-baggage',
    'user-agent': 'hidden-agent',
  }
  const payload = mediaTitled('A hidden title')
  const made = await traced.inject({ url: '/api/media', method: 'POST', headers, payload })
  expect(made.statusCode).toBe(201)
  const { _id: id } = made.json<{ _id: string }>()
  await traced.inject({ url: `/api/media/${id}`, headers })
  await traced.inject({ url: '/api/media?search=hidden-words', headers })
  const read = await spanOf(({ name, traceId }) => name === 'GET /api/media/:id' && traceId === CALLER.trace)
  expect(read).toMatchObject({ traceId: CALLER.trace, parentSpanId: CALLER.span, kind: 2 })
  expect(read.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/api/media/:id',
    'url.path': `/api/media/${id}`,
    'url.scheme': 'http',
    'mokuroku.request.id': 'mine',
  })
  const written = await spanOf(
    ({ name, attributes }) => name === 'POST /api/media' && Number(attributes['http.response.status_code']) === 201,
  )
  const statements = below(written).map(({ name }) => name)
  expect(statements).toContain('INSERT media')
  expect(statements).toContain('SELECT sessions')
  expect(below(written).every(({ traceId, kind }) => traceId === CALLER.trace && kind === 3)).toBe(true)
  expect(below(written)[0]?.attributes['db.system.name']).toBe(engine === 'postgres' ? 'postgresql' : 'sqlite')
  await spanOf(({ name }) => name === 'GET /api/media')
  const all = collector.received.map(({ body }) => body.toString('utf8')).join('\n')
  expect(all).not.toMatch(/hidden|Bearer|example\.org/)
  expect(all).not.toContain(token)
  expect(lines.filter(({ requestId }) => requestId === 'mine').every(({ traceId }) => traceId === CALLER.trace)).toBe(
    true,
  )
  expect(lines.some(({ msg, traceId }) => msg === 'answered' && traceId === CALLER.trace)).toBe(true)
})

test('sends the resource attributes and the configured headers to the collector', async () => {
  await traced.inject({ url: '/api/site' })
  await spanOf(({ name }) => name === 'GET /api/site')
  expect(collector.resource()).toMatchObject({
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': expect.stringMatching(/^\d+\./) as string,
    'service.name': 'catalogue',
    'service.version': '1.2.3',
    'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    'deployment.environment.name': 'test',
  })
  expect(collector.received.every(({ headers }) => headers['x-key'] === 'for the collector')).toBe(true)
})

test('spans contain no text from paths, and neither health checks nor screens are traced', async () => {
  for (const url of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/hidden-screen',
    '/api/hidden-nothing',
    '/api/media/hidden-id',
    '/files/hidden-key',
  ])
    await traced.inject({ url })
  const file = await spanOf(({ name }) => name === 'GET /files/:key')
  expect(file.attributes['url.path']).toBe('/files/:key')
  // Only the call that the API does not know has no route.
  const unknown = await spanOf(({ name }) => name === 'GET')
  expect(unknown.traceId).not.toBe(CALLER.trace)
  expect(unknown.attributes).toMatchObject({ 'http.response.status_code': 404 })
  expect(unknown.attributes).not.toHaveProperty('http.route')
  expect(collector.spans().filter(({ name }) => name === 'GET')).toHaveLength(1)
  expect(collector.spans().some(({ name }) => /healthz|readyz|metrics/.test(name))).toBe(false)
  expect(JSON.stringify(collector.spans())).not.toContain('hidden')
})

test('a method that OpenTelemetry does not know is _OTHER, in spans and metrics', async () => {
  // The types of `inject` lack this method.
  await traced.inject({ url: '/api/media', method: 'PROPFIND' as 'GET' })
  const span = await spanOf(({ name }) => name === 'HTTP')
  expect(span.attributes).toMatchObject({
    'http.request.method': '_OTHER',
    'http.request.method_original': 'PROPFIND',
    'http.response.status_code': 405,
  })
  const { body } = await traced.inject({ url: '/metrics' })
  expect(body).toContain('http_request_duration_seconds_count{method="_OTHER",route="none",status="405"} 1')
})

test('a malformed traceparent starts a new trace', async () => {
  for (const traceparent of ['x', `00-${'0'.repeat(32)}-${CALLER.span}-01`, `ff-${CALLER.trace}-${CALLER.span}-01`])
    await traced.inject({ url: '/api/languages', headers: { traceparent } })
  await expect.poll(() => collector.spans().filter(({ name }) => name === 'GET /api/languages').length).toBe(3)
  for (const span of collector.spans().filter(({ name }) => name === 'GET /api/languages')) {
    expect(span.traceId).not.toBe(CALLER.trace)
    expect(span.parentSpanId ?? '').toBe('')
  }
})

test('follows the sampling decision of the caller', async () => {
  const headers = { traceparent: `00-${'c'.repeat(32)}-${CALLER.span}-00` }
  await traced.inject({ url: '/api/site', headers })
  await traced.inject({ url: '/api/site', headers: { traceparent: `00-${'d'.repeat(32)}-${CALLER.span}-01` } })
  await spanOf(({ traceId }) => traceId === 'd'.repeat(32))
  expect(collector.spans().some(({ traceId }) => traceId === 'c'.repeat(32))).toBe(false)
})

test('a job is a trace linked to the call that enqueued it, and its failure shows no message', async () => {
  registerWork('traced', {
    attempts: 1,
    run: async () => {
      await db.selectFrom('tags').select('_id').execute()
      throw new Error('hidden-reason')
    },
  })
  const request = beginRoot('a call', { kind: 'server' })
  await request?.within(() => transaction((tx) => enqueue(tx, { id: newId(), kind: 'traced', payload: { hidden: 1 } })))
  request?.end()
  await idle()
  const job = await spanOf(({ name }) => name === 'job traced')
  expect(job).toMatchObject({ kind: 5, links: [{ traceId: request?.traceId }], status: { code: 2 } })
  expect(job.traceId).not.toBe(request?.traceId)
  expect(job.attributes).toMatchObject({ 'mokuroku.job.outcome': 'failed', 'error.type': 'failed' })
  expect(below(job).map(({ name }) => name)).toContain('SELECT tags')
  expect(JSON.stringify(collector.spans())).not.toContain('hidden-')
})

test('calls to a model, bucket and mail server are spans with the host only, and send no traceparent', async () => {
  const [bucket, mail] = [await aBucket(), await smtpServer({ authOptional: true })]
  onTestFinished(() => Promise.all([bucket.stop(), mail.close()]).then(() => undefined))
  openMail({
    from: 'hidden-from@example.org',
    publicUrl,
    outbox: join(files, 'outbox'),
    url: `smtp://127.0.0.1:${mail.port}?ignoreTLS=true`,
  })
  model.answers(says('hidden-answer'))
  const root = beginRoot('calls', { kind: 'server' })
  await root?.within(async () => {
    await sendMail({ to: 'hidden-to@example.org', subject: 'hidden-subject', language: 'en', before: [] })
    await openBucket(bucket.bucket, (name) => name)
    const answer = openai({ baseUrl: model.baseUrl, model: 'small', apiKey: 'hidden-key' })
    const signal = new AbortController().signal
    for await (const _ of answer.answer({ call: 'test', languages: [] }, signal));
  })
  root?.end()
  const parent = await spanOf(({ name }) => name === 'calls')
  const of = (name: string) => below(parent).find((each) => each.name === name)
  expect(of('smtp send')?.attributes).toEqual({ 'server.address': '127.0.0.1', 'server.port': mail.port })
  expect(of('S3.HeadBucket')?.attributes).toMatchObject({ 'rpc.service': 'S3', 'aws.s3.bucket': bucket.bucket.name })
  expect(of('POST')?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(model.origin).port),
  })
  expect(model.questions[0]?.headers).not.toHaveProperty('traceparent')
  expect(JSON.stringify(collector.spans())).not.toContain('hidden')
})

test('a trace takes no span after its root has ended, and at most a thousand child spans', async () => {
  const root = beginRoot('a long job', { kind: 'consumer' })
  let late: ReturnType<typeof beginSpan>
  const outlasting = root?.within(async () => {
    for (let at = 0; at < 1005; at += 1) beginSpan('a part', { kind: 'internal' })?.end()
    await sleep(50)
    late = beginSpan('late', { kind: 'internal' })
  })
  root?.end()
  await outlasting
  expect(late).toBeUndefined()
  const span = await spanOf(({ name }) => name === 'a long job')
  expect(span.attributes['mokuroku.spans.dropped']).toBe(5)
  await expect.poll(() => below(span).length).toBe(1000)
})

test('an ended span ignores further attributes, and no collector error is logged', async () => {
  const root = beginRoot('a stream', { kind: 'server' })
  root?.end()
  root?.set({ 'http.response.status_code': 200 })
  await spanOf(({ name }) => name === 'a stream')
  expect(lines.filter(({ msg }) => msg === 'telemetry export failed')).toEqual([])
})

test('exports the metrics of /metrics, with calls under their standard name', async () => {
  await traced.inject({ url: '/api/site' })
  await close()
  onTestFinished(begin)
  const found = async (name: string) => {
    await expect.poll(() => collector.metrics().some((each) => each.name === name)).toBe(true)
    return collector.metrics().find((each) => each.name === name)
  }
  const isSite = (attributes: Record<string, unknown>) => attributes['http.route'] === '/api/site'
  const calls = await found('http.server.request.duration')
  expect(calls?.unit).toBe('s')
  const point = calls?.histogram?.dataPoints.find((each) => isSite(valuesOf(each.attributes)))
  expect(valuesOf(point?.attributes)).toEqual({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.route': '/api/site',
    'url.scheme': 'http',
  })
  const counts = point?.bucketCounts?.map(Number) ?? []
  expect(counts.length).toBe((point?.explicitBounds?.length ?? 0) + 1)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(point?.count))
  const { body } = await traced.inject({ url: '/metrics' })
  const counted = /^http_request_duration_seconds_count\{method="GET",route="\/api\/site",status="200"\} (\d+)$/m.exec(
    body,
  )?.[1]
  expect(Number(counted)).toBeGreaterThanOrEqual(1)
  expect((await found('process_cpu_seconds_total'))?.sum?.dataPoints).toHaveLength(1)
  expect((await found('database_query_duration_seconds'))?.histogram?.dataPoints.length).toBeGreaterThan(0)
  expect((await found('nodejs_heap_size_used_bytes'))?.gauge?.dataPoints[0]?.asDouble).toBeGreaterThan(1e6)
  expect(collector.metrics().some(({ name }) => name === 'http_request_duration_seconds')).toBe(false)
})
