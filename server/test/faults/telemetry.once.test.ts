import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { aCollector, type Collector } from '../collector.ts'
import { aSite } from '../crash.ts'
import {
  type Environment,
  freePort,
  type How,
  refusedStart,
  type Running,
  sayingWhatIsLoaded,
  startServer,
} from '../process.ts'

const DIST = join(import.meta.dirname, '../../dist')
const SDK = readdirSync(DIST).filter(
  (name) => name.endsWith('.js') && readFileSync(join(DIST, name), 'utf8').includes('maxExportBatchSize'),
)
const OFTEN = { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_METRIC_EXPORT_INTERVAL: '200', LOG_LEVEL: 'warn' }

async function running(env: Environment, how?: How): Promise<Running> {
  const site = await aSite(undefined)
  onTestFinished(site.remove)
  const server = await startServer({ ...site.env, ...env }, how)
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return server
}

async function collecting(): Promise<Collector> {
  const collector = await aCollector()
  onTestFinished(collector.close)
  return collector
}

/** The mean duration of many requests, in milliseconds. All must succeed. */
async function meanOf(server: Running, calls: number): Promise<number> {
  const began = performance.now()
  for (let at = 0; at < calls; at += 1) expect((await fetch(`${server.url}/api/site`)).status).toBe(200)
  return (performance.now() - began) / calls
}

/** Timeout of an export, in milliseconds. */
const TIMEOUT_MS = 400
const complaints = (server: Running) => server.output().match(/telemetry export failed/g)?.length ?? 0

test('loads OpenTelemetry only if a collector is configured', async () => {
  expect(SDK.length).toBeGreaterThan(0)
  const loaded = (server: Running) => SDK.some((name) => server.output().includes(`/${name}`))
  const off = await running({ OTEL_SERVICE_NAME: 'x' }, sayingWhatIsLoaded)
  expect(off.output()).toContain('dist/main.js')
  expect(loaded(off)).toBe(false)
  const { url } = await collecting()
  expect(loaded(await running({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, sayingWhatIsLoaded))).toBe(true)
})

test('flushes pending telemetry when the server stops, as protobuf by default', async () => {
  const collector = await collecting()
  const server = await running({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '60000' })
  await meanOf(server, 3)
  expect(collector.received).toEqual([])
  expect(await server.end()).toMatchObject({ code: 0, errors: '' })
  expect(collector.received.map(({ path }) => path).toSorted()).toEqual(['/v1/metrics', '/v1/traces'])
  for (const { headers, body } of collector.received) {
    expect(headers['content-type']).toBe('application/x-protobuf')
    expect(body.length).toBeGreaterThan(100)
  }
  const traces = collector.received.find(({ path }) => path === '/v1/traces')?.body.toString('latin1') ?? ''
  expect(traces.split('GET /api/site')).toHaveLength(4)
  const metrics = collector.received.find(({ path }) => path === '/v1/metrics')?.body.toString('latin1') ?? ''
  for (const name of ['http.server.request.duration', '/api/site', 'process_resident_memory_bytes', 'job_runs_total'])
    expect(metrics).toContain(name)
})

test('a collector that is down, failing or silent slows no request, and is logged once', async () => {
  const collector = await collecting()
  const down = `http://127.0.0.1:${await freePort()}`
  for (const [status, endpoint] of [
    [200, down],
    [500, collector.url],
    [0, collector.url],
  ] as const) {
    collector.answerWith(status)
    const server = await running({
      ...OFTEN,
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_TIMEOUT: String(TIMEOUT_MS),
    })
    expect(await meanOf(server, 300)).toBeLessThan(TIMEOUT_MS / 2)
    await expect.poll(() => complaints(server)).toBe(1)
    await sleep(1500)
    expect(complaints(server)).toBe(1)
    // A shutdown that takes too long ends with an error.
    expect(await server.end()).toMatchObject({ code: 0, errors: '' })
  }
})

test('stops in time even if the collector never responds', async () => {
  const collector = await collecting()
  collector.answerWith(0)
  const server = await running({ ...OFTEN, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  await meanOf(server, 20)
  expect(await server.end()).toMatchObject({ code: 0, errors: '' })
})

test('resumes sending once the collector is back', async () => {
  const collector = await collecting()
  collector.answerWith(500)
  const env = { ...OFTEN, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }
  const server = await running(env)
  await meanOf(server, 5)
  await expect.poll(() => collector.received.length).toBeGreaterThan(0)
  collector.answerWith(200)
  collector.received.length = 0
  await expect
    .poll(
      async () => {
        await meanOf(server, 1)
        return collector.spans().length
      },
      { interval: 300 },
    )
    .toBeGreaterThan(0)
})

test('refuses to start with an invalid OpenTelemetry variable, and names it', async () => {
  const site = await aSite(undefined)
  onTestFinished(site.remove)
  const ended = await refusedStart({
    ...site.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  })
  expect(ended.code).toBe(1)
  expect(ended.errors).toMatch(
    /^Mokuroku cannot start\. OTEL_EXPORTER_OTLP_PROTOCOL: must be http\/protobuf or http\/json/,
  )
})
