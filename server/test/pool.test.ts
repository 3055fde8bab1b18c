import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isListening, onAnnounced, startListening } from '#database/announcements.ts'
import { inSnapshot } from '#database/copy.ts'
import { advisoryLock, closeDatabase, db, openDatabase, transaction } from '#database/db.ts'
import { withoutTimeouts } from '#database/pooledConnection.ts'
import { closeReplicas, openReplicas } from '#database/replicas.ts'
import { aSite } from './crash.ts'
import { mediaInput } from './factories.ts'
import { aProxy } from './faults/proxy.ts'
import { ask, signIn } from './faults/site.ts'
import { placesOfFile } from './instances.ts'
import { startPausedPooler } from './pooler.ts'
import { postgres } from './postgres.ts'
import { startServer } from './process.ts'

const somewhere = placesOfFile()

test.runIf(postgres)('opens as many database connections as DATABASE_POOL allows, and no more', async () => {
  const site = await aSite(postgres)
  onTestFinished(site.remove)
  const server = await startServer({ ...site.env, DATABASE_POOL: '3', LOG_LEVEL: 'silent' })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  const token = await signIn(server)
  const client = new pg.Client({ connectionString: site.env.DATABASE_URL })
  await client.connect()
  onTestFinished(() => client.end())
  const counts: number[] = []
  const calls = Array.from({ length: 60 }, () => ask(server, token, 'GET', '/api/media'))
  const done = new AbortController()
  const answers = Promise.all(calls).finally(() => done.abort())
  const others = `SELECT count(*) AS "count" FROM "pg_stat_activity"
    WHERE "datname" = current_database() AND "pid" <> pg_backend_pid() AND "backend_type" = 'client backend'`
  do counts.push(Number((await client.query<{ count: string }>(others)).rows[0]?.count))
  while (!done.signal.aborted)
  expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([200]))
  expect(Math.max(...counts)).toBe(3)
})

test.runIf(postgres)('requests do not wait for a hanging new connection while others are available', async () => {
  const site = await aSite(postgres)
  onTestFinished(site.remove)
  const proxy = await aProxy(site.env.DATABASE_URL ?? '')
  onTestFinished(proxy.down)
  const pool = 20
  const env = { ...site.env, DATABASE_URL: proxy.url, DATABASE_POOL: String(pool), LOG_LEVEL: 'silent' }
  const server = await startServer(env)
  onTestFinished(async () => void (await server.end('SIGKILL')))
  const token = await signIn(server)
  const saves = (length: number) =>
    Promise.all(Array.from({ length }, () => ask(server, token, 'POST', '/api/media', mediaInput())))
  // One connection is for announcements of other servers; others are open, too.
  await saves(3)
  proxy.hangNew()
  // Saves that do not overlap need no new connection: again until one was attempted. There are fewer connections than
  // saves, as only some of the pool are open.
  do {
    const began = performance.now()
    const statuses = (await saves(pool)).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map(() => 201))
    // A connection attempt is given up after ten seconds.
    expect(performance.now() - began).toBeLessThan(8000)
  } while (proxy.held() === 0)
})

test.runIf(postgres)('a transaction soon gets a connection while reads use all of them', async () => {
  const { url, folder } = await somewhere()
  await openDatabase({ url, folder, pool: 3 })
  const reading = new AbortController()
  let reads = 0
  const read = async () => {
    for (; !reading.signal.aborted; reads += 1) await sql`SELECT count(*) FROM generate_series(1, 100000)`.execute(db)
  }
  const readers = Promise.all(Array.from({ length: 12 }, read))
  onTestFinished(async () => {
    reading.abort()
    await readers
    await closeDatabase()
  })
  await expect.poll(() => reads).toBeGreaterThan(12)
  const before = reads
  await transaction((tx) => sql`SELECT 1`.execute(tx))
  expect(reads - before).toBeLessThan(100)
})

