import { rm, writeFile } from 'node:fs/promises'
import { assetsApi } from '@mokuroku/contract/assets'
import { mediaApi } from '@mokuroku/contract/media'
import { indexApi, searchApi } from '@mokuroku/contract/search'
import { expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { assets } from '#store/assets'
import { advanceClock, app, idle, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTier, mediaInput, mediaTitled } from '#test/factories.ts'
import { aPicture, aSound, aVideo, keptKeys, send } from '#test/files.ts'
import { markKey, storage } from './storage.ts'
import { sweep } from './sweep.ts'

withApp()

const upload = async (token: string, name: string, content?: Uint8Array, fields: Record<string, string> = {}) =>
  (await send(content ?? (await aPicture(30, 40)), name, { token, fields })).body

test('lists assets newest first, filtered by type, status, visibility and name, with the total', async () => {
  const { token, call } = await signedIn()
  const images = ['harbour-night.png', 'harbour at dawn.png']
  const lists: [query: object, total: number, first: string[]][] = [
    [{}, 4, ['opening.mp4', 'theme song.wav', ...images]],
    [{ limit: 1, skip: 2 }, 4, ['harbour-night.png']],
    [{ type: 'IMAGE' }, 2, images],
    [{ type: 'IMAGE', isPublic: 'false' }, 1, ['harbour-night.png']],
    [{ status: 'READY', type: 'AUDIO' }, 1, ['theme song.wav']],
    [{ status: 'ERROR' }, 0, []],
    [{ search: 'HARBOUR' }, 2, images],
    [{ search: 'night' }, 1, ['harbour-night.png']],
    [{ search: 'harbour', type: 'VIDEO' }, 0, []],
  ]
  const list = (query: object) => call(assetsApi.list, { query })
  const before = await Promise.all(lists.map(async ([query]) => (await list(query)).pagination.total))
  const ids = []
  for (const name of ['harbour at dawn.png', 'harbour-night.png', 'theme song.wav', 'opening.mp4'])
    ids.push(
      (await upload(token, name, name.endsWith('wav') ? aSound() : name.endsWith('mp4') ? await aVideo() : undefined))
        ._id,
    )
  await call(assetsApi.update, { id: ids[1] ?? '', body: { isPublic: false } })
  for (const [at, [query, total, first]] of lists.entries()) {
    const { data, pagination } = await list(query)
    expect(pagination.total - (before[at] ?? 0)).toBe(total)
    expect(data.slice(0, first.length).map(({ filename }) => filename)).toEqual(first)
  }
  await expect(call(assetsApi.list, { query: { type: "IMAGE' OR 1=1" as 'IMAGE' } })).rejects.toMatchObject({
    status: 400,
  })
  await expect(call(assetsApi.list, { query: { relatedTo: '{"model":"USERS","id":"x"}' } })).rejects.toMatchObject({
    status: 400,
  })
})

test('counts an entity that uses an asset in two fields as one use, with both fields', async () => {
  const { token, call } = await signedIn()
  const { _id: id } = await upload(token, 'twice.png')
  const both = await aMedia({ assets: [id], cover: id, translations: { en: { title: 'Both', description: '' } } })
  const one = await aCharacter({ cover: id, translations: { en: { name: 'One', description: '' } } })
  expect(await call(assetsApi.uses, { id })).toEqual({
    total: 2,
    by: [
      { entityType: 'Character', fields: ['cover'], count: 1, isAtLeast: false },
      { entityType: 'Media', fields: ['assets', 'cover'], count: 1, isAtLeast: false },
    ],
    first: [
      {
        entityType: 'Media',
        entityId: both._id,
        title: 'Both',
        translations: { en: { name: 'Both' } },
        fields: ['assets', 'cover'],
      },
      {
        entityType: 'Character',
        entityId: one,
        title: 'One',
        translations: { en: { name: 'One' } },
        fields: ['cover'],
      },
    ],
  })
  const other = await aMedia({ cover: id })
  const { first } = await call(assetsApi.uses, { id })
  expect(first.find(({ entityId }) => entityId === other._id)?.fields).toEqual(['cover'])
})

test('names the first uses of an asset in the order of ids, whatever field it is in', async () => {
  const { token, call } = await signedIn()
  const { _id: id } = await upload(token, 'popular.png')
  const made = [await aMedia({ cover: id })]
  for (let more = 0; more < 10; more += 1) made.push(await aMedia({ assets: [id] }))
  // An update moves a row of PostgreSQL.
  for (const { _id } of made.slice(0, 5)) await call(mediaApi.bulk, { body: { ids: [_id], change: { episodes: 3 } } })
  await idle()
  const { first, total } = await call(assetsApi.uses, { id })
  expect([total, ...first.map(({ entityId }) => entityId)]).toEqual([11, ...made.slice(0, 10).map(({ _id }) => _id)])
})

test('returns the uses of an asset, and lists unused assets with their total size', async () => {
  const { token, call } = await signedIn()
  const [used, free] = [await upload(token, 'used.png'), await upload(token, 'free.png')]
  expect(
    (await call(assetsApi.list, { query: { unused: 'true', search: 'used.png' } })).data.map(({ _id }) => _id),
  ).toContain(used._id)
  await aCharacter({ cover: used._id })
  const media = await aMedia({
    ...mediaTitled('The Harbour'),
    assets: [used._id],
    // Not one of its assets.
    cover: (await upload(token, 'cover.png'))._id,
  })
  expect(await call(assetsApi.find, { id: used._id })).toMatchObject({
    relatedTo: { model: 'MEDIA', id: media._id },
    relatedData: { _id: media._id, title: 'The Harbour' },
  })
  expect(await call(assetsApi.uses, { id: used._id })).toMatchObject({ total: 2 })
  const relatedTo = JSON.stringify({ model: 'MEDIA', id: media._id })
  const shown = await call(assetsApi.list, {
    query: { relatedTo, limit: 10, skip: 0, isPublic: 'true', status: 'READY' },
  })
  expect(shown).toMatchObject({ data: [{ _id: used._id }], pagination: { total: 1 } })
  const unused = await call(assetsApi.list, { query: { unused: 'true', limit: 100 } })
  expect(unused.data.map(({ _id }) => _id)).toContain(free._id)
  expect(unused.data.map(({ _id }) => _id)).not.toContain(used._id)
  expect(unused.pagination.size).toBe(unused.data.reduce((sum, { size }) => sum + size, 0))
})

test('deleting moves an asset to the trash even if used, and restoring brings its links back', async () => {
  const { token, call } = await signedIn()
  const { _id: id, url } = await upload(token, 'cover.png')
  const media = await aMedia({ cover: id, assets: [id] })
  expect(await call(assetsApi.remove, { id })).toEqual({ success: true })
  await expect(call(assetsApi.find, { id })).rejects.toMatchObject({ status: 404, message: 'Asset not found' })
  expect((await app.inject({ url })).statusCode).toBe(404)
  expect(await call(mediaApi.find, { id: media._id })).toMatchObject({ cover: '' })
  expect(await call(assetsApi.restore, { id })).toMatchObject({ _id: id, status: 'READY' })
  expect(await call(mediaApi.find, { id: media._id })).toMatchObject({ cover: { _id: id, url } })
  expect((await app.inject({ url })).statusCode).toBe(200)
  await expect(call(assetsApi.remove, { id: 'none' })).rejects.toMatchObject({ status: 404 })
})

test('changes only name and visibility, ignores read-only fields, and rejects unknown ones', async () => {
  const { token, call } = await signedIn()
  const asset = await upload(token, 'a.png')
  const body = {
    ...asset,
    filename: 'b.png',
    size: 1,
    status: 'ERROR',
    uploadedBy: { _id: 'x' },
    url: 'https://evil.example',
  }
  expect(await call(assetsApi.update, { id: asset._id, body })).toMatchObject({
    filename: 'b.png',
    size: asset.size,
    status: 'READY',
    uploadedBy: asset.uploadedBy,
    url: asset.url,
  })
  for (const bad of [{ storageKey: '../../secret' }, { contentHash: 'x' }, { createdBy: 'x' }, { filename: '' }])
    await expect(call(assetsApi.update, { id: asset._id, body: bad })).rejects.toMatchObject({ status: 400 })
})

test('only its uploader with permission, moderators and admins may change or delete an asset', async () => {
  await aTier(30, { canEditOwnContent: true, maxUploadSizeMB: 5 })
  const owner = await signedIn({ role: 'user', scores: 30 })
  const beginner = await signedIn({ role: 'user' })
  const { _id: id } = await upload(owner.token, 'mine.png')
  const writes = (call: typeof owner.call) => [
    () => call(assetsApi.update, { id, body: { isPublic: false } }),
    () => call(assetsApi.remove, { id }),
    () => call(assetsApi.restore, { id }),
    () => call(assetsApi.retry, { id }),
  ]
  for (const write of writes(beginner.call)) await expect(write()).rejects.toMatchObject({ status: 403 })
  for (const write of writes(owner.call).slice(0, 3)) await write()
  for (const write of writes((await signedIn({ role: 'moderator' })).call).slice(0, 3)) await write()
  const { _id: own } = await upload(beginner.token, 'own.png')
  await expect(beginner.call(assetsApi.remove, { id: own })).rejects.toMatchObject({ status: 403 })
})

test('class 12: serves files so that nothing in them can run, with ranges and their file name', async () => {
  const { token } = await signedIn()
  const { url } = await upload(token, 'épisode "1".wav', aSound(2))
  const { statusCode, headers } = await app.inject({ url })
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'audio/wav',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/^default-src 'none'.*sandbox$/),
    'cache-control': 'public, max-age=3600',
    'content-disposition': "inline; filename*=UTF-8''%C3%A9pisode%20%221%22.wav",
    'accept-ranges': 'bytes',
  })
  const part = await app.inject({ url, headers: { range: 'bytes=0-3' } })
  expect(part).toMatchObject({ statusCode: 206, payload: 'RIFF' })
  expect(part.headers['content-range']).toBe(`bytes 0-3/${aSound(2).length}`)
  const beyond = await app.inject({ url, headers: { range: 'bytes=999999-' } })
  expect(beyond.statusCode).toBe(416)
  expect(beyond.headers).toMatchObject({
    'content-range': `bytes */${aSound(2).length}`,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  expect(beyond.headers).not.toHaveProperty('content-disposition')
  expect((await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })).statusCode).toBe(304)
  expect((await app.inject({ url: `${url}?download` })).headers['content-disposition']).toMatch(/^attachment/)
})

