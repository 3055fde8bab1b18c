// The baseline of the benchmark: a minimal server with only node:http and prepared statements. It sends the same bytes
// from the same database, without a framework, validation, sign-in, history, links, search index or metrics.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import { newId } from '../server/src/lib/ids.ts'
import { compact, fold } from '../server/src/search/fold.ts'

type Value = string | number | null
type Query = <Row extends object>(text: string, values: Value[]) => Promise<Row[]> | Row[]

/** A row as stored in the table: documents as JSON text, booleans as numbers. */
interface Media extends Record<'_id' | 'createdAt' | 'updatedAt' | 'mediaType' | 'releaseDate' | 'cover', string> {
  version: number
  translations: string
  originalTitle: string | null
  isOngoing: number
  duration: number | null
  episodes: number | null
  averageRating: number
  ratingCount: number
  characters: string
  tags: string
  assets: string
  relatedMedia: string
  ratingHistogram: string
  createdBy: string | null
}
type Tag = Record<'_id' | 'type' | 'color' | 'translations', string>
type Asset = Record<'_id' | 'type' | 'storageKey', string>
type Label = Record<'entityId' | 'language' | 'text' | 'compact', string>

/** A database engine. Queries have `?` as placeholders. */
interface Engine {
  query: Query
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** An SQL condition: the column is one of the ids in a JSON array, given as one parameter. */
  among: string
}

const { DATA_DIR = '', DATABASE_URL, PORT } = process.env
const { query, transaction, among }: Engine = DATABASE_URL
  ? postgres(DATABASE_URL)
  : sqlite(join(DATA_DIR, 'catalogue.sqlite'))

const server = createServer((request, response) => void respond(request, response))
// The same as the real server's: idle connections must not close while the other server is being measured.
server.keepAliveTimeout = 125_000
server.listen(Number(PORT), '127.0.0.1', () => process.stdout.write('bare is ready on its port\n'))

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, etag, body } = await answer(request)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, etag === undefined ? headers : { ...headers, etag: `"${etag}"` }).end(body)
}

async function answer(request: IncomingMessage): Promise<{ status: number; etag?: number; body: string }> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
  if (pathname === '/api/findings') return { status: 200, body: JSON.stringify(await findings()) }
  if (pathname === '/api/media/bulk') return { status: 200, body: JSON.stringify(await preview(await bodyOf(request))) }
  if (pathname === '/api/media') return { status: 200, body: JSON.stringify(await list(searchParams)) }
  if (pathname === '/api/search')
    return { status: 200, body: JSON.stringify(await search(searchParams.get('q') ?? '')) }
  const id = pathname.slice('/api/media/'.length)
  if (request.method === 'PUT') await save(id, await bodyOf(request), Number(request.headers['if-match']?.slice(1, -1)))
  const found = await find(id)
  return found ? { status: 200, etag: found.version, body: JSON.stringify(found) } : { status: 412, body: '{}' }
}

async function list(asked: URLSearchParams) {
  const sort = asked.get('sort') ?? '-createdAt'
  const [column, direction] = [sort.replace('-', ''), sort.startsWith('-') ? 'DESC' : 'ASC']
  const [type, isOngoing] = [asked.get('type'), asked.get('isOngoing')]
  const values: Value[] = []
  let where = '"deletedAt" IS NULL'
  if (type) {
    where += ' AND "mediaType" = ?'
    values.push(type)
  }
  if (isOngoing) {
    where += ' AND "isOngoing" = ?'
    values.push(isOngoing === 'true' ? 1 : 0)
  }
  const [finding, tag] = [asked.get('finding'), asked.get('tags')]
  if (finding) {
    where += ` AND "_id" IN (SELECT "entityId" FROM "findings" WHERE "entityType" = 'Media' AND "code" = ?)`
    values.push(finding)
  }
  if (tag) {
    where += ` AND "_id" IN (SELECT "fromId" FROM "links" WHERE "toId" = ? AND "field" = 'tags')`
    values.push(tag)
  }
  if (asked.has('hasCover')) where += ` AND "cover" ${asked.get('hasCover') === 'true' ? '<>' : '='} ''`
  // The real server counts the matches of a filter up to the same limit.
  if (finding || tag)
    await query(`SELECT count(*) FROM (SELECT 1 FROM "media" WHERE ${where} LIMIT 10001) AS "some"`, values)
  const order = (table: string) => `ORDER BY ${table}"${column}" ${direction}, ${table}"_id" ${direction}`
  const page = `SELECT "_id" FROM "media" WHERE ${where} ${order('')} LIMIT ? OFFSET ?`
  values.push(10, (Number(asked.get('page') ?? 1) - 1) * 10)
  return shown(
    await query<Media>(`SELECT m.* FROM (${page}) p JOIN "media" m ON m."_id" = p."_id" ${order('m.')}`, values),
  )
}

