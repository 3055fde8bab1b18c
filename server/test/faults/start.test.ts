import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { ADMIN, readerOf } from '../crash.ts'
import { COUNTERS } from '../counters.ts'
import { createDatabase, postgres } from '../postgres.ts'
import { freePort, launchServer, startServer } from '../process.ts'
import { faultsOfFiles, rounds, settled, signIn, until } from './site.ts'

const root = mkdtempSync(join(tmpdir(), 'mokuroku-first-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A data folder that does not exist yet, and an empty database. */
async function nowhere(name: string) {
  const folder = join(root, name)
  const url = postgres && (await createDatabase(postgres))
  return { folder, env: { DATA_DIR: folder, DATABASE_URL: url }, read: readerOf(folder, url) }
}

const DATABASE = postgres ? [] : ['catalogue.sqlite', 'catalogue.sqlite-wal']
/** The files created by a first start, in order. */
const STEPS = ['', 'lock.sqlite', ...DATABASE, 'secret', 'files/incoming']
const FIRST = /The first administrator is (\S+) with the password (\S+) /g

test('recovers from a first start that was killed at any point', async () => {
  for (let each = 0; each < rounds(2); each++) {
    const { folder, env, read } = await nowhere(`killed-${each}`)
    let said = ''
    for (let kills = randomInt(1, 4); kills > 0; kills--) {
      const port = await freePort()
      const { child, ended, output } = launchServer(env, port)
      const step = STEPS[randomInt(STEPS.length)] ?? ''
      const deadline = performance.now() + 4000
      while (!existsSync(join(folder, step)) && performance.now() < deadline) await sleep(1)
      await sleep(randomInt(0, step ? 40 : 1500))
      child.kill('SIGKILL')
      const { errors } = await ended
      expect(errors).toBe('')
      said += output()
    }
    const server = await startServer(env)
    said += server.output()
    const [email = '', password = ''] = [...said.matchAll(FIRST)].at(-1)?.slice(1) ?? []
    await expect(signIn(server, { email, password })).resolves.toMatch(/./)
    const { code, errors } = await server.end()
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const count = async (table: string) => (await read(`SELECT "_id" FROM "${table}"`)).length
    expect([await count('users'), await count('tiers'), await count('settings')]).toEqual([1, 1, 1])
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toHaveLength(43)
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
    expect(existsSync(join(folder, 'secret.part'))).toBe(false)
  }
}, 600_000)

test('names the first administrator if only the password is given, and warns if it is easy to guess', async () => {
  const { env } = await nowhere('unnamed')
  const server = await startServer({ ...env, ADMIN_PASSWORD: 'password1' })
  expect(server.output()).toContain(
    'The first administrator is admin@mokuroku.local, with the password in ADMIN_PASSWORD\n',
  )
  await expect(signIn(server, { email: 'admin@mokuroku.local', password: 'password1' })).resolves.toMatch(/./)
  await expect.poll(server.output).toContain('ADMIN_PASSWORD is easy to guess.')
  await server.end()
})

test('continues to load the sample catalogue after a kill, with exact counters', async () => {
  const { env, read } = await nowhere('sample')
  const sample = { ...env, SAMPLE_CATALOGUE: 'on', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password }
  let before = 0
  for (let each = 0; each <= rounds(2); each++) {
    const server = await startServer(sample)
    const isLoaded = async () =>
      (await read(`SELECT 1 FROM "activities" WHERE "type" = 'CATALOGUE_IMPORTED'`)).length > 0
    const written = async () => Number((await read('SELECT COUNT(*) AS "n" FROM "revisions"'))[0]?.n)
    // All may be loaded by now.
    await until('more is loaded', async () => (await written()) > before || (await isLoaded()))
    await sleep(randomInt(0, 1500))
    const isLast = each === rounds(2)
    const { code, errors } = await server.end(isLast ? 'SIGTERM' : 'SIGKILL')
    expect({ code: isLast ? code : 0, errors }).toEqual({ code: 0, errors: '' })
    const output = server.output().replaceAll(/^(Mokuroku is ready|\d+ |The first|The sample).*\n/gm, '')
    expect(output).toBe('')
    const counters = new Map((await read(COUNTERS)).map(({ name, value }) => [name, value]))
    for (const [name, table] of Object.entries({ media: 'media', character: 'characters', tag: 'tags', user: 'users' }))
      expect([name, counters.get(`${name}Count`) ?? 0]).toEqual([
        name,
        (await read(`SELECT "_id" FROM "${table}" WHERE "deletedAt" IS NULL`)).length,
      ])
    before = await written()
    const twice = await read(
      'SELECT "entityId" FROM "revisions" GROUP BY "entityId", "version" HAVING COUNT(*) > 1 LIMIT 1',
    )
    expect(twice).toEqual([])
  }
  await settled({ read })
  expect((await faultsOfFiles({ env, read })).filter((fault) => !/lacks original-/.test(fault))).toEqual([])
}, 600_000)
