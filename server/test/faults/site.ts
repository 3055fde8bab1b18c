// Shared by the fault tests: requests over a real connection, and a check that rows and files are consistent.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { authApi } from '@mokuroku/contract/auth'
import { afterAll, beforeAll } from 'vitest'
import { keysOf, originalKey } from '../../src/assets/keys.ts'
import { ADMIN, aSite, callOn, type Row, type Site } from '../crash.ts'
import { COUNTERS } from '../counters.ts'
import { mediaInput } from '../factories.ts'
import { postgres } from '../postgres.ts'
import { HANG_MS, type Running, startServer } from '../process.ts'

/** The number of rounds of a kill test: `few` are enough to notice what broke; FAULT_ROUNDS sets another number. */
export const rounds = (count: number): number => Number(process.env.FAULT_ROUNDS ?? count)

export const signIn = async (server: Running, as = ADMIN): Promise<string> =>
  (await callOn(server)(authApi.login, { body: as })).token

interface Answer {
  status: number
  body: Record<string, unknown> & { _id: string; message: string; code: string; version: number; status: string }
}

/**
 * Sends a request and returns the response, errors included. Rejects if there is no response, and says how the server
 * ended if it did.
 */
export async function ask(
  server: Running,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isRaw = body instanceof FormData || body instanceof Uint8Array
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    signal: AbortSignal.timeout(HANG_MS),
  }).catch(async (error: unknown) => {
    const ended = await Promise.race([server.ended, sleep(100)])
    throw ended ? new TypeError(`${String(error)}; the server has ended: ${JSON.stringify(ended)}`) : error
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as never) : ({} as never) }
}

export const metricsOf = async ({ url }: Running): Promise<string> => (await fetch(`${url}/metrics`)).text()

/** Large enough not to fit on a full disk. */
export const LONG = 'A description that needs room. '.repeat(1500)

/** Saves a media item, by default a large one. */
export const saved = (server: Running, token: string, text = LONG): Promise<Answer> =>
  ask(server, token, 'POST', '/api/media', mediaInput({ translations: { en: { title: 'Large', description: text } } }))

/** A site with its data folder on a disk of its own, its server, and a token. */
export async function siteOn(folder: string): Promise<{ site: Site; server: Running; token: string }> {
  const site = await aSite(postgres, join(folder, 'data'))
  const server = (site.server = await startServer(site.env))
  return { site, server, token: await signIn(server) }
}

export const aForm = (content: Uint8Array, name: string): FormData => {
  const form = new FormData()
  form.append('file', new File([content as BlobPart], name))
  return form
}

/** Uploads a file in parts of `size` bytes, in place of that of the asset `replaces`; returns the response to the last part. */
export async function inParts(
  server: Running,
  token: string,
  content: Uint8Array,
  name: string,
  size: number,
  replaces?: string,
): Promise<Answer> {
  const body = { filename: name, size: content.length, ...(replaces && { replaces: { _id: replaces } }) }
  const started = await ask(server, token, 'POST', '/api/uploads', body)
  if (started.status !== 201) return started
  return appended(server, token, started.body._id, content, size)
}

export async function appended(
  server: Running,
  token: string,
  id: string,
  content: Uint8Array,
  size: number,
  from = 0,
): Promise<Answer> {
  let last: Answer = { status: 0, body: {} as never }
  for (let at = from; at < content.length; at += size) {
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) }
    last = await ask(server, token, 'PATCH', `/api/uploads/${id}`, content.subarray(at, at + size), headers)
    if (last.status !== 200) return last
  }
  return last
}

/** Waits until `there` returns something, and fails with `what` if it does not in time. */
export async function until<T>(what: string, there: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + HANG_MS
  for (;;) {
    const found = await there()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`It did not come to this in time: ${what}`)
    await sleep(50)
  }
}

/** Waits until no asset is being processed any more. */
export const settled = (site: Pick<Site, 'read'>): Promise<true> =>
  until('every asset is ready or has failed', async () => {
    const open = await site.read(`SELECT "_id" FROM "assets" WHERE "status" IN ('PENDING', 'PROCESSING')`)
    return open.length === 0
  })