test('class 17: no URL reaches files outside the folder, originals or incoming uploads', async () => {
  const { token } = await signedIn()
  const { url } = await upload(token, 'a.png')
  const key = url.replace('/files/', '')
  await writeFile(storage.incoming('half.part'), 'x')
  const tried = [
    `original-${key}`,
    `small-${key}`,
    'incoming/half.part',
    'incoming%2fhalf.part',
    '..%2fcatalogue.sqlite',
    '%2e%2e/secret',
    `${key}%00`,
    `.%2f${key}`,
  ]
  for (const each of tried) expect((await app.inject({ url: `/files/${each}` })).statusCode).toBe(404)
  await rm(storage.incoming('half.part'))
})

test('serves a private file only by its own signed URL, for 5 minutes', async () => {
  const { token, call } = await signedIn()
  const mine = await upload(token, 'private.png', undefined, { isPublic: 'false' })
  const other = await upload(token, 'other.png', undefined, { isPublic: 'false' })
  const [path = '', query = ''] = mine.url.split('?')
  const status = async (url: string) => (await app.inject({ url })).statusCode
  expect(await status(mine.url)).toBe(200)
  expect((await app.inject({ url: mine.url })).headers['cache-control']).toBe('private, max-age=300')
  expect(await status(String(mine.thumbnail))).toBe(200)
  expect(await status(path)).toBe(404)
  expect(await status(`${path}?${other.url.split('?')[1]}`)).toBe(404)
  expect(await status(`${path}?${query.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 60}`)}`)).toBe(404)
  expect(await status(`${path}?${query}&signature=x`)).toBe(404)
  for (const same of ['0$1', '%2B$1', '%20$1', '$1.0', '$1e0'])
    expect(await status(`${path}?${query.replace(/(?<=expires=)(\d+)/, same)}`)).toBe(404)
  const media = await call(mediaApi.create, { body: mediaInput({ cover: mine._id }) })
  expect(await status((media.cover as { url: string }).url)).toBe(200)
  advanceClock(301_000)
  expect((await app.inject({ url: mine.url })).json()).toMatchObject({ code: 'expired' })
  const open = await call(assetsApi.update, { id: mine._id, body: { isPublic: true } })
  expect(open.url).toBe(path)
  expect(await status(path)).toBe(200)
})

test('sweeps files left by a crash, but no file of an asset', async () => {
  const { token } = await signedIn()
  const { url } = await upload(token, 'stays.png')
  await writeFile(storage.incoming('cut.part'), 'half')
  await markKey('lost.png')
  await writeFile(storage.incoming('lost.drawn'), 'x')
  await storage.keep(storage.incoming('lost.drawn'), 'original-lost.png')
  await markKey(url.replace('/files/', ''))
  await sweep(async () => false)
  expect(await storage.arriving()).toEqual([])
  expect(await keptKeys()).not.toContain('original-lost.png')
  expect((await app.inject({ url })).statusCode).toBe(200)
})

test('a retry fails with the reason if the file is missing', async () => {
  const { token, call } = await signedIn()
  const { _id: id, url } = await upload(token, 'gone.png')
  await storage.remove(`original-${url.replace('/files/', '')}`)
  await db.updateTable('assets').set({ status: 'ERROR' }).where('_id', '=', id).execute()
  expect(await call(assetsApi.retry, { id })).toMatchObject({
    status: 'ERROR',
    failure: 'The file is no longer on the server.',
  })
  expect(await assets.withoutJob()).toEqual([])
})

test('search finds an asset by its file name until it is deleted', async () => {
  const { token, call } = await signedIn()
  const asset = await upload(token, 'Verhältnis-ünïque.png')
  const hits = async () => (await call(searchApi.search, { query: { q: 'verhaltnis', indexName: 'assets' } })).hits
  expect(await hits()).toMatchObject([
    { _id: asset._id, originalTitle: 'Verhältnis-ünïque.png', cover: { url: asset.url, thumbnail: asset.thumbnail } },
  ])
  await call(indexApi.rebuild)
  await idle()
  expect(await hits()).toHaveLength(1)
  await call(assetsApi.remove, { id: asset._id })
  expect(await hits()).toEqual([])
})
