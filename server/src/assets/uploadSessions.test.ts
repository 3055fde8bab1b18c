import { hash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { assetsApi, uploadsApi } from '@mokuroku/contract/assets'
import { revisionsApi } from '@mokuroku/contract/revisions'
import sharp from 'sharp'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { momentIn, now, time } from '#lib/clock.ts'
import { db, transaction } from '#database/db.ts'
import { lockRows } from '#database/locks.ts'
import { app, signedIn, withApp } from '#test/app.ts'
import { aTier } from '#test/factories.ts'
import { aPicture, aSound, aVideo, endUploads, keptKeys, send } from '#test/files.ts'
import { expectDescribed } from '#test/trust/described.ts'
import { StorageError } from './fileStore.ts'
import { uploadSessions } from './uploadSessions.ts'
import { storage } from './storage.ts'
import { sweep } from './sweep.ts'

withApp()
afterEach(endUploads)

async function part(
  token: string,
  id: string,
  offset: number | string,
  payload: Buffer,
  type = 'application/offset+octet-stream',
) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'upload-offset': String(offset) }
  const answer = await app.inject({ method: 'PATCH', url: `/api/uploads/${id}`, headers, payload })
  expectDescribed(uploadsApi.append, { status: answer.statusCode, headers: answer.headers, text: answer.body })
  return {
    status: answer.statusCode,
    offset: answer.headers['upload-offset'],
    body: answer.json<Record<string, unknown>>(),
  }
}

test('the offset of a part is a decimal number', async () => {
  const { token, call } = await signedIn()
  const { _id: id } = await call(uploadsApi.begin, { body: { filename: 'a.png', size: 100 } })
  for (const given of ['', ' ', '0x0', '0b0', '0e1', '-0', '+0', '0.0', 'zero']) {
    const { status } = await part(token, id, given, Buffer.alloc(10))
    expect({ given, status }).toEqual({ given, status: 400 })
  }
  expect(await call(uploadsApi.find, { id })).toMatchObject({ offset: 0 })
})

