import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { db, engine, transaction } from '#database/db.ts'
import { sendMail } from '#mail/send.ts'
import { enqueue } from '#jobs/queue.ts'
import { registerWork } from '#jobs/work.ts'
import { gauge, meters } from '#lib/metrics.ts'
import { app, idle, signedIn, withApp } from '#test/app.ts'

// Loaded by servers with a bucket only.
import '../src/assets/bucket.ts'

withApp()

/** The values of a metric, keyed by its labels as printed. */
async function read(name: string): Promise<Record<string, number>> {
  const { body } = await app.inject({ url: '/metrics' })
  const lines = [...body.matchAll(/^(\w+)(?:\{(.*)\})? ([\d.e+-]+|NaN)$/gm)]
  return Object.fromEntries(
    lines.filter(([, each]) => each === name).map(([, , labels = '', value]) => [labels, Number(value)]),
  )
}

test('counts statements by kind, and failed ones by error code', async () => {
  const before = (await read('database_query_duration_seconds_count'))['kind="select"'] ?? 0
  await db.selectFrom('users').select('_id').execute()
  expect((await read('database_query_duration_seconds_count'))['kind="select"']).toBeGreaterThan(before)
  await expect(
    db
      .selectFrom('users')
      .select('nothing' as '_id')
      .execute(),
  ).rejects.toThrow('nothing')
  const failed = await read('database_query_errors_total')
  expect(failed[engine === 'postgres' ? 'code="42703"' : 'code="1"']).toBeGreaterThanOrEqual(1)
})

test('counts calls by route and status, also those refused before they have a route', async () => {
  const site = 'method="GET",route="/api/site",status="200"'
  const { [site]: before = 0 } = await read('http_request_duration_seconds_count')
  await app.inject({ url: '/api/site' })
  await app.inject({ url: '/api/site', headers: { host: 'evil.example.org' } })
  const counts = await read('http_request_duration_seconds_count')
  expect(counts[site]).toBe(before + 1)
  expect(Object.entries(counts).filter(([labels]) => labels.endsWith('status="421"'))).toHaveLength(1)
})

test('reports the connection pool on PostgreSQL only', async () => {
  expect(await read('database_pool_size')).toEqual(engine === 'postgres' ? { '': 10 } : {})
  expect(Object.keys(await read('database_pool_connections')).length).toBe(engine === 'postgres' ? 2 : 0)
  expect(await read('database_lock_waiting')).toEqual(engine === 'postgres' ? { '': 0 } : {})
})

test('reports jobs, emails and open streams', async () => {
  registerWork('measured', { run: () => Promise.resolve() })
  await transaction((tx) => enqueue(tx, { id: 'measured', kind: 'measured', payload: {} }))
  await idle()
  expect((await read('job_runs_total'))['kind="measured",outcome="done"']).toBe(1)
  expect(await read('jobs_lag_seconds')).toHaveProperty([''])
  await sendMail({ to: 'rin@example.org', subject: 'x', language: 'en', before: [] })
  expect((await read('mail_messages_total'))['outcome="outbox"']).toBeGreaterThanOrEqual(1)
  const { token } = await signedIn()
  const url = '/api/notifications/stream'
  const controller = new AbortController()
  const stream = app.inject({ url, headers: { authorization: `Bearer ${token}` }, signal: controller.signal })
  await expect.poll(() => read('streams_open')).toEqual({ [`path="${url}"`]: 1 })
  controller.abort()
  await stream.catch(() => undefined)
})

test('omits a value that cannot be read, and still answers', async () => {
  gauge('unknown_to_all', 'x', [], () => Promise.reject(new Error('no')))
  gauge('never_told', 'x', ['a'], () => new Promise(() => undefined))
  const { statusCode, body } = await app.inject({ url: '/metrics' })
  expect(statusCode).toBe(200)
  expect(body).toContain('# TYPE never_told gauge')
  expect(body).not.toMatch(/^(unknown_to_all|never_told)[ {]/m)
  meters.removeSingleMetric('unknown_to_all')
  meters.removeSingleMetric('never_told')
})

const text = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')

/** The queries of the alerting rules and of the dashboard, each with the template of the texts that show its labels. */
function queries(): { query: string; shown: string }[] {
  const rules = text('deploy/alerts.yaml').split('- alert: ').slice(1)
  const targets = text('deploy/grafana.json').matchAll(/"expr": (".+"),\s*"legendFormat": "(.+)"/g)
  return [
    ...rules.map((rule) => ({ query: /^ *expr: (.+)$/m.exec(rule)?.[1] ?? '', shown: rule })),
    ...[...targets].map(([, query = '', shown = '']) => ({ query: JSON.parse(query) as string, shown })),
  ]
}

/** The metrics of a query: its words outside of braces, brackets and `by (…)` that are no functions or operators. */
const metricsIn = (query: string): string[] =>
  (query.replaceAll(/\{[^}]*\}|\[\w+\]|\bby \([^)]*\)|\bor\b/g, '').match(/\b[a-z]\w*\b(?!\s*\()/g) ?? []).map((name) =>
    name.replace(/_(bucket|count)$/, ''),
  )

test('every metric that the alerting rules, the dashboard and the documentation name exists', async () => {
  const { body } = await app.inject({ url: '/metrics' })
  // Prometheus itself makes `up`.
  const names = new Set(['up', ...[...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)])
  const queried = queries().flatMap(({ query }) => metricsIn(query))
  const documented = [...text('docs/operations.md').matchAll(/^\| (`[a-z0-9_`, ]+`) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/\b[a-z0-9]+_[a-z0-9_]+\b/g) ?? [],
  )
  expect([queried.length > 20, documented.length > 20]).toEqual([true, true])
  expect([...queried, ...documented].filter((name) => !names.has(name))).toEqual([])
})

test('queries of metrics that other programs may have name the job of the documented configuration', () => {
  const [, job = ''] = /^ {2}- job_name: (\w+)$/m.exec(text('docs/operations.md')) ?? []
  expect(job).not.toBe('')
  const unnamed = new RegExp(String.raw`\b(?:up|instances|(?:http|process|nodejs)_\w+)\b(?!\{job="${job}")`)
  expect(queries().filter(({ query }) => unnamed.test(query))).toEqual([])
})

test('every label that the alerting rules and the dashboard use is one of the metrics of the query', async () => {
  await app.inject({ url: '/api/site' })
  const calls = Object.keys(await read('http_request_duration_seconds_count')).join()
  const labels = new Map(
    // The types leave out what every metric has.
    (meters.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[]).map(
      ({ name, labelNames }) => [name, labelNames] as const,
    ),
  ).set('http_request_duration_seconds', calls.match(/\w+(?==")/g) ?? [])
  const unknown = queries().flatMap(({ query, shown }) => {
    const matched = query.match(/\w+(?=(=~|!~|!=|=)")/g) ?? []
    const grouped = [...query.matchAll(/by \(([^)]+)\)/g)].flatMap(([, names = '']) => names.split(', '))
    const displayed = [...shown.matchAll(/\{\{(?: ?\$labels\.)?(\w+) ?\}\}/g)].map(([, name = '']) => name)
    // Prometheus adds the first two, and a histogram has the third.
    const known = new Set(['instance', 'job', 'le', ...metricsIn(query).flatMap((name) => labels.get(name) ?? [])])
    return [...matched, ...grouped, ...displayed].filter((name) => !known.has(name)).map((name) => `${name}: ${query}`)
  })
  expect(unknown).toEqual([])
})
