import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { assetsApi, uploadsApi } from '@mokuroku/contract/assets'
import { authApi } from '@mokuroku/contract/auth'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { app, signedIn, withApp } from '#test/app.ts'
import { aTier } from '#test/factories.ts'
import { aBomb, aPhoto, aPicture, aSound, aVideo, keptKeys, send } from '#test/files.ts'
import { cleanFilename } from '#lib/filename.ts'
import { storage } from './storage.ts'

withApp()

const left = () => storage.arriving()

test('stores an image under a generated name, with its dimensions and smaller sizes', async () => {
  const { token, user, call } = await signedIn()
  const { assetCount: before } = await call(dashboardApi.stats)
  const png = await aPicture(1200, 800)
  const { status, body } = await send(png, 'Cover art.png', { token, field: 'image', url: '/api/assets/image' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    type: 'IMAGE',
    filename: 'Cover art.png',
    mimeType: 'image/png',
    size: png.length,
    dimensions: { width: 1200, height: 800 },
    status: 'READY',
    isPublic: true,
    uploadedBy: { _id: user._id, username: user.username },
    version: 1,
  })
  expect(body.url).toMatch(/^\/files\/[\da-f-]{36}\.png$/)
  const widths = await Promise.all(
    [body.url, `${body.url}?size=small`, `${body.url}?size=medium`].map(async (url) => {
      const { rawPayload } = await app.inject({ url })
      return (await sharp(rawPayload).metadata()).width
    }),
  )
  expect(widths).toEqual([1200, 160, 960])
  expect(await call(assetsApi.find, { id: body._id })).toMatchObject({ status: 'READY' })
  expect((await call(dashboardApi.stats)).assetCount).toBe(before + 1)
  expect(await left()).toEqual([])
})

test('an upload that is repeated with its key creates one asset and stores one file, even if both arrive at once', async () => {
  const { token, call } = await signedIn()
  const word = randomUUID()
  const file = await aPicture(31, 32)
  const how = { token, headers: { 'idempotency-key': word } }
  const upload = () => send(file, `${word}.png`, how)
  const [one, other] = await Promise.all([upload(), upload()])
  expect(other).toEqual(one)
  expect(one).toMatchObject({ status: 201, body: { version: 1, status: 'READY' } })
  const kept = await keptKeys()
  expect(await upload()).toEqual(one)
  expect(await keptKeys()).toEqual(kept)
  expect(kept.filter((key) => one.body.url.includes(key))).toHaveLength(1)
  expect((await call(assetsApi.list, { query: { search: word } })).pagination.total).toBe(1)
  expect(await left()).toEqual([])
})

test('without a key, or with another file, name, field, call or user, the same key creates another asset', async () => {
  const [ann, bob] = [await signedIn(), await signedIn()]
  const [file, different] = [await aPicture(33, 34), await aPicture(34, 33)]
  const headers = { 'idempotency-key': 'k' }
  const { token } = ann
  const sent = [
    await send(file, 'a.png', { token, headers }),
    await send(different, 'a.png', { token, headers }),
    await send(file, 'b.png', { token, headers }),
    await send(file, 'a.png', { token, headers, fields: { isPublic: 'false' } }),
    await send(file, 'a.png', { token, headers, field: 'image', url: '/api/assets/image' }),
    await send(file, 'a.png', { token: bob.token, headers }),
    await send(file, 'a.png', { token }),
    await send(file, 'a.png', { token }),
  ]
  expect(new Set(sent.map(({ body }) => body._id)).size).toBe(sent.length)
  const id = sent[0]?.body._id ?? ''
  await ann.call(assetsApi.remove, { id })
  const again = await send(file, 'a.png', { token, headers })
  expect(again).toMatchObject({ status: 201, body: { version: 1 } })
  expect(again.body._id).not.toBe(id)
})

