import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysOf } from '../../src/assets/keys.ts'
import { aBucket } from '../bucket.ts'
import { aSite, type Site } from '../crash.ts'
import { aPicture } from '../files.ts'
import { type Running, startServer } from '../process.ts'
import { aForm, ask, rounds, settled, signIn, until } from './site.ts'

const MESSAGE = 'File storage is unavailable.'
let site: Site
let bucket: Awaited<ReturnType<typeof aBucket>>
let server: Running
let token: string

beforeAll(async () => {
  bucket = await aBucket()
  site = await aSite()
  site.env = { ...site.env, ...bucket.env, LOG_LEVEL: 'silent' }
  server = site.server = await startServer(site.env)
  token = await signIn(server)
})
afterAll(async () => {
  bucket.fail()
  await site.remove()
  await bucket.stop()
})

const upload = async () => ask(server, token, 'POST', '/api/assets', aForm(await aPicture(400, 300), 'a.png'))
const rows = async () => (await site.read('SELECT "_id" FROM "assets"')).length

test('refuses uploads with a clear message while the bucket is down, and recovers by itself', async () => {
  await bucket.stop()
  const before = await rows()
  expect(await upload()).toMatchObject({ status: 503, body: { message: MESSAGE } })
  expect(await rows()).toBe(before)
  expect((await ask(server, token, 'GET', '/api/assets')).status).toBe(200)
  await bucket.start()
  expect((await upload()).status).toBe(201)
})

test('waits for a slow bucket', async () => {
  bucket.fail({ kind: 'late', method: 'PUT', times: 1 })
  expect((await upload()).status).toBe(201)
})

test('times out on a bucket that never responds, and recovers when it does', async () => {
  const { _id } = (await upload()).body
  await settled(site)
  const { url } = (await ask(server, token, 'GET', `/api/assets/${_id}`)).body
  bucket.fail({ kind: 'silence', times: Infinity })
  const [sent, seen] = await Promise.all([upload(), ask(server, token, 'GET', String(url))])
  expect([sent.status, seen.status]).toEqual([503, 503])
  expect(sent.body.message).toBe(MESSAGE)
  bucket.fail()
  expect((await ask(server, token, 'GET', String(url))).status).toBe(200)
  expect((await upload()).status).toBe(201)
})

test('leaves consistent rows and objects if killed during uploads into a bucket', async () => {
  for (let each = 0; each < rounds(2); each++) {
    const work = async () => {
      for (;;) await upload()
    }
    const stopped = work().catch((error: unknown) => error)
    await sleep(randomInt(20, 400))
    await server.end('SIGKILL')
    await stopped
    server = site.server = await startServer(site.env)
    await settled(site)
    // Files that nothing refers to are scheduled for deletion, and deleted after the start.
    await until('what was noted is gone', async () => (await site.read('SELECT "key" FROM "removals"')).length === 0)
    const kept = await site.read('SELECT "storageKey", "status" FROM "assets"')
    expect(kept.filter(({ status }) => status !== 'READY')).toEqual([])
    const named = kept.map(({ storageKey }) => keysOf(String(storageKey)).filter((key) => !key.startsWith('medium-')))
    expect([...bucket.objects.keys()].toSorted()).toEqual(named.flat().toSorted())
  }
}, 600_000)

test('stops in time while the bucket hangs, and finishes the pending files after the next start', async () => {
  // The upload itself is stored, but none of the images rendered from it.
  bucket.fail({ kind: 'late', method: 'PUT', times: 1 }, { kind: 'silence', times: Infinity })
  const { status, body } = await upload()
  expect(status).toBe(201)
  // A shutdown that takes too long ends with an error.
  expect(await server.end()).toMatchObject({ code: 0, errors: '' })
  bucket.fail()
  server = site.server = await startServer(site.env)
  await settled(site)
  expect((await ask(server, token, 'GET', `/api/assets/${body._id}`)).body.status).toBe('READY')
})
