// A rolling upgrade: servers of the previous version are replaced one by one while people work.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startProxy } from '../../../bench/proxy.ts'
import { aBucket } from '../bucket.ts'
import { ADMIN, readerOf } from '../crash.ts'
import { mediaTitled } from '../factories.ts'
import { aPicture } from '../files.ts'
import { createDatabase, postgres } from '../postgres.ts'
import { previousVersion } from '../previous.ts'
import { type Environment, type Running, startServer } from '../process.ts'
import { aForm, appended, ask, signIn, until } from './site.ts'

const WORKERS = 4
/** How long people work with the current servers, in milliseconds. */
const WHILE_MS = 1500
const root = mkdtempSync(join(tmpdir(), 'mokuroku-upgrade-'))
const previous = postgres ? previousVersion() : undefined
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
  previous?.remove()
})

test.runIf(previous)('no request fails and no save is lost during a rolling upgrade', async () => {
  const bucket = await aBucket()
  const url = await createDatabase(postgres ?? '')
  const read = readerOf('', url)
  const envOf = (name: string): Environment => ({
    DATA_DIR: join(root, name),
    DATABASE_URL: url,
    AUTH_SECRET: 'the secret that all of them share, 32',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    SHUTDOWN_DELAY: '1',
    DATABASE_POOL: '4',
    ...bucket.env,
  })
  const applied = async () => (await read('SELECT "name" FROM "migrations" ORDER BY "name"')).map(({ name }) => name)
  const startOld = (name: string) => startServer(envOf(name), { main: previous?.main })
  const startNew = (name: string) => startServer(envOf(name))

  const first = await startOld('first')
  const second = await startOld('second')
  const before = await applied()
  const servers = [first, second]
  const proxy = await startProxy(servers)
  const site = { url: proxy.url } as Running
  const token = await signIn(site)
  const end = new AbortController()
  const working = Array.from({ length: WORKERS }, (_, at) => works(site, token, at, end.signal))
  const joins = async (starting: Promise<Running>) => {
    servers.push(await starting)
    await sleep(WHILE_MS)
  }
  try {
    await sleep(WHILE_MS)
    const third = startNew('third')
    await joins(third)
    await replacesFile({ old: second, current: await third, token })
    const all = readdirSync(MIGRATIONS).toSorted()
    expect([await applied(), all.length > before.length]).toEqual([all, true])
    // An old server may still restart.
    await leaves(first, servers)
    const again = startOld('first')
    await joins(again)
    await leaves(second, servers)
    await joins(startNew('fourth'))
    await leaves(await again, servers)
    await sleep(WHILE_MS)
  } finally {
    end.abort()
  }
  const done = await Promise.all(working)
  await proxy.close()
  expect(done.flatMap(({ failed }) => failed)).toEqual([])
  for (const { calls, saved } of done) {
    expect(calls).toBeGreaterThan(20)
    for (const [id, title] of saved)
      expect(await read(`SELECT "translations" FROM "media" WHERE "_id" = '${id}'`)).toEqual([
        { translations: expect.stringContaining(`"${title}"`) as string },
      ])
  }
  await Promise.all(servers.map((server) => server.end()))
  await bucket.stop()
})

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** Replaces a file in parts that arrive at both versions. An old server takes them, but makes no asset of the file. */
async function replacesFile({ old, current, token }: { old: Running; current: Running; token: string }) {
  const { _id, version } = (await ask(old, token, 'POST', '/api/assets', aForm(await aPicture(), 'old.png'))).body
  const file = await aPicture(50, 60)
  const body = { filename: 'new.png', size: file.length, replaces: { _id, version } }
  // The console then sends it whole (console/src/api/upload.ts).
  const unknown = { status: 400, body: { errors: [{ path: 'replaces' }] } }
  expect(await ask(old, token, 'POST', '/api/uploads', body)).toMatchObject(unknown)
  const { _id: id } = (await ask(current, token, 'POST', '/api/uploads', body)).body
  await appended(current, token, id, file.subarray(0, 40), 40)
  const last = await appended(old, token, id, file, file.length, 40)
  expect(last).toMatchObject({ status: 200, body: { offset: file.length } })
  expect(last.body).not.toHaveProperty('asset')
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(file.length) }
  const sendNothing = (to: Running) => ask(to, token, 'PATCH', `/api/uploads/${id}`, Buffer.alloc(0), headers)
  expect((await sendNothing(old)).body).not.toHaveProperty('asset')
  const replaced = {
    status: 200,
    body: { asset: { _id, version: version + 1, filename: 'old.png', size: file.length } },
  }
  for (const server of [current, old]) expect(await sendNothing(server)).toMatchObject(replaced)
}

/** Stops a server; the proxy sends it no more requests once it says that it stops. */
async function leaves(server: Running, servers: Running[]): Promise<void> {
  const ended = server.end()
  const isReady = async () => (await fetch(`${server.url}/readyz`).catch(() => undefined))?.status === 200
  await until('it says that it stops', async () => !(await isReady()))
  servers.splice(servers.indexOf(server), 1)
  expect((await ended).code).toBe(0)
}

/** Creates, saves, reads, lists, searches and uploads an image in turn; returns what failed, and what was saved. */
async function works(site: Running, token: string, worker: number, end: AbortSignal) {
  const [failed, saved]: [string[], Map<string, string>] = [[], new Map()]
  let calls = 0
  const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    calls++
    try {
      const answer = await ask(site, token, method, path, body, headers)
      if (answer.status < 300) return answer.body
      failed.push(`${method} ${path}: ${answer.status} ${answer.body.message}`)
    } catch (error) {
      failed.push(`${method} ${path}: ${String((error as Error).cause ?? error)}`)
    }
    return undefined
  }
  const picture = await aPicture()
  while (!end.aborted) {
    const name = `Upgraded ${worker} ${calls}`
    let media = await call('POST', '/api/media', mediaTitled(name))
    for (let at = 0; media && at < 5; at++) {
      const { _id, version } = media
      const title = `${name} ${at}`
      media = await call('PUT', `/api/media/${_id}`, mediaTitled(title), { 'if-match': `"${version}"` })
      if (media) saved.set(_id, title)
      await call('GET', `/api/media/${_id}`)
      await call('GET', '/api/media?sort=-updatedAt')
      await call('GET', `/api/search?q=${encodeURIComponent(name)}`)
    }
    await call('POST', '/api/assets', aForm(picture, 'a.png'))
  }
  return { failed, saved, calls }
}