test('serves a photo upright and without EXIF metadata', async () => {
  const { token } = await signedIn()
  const photo = await aPhoto()
  expect(photo.includes('SECRET-OWNER')).toBe(true)
  const { body } = await send(photo, 'photo.jpg', { token })
  expect(body).toMatchObject({ dimensions: { width: 20, height: 40 }, mimeType: 'image/jpeg', status: 'READY' })
  for (const url of [body.url, `${body.url}?size=small`]) {
    const { rawPayload } = await app.inject({ url })
    expect(rawPayload.includes('SECRET-OWNER')).toBe(false)
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined()
  }
})

test.each(['gif', 'webp', 'avif', 'jpeg'] as const)('keeps the format of an image in %s', async (format) => {
  const { token } = await signedIn()
  const { body } = await send(await aPicture(20, 20, (image) => image.toFormat(format)), `a.${format}`, { token })
  expect(body).toMatchObject({ status: 'READY', mimeType: `image/${format}`, dimensions: { width: 20, height: 20 } })
})

test('detects video and audio by their tracks, with dimensions and duration', async () => {
  const { token } = await signedIn()
  expect((await send(await aVideo(), 'opening.mp4', { token })).body).toMatchObject({
    type: 'VIDEO',
    mimeType: 'video/mp4',
    dimensions: { width: 320, height: 180 },
    duration: 2,
    status: 'READY',
  })
  const sound = (await send(aSound(3), 'theme.wav', { token })).body
  expect(sound).toMatchObject({ type: 'AUDIO', mimeType: 'audio/wav', duration: 3, status: 'READY' })
  expect(sound).not.toHaveProperty('dimensions')
  expect((await send(aSound(), 'x.wav', { token, field: 'image', url: '/api/assets/image' })).status).toBe(415)
})

test('strips metadata from a served video, or flags the asset if that is not possible', async () => {
  const { token, call } = await signedIn()
  const place = '+48.8577+002.2950/'
  const video = await aVideo({ comment: 'SECRET', raw: { '©xyz': place } })
  expect([video.includes(place), video.includes('SECRET')]).toEqual([true, true])
  const { body } = await send(video, 'trip.mp4', { token })
  expect(body).toMatchObject({ status: 'READY', duration: 2, keepsMetadata: false, size: video.length })
  const served = (await app.inject({ url: body.url })).rawPayload
  expect([served.includes(place), served.includes('SECRET')]).toEqual([false, false])
  expect(served.length).toBeGreaterThan(200)
  const strange = Buffer.from(video)
  strange.write('xxxx', video.lastIndexOf('vp09'))
  const kept = (await send(strange, 'strange.mp4', { token })).body
  expect(kept).toMatchObject({ status: 'READY', keepsMetadata: true })
  expect((await app.inject({ url: kept.url })).rawPayload.equals(strange)).toBe(true)
  const put = { token, url: `/api/assets/${kept._id}/file`, method: 'PUT' as const }
  expect((await send(video, 'other.mp4', put)).body).toMatchObject({ keepsMetadata: false })
  expect(await call(assetsApi.find, { id: kept._id })).toMatchObject({ keepsMetadata: false })
  const picture = (await send(await aPicture(), 'a.png', { token })).body
  expect(picture).not.toHaveProperty('keepsMetadata')
})

test.each([61, 317])('accepts a GIF of %i pixels width, whose header looks like an assignment', async (width) => {
  const { token } = await signedIn()
  const gif = await aPicture(width, 20, (image) => image.gif())
  expect(gif.toString('latin1')).toMatch(/^GIF89a=/)
  expect((await send(gif, 'a.gif', { token })).body).toMatchObject({ status: 'READY', mimeType: 'image/gif' })
})

const gifAndScript = Buffer.concat([
  Buffer.from('GIF89a/*'),
  Buffer.from([0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0]),
  Buffer.from('*/=1;alert(document.domain)//'),
])

