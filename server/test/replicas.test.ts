// Reads from a standby that replicates the primary, set by DATABASE_REPLICA_URL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type Postgres, startPair } from '../../scripts/postgres.ts'
import { aBucket } from './bucket.ts'
import { aSite } from './crash.ts'
import { ask, saved, signIn } from './faults/site.ts'
import { createMigrated, postgres, queryPostgres } from './postgres.ts'
import { refusedStart, type Running, startServer } from './process.ts'

/** The values of a metric, keyed by its labels as printed. */
async function measured(server: Running, name: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  const lines = [...text.matchAll(/^(\w+)(?:\{(.*)\})? ([\d.e+-]+)$/gm)].filter(([, each]) => each === name)
  return Object.fromEntries(lines.map(([, , labels = '', value]) => [labels, Number(value)]))
}

const readsFrom = async (server: Running, target: string): Promise<number> =>
  (await measured(server, 'database_reads_total'))[`target="${target}"`] ?? 0

const isUsed = async (server: Running) => {
  await expect.poll(async () => Object.values(await measured(server, 'database_replica_usable'))).toEqual([1])
}

/** A primary and a standby, and the environment of two servers that read from both. */
async function aPair(settings: string[] = []) {
  const [primary, standby] = await startPair(settings)
  onTestFinished(() => primary.stop())
  const pair = { primary, standby, isStandbyUp: true, stop: async () => undefined as void }
  pair.stop = async () => {
    if (pair.isStandbyUp) await standby.stop()
    pair.isStandbyUp = false
  }
  onTestFinished(() => pair.stop())
  const site = await aSite(primary.url)
  onTestFinished(() => site.remove().catch(() => undefined))
  const bucket = await aBucket()
  onTestFinished(() => bucket.stop())
  const url = new URL(site.env.DATABASE_URL ?? '')
  const env = {
    ...site.env,
    LOG_LEVEL: 'silent',
    AUTH_SECRET: 'x'.repeat(32),
    DATABASE_REPLICA_LAG: '3600',
    DATABASE_REPLICA_URL: `postgres://postgres@${new URL(standby.url).host}${url.pathname}`,
    ...bucket.env,
  }
  const other = mkdtempSync(join(tmpdir(), 'mokuroku-other-'))
  onTestFinished(() => rmSync(other, { recursive: true, force: true }))
  return { pair, env, otherEnv: { ...env, DATA_DIR: other } }
}

async function started(env: Record<string, string | undefined>): Promise<Running> {
  const server = await startServer(env)
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return server
}

const answers = (server: Running, token: string, id: string) => async () =>
  (await ask(server, token, 'GET', `/api/media/${id}`)).body.version

/** Whether a request of this session is answered by the standby. */
async function readsStandby(server: Running, token: string, id: string): Promise<boolean> {
  const before = await readsFrom(server, 'replica')
  expect((await ask(server, token, 'GET', `/api/media/${id}`)).status).toBe(200)
  return (await readsFrom(server, 'replica')) > before
}

const replay = (standby: Postgres, verb: 'pause' | 'resume') =>
  queryPostgres(standby.url, `SELECT pg_wal_replay_${verb}()`)

test.runIf(postgres)(
  'reads from the standby and finds the primary, even if the default isolation level is serializable',
  async () => {
    const { pair, env } = await aPair(['default_transaction_isolation=serializable'])
    const hosts = [pair.standby, pair.primary].map(({ url }) => new URL(url).host)
    const named = (some: string[]) =>
      `postgres://postgres@${some.join()}${new URL(env.DATABASE_REPLICA_URL).pathname}?target_session_attrs=read-write`
    expect((await refusedStart({ ...env, DATABASE_URL: named(hosts.slice(0, 1)) })).errors).toBe(
      'Mokuroku cannot start. The database is read-only at the moment.\n',
    )
    const server = await started({ ...env, DATABASE_URL: named(hosts) })
    const token = await signIn(server)
    const { _id } = (await saved(server, token, 'first')).body
    await isUsed(server)
    await expect.poll(() => readsStandby(server, token, _id)).toBe(true)
  },
)

