// `node bench/peers/directus.ts`, after `node scripts/build.ts server`: compares Mokuroku with Directus on the same
// PostgreSQL server, with the same 8,500 media and 16 clients, in turns. Directus is installed in the folder
// DIRECTUS_DIR (by default a temporary one), never in this project. If that fails, one line says why.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.ts'
import { between, seeded } from '../../server/src/sample/seed.ts'
import { freePort, launch, startServer } from '../../server/test/process.ts'
import { ADMIN, fill, mediaId } from '../catalogue.ts'
import { anew, type Ask, Client, cpuOf } from '../load.ts'
import { titlesOf } from '../titles.ts'

const [VERSION, SIZE, CLIENTS, ROUNDS, TURN_MS] = ['12.4.0', 8500, 16, 12, 1000]
const TOKEN = 'bench-token'
const folder = process.env.DIRECTUS_DIR ?? join(tmpdir(), 'mokuroku-directus')
const PROGRAM = join(folder, 'node_modules/directus/cli.js')

interface Row {
  _id: string
  mediaType: string
  translations: string
  originalTitle: string
  isOngoing: number
  releaseDate: string
  episodes: number
  tags: string
  cover: string
  averageRating: number
  version: number
  createdAt: string
}
interface Place {
  DATA_DIR: string
  DATABASE_URL: string
}
interface Peer {
  pid: number | undefined
  client: Client
  calls: Record<string, () => Ask>
}

async function main(): Promise<void> {
  install()
  const postgres = await startPostgres(['fsync=on', 'full_page_writes=on', 'shared_buffers=512MB'])
  const data = mkdtempSync(join(tmpdir(), 'mokuroku-peers-'))
  const databaseOf = (name: string) => new URL(`/${name}`, postgres.url).href.replace(/^.*?:/, 'postgres:')
  try {
    for (const name of ['mokuroku', 'directus']) await ask(postgres.url, `CREATE DATABASE ${name}`)
    const place = { DATA_DIR: data, DATABASE_URL: databaseOf('mokuroku') }
    await fill(place, SIZE)
    await compare({ directus: await directus(place, databaseOf('directus')), mokuroku: await mokuroku(place) })
  } finally {
    await postgres.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Installs Directus without running install scripts. If that fails, prints the reason and exits. */
function install(): void {
  if (existsSync(PROGRAM)) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const npm = ['install', `directus@${VERSION}`, '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps']
  const { status, stderr } = spawnSync('npm', npm, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) refuse(stderr)
  // Replaced by a stub: it is only needed to run custom scripts, and cannot be compiled for every version of Node.
  writeFileSync(join(folder, 'node_modules/isolated-vm/isolated-vm.js'), 'module.exports = {}\n')
}

function refuse(errors: string): never {
  const why = errors.split('\n').find((line) => /error/i.test(line)) ?? errors
  console.log(`Directus ${VERSION} could not be installed in ${folder}: ${why.trim()}`)
  process.exit(0)
}

async function ask<Found extends object>(url: string, statement: string, values: unknown[] = []): Promise<Found[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Found>(statement, values)).rows
  } finally {
    await client.end()
  }
}

/** Starts Directus with its own data model (translations in a separate table) and the media of Mokuroku's database. */
async function directus({ DATABASE_URL }: Place, url: string): Promise<Peer> {
  const { hostname, port, username } = new URL(url)
  const at = await freePort()
  const env = {
    DB_CLIENT: 'pg',
    DB_HOST: hostname,
    DB_PORT: port,
    DB_USER: username,
    DB_DATABASE: 'directus',
    SECRET: 'bench',
    PORT: String(at),
    HOST: '127.0.0.1',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ADMIN_TOKEN: TOKEN,
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
    NODE_ENV: 'production',
  }
  const bootstrap = await launch(PROGRAM, env, [], { words: ['bootstrap'] }).ended
  if (bootstrap.code !== 0) throw new Error(`Directus was not set up: ${bootstrap.errors}`)
  const { pid } = launch(PROGRAM, env, [], { words: ['start'] }).child
  const client = new Client(at, { authorization: `Bearer ${TOKEN}` })
  await answering(client)
  for (const [path, body] of MODEL) await must(client, { method: 'POST', path, body: JSON.stringify(body) })
  await copyInto(url, await ask<Row>(DATABASE_URL, 'SELECT * FROM "media" ORDER BY "_id"'))
  return { pid, client, calls: callsOfDirectus(await translationIds(url)) }
}

