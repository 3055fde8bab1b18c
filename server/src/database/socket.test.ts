// PostgreSQL on the same machine, over its Unix socket.
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Postgres, startOwnPostgres, unprivilegedFolder } from '../../../scripts/postgres.ts'
import { createDatabase, queryPostgres } from '#test/postgres.ts'
import { refusedStart, startServer } from '#test/process.ts'

const isWanted = process.env.ENGINE === 'postgres'
// The path of a socket may have at most 107 bytes.
let folder = ''
let postgres: Postgres | undefined

beforeAll(async () => {
  if (!isWanted) return
  folder = unprivilegedFolder('socket')
  postgres = await startOwnPostgres([`unix_socket_directories=${folder}`])
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The environment of a server whose DATABASE_URL is `postgres://` followed by `address`. */
const on = (address: string) => ({
  DATABASE_URL: `postgres://${address}`,
  DATA_DIR: join(folder, 'data'),
  LOG_LEVEL: 'silent',
})

async function newDatabase() {
  const { username: user, pathname, port } = new URL(await createDatabase(postgres?.url ?? ''))
  return { user, port, name: pathname.slice(1) }
}

const asked = (text: string) => queryPostgres(postgres?.url ?? '', text)

test.runIf(isWanted)('starts if the host is the folder of the socket', async () => {
  const { user, name, port } = await newDatabase()
  const server = await startServer(on(`${user}@${encodeURIComponent(folder)}:${port}/${name}`))
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await server.end()).toMatchObject({ code: 0, errors: '' })
})

test.runIf(isWanted)('answers 503 while the socket is gone, and recovers when it is back', async () => {
  const { user, name, port } = await newDatabase()
  const server = await startServer(on(`${user}@/${name}?host=${folder}&port=${port}`))
  try {
    const ofServer = `"datname" = '${name}' AND "backend_type" = 'client backend'`
    const lines = `SELECT DISTINCT "client_addr" IS NULL AS "local" FROM "pg_stat_activity" WHERE ${ofServer}`
    expect(await asked(lines)).toEqual([{ local: true }])
    const socket = join(folder, `.s.PGSQL.${port}`)
    renameSync(socket, `${socket} away`)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'correct horse' })
    const signIn = () => fetch(`${server.url}/api/auth/login`, { method: 'POST', headers, body })
    // A connection that was being opened is not in pg_stat_activity yet, and is ended by a later attempt.
    const ended = async () => {
      await asked(`SELECT pg_terminate_backend("pid") FROM "pg_stat_activity" WHERE ${ofServer}`)
      return (await signIn()).status
    }
    await expect.poll(ended).toBe(503)
    const refused = await signIn()
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'unavailable' }])
    expect(refused.headers.get('retry-after')).toBe('5')
    renameSync(`${socket} away`, socket)
    await expect.poll(async () => (await signIn()).status).toBe(401)
  } finally {
    await server.end()
  }
})

test.runIf(isWanted)('refuses to start without a socket, and says that the database cannot be reached', async () => {
  expect(await refusedStart(on(`me@/none?host=${join(folder, 'none')}`))).toMatchObject({
    code: 1,
    errors: 'Mokuroku cannot start. The database at DATABASE_URL cannot be reached. Is it running?\n',
  })
})