test.runIf(postgres)(
  'users read their own writes on every server, while others may read older data from a standby',
  async () => {
    const { pair, env, otherEnv } = await aPair()
    const one = await started(env)
    const two = await started(otherEnv)
    const [writer, reader] = [await signIn(one), await signIn(one)]
    const { _id } = (await saved(one, writer, 'first')).body
    await Promise.all([isUsed(one), isUsed(two)])
    for (const server of [one, two]) {
      await expect.poll(() => readsStandby(server, writer, _id)).toBe(true)
      await expect.poll(() => readsStandby(server, reader, _id)).toBe(true)
    }

    await replay(pair.standby, 'pause')
    const input = (await ask(one, writer, 'GET', `/api/media/${_id}`)).body
    const body = { ...input, isOngoing: true }
    const edited = await ask(one, writer, 'PUT', `/api/media/${_id}`, body, { 'if-match': '"1"' })
    expect(edited.body.version).toBe(2)
    for (const server of [one, two]) {
      expect(await answers(server, writer, _id)()).toBe(2)
      await expect.poll(answers(server, reader, _id)).toBe(1)
    }
    // What the standby does not have yet is read from the primary.
    const { _id: created } = (await saved(two, writer, 'second')).body
    expect(await answers(one, reader, created)()).toBe(1)
    // A session that has ended is ended on every server.
    const ended = await signIn(two)
    expect((await ask(two, ended, 'POST', '/api/auth/logout')).status).toBeLessThan(300)
    expect((await ask(one, ended, 'GET', `/api/media/${_id}`)).status).toBe(401)

    await replay(pair.standby, 'resume')
    for (const server of [one, two])
      for (const token of [writer, reader]) {
        await expect.poll(answers(server, token, _id)).toBe(2)
        await expect.poll(() => readsStandby(server, token, _id)).toBe(true)
      }
    expect(Object.values(await measured(one, 'database_replica_lag_seconds'))).toEqual([expect.any(Number)])
  },
)

test.runIf(postgres)(
  'users read their own writes if two at once conflict, as the default isolation level is repeatable read',
  async () => {
    const { pair, env } = await aPair(['default_transaction_isolation=repeatable read'])
    const server = await started(env)
    const token = await signIn(server)
    const { _id } = (await saved(server, token, 'first')).body
    await expect.poll(() => readsStandby(server, token, _id)).toBe(true)
    await replay(pair.standby, 'pause')
    const { pathname } = new URL(env.DATABASE_REPLICA_URL)
    const holder = new pg.Client(Object.assign(new URL(pair.primary.url), { pathname }).href)
    await holder.connect()
    await holder.query('BEGIN; UPDATE "sessions" SET "lastSeen" = "lastSeen"')
    const input = (await ask(server, token, 'GET', `/api/media/${_id}`)).body
    const edited = ask(server, token, 'PUT', `/api/media/${_id}`, { ...input, isOngoing: true }, { 'if-match': '"1"' })
    const waiting = `SELECT 1 FROM "pg_stat_activity" WHERE "wait_event_type" = 'Lock' AND "query" LIKE '%"position"%'`
    await expect.poll(() => queryPostgres(pair.primary.url, waiting)).toHaveLength(1)
    await holder.query('COMMIT')
    await holder.end()
    expect((await edited).body.version).toBe(2)
    expect(await answers(server, token, _id)()).toBe(2)
  },
)

test.runIf(postgres)('does not read from a standby that lags too far behind until it catches up', async () => {
  const { pair, env } = await aPair()
  const server = await started({ ...env, DATABASE_REPLICA_LAG: '1' })
  const [writer, reader] = [await signIn(server), await signIn(server)]
  const { _id } = (await saved(server, writer, 'first')).body
  await expect.poll(() => readsStandby(server, reader, _id)).toBe(true)
  await replay(pair.standby, 'pause')
  const input = (await ask(server, writer, 'GET', `/api/media/${_id}`)).body
  await ask(server, writer, 'PUT', `/api/media/${_id}`, { ...input, isOngoing: true }, { 'if-match': '"1"' })
  // From now on, the standby lags more than is allowed.
  await sleep(1100)
  await expect.poll(answers(server, reader, _id)).toBe(2)
  expect(await readsStandby(server, reader, _id)).toBe(false)
  await replay(pair.standby, 'resume')
  await expect.poll(() => readsStandby(server, reader, _id)).toBe(true)
  expect(await answers(server, reader, _id)()).toBe(2)
})