test.each([
  ['a GIF that is a script', gifAndScript, 'anim.gif'],
  ['a GIF that is an assignment', 'GIF89a=1;alert(document.domain)//', 'anim.gif'],
  ['an SVG named .png', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'logo.png'],
  ['an SVG with a prolog', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg'],
  ['HTML named .jpg', '<!doctype html><script>alert(1)</script>', 'photo.jpg'],
  ['HTML after the first bytes of a JPEG', `\xff\xd8\xff\xe0<html><script>alert(1)</script>`, 'photo.jpg'],
  ['plain text', 'hello', 'hello.png'],
  ['a PDF', '%PDF-1.7\n%âãÏÓ\n', 'book.pdf'],
  ['a playlist that points at other files', '#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\nfile:///etc/passwd\n', 'a.m3u8'],
  ['a video that is only its first bytes', Buffer.from('0000001866747970697', 'hex'), 'clip.mp4'],
])('class 12: rejects %s and stores nothing', async (_, content, name) => {
  const { token } = await signedIn()
  const before = await keptKeys()
  const { status, body } = await send(content, name, { token })
  expect({ status, code: body.code }).toEqual({ status: 415, code: 'mediaType' })
  expect(body.message).not.toMatch(/sharp|vips|Error/i)
  expect(await keptKeys()).toEqual(before)
  expect(await left()).toEqual([])
})

test('class 12: rejects a valid image with a script appended', async () => {
  const { token } = await signedIn()
  const png = await aPicture()
  const withText = Buffer.concat([png, Buffer.from('<script>alert(1)</script>')])
  expect((await send(withText, 'a.png', { token })).status).toBe(415)
})

test('class 16: rejects a decompression bomb by the dimensions in its header', async () => {
  const { token } = await signedIn()
  // It has no more than a header, so reading on would fail.
  expect(await send(aBomb(), 'bomb.png', { token })).toMatchObject({
    status: 413,
    body: { message: 'This image has 50000 × 50000 pixels; the limit is 100 million pixels.' },
  })
})

/** A photo, and one of which the second half is missing. */
async function aCutPhoto() {
  const noise = { type: 'gaussian', mean: 99, sigma: 30 } as const
  const create = { width: 900, height: 900, channels: 3, noise, background: '#000' } as const
  const whole = await sharp({ create }).jpeg().toBuffer()
  return { whole, cut: whole.subarray(0, whole.length / 2) }
}

test('stores a damaged image with status ERROR and the reason, and it can be retried or replaced', async () => {
  const { token, call } = await signedIn()
  const { whole, cut } = await aCutPhoto()
  const { status, body } = await send(cut, 'cut.jpg', { token })
  expect(status).toBe(201)
  expect(body).toMatchObject({ status: 'ERROR', failure: expect.stringMatching(/damaged/) })
  expect(body).not.toHaveProperty('thumbnail')
  expect((await app.inject({ url: body.url })).statusCode).toBe(404)
  expect(await call(assetsApi.retry, { id: body._id })).toMatchObject({ status: 'ERROR' })
  const other = await send(whole, 'whole.jpg', { token, url: `/api/assets/${body._id}/file`, method: 'PUT' })
  expect(other).toMatchObject({
    status: 200,
    body: { _id: body._id, status: 'READY', filename: 'cut.jpg', size: whole.length, version: 2 },
  })
  expect(other.body).not.toHaveProperty('failure')
  expect(other.body.url).not.toBe(body.url)
  await expect(call(assetsApi.retry, { id: body._id })).rejects.toMatchObject({ status: 409 })
})

test('replaces a file only with one of the same type, a current base and permission', async () => {
  const { token } = await signedIn()
  const { body } = await send(await aPicture(), 'a.png', { token })
  const put = { token, url: `/api/assets/${body._id}/file`, method: 'PUT' as const }
  expect(await send(aSound(), 'a.wav', put)).toMatchObject({
    status: 415,
    body: { message: expect.stringContaining('image') },
  })
  expect((await send(await aPicture(50, 50), 'b.png', { ...put, headers: { 'if-match': '"1"' } })).status).toBe(200)
  const stale = await send(await aPicture(60, 60), 'c.png', { ...put, headers: { 'if-match': '"1"' } })
  expect(stale.status).toBe(412)
  const other = await signedIn({ role: 'user' })
  expect((await send(await aPicture(), 'd.png', { ...put, token: other.token })).status).toBe(403)
  expect(await left()).toEqual([])
})

test('an avatar follows its picture to a new file, also while the picture is private', async () => {
  const [{ call, token }, owner] = [await signedIn(), await signedIn({ role: 'user' })]
  const { _id: id, url } = (await send(await aPicture(), 'a.png', { token })).body
  await owner.call(authApi.updateProfile, { body: { avatar: `${url}?size=small` } })
  const put = { token, url: `/api/assets/${id}/file`, method: 'PUT' as const }
  const avatar = async () => (await owner.call(authApi.profile)).avatar
  const replaced = await send(await aPicture(50, 50), 'b.png', put)
  expect(await avatar()).toBe(`${replaced.body.url}?size=small`)
  expect((await app.inject({ url: await avatar() })).statusCode).toBe(200)
  await call(assetsApi.update, { id, body: { isPublic: false } })
  await send(await aPicture(60, 60), 'c.png', put)
  const shown = await call(assetsApi.update, { id, body: { isPublic: true } })
  expect(await avatar()).toBe(`${shown.url}?size=small`)
  expect(await call(assetsApi.uses, { id })).toMatchObject({ total: 1 })
})

test.each([
  ['../../etc/passwd.png', 'passwd.png'],
  ['C:\\Users\\me\\cover.png', 'cover.png'],
  ['photo\u202egnp.exe', 'photognp.exe'],
  ['a\u0007b\u0000c\u200b.png', 'abc.png'],
  ['日本語 カバー①.png', '日本語 カバー①.png'],
  ['CON.png', '_CON.png'],
  ['...', 'file'],
  ['.htaccess', 'htaccess'],
  [`${'長'.repeat(400)}.jpeg`, `${'長'.repeat(250)}.jpeg`],
  ['<img src=x onerror=alert(1)>.png', '<img src=x onerror=alert(1)>.png'],
])('class 17: sanitizes the file name %j to %j', async (given, shown) => {
  const { token, call } = await signedIn()
  const { body } = await send(await aPicture(8, 8), given, { token })
  // Browsers escape quotes and line ends themselves, so names with those are tested by renaming.
  const renamed = await call(assetsApi.update, {
    id: body._id,
    body: { filename: given.replace(/\p{Cc}/gu, '') },
  })
  expect(renamed.filename).toBe(shown)
  expect(body.filename).toBe(shown)
  expect(body.url).toMatch(/^\/files\/[\da-f-]{36}\.png$/)
})

// In quadratic time, it would take many minutes.
test('class 17: sanitizes a name of a million full stops in linear time', () =>
  expect(cleanFilename(`a${'.'.repeat(1_000_000)}b`)).toHaveLength(255))

test('enforces the size and type limits of the tier, and names the limit', async () => {
  await aTier(50, { maxUploadSizeMB: 1, canUploadVideo: false })
  await aTier(60, { maxUploadSizeMB: 0 })
  const member = await signedIn({ role: 'user', scores: 50 })
  const large = Buffer.concat([await aPicture(), Buffer.alloc(1024 * 1024)])
  const refused = { status: 413, body: { message: 'This file is too large. Your tier “Tier 50” allows up to 1 MB.' } }
  expect(await send(large, 'a.png', member)).toMatchObject(refused)
  // With a false length, it is refused while it streams.
  expect(await send(large, 'a.png', { token: member.token, headers: { 'content-length': '100' } })).toMatchObject(
    refused,
  )
  expect((await send(large, 'a.png', await signedIn({ role: 'moderator' }))).status).toBe(201)
  expect((await send(await aPicture(), 'a.png', member)).status).toBe(201)
  expect(await send(await aVideo(), 'a.mp4', member)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect((await send(await aVideo(), 'a.m4a', member)).status).toBe(403)
  expect((await send(aSound(), 'a.wav', member)).status).toBe(201)
  const none = await signedIn({ role: 'user', scores: 60 })
  expect(await send(await aPicture(), 'a.png', none)).toMatchObject({
    status: 403,
    body: { message: 'Access denied. You do not have permission for this action.' },
  })
  expect(await left()).toEqual([])
})

const MEGABYTE = 1024 * 1024

type Member = Awaited<ReturnType<typeof signedIn>>

/** The ways in which a file arrives; each returns the status of the response. */
const WAYS: [string, (content: Buffer, member: Member) => Promise<number>][] = [
  ['in a form', async (content, member) => (await send(content, 'a.png', member)).status],
  [
    'in a form for images',
    async (content, { token }) =>
      (await send(content, 'a.png', { token, field: 'image', url: '/api/assets/image' })).status,
  ],
  [
    'instead of another file',
    async (content, { token }) => {
      const { body } = await send(await aPicture(), 'a.png', { token })
      return (await send(content, 'b.png', { token, url: `/api/assets/${body._id}/file`, method: 'PUT' })).status
    },
  ],
  [
    'in parts',
    async (payload, { token }) => {
      const headers = { authorization: `Bearer ${token}` }
      const body = { filename: 'a.png', size: payload.length }
      const started = await app.inject({ method: 'POST', url: '/api/uploads', headers, payload: body })
      if (started.statusCode !== 201) return started.statusCode
      const part = { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
      const url = `/api/uploads/${started.json<{ _id: string }>()._id}`
      return (await app.inject({ method: 'PATCH', url, headers: part, payload })).statusCode
    },
  ],
]

describe('a file of exactly the size that the tier allows', () => {
  beforeAll(() => aTier(55, { maxUploadSizeMB: 1, canEditOwnContent: true }))
  test.each(WAYS)('is accepted %s, and one that is a byte larger is refused', async (_, arrive) => {
    const member = await signedIn({ role: 'user', scores: 55 })
    const picture = await aPicture()
    const ofSize = (bytes: number) => Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])
    expect(await arrive(ofSize(MEGABYTE), member)).toBeLessThan(300)
    expect(await arrive(ofSize(MEGABYTE + 1), member)).toBe(413)
    expect(await left()).toEqual([])
  })
})

test('a tier that allows more than the server allows what the server does', async () => {
  await aTier(65, { maxUploadSizeMB: 10_000 })
  const { call } = await signedIn({ role: 'user', scores: 65 })
  expect((await call(authApi.verify)).user.permissions.maxUploadSizeMB).toBe(2048)
  const body = { filename: 'a.png', size: 2048 * 1024 * 1024 + 1 }
  await expect(call(uploadsApi.begin, { body })).rejects.toMatchObject({
    status: 413,
    message: 'This file is too large. The server allows up to 2048 MB.',
  })
})

test('rejects an upload without a sign-in, the right field, a file or a complete form', async () => {
  const { token } = await signedIn()
  const png = await aPicture()
  expect((await send(png, 'a.png', {})).status).toBe(401)
  expect(await send(png, 'a.png', { token, field: 'picture' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'file' }], message: 'Please send a file in the field file.' },
  })
  expect((await send(png, 'a.png', { token, url: '/api/assets/image' })).status).toBe(400)
  expect((await send('', 'a.png', { token })).status).toBe(400)
  const json = await app.inject({
    method: 'POST',
    url: '/api/assets',
    headers: { authorization: `Bearer ${token}` },
    payload: {},
  })
  expect(json.statusCode).toBe(415)
  const cut = await app.inject({
    method: 'POST',
    url: '/api/assets',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf a file',
  })
  expect(cut.statusCode).toBe(400)
  expect(await left()).toEqual([])
})

