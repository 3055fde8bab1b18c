// `npm run load`: a load test with simulated users ("operators"), first on one server, then on three behind a proxy,
// while one of them is killed and the database fails over to its standby. The servers use PostgreSQL and a bucket.
// Reports the duration of each call, the failures, and whether an acknowledged write was lost.
// `--seconds 600 --clients 16 --pause 250 --media 500 --write`
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { randomInt, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Postgres, startPair } from '../scripts/postgres.ts'
import { aBucket } from '../server/test/bucket.ts'
import { createDatabase, queryPostgres } from '../server/test/postgres.ts'
import { type Running, startServer } from '../server/test/process.ts'
import { type Call, type Event, pictureOf, tableOf } from './loadReport.ts'
import { startProxy } from './proxy.ts'
import { writeBetween } from './report.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    clients: { type: 'string', default: '16' },
    pause: { type: 'string', default: '250' },
    media: { type: 'string', default: '500' },
    write: { type: 'boolean', default: false },
  },
})
const [seconds, clients, mediaCount] = [Number(values.seconds), Number(values.clients), Number(values.media)]
/** The mean pause between two calls of an operator, in milliseconds. */
const pause = Number(values.pause)
/** The delay before the standby is promoted, in which a failover manager would detect that the primary is down. */
const UNNOTICED_MS = 5000
const ADMIN = { email: 'admin@example.org', password: 'correct horse battery' }
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const WORDS = ['moon', 'harbour', '東京', '海', 'winter', 'star', '少女', 'garden', 'blue', '物語']
const title = () => `${WORDS[randomInt(WORDS.length)]} ${WORDS[randomInt(WORDS.length)]} ${randomUUID().slice(0, 8)}`

/** The mix of calls: each with its share in percent. */
const MIX: [name: string, share: number][] = [
  ['list', 28],
  ['one media', 24],
  ['search as you type', 18],
  ['dashboard', 5],
  ['findings', 5],
  ['save', 14],
  ['upload', 3],
  ['open and close a stream', 3],
]

/** The fields of responses that this test reads. */
interface Body {
  _id: string
  token: string
  translations: { en: { title: string } }
}

const bucket = await aBucket()
const root = mkdtempSync(path.join(tmpdir(), 'mokuroku-load-'))
const docs = path.join(import.meta.dirname, '../docs')
const tables: string[] = []
try {
  for (const count of [1, 3]) {
    const name = count === 1 ? 'load-one.svg' : 'load-three.svg'
    const { head, calls, events } = await run(count)
    tables.push(`${tableOf(MIX, head, calls)}\n\n![Time and failures of the calls meanwhile](${name})`)
    if (values.write) writeFileSync(path.join(docs, name), pictureOf(calls, events, seconds))
  }
} finally {
  await bucket.stop()
  rmSync(root, { recursive: true, force: true })
}
console.log(tables.join('\n\n'))
if (values.write) writeBetween(path.join(docs, 'load.md'), 'load', [tables.join('\n\n')])

/** Runs the load on `count` servers. If there are several, injects failures into them and the database. */
async function run(count: number): Promise<{ head: string; calls: Call[]; events: Event[] }> {
  const [primary, standby] = await startPair(['fsync=on', 'full_page_writes=on', 'max_connections=200'])
  // Synchronous replication: an acknowledged write is on both servers.
  for (const statement of [
    `ALTER SYSTEM SET synchronous_standby_names = '*'`,
    `ALTER SYSTEM SET synchronous_commit = 'remote_apply'`,
    'SELECT pg_reload_conf()',
  ])
    await queryPostgres(primary.url, statement)
  const servers: Running[] = []
  try {
    const start = starter(await sharedBy(primary, standby), count)
    for (let each = 0; each < count; each++) servers.push(await start())
    return await work(
      servers,
      count > 1 ? (events) => disturb({ servers, start, primary, standby, events }) : undefined,
    )
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    await standby.stop()
    await primary.stop()
  }
}

async function sharedBy(primary: Postgres, standby: Postgres): Promise<Record<string, string>> {
  const { pathname, host } = new URL(await createDatabase(primary.url))
  return {
    DATABASE_URL: `postgres://postgres@${host},${new URL(standby.url).host}${pathname}?target_session_attrs=read-write`,
    AUTH_SECRET: 'the secret that all of them share, 32',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'fatal',
    ...bucket.env,
  }
}

function starter(shared: Record<string, string>, count: number): () => Promise<Running> {
  let started = 0
  return () => startServer({ ...shared, DATA_DIR: path.join(root, `${count}-${started++}`) })
}

interface Disturbed {
  servers: Running[]
  start: () => Promise<Running>
  primary: Postgres
  standby: Postgres
  events: (what: string) => void
}

