// The servers of a PostgreSQL database use its clock, whatever the clocks of their machines.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBucket } from '../bucket.ts'
import { aSite, faultsOf, type Site } from '../crash.ts'
import { mediaInput } from '../factories.ts'
import { aPicture } from '../files.ts'
import { postgres } from '../postgres.ts'
import { type Running, startServer } from '../process.ts'
import { aForm, ask, metricsOf, settled, signIn } from './site.ts'

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const how = { args: ['--import', join(import.meta.dirname, 'clockPreload.ts')] }
/** Longer than the interval between two readings of the clock. */
const READ_AGAIN = { interval: 200 }

const root = mkdtempSync(join(tmpdir(), 'mokuroku-clocks-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const createdOn = async (server: Running, token: string) =>
  (await ask(server, token, 'POST', '/api/media', mediaInput())).body
/** How far off the timestamps written by a server are, in milliseconds: at least, since the response takes a while. */
async function errorOf(server: Running, token: string, right = 0): Promise<number> {
  const before = Date.now() + right
  const created = Date.parse(String((await createdOn(server, token)).createdAt))
  return Math.max(before - created, created - Date.now() - right, 0)
}

describe.runIf(postgres).each([
  ['ahead of', 10 * MINUTE],
  ['behind', -10 * MINUTE],
])('a server whose clock is %s the clock of the database', (side, error) => {
  const CLOCK_FILE = join(root, `offset ${error}`)
  let bucket: Awaited<ReturnType<typeof aBucket>>
  let site: Site
  let servers: [right: Running, wrong: Running]
  let token: string
  beforeAll(async () => {
    bucket = await aBucket()
    site = await aSite(postgres)
    writeFileSync(CLOCK_FILE, String(error))
    const env = { ...site.env, ...bucket.env, AUTH_SECRET: 'the secret that both of them share, 32' }
    const other = { ...env, DATA_DIR: join(root, `wrong ${error}`), CLOCK_FILE }
    servers = [await startServer(env), await startServer(other, how)]
    token = await signIn(servers[0])
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end()))
    await bucket.stop()
    await site.remove()
  })
  /** Each server, paired with the other one. */
  const pairs = () => [servers, servers.toReversed() as typeof servers] as const

  test('reports the difference at startup and in its metrics, and writes correct timestamps and ids', async () => {
    const [right, wrong] = servers
    const line = /The clock of this machine is (\d+) seconds (.+) that of the database/.exec(wrong.output())
    expect(line?.[2]).toBe(side)
    expect(Math.abs(Number(line?.[1]) - 600)).toBeLessThan(3)
    expect(right.output()).not.toContain('clock')
    const measured = async (server: Running) =>
      Number(/^clock_error_seconds (\S+)$/m.exec(await metricsOf(server))?.[1])
    expect(Math.abs((await measured(wrong)) - error / SECOND)).toBeLessThan(3)
    expect(Math.abs(await measured(right))).toBeLessThan(3)
    for (const server of servers) {
      expect(await errorOf(server, token)).toBeLessThan(3 * SECOND)
      const { _id, createdAt } = await createdOn(server, token)
      const idMadeAt = Number.parseInt(_id.replace('-', '').slice(0, 12), 16)
      expect(Math.abs(idMadeAt - Date.parse(String(createdAt)))).toBeLessThan(3 * SECOND)
    }
  })

  test('accepts a sign-in on the other server as recent enough, and vice versa', async () => {
    for (const [one, other] of pairs()) {
      const name = `moderator${one.port}`
      const account = { username: name, email: `${name}@example.org`, password: 'correct horse battery' }
      const fresh = await signIn(one)
      const body = { ...account, role: 'moderator', scores: 0 }
      expect((await ask(other, fresh, 'POST', '/api/users', body)).status).toBe(201)
    }
  })

  test('serves private files by URLs that the other server signed, and vice versa', async () => {
    const form = aForm(await aPicture(), 'a.png')
    form.append('isPublic', 'false')
    const { _id } = (await ask(servers[0], token, 'POST', '/api/assets', form)).body
    await settled(site)
    for (const [one, other] of pairs()) {
      const { url } = (await ask(one, token, 'GET', `/api/assets/${_id}`)).body
      expect((await fetch(`${other.url}${String(url)}`)).status).toBe(200)
    }
  })

  test('skips entities that are reserved on the other server, and vice versa', async () => {
    const reserved = async (on: Running, as: string) => {
      const { body } = await ask(on, as, 'POST', '/api/work/claim', { entityType: 'Tag', limit: 10 })
      return body.ids as string[]
    }
    const account = { username: 'second', email: 'second@example.org', password: 'correct horse battery' }
    const body = { ...account, role: 'admin', scores: 0 }
    expect((await ask(servers[0], await signIn(servers[0]), 'POST', '/api/users', body)).status).toBe(201)
    const second = await signIn(servers[0], account)
    for (const [one, other] of pairs()) {
      await site.write(`DELETE FROM "reservations"`)
      expect((await reserved(one, token)).toSorted()).toEqual(site.tags.toSorted())
      expect(await reserved(other, second)).toEqual([])
    }
  })

  test('does not take over a job that the other server is working on, and vice versa', async () => {
    const ids: string[] = []
    for (let each = 0; each < 30; each++)
      for (const { _id } of await Promise.all(Array.from({ length: 20 }, () => createdOn(servers[0], token))))
        ids.push(_id)
    for (const isOngoing of [true, false, true, false]) {
      const change = { ids, change: { isOngoing } }
      const { batch } = (await ask(servers[isOngoing ? 0 : 1], token, 'POST', '/api/media/bulk', change)).body
      await expect
        .poll(() => site.read(`SELECT "state", "done" FROM "jobs" WHERE "_id" = '${String(batch)}'`))
        .toEqual([{ state: 'done', done: ids.length }])
    }
    for (const server of servers) expect(await metricsOf(server)).not.toMatch(/^job_runs_total\{.*outcome="lost"/m)
  })

  test('keeps its time when its clock is set', async () => {
    writeFileSync(CLOCK_FILE, String(2 * error))
    // Wait until its server has read the file.
    await sleep(20)
    expect(await errorOf(servers[1], token)).toBeLessThan(3 * SECOND)
  })
})

test.runIf(postgres)(
  'keeps ids and versions in order when the clock of the database goes back, and signs nobody out',
  async () => {
    const site = await aSite(postgres)
    await site.write(`CREATE SCHEMA "aside"`)
    await site.write(`CREATE TABLE "aside"."clock" AS SELECT 0 AS "ms"`)
    await site.write(`CREATE FUNCTION "public"."clock_timestamp"() RETURNS timestamptz LANGUAGE sql AS
    'SELECT pg_catalog.clock_timestamp() + (SELECT "ms" FROM "aside"."clock") * interval ''1 ms'''`)
    // Overrides PostgreSQL's own function, since it is first in the search path.
    await site.write(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = "public", "pg_catalog"', current_database()); END $$`)
    const server = await startServer(site.env)
    try {
      const token = await signIn(server)
      const update = async (id: string, version: number) =>
        (await ask(server, token, 'PUT', `/api/media/${id}`, mediaInput(), { 'if-match': `"${version}"` })).body
      const before = await createdOn(server, token)
      const changed = await update(before._id, 1)
      await site.write(`UPDATE "aside"."clock" SET "ms" = ${-HOUR}`)
      await expect.poll(() => errorOf(server, token, -HOUR), READ_AGAIN).toBeLessThan(3 * SECOND)
      expect((await createdOn(server, token))._id > changed._id).toBe(true)
      const again = await update(before._id, 2)
      expect(again.version).toBe(3)
      expect(String(again.updatedAt) >= String(changed.updatedAt)).toBe(true)
      expect(await faultsOf(site)).toEqual([])
      const { code, errors } = await server.end()
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
    } finally {
      await server.end()
      await site.remove()
    }
  },
)
