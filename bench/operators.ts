// `npm run load`: operators at their day's work, on one server and on three behind a proxy with one of them killed half
// way, all over one PostgreSQL and one bucket. It says how long each call took, what failed, and whether a write that was
// acknowledged was lost. `--seconds 600 --clients 16 --media 500 --write`
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { randomInt, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../scripts/postgres.ts'
import { aBucket } from '../server/test/bucket.ts'
import { createDatabase } from '../server/test/postgres.ts'
import { type Running, startServer } from '../server/test/process.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    clients: { type: 'string', default: '16' },
    media: { type: 'string', default: '500' },
    write: { type: 'boolean', default: false },
  },
})
const [seconds, clients, mediaCount] = [Number(values.seconds), Number(values.clients), Number(values.media)]
const ADMIN = { email: 'admin@example.org', password: 'correct horse battery' }
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const WORDS = ['moon', 'harbour', '東京', '海', 'winter', 'star', '少女', 'garden', 'blue', '物語']
const title = () => `${WORDS[randomInt(WORDS.length)]} ${WORDS[randomInt(WORDS.length)]} ${randomUUID().slice(0, 8)}`

/** A day's work: how often of a hundred calls. */
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

interface Call {
  name: string
  milliseconds: number
  status: number
}
/** What is read of an answer. */
interface Body {
  _id: string
  token: string
  translations: { en: { title: string } }
}
interface Report {
  title: string
  calls: Call[]
  acknowledged: number
  lost: number
}

const postgres = await startPostgres()
const bucket = await aBucket()
const root = mkdtempSync(path.join(tmpdir(), 'mokuroku-load-'))
const reports: Report[] = []
try {
  for (const servers of [1, 3]) reports.push(await run(servers))
} finally {
  await bucket.stop()
  await postgres.stop()
  rmSync(root, { recursive: true, force: true })
}
const tables = reports.map(tableOf).join('\n\n')
console.log(tables)
if (values.write) {
  const file = path.join(import.meta.dirname, '../docs/load.md')
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, `${before.split('<!-- load -->')[0]}<!-- load -->\n\n${tables}\n`)
}