const column = (field: string, type: string, schema: object = {}) => ({ field, type, schema, meta: {} })
const MODEL: [path: string, body: object][] = [
  [
    '/collections',
    {
      collection: 'media',
      schema: {},
      meta: {},
      fields: [
        column('id', 'uuid', { is_primary_key: true }),
        ...['media_type', 'original_title', 'cover'].map((name) => column(name, 'string')),
        column('is_ongoing', 'boolean'),
        column('release_date', 'timestamp'),
        column('episodes', 'integer'),
        column('average_rating', 'float'),
        column('tags', 'json'),
        column('date_created', 'timestamp', { is_indexed: true }),
      ],
    },
  ],
  [
    '/collections',
    {
      collection: 'media_translations',
      schema: {},
      meta: {},
      fields: [
        column('id', 'integer', { is_primary_key: true, has_auto_increment: true }),
        column('media', 'uuid', { is_indexed: true }),
        column('language', 'string'),
        column('title', 'text'),
        column('description', 'text'),
      ],
    },
  ],
  ['/fields/media', { field: 'translations', type: 'alias', meta: { special: ['o2m'] } }],
  [
    '/relations',
    {
      collection: 'media_translations',
      field: 'media',
      related_collection: 'media',
      meta: { one_field: 'translations' },
      schema: { on_delete: 'CASCADE' },
    },
  ],
]

async function copyInto(url: string, rows: Row[]): Promise<void> {
  const media = rows.map((row) => ({
    id: row._id,
    media_type: row.mediaType,
    original_title: row.originalTitle,
    cover: row.cover,
    is_ongoing: row.isOngoing === 1,
    release_date: row.releaseDate,
    episodes: row.episodes,
    average_rating: row.averageRating,
    tags: typeof row.tags === 'string' ? (JSON.parse(row.tags) as unknown) : row.tags,
    date_created: row.createdAt,
  }))
  const texts = rows.flatMap((row) =>
    Object.entries(JSON.parse(row.translations) as Record<string, object>).map(([language, each]) => ({
      media: row._id,
      language,
      ...each,
    })),
  )
  const columns = Object.keys(media[0] ?? {}).join(', ')
  const all = `SELECT ${columns} FROM json_populate_recordset(NULL::media, $1)`
  await ask(url, `INSERT INTO media (${columns}) ${all}`, [JSON.stringify(media)])
  const some = 'SELECT media, language, title, description FROM json_populate_recordset(NULL::media_translations, $1)'
  await ask(url, `INSERT INTO media_translations (media, language, title, description) ${some}`, [
    JSON.stringify(texts),
  ])
  await ask(url, 'ANALYZE')
}

/** The id of each media's English translation, by media. */
async function translationIds(url: string): Promise<Map<string, number>> {
  const rows = await ask<{ id: number; media: string }>(
    url,
    "SELECT id, media FROM media_translations WHERE language = 'en'",
  )
  return new Map(rows.map(({ id, media }) => [media, id]))
}

function callsOfDirectus(ids: Map<string, number>): Peer['calls'] {
  const fields = 'fields=*,translations.*'
  const page = `/items/media?limit=10&sort=-date_created&meta=filter_count&${fields}`
  const search = (text: string) => {
    const filter = JSON.stringify({ translations: { title: { _icontains: text } } })
    return { path: `/items/media?limit=10&${fields}&filter=${encodeURIComponent(filter)}` }
  }
  return calls({
    list: (to) => ({ path: `${page}&page=${to}` }),
    one: (id) => ({ path: `/items/media/${id}?${fields}` }),
    search,
    save: (id, title) => {
      const body = JSON.stringify({ translations: [{ id: ids.get(id), title }] })
      return { method: 'PATCH', path: `/items/media/${id}?${fields}`, body }
    },
  })
}

async function mokuroku(place: Place): Promise<Peer> {
  const { port, pid } = await startServer({ ...place })
  const anyone = new Client(port)
  const { token } = JSON.parse(
    await must(anyone, { method: 'POST', path: '/api/auth/login', body: JSON.stringify(ADMIN) }),
  ) as { token: string }
  const client = new Client(port, { authorization: `Bearer ${token}` })
  const found = await ask<Row>(place.DATABASE_URL, 'SELECT * FROM "media"')
  const media = new Map(found.map((row) => [row._id, row]))
  return {
    pid,
    client,
    calls: calls({
      list: (to) => ({ path: `/api/media?page=${to}` }),
      one: (id) => ({ path: `/api/media/${id}` }),
      search: (text) => ({ path: `/api/search?q=${encodeURIComponent(text)}` }),
      save: (id, title) => ({ method: 'PUT', path: `/api/media/${id}`, body: saved(media.get(id), title) }),
    }),
  }
}