test.runIf(postgres)('reads are answered while many transactions wait for a lock that one keeps', async () => {
  const { url, folder } = await somewhere()
  await openDatabase({ url, folder, pool: 4 })
  onTestFinished(closeDatabase)
  const keep = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holder = transaction(async (tx) => {
    await advisoryLock(tx, 'kept')
    held.resolve()
    await keep.promise
  })
  await held.promise
  let obtained = 0
  const waiting = Array.from({ length: 6 }, () =>
    transaction((tx) => advisoryLock(tx, 'kept')).then(() => (obtained += 1)),
  )
  const reads = Array.from({ length: 6 }, () => sql<{ one: number }>`SELECT 1 AS "one"`.execute(db))
  for (const { rows } of await Promise.all(reads)) expect(rows).toEqual([{ one: 1 }])
  expect(obtained).toBe(0)
  keep.resolve()
  await Promise.all([holder, ...waiting])
  expect(obtained).toBe(6)
})

test.runIf(postgres)(
  'PostgreSQL cancels a statement before its connection is closed; while timeouts are off, its own does not apply either',
  async () => {
    const { url, folder, sql: run } = await somewhere()
    await run(`ALTER DATABASE "${new URL(url ?? '').pathname.slice(1)}" SET statement_timeout = '250ms'`)
    await openDatabase({ url, folder })
    onTestFinished(closeDatabase)
    const show = sql<{ statement_timeout: string }>`SHOW statement_timeout`
    const limitIn = async (queries: typeof db) => (await show.execute(queries)).rows[0]?.statement_timeout
    const limits = () => Promise.all([transaction(limitIn), limitIn(db), inSnapshot(limitIn)])
    expect(await limits()).toEqual(['14s', '14s', '250ms'])
    await withoutTimeouts(async () => {
      expect(await limits()).toEqual(['0', '0', '0'])
      await sql`SELECT pg_sleep(0.5)`.execute(db)
      await sql`CREATE FUNCTION "slow"(text) RETURNS text LANGUAGE sql IMMUTABLE AS
        'SELECT $1 FROM (SELECT pg_sleep(0.5)) AS "waited"'`.execute(db)
      await sql`CREATE INDEX CONCURRENTLY "slowly" ON "migrations" ("slow"("name")) WHERE "name" LIKE '001%'`.execute(
        db,
      )
      expect(await limits()).toEqual(['0', '0', '0'])
    })
    await expect(withoutTimeouts(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await limits()).toEqual(['14s', '14s', '250ms'])
  },
)

test.runIf(postgres)('ignores what others send on the channel of the announcements', async () => {
  const { url = '', folder } = await somewhere()
  await openDatabase({ url, folder, pool: 2 })
  onTestFinished(closeDatabase)
  const heard: string[] = []
  onAnnounced('entity', (detail) => void heard.push(detail))
  onTestFinished(startListening(url))
  await expect.poll(isListening).toBe(true)
  const texts = ['', 'null', '5', '[]', '{"entries":5}', '{"entries":[5]}', '{"entries":[["entity",5]]}']
  const messages = ['constructor', 'newer', 'entity'].map((topic) => ({ from: 'other', entries: [[topic, 'it']] }))
  for (const text of [...texts, ...messages.map((each) => JSON.stringify(each))])
    await sql`SELECT pg_notify('mokuroku', ${text})`.execute(db)
  // The empty one says that announcements may have been missed.
  await expect.poll(() => heard).toEqual(['', 'it'])
})

describe('behind a pooler whose database is away', () => {
  test('stops listening at once', async () => {
    const pooler = await startPausedPooler()
    onTestFinished(pooler.end)
    const stop = startListening(pooler.url)
    await expect.poll(pooler.statements).toBe(1)
    await stop()
    await expect.poll(pooler.open).toBe(0)
  })

  test('closes the connections on which a replica did not answer', async () => {
    const pooler = await startPausedPooler()
    onTestFinished(pooler.end)
    openReplicas(pooler.url, async () => ({ rows: [] }), {})
    onTestFinished(closeReplicas)
    await expect.poll(pooler.statements).toBe(3)
    expect(pooler.open()).toBe(1)
  })
})
