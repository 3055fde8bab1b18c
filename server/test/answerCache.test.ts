import { expect, onTestFinished, test } from 'vitest'
import { aBucket } from './bucket.ts'
import { aSite } from './crash.ts'
import { mediaTitled } from './factories.ts'
import { ask, signIn } from './faults/site.ts'
import { temporaryFolder } from './folder.ts'
import { postgres } from './postgres.ts'
import { type Environment, type Running, startServer } from './process.ts'

async function start(env: Environment): Promise<{ server: Running; token: string }> {
  const server = await startServer(env)
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return { server, token: await signIn(server) }
}

async function hits({ url }: Running): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^answer_cache_requests_total\{outcome="hit"\} (\d+)/m.exec(text)?.[1] ?? 0)
}

test('every server reads a save at once, despite its response cache', async () => {
  const site = await aSite(postgres)
  onTestFinished(site.remove)
  const bucket = await aBucket()
  onTestFinished(() => bucket.stop())
  const env = { ...site.env, ...bucket.env, AUTH_SECRET: 'x'.repeat(32) }
  const servers = [await start(env)]
  // Only PostgreSQL supports several servers.
  if (postgres) servers.push(await start({ ...env, DATA_DIR: temporaryFolder() }))
  const path = `/api/media/${site.shared}`
  const read = async ({ server, token }: (typeof servers)[number]) => {
    const get = (each: string) => fetch(server.url + each, { headers: { authorization: `Bearer ${token}` } })
    const answers = await Promise.all([path, '/api/media'].map(get))
    return Promise.all(answers.map((answer) => answer.text()))
  }
  for (let at = 0; at < 12; at++) {
    const writer = servers[at % servers.length] as (typeof servers)[number]
    expect((await ask(writer.server, writer.token, 'PUT', path, mediaTitled(`Edition ${at}.`))).status).toBe(200)
    for (const each of servers) {
      const isNew = expect.stringContaining(`Edition ${at}.`) as string
      expect(await read(each)).toEqual([isNew, isNew])
      expect(await read(each)).toEqual([isNew, isNew])
    }
  }
  // On PostgreSQL, other tests' writes to their own databases invalidate the cache as well.
  if (!postgres) expect(await hits(servers[0]?.server as Running)).toBeGreaterThan(10)
})

test('caches nothing if ANSWER_CACHE_MB is 0', async () => {
  const site = await aSite(postgres)
  onTestFinished(site.remove)
  const { server, token } = await start({ ...site.env, ANSWER_CACHE_MB: '0' })
  for (let at = 0; at < 3; at++) expect((await ask(server, token, 'GET', '/api/media')).status).toBe(200)
  expect(await hits(server)).toBe(0)
})
