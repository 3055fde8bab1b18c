import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { assetsApi } from '@mokuroku/contract/assets'
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { DAY_MS } from '#lib/clock.ts'
import { assets } from '#store/assets'
import { app, idle, jobOf, keepIn, signedIn, withApp } from '#test/app.ts'
import { aBucket } from '#test/bucket.ts'
import { aPicture, aSound, keptKeys, send } from '#test/files.ts'
import { refusedStart, startServer } from '#test/process.ts'
import { openBucket } from './bucket.ts'
import { openStorage, storage } from './storage.ts'

const MB = 1024 * 1024
const HOUR_MS = 3_600_000
const REFUSED = /^[^\n]+ refuses this access\. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY\.$/
const service = await aBucket()
keepIn(service.bucket)
withApp()
const folder = mkdtempSync(join(tmpdir(), 'mokuroku-bucket-'))
beforeEach(() => {
  service.fail()
  service.calls.length = 0
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A received file in the incoming folder. */
async function arrived(content: Buffer): Promise<string> {
  const file = storage.incoming(`test-${randomBytes(4).toString('hex')}`)
  await writeFile(file, content)
  return file
}
const read = async (key: string) => storage.withFile(key, (path) => readFile(path))

test('stores a large file in parts and reads it back, retrying transient failures', async () => {
  const content = randomBytes(20 * MB)
  service.fail(
    { kind: 'slowDown', query: 'uploads', times: 1 },
    { kind: 'hangUp', query: 'partNumber', times: 1 },
    { kind: 'slowDown', query: 'partNumber', times: 2 },
    { kind: 'slowDown', method: 'POST', query: 'uploadId', times: 1 },
    { kind: 'cut', method: 'GET', times: 1 },
  )
  await storage.keep(await arrived(content), 'large.mp4')
  expect(service.uploads.size).toBe(0)
  expect((await read('large.mp4')).equals(content)).toBe(true)
  expect(service.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(6)
  expect(await storage.arriving()).toEqual([])
})

test('keeps a local copy for processing, and removes it after ten minutes if another server processes the file', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  for (const key of ['here.png', 'elsewhere.png']) await storage.keep(await arrived(Buffer.from(key)), key, true)
  await storage.withFile('here.png', async (copy) => {
    vi.advanceTimersByTime(10 * 60_000)
    vi.useRealTimers()
    await expect.poll(() => storage.arriving()).toEqual([basename(copy)])
    expect(await readFile(copy, 'utf8')).toBe('here.png')
  })
  expect(await storage.arriving()).toEqual([])
  expect(service.calls).toEqual(['PUT', 'PUT'])
})

test('a large file counts as stored if the bucket has completed it but its response is lost', async () => {
  const content = randomBytes(9 * MB)
  service.fail({ kind: 'cut', method: 'POST', query: 'uploadId', times: 1 })
  await storage.keep(await arrived(content), 'completed.mp4')
  expect((await read('completed.mp4')).equals(content)).toBe(true)
})

test('an upload in parts that the bucket has discarded fails as unavailable, not as a missing file', async () => {
  const file = await arrived(randomBytes(17 * MB))
  const discard = vi.spyOn(service.uploads, 'get').mockReturnValue(undefined)
  await expect(storage.keep(file, 'discarded.mp4')).rejects.toMatchObject({ code: 'STORAGE' })
  discard.mockRestore()
  service.uploads.clear()
  await rm(file)
})

test('does not store a file if a part fails permanently, and discards its parts', async () => {
  const file = await arrived(randomBytes(17 * MB))
  service.fail({ kind: 'slowDown', query: 'partNumber', times: 100 })
  await expect(storage.keep(file, 'half.mp4')).rejects.toMatchObject({ code: 'STORAGE' })
  expect(service.objects.has('half.mp4')).toBe(false)
  expect(service.uploads.size).toBe(0)
  await rm(file)
})

test('discards unfinished uploads older than a day at start', async () => {
  service.uploads.set('old', { key: 'a.mp4', at: new Date(Date.now() - DAY_MS - 1000), parts: new Map() })
  service.uploads.set('new', { key: 'b.mp4', at: new Date(Date.now() - DAY_MS + 60_000), parts: new Map() })
  await openBucket(service.bucket, (name) => join(folder, name))
  expect([...service.uploads.keys()]).toEqual(['new'])
  service.uploads.clear()
})

test('supports ranges, conditional requests and HEAD, and returns 404 for a missing object', async () => {
  const { token } = await signedIn()
  const sound = aSound(30)
  const { url } = (await send(sound, 'theme.wav', { token })).body
  const ask = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') => app.inject({ method, url, headers })
  expect((await ask({})).rawPayload.equals(sound)).toBe(true)
  for (const [range, status, bytes] of [
    ['bytes=0-3', 206, sound.subarray(0, 4)],
    ['bytes=100-', 206, sound.subarray(100)],
    ['bytes=-7', 206, sound.subarray(-7)],
    ['bytes=0-3,8-9', 200, sound],
    ['lines=1-2', 200, sound],
    [`bytes=${'0'.repeat(20_000)}-`, 200, sound],
  ] as const) {
    const answer = await ask({ range })
    expect({ range, status: answer.statusCode, length: answer.headers['content-length'] }).toEqual({
      range,
      status,
      length: String(bytes.length),
    })
    expect(answer.rawPayload.equals(bytes)).toBe(true)
  }
  const beyond = await ask({ range: 'bytes=9999999-' })
  expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${sound.length}`])
  const { etag } = (await ask({})).headers
  for (const same of [String(etag), `W/${String(etag)}`]) {
    const answer = await ask({ 'if-none-match': same })
    expect([answer.statusCode, answer.headers.etag]).toEqual([304, etag])
  }
  for (const other of ['"other"', '"é"', 'x'.repeat(20_000), `"${'x'.repeat(20_000)}"`])
    expect((await ask({ 'if-none-match': other })).statusCode).toBe(200)
  service.calls.length = 0
  const head = await ask({}, 'HEAD')
  expect([head.statusCode, head.headers['content-length'], head.payload]).toEqual([200, String(sound.length), ''])
  expect(service.calls).toEqual(['HEAD'])
  service.objects.delete(url.replace('/files/', ''))
  expect((await ask({})).statusCode).toBe(404)
})

test('a response that the bucket cuts off also fails in the browser', async () => {
  const { token } = await signedIn()
  const { url } = (await send(aSound(60), 'long.wav', { token })).body
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  service.fail({ kind: 'cut', method: 'GET', times: 1 })
  await expect(fetch(address + url).then((answer) => answer.arrayBuffer())).rejects.toThrow('terminated')
  const again = await fetch(address + url)
  expect((await again.arrayBuffer()).byteLength).toBe(aSound(60).length)
})

test('a file whose first byte does not arrive is answered as an error of the storage, which is not cached', async () => {
  const { token } = await signedIn()
  const { url } = (await send(aSound(), 'a.wav', { token })).body
  service.fail({ kind: 'headersOnly', method: 'GET', times: 1 })
  const answer = await app.inject(url)
  const body = { code: 'unavailable', message: 'File storage is unavailable.' }
  expect([answer.statusCode, answer.json()]).toEqual([503, expect.objectContaining(body)])
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers).not.toHaveProperty('etag')
})

test('a file arrives completely however slowly it is read, and many slow readers hold up nothing else', async () => {
  await storage.keep(await arrived(randomBytes(MB)), 'slow.mp4')
  const readers: Readable[] = []
  onTestFinished(() => readers.forEach((each) => each.destroy()))
  // One after the other: a busy machine does not answer so many requests at once in time.
  for (let each = 0; each < 60; each++)
    readers.push((await storage.open?.('slow.mp4', {}))?.stream ?? Readable.from([]))
  await storage.keep(await arrived(Buffer.from('quick')), 'quick.mp4')
  // Longer than the bucket may send nothing.
  await sleep(15_000)
  const [first = Readable.from([])] = readers
  let bytes = 0
  for await (const chunk of first) bytes += (chunk as Buffer).length
  expect(bytes).toBe(MB)
})

test('a file fails if the bucket stops sending it', async () => {
  await storage.keep(await arrived(randomBytes(MB)), 'stalled.mp4')
  service.fail({ kind: 'stall', method: 'GET', times: 1 })
  const opened = await storage.open?.('stalled.mp4', {})
  await expect(opened?.stream.toArray()).rejects.toMatchObject({ code: 'STORAGE' })
})

test('returns 503 while the bucket is down, leaves nothing behind, and then recovers', async () => {
  const { token, call } = await signedIn()
  const { url, _id: id } = (await send(await aPicture(), 'before.png', { token })).body
  const before = await keptKeys()
  await service.stop()
  const refused = {
    code: 'unavailable',
    message: 'File storage is unavailable.',
  }
  expect(await send(await aPicture(), 'lost.png', { token })).toMatchObject({ status: 503, body: refused })
  const served = await app.inject({ url })
  expect([served.statusCode, served.json()]).toMatchObject([503, refused])
  expect(served.headers['content-disposition']).toBeUndefined()
  expect(await call(assetsApi.find, { id })).toMatchObject({ status: 'READY' })
  expect((await call(assetsApi.list, { query: { search: 'lost.png' } })).data).toEqual([])
  expect(await storage.arriving()).toEqual([])
  await service.start()
  expect((await app.inject({ url })).statusCode).toBe(200)
  expect((await send(await aPicture(), 'after.png', { token })).body).toMatchObject({ status: 'READY' })
  await assets.removeFiles()
  expect(await db.selectFrom('removals').selectAll().execute()).toEqual([])
  expect((await keptKeys()).filter((key) => !before.includes(key))).toHaveLength(3)
})

test('retries processing when the bucket fails, without counting it as a failed attempt', async () => {
  const { token, call } = await signedIn()
  const { _id: id } = (await send(await aPicture(), 'later.png', { token })).body
  service.fail({ kind: 'hangUp', times: Infinity })
  await transaction((tx) => assets.queueProcessing(tx, id))
  const waiting = { state: 'queued', error: expect.any(String) as string }
  await expect.poll(() => jobOf(id)).toMatchObject(waiting)
  // A machine fault does not count as a failed attempt of the file.
  await expect.poll(() => assets.row(id)).toMatchObject({ status: 'PROCESSING', attempts: 0 })
  service.fail()
  await expect.poll(() => call(assetsApi.find, { id })).toMatchObject({ status: 'READY' })
  await idle()
  expect(await jobOf(id)).toBeUndefined()
  expect(await storage.arriving()).toEqual([])
})

// In this process, which takes a fraction of the time of a start.
test.each([
  ['with a wrong secret', { secretAccessKey: 'wrong' }, REFUSED],
  ['with a wrong key id', { accessKeyId: 'OTHER' }, REFUSED],
  [
    'in another region',
    { region: 'test-2' },
    /^The bucket assets is not in the region test-2, which S3_REGION names, or not at http:\S+, which S3_ENDPOINT names\.$/,
  ],
  [
    'that cannot be reached',
    { endpoint: 'http://127.0.0.1:9' },
    /^The storage at http:\/\/127\.0\.0\.1:9 cannot be reached\. Check S3_ENDPOINT\.$/,
  ],
])('refuses a bucket %s, with a one-line message', async (_, wrong, line) => {
  await expect(openStorage(join(folder, 'files'), { ...service.bucket, ...wrong })).rejects.toThrow(line)
})

test('goes by the clock of the bucket, and refuses no call when one of the clocks is set', async () => {
  onTestFinished(() => service.setAhead(0))
  const openAt = (ms: number) => {
    service.setAhead(ms)
    return openBucket(service.bucket, (name) => join(folder, name))
  }
  const store = await openAt(2 * HOUR_MS)
  for (const [at, ms] of [2 * HOUR_MS, 0, -2 * HOUR_MS, 0].entries()) {
    service.setAhead(ms)
    const [file, key] = [join(folder, `file ${at}`), `clock-${at}`]
    await writeFile(file, key)
    await store.keep(file, key)
    expect((await store.open?.(key, {}))?.status).toBe(200)
    expect((await store.open?.(key, { headOnly: true }))?.status).toBe(200)
    await store.remove(key)
  }
})

test('refuses to start with a bucket that does not exist, with a one-line message', async () => {
  const { code, errors } = await refusedStart({ DATA_DIR: folder, ...service.env, S3_BUCKET: 'nowhere' })
  expect(code).toBe(1)
  expect(errors).toMatch(
    /^Mokuroku cannot start\. There is no bucket nowhere at http:.*\. Create it, or set S3_BUCKET to another one\.\n$/,
  )
})

test('the server starts and stops with a bucket', async () => {
  const server = await startServer({ DATA_DIR: join(folder, 'data'), ...service.env })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await server.end()).toMatchObject({ code: 0, errors: '' })
})