test('stores a file that a form sends without a name', async () => {
  const { token } = await signedIn()
  const head = '--x\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: application/octet-stream\r\n\r\n'
  const stored = await app.inject({
    method: 'POST',
    url: '/api/assets',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), await aPicture(), Buffer.from('\r\n--x--\r\n')]),
  })
  expect(stored.statusCode).toBe(201)
  expect(stored.json()).toMatchObject({ type: 'IMAGE', filename: 'file' })
})

test('stores a file with the same bytes again, and marks it as a duplicate', async () => {
  const { token, call } = await signedIn()
  const png = await aPicture(33, 77)
  const first = (await send(png, 'one.png', { token })).body
  expect(first).not.toHaveProperty('duplicateOf')
  const second = (await send(png, 'two.png', { token, fields: { isPublic: 'false' } })).body
  expect(second).toMatchObject({ duplicateOf: first._id, isPublic: false })
  // Of the oldest one.
  expect((await send(png, 'again.png', { token })).body).toMatchObject({ duplicateOf: first._id })
  await call(assetsApi.remove, { id: first._id })
  expect((await send(png, 'three.png', { token })).body).toMatchObject({ duplicateOf: second._id })
})

const FORM = 'A form holds one file and at most 10 other fields.'
const manyFields = Array.from({ length: 10 }, () => ['isPublic', ''])

