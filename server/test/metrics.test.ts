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
  await app.inject({ url: '/api/site' })
  await app.inject({ url: '/api/site', headers: { host: 'evil.example.org' } })
  const counts = await read('http_request_duration_seconds_count')
  expect(counts['method="GET",route="/api/site",status="200"']).toBe(1)
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

test('every metric that the alerting rules, the dashboard and the documentation name exists', async () => {
  const { body } = await app.inject({ url: '/metrics' })
  const names = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  const text = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
  const queries = [
    ...text('deploy/alerts.yaml').matchAll(/^ *expr: (.+)$/gm),
    ...text('deploy/grafana.json').matchAll(/"expr": "(.+)",$/gm),
  ]
  // Words of a query with an underscore are metrics, or else functions, which a parenthesis follows.
  const queried = queries.flatMap(([, query = '']) => query.match(/\b[a-z]+_[a-z0-9_]+\b(?!\()/g) ?? [])
  const documented = [...text('docs/operations.md').matchAll(/^\| (`[a-z0-9_`, ]+`) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/\b[a-z0-9]+_[a-z0-9_]+\b/g) ?? [],
  )
  expect([queried.length > 20, documented.length > 20]).toEqual([true, true])
  const named = [...queried, ...documented].map((name) => name.replace(/_(bucket|count)$/, ''))
  expect(named.filter((name) => !names.has(name))).toEqual([])
})
