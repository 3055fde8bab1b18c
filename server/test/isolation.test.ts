import { newTag } from '@mokuroku/contract/tags'
import { expect, onTestFinished, test } from 'vitest'
import { aBucket } from './bucket.ts'
import { aSite, faultsOf } from './crash.ts'
import { ask, signIn } from './faults/site.ts'
import { mediaInput } from './factories.ts'
import { placesOfFile } from './instances.ts'
import { operator } from './operator.ts'
import { postgres } from './postgres.ts'
import { type Running, startServer } from './process.ts'

const [WRITERS, ROUNDS] = [16, 6]
const somewhere = placesOfFile()

async function serversWith(isolation: string, folders: (string | undefined)[] = []) {
  const site = await aSite(postgres)
  onTestFinished(site.remove)
  const name = new URL(site.env.DATABASE_URL ?? '').pathname.slice(1)
  await site.write(`ALTER DATABASE "${name}" SET default_transaction_isolation = '${isolation}'`)
  const bucket = await aBucket()
  onTestFinished(() => bucket.stop())
  const env = { ...site.env, ...bucket.env, AUTH_SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' }
  const start = async (folder = site.env.DATA_DIR) => {
    const started = await startServer({ ...env, DATA_DIR: folder })
    onTestFinished(async () => void (await started.end('SIGKILL')))
    return started
  }
  const server = await start()
  const others: Running[] = []
  for (const folder of folders) others.push(await start(folder))
  return { site, server, others, token: await signIn(server) }
}

// Databases that only support serializable isolation behave like this: concurrent transactions on the same rows fail
// with 40001.
test.runIf(postgres)(
  'three servers retry serialization failures so that almost no call fails, and leave no partial writes',
  async () => {
    const folders = [(await somewhere()).folder, (await somewhere()).folder]
    const { site, server, others, token } = await serversWith('serializable', folders)
    const servers = [server, ...others]
    const statuses: { method: string; status: number }[] = []
    const writer = async (own: number) => {
      const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
        const answer = await ask(servers[own % servers.length] ?? server, token, method, path, body, headers)
        statuses.push({ method, status: answer.status })
        return answer.body
      }
      const input = mediaInput({ tags: site.tags })
      let { _id: id, version } = await call('POST', '/api/media', input)
      for (let round = 0; round < ROUNDS; round += 1) {
        const translations = { en: { title: `of ${own}, ${round}`, description: '' } }
        const saved = await call('PUT', `/api/media/${id}`, { ...input, translations }, { 'if-match': `"${version}"` })
        if (saved.version) version = saved.version
        await call('GET', '/api/media')
        await call('GET', `/api/search?q=of%20${own}`)
        await call('GET', `/api/media/${id}`)
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, own) => writer(own)))
    const failed = statuses.filter(({ method, status }) => method !== 'GET' && status >= 400)
    expect(statuses.length).toBe(WRITERS * (1 + 4 * ROUNDS))
    // Of the writes alone.
    expect(failed.length / (WRITERS * (1 + ROUNDS))).toBeLessThan(0.01)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(Number(/^database_transaction_retries_total\{code="40001"\} (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0)
    expect(await faultsOf(site)).toEqual([])
  },
)

test.runIf(postgres).each(['read committed', 'repeatable read', 'serializable'])(
  'reads current data after taking a lock when the default isolation level is %s',
  async (isolation) => {
    const { site, server, token } = await serversWith(isolation)
    const tag = (name: string) => ({ ...newTag(), translations: { en: { name, description: '' } } })
    const create = async (name: string): Promise<string> =>
      (await ask(server, token, 'POST', '/api/tags', tag(name))).body._id
    const below = async (id: string, parentTag: string) =>
      (await ask(server, token, 'PUT', `/api/tags/${id}`, { ...tag(id), parentTag })).status
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, two] = await Promise.all([create(`one ${round}`), create(`two ${round}`)])
      expect((await Promise.all([below(one, two), below(two, one)])).toSorted()).toEqual([200, 400])
    }
    expect(await faultsOf(site)).toEqual([])
  },
)

test.runIf(postgres)(
  'two processes build a new database at the same time when everything is serializable',
  async () => {
    const [{ env, url, sql }, other] = [await somewhere(), await somewhere()]
    const name = new URL(url ?? '').pathname.slice(1)
    await sql(`ALTER DATABASE "${name}" SET default_transaction_isolation = 'serializable'`)
    const both = await Promise.all([
      operator({ env }, ['admin', 'one@example.org']),
      operator({ env: { ...env, DATA_DIR: other.folder } }, ['admin', 'two@example.org']),
    ])
    const well = { code: 0, errors: '', output: expect.stringMatching(/^Created the administrator .+$/) }
    expect(both).toEqual([well, well])
  },
)
