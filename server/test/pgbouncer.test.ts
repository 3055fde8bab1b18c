// Two servers on one PostgreSQL database, behind a real PgBouncer in transaction mode.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@mokuroku/contract/auth'
import { expect, onTestFinished, test } from 'vitest'
import { aBucket } from './bucket.ts'
import { ADMIN, aSite, faultsOf } from './crash.ts'
import { mediaTitled } from './factories.ts'
import { ask, signIn, until } from './faults/site.ts'
import { findPgBouncer, startPgBouncer } from './pgbouncer.ts'
import { postgres } from './postgres.ts'
import { refusedStart, type Running, startServer } from './process.ts'
import { listen } from './stream.ts'

const program = postgres ? findPgBouncer() : undefined
const WRITERS = 6
const EDITS = 3
/** Fewer connections than the two servers use. */
const CONNECTIONS = 4

/** Two servers that share a database through PgBouncer, and a bucket. */
async function aPairBehindPgBouncer(path: string) {
  const site = await aSite(postgres)
  onTestFinished(site.remove)
  const pooler = await startPgBouncer(path, site.env.DATABASE_URL ?? '', CONNECTIONS)
  onTestFinished(pooler.remove)
  const bucket = await aBucket()
  onTestFinished(() => bucket.stop())
  const other = mkdtempSync(join(tmpdir(), 'mokuroku-other-'))
  onTestFinished(() => rmSync(other, { recursive: true, force: true }))
  const env = {
    ...site.env,
    ...bucket.env,
    AUTH_SECRET: 'x'.repeat(32),
    DATABASE_URL: pooler.url,
    DATABASE_POOL: '4',
    LOG_LEVEL: 'silent',
  }
  const servers: Running[] = []
  for (const each of [env, { ...env, DATA_DIR: other }]) {
    const server = await startServer(each)
    onTestFinished(async () => void (await server.end('SIGKILL')))
    servers.push(server)
  }
  const [one, two] = servers as [Running, Running]
  return { site, pooler, one, two, token: await signIn(one) }
}

test.runIf(program)('two servers work together through PgBouncer, and recover after it crashes', async () => {
  const { site, pooler, one, two, token } = await aPairBehindPgBouncer(program ?? '')
  const at = (turn: number) => (turn % 2 === 0 ? one : two)

  // Each edits what the other server saved; of two edits of the same version, one is refused.
  const edited = await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const { status, body } = await ask(at(writer), token, 'POST', '/api/media', mediaTitled(`First ${writer}`))
      expect(status).toBe(201)
      let title = ''
      for (let edit = 1; edit <= EDITS; edit += 1) {
        const save = (server: Running, by: string) =>
          ask(server, token, 'PUT', `/api/media/${body._id}`, mediaTitled(`Edit ${edit} of ${writer} ${by}`), {
            'if-match': `"${edit}"`,
          })
        const answers = await Promise.all([save(one, 'here'), save(two, 'there')])
        expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 412]))
        title = answers[0].status === 200 ? `Edit ${edit} of ${writer} here` : `Edit ${edit} of ${writer} there`
      }
      return { id: body._id, title }
    }),
  )
  for (const [writer, { id, title }] of edited.entries()) {
    const { body } = await ask(at(writer), token, 'GET', `/api/media/${id}`)
    expect(body).toMatchObject({ version: EDITS + 1, translations: { en: { title } } })
    const found = await ask(at(writer), token, 'GET', `/api/search?q=${encodeURIComponent(title)}`)
    expect(JSON.stringify(found.body)).toContain(id)
  }

  // Announcements do not pass a pooler, so the other server's stream polls.
  const stream = await listen(`${two.url}/api/notifications/stream`, token)
  onTestFinished(stream.close)
  expect(await stream.next()).toMatchObject({ event: 'unread', data: { unread: 0 } })
  const from = { 'user-agent': 'Mozilla/5.0 (another computer) Firefox/150.0' }
  expect((await ask(one, undefined, 'POST', authApi.login.path, ADMIN, from)).status).toBe(200)
  expect(await stream.next()).toMatchObject({ event: 'notification', data: { kind: 'NEW_SIGN_IN' } })

  await pooler.kill()
  const path = `/api/media/${edited[0]?.id}`
  expect((await ask(one, token, 'GET', path)).status).toBe(503)
  expect((await ask(two, token, 'PUT', path, mediaTitled('Nobody takes it'))).status).toBe(503)
  await pooler.start()
  for (const server of [one, two])
    await until('calls are answered again', async () => (await ask(server, token, 'GET', path)).status === 200)
  const { status, body } = await ask(two, token, 'PUT', path, mediaTitled('Afterwards'))
  expect({ status, version: body.version }).toEqual({ status: 200, version: EDITS + 2 })
  expect(await faultsOf(site)).toEqual([])
})

test.runIf(program)('a start passes on why PgBouncer gives no connection', async () => {
  const site = await aSite(postgres)
  onTestFinished(site.remove)
  const pooler = await startPgBouncer(program ?? '', site.env.DATABASE_URL ?? '', CONNECTIONS)
  onTestFinished(pooler.remove)
  const url = new URL(pooler.url)
  url.pathname = '/unknown'
  expect(await refusedStart({ ...site.env, DATABASE_URL: url.href })).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /^Mokuroku cannot start\. The pooler at DATABASE_URL .*\(no such database: unknown\)\./,
    ),
  })
})
