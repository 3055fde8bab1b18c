// Which servers may use one database at the same time, and how they find each other.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { additiveIn } from '#database/migrate.ts'
import { now } from '#lib/clock.ts'
import { readerOf } from '../crash.ts'
import { aBucket } from '../bucket.ts'
import { aPicture } from '../files.ts'
import { createDatabase, postgres, queryPostgres } from '../postgres.ts'
import { ADMIN } from '../crash.ts'
import { type Environment, freePort, launchServer, refusedStart, type Running, startServer } from '../process.ts'
import { aForm, appended, ask, metricsOf, settled, signIn, until } from './site.ts'

const root = mkdtempSync(join(tmpdir(), 'mokuroku-instances-'))
const account = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password }
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface About {
  instances: { host: string; version: string; schema: string; storage: string; isThis: boolean }[]
}
const aboutOf = async (server: Running) =>
  (await ask(server, await signIn(server), 'GET', '/api/settings/about')).body as unknown as About

const filesUnderWay = async (read: ReturnType<typeof readerOf>) =>
  (await read(`SELECT "_id" FROM "jobs" WHERE "kind" = 'assets.process'`)).length

test.runIf(!postgres)('the only server of an SQLite database lists itself as an instance', async () => {
  const server = await startServer({ DATA_DIR: join(root, 'alone'), ...account })
  expect((await aboutOf(server)).instances).toMatchObject([{ host: hostname(), storage: 'folder', isThis: true }])
  expect(await metricsOf(server)).toMatch(
    /^instances\{host=".+",version="[\d.]+",schema="\d{3}-.*",storage="folder"\} 1$/m,
  )
  await server.end()
})