async function find(id: string) {
  const rows = await query<Media>('SELECT * FROM "media" WHERE "_id" = ? AND "deletedAt" IS NULL', [id])
  const [row] = rows
  const [media] = await shown(rows)
  if (!media || !row) return undefined
  return {
    ...media,
    relatedMedia: await byIds(row.relatedMedia),
    characterCount: (JSON.parse(row.characters) as string[]).length,
    ratingHistogram: JSON.parse(row.ratingHistogram) as number[],
  }
}

/** The number of media with each finding. */
async function findings() {
  const text = 'SELECT "name", "value" FROM "counters" WHERE "name" >= ? AND "name" < ? ORDER BY "name" LIMIT 1000'
  const rows = await query<{ name: string; value: number }>(text, ['findingCount.Media.', 'findingCount.Media.~'])
  return rows.map(({ name, value }) => ({ code: name.split('.')[2], language: name.split('.')[3], count: value }))
}

/** The preview of adding a tag to some media. */
async function preview(body: string) {
  const { ids, change } = JSON.parse(body) as { ids: string[]; change: { addTags: string[] } }
  const rows = await query<Media>(`SELECT * FROM "media" WHERE "_id" ${among} AND "deletedAt" IS NULL`, [
    JSON.stringify(ids),
  ])
  const [had, lacking] = [[] as string[], [] as string[]]
  for (const { _id, tags } of rows)
    ((JSON.parse(tags) as string[]).includes(change.addTags[0] ?? '') ? had : lacking).push(_id)
  return { changes: { count: lacking.length, ids: lacking }, unchanged: { count: had.length, ids: had } }
}

/** The media with the ids in a JSON array, in that order. */
async function byIds(ids: string) {
  if (ids === '[]') return []
  const found = await shown(
    await query<Media>(`SELECT * FROM "media" WHERE "_id" ${among} AND "deletedAt" IS NULL`, [ids]),
  )
  const byId = new Map(found.map((each) => [each._id, each]))
  return (JSON.parse(ids) as string[]).flatMap((id) => byId.get(id) ?? [])
}

/** Converts rows to the contract's MediaRow, with their tags and covers. */
async function shown(rows: Media[]) {
  const tagsOf = rows.map((row) => JSON.parse(row.tags) as string[])
  const [tags, covers] = await Promise.all([
    query<Tag>(
      `SELECT "_id", "type", "color", "translations" FROM "tags" WHERE "_id" ${among} AND "deletedAt" IS NULL`,
      [JSON.stringify([...new Set(tagsOf.flat())])],
    ),
    query<Asset>(`SELECT "_id", "type", "storageKey" FROM "assets" WHERE "_id" ${among} AND "deletedAt" IS NULL`, [
      JSON.stringify(rows.map(({ cover }) => cover)),
    ]),
  ])
  const tagOf = new Map(
    tags.map(({ _id, type, color, translations }) => [
      _id,
      { _id, type, color, translations: JSON.parse(translations) as object },
    ]),
  )
  const coverOf = new Map(
    covers.map(({ _id, type, storageKey }) => {
      const url = `/files/${storageKey}`
      return [_id, { _id, url, ...(type === 'IMAGE' && { thumbnail: `${url}?size=small` }) }]
    }),
  )
  return rows.map((row, at) => ({
    _id: row._id,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    mediaType: row.mediaType,
    translations: JSON.parse(row.translations) as object,
    originalTitle: row.originalTitle ?? undefined,
    isOngoing: row.isOngoing === 1,
    releaseDate: row.releaseDate,
    duration: row.duration ?? undefined,
    episodes: row.episodes ?? undefined,
    averageRating: row.averageRating,
    ratingCount: row.ratingCount,
    characters: JSON.parse(row.characters) as string[],
    tags: tagsOf[at]?.flatMap((id) => tagOf.get(id) ?? []),
    cover: coverOf.get(row.cover) ?? '',
    assets: JSON.parse(row.assets) as string[],
    createdBy: row.createdBy ?? undefined,
  }))
}