async function run(count: number): Promise<Report> {
  const shared = {
    DATABASE_URL: await createDatabase(postgres.url),
    AUTH_SECRET: 'the secret that all of them share, 32',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'fatal',
    ...bucket.env,
  }
  const servers: Running[] = []
  for (let each = 0; each < count; each++)
    servers.push(await startServer({ ...shared, DATA_DIR: path.join(root, `${count}-${each}`) }))
  const proxy = await startProxy(servers)
  const ask = asker(proxy.url)
  const { token } = (await ask('POST', '/api/auth/login', ADMIN)).body()
  const ids: string[] = []
  while (ids.length < mediaCount) {
    const batch = await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/api/media', media(title()), token)))
    ids.push(...batch.map((answer) => answer.body()._id))
  }
  const calls: Call[] = []
  /** The last title of each media that a save was acknowledged with; each client saves media of its own. */
  const saved = new Map<string, string>()
  const until = performance.now() + seconds * 1000
  const killing = count > 1 ? setTimeout(() => void servers[0]?.end('SIGKILL'), seconds * 500) : undefined
  const operator = async (own: number): Promise<void> => {
    const mine = ids.filter((_, at) => at % clients === own)
    while (performance.now() < until) {
      const name = pick()
      const at = performance.now()
      const id = mine[randomInt(mine.length)] ?? ''
      const status = await act(name, id).catch(() => 0)
      calls.push({ name, status, milliseconds: performance.now() - at })
    }
  }
  const act = async (name: string, id: string): Promise<number> => {
    const get = async (address: string) => (await ask('GET', address, undefined, token)).status
    if (name === 'list') return get(`/api/media?limit=20&page=${randomInt(1, 20)}`)
    if (name === 'one media') return get(`/api/media/${id}`)
    if (name === 'search as you type')
      return get(`/api/search?q=${encodeURIComponent(WORDS[randomInt(WORDS.length)] ?? '')}`)
    if (name === 'dashboard') return get('/api/dashboard/work')
    if (name === 'findings') return get('/api/findings?entityType=Media')
    if (name === 'save') {
      const wanted = title()
      const { status } = await ask('PUT', `/api/media/${id}`, media(wanted), token)
      if (status === 200) saved.set(id, wanted)
      // Without an answer it may have been stored or not.
      else saved.delete(id)
      return status
    }
    if (name === 'upload') {
      const form = new FormData()
      form.append('file', new File([PIXEL], `${randomUUID()}.png`, { type: 'image/png' }))
      const options = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form }
      return (await fetch(`${proxy.url}/api/assets`, options)).status
    }
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${token}` }
    const stream = await fetch(`${proxy.url}/api/notifications/stream`, { headers, signal: leaving.signal })
    await stream.body?.getReader().read()
    leaving.abort()
    return stream.status
  }
  await Promise.all(Array.from({ length: clients }, (_, own) => operator(own)))
  clearTimeout(killing)
  let lost = 0
  for (const [id, wanted] of saved) {
    const found = (await ask('GET', `/api/media/${id}`, undefined, token)).body()
    if (found.translations.en.title !== wanted) lost += 1
  }
  await Promise.all(servers.map((server) => server.end()))
  await proxy.close()
  const acknowledged = calls.filter(({ name, status }) => name === 'save' && status === 200).length
  const what = count === 1 ? 'One server' : `${count} servers, one of them killed half way`
  return { title: `${what}: ${clients} operators for ${seconds} seconds`, calls, acknowledged, lost }
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

/** Round robin. What a server did not begin to answer is asked of the next one where that is safe: GET and PUT. */
async function startProxy(servers: Running[]) {
  let turn = 0
  const downUntil = new Map<Running, number>()
  const pass = (from: IncomingMessage, to: ServerResponse, body: Buffer, tries: number): void => {
    // Who has just failed is left alone for a second, unless there is nobody else.
    const up = servers.filter((each) => (downUntil.get(each) ?? 0) < performance.now())
    const among = up.length > 0 ? up : servers
    const server = among[turn++ % among.length]
    const passed = request({
      host: '127.0.0.1',
      port: server?.port,
      path: from.url,
      method: from.method,
      headers: from.headers,
    })
    passed.on('response', (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => to.destroy())
      answer.pipe(to)
    })
    passed.on('error', (error: NodeJS.ErrnoException) => {
      if (server) downUntil.set(server, performance.now() + 1000)
      if (to.headersSent) return void to.destroy()
      const isSafe = error.code === 'ECONNREFUSED' || from.method === 'GET' || from.method === 'PUT'
      if (isSafe && tries > 0) return pass(from, to, body, tries - 1)
      to.writeHead(502).end()
    })
    to.on('close', () => passed.destroy())
    passed.end(body)
  }
  const proxy = createServer((from, to) => {
    const parts: Buffer[] = []
    from.on('data', (part: Buffer) => parts.push(part))
    from.on('end', () => pass(from, to, Buffer.concat(parts), servers.length))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  const close = async (): Promise<void> => {
    proxy.closeAllConnections()
    await new Promise((closed) => proxy.close(closed))
  }
  return { url: `http://127.0.0.1:${address.port}`, close }
}

function tableOf({ title: head, calls, acknowledged, lost }: Report): string {
  const rows = MIX.map(([name]) => {
    const own = calls.filter((each) => each.name === name)
    const good = own.filter(({ status }) => status >= 200 && status < 300)
    const times = good.map(({ milliseconds }) => milliseconds).toSorted((one, two) => one - two)
    const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0)
    const failed = Map.groupBy(
      own.filter((each) => !good.includes(each)),
      ({ status }) => status,
    )
    const failures = [...failed].map(([status, all]) => `${all.length} × ${status || 'no answer'}`).join(', ')
    return `| ${[name, own.length, at(0.5), at(0.95), at(0.99), failures || '–'].join(' | ')} |`
  })
  return [
    `**${head}.** ${(calls.length / seconds).toFixed(0)} calls a second; ${acknowledged} saves acknowledged, ${lost} of them lost.`,
    '',
    '| call | times | p50, ms | p95, ms | p99, ms | failed |',
    '| --- | ---: | ---: | ---: | ---: | --- |',
    ...rows,
  ].join('\n')
}