const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
const large = () =>
  sharp({ create: { width: 1100, height: 1100, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer()

test('a file sent in parts becomes an asset with the last part', async () => {
  const { token, call } = await signedIn()
  const file = await large()
  expect(file.length).toBeGreaterThan(3_000_000)
  const { _id: id } = await call(uploadsApi.begin, {
    body: { filename: '../大きい.png', size: file.length, isPublic: false },
  })
  expect(await part(token, id, 0, file.subarray(0, 1000))).toMatchObject({ status: 200, offset: '1000' })
  expect(await part(token, id, 500, file.subarray(500))).toMatchObject({
    status: 409,
    body: { code: 'offset', offset: 1000 },
  })
  const asked = await app.inject({
    method: 'HEAD',
    url: `/api/uploads/${id}`,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(asked.headers['upload-offset']).toBe('1000')
  expect(await call(uploadsApi.find, { id })).toMatchObject({ offset: 1000, size: file.length, filename: '大きい.png' })
  const last = await part(token, id, 1000, file.subarray(1000))
  expect(last).toMatchObject({
    status: 200,
    body: {
      offset: file.length,
      asset: { filename: '大きい.png', isPublic: false, size: file.length },
    },
  })
  // The response waits for the file to be processed, but not indefinitely.
  const { _id } = last.body.asset as { _id: string }
  await expect.poll(async () => (await call(assetsApi.find, { id: _id })).status).toBe('READY')
  expect(await storage.arriving()).toEqual([])
})

test('repeats the last response to a sender who missed it, without creating a second asset', async () => {
  const { token, call } = await signedIn()
  const file = await aPicture(50, 60)
  const { _id: id } = await call(uploadsApi.begin, { body: { filename: 'once.png', size: file.length } })
  await part(token, id, 0, file.subarray(0, 40))
  const first = await part(token, id, 40, file.subarray(40))
  const asset = first.body.asset as { _id: string }
  expect(first).toMatchObject({ status: 200, offset: String(file.length) })
  for (const [offset, payload] of [
    [40, file.subarray(40)],
    [file.length, Buffer.alloc(0)],
    [0, file],
  ] as const) {
    const again = await part(token, id, offset, payload)
    expect(again).toMatchObject({ status: 200, offset: String(file.length), body: { asset: { _id: asset._id } } })
  }
  expect(await call(uploadsApi.find, { id })).toMatchObject({ offset: file.length, asset: { _id: asset._id } })
  expect((await call(assetsApi.list, { query: { search: 'once.png' } })).pagination.total).toBe(1)
  const other = await signedIn()
  expect((await part(other.token, id, 40, file.subarray(40))).status).toBe(404)
  await call(uploadsApi.cancel, { id })
  await expect.poll(() => call(assetsApi.find, { id: asset._id })).toMatchObject({ status: 'READY' })
})

test('an upload that is begun again with its key is the same one, also once it has become an asset', async () => {
  const { token, call } = await signedIn()
  const file = await aPicture(51, 61)
  const begin = () =>
    call(uploadsApi.begin, { body: { filename: 'begun.png', size: file.length }, key: 'k'.repeat(40) })
  const [one, other] = await Promise.all([begin(), begin()])
  expect(other).toEqual(one)
  expect(await storage.arriving()).toEqual(storage.pathOf ? [`${one._id}.part`] : [])
  await part(token, one._id, 0, file.subarray(0, 40))
  expect(await begin()).toEqual({ ...one, offset: 40 })
  const { body } = await part(token, one._id, 40, file.subarray(40))
  expect(await begin()).toMatchObject({ _id: one._id, asset: { _id: (body.asset as { _id: string })._id } })
  await call(uploadsApi.cancel, { id: one._id })
  const { _id: next, offset } = await begin()
  expect(offset).toBe(0)
  expect(next).not.toBe(one._id)
})

/** A picture of 40 × 30, and the beginning of an upload that replaces it with another one. */
async function aReplacement(who: Awaited<ReturnType<typeof signedIn>>) {
  const file = await aPicture(52, 62)
  const { body: asset } = await send(await aPicture(), 'old.png', { token: who.token, fields: { isPublic: 'false' } })
  const begin = (version = 1, key?: string) =>
    who.call(uploadsApi.begin, {
      key,
      body: { filename: 'new.png', size: file.length, replaces: { _id: asset._id, version } },
    })
  return { asset, file, begin }
}

test('a file sent in parts replaces that of an asset once, as one that is sent whole does', async () => {
  const who = await signedIn()
  const { asset, file, begin } = await aReplacement(who)
  const { _id: id, size } = await begin()
  expect(size).toBe(file.length)
  expect(await part(who.token, id, 0, file.subarray(0, 40))).toMatchObject({ status: 200, offset: '40' })
  expect(await who.call(assetsApi.find, { id: asset._id })).toMatchObject({ version: 1, dimensions: { width: 40 } })
  expect(await part(who.token, id, 40, Buffer.concat([file.subarray(40), Buffer.alloc(1)]))).toMatchObject({
    status: 413,
  })
  const replaced = { _id: asset._id, version: 2, filename: 'old.png', isPublic: false, size: file.length }
  const answers = await Promise.all([1, 2, 3].map(() => part(who.token, id, 40, file.subarray(40))))
  expect(answers.map(({ status }) => status)).toContain(200)
  // The response was lost.
  for (const [offset, payload] of [
    [40, file.subarray(40)],
    [file.length, Buffer.alloc(0)],
  ] as const)
    expect(await part(who.token, id, offset, payload)).toMatchObject({ status: 200, body: { asset: replaced } })
  expect(await who.call(uploadsApi.find, { id })).toMatchObject({ offset: file.length, size, asset: replaced })
  const { data: revisions } = await who.call(revisionsApi.list, {
    query: { entityType: 'Asset', entityId: asset._id },
  })
  expect(revisions.map(({ action, username }) => [action, username])).toEqual([
    ['update', who.user.username],
    ['create', who.user.username],
  ])
  await expect
    .poll(() => who.call(assetsApi.find, { id: asset._id }))
    .toMatchObject({ status: 'READY', dimensions: { width: 52, height: 62 } })
  expect(await storage.arriving()).toEqual([])
})

describe('an upload that replaces a file', () => {
  test('begins only for an asset that exists, and by those who may edit it', async () => {
    const [who, other] = [await signedIn(), await signedIn({ role: 'user' })]
    const { asset, begin } = await aReplacement(who)
    const body = { filename: 'new.png', size: 100, replaces: { _id: asset._id } }
    await expect(other.call(uploadsApi.begin, { body })).rejects.toMatchObject({ status: 403 })
    await who.call(assetsApi.remove, { id: asset._id })
    await expect(begin()).rejects.toMatchObject({ status: 404, code: 'notFound' })
    expect(await storage.arriving()).toEqual([])
  })

  test('is refused before the rest is sent if the asset has another file than the sender has seen', async () => {
    const who = await signedIn()
    const { asset, file, begin } = await aReplacement(who)
    const { _id: id } = await begin(1)
    await who.call(assetsApi.update, { id: asset._id, body: { filename: 'renamed.png' } })
    expect((await part(who.token, id, 0, file.subarray(0, 40))).status).toBe(200)
    await send(await aPicture(9, 9), 'a.png', { token: who.token, url: `/api/assets/${asset._id}/file`, method: 'PUT' })
    expect(await part(who.token, id, 40, file.subarray(40, 50))).toMatchObject({
      status: 412,
      body: { code: 'stale', version: 3, savedBy: [who.user.username] },
    })
    await expect(who.call(uploadsApi.find, { id })).rejects.toMatchObject({ status: 404 })
    for (const version of [1, 2, 999])
      await expect(begin(version)).rejects.toMatchObject({ status: 412, code: 'stale' })
    expect(await storage.arriving()).toEqual([])
    expect((await part(who.token, (await begin(3))._id, 0, file)).status).toBe(200)
  })

  test.each<[string, number, (who: Awaited<ReturnType<typeof signedIn>>, id: string) => Promise<unknown>]>([
    ['was deleted meanwhile', 404, ({ call }, id) => call(assetsApi.remove, { id })],
    [
      'has another file meanwhile',
      412,
      async ({ token }, id) =>
        send(await aPicture(9, 9), 'a.png', { token, url: `/api/assets/${id}/file`, method: 'PUT' }),
    ],
    [
      'may not be edited any more',
      403,
      ({ user: { _id } }) => db.updateTable('users').set({ role: 'user' }).where('_id', '=', _id).execute(),
    ],
    ['is of another type', 415, async () => undefined],
  ])('does not replace one that %s', async (_, status, meanwhile) => {
    const [owner, who] = [await signedIn(), await signedIn({ role: 'moderator' })]
    const { asset } = await aReplacement(owner)
    const file = status === 415 ? aSound() : await aPicture(53, 63)
    const body = { filename: 'new', size: file.length, replaces: { _id: asset._id, version: 1 } }
    const { _id: id } = await who.call(uploadsApi.begin, { body })
    await part(who.token, id, 0, file.subarray(0, 40))
    await meanwhile(who, asset._id)
    const kept = await keptKeys()
    expect((await part(who.token, id, 40, file.subarray(40))).status).toBe(status)
    await expect(who.call(uploadsApi.find, { id })).rejects.toMatchObject({ status: 404 })
    expect((await keptKeys()).filter((key) => !kept.includes(key))).toEqual([])
    expect(await storage.arriving()).toEqual([])
    const { contentHash } = await db
      .selectFrom('assets')
      .select('contentHash')
      .where('_id', '=', asset._id)
      .executeTakeFirstOrThrow()
    expect(contentHash).not.toBe(hash('sha256', file))
  })

  test('is the same one when it is begun again with its key, also once it has replaced the file', async () => {
    const who = await signedIn()
    const { asset, file, begin } = await aReplacement(who)
    const key = 'r'.repeat(40)
    const { _id: id } = await begin(1, key)
    expect((await part(who.token, id, 0, file)).status).toBe(200)
    expect(await begin(1, key)).toMatchObject({ _id: id, asset: { _id: asset._id, version: 2 } })
  })

  test('keeps a change of the name that was made meanwhile', async () => {
    const who = await signedIn()
    const { asset, file, begin } = await aReplacement(who)
    const { _id: id } = await begin()
    await who.call(assetsApi.update, { id: asset._id, body: { filename: 'renamed.png' } })
    expect(await part(who.token, id, 0, file)).toMatchObject({
      status: 200,
      body: { asset: { filename: 'renamed.png', version: 3, size: file.length } },
    })
  })

  test('leaves the asset as it is when it is cancelled', async () => {
    const who = await signedIn()
    const { asset, file, begin } = await aReplacement(who)
    const { _id: id } = await begin()
    await part(who.token, id, 0, file.subarray(0, 40))
    await who.call(uploadsApi.cancel, { id })
    expect((await part(who.token, id, 40, file.subarray(40))).status).toBe(404)
    expect(await who.call(assetsApi.find, { id: asset._id })).toMatchObject({ version: 1 })
  })
})

test('an upload whose asset was deleted is begun anew with its key', async () => {
  const { token, call } = await signedIn()
  const file = await aPicture(54, 64)
  const begin = () => call(uploadsApi.begin, { body: { filename: 'gone.png', size: file.length }, key: 'gone' })
  const { _id: first } = await begin()
  const { body } = await part(token, first, 0, file)
  await call(assetsApi.remove, { id: (body.asset as { _id: string })._id })
  const again = await begin()
  expect(again.offset).toBe(0)
  expect(again._id).not.toBe(first)
})

test('creates one asset when the last part is sent several times at once', async () => {
  const { token, call } = await signedIn()
  const file = await aPicture(70, 80)
  const { _id: id } = await call(uploadsApi.begin, { body: { filename: 'twice.png', size: file.length } })
  const answers = await Promise.all([1, 2, 3].map(() => part(token, id, 0, file)))
  // A request during another one is refused; one after it gets the same response.
  const made = answers.filter(({ status }) => status === 200)
  expect(answers.filter((answer) => !made.includes(answer)).every(({ status }) => status === 409)).toBe(true)
  expect(new Set(made.map(({ body }) => (body.asset as { _id: string })._id)).size).toBe(1)
  expect(await part(token, id, 0, file)).toMatchObject({ status: 200, body: { asset: { filename: 'twice.png' } } })
  expect((await call(assetsApi.list, { query: { search: 'twice.png' } })).pagination.total).toBe(1)
})

/**
 * Sends a whole file as one part, and delays creating the asset until `meanwhile` is done; the file has been moved by
 * then.
 */
async function finishedWhile(
  who: Awaited<ReturnType<typeof signedIn>>,
  name: string,
  meanwhile: (id: string) => Promise<unknown>,
) {
  const file = await aPicture(30, 40)
  const { _id: id } = await who.call(uploadsApi.begin, { body: { filename: name, size: file.length } })
  const finished = Promise.withResolvers<Awaited<ReturnType<typeof part>>>()
  await transaction(async (tx) => {
    await lockRows(tx, [{ kind: 'User', id: who.user._id }])
    finished.resolve(part(who.token, id, 0, file))
    await expect.poll(async () => (await who.call(uploadsApi.find, { id })).offset).toBe(file.length)
    await expect.poll(() => storage.arriving()).not.toContain(`${id}.part`)
    await meanwhile(id)
  })
  return { id, file, answer: await finished.promise }
}

// SQLite answers nobody while a transaction is open.
describe.runIf(process.env.ENGINE === 'postgres')('while the file becomes an asset', () => {
  test('reports the full offset to its sender, and creates no second asset', async () => {
    const who = await signedIn()
    const { id, file, answer } = await finishedWhile(who, 'late.png', async (each) => {
      expect(await who.call(uploadsApi.find, { id: each })).toMatchObject({
        filename: 'late.png',
        offset: (await aPicture(30, 40)).length,
      })
      expect((await part(who.token, each, 0, Buffer.alloc(1))).status).toBe(409)
    })
    expect(answer).toMatchObject({ status: 200, body: { asset: { filename: 'late.png' } } })
    expect(await part(who.token, id, file.length, Buffer.alloc(0))).toMatchObject({
      status: 200,
      body: { asset: { _id: (answer.body.asset as { _id: string })._id } },
    })
    expect((await who.call(assetsApi.list, { query: { search: 'late.png' } })).pagination.total).toBe(1)
  })

  test('cancelling the upload leaves no asset', async () => {
    const who = await signedIn()
    const { answer } = await finishedWhile(who, 'never.png', (id) => who.call(uploadsApi.cancel, { id }))
    expect(answer.status).toBe(404)
    expect((await who.call(assetsApi.list, { query: { search: 'never.png' } })).pagination.total).toBe(0)
    expect(await storage.arriving()).toEqual([])
  })

  test('one that was cancelled, but whose parts are not deleted yet, leaves no asset', async () => {
    const who = await signedIn()
    const cancel = (id: string) => db.updateTable('uploads').set({ expiresAt: now() }).where('_id', '=', id).execute()
    const { answer } = await finishedWhile(who, 'unwanted.png', cancel)
    expect(answer.status).toBe(404)
    expect((await who.call(assetsApi.list, { query: { search: 'unwanted.png' } })).pagination.total).toBe(0)
    expect(await storage.arriving()).toEqual([])
  })
})

test('an upload cancelled at any moment becomes an asset or is gone, and leaves no partial file', async () => {
  const { token, call } = await signedIn()
  const file = await aPicture(30, 40)
  for (let delay = 0; delay < 40; delay += 2) {
    const filename = `cancelled-${randomUUID()}.png`
    const { _id: id } = await call(uploadsApi.begin, { body: { filename, size: file.length } })
    const sent = part(token, id, 0, file)
    await sleep(delay)
    await call(uploadsApi.cancel, { id })
    const { status, body } = await sent
    const { data } = await call(assetsApi.list, { query: { search: filename } })
    if (status === 200) expect(data.map(({ _id }) => _id)).toEqual([(body.asset as { _id: string })._id])
    else expect([status, body.code, data]).toEqual([404, 'notFound', []])
  }
  expect(await storage.arriving()).toEqual([])
})

test('keeps the last response for a day, even if the session expires earlier', async () => {
  const who = await signedIn()
  const expiresAt = momentIn(60_000)
  await db.updateTable('sessions').set({ expiresAt }).where('userId', '=', who.user._id).execute()
  const file = await aPicture(20, 30)
  const { _id: id, ...started } = await who.call(uploadsApi.begin, {
    body: { filename: 'kept.png', size: file.length },
  })
  expect(started.expiresAt).toBe(expiresAt)
  await part(who.token, id, 0, file)
  const { expiresAt: later } = await who.call(uploadsApi.find, { id })
  expect((Date.parse(later) - time()) / 3_600_000).toBeCloseTo(24, 1)
})

test('a file that could not be stored can be completed later, and no copy of its parts is left', async () => {
  const { token, call } = await signedIn()
  const file = await aPicture()
  const { _id: id } = await call(uploadsApi.begin, { body: { filename: 'a.png', size: file.length } })
  const { keep } = storage
  const failing = vi.spyOn(storage, 'keep').mockImplementation(async (path, key, soon) => {
    if (soon) throw new StorageError('The storage is gone')
    await keep(path, key, soon)
  })
  onTestFinished(() => failing.mockRestore())
  expect(await part(token, id, 0, file)).toMatchObject({ status: 503 })
  expect(await storage.arriving()).toEqual(storage.pathOf ? [`${id}.part`] : [])
  failing.mockRestore()
  expect(await part(token, id, file.length, Buffer.alloc(0))).toMatchObject({ status: 200, body: { asset: {} } })
})

test('does not count finished uploads as open', async () => {
  const { token, call } = await signedIn()
  const file = await aPicture(9, 9)
  for (let at = 0; at < 21; at++) {
    const { _id: id } = await call(uploadsApi.begin, { body: { filename: 'many.png', size: file.length } })
    expect((await part(token, id, 0, file)).status).toBe(200)
  }
})

test('a user has at most 20 open uploads; cancelled and expired ones, and those of others, do not count', async () => {
  const [{ call }, other] = [await signedIn(), await signedIn()]
  const begin = (by = call) => by(uploadsApi.begin, { body: { filename: 'open.png', size: 100 } })
  await begin(other.call)
  const ids: string[] = []
  for (let each = 0; each < 20; each++) ids.push((await begin())._id)
  await expect(begin()).rejects.toMatchObject({ status: 429 })
  const [cancelled = '', expired = ''] = ids
  await call(uploadsApi.cancel, { id: cancelled })
  await begin()
  await expect(begin()).rejects.toMatchObject({ status: 429 })
  await db
    .updateTable('uploads')
    .set({ expiresAt: momentIn(-1) })
    .where('_id', '=', expired)
    .execute()
  await begin()
  await expect(begin()).rejects.toMatchObject({ status: 429 })
})

test('returns 404 for an upload whose partial file was lost in a crash', async () => {
  const { token, call } = await signedIn()
  const { _id: id } = await call(uploadsApi.begin, { body: { filename: 'a.png', size: 100 } })
  await part(token, id, 0, Buffer.alloc(10))
  for await (const key of storage.keys()) if (key.startsWith(id)) await storage.remove(key)
  await rm(storage.incoming(`${id}.part`), { force: true })
  expect((await part(token, id, 10, Buffer.alloc(90))).status).toBe(404)
  await expect(call(uploadsApi.find, { id })).rejects.toMatchObject({ status: 404 })
})

test('applies the same limits and file checks as to whole uploads', async () => {
  await aTier(50, { maxUploadSizeMB: 1 })
  const { token, call } = await signedIn({ role: 'user', scores: 50 })
  const begin = (filename: string, size: number) => call(uploadsApi.begin, { body: { filename, size } })
  await expect(begin('a.png', 2_000_000)).rejects.toMatchObject({ status: 413 })
  for (const size of [0, -1, 1.5]) await expect(begin('a.png', size)).rejects.toMatchObject({ status: 400 })
  const page = Buffer.from('<!doctype html><script>alert(1)</script>')
  const { _id: html } = await begin('photo.jpg', page.length)
  expect((await part(token, html, 0, page)).status).toBe(415)
  await expect(call(uploadsApi.find, { id: html })).rejects.toMatchObject({ status: 404 })
  const video = await aVideo()
  const { _id: clip } = await begin('a.png', video.length)
  expect((await part(token, clip, 0, video)).status).toBe(403)
  const { _id: more } = await begin('a.png', 10)
  expect((await part(token, more, 0, Buffer.alloc(11))).status).toBe(413)
  expect(await call(uploadsApi.find, { id: more })).toMatchObject({ offset: 0 })
  expect((await part(token, more, 0, Buffer.alloc(5), 'video/mp4')).status).toBe(415)
  await call(uploadsApi.cancel, { id: more })
  expect(await storage.arriving()).toEqual([])
  expect((await call(assetsApi.list, { query: { search: 'photo.jpg' } })).data).toEqual([])
})

test('only its sender can access an open upload, not even an admin', async () => {
  const sender = await signedIn({ role: 'moderator' })
  const { _id: id } = await sender.call(uploadsApi.begin, { body: { filename: 'a.png', size: 100 } })
  const other = await signedIn()
  await expect(other.call(uploadsApi.find, { id })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(uploadsApi.cancel, { id })).rejects.toMatchObject({ status: 404 })
  expect((await part(other.token, id, 0, Buffer.alloc(10))).status).toBe(404)
  expect((await part('none', id, 0, Buffer.alloc(10))).status).toBe(401)
  // Permissions that are revoked during an upload apply to its next part.
  await aTier(40, { maxUploadSizeMB: 0 })
  await db.updateTable('users').set({ role: 'user', scores: 40 }).where('_id', '=', sender.user._id).execute()
  expect((await part(sender.token, id, 0, Buffer.alloc(10))).status).toBe(403)
})

test('a restart keeps open uploads, and deletes expired ones', async () => {
  const { token, call } = await signedIn()
  const file = await aPicture()
  const { _id: id } = await call(uploadsApi.begin, { body: { filename: 'a.png', size: file.length } })
  await part(token, id, 0, file.subarray(0, 20))
  await sweep(uploadSessions.isActive)
  expect(await call(uploadsApi.find, { id })).toMatchObject({ offset: 20 })
  await db.updateTable('uploads').set({ expiresAt: '2020-01-01T00:00:00.000Z' }).execute()
  expect((await part(token, id, 20, file.subarray(20))).status).toBe(404)
  await sweep(uploadSessions.isActive)
  expect(await storage.arriving()).toEqual([])
})