/** Prefix search only; the real server also matches inside words, and tolerates typos. */
async function search(q: string) {
  const from = compact(fold(q))
  const labels = await query<Label>(
    'SELECT "entityId", "language", "text", "compact" FROM "labels" ' +
      'WHERE "kind" = ? AND "compact" >= ? AND "compact" < ? ORDER BY "compact", "entityId" LIMIT 10',
    ['Media', from, `${from}\u{10ffff}`],
  )
  const media = await byIds(JSON.stringify([...new Set(labels.map(({ entityId }) => entityId))]))
  const matchOf = new Map(labels.map((label) => [label.entityId, label]))
  const hits = media.map(({ _id, translations, originalTitle, cover }) => {
    const { text, language, compact: folded } = matchOf.get(_id) ?? { text: '', language: '', compact: '' }
    return {
      _id,
      translations,
      originalTitle,
      cover,
      match: { text, language, kind: folded === from ? 'exact' : 'prefix' },
    }
  })
  return { status: 'ready', hits }
}

const FIELDS = ['mediaType', 'translations', 'isOngoing', 'releaseDate', 'tags']
const UPDATE =
  `UPDATE "media" SET ${FIELDS.map((field) => `"${field}" = ?`).join()}, "version" = "version" + 1, "updatedAt" = ? ` +
  'WHERE "_id" = ? AND "version" = ?'
const REVISION =
  'INSERT INTO "revisions" ("_id", "entityType", "entityId", "version", "action", "origin", "userId", "username", ' +
  '"paths", "snapshot", "createdAt") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'

/** Updates the row and inserts its revision, as durably as the real server does. */
async function save(id: string, body: string, version: number): Promise<void> {
  const input = JSON.parse(body) as Record<string, string | boolean | object>
  const at = new Date().toISOString()
  const values = FIELDS.map((field) => {
    const value = input[field]
    return typeof value === 'object'
      ? JSON.stringify(value)
      : typeof value === 'boolean'
        ? Number(value)
        : String(value)
  })
  await transaction(async (run) => {
    await run(UPDATE, [...values, at, id, version])
    const revision = [newId(), 'Media', id, version + 1, 'update', 'person', 'bare', 'bare', '[]', body, at]
    await run(REVISION, revision)
  })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function sqlite(path: string): Engine {
  const file = new DatabaseSync(path)
  file.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000')
  file.exec('PRAGMA cache_size=-65536; PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY')
  const statements = new Map<string, StatementSync>()
  const run = <Row extends object>(text: string, values: Value[]): Row[] => {
    let statement = statements.get(text)
    if (!statement) statements.set(text, (statement = file.prepare(text)))
    return statement.all(...(values as SQLInputValue[])) as Row[]
  }
  return {
    query: run,
    // Transactions cannot interleave, because queries are synchronous.
    transaction: async (work) => {
      file.exec('BEGIN IMMEDIATE')
      const result = await work(run)
      file.exec('COMMIT')
      return result
    },
    among: 'IN (SELECT value FROM json_each(?))',
  }
}

function postgres(url: string): Engine {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const names = new Map<string, { name: string; text: string }>()
  const named = (text: string) => {
    let known = names.get(text)
    if (!known) {
      let count = 0
      names.set(text, (known = { name: `q${names.size}`, text: text.replace(/\?/g, () => `$${++count}`) }))
    }
    return known
  }
  return {
    query: async (text, values) => (await pool.query({ ...named(text), values })).rows,
    transaction: async (work) => {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        const result = await work(async (text, values) => (await client.query({ ...named(text), values })).rows)
        await client.query('COMMIT')
        return result
      } finally {
        client.release()
      }
    },
    among: '= ANY (SELECT json_array_elements_text(?::json))',
  }
}
