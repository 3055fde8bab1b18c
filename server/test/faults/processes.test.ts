import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBucket } from '../bucket.ts'
import { aSite, faultsOf, readerOf, type Site } from '../crash.ts'
import { createDatabase, postgres } from '../postgres.ts'
import { mediaInput } from '../factories.ts'
import { freePort, launch, launchServer, ready, type Running, startServer } from '../process.ts'
import { repeated } from '../repeated.ts'
import { listen } from '../stream.ts'
import { ask, signIn } from './site.ts'

const ADMIN_COMMANDS = join(import.meta.dirname, '../../dist/admin.js')
const root = mkdtempSync(join(tmpdir(), 'mokuroku-two-'))
let site: Site

beforeAll(async () => {
  site = await aSite(postgres)
})
afterAll(async () => {
  await site.remove()
  rmSync(root, { recursive: true, force: true })
})

const running = async (): Promise<Running> => (site.server ??= await startServer(site.env))

test('of three servers started at once on one data folder, one serves and two are refused', async () => {
  await site.server?.end()
  const ports = [await freePort(), await freePort(), await freePort()]
  const all = ports.map((port) => launchServer(site.env, port))
  const ends = await Promise.all(
    all.map(({ child, ended }) => Promise.race([ready(child, ended, 'is ready on').catch(() => ended), ended])),
  )
  const refused = ends.filter((end) => end !== undefined)
  expect(refused.map(({ code }) => code)).toEqual([1, 1])
  for (const { errors } of refused)
    expect(errors).toBe(
      `Mokuroku cannot start. The data folder ${site.env.DATA_DIR} is in use by another process. ` +
        'Stop it, or set DATA_DIR to another folder.\n',
    )
  const one = all[ends.indexOf(undefined)]
  one?.child.kill('SIGKILL')
  await one?.ended
  // The operating system releases the lock with the process; no process id is stored that another process could get.
  site.server = await startServer(site.env)
  expect((await ask(site.server, undefined, 'GET', '/readyz')).status).toBe(200)
})

test('admin commands succeed beside a running server, and no save fails meanwhile', async () => {
  const server = await running()
  const token = await signIn(server)
  const { _id } = (await ask(server, token, 'POST', '/api/media', mediaInput())).body
  const statuses = new Map<number, number>()
  const stopSaving = repeated(4, async () => {
    const { status } = await ask(server, token, 'PUT', `/api/media/${_id}`, mediaInput())
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  })
  const command = (...words: string[]) => launch(ADMIN_COMMANDS, site.env, [], { words }).ended
  const ends = await Promise.all([command('search'), command('purge'), command('password', 'admin@example.org')])
  await stopSaving()
  expect(ends.map(({ code, errors }) => ({ code, errors }))).toEqual(ends.map(() => ({ code: 0, errors: '' })))
  // The new password has ended the session; until then, no request was refused.
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 401)).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(0)
  expect(await faultsOf(site)).toEqual([])
})

describe.runIf(postgres)('two servers on one database', () => {
  const AUTH_SECRET = 'the secret that both of them share, 32'

  const hears = async ({ url }: Running) =>
    /^announcements_listening (\d)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]

  /**
   * Two users who edit the same entity on different servers see each other, and each other's saves, until one leaves.
   */
  async function editTogether([one, two]: [Running, Running], token: string, entityId: string) {
    const account = { username: 'colleague', email: 'colleague@example.org', password: 'a good password' }
    await ask(one, token, 'POST', '/api/users', { ...account, role: 'moderator' })
    const colleague = await signIn(two, account)
    const path = `/api/notifications/stream?entityType=Media&entityId=${entityId}`
    const here = await listen(one.url + path, token)
    const next = async (name: string) => {
      let event = await here.next()
      while (event && event.event !== name) event = await here.next()
      return event?.data
    }
    const { translations } = (await ask(one, token, 'GET', `/api/media/${entityId}`)).body
    const { version } = (await next('version')) as { version: number }
    const there = await listen(two.url + path, colleague)
    expect(await next('editors')).toMatchObject({ count: 1, people: [{ username: 'colleague' }] })
    await ask(two, colleague, 'PUT', `/api/media/${entityId}`, { ...mediaInput({ episodes: 7 }), translations })
    expect(await next('version')).toEqual({ entityId, version: version + 1 })
    there.close()
    expect(await next('editors')).toMatchObject({ count: 0 })
    here.close()
  }

  test('create one administrator when they start together, and share sessions and streams', async () => {
    const url = await createDatabase(postgres ?? '')
    const bucket = await aBucket()
    const shared = { DATABASE_URL: url, AUTH_SECRET, ...bucket.env }
    const envs = ['one', 'two'].map((name) => ({ ...shared, DATA_DIR: join(root, name) }))
    const servers = await Promise.all(envs.map((env) => startServer(env)))
    try {
      const [one, two] = servers as [Running, Running]
      const read = readerOf('', url)
      expect(await read('SELECT "_id" FROM "users"')).toHaveLength(1)
      expect(await read('SELECT "_id" FROM "tiers"')).toHaveLength(1)
      expect(await read('SELECT "_id" FROM "settings"')).toHaveLength(1)
      const said = servers.map((each) => each.output()).join('')
      const made = [...said.matchAll(/The first administrator is (\S+) with the password (\S+) /g)]
      expect(made).toHaveLength(1)
      const [, email = '', password = ''] = made[0] ?? []
      const token = await signIn(one, { email, password })
      for (const server of servers) await expect.poll(() => hears(server)).toBe('1')
      const bell = await listen(`${two.url}/api/notifications/stream`, token)
      const { _id } = (await ask(one, token, 'POST', '/api/media', mediaInput())).body
      const texts = [{ id: _id, translations: { en: { title: 'Told at the other', description: '' } } }]
      await ask(one, token, 'PUT', '/api/translations/media/batch', texts)
      for (let event = await bell.next(); event?.event !== 'notification'; event = await bell.next())
        expect(event).toBeDefined()
      bell.close()
      await editTogether([one, two], token, _id)
      // After losing its connection, a server polls until it can listen again.
      const listeners = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'mokuroku listener'`
      const cut = (await read(`SELECT pid, pg_terminate_backend(pid) ${listeners}`)).map(({ pid }) => pid)
      expect(cut).toHaveLength(2)
      const others = `SELECT pid ${listeners} AND pid NOT IN (${cut.join()})`
      await expect.poll(async () => [(await read(others)).length, await hears(two)]).toEqual([2, '1'])
      expect((await ask(two, token, 'GET', `/api/media/${_id}`)).body.translations).toMatchObject({
        en: { title: 'Told at the other' },
      })
      await ask(two, token, 'POST', '/api/auth/logout')
      expect((await ask(one, token, 'GET', '/api/auth/verify')).status).toBe(401)
    } finally {
      const ends = await Promise.all(servers.map((server) => server.end()))
      await bucket.stop()
      expect(ends.map(({ code, errors }) => ({ code, errors }))).toEqual(ends.map(() => ({ code: 0, errors: '' })))
    }
    expect(existsSync(join(root, 'one', 'secret'))).toBe(false)
  })
})