test.each([
  ['after the file', [['file'], ['isPublic', 'false']], { isPublic: false }],
  ['before the file', [['isPublic', 'false'], ['file']], { isPublic: false }],
  ['as a file', [['file'], ['isPublic', new Blob(['false'])]], { message: FORM }],
  ['after a second file', [['file'], ['file'], ['isPublic', 'false']], { message: FORM }],
  ['after too many fields', [['file'], ...manyFields, ['isPublic', 'false']], { message: FORM }],
  ['twice', [['isPublic', 'true'], ['file'], ['isPublic', 'false']], { isPublic: false }],
  ['empty', [['isPublic', ''], ['file']], { isPublic: true }],
  ['with another value', [['isPublic', 'no'], ['file']], { errors: [{ path: 'isPublic' }] }],
  ['by another name', [['file'], ['public', 'false']], { message: 'public: Unknown field' }],
])('an asset is as public as the form says, %s', async (_, parts, expected) => {
  const { token } = await signedIn()
  // Larger than what is parsed at once.
  const file = new File([Buffer.concat([await aPicture(), Buffer.alloc(300_000)])], 'a.png')
  const form = new FormData()
  for (const [name, value] of parts) form.append(name as string, (value ?? file) as string)
  const body = new Response(form)
  const answer = await app.inject({
    method: 'POST',
    url: '/api/assets',
    headers: { 'content-type': body.headers.get('content-type') ?? '', authorization: `Bearer ${token}` },
    payload: Readable.from(body.body ?? []),
  })
  expect(answer.json()).toMatchObject(expected)
  expect(await left()).toEqual([])
})

test('serves the file of every asset that is ready, and 404 for others', async () => {
  const { call, token } = await signedIn()
  const { cut } = await aCutPhoto()
  for (const [name, content] of Object.entries({ 'a.png': await aPicture(), 'a.wav': aSound(), 'cut.jpg': cut }))
    await send(content, name, { token })
  const { data } = await call(assetsApi.list, { query: { limit: 100 } })
  expect(data.slice(0, 3).map(({ status }) => status)).toEqual(['ERROR', 'READY', 'READY'])
  for (const { url, status } of data)
    expect((await app.inject({ url })).statusCode).toBe(status === 'READY' ? 200 : 404)
  expect(await left()).toEqual([])
})
