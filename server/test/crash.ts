// Writers that record which writes the server acknowledged, a kill at a random moment, and a check of what is left.
// Used by crash.test.ts (a few rounds) and bench/crash.ts (many).
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { authApi } from '@mokuroku/contract/auth'
import { ApiError, type Call, createClient } from '@mokuroku/contract/call'
import { type MediaInput, mediaApi } from '@mokuroku/contract/media'
import { closeDatabase, openDatabase } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { withDelta } from '#ledger/deltas.ts'
import { media } from '#store/media'
import { tags } from '#store/tags'
import { ensureFirstAdmin } from '../src/users/bootstrap.ts'
import { COUNTERS } from './counters.ts'
import { createMigrated, queryPostgres } from './postgres.ts'
import { type Environment, HANG_MS, type Running, startServer } from './process.ts'

export const ADMIN = { email: 'admin@example.org', password: 'correct horse battery' }

/** A prepared database, with the writes that were acknowledged. */
export interface Site {
  env: Environment
  tags: string[]
  /** The media that every writer changes, each in its own language. */
  shared: string
  token: string | undefined
  promises: Promised[]
  /** The server of the last round, which the next one uses again. */
  server: Running | undefined
  read(query: string): Promise<Row[]>
  /** Writes directly to the database; the server must not be running. */
  write(statement: string): Promise<unknown>
  remove(): Promise<void>
}

/** An acknowledged write: the version in the response, and what that version must contain. */
interface Promised {
  id: string
  version: number
  action: 'create' | 'update' | 'delete' | 'restore'
  language: string
  title: string
}
/** A row as stored: texts, numbers and null. */
export type Row = Record<string, string | number | null>

export interface Round {
  signal: NodeJS.Signals
  acknowledged: number
  /** In-progress writes that got no response: they may be stored, but only completely or not at all. */
  unanswered: number
  startedIn: number
  /** What is broken; empty if everything is right. */
  faults: string[]
}

const LANGUAGES = ['en', 'ja', 'zh', 'fr', 'de', 'ko']

/** A new data folder with tags and one media item; on a PostgreSQL database of its own if `server` is given. */
export async function aSite(server?: string, folder = mkdtempSync(join(tmpdir(), 'mokuroku-crash-'))): Promise<Site> {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const url = server && (await createMigrated(server))
  await openDatabase({ url, folder })
  await ensureFirstAdmin(ADMIN.email, ADMIN.password)
  const context = { actor: SYSTEM }
  const made: string[] = []
  for (const type of ['GENRE', 'THEME', 'CUSTOM'] as const)
    made.push(
      await tags.create({ type, color: '#000000', translations: { en: { name: type, description: '' } } }, context),
    )
  const texts = LANGUAGES.map((language) => [language, { title: `shared ${language}`, description: '' }])
  const shared = await media.create({ ...input(), translations: Object.fromEntries(texts) }, context)
  await closeDatabase()
  const site: Site = {
    env: { DATA_DIR: folder, DATABASE_URL: url },
    tags: made,
    shared,
    token: undefined,
    promises: [],
    server: undefined,
    read: readerOf(folder, url),
    write: (statement) => (url ? queryPostgres<Row>(url, statement) : embedded(folder, statement, false)),
    remove: async () => {
      await site.server?.end()
      rmSync(folder, { recursive: true, force: true })
      if (server && url)
        await queryPostgres<Row>(server, `DROP DATABASE "${new URL(url).pathname.slice(1)}" WITH (FORCE)`)
    },
  }
  return site
}

/** Lets writers work for a random time, ends the server by `signal`, restarts it, and checks what is broken. */
export async function crashRound(site: Site, signal: NodeJS.Signals): Promise<Round> {
  const server = (site.server ??= await startServer(site.env))
  const before = site.promises.length
  const stop = new AbortController()
  site.token ??= (await callOn(server)(authApi.login, { body: ADMIN })).token
  const writers = LANGUAGES.map((language) => write(site, server, language, stop.signal))
  // Wait for a number of responses rather than a time, so that a slow machine tests as much; then stop at a random
  // moment.
  const enough = before + randomInt(1, 100)
  for (let waited = 0; waited < 3000 && site.promises.length < enough; waited += 2) await sleep(2)
  await sleep(randomInt(0, 20))
  const { code, errors } = await server.end(signal)
  stop.abort()
  const unanswered = (await Promise.all(writers)).reduce((sum, each) => sum + each, 0)
  site.server = await startServer(site.env)
  const { startedIn } = site.server
  const faults = [...(await faultsOf(site)), ...(await unreadable(site, site.server, before))]
  if (errors) faults.push(`the server complained: ${errors.slice(0, 500)}`)
  if (signal === 'SIGTERM' && code !== 0) faults.push(`the clean end answered ${code}`)
  return { signal, acknowledged: site.promises.length - before, unanswered, startedIn, faults }
}

