// Encrypted connections to a PostgreSQL server that requires them, and to one that does not support them.
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Postgres, startOwnPostgres, unprivileged, unprivilegedFolder } from '../../../scripts/postgres.ts'
import { createDatabase, postgres, queryPostgres } from '#test/postgres.ts'
import { refusedStart, startServer } from '#test/process.ts'
import { readEnv } from '../env.ts'
import { openDatabase } from './db.ts'
import { explainConnectError } from './explain.ts'
import { TlsFault } from './tls.ts'
import { untilReachable } from './untilReachable.ts'

/** For localhost only: one issued by their own certificate authority, valid until 2126, and one that has expired. */
const CERTIFICATES = join(import.meta.dirname, '../../test/tls')
const AUTHORITY = join(CERTIFICATES, 'authority.pem')
let folder = ''
let [encrypted, plain]: (Postgres | undefined)[] = []

beforeAll(async () => {
  if (!postgres) return
  folder = unprivilegedFolder('tls')
  cpSync(CERTIFICATES, join(folder, 'tls'), { recursive: true })
  const key = join(folder, 'tls/server.key')
  chmodSync(key, 0o600)
  const { uid, gid } = unprivileged()
  if (uid !== undefined) chownSync(key, uid, gid ?? uid)
  const files = [
    `ssl_cert_file=${join(folder, 'tls/server.pem')}`,
    `ssl_key_file=${key}`,
    `ssl_ca_file=${join(folder, 'tls/authority.pem')}`,
  ]
  ;[encrypted, plain] = await Promise.all([startOwnPostgres(['ssl=on', ...files]), startOwnPostgres(['ssl=off'])])
})
afterAll(async () => {
  await Promise.all([encrypted?.stop(), plain?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

/** The environment of a server on a new database, with this host name and these parameters. */
async function on(server: Postgres | undefined, host: string, parameters: string) {
  const url = new URL(await createDatabase(server?.url ?? ''))
  url.hostname = host
  const DATABASE_URL = `${url.href}${parameters}`
  // A start waits for a database that is not available, but not if only its parameters are wrong.
  return { DATABASE_URL, DATA_DIR: join(folder, 'data'), DATABASE_WAIT: '60', LOG_LEVEL: 'silent' }
}

/** The sentence with which a start is refused, from the steps of a start in this process, which take less time. */
async function refusal(given: Awaited<ReturnType<typeof on>>): Promise<string | undefined> {
  try {
    const { DATABASE_URL: url, DATA_DIR, DATABASE_WAIT: seconds } = readEnv(given)
    await untilReachable(() => openDatabase({ url, folder: DATA_DIR }), { seconds, log: () => undefined })
    return undefined
  } catch (error) {
    return explainConnectError(error) ?? (error as Error).message
  }
}

test.runIf(postgres).each([
  ['127.0.0.1', '?sslmode=require', true],
  ['127.0.0.1', `?sslmode=verify-ca&sslrootcert=${AUTHORITY}`, true],
  ['localhost', `?sslmode=verify-full&sslrootcert=${AUTHORITY}`, true],
  ['127.0.0.1', '?sslmode=disable', false],
])('starts at %s with %s, without warnings of the driver', async (host, parameters, isEncrypted) => {
  const env = await on(encrypted, host, parameters)
  const server = await startServer(env)
  try {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    const rows = await queryPostgres<{ ssl: boolean }>(
      encrypted?.url ?? '',
      `SELECT DISTINCT "ssl" FROM "pg_stat_ssl" JOIN "pg_stat_activity" USING ("pid")
       WHERE "datname" = '${new URL(env.DATABASE_URL).pathname.slice(1)}' AND "backend_type" = 'client backend'`,
    )
    expect(rows).toEqual([{ ssl: isEncrypted }])
  } finally {
    expect(await server.end()).toMatchObject({ code: 0, errors: '' })
  }
})

test.runIf(postgres).each([
  [
    'localhost',
    '?sslmode=verify-full',
    'The certificate of the database at DATABASE_URL is not trusted (self-signed certificate in certificate chain). Name the file of its certificate authority as sslrootcert, or set sslmode=require without sslrootcert, which does not check it.',
  ],
  [
    '127.0.0.1',
    `?sslmode=verify-full&sslrootcert=${AUTHORITY}`,
    'The certificate of the database at DATABASE_URL is for another host. Use the name that is in it, or sslmode=verify-ca.',
  ],
  ['localhost', '?sslmode=prefer', 'DATABASE_URL: sslmode must be disable, require, verify-ca or verify-full'],
  [
    'localhost',
    '?sslmode=verify-ca',
    'DATABASE_URL: sslmode=verify-ca needs the file of a certificate authority, as sslrootcert',
  ],
  [
    'localhost',
    '?sslmode=require&options=-c%20work_mem%3Dmuch',
    'The database at DATABASE_URL refuses the connection (invalid value for parameter "work_mem": "much").',
  ],
  [
    'localhost',
    '?sslmode=require&sslrootcert=/nowhere.pem',
    'DATABASE_URL: sslrootcert must be a file that can be read, and /nowhere.pem is none',
  ],
  [
    'localhost',
    `?sslmode=require&sslcert=${AUTHORITY}&sslkey=${join(CERTIFICATES, 'server.key')}`,
    'The files sslrootcert, sslcert and sslkey in DATABASE_URL cannot be used (key values mismatch). They must be PEM files, and the key must be that of the certificate, without a password.',
  ],
])('refuses to start at %s with %s, in one sentence', async (host, parameters, sentence) => {
  expect(await refusal(await on(encrypted, host, parameters))).toBe(sentence)
})

test.runIf(postgres)('refuses to start as a user that does not exist, and says why', async () => {
  const env = await on(plain, '127.0.0.1', '')
  const url = Object.assign(new URL(env.DATABASE_URL), { username: 'nobody' })
  expect(await refusal({ ...env, DATABASE_URL: url.href })).toBe(
    'The database at DATABASE_URL refuses the connection (role "nobody" does not exist).',
  )
})

test.runIf(postgres)('refuses to start if the certificate of the database has expired', async () => {
  const certificate = join(CERTIFICATES, 'expired.pem')
  const files = [`ssl_cert_file=${join(folder, 'tls/expired.pem')}`, `ssl_key_file=${join(folder, 'tls/server.key')}`]
  const server = await startOwnPostgres(['ssl=on', ...files])
  onTestFinished(() => server.stop())
  const parameters = `?sslmode=verify-full&sslrootcert=${certificate}`
  expect(await refusal(await on(server, 'localhost', parameters))).toBe(
    'The certificate of the database at DATABASE_URL, or of its authority, cannot be used now (certificate has expired). Install a new one, or set the clock of this machine.',
  )
})

test.runIf(postgres)('refuses to start if the database does not support the required encryption', async () => {
  const { code, errors } = await refusedStart(await on(plain, '127.0.0.1', '?sslmode=require'))
  expect([code, errors]).toEqual([
    1,
    'Mokuroku cannot start. The database at DATABASE_URL does not support encrypted connections. Set sslmode=disable.\n',
  ])
})

test('names sslnegotiation=direct if the database closes such a connection, as before PostgreSQL 17', async () => {
  const old = createServer((socket) => socket.once('data', () => socket.end())).listen(0, '127.0.0.1')
  onTestFinished(() => void old.close())
  await once(old, 'listening')
  const { port } = old.address() as AddressInfo
  const DATABASE_URL = `postgres://127.0.0.1:${port}/x?sslnegotiation=direct`
  expect(await refusal({ DATABASE_URL, DATA_DIR: join(folder, 'data'), DATABASE_WAIT: '0', LOG_LEVEL: 'silent' })).toBe(
    'The database at DATABASE_URL closes connections that begin with encryption. Is it running, and is it PostgreSQL 17 or newer, which sslnegotiation=direct needs?',
  )
})

test.runIf(postgres)('says that the database rejects the client certificate, not that its own is not trusted', () => {
  const rejected = Object.assign(new Error('SSL routines'), {
    code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    reason: 'tlsv1 alert unknown ca',
  })
  expect(TlsFault.from(rejected)?.message).toBe(
    'The database at DATABASE_URL rejects the client certificate (tlsv1 alert unknown ca). Name the files of another one as sslcert and sslkey.',
  )
})

test.runIf(postgres)(
  'refuses to start without encryption or a client certificate if the database requires it',
  async () => {
    const env = await on(encrypted, '127.0.0.1', '')
    const url = encrypted?.url ?? ''
    const rules = `'hostssl all guest 127.0.0.1/32 trust clientcert=verify-ca', 'hostssl all all 127.0.0.1/32 trust'`
    await queryPostgres(url, `COPY (SELECT unnest(ARRAY[${rules}])) TO PROGRAM 'cat > "$(pwd)/pg_hba.conf"'`)
    await queryPostgres(url, 'SELECT pg_reload_conf()')
    await expect
      .poll(() =>
        queryPostgres(url, 'SELECT 1').then(
          () => '',
          (error: Error) => error.message,
        ),
      )
      .toMatch(/no encryption|SSL off/)
    expect(await refusal(env)).toBe(
      'The database at DATABASE_URL refuses connections that are not encrypted, or this user. Add sslmode=verify-full, or sslmode=require.',
    )
    const guest = new URL(env.DATABASE_URL)
    guest.username = 'guest'
    expect(await refusal({ ...env, DATABASE_URL: `${guest.href}?sslmode=require` })).toBe(
      'The database at DATABASE_URL requires a client certificate. Name its file as sslcert, and that of its key as sslkey.',
    )
  },
)