function saved(row: Row | undefined, title: string): string {
  if (!row) throw new Error('There is no such media')
  const { en, ...others } = JSON.parse(row.translations) as Record<string, { title: string; description: string }>
  const { mediaType, originalTitle, releaseDate, episodes } = row
  const translations = { ...others, en: { title, description: en?.description ?? '' } }
  const isOngoing = row.isOngoing === 1
  return JSON.stringify({ mediaType, originalTitle, releaseDate, episodes, isOngoing, translations })
}

/** The calls that both products support. */
interface Verbs {
  list: (page: number) => Ask
  one: (id: string) => Ask
  search: (text: string) => Ask
  save: (id: string, title: string) => Ask
}

function calls({ list, one, search, save }: Verbs): Peer['calls'] {
  const random = seeded('peers')
  const number = () => between(random, 0, SIZE - 1)
  let count = 0
  return {
    'list of 10': () => list(1),
    'page 400': () => list(400),
    'get by id': () => one(mediaId(number(), SIZE)),
    'search, 2 CJK characters': () => search(Array.from(titlesOf(number()).zh).slice(0, 2).join('')),
    'search, Latin': () => search(titlesOf(number()).en.split(' ')[1] ?? ''),
    // Each save is of another media, so that none waits for a row lock.
    save: () => save(mediaId(count++ % SIZE, SIZE), `${titlesOf(count % SIZE).en} ${count}`),
  }
}

/**
 * Prints the calls per second, and the CPU time per call in the server's process. Ours is measured twice: with its
 * response cache bypassed, and with normal calls.
 */
async function compare({ directus: theirs, mokuroku: ours }: Record<'directus' | 'mokuroku', Peer>): Promise<void> {
  const head = [`PostgreSQL, ${SIZE.toLocaleString('en')} media`, 'Mokuroku, anew', 'Mokuroku', `Directus ${VERSION}`]
  console.log(`| ${[...head, 'ratio, anew', 'ratio', 'processor ÷, anew', 'processor ÷'].join(' | ')} |`)
  console.log(`| --- |${' --: |'.repeat(7)}`)
  for (const name of Object.keys(ours.calls)) {
    const sides = [sideOf(ours, name, anew), sideOf(ours, name), sideOf(theirs, name)]
    for (const { client, next } of sides) await client.press(next, CLIENTS, 2 * TURN_MS)
    for (const side of sides) side.asked = 0
    for (let round = 0; round < ROUNDS; round++) for (const side of sides) await turn(side)
    const [made, usual, other] = sides.map(({ rates, cpu, asked }) => ({
      rate: rates.toSorted((one, another) => one - another)[ROUNDS / 2] ?? 0,
      cpu: cpu / asked,
    }))
    if (!made || !usual || !other) throw new Error('There are three')
    const ratios = [made, usual].map(({ rate }) => rate / other.rate)
    const cpus = [made, usual].map(({ cpu }) => other.cpu / cpu)
    const cells = [made, usual, other].map(({ rate }) => Math.round(rate).toLocaleString('en'))
    console.log(`| ${[name, ...cells, ...[...ratios, ...cpus].map((ratio) => ratio.toFixed(1))].join(' | ')} |`)
  }
}

function sideOf({ client, pid, calls: all }: Peer, name: string, change = (asked: Ask) => asked) {
  const side = { client, pid, next, rates: [] as number[], cpu: 0, asked: 0 }
  function next(): Ask {
    side.asked++
    return change(all[name]?.() ?? { path: '/' })
  }
  return side
}

async function turn(side: ReturnType<typeof sideOf>): Promise<void> {
  const before = cpuOf(side.pid)
  side.rates.push(await side.client.press(side.next, CLIENTS, TURN_MS))
  side.cpu += cpuOf(side.pid) - before
}

async function must(client: Client, asked: Ask): Promise<string> {
  const { status, body } = await client.ask(asked)
  if (status >= 300) throw new Error(`${asked.path} answered ${status}: ${body}`)
  return body
}

async function answering(client: Client): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await client.ask({ path: '/server/ping' }).catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(200)
  }
  throw new Error('Directus does not answer')
}

await main()
process.exit(0)