/** Inconsistencies between the assets, the files in the data folder, and the counters. Nothing may be in progress. */
export async function faultsOfFiles({ env, read }: Pick<Site, 'env' | 'read'>): Promise<string[]> {
  const faults: string[] = []
  const files = join(env.DATA_DIR ?? '', 'files')
  const names = existsSync(files) ? readdirSync(files).filter((name) => name !== 'incoming') : []
  const coming = existsSync(join(files, 'incoming')) ? readdirSync(join(files, 'incoming')) : []
  const [rows, revisions, sessions, removals] = await Promise.all(
    [
      'SELECT * FROM "assets"',
      `SELECT "snapshot" FROM "revisions" WHERE "entityType" = 'Asset'`,
      'SELECT "_id" FROM "uploads" WHERE "assetId" IS NULL',
      'SELECT "key" FROM "removals"',
    ].map((query) => read(query)),
  )
  for (const row of rows ?? []) faults.push(...faultsOfAsset(files, row))
  const known = [
    ...(revisions ?? []).map(({ snapshot }) => (JSON.parse(String(snapshot)) as { storageKey: string }).storageKey),
    ...(removals ?? []).map(({ key }) => String(key)),
  ]
  const owned = new Set(known.flatMap(keysOf))
  faults.push(...names.filter((name) => !owned.has(name)).map((name) => `nobody's file: ${name}`))
  const open = new Set((sessions ?? []).map(({ _id }) => `${_id}.part`))
  faults.push(...coming.filter((name) => !open.has(name)).map((name) => `left in incoming: ${name}`))
  return [...faults, ...(await faultsOfCounters(read, rows ?? []))]
}

function faultsOfAsset(files: string, { _id, type, status, storageKey, contentHash, size }: Row): string[] {
  const key = String(storageKey)
  if (status !== 'READY') return [`asset ${_id} is ${status}`]
  const missing = keysOf(key).filter((name) => !name.startsWith('medium-') && !existsSync(join(files, name)))
  const optional = type === 'IMAGE' ? [] : keysOf(key).slice(1)
  const faults = missing.filter((name) => !optional.includes(name)).map((name) => `asset ${_id} lacks ${name}`)
  if (type !== 'IMAGE' || faults.length > 0) return faults
  const original = readFileSync(join(files, originalKey(key)))
  const hash = createHash('sha256').update(original).digest('hex')
  return hash === contentHash && original.length === size ? [] : [`the file of asset ${_id} is not what was sent`]
}

async function faultsOfCounters(read: Site['read'], assets: Row[]): Promise<string[]> {
  const counters = new Map((await read(COUNTERS)).map(({ name, value }) => [name, value]))
  const present = assets.filter(({ deletedAt }) => deletedAt === null)
  const right: [string, number][] = [
    ['assetCount', present.length],
    ['assetCount.IMAGE', present.filter(({ type }) => type === 'IMAGE').length],
    ['assetSize', present.reduce((sum, { size }) => sum + Number(size), 0)],
  ]
  return right.flatMap(([name, value]) =>
    (counters.get(name) ?? 0) === value ? [] : [`${name} is ${counters.get(name)}, should be ${value}`],
  )
}

/** Sets up a site with a server and a token in a file's `beforeAll`; a restart replaces both. */
export function withSite() {
  const it = {} as { site: Site; server: Running; token: string }
  const start = async () => {
    it.server = await startServer(it.site.env)
    it.token = await signIn(it.server)
  }
  beforeAll(async () => {
    it.site = await aSite()
    await start()
  })
  afterAll(async () => {
    await it.server.end()
    await it.site.remove()
  })
  return {
    env: () => it.site.env,
    write: (statement: string) => it.site.write(statement),
    ask: (method: string, path: string, body?: unknown) => ask(it.server, it.token, method, path, body),
    /** The row of an asset. */
    rowOf: async (id: string): Promise<Row> => {
      const [row] = await it.site.read(`SELECT * FROM "assets" WHERE "_id" = '${id}'`)
      if (!row) throw new Error(`No asset ${id}`)
      return row
    },
    /** Kills the server, as in a power cut, and restarts it after `meanwhile`. */
    restarted: async (meanwhile: () => Promise<unknown>): Promise<void> => {
      await it.server.end('SIGKILL')
      await meanwhile()
      await start()
    },
  }
}
