import { newTag } from '@mokuroku/contract/tags'
import { expect, onTestFinished, test } from 'vitest'
import { aSite, faultsOf } from './crash.ts'
import { ask, signIn } from './faults/site.ts'
import { mediaInput } from './factories.ts'
import { placesOfFile } from './instances.ts'
import { operator } from './operator.ts'
import { postgres } from './postgres.ts'
import { startServer } from './process.ts'

const [WRITERS, ROUNDS] = [8, 12]
const somewhere = placesOfFile()

async function serverWith(isolation: string) {
  const site = await aSite(postgres)
  onTestFinished(site.remove)
  const name = new URL(site.env.DATABASE_URL ?? '').pathname.slice(1)
  await site.write(`ALTER DATABASE "${name}" SET default_transaction_isolation = '${isolation}'`)
  const server = await startServer({ ...site.env, LOG_LEVEL: 'silent' })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return { site, server, token: await signIn(server) }
}

// Databases that only support serializable isolation behave like this: concurrent transactions on the same rows fail
// with 40001.
test.runIf(postgres)(
  'retries serialization failures so that almost no call fails, and leaves no partial writes',
  async () => {
    const { site, server, token } = await serverWith('serializable')
    const statuses: number[] = []
    const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
      const answer = await ask(server, token, method, path, body, headers)
      statuses.push(answer.status)
      return answer.body
    }
    const writer = async (own: number) => {
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
    const failed = statuses.filter((status) => status >= 400)
    expect(statuses.length).toBe(WRITERS * (1 + 4 * ROUNDS))
    expect(failed.length / statuses.length).toBeLessThan(0.01)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(Number(/^database_transaction_retries_total\{code="40001"\} (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0)
    expect(await faultsOf(site)).toEqual([])
  },
  120_000,
)

test.runIf(postgres).each(['read committed', 'repeatable read', 'serializable'])(
  'reads current data after taking a lock when the default isolation level is %s',
  async (isolation) => {
    const { site, server, token } = await serverWith(isolation)
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
