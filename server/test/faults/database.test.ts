import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { aSite, faultsOf, type Site } from '../crash.ts'
import { mediaInput } from '../factories.ts'
import { aPicture } from '../files.ts'
import { postgres } from '../postgres.ts'
import { freePort, launchServer, ready, refusedStart, type Running, startServer } from '../process.ts'
import { listen } from '../stream.ts'
import { aProxy } from './proxy.ts'
import { WAITING } from '../waiting.ts'
import { aForm, ask, faultsOfFiles, rounds, settled, signIn, until } from './site.ts'

const GONE = {
  status: 503,
  body: { code: 'unavailable', message: 'The database is unavailable.' },
}

describe.runIf(postgres)('when the database is unavailable', () => {
  let site: Site
  let proxy: Awaited<ReturnType<typeof aProxy>>
  let env: Site['env']
  let server: Running
  let token: string
  const promised = new Map<string, string>()

  beforeAll(async () => {
    site = await aSite(postgres)
    proxy = await aProxy(site.env.DATABASE_URL ?? '')
    env = { ...site.env, DATABASE_URL: proxy.url, LOG_LEVEL: 'silent' }
    server = await startServer(env)
    token = await signIn(server)
  })
  // A failed test may have left the database unavailable.
  beforeEach(async () => {
    proxy.pass()
    await proxy.up()
    await until('it is ready', isReady)
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    await proxy.down()
    await site.remove()
  })

  const save = async (title: string) => {
    const answer = await ask(server, token, 'POST', '/api/media', mediaInput({ translations: texts(title) }))
    if (answer.status === 201) promised.set(answer.body._id, title)
    return answer
  }
  const texts = (title: string) => ({ en: { title, description: '' } })
  const isReady = async () => (await ask(server, undefined, 'GET', '/readyz')).status === 200
  /** Works repeatedly, `times` in parallel, until stopped. */
  const working = (times: number, work: (name: string) => ReturnType<typeof ask>) => {
    const [stop, statuses] = [new AbortController(), [] as number[]]
    const worker = async (_: unknown, at: number) => {
      for (let each = 1; !stop.signal.aborted; each++) statuses.push((await work(`${at} ${each}`)).status)
    }
    const workers = Promise.all(Array.from({ length: times }, worker))
    const end = async () => {
      stop.abort()
      await workers
      return new Set(statuses)
    }
    onTestFinished(async () => void (await end()))
    return {
      /** Waits for another response with this status. */
      got: (status: number) => {
        const before = statuses.length
        return until(`a response with ${status}`, async () => statuses.includes(status, before))
      },
      /** Stops, and returns the statuses of all responses. */
      end,
    }
  }
  const saving = () => working(6, save)
  const uploading = async () => {
    const picture = await aPicture(300, 200)
    return working(1, () => ask(server, token, 'POST', '/api/assets', aForm(picture, 'a.png')))
  }
  /** Everything acknowledged is stored, and nothing is incomplete. */
  const expectKept = async () => {
    const rows = await site.read('SELECT "_id", "translations" FROM "media"')
    const kept = new Map(rows.map(({ _id, translations }) => [String(_id), String(translations)]))
    for (const [id, title] of promised) expect(JSON.parse(kept.get(id) ?? '{}')).toEqual(texts(title))
    expect(await faultsOf(site)).toEqual([])
  }

  test('answers 503 at once, loses no acknowledged save, and recovers by itself', async () => {
    const bell = await listen(`${server.url}/api/notifications/stream`, token)
    onTestFinished(bell.close)
    await bell.next()
    const saves = saving()
    await saves.got(201)
    await proxy.down()
    const asked = performance.now()
    expect(await ask(server, token, 'GET', '/api/media')).toMatchObject(GONE)
    for (let tries = 0; tries < 12; tries++)
      expect(
        await ask(server, undefined, 'POST', '/api/auth/login', { email: 'a@example.org', password: 'no' }),
      ).toMatchObject(GONE)
    // If each waited for as long as a connection attempt may take, that would be two minutes.
    expect(performance.now() - asked).toBeLessThan(60_000)
    expect((await ask(server, undefined, 'GET', '/readyz')).status).toBe(503)
    expect((await ask(server, undefined, 'GET', '/healthz')).status).toBe(200)
    await sleep(rounds(1) * 1000)
    await saves.got(503)
    await proxy.up()
    await until('it is ready', isReady)
    expect((await save('first again')).status).toBe(201)
    await saves.got(201)
    expect(await saves.end()).toEqual(new Set([201, 503]))
    // Attempts that the server could not check did not lock anybody out.
    const wrong = await ask(server, undefined, 'POST', '/api/auth/login', { email: 'a@example.org', password: 'no' })
    expect(wrong.status).toBe(401)
    const [id = ''] = promised.keys()
    await ask(server, token, 'PUT', '/api/translations/media/batch', [{ id, translations: texts('told') }])
    promised.set(id, 'told')
    for (let event = await bell.next(); event?.event !== 'notification'; event = await bell.next())
      expect(event).toBeDefined()
    await expectKept()
  })

  test('reports the database as unavailable, not the server as busy, even if the pool is exhausted', async () => {
    const other = await aSite(postgres)
    onTestFinished(other.remove)
    const between = await aProxy(other.env.DATABASE_URL ?? '')
    const small = await startServer({
      ...other.env,
      DATABASE_URL: between.url,
      DATABASE_POOL: '2',
      LOG_LEVEL: 'silent',
    })
    onTestFinished(async () => void (await small.end('SIGKILL')))
    const own = await signIn(small)
    const calls = Array.from({ length: 40 }, () => ask(small, own, 'GET', '/api/media'))
    await Promise.race(calls)
    await between.down()
    const answers = [...(await Promise.all(calls)), await ask(small, own, 'GET', '/api/media')]
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) expect(answer).toMatchObject(GONE)
  })

  test('times out on a database that hangs, and recovers when it responds again', async () => {
    const saves = saving()
    await saves.got(201)
    proxy.hang()
    let answered = 0
    const calls = Array.from({ length: 20 }, () =>
      ask(server, token, 'GET', '/api/media').finally(() => (answered += 1)),
    )
    // The check does not wait for as long as a call.
    expect([await isReady(), answered]).toEqual([false, 0])
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject(GONE)
    proxy.pass()
    await until('it is ready', isReady)
    expect((await save('after the silence')).status).toBe(201)
    expect([...(await saves.end())].filter((status) => status !== 201 && status !== 503)).toEqual([])
    await expectKept()
  })

  test('survives repeatedly dropped connections, and loses no acknowledged save', async () => {
    const all = [saving(), await uploading()]
    const name = new URL(proxy.url).pathname.slice(1)
    for (let each = 0; each < rounds(6); each++) {
      await sleep(120)
      await site.read(`SELECT pg_terminate_backend("pid") FROM "pg_stat_activity"
        WHERE "datname" = '${name}' AND "pid" <> pg_backend_pid()`)
    }
    for (const each of all) await each.got(201)
    const statuses = await Promise.all(all.map(({ end }) => end()))
    expect(statuses.flatMap((each) => [...each]).filter((status) => status !== 201 && status !== 503)).toEqual([])
    await expectKept()
  })

  test.each([
    [
      'connection is dropped',
      (client: pg.Client) => client.query(`SELECT pg_terminate_backend("pid") FROM (${WAITING}) AS "those"`),
    ],
    [
      'is down for some seconds',
      async () => {
        await proxy.down()
        await sleep(3200)
        await proxy.up()
      },
    ],
  ])('finishes rebuilding the search index if the database %s', async (_, interrupt) => {
    const indexState = async () => (await ask(server, token, 'GET', '/api/search/index')).body
    await until('nothing is rebuilt', async () => !(await indexState()).isRunning)
    const { rebuiltAt } = await indexState()
    const client = new pg.Client({ connectionString: site.env.DATABASE_URL })
    await client.connect()
    client.on('error', () => undefined)
    onTestFinished(() => client.end().catch(() => undefined))
    await client.query('BEGIN; LOCK TABLE "labels" IN ACCESS EXCLUSIVE MODE')
    expect((await ask(server, token, 'POST', '/api/search/index')).status).toBeLessThan(300)
    await until('the rebuild waits', async () => ((await client.query(WAITING)).rowCount ?? 0) > 0)
    await interrupt(client)
    await client.query('COMMIT')
    await client.end()
    await until('the index is whole', async () => {
      const { body } = await ask(server, token, 'GET', '/api/search/index')
      return body.status === 'ready' && body.rebuiltAt !== rebuiltAt
    })
    await expectKept()
  })

  describe('if the connection is lost during a commit that succeeds', () => {
    /** Makes the commit of an insert into `table` wait until `release`, as for a synchronous standby. */
    const heldCommits = async (table: string) => {
      const client = new pg.Client({ connectionString: site.env.DATABASE_URL })
      await client.connect()
      await client.query(`SELECT pg_advisory_lock(1);
        CREATE FUNCTION "hold"() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER "hold" AFTER INSERT ON "${table}" DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION "hold"()`)
      onTestFinished(async () => {
        await client.query('DROP FUNCTION "hold" CASCADE')
        await client.end()
      })
      return {
        reached: () => until('a commit waits', async () => ((await client.query(WAITING)).rowCount ?? 0) > 0),
        release: () => client.query('SELECT pg_advisory_unlock(1)'),
      }
    }
    /** Makes a call whose commit succeeds without the server getting its answer. */
    const committedUnheard = async (table: string, call: () => ReturnType<typeof ask>) => {
      const commits = await heldCommits(table)
      const answer = call()
      await commits.reached()
      proxy.cut()
      // Before the commit succeeds, the server may look for what it wrote.
      await sleep(500)
      await commits.release()
      expect(await answer).toMatchObject(GONE)
    }

    test.each(['read committed', 'serializable'])('the slot of an event stream is released (%s)', async (isolation) => {
      const name = new URL(proxy.url).pathname.slice(1)
      await site.write(`ALTER DATABASE "${name}" SET default_transaction_isolation = '${isolation}'`)
      // New connections have the new isolation level.
      onTestFinished(async () => {
        await site.write(`ALTER DATABASE "${name}" RESET default_transaction_isolation`)
        proxy.cut()
      })
      proxy.cut()
      await until('it is ready', isReady)
      await committedUnheard('slots', () => ask(server, token, 'GET', '/api/notifications/stream'))
      await until('no slot is taken', async () => (await site.read('SELECT "_id" FROM "slots"')).length === 0)
    })

    test('the file of an asset is kept', async () => {
      const picture = await aPicture(200, 100)
      await committedUnheard('assets', () => ask(server, token, 'POST', '/api/assets', aForm(picture, 'a.png')))
      await settled(site)
      await until('nothing is left to tidy', async () => (await faultsOfFiles(site)).length === 0)
    })
  })

  test('a start waits for the database if told to, stops at once meanwhile, and becomes ready by itself', async () => {
    const other = await aSite(postgres)
    onTestFinished(other.remove)
    const between = await aProxy(other.env.DATABASE_URL ?? '')
    onTestFinished(between.down)
    await between.down()
    const waiting = async () => {
      const start = launchServer({ ...other.env, DATABASE_URL: between.url, DATABASE_WAIT: '60' }, await freePort())
      await ready(start.child, start.ended, 'Trying again for up to 60 seconds.')
      const stop = () => (start.child.kill('SIGTERM'), start.ended)
      return { ...start, stop }
    }
    expect(await (await waiting()).stop()).toMatchObject({ code: 0, errors: '' })
    const start = await waiting()
    await sleep(2500)
    await between.up()
    await ready(start.child, start.ended, 'is ready on')
    expect(start.output().match(/is not available yet/g)).toHaveLength(1)
    expect(await start.stop()).toMatchObject({ code: 0, errors: '' })
    // A database that answers is not waited for.
    const refused = await refusedStart({ ...other.env, DATABASE_URL: `${between.url}-none`, DATABASE_WAIT: '60' })
    expect(refused.errors).toMatch(/^Mokuroku cannot start\. The database named in DATABASE_URL does not exist\./)
  })

  test('stops in time while the database hangs, and says why it cannot start', async () => {
    proxy.hang()
    // A shutdown that takes too long ends with an error. The server checks once more whether the database responds, and
    // waits for no statement after that.
    const [{ code, errors }, start] = await Promise.all([
      server.end(),
      refusedStart({ ...env, DATA_DIR: `${env.DATA_DIR}-other` }),
    ])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(start).toMatchObject({
      code: 1,
      errors: 'Mokuroku cannot start. The database at DATABASE_URL cannot be reached. Is it running?\n',
    })
    proxy.pass()
    server = await startServer(env)
    expect((await save('at last')).status).toBe(201)
    await expectKept()
    // Includes what was uploaded while connections were lost.
    await settled(site)
    expect(await faultsOfFiles(site)).toEqual([])
  })
})