test.runIf(postgres)(
  'no read fails when the standby is cut off or killed; a server without the standby is refused',
  async () => {
    const { pair, env, otherEnv } = await aPair()
    const server = await started(env)
    const refused = await refusedStart({ ...otherEnv, DATABASE_REPLICA_URL: undefined })
    expect(refused.errors).toMatch(/^Mokuroku cannot start\. DATABASE_REPLICA_URL is not set, and [^\n]+\n$/)
    const token = await signIn(server)
    const { _id } = (await saved(server, token, 'first')).body
    await isUsed(server)
    await expect.poll(() => readsStandby(server, token, _id)).toBe(true)

    const done = new AbortController()
    const statuses: number[] = []
    const readers = Array.from({ length: 4 }, async () => {
      while (!done.signal.aborted) {
        statuses.push((await ask(server, token, 'GET', `/api/media/${_id}`)).status)
        statuses.push((await ask(server, token, 'GET', '/api/media')).status)
      }
    })
    // Repeatedly closes all connections except for replication.
    for (let round = 0; round < 5; round += 1) {
      const before = await readsFrom(server, 'replica')
      await expect.poll(() => readsFrom(server, 'replica')).toBeGreaterThan(before + 10)
      await queryPostgres(
        pair.standby.url,
        `SELECT pg_terminate_backend("pid") FROM "pg_stat_activity"
         WHERE "backend_type" = 'client backend' AND "pid" <> pg_backend_pid()`,
      )
    }
    await pair.stop()
    await expect.poll(async () => Object.values(await measured(server, 'database_replica_usable'))).toEqual([0])
    const before = await readsFrom(server, 'primary')
    await expect.poll(() => readsFrom(server, 'primary')).toBeGreaterThan(before + 50)
    done.abort()
    await Promise.all(readers)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await measured(server, 'database_replica_lag_seconds')).toEqual({})
  },
)

test.runIf(postgres)(
  'does not read from another database of the same system, or from another schema, and says so',
  async () => {
    const { pair, env } = await aPair()
    const host = new URL(pair.standby.url).host
    const { pathname: copy } = new URL(await createMigrated(pair.primary.url))
    for (const other of [copy, `${new URL(env.DATABASE_REPLICA_URL).pathname}?options=-c%20search_path%3Dpg_catalog`]) {
      const server = await started({ ...env, DATABASE_REPLICA_URL: `postgres://postgres@${host}${other}` })
      await expect
        .poll(() => server.output())
        .toContain(`${host} in DATABASE_REPLICA_URL has another database than DATABASE_URL, and is not read from.\n`)
      const token = await signIn(server)
      const { _id } = (await saved(server, token, 'first')).body
      expect(await readsStandby(server, token, _id)).toBe(false)
      expect(await measured(server, 'database_replica_usable')).toEqual({ [`host="${host}"`]: 0 })
      await server.end()
    }
  },
)

test.runIf(postgres)(
  'says why a host cannot be read from, but nothing of the primary among several hosts',
  async () => {
    const site = await aSite(postgres)
    onTestFinished(() => site.remove())
    const url = site.env.DATABASE_URL ?? ''
    const { host } = new URL(url)
    for (const [others, why] of [
      ['postgres://postgres@127.0.0.1:9/x', /^127\.0\.0\.1:9 .* cannot be used \(connect ECONNREFUSED .+\)/m],
      [`postgres://postgres@${host}/nowhere`, / cannot be used \(database "nowhere" does not exist\)/],
      [url, / is not a standby/],
      [url.replace(host, `127.0.0.1:9,${host}`), /^127\.0\.0\.1:9 /m],
    ] as const) {
      const server = await started({ ...site.env, DATABASE_REPLICA_URL: others })
      await expect.poll(() => server.output()).toMatch(why)
      await sleep(1000)
      expect(server.output().match(/in DATABASE_REPLICA_URL .*, and is not read from\.\n/g)).toHaveLength(1)
      await server.end()
    }
  },
)

test.runIf(postgres)('refuses to start with DATABASE_REPLICA_URL but without DATABASE_URL', async () => {
  const { errors } = await refusedStart({ DATABASE_REPLICA_URL: 'postgres://postgres@127.0.0.1:9/x' })
  expect(errors).toMatch(/DATABASE_REPLICA_URL: requires DATABASE_URL/)
})
