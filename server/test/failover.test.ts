// The primary fails and a standby takes over: DATABASE_URL names both.
import { expect, onTestFinished, test } from 'vitest'
import { type Postgres, startPair } from '../../scripts/postgres.ts'
import { aSite } from './crash.ts'
import { ask, saved, signIn } from './faults/site.ts'
import { postgres, queryPostgres } from './postgres.ts'
import { placesOfFile } from './instances.ts'
import { freePort, launchServer, ready, refusedStart, startServer } from './process.ts'

const somewhere = placesOfFile()

/** A URL with both hosts, the given one first. */
function both(first: string, second: string, target = 'read-write'): string {
  const [one, other] = [new URL(first), new URL(second)]
  return `postgres://postgres@${one.host},${other.host}${one.pathname}?target_session_attrs=${target}`
}

const on = (server: Postgres, database: string): string =>
  Object.assign(new URL(server.url), { pathname: database }).href

test.runIf(postgres)('finds the new primary after a failover, and loses no acknowledged save', async () => {
  const [primary, standby] = await startPair()
  let isPrimaryUp = true
  const stop = async () => isPrimaryUp && ((isPrimaryUp = false), await primary.stop())
  onTestFinished(async () => void (await stop()))
  onTestFinished(() => standby.stop())
  // Acknowledged writes are on both.
  for (const statement of [
    `ALTER SYSTEM SET synchronous_standby_names = '*'`,
    `ALTER SYSTEM SET synchronous_commit = 'remote_apply'`,
    'SELECT pg_reload_conf()',
  ])
    await queryPostgres(primary.url, statement)
  const site = await aSite(primary.url)
  // Its database is on the server that was stopped.
  onTestFinished(() => site.remove().catch(() => undefined))
  const { pathname } = new URL(site.env.DATABASE_URL ?? '')
  const env = { ...site.env, LOG_LEVEL: 'silent', DATABASE_URL: both(on(standby, pathname), on(primary, pathname)) }

  const server = await startServer(env)
  onTestFinished(async () => void (await server.end('SIGKILL')))
  const token = await signIn(server)
  const before = await saved(server, token, 'before')
  expect(before.status).toBe(201)

  await stop()
  expect((await saved(server, token, 'nobody takes it')).status).toBe(503)
  const read = await fetch(`${server.url}/api/media`, { headers: { authorization: `Bearer ${token}` } })
  expect([read.status, read.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await refusedStart(env)).errors).toMatch(/^Mokuroku cannot start\. [^\n]+\n$/)
  await queryPostgres(standby.url, 'SELECT pg_promote()')
  await expect.poll(async () => (await saved(server, token, 'after')).status, { interval: 250 }).toBe(201)
  expect((await ask(server, token, 'GET', `/api/media/${before.body._id}`)).status).toBe(200)
  for (let at = 0; at < 20; at += 1) expect((await saved(server, token, 'again')).status).toBe(201)
})

test.runIf(postgres)('a start with DATABASE_WAIT waits until a host accepts writes', async () => {
  const { env, url = '', sql } = await somewhere()
  const name = new URL(url).pathname.slice(1)
  await sql(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`)
  const waiting = { ...env, DATABASE_URL: `${url}?target_session_attrs=read-write`, DATABASE_WAIT: '60' }
  const start = launchServer(waiting, await freePort())
  await ready(start.child, start.ended, 'Trying again for up to 60 seconds.')
  await sql('SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE', `ALTER DATABASE "${name}" RESET ALL`)
  await ready(start.child, start.ended, 'is ready on')
  start.child.kill('SIGTERM')
  expect(await start.ended).toMatchObject({ code: 0, errors: '' })
})
