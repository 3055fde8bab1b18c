// Whatever is sent, the server answers it plainly, and goes on. A longer run: FUZZ_RUNS=500 FUZZ_SEED=$RANDOM.
import { BatchItem, SelectedMedia } from '@mokuroku/contract/ai'
import { Language, LongText, Ref, Title } from '@mokuroku/contract/common'
import { mediaApi, MediaInput } from '@mokuroku/contract/media'
import type { Route } from '@mokuroku/contract/route'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '#lib/db.ts'
import * as z from 'zod/mini'
import { ErrorAnswer, schemaOf } from '#lib/openapi.ts'
import { SYSTEM } from '#lib/may.ts'
import { TABLES } from '#lib/tables.ts'
import { useModel, withReferences } from '#test/ai.ts'
import { app, signedIn, withApp } from '#test/app.ts'
import { anilistPage, json, withCatalogues } from '#test/catalogues.ts'
import { aCharacter, aMedia, aRating, aTag, aTier, aUser, mediaInput } from '#test/factories.ts'
import { endpoints } from '../../src/app.ts'
import { ask, listening } from './ask.ts'
import { PIXEL } from './calls.ts'
import { STRINGS } from './nasty.ts'
import { encoded, fitting, nasty, queryOf, spoilt } from './shapes.ts'
import { anAsset } from './things.ts'
import { media } from '#store/media'

withApp()
withReferences()
const catalogues = await withCatalogues()

const RUNS = Number(process.env.FUZZ_RUNS ?? 10)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121)
/** How long a call may take, in milliseconds, on a machine that has other things to do as well. */
const PATIENCE = 15_000

type Client = Awaited<ReturnType<typeof signedIn>>
let clients: Record<'admin' | 'user', Client>
let ids: string[]

beforeAll(async () => {
  clients = { admin: await signedIn(), user: await signedIn({ role: 'user' }) }
  catalogues.answer({ anilist: json(anilistPage()), kitsu: json({ data: [] }) })
  ids = await things()
})

/** Ids of everything that there is, but of nobody who calls here. */
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

// What would end the sessions of those who call: that they end is another test's matter.
const ENDS = ['POST /api/auth/logout']
const routes = endpoints
  .map(({ route }) => [`${route.method} ${route.path}`, route] as const)
  .filter(([name]) => !ENDS.includes(name))

interface Sent {
  url: string
  body: unknown
  headers: Record<string, string>
  payload: Buffer | undefined
}

const KINDS = ['Media', 'Character', 'Tag', 'Asset', 'Rating', 'User', 'Tier', 'constructor', '__proto__', 'toString']
const part = (name: string): fc.Arbitrary<string> => {
  const usual = name === 'kind' ? fc.constantFrom(...KINDS) : fc.constantFrom(...ids)
  const odd = nasty.map((value) => (value === '' ? 'x' : value))
  return fc.oneof({ weight: 3, arbitrary: usual }, { weight: 2, arbitrary: odd }).map(encoded)
}

const Texts = z.object({ text: z.record(Language, z.object({ title: Title, description: LongText })) })
const { characters, tags, cover } = SelectedMedia.shape
const MIXED = { characters, tags, cover }
/** What the schema of a route takes as anything, and checks for itself. */
const INSIDE: Record<string, Route['body']> = {
  'PUT /api/translations/media/batch': z.array(BatchItem),
  'POST /api/ai/create-media': z.object({ ...MediaInput.shape, ...MIXED }),
  'GET /api/ai/process': Texts,
  'POST /api/ai/process': Texts,
  'POST /api/ai/process-standard': z.object({ text: z.array(z.object({ id: Ref, translations: Texts.shape.text })) }),
}

function schemasOf({ method, path, query, body }: Route): [object?, object?] {
  const inside = INSIDE[`${method} ${path}`]
  const [asked, sent] = [query && (inside ?? query), body && (inside ?? body)]
  return [asked && schemaOf(asked, 'input'), sent && schemaOf(sent, 'input')]
}

const header = fc.constantFrom('"1"', '"2"', 'W/"3"', '"999999999"', '"0"', '*', 'abc', '"-1"', '1, 2', ' ', '"1e9"')
const headers = fc.record(
  {
    'if-match': header,
    'ai-runs': fc.constantFrom('a,b', ',,,', 'x'.repeat(5000), '__proto__'),
    'last-event-id': fc.constantFrom('1', '-1', '1e308', 'NaN', '9007199254740993', 'x'.repeat(1000)),
    range: fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=a-b', `bytes=${'0-,'.repeat(500)}`),
    'x-forwarded-for': fc.constantFrom('1.2.3.4', '::1, x', 'x'.repeat(1000)),
    'accept-language': fc.constantFrom('zh', '*', 'x'.repeat(1000)),
  },
  { requiredKeys: [] },
)

/** A call of a route with something wrong in its path, its query, its headers or its body. */
function callsOf(route: Route): fc.Arbitrary<Sent> {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const [query, body] = schemasOf(route)
  return fc
    .record({
      parts: fc.tuple(...names.map(part)),
      query: query ? fc.oneof(spoilt(query, ids), fitting(query, ids)) : fc.oneof(fc.constant({}), nasty),
      body: body ? spoilt(body, ids) : fc.oneof(fc.constant(undefined), nasty),
      headers: fc.oneof(fc.constant({}), headers),
      file: route.upload ? files(route.upload) : fc.constant(undefined),
    })
    .map(({ parts, query: asked, body: sent, headers: given, file }) => {
      let at = 0
      const path = route.path.replaceAll(/:\w+/g, () => parts[at++] ?? '')
      const search = queryOf(asked)
      const type = file?.type ?? (sent === undefined ? undefined : 'application/json')
      return {
        url: search ? `${path}?${search}` : path,
        body: sent,
        headers: { ...given, ...(file?.headers ?? {}), ...(type && { 'content-type': type }) },
        payload: file?.bytes ?? (sent === undefined ? undefined : Buffer.from(JSON.stringify(sent) ?? '')),
      }
    })
}

