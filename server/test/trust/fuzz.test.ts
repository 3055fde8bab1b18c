// Whatever is sent, the server responds properly and keeps running. Each engine gets half of the inputs, with its own
// seed. For a longer run: FUZZ_RUNS=500 FUZZ_SEED=$RANDOM.
import { mediaApi } from '@mokuroku/contract/media'
import type { Route } from '@mokuroku/contract/route'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { ErrorAnswer } from '#http/openapi.ts'
import { SYSTEM } from '#access/permissions.ts'
import { TABLES } from '#database/tables.ts'
import { media } from '#store/media'
import { useModel, withReferences } from '#test/ai.ts'
import { app, signedIn, withApp } from '#test/app.ts'
import { anilistPage, json, withCatalogues } from '#test/catalogues.ts'
import { aCharacter, aMedia, aRating, aTag, aTier, aUser, mediaInput } from '#test/factories.ts'
import { verify } from '../../src/admin/verify.ts'
import { endpoints } from '../../src/app.ts'
import { expectDescribed } from './described.ts'
import { ask, listening } from './rawClient.ts'
import { callsOf, type Sent } from './malformedCalls.ts'
import { anAsset } from './entities.ts'

withApp()
withReferences()
const catalogues = await withCatalogues()

const RUNS = Number(process.env.FUZZ_RUNS ?? 10)
const seed = Number(process.env.FUZZ_SEED ?? (process.env.ENGINE === 'postgres' ? 20_261_122 : 20_261_121))
/** Timeout of a call on a busy machine, in milliseconds. */
const TIMEOUT_MS = 15_000

type Client = Awaited<ReturnType<typeof signedIn>>
let clients: Record<'admin' | 'user', Client>
let ids: string[]

beforeAll(async () => {
  clients = { admin: await signedIn(), user: await signedIn({ role: 'user' }) }
  catalogues.answer({ anilist: json(anilistPage()), kitsu: json({ data: [] }) })
  ids = await things()
})

/** Ids of entities of every kind, but none of the callers. */
async function things(): Promise<string[]> {
  const by = { who: 'admin' as const, address: '', ...clients.admin }
  const made: string[] = []
  for (let each = 0; each < 3; each++) {
    const tag = await aTag()
    const { _id } = await aMedia({ tags: [tag] })
    await media.update(_id, { translations: mediaInput().translations }, { actor: SYSTEM })
    const character = await aCharacter({ mediaRefs: [_id] })
    const [asset, failed] = [await anAsset(by), await anAsset(by, 'ERROR')]
    const { _id: user } = await aUser()
    made.push(tag, _id, character, asset, failed, await aRating(_id, 5), user, await aTier(each + 1, {}))
  }
  const parts = await db.selectFrom('revisions').select('_id').where('entityId', 'in', made).execute()
  const changes = await db.selectFrom('history').select('_id').execute()
  return [...made, ...[...parts, ...changes].map(({ _id }) => _id)]
}

// Left out, since they end the callers' sessions, which other tests cover.
const ENDS = new Set(['POST /api/auth/logout'])
const routes = endpoints
  .map(({ route }) => [`${route.method} ${route.path}`, route] as const)
  .filter(([name]) => !ENDS.has(name))

async function send(route: Route, { url, headers: given, payload }: Sent, token: string) {
  const sent = { authorization: `Bearer ${token}`, ...given }
  if (route.stream) return sendAndRead(route.method, url, sent, payload)
  const answer = await app.inject({
    method: route.method,
    url,
    headers: sent,
    ...(payload && { payload }),
  })
  expectDescribed(route, { status: answer.statusCode, headers: answer.headers, text: answer.body })
  return { status: answer.statusCode, text: answer.body }
}

/** Uses a real connection and reads only for a moment, since a stream may never end. */
async function sendAndRead(method: string, url: string, given: Record<string, string>, payload?: Buffer) {
  const leaving = new AbortController()
  const body = method === 'GET' || !payload ? undefined : new Uint8Array(payload)
  const answer = await fetch((await listening()) + url, { method, headers: given, signal: leaving.signal, body })
  const leave = setTimeout(() => leaving.abort(), 200)
  const text = await answer.text().catch(() => '')
  clearTimeout(leave)
  return { status: answer.status, text }
}

/** What no response may contain: hashes, secrets, SQL, and stack traces. */
const LEAKS =
  /\$argon2|passwordHash|only the tests know|insert into "|select .* from "|update "\w+" set|SQLITE_|sqlite error|syntax error at|invalid byte sequence|out of range for type|\n\s+at .+:\d+:\d+|node_modules|\/src\/\w+\/|\.ts:\d+/i

async function withinReason(route: Route, sent: Sent, token: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const slow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer in ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
  })
  const { status, text } = await Promise.race([send(route, sent, token), slow]).finally(() => clearTimeout(timer))
  expect(text).not.toMatch(LEAKS)
  // A 502 is fine if it comes from an external host: a given URL may point nowhere.
  const isElsewhere = status === 502 && /"code":"(outside|ai)\./.test(text)
  expect(status, `of ${text.slice(0, 300)}`).toBeLessThan(isElsewhere ? 503 : 500)
  if (status >= 400) {
    const answer = ErrorAnswer.parse(JSON.parse(text))
    expect(answer.message).not.toBe('')
  }
}

describe('class 15: injection and malformed input', () => {
  describe.each(['admin', 'user'] as const)('from a signed-in %s', (who) => {
    test.each(routes)('%s', { timeout: 600_000 }, async (_, route) => {
      const numRuns = who === 'admin' ? RUNS : Math.ceil(RUNS / 2)
      await fc.assert(
        fc.asyncProperty(callsOf(route, ids), (sent) => withinReason(route, sent, clients[who].token)),
        { seed, numRuns, interruptAfterTimeLimit: 500_000 },
      )
      if (route.path === '/api/settings') await useModel()
    })
  })
})

describe('after fuzzing', () => {
  test('everything stored can still be read, and new media can be created', async () => {
    const { admin } = clients
    for (const table of Object.values(TABLES).filter((each) => each !== 'settings')) {
      const rows = await db
        .selectFrom(table as 'media')
        .select('_id')
        .where('deletedAt', 'is', null)
        .execute()
      const area = table === 'tiers' ? 'score-permissions' : table
      for (const { _id } of rows) {
        const answer = await app.inject({
          url: `/api/${area}/${_id}`,
          headers: { authorization: `Bearer ${admin.token}` },
        })
        expect(answer.statusCode, `of ${answer.body.slice(0, 300)}`).toBe(200)
      }
    }
    for (const [, route] of routes.filter(([name]) => /^GET [^:]*$/.test(name)))
      if (!route.query && !route.stream) expect((await ask(route, {}, admin)).status).toBe(200)
    expect(Object.keys(Object.prototype)).toEqual([])
    const made = await admin.call(mediaApi.create, { body: mediaInput() })
    expect(await admin.call(mediaApi.find, { id: made._id })).toEqual(made)
    expect((await admin.call(mediaApi.list)).length).toBeGreaterThan(0)
  })

  test('verify finds counters, links, revisions, search and the audit log consistent', async () => {
    const said: string[] = []
    await verify({ repair: false, files: false }, (line) => void said.push(line))
    // The images of this test have no files.
    expect(said.filter((line) => !/: OK$|^files: /.test(line))).toEqual([])
    expect(said.length).toBeGreaterThan(5)
  })
})