/** Kills a server after a third of the time and starts a new one; kills the primary database after two thirds. */
async function disturb({ servers, start, primary, standby, events }: Disturbed): Promise<void> {
  await sleep((seconds * 1000) / 3)
  events('server killed')
  await servers[0]?.end('SIGKILL')
  servers[0] = await start()
  events('another one')
  await sleep((seconds * 1000) / 3)
  events('primary killed')
  const [row] = await queryPostgres<{ pid: string }>(
    primary.url,
    `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS "pid"`,
  )
  process.kill(Number(row?.pid), 'SIGQUIT')
  await sleep(UNNOTICED_MS)
  events('standby promoted')
  await queryPostgres(standby.url, 'SELECT pg_promote()')
}

async function work(
  servers: Running[],
  disturbance?: (events: (what: string) => void) => Promise<void>,
): Promise<{ head: string; calls: Call[]; events: Event[] }> {
  const proxy = await startProxy(servers)
  const ask = asker(proxy.url)
  const { token } = (await ask('POST', '/api/auth/login', ADMIN)).body()
  const ids = await filled(ask, token)
  const [calls, events]: [Call[], Event[]] = [[], []]
  /** The title in the last acknowledged save of each media. Each client saves media of its own. */
  const saved = new Map<string, string>()
  const act = actor(proxy.url, token, saved)
  const began = performance.now()
  const operator = async (own: number): Promise<void> => {
    const mine = ids.filter((_, at) => at % clients === own)
    while (performance.now() < began + seconds * 1000) {
      await sleep(randomInt(2 * pause + 1))
      const name = pick()
      const at = performance.now()
      const status = await act(name, mine[randomInt(mine.length)] ?? '').catch(() => 0)
      calls.push({ name, status, at: at - began, milliseconds: performance.now() - at })
    }
  }
  const operators = Promise.all(Array.from({ length: clients }, (_, own) => operator(own)))
  await Promise.all([operators, disturbance?.((what) => events.push({ what, at: performance.now() - began }))])
  let lost = 0
  for (const [id, wanted] of saved) {
    const found = (await ask('GET', `/api/media/${id}`, undefined, token)).body()
    if (found.translations.en.title !== wanted) lost += 1
  }
  await proxy.close()
  const acknowledged = calls.filter(({ name, status }) => name === 'save' && status === 200).length
  const what = servers.length === 1 ? 'One server' : `${servers.length} servers, one of them killed, and a failover`
  const rate = `${(calls.length / seconds).toFixed(0)} calls a second`
  const head = `**${what}: ${clients} operators for ${seconds} seconds.** ${rate}; ${acknowledged} saves acknowledged, ${lost} of them lost.`
  return { head, calls, events }
}

async function filled(ask: Asker, token: string): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < mediaCount) {
    const batch = await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/api/media', media(title()), token)))
    ids.push(...batch.map((answer) => answer.body()._id))
  }
  return ids
}

/** Makes a call by its name in MIX. Returns the status. */
function actor(url: string, token: string, saved: Map<string, string>) {
  const ask = asker(url)
  const headers = { authorization: `Bearer ${token}` }
  const get = async (address: string) => (await ask('GET', address, undefined, token)).status
  const actions: Record<string, (id: string) => Promise<number>> = {
    list: () => get(`/api/media?limit=20&page=${randomInt(1, 20)}`),
    'one media': (id) => get(`/api/media/${id}`),
    'search as you type': () => get(`/api/search?q=${encodeURIComponent(WORDS[randomInt(WORDS.length)] ?? '')}`),
    dashboard: () => get('/api/dashboard/work'),
    findings: () => get('/api/findings?entityType=Media'),
    save: async (id) => {
      const wanted = title()
      // While there is no response, it is unknown whether the title has been saved.
      saved.delete(id)
      const { status } = await ask('PUT', `/api/media/${id}`, media(wanted), token)
      if (status === 200) saved.set(id, wanted)
      return status
    },
    upload: async () => {
      const form = new FormData()
      form.append('file', new File([PIXEL], `${randomUUID()}.png`, { type: 'image/png' }))
      return (await fetch(`${url}/api/assets`, { method: 'POST', headers, body: form })).status
    },
    'open and close a stream': async () => {
      const leaving = new AbortController()
      const stream = await fetch(`${url}/api/notifications/stream`, { headers, signal: leaving.signal })
      await stream.body?.getReader().read()
      leaving.abort()
      return stream.status
    },
  }
  return async (name: string, id: string): Promise<number> => (await actions[name]?.(id)) ?? 0
}

function media(text: string) {
  return {
    mediaType: 'ANIME',
    isOngoing: false,
    releaseDate: '2020-04-01T00:00:00.000Z',
    translations: { en: { title: text, description: '' } },
  }
}

function pick(): string {
  let at = randomInt(100)
  return MIX.find(([, share]) => (at -= share) < 0)?.[0] ?? 'list'
}

type Asker = ReturnType<typeof asker>

function asker(url: string) {
  return async (method: string, address: string, body?: unknown, token?: string) => {
    const answer = await fetch(url + address, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const said = await answer.text()
    return { status: answer.status, body: () => JSON.parse(said) as Body }
  }
}