const contents = fc.oneof(
  fc.constantFrom(
    PIXEL,
    PIXEL.subarray(0, 30),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    Buffer.from('RIFF\0\0\0\0WEBPVP8 '),
    Buffer.from('00000018667479706d703432', 'hex'),
    Buffer.alloc(0),
  ),
  fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
)

/** A file in a form that may be wrong, or a part of one at an offset that may be. */
function files(field: string) {
  const offset = fc.constantFrom('0', '-1', '1', '1e9', 'x', '9007199254740993')
  if (field === 'part')
    return fc.record({ bytes: contents, at: offset }).map(({ bytes, at }) => ({
      type: 'application/offset+octet-stream',
      bytes,
      headers: { 'upload-offset': at } as Record<string, string>,
    }))
  const named = fc.constantFrom(field, field, field, 'other', '__proto__')
  const filename = fc.oneof(fc.constant('a.png'), fc.constantFrom(...STRINGS))
  return fc
    .record({ bytes: contents, name: named, filename, extra: fc.constantFrom('', '', 'isPublic', '__proto__', 'then') })
    .map(({ bytes, name, filename: given, extra }) => {
      const field_ = extra ? `--X\r\ncontent-disposition: form-data; name="${extra}"\r\n\r\nfalse\r\n` : ''
      const head = `${field_}--X\r\ncontent-disposition: form-data; name="${name}"; filename="${given}"\r\n\r\n`
      return {
        type: 'multipart/form-data; boundary=X',
        bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--X--\r\n')]),
        headers: {} as Record<string, string>,
      }
    })
}

async function send(route: Route, { url, headers: given, payload }: Sent, token: string) {
  const sent = { authorization: `Bearer ${token}`, ...given }
  if (route.stream) return sendAndRead(route.method, url, sent, payload)
  const answer = await app.inject({
    method: route.method,
    url,
    headers: sent,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, text: answer.body }
}

/** Over a real connection, for a stream may have no end: a moment of it is enough. */
async function sendAndRead(method: string, url: string, given: Record<string, string>, payload?: Buffer) {
  const leaving = new AbortController()
  const body = method === 'GET' || !payload ? undefined : new Uint8Array(payload)
  const answer = await fetch((await listening()) + url, { method, headers: given, signal: leaving.signal, body })
  const leave = setTimeout(() => leaving.abort(), 200)
  const text = await answer.text().catch(() => '')
  clearTimeout(leave)
  return { status: answer.status, text }
}

/** What no answer may hold, whatever was asked: hashes, secrets, SQL, and where in the program it happened. */
const LEAKS =
  /\$argon2|passwordHash|only the tests know|insert into "|select .* from "|update "\w+" set|SQLITE_|sqlite error|syntax error at|invalid byte sequence|out of range for type|\n\s+at .+:\d+:\d+|node_modules|\/src\/\w+\/|\.ts:\d+/i

async function withinReason(route: Route, sent: Sent, token: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const slow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer in ${PATIENCE} ms`)), PATIENCE)
  })
  const { status, text } = await Promise.race([send(route, sent, token), slow]).finally(() => clearTimeout(timer))
  expect(text).not.toMatch(LEAKS)
  // What another host says is not for us to choose: an address that was given may be of none.
  const isElsewhere = status === 502 && /"code":"(outside|ai)\./.test(text)
  expect(status, text.slice(0, 300)).toBeLessThan(isElsewhere ? 503 : 500)
  if (status >= 400) {
    const answer = ErrorAnswer.parse(JSON.parse(text))
    expect(answer.message).not.toBe('')
  }
}

describe('class 15: injection, and every other input that nobody sends by accident', () => {
  describe.each(['admin', 'user'] as const)('from a signed-in %s', (who) => {
    test.each(routes)('%s', { timeout: 600_000 }, async (_, route) => {
      const numRuns = who === 'admin' ? RUNS : Math.ceil(RUNS / 2)
      await fc.assert(
        fc.asyncProperty(callsOf(route), (sent) => withinReason(route, sent, clients[who].token)),
        { seed, numRuns, interruptAfterTimeLimit: 500_000 },
      )
      if (route.path === '/api/settings') await useModel()
    })
  })
})

describe('afterwards', () => {
  test('everything that is kept can still be read, found and written', async () => {
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
        expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
      }
    }
    for (const [, route] of routes.filter(([name]) => /^GET [^:]*$/.test(name)))
      if (!route.query && !route.stream) expect((await ask(route, {}, admin)).status).toBe(200)
    const made = await admin.call(mediaApi.create, { body: mediaInput() })
    expect(await admin.call(mediaApi.find, { id: made._id })).toEqual(made)
    expect((await admin.call(mediaApi.list)).length).toBeGreaterThan(0)
  })
})

afterAll(() => expect(Object.keys(Object.prototype)).toEqual([]))