describe.runIf(postgres)('several servers on one database', () => {
  const AUTH_SECRET = 'the secret that both of them share, 32'
  let url: string
  let bucket: Awaited<ReturnType<typeof aBucket>>
  beforeAll(async () => {
    bucket = await aBucket()
  })
  afterAll(() => bucket.stop())

  const envOf = (name: string, more: Environment = {}): Environment => ({
    DATA_DIR: join(root, name),
    DATABASE_URL: url,
    ...account,
    ...more,
  })
  const refusal = async (env: Environment) => {
    const { code, errors } = await refusedStart(env)
    expect(code).toBe(1)
    expect(errors.split('\n')).toHaveLength(2)
    return errors
  }

  test('loads the sample catalogue on one server only', async () => {
    url = await createDatabase(postgres ?? '')
    const shared = { AUTH_SECRET, ...bucket.env, SAMPLE_CATALOGUE: 'on' }
    const one = await startServer(envOf('sample one', shared))
    const two = await startServer(envOf('sample two', shared))
    const read = readerOf('', url)
    // Another server that loads it would be as far by then.
    await until('anime are loaded', async () => /^1000 of/m.test(one.output() + two.output()))
    expect(`${one.output()}${two.output()}`.match(/manga are ready/g)).toHaveLength(1)
    expect(await read(`SELECT "_id" FROM "jobs" WHERE "kind" = 'sample.load'`)).toEqual([{ _id: 'sample.load' }])
    const ended = await Promise.all([one.end(), two.end()])
    expect(ended).toMatchObject([{ code: 0 }, { code: 0 }])
    expect(`${one.output()}${two.output()}`).not.toContain('"level":50')
  })

  test('refuses a second server with local files or another secret, and accepts a matching one', async () => {
    url = await createDatabase(postgres ?? '')
    const shared = { AUTH_SECRET, ...bucket.env }
    const one = await startServer(envOf('one', shared))
    expect(await refusal(envOf('two', { AUTH_SECRET }))).toMatch(
      /^Mokuroku cannot start\. Servers cannot share assets that are kept in a folder, and the server on .+ uses the same database\. Set S3_BUCKET/,
    )
    expect(await refusal(envOf('two', { ...shared, AUTH_SECRET: 'x'.repeat(32) }))).toMatch(
      /AUTH_SECRET differs from that of the server on .+\(A server that was killed counts as stopped in ([12]?\d|3[0-5]) seconds\.\)$/m,
    )
    expect(await refusal(envOf('two', { ...bucket.env }))).toMatch(/AUTH_SECRET is not set, and the server on /)
    expect(await refusal(envOf('two', { ...shared, S3_ENDPOINT: 'http://127.0.0.1:9' }))).toMatch(
      /Set S3_BUCKET and S3_ENDPOINT to the same values on both\. /,
    )
    // Another spelling of the same address.
    const two = await startServer(envOf('two', { ...shared, S3_ENDPOINT: `${bucket.env.S3_ENDPOINT}/` }))
    const { instances } = await aboutOf(two)
    expect(instances.map(({ isThis }) => isThis)).toEqual([false, true])
    expect(instances[0]).toMatchObject({
      host: hostname(),
      storage: expect.stringMatching(/^bucket .+ at http/) as string,
    })
    expect(await metricsOf(one)).toMatch(/^instances\{.*storage="bucket"\} 2$/m)
    await two.end()
    expect((await aboutOf(one)).instances).toHaveLength(1)
    // After a kill, a server is recognized by its data folder, even with another configuration.
    await one.end('SIGKILL')
    const again = await startServer(envOf('one', { AUTH_SECRET: 'y'.repeat(32) }))
    expect((await aboutOf(again)).instances).toMatchObject([{ storage: 'folder' }])
    expect(await refusal(envOf('two', { ...shared, AUTH_SECRET: 'y'.repeat(32) }))).toMatch(/kept in a folder/)
    await again.end()
  })

  test('processes each uploaded file once, and takes over the files of a killed server', async () => {
    url = await createDatabase(postgres ?? '')
    const shared = { AUTH_SECRET, ...bucket.env }
    const [one, two] = [await startServer(envOf('first', shared)), await startServer(envOf('second', shared))]
    const token = await signIn(one)
    const read = readerOf('', url)
    const picture = await aPicture()
    const upload = (server: Running) => ask(server, token, 'POST', '/api/assets', aForm(picture, 'a.png'))
    const sent = await Promise.all([one, two, one, two, one, two].map(upload))
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 201))
    await settled({ read })
    await until('no job is left', async () => (await filesUnderWay(read)) === 0)
    const done = async (server: Running) =>
      Number(/^job_runs_total\{kind="assets\.process",outcome="done"\} (\d+)$/m.exec(await metricsOf(server))?.[1] ?? 0)
    await until('each was processed once', async () => (await done(one)) + (await done(two)) === sent.length)
    // The upload itself is stored, but none of the images rendered from it.
    bucket.fail({ kind: 'late', method: 'PUT', times: 1 }, { kind: 'silence', times: Infinity })
    const { body } = await upload(one)
    expect(body.status).not.toBe('READY')
    await one.end('SIGKILL')
    bucket.fail()
    await queryPostgres(url, `UPDATE "jobs" SET "leaseUntil" = '2020-01-01T00:00:00.000Z' WHERE "state" = 'running'`)
    const row = async () => (await read(`SELECT "status" FROM "assets" WHERE "_id" = '${body._id}'`))[0]
    await until('the other has processed it', async () => (await row())?.status === 'READY')
    await until('no job is left', async () => (await filesUnderWay(read)) === 0)
    await two.end()
  })

  test('counts rate limits across servers and restarts', async () => {
    url = await createDatabase(postgres ?? '')
    const shared = { AUTH_SECRET, ...bucket.env }
    const servers = [await startServer(envOf('left', shared)), await startServer(envOf('right', shared))] as const
    const attempts = async (times: number, path: string, body: unknown) => {
      const statuses = []
      for (let at = 0; at < times; at++)
        statuses.push((await ask(servers[at % 2 ? 1 : 0], undefined, 'POST', path, body)).status)
      return statuses
    }
    const repeated = (status: number, times: number) => Array.from({ length: times }, () => status)
    const wrong = { email: ADMIN.email, password: 'a wrong password' }
    expect(await attempts(13, '/api/auth/login', wrong)).toEqual([...repeated(401, 10), ...repeated(429, 3)])
    // Even with the right password, a sign-in has to wait.
    expect(await attempts(2, '/api/auth/login', ADMIN)).toEqual([429, 429])
    const link = { email: ADMIN.email }
    expect(await attempts(8, '/api/auth/forgot-password', link)).toEqual([...repeated(200, 5), ...repeated(429, 3)])
    const read = readerOf('', url)
    expect(JSON.stringify(await read('SELECT * FROM "limits"'))).not.toMatch(/admin|example|127\.0\.0\.1/)
    await Promise.all(servers.map((server) => server.end()))
    // A restart does not reset the limit.
    const again = await startServer(envOf('left', shared))
    expect((await ask(again, undefined, 'POST', '/api/auth/login', ADMIN)).status).toBe(429)
    await again.end()
    await queryPostgres(url, `UPDATE "limits" SET "endsAt" = '2020-01-01T00:00:00.000Z'`)
    const late = await startServer(envOf('left', shared))
    for (let at = 0; at < 3; at++)
      expect((await ask(late, undefined, 'POST', '/api/auth/login', wrong)).status).toBe(401)
    expect((await ask(late, undefined, 'POST', '/api/auth/login', ADMIN)).status).toBe(200)
    // A successful sign-in resets the failed attempts.
    for (let at = 0; at < 9; at++)
      expect((await ask(late, undefined, 'POST', '/api/auth/login', wrong)).status).toBe(401)
    await late.end()
  })

  test('completes an upload whose parts go to different servers exactly once, even if one is killed', async () => {
    url = await createDatabase(postgres ?? '')
    const shared = { AUTH_SECRET, ...bucket.env }
    const [one, two] = [await startServer(envOf('here', shared)), await startServer(envOf('there', shared))]
    const token = await signIn(one)
    const send = (to: Running, id: string, file: Buffer, from: number, end?: number) =>
      appended(to, token, id, file.subarray(0, end), file.length, from)
    const begin = async (size: number) =>
      (await ask(one, token, 'POST', '/api/uploads', { filename: 'a.png', size })).body._id
    const arrived = async (id: string) => (await ask(two, token, 'GET', `/api/uploads/${id}`)).body
    const files = await Promise.all(Array.from({ length: 10 }, (_, at) => aPicture(20 + at, 30)))
    await Promise.all(
      files.map(async (file) => {
        const id = await begin(file.length)
        expect((await send(one, id, file, 0, 20)).status).toBe(200)
        expect(await arrived(id)).toMatchObject({ offset: 20 })
        expect((await send(two, id, file, 20, 40)).status).toBe(200)
        // Both receive the rest at the same time, and at most two write it.
        const last = await Promise.all([one, two].map((to) => send(to, id, file, 40)))
        expect(last.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([])
        expect((await send(two, id, file, file.length - 1)).status).toBe(200)
      }),
    )
    const read = readerOf('', url)
    expect(await read('SELECT "contentHash" FROM "assets"')).toHaveLength(files.length)
    expect(new Set((await read('SELECT "contentHash" FROM "assets"')).map(({ contentHash }) => contentHash))).toEqual(
      new Set(files.map((file) => createHash('sha256').update(file).digest('hex'))),
    )

    const { _id: asset } = (await ask(one, token, 'POST', '/api/assets', aForm(await aPicture(), 'old.png'))).body
    const other = await aPicture(66, 67)
    const replacement = { filename: 'new.png', size: other.length, replaces: { _id: asset, version: 1 } }
    const replacing = (await ask(one, token, 'POST', '/api/uploads', replacement)).body._id
    expect((await send(one, replacing, other, 0, 20)).status).toBe(200)
    await Promise.all([one, two].map((to) => send(to, replacing, other, 20)))
    expect((await send(two, replacing, other, other.length - 1)).status).toBe(200)
    expect(await arrived(replacing)).toMatchObject({ asset: { _id: asset, version: 2, size: other.length } })

    const file = await aPicture(77, 78)
    // Cancelled on one server while the other one receives the last part.
    const gone = await begin(file.length)
    expect((await send(two, gone, file, 0, 20)).status).toBe(200)
    const part = request(`${one.url}/api/uploads/${gone}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/offset+octet-stream',
        'content-length': file.length - 20,
        'upload-offset': 20,
        expect: '100-continue',
      },
    })
    // Node continues before the server has looked at the upload: it may respond before all of the part has been sent.
    const response = once(part, 'response') as Promise<[IncomingMessage]>
    part.on('error', () => undefined)
    part.flushHeaders()
    await once(part, 'continue')
    part.write(file.subarray(20, 40))
    expect((await ask(two, token, 'DELETE', `/api/uploads/${gone}`)).status).toBe(200)
    part.end(file.subarray(40))
    const [answer] = await response
    answer.resume()
    expect(answer.statusCode).toBe(404)

    const id = await begin(file.length)
    expect((await send(one, id, file, 0, 20)).status).toBe(200)
    await one.end('SIGKILL')
    expect((await send(two, id, file, 20)).status).toBe(200)
    expect(await arrived(id)).toMatchObject({ offset: file.length, asset: { size: file.length } })
    await settled({ read })
    expect([...bucket.objects.keys()].filter((key) => key.endsWith('.part'))).toEqual([])
    expect(await read('SELECT * FROM "uploadParts"')).toEqual([])
    await two.end()
  })

  test('counts the open streams and exports of a user across servers, until they close or their server is gone', async () => {
    url = await createDatabase(postgres ?? '')
    const shared = { AUTH_SECRET, ...bucket.env }
    const [one, two] = [await startServer(envOf('here', shared)), await startServer(envOf('there', shared))]
    const headers = { authorization: `Bearer ${await signIn(one)}` }
    // Keep the responses: a stream is closed when its response is garbage-collected.
    const answers: Response[] = []
    const open = async (to: Running) => {
      const ending = new AbortController()
      const answer = await fetch(`${to.url}/api/notifications/stream`, { headers, signal: ending.signal })
      answers.push(answer)
      return { status: answer.status, close: () => ending.abort() }
    }
    // Opened in pairs, one on each server: the last slot is never given to both.
    const opened = []
    for (let pair = 0; pair < 6; pair++) opened.push(...(await Promise.all([open(one), open(two)])))
    expect(opened.map(({ status }) => status).toSorted((low, high) => low - high)).toEqual([
      ...Array<number>(10).fill(200),
      429,
      429,
    ])
    opened.find(({ status }) => status === 200)?.close()
    const free = (to: Running) => until('one may be opened again', async () => (await open(to)).status === 200)
    await free(two)
    expect((await open(one)).status).toBe(429)
    // Two exports that the first server is sending.
    const [name, first] = [
      `'exports ' || (SELECT "_id" FROM "users" WHERE "email" = '${ADMIN.email}')`,
      `(SELECT "_id" FROM "instances" ORDER BY "startedAt" LIMIT 1)`,
    ]
    await queryPostgres(url, `INSERT INTO "slots" VALUES ('a', ${name}, ${first}), ('b', ${name}, ${first})`)
    const exported = async () => (await fetch(`${two.url}/api/media/export?format=csv`, { headers })).status
    expect(await exported()).toBe(429)
    await one.end('SIGKILL')
    expect((await open(two)).status).toBe(429)
    await queryPostgres(
      url,
      `UPDATE "instances" SET "seenAt" = '2020-01-01T00:00:00.000Z' WHERE "_id" IN
      (SELECT "_id" FROM "instances" ORDER BY "startedAt" LIMIT 1)`,
    )
    await free(two)
    expect(await exported()).toBe(200)
    // A full disk keeps the slot from being stored, but nobody from exporting.
    await queryPostgres(
      url,
      `CREATE FUNCTION "fail"() RETURNS trigger LANGUAGE plpgsql
        AS $$BEGIN RAISE EXCEPTION 'No space left' USING ERRCODE = '53100'; END$$;
      CREATE TRIGGER "full" BEFORE INSERT ON "slots" EXECUTE FUNCTION "fail"()`,
    )
    expect([(await open(two)).status, await exported()]).toEqual([507, 200])
    await two.end()
    expect(answers.length).toBeGreaterThan(opened.length)
    // The remaining slots belong to the killed server, and no longer count.
    expect(await readerOf('', url)('SELECT DISTINCT "instanceId" FROM "slots"')).toHaveLength(1)
  })

  test('a server that is stopped during startup unregisters itself', async () => {
    url = await createDatabase(postgres ?? '')
    const shared = { AUTH_SECRET, ...bucket.env }
    await (await startServer(envOf('stopped', shared))).end()
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    // Blocks the next step of a start, after the server has been registered as an instance.
    await holder.query(`SELECT pg_advisory_lock(hashtextextended('settings', 0))`)
    const { child, ended } = launchServer(envOf('stopped', shared), await freePort())
    const living = () => readerOf('', url)('SELECT * FROM "instances"')
    await until('it is known to live', async () => (await living()).length === 1)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, errors: '' })
    expect(await living()).toEqual([])
    await holder.end()
  })

  // Concurrent, because each waits for a heartbeat.
  describe.concurrent('a server whose heartbeat was missing for too long', () => {
    const silence = (at: string) => queryPostgres(at, `UPDATE "instances" SET "seenAt" = '2026-01-01T00:00:00.000Z'`)

    test('continues if no conflicting server has started', async () => {
      const own = await createDatabase(postgres ?? '')
      const silent = await startServer(envOf('silent 1', { AUTH_SECRET, DATABASE_URL: own }))
      await silence(own)
      await until('it is heard of again', async () => (await aboutOf(silent)).instances.length === 1)
      expect(await silent.end()).toMatchObject({ code: 0 })
    })

    test('stops, and says why, if a conflicting server has started', async () => {
      const own = await createDatabase(postgres ?? '')
      const silent = await startServer(envOf('silent 2', { AUTH_SECRET, DATABASE_URL: own }))
      // It is stopped meanwhile: the other one's start may take longer than the time to its next heartbeat.
      process.kill(silent.pid ?? 0, 'SIGSTOP')
      await silence(own)
      const other = await startServer(envOf('other 2', { AUTH_SECRET, DATABASE_URL: own }))
      process.kill(silent.pid ?? 0, 'SIGCONT')
      const { code, errors } = await silent.ended
      expect(errors).toMatch(
        /^Mokuroku stops\. Servers cannot share assets that are kept in a folder, and the server on /,
      )
      expect(errors.split('\n')).toHaveLength(2)
      expect(code).toBe(1)
      expect((await aboutOf(other)).instances).toMatchObject([{ isThis: true }])
      await other.end()
    })

    test('stops if a copy of its machine has replaced its registration', async () => {
      const own = await createDatabase(postgres ?? '')
      const silent = await startServer(envOf('silent 3', { AUTH_SECRET, DATABASE_URL: own }))
      await queryPostgres(own, `UPDATE "instances" SET "_id" = 'another'`)
      const { code, errors } = await silent.ended
      expect(errors).toMatch(
        /^Mokuroku stops\. Servers cannot share assets that are kept in a folder, and the server on /,
      )
      expect(code).toBe(1)
    })

    test('stops if the database has been upgraded to a version that it cannot read', async () => {
      const own = await createDatabase(postgres ?? '')
      const silent = await startServer(envOf('silent 4', { AUTH_SECRET, DATABASE_URL: own }))
      // In this order: the first heartbeat after the silence is the only one that looks.
      await queryPostgres(own, `INSERT INTO "migrations" VALUES ('999-newer.sql', '', 0)`)
      await silence(own)
      const { code, errors } = await silent.ended
      expect([code, errors]).toEqual([
        1,
        'Mokuroku stops. The database was made by a newer version of Mokuroku (it has 999-newer.sql). Please upgrade.\n',
      ])
    })
  })

  test('refuses to upgrade the database if another server joins just before', async () => {
    url = await createDatabase(postgres ?? '')
    const shared = { AUTH_SECRET, ...bucket.env }
    await (await startServer(envOf('old', shared))).end()
    await queryPostgres(url, `DELETE FROM "migrations" WHERE "name" = '021-dashboard.sql'`)
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    // Takes the same lock as a server that joins (database/instances.ts).
    await holder.query('BEGIN; SELECT pg_advisory_xact_lock(20261121)')
    const upgrading = refusal(envOf('new', shared))
    const waits = `SELECT 1 FROM "pg_locks" WHERE "locktype" = 'advisory' AND NOT "granted"
      AND "database" = (SELECT "oid" FROM "pg_database" WHERE "datname" = current_database())`
    await until('it waits', async () => (await queryPostgres(url, waits)).length > 0)
    await holder.query(`INSERT INTO "instances" ("_id", "place", "host", "version", "schema", "secret", "storage", "startedAt", "seenAt")
      VALUES ('1', '1', 'remote', '0.0.1', '', '', '', '', '${now()}')`)
    await holder.query('COMMIT')
    expect(await upgrading).toMatch(/has to upgrade the database \(021-dashboard\.sql\), and the server on remote/)
    await holder.end()
  })

  test('refuses to start, and says why, if the database accepts no more connections', async () => {
    url = await createDatabase(postgres ?? '')
    const crowded = new URL(url)
    crowded.username = `few_${crowded.pathname.slice(-8)}`
    await queryPostgres(url, `CREATE ROLE "${crowded.username}" LOGIN CONNECTION LIMIT 0`)
    expect(await refusal(envOf('crowded', { DATABASE_URL: crowded.toString() }))).toBe(
      'Mokuroku cannot start. The database at DATABASE_URL has no free connections. Raise max_connections there, or the CONNECTION LIMIT of the user or database, or lower DATABASE_POOL.\n',
    )
    await queryPostgres(url, `DROP ROLE "${crowded.username}"`)
  })

  test('refuses to upgrade the database while a running server could not read it afterwards', async () => {
    url = await createDatabase(postgres ?? '')
    const shared = { AUTH_SECRET, ...bucket.env }
    const old = await startServer(envOf('old', shared))
    const breaking = '021-dashboard.sql'
    await queryPostgres(url, `DELETE FROM "migrations" WHERE "name" = '${breaking}'`)
    expect(await refusal(envOf('new', shared))).toMatch(
      /^Mokuroku cannot start\. This version has to upgrade the database \(021-dashboard\.sql\), and the server on .+ could not use it afterwards\. Stop all other servers.+\(A server that was killed counts as stopped in \d+ seconds\.\)/,
    )
    await queryPostgres(url, `INSERT INTO "migrations" ("name", "appliedAt") VALUES ('${breaking}', '')`)
    await (await startServer(envOf('new', shared))).end()
    await old.end()
    expect(await readerOf('', url)('SELECT * FROM "instances"')).toEqual([])
    expect(additiveIn('029-instances.sql')).toBe(true)
  })
})