const input = (): MediaInput => ({
  mediaType: 'ANIME',
  isOngoing: false,
  releaseDate: '2020-04-01T00:00:00.000Z',
  translations: {},
})

export const callOn = ({ url }: Running, token?: string): Call =>
  createClient(async ({ url: path, method, headers, body }) => {
    const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...authorization },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(HANG_MS),
    })
    return { status: answer.status, body: await answer.json() }
  })

/** Creates, changes, deletes and restores until the server is gone. Returns how many writes got no response. */
async function write(site: Site, server: Running, language: string, stop: AbortSignal): Promise<number> {
  const call = callOn(server, site.token)
  const titled = (title: string) => ({ ...input(), translations: { [language]: { title, description: '' } } })
  const pick = () => site.tags.filter(() => randomInt(2) === 0)
  const promise = (action: Promised['action'], id: string, version: number, title: string) =>
    void site.promises.push({ action, id, version, language, title })
  try {
    while (!stop.aborted) {
      const title = `${language} ${randomUUID()}`
      const own = await call(mediaApi.create, { body: { ...titled(title), tags: pick() } })
      promise('create', own._id, own.version, title)
      const changed = `${title} changed`
      const saved = await call(mediaApi.update, {
        id: own._id,
        base: own.version,
        body: { ...titled(changed), tags: pick() },
      })
      promise('update', saved._id, saved.version, changed)
      const shared = await call(mediaApi.find, { id: site.shared })
      const body = { ...input(), translations: { ...shared.translations, [language]: { title, description: '' } } }
      const merged = await call(mediaApi.update, { id: site.shared, base: shared.version, body })
      promise('update', merged._id, merged.version, title)
      if (randomInt(3) > 0) continue
      await call(mediaApi.remove, { id: own._id, base: saved.version })
      promise('delete', own._id, saved.version + 1, changed)
      const back = await call(mediaApi.restore, { id: own._id })
      promise('restore', own._id, back.version, changed)
    }
    return 0
  } catch (error) {
    // 503 while it stops: refused, so not promised. Any other error response is a fault of the server.
    if (error instanceof ApiError && error.status !== 503) throw error
    return error instanceof ApiError ? 0 : 1
  }
}

/** Everything in the database that breaks a promise or is inconsistent. */
export async function faultsOf(site: Pick<Site, 'env' | 'promises' | 'shared' | 'read'>): Promise<string[]> {
  const faults: string[] = []
  const expect = (right: boolean, fault: string) => void (right || faults.push(fault))
  const [entities, revisions, cells, links, labels, activities] = (await Promise.all(
    [
      'SELECT * FROM "media"',
      `SELECT * FROM "revisions" WHERE "entityType" = 'Media' ORDER BY "entityId", "version"`,
      `SELECT "revisionId", "newValue" FROM "history" WHERE "entityType" = 'Media' AND "field" = 'title'`,
      `SELECT "toId" FROM "links" WHERE "fromKind" = 'Media' AND "field" = 'tags'`,
      `SELECT "entityId", "language", "text" FROM "labels" WHERE "kind" = 'Media'`,
      `SELECT "entityId" FROM "activities" WHERE "entityType" = 'Media'`,
    ].map((query) => site.read(query)),
  )) as [Row[], Row[], Row[], Row[], Row[], Row[]]
  const [byEntity, labelsOf, activitiesOf, cellsOf] = [
    Map.groupBy(revisions, ({ entityId }) => entityId),
    Map.groupBy(labels, ({ entityId }) => entityId),
    Map.groupBy(activities, ({ entityId }) => entityId),
    Map.groupBy(cells, ({ revisionId }) => revisionId),
  ]
  const byVersion = new Map(revisions.map((row) => [`${row.entityId} ${row.version}`, row]))

  for (const own of byEntity.values()) fillIn(own)
  for (const { id, version, action, language, title } of site.promises) {
    const revision = byVersion.get(`${id} ${version}`)
    // On the shared media, the response may include a later save by another writer, which keeps this title as well.
    const kept = revision && (id === site.shared || revision.action === action)
    const text = snapshotIn(revision?.snapshot)[language]?.title
    expect(Boolean(kept) && text === title, `lost: ${action} of ${id}, version ${version}: ${title}; there: ${text}`)
  }
  for (const row of entities) {
    const [own, id] = [byEntity.get(row._id) ?? [], String(row._id)]
    const versions = own.map(({ version }) => version)
    expect(
      versions.every((version, index) => version === index + 1),
      `gap in the revisions of ${id}: ${versions.join(' ')}`,
    )
    expect(row.version === versions.length, `${id} has version ${row.version} but ${versions.length} revisions`)
    const texts = textsIn(row.translations)
    expect(same(texts, snapshotIn(own.at(-1)?.snapshot)), `${id} differs from its last revision`)
    const titles = Object.entries(texts).map(([language, { title }]) => `${language} ${title}`)
    const found = [...new Set((labelsOf.get(row._id) ?? []).map(({ language, text }) => `${language} ${text}`))]
    expect(
      same(found.toSorted(), row.deletedAt === null ? titles.toSorted() : []),
      `labels of ${id}: ${found.join(', ')}`,
    )
    // A large batch is a single activity.
    const [seen, alone] = [activitiesOf.get(row._id)?.length ?? 0, own.filter(({ batch }) => batch === null).length]
    expect(seen >= alone && seen <= versions.length, `activities of ${id}: ${seen}`)
  }
  for (const { _id, action, paths, snapshot } of revisions) {
    const changed = (JSON.parse(String(paths)) as string[]).filter((path) => /^translations\..*\.title$/.test(path))
    const titles = changed.map((path) => snapshotIn(snapshot)[path.split('.')[1] ?? '']?.title ?? '')
    const kept = (cellsOf.get(_id) ?? []).map(({ newValue }) => String(newValue))
    expect(same(kept.toSorted(), action === 'update' ? titles.toSorted() : []), `history of revision ${_id}`)
  }
  expect(byEntity.size === entities.length, 'a revision without its entity')

  const counters = new Map((await site.read(COUNTERS)).map(({ name, value }) => [name, value]))
  const present = entities.filter(({ deletedAt }) => deletedAt === null).length
  expect(counters.get('mediaCount') === present, `mediaCount is ${counters.get('mediaCount')}, there are ${present}`)
  for (const tag of await site.read('SELECT "_id", "type", "usageCount", "mediaCount" FROM "tags"')) {
    const uses = links.filter(({ toId }) => toId === tag._id).length
    const kept = [tag.usageCount, tag.mediaCount, counters.get(`tagUsage.${tag.type}`) ?? 0]
    expect(
      kept.every((each) => each === uses),
      `the ${tag.type} tag counts ${kept.join(' ')}, has ${uses} uses`,
    )
  }
  if (!site.env.DATABASE_URL) {
    const [check] = await site.read('PRAGMA integrity_check')
    expect(check?.integrity_check === 'ok', `integrity check: ${String(check?.integrity_check)}`)
  }
  return faults
}

/** What was promised in this round must also be readable over HTTP, with the earlier session. */
async function unreadable(site: Site, server: Running, since: number): Promise<string[]> {
  const call = callOn(server, site.token)
  const last = new Map(site.promises.slice(since).map((each) => [each.id, each]))
  const faults: string[] = []
  for (const { id, action, version, language, title } of [...last.values()].slice(-20)) {
    const found = await call(mediaApi.find, { id }).catch((error: Error) => error)
    if (action === 'delete') {
      // Its restore may have been stored without a response.
      if (found instanceof Error && !(found instanceof ApiError && found.status === 404)) faults.push(found.message)
    } else if (found instanceof Error) {
      // A delete may have been stored without a response.
      const latest = `SELECT "action" FROM "revisions" WHERE "entityId" = '${id}' ORDER BY "version" DESC LIMIT 1`
      if ((await site.read(latest))[0]?.action !== 'delete') faults.push(`${id} cannot be read: ${found.message}`)
    } else if (
      found.version < version ||
      (id !== site.shared && found.version === version && found.translations[language]?.title !== title)
    )
      faults.push(`${id} reads as version ${found.version}, promised ${version}`)
  }
  return faults
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

type Texts = Record<string, { title: string }>

const textsIn = (json: unknown): Texts => JSON.parse(typeof json === 'string' ? json : '{}') as Texts
const snapshotIn = (json: unknown): Texts => (textsIn(json) as { translations?: Texts }).translations ?? {}

/** Reconstructs the snapshots of an entity's revisions, in order, from their deltas. */
function fillIn(own: Row[]): void {
  let before: Parameters<typeof withDelta>[0] = {}
  for (const row of own) {
    before = row.delta === null ? JSON.parse(String(row.snapshot)) : withDelta(before, JSON.parse(String(row.delta)))
    row.snapshot = JSON.stringify(before)
  }
}

/** Reads the database directly, bypassing the server. */
export const readerOf =
  (folder: string, url: string | undefined) =>
  (query: string): Promise<Row[]> =>
    url ? queryPostgres<Row>(url, query) : embedded(folder, query, true)

function embedded(folder: string, query: string, readOnly: boolean): Promise<Row[]> {
  const file = new DatabaseSync(join(folder, 'catalogue.sqlite'), { readOnly, timeout: 10_000 })
  const rows = file.prepare(query).all() as Row[]
  file.close()
  return Promise.resolve(rows)
}
