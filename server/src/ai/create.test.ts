import { aiApi } from '@mokuroku/contract/ai'
import { assetsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { tagsApi } from '@mokuroku/contract/tags'
import { afterEach, expect, test, vi } from 'vitest'
import { countersOf } from '#ledger/counters.ts'
import { db } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { assisted, useModel, withReferences } from '#test/ai.ts'
import { signedIn, withApp } from '#test/app.ts'
import { withCatalogues } from '#test/catalogues.ts'
import { withinOneDay } from '#test/days.ts'
import { aCharacter, aMedia, aTag, aTier } from '#test/factories.ts'
import { aPicture } from '#test/files.ts'
import { says, withModel } from '#test/model.ts'
import { saveBatch } from './batch.ts'

withApp()
withReferences()
const catalogues = await withCatalogues()
const model = await withModel()

afterEach(() => useModel())

let selected = 0
const titled = (title = `Selected ${++selected}`, description = '') => ({ en: { title, description } })
const person = (name: string, more: object = {}) => ({ translations: { en: { name, description: '' } }, ...more })
const counts = () => countersOf(db, ['mediaCount', 'characterCount', 'tagCount', 'assetCount'])

test('creates a media item with its characters and new tags, and links existing tags', async () => {
  const { call } = await signedIn()
  const drama = await aTag({
    translations: { en: { name: 'Drama', description: '' }, ja: { name: 'ドラマ', description: '' } },
  })
  const before = await counts()
  const made = await call(aiApi.createMedia, {
    body: {
      translations: titled(),
      releaseDate: '1998-04-03T00:00:00.000Z',
      isOngoing: false,
      characters: [person('Faye Valentine', { tags: ['Female'], assets: [], cover: '' })],
      tags: ['drama', 'Space Western', 'space western'],
      cover: '',
      assets: [],
    },
  })
  expect(made).toMatchObject({ mediaType: 'ANIME', isOngoing: false, cover: '' })
  const [faye] = await call(charactersApi.ofMedia, { id: made._id })
  expect(faye).toMatchObject({ translations: { en: { name: 'Faye Valentine' } }, mediaRefs: [made._id] })
  expect(faye?.tags).toMatchObject([{ type: 'CHARACTER_TRAIT', translations: { en: { name: 'Female' } } }])
  expect(made.tags).toMatchObject([{ _id: drama }, { type: 'GENRE', translations: { en: { name: 'Space Western' } } }])
  const after = await counts()
  expect([after.mediaCount, after.characterCount, after.tagCount]).toEqual(
    [before.mediaCount, before.characterCount, before.tagCount].map((each, at) => (each ?? 0) + (at === 2 ? 2 : 1)),
  )
  const rows = await db
    .selectFrom('revisions')
    .select(['origin', 'batch', 'entityType'])
    .where('entityId', 'in', [made._id, faye?._id ?? ''])
    .execute()
  expect(new Set(rows.map(({ origin }) => origin))).toEqual(new Set(['ai']))
  expect(new Set(rows.map(({ batch }) => batch)).size).toBe(1)
})

const spike = { en: { name: 'Spike Spiegel', description: 'A bounty hunter.' } }

test('creates a described character with all its fields, even if one of the same name exists', async () => {
  const { call } = await signedIn()
  const known = await aCharacter({ translations: spike, originalName: 'スパイク・スピーゲル' })
  // Exactly what the console sends: it does not say which characters exist already.
  const said = person('Spike Spiegel', { originalName: 'スパイク スピーゲル', tags: ['Male'], assets: [], cover: '' })
  said.translations.en.description = 'A cyborg.'
  const made = await call(aiApi.createMedia, { body: { translations: titled(), characters: [said] } })
  const [character] = await call(charactersApi.ofMedia, { id: made._id })
  expect(character).toMatchObject({ translations: said.translations, mediaRefs: [made._id] })
  expect(character?._id).not.toBe(known)
  const another = await call(aiApi.createMedia, {
    body: { translations: titled(), characters: [{ ...said, existing: null }] },
  })
  expect(another.characters).not.toContain(known)
})

test('links a character given as an existing one, without changing it', async () => {
  const { call } = await signedIn()
  const known = await aCharacter({ translations: spike })
  const before = await counts()
  const character = person('Spike Spiegel', { existing: known, tags: ['Of Nobody'], cover: 'https://a.example/1.png' })
  const made = await call(aiApi.createMedia, { body: { translations: titled(), characters: [character] } })
  expect(made.characters).toEqual([known])
  expect(await call(charactersApi.find, { id: known })).toMatchObject({ translations: spike, cover: '', tags: [] })
  const { characterCount, tagCount } = await counts()
  expect([characterCount, tagCount]).toEqual([before.characterCount, before.tagCount])
  const wrong = { translations: titled(), characters: [{ ...character, existing: 'nothing' }] }
  await expect(call(aiApi.createMedia, { body: wrong })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'characters.0' }],
  })
})

test('at most 100 different tags are given by name in one selection', async () => {
  const { call } = await signedIn()
  const names = (from: number, count: number) => Array.from({ length: count }, (_, at) => `Given ${from + at}`)
  const create = (tags: string[]) => {
    const both = [person('One', { tags }), person('Another', { tags: names(0, 100) })]
    return call(aiApi.createMedia, { body: { translations: titled(), tags: ['Given 0'], characters: both } })
  }
  const before = await counts()
  await expect(create(names(100, 1))).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'tags', code: 'tooMany', params: { limit: 100 } }],
  })
  expect(await counts()).toEqual(before)
  await create(names(50, 50))
  expect((await counts()).tagCount).toBe((before.tagCount ?? 0) + 100)
})

test('all ids of a selection are checked before anything is created', async () => {
  const { call } = await signedIn()
  const tags = [{ _id: 'no tag' }]
  const both = [person('Refused', { tags, assets: ['no asset'], cover: 'no cover' }), 'no character']
  const body = { translations: titled(), relatedMedia: ['no media'], tags, assets: ['no asset'], characters: both }
  const ofCharacters = ['characters.0.tags.0', 'characters.0.cover', 'characters.0.assets.0', 'characters.1']
  const paths = ['tags.0', 'assets.0', 'relatedMedia.0', ...ofCharacters]
  await expect(call(aiApi.createMedia, { body })).rejects.toMatchObject({
    status: 400,
    errors: expect.arrayContaining(paths.map((path) => expect.objectContaining({ path }) as unknown)) as unknown,
  })
})

test('finds existing characters that match before saving, without those in the trash', async () => {
  const { call } = await signedIn({ role: 'user' })
  const known = await aCharacter({
    translations: { en: { name: 'Jet Black', description: '' } },
    originalName: 'ジェット・ブラック',
  })
  const other = await aCharacter({ translations: { en: { name: 'Jet Black', description: '' } } })
  const trashed = await aCharacter({ translations: { en: { name: 'Jet Black', description: '' } } })
  await characters.remove(trashed, { actor: SYSTEM })
  const { matches } = await call(aiApi.matchCharacters, {
    body: { characters: [person('Jet Black', { originalName: 'ジェット ブラック' }), person('Nobody Atall')] },
  })
  expect(matches.map((each) => each.map(({ _id }) => _id))).toEqual([[known, other], []])
})

test('does not match characters by a given name alone, or with a different original name', async () => {
  const { call } = await signedIn()
  await aCharacter({ translations: { en: { name: 'Sakura', description: '' } } })
  await aCharacter({ translations: { en: { name: 'Sakura Haruno', description: '' } }, originalName: '春野サクラ' })
  const body = { characters: [person('Sakura'), person('Sakura Haruno', { originalName: '遥野桜' })] }
  expect((await call(aiApi.matchCharacters, { body })).matches).toEqual([[], []])
})

test('compares only the first names of a described character, and no text that is too long for a name', async () => {
  const { call } = await signedIn()
  const long = 'Zed Zedson '.padEnd(990, 'q ')
  for (const name of ['Last Namesake', long]) await aCharacter({ translations: { en: { name, description: '' } } })
  const names = Array.from({ length: 30 }, (_, at) => `Some Name${at}`)
  const described = (...all: string[]) => {
    const texts = all.map((name, at) => [`en-x-${100 + at}`, { name, description: '' }])
    return { translations: Object.fromEntries(texts) }
  }
  const body = { characters: [described(...names, 'Last Namesake'), described(long), described('Last Namesake')] }
  const { matches } = await call(aiApi.matchCharacters, { body })
  expect(matches.map(({ length }) => length)).toEqual([0, 0, 1])
})

test('accepts characters and tags by id, and links duplicates once', async () => {
  const { call } = await signedIn()
  const [character, tag] = [await aCharacter(), await aTag()]
  const made = await call(aiApi.createMedia, {
    body: { translations: titled(), characters: [character, { _id: character }], tags: [tag, { _id: tag }] },
  })
  expect(made.characters).toEqual([character])
  expect(made.tags.map(({ _id }) => _id)).toEqual([tag])
})

test('creates nothing if any part of the request is invalid', async () => {
  const { call } = await signedIn()
  const before = await counts()
  const body = { translations: titled(), characters: [person('Nobody Atall')], tags: ['A Tag Of Its Own'] }
  const wrong: [object, string][] = [
    [{ assets: ['nothing'] }, 'assets.0'],
    [{ relatedMedia: ['nothing'] }, 'relatedMedia.0'],
    [{ characters: ['nothing'] }, 'characters.0'],
    [{ cover: 'nothing' }, 'cover'],
    [{ cover: 'https://' }, 'cover'],
    [{ cover: { url: '/files/nothing.png' } }, 'cover'],
    [{ characters: [person('Someone', { cover: { url: 'http://[' } })] }, 'characters.0.cover.url'],
    [{ releaseDate: 'soon' }, 'releaseDate'],
    [{ mediaType: 'PLAY' }, 'mediaType'],
    [{ tags: ['01a1fea3-1be1-70ad-a077-4d66a20f055e'] }, 'tags.0'],
    [{ translations: { en: { title: 'x'.repeat(1001), description: '' } } }, 'translations.en.title'],
  ]
  for (const [more, path] of wrong)
    await expect(call(aiApi.createMedia, { body: { ...body, ...more } })).rejects.toMatchObject({
      status: 400,
      errors: [{ path }],
    })
  expect(await counts()).toEqual(before)
})

test('refuses new characters or tags with a media item to users who may not create those', async () => {
  await aTier(70, { canCreateMedia: true })
  const { call } = await signedIn({ role: 'user', scores: 75 })
  const before = await counts()
  const refused = { status: 403, body: { reason: expect.stringContaining('does not allow adding') as string } }
  await expect(
    call(aiApi.createMedia, { body: { translations: titled(), tags: ['Brand New'] } }),
  ).rejects.toMatchObject(refused)
  await expect(
    call(aiApi.createMedia, { body: { translations: titled(), characters: [person('New Face')] } }),
  ).rejects.toMatchObject(refused)
  expect(await counts()).toEqual(before)
  expect(await call(aiApi.createMedia, { body: { translations: titled() } })).toMatchObject({ isOngoing: true })
  const reader = await signedIn({ role: 'user' })
  await expect(reader.call(aiApi.createMedia, { body: { translations: titled() } })).rejects.toMatchObject({
    status: 403,
  })
})

test('fetches a cover by its URL and stores it as an asset', async () => {
  const picture = await aPicture(600, 840)
  catalogues.answer({ picture: (response) => response.writeHead(200).end(picture) })
  const { call } = await signedIn()
  const made = await call(aiApi.createMedia, {
    body: {
      translations: titled(),
      cover: `${catalogues.origin}/a%20cover.png`,
      characters: [person('Ilse Varga', { cover: { url: `${catalogues.origin}/a%20cover.png` } })],
    },
  })
  const { _id = '' } = made.cover || {}
  expect(await call(assetsApi.find, { id: _id })).toMatchObject({
    filename: 'a cover.png',
    type: 'IMAGE',
    status: 'READY',
  })
  const [character] = await call(charactersApi.ofMedia, { id: made._id })
  expect(character?.cover).toMatchObject({ _id })
})

test('takes the file name of an image as is when its URL is not escaped correctly', async () => {
  catalogues.answer({ picture: (response) => void aPicture().then((bytes) => response.writeHead(200).end(bytes)) })
  const { call } = await signedIn()
  const body = { translations: titled(), cover: `${catalogues.origin}/100%.png` }
  const { _id = '' } = (await call(aiApi.createMedia, { body })).cover || {}
  expect((await call(assetsApi.find, { id: _id })).filename).toBe('100%.png')
})

test('class 16: fetches covers for a user within the daily limit of files, and in two calls at a time', async () => {
  await withinOneDay()
  await aTier(95, { canCreateMedia: true, maxUploadSizeMB: 5 })
  const { call, user } = await signedIn({ role: 'user', scores: 95 })
  const create = () =>
    call(aiApi.createMedia, { body: { translations: titled(), cover: `${catalogues.origin}/cover.png` } })
  const picture = await aPicture()
  const waiting: (() => void)[] = []
  catalogues.answer({ picture: (response) => void waiting.push(() => response.writeHead(200).end(picture)) })
  const fetching = [create(), create()]
  await expect.poll(() => waiting.length).toBe(2)
  await expect(create()).rejects.toMatchObject({ status: 429, code: 'tooMany' })
  for (const answer of waiting) answer()
  await Promise.all(fetching)
  await db.updateTable('uploadCounts').set({ files: 500 }).where('userId', '=', user._id).execute()
  catalogues.asked.length = 0
  await expect(create()).rejects.toMatchObject({ status: 429 })
  expect(catalogues.asked).toEqual([])
})

test('class 16: fetches no cover for a user who may not upload files', async () => {
  await aTier(85, { canCreateMedia: true, maxUploadSizeMB: 0 })
  const { call } = await signedIn({ role: 'user', scores: 85 })
  catalogues.asked.length = 0
  const body = { translations: titled(), cover: `${catalogues.origin}/cover.png` }
  await expect(call(aiApi.createMedia, { body })).rejects.toMatchObject({ status: 403 })
  expect(catalogues.asked).toEqual([])
})

test('class 6: creates nothing if the session ends or the permission is lost while a cover is fetched', async () => {
  await aTier(90, { canCreateMedia: true, maxUploadSizeMB: 5 })
  const ends: [number, (user: string) => Promise<unknown>][] = [
    [401, (user) => db.updateTable('users').set({ isActive: false }).where('_id', '=', user).execute()],
    [401, (user) => db.updateTable('sessions').set({ endedAt: '2026-01-01' }).where('userId', '=', user).execute()],
    [403, (user) => db.updateTable('users').set({ scores: 0 }).where('_id', '=', user).execute()],
  ]
  const before = await counts()
  for (const [status, end] of ends) {
    const { call, user } = await signedIn({ role: 'user', scores: 90 })
    const answer = async () => {
      await end(user._id)
      return aPicture()
    }
    catalogues.answer({ picture: (response) => void answer().then((bytes) => response.writeHead(200).end(bytes)) })
    const body = { translations: titled(), cover: `${catalogues.origin}/cover.png` }
    await expect(call(aiApi.createMedia, { body })).rejects.toMatchObject({ status })
  }
  expect(await counts()).toEqual(before)
})

test('keeps fetched covers if the connection to the database is lost, as the media item may have been created', async () => {
  const picture = await aPicture()
  catalogues.answer({ picture: (response) => response.writeHead(200).end(picture) })
  const { call } = await signedIn()
  const creating = vi.spyOn(media, 'createIn')
  const create = () =>
    call(aiApi.createMedia, { body: { translations: titled(), cover: `${catalogues.origin}/cover.png` } })
  const before = (await counts()).assetCount ?? 0
  creating.mockRejectedValueOnce(Object.assign(new Error('gone'), { code: '57P01' }))
  await expect(create()).rejects.toMatchObject({ status: 503 })
  expect((await counts()).assetCount).toBe(before + 1)
  creating.mockRejectedValueOnce(new Error('a fault'))
  await expect(create()).rejects.toMatchObject({ status: 500 })
  expect((await counts()).assetCount).toBe(before + 1)
  creating.mockRestore()
})

test('class 11: creates nothing if the cover is not an image or not on the public web', async () => {
  catalogues.answer({ picture: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<script>') })
  const { call } = await signedIn()
  const before = await counts()
  const create = (cover: string) =>
    call(aiApi.createMedia, { body: { translations: titled(), cover, tags: ['Left Behind'] } })
  await expect(create(`${catalogues.origin}/cover.png`)).rejects.toMatchObject({ status: 415 })
  await expect(create('http://127.0.0.1:9/cover.png')).rejects.toMatchObject({ status: 502, code: 'outside.internal' })
  await expect(create('http://169.254.169.254/latest')).rejects.toMatchObject({ code: 'outside.internal' })
  expect(await counts()).toEqual(before)
  // Nor is an image kept that was fetched for a media item that could not be created.
  catalogues.answer({ picture: (response) => void aPicture().then((bytes) => response.writeHead(200).end(bytes)) })
  const body = { translations: titled(), cover: `${catalogues.origin}/cover.png`, assets: ['nothing'] }
  await expect(call(aiApi.createMedia, { body })).rejects.toMatchObject({ status: 400 })
  expect(await counts()).toEqual(before)
})

test('creates a new tag once when several requests save it at the same time', async () => {
  const { call } = await signedIn()
  const save = () => call(aiApi.createMedia, { body: { translations: titled(), tags: ['Simultaneous'] } })
  const made = await Promise.all([save(), save(), save()])
  expect(new Set(made.flatMap(({ tags }) => tags.map(({ _id }) => _id))).size).toBe(1)
  expect((await call(tagsApi.list, { query: { search: 'Simultaneous' } })).total).toBe(1)
})

test('the ledger records which texts come from which AI answer, and which from a person', async () => {
  await useModel({ baseUrl: model.baseUrl, model: 'small' })
  const said = {
    translations: {
      en: { title: 'Harbour Song', description: 'Of a harbour.' },
      ja: { title: '港歌', description: '' },
    },
    episodes: 12,
  }
  model.answers(says(`\`\`\`json\n${JSON.stringify(said)}\n\`\`\``))
  const { call, suggested } = await assisted()
  const { complete } = await suggested('Harbour Song')
  const run = complete?.run._id ?? ''
  const translations = { ...said.translations, en: { title: 'Harbour Song', description: 'In my words.' } }
  const made = await call(aiApi.createMedia, { body: { translations, episodes: 12 }, runs: [run] })
  const { data } = await call(revisionsApi.list, { query: { entityType: 'Media', entityId: made._id } })
  expect(data).toMatchObject([
    {
      origin: 'ai',
      provenance: [
        {
          _id: run,
          model: 'small',
          prompt: 'media/1',
          paths: ['translations.en.title', 'translations.ja.title', 'episodes'],
        },
      ],
    },
  ])
  // An editor's save is attributed to an answer as well, but only to one of the user's own.
  const update = (title: string, runs: string[]) =>
    call(mediaApi.update, {
      id: made._id,
      body: { ...made, tags: [], cover: '', relatedMedia: [], translations: titled(title) },
      runs,
    })
  await update('Something else', [run])
  await update('Harbour Song', ['not-a-run'])
  await update('Something else again', [])
  await update('Harbour Song', [run])
  const { data: entries } = await call(historyApi.recent, { query: { language: 'en', limit: 8 } })
  const titles = entries.filter(({ field, entityId }) => field === 'title' && entityId === made._id)
  expect(titles.map(({ origin, ai }) => [origin, ai?.model])).toEqual([
    ['ai', 'small'],
    ['person', undefined],
    ['person', undefined],
    ['person', undefined],
  ])
  const stranger = await signedIn()
  await stranger.call(mediaApi.update, {
    id: made._id,
    body: { ...made, tags: [], cover: '', relatedMedia: [], translations: titled('Bells') },
  })
  await stranger.call(mediaApi.update, {
    id: made._id,
    body: { ...made, tags: [], cover: '', relatedMedia: [], translations: titled('Harbour Song') },
    runs: [run],
  })
  expect((await call(historyApi.recent, { query: { limit: 1 } })).data[0]).toMatchObject({ origin: 'person' })
})

test('a media item that is in a batch twice counts once', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia()
  const answer = await call(aiApi.saveBatch, {
    body: [
      { id, translations: { en: { title: 'Twice' } } },
      { id, translations: { ja: { title: '二度' } } },
    ],
  })
  expect(answer).toMatchObject({ count: 1, message: 'Successfully updated 1 media items', errors: [] })
  expect((await call(mediaApi.find, { id })).translations).toMatchObject({
    en: { title: 'Twice' },
    ja: { title: '二度' },
  })
})

test('a batch saves valid items, reports invalid ones, and overwrites only the texts sent', async () => {
  const { call } = await signedIn()
  const [one, two, three] = [
    await aMedia({
      translations: { en: { title: 'One', description: 'Mine.' }, zh: { title: '一', description: '' } },
    }),
    await aMedia({ translations: { en: { title: 'Two', description: '' } } }),
    await aMedia({ translations: { en: { title: 'Three', description: '' } } }),
  ]
  await media.remove(three._id, { actor: SYSTEM })
  const answer = await call(aiApi.saveBatch, {
    body: [
      {
        id: one._id,
        translations: {
          en: { title: 'The One', description: '' },
          zh: { title: '', description: '第一' },
          ja: { title: '壱' },
          ko: { title: '', description: '' },
        },
      },
      { id: two._id, translations: { en: { title: 'x'.repeat(1001) } } },
      { id: three._id, translations: { en: { title: 'Gone' } } },
      { id: 'nothing', translations: { en: { title: 'Nobody' } } },
    ],
  })
  expect(answer).toMatchObject({ success: true, count: 1, message: 'Successfully updated 1 media items' })
  expect(answer.errors).toMatchObject([
    { id: two._id, code: 'invalid', message: expect.stringContaining('translations.en.title') as string },
    { id: three._id, code: 'notFound', message: 'Media not found' },
    { id: 'nothing', code: 'notFound' },
  ])
  expect((await media.find(one._id))?.translations).toEqual({
    en: { title: 'The One', description: 'Mine.' },
    zh: { title: '一', description: '第一' },
    ja: { title: '壱', description: '' },
  })
  const rows = await db
    .selectFrom('revisions')
    .select(['origin', 'entityId'])
    .where('batch', '=', answer.batch)
    .execute()
  expect(rows).toEqual([{ origin: 'ai', entityId: one._id }])
})

test('a batch does not take an entry over the number of languages that a save accepts', async () => {
  const { call } = await signedIn()
  const texts = (count: number, prefix: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`en-x-${prefix}${at}`, { title: 'Kim' }]))
  const { _id: id } = await aMedia({ translations: { en: { title: 'Kim', description: '' } } })
  const save = (translations: object) => call(aiApi.saveBatch, { body: [{ id, translations: translations as never }] })
  expect((await save(texts(99, 'a'))).count).toBe(1)
  const { count, errors } = await save(texts(1, 'b'))
  expect({ count, errors }).toMatchObject({
    count: 0,
    errors: [{ id, code: 'invalid', message: expect.stringContaining('At most 100 languages') as string }],
  })
})

test('a batch is rolled back as a whole', async () => {
  const { call } = await signedIn()
  const both = [await aMedia({ translations: titled('First') }), await aMedia({ translations: titled('Second') })]
  const { batch, count } = await call(aiApi.saveBatch, {
    body: both.map(({ _id }, at) => ({
      id: _id,
      translations: { en: { title: `Standard ${at}` }, ja: { title: '標準' } },
    })),
  })
  expect(count).toBe(2)
  const preview = await call(historyApi.rollbackAll, { body: { reason: 'Not ours', batch: batch ?? '', dryRun: true } })
  expect(preview.count).toBe(4)
  const done = await call(historyApi.rollbackAll, { body: { reason: 'Not ours', batch: batch ?? '' } })
  expect(done).toMatchObject({ count: 4, skipped: [] })
  for (const { _id, translations } of both) expect((await media.find(_id))?.translations).toEqual(translations)
  await expect(call(historyApi.rollbackAll, { body: { reason: 'Neither' } })).rejects.toMatchObject({ status: 400 })
})

test('a batch saves nothing once the session has ended', async () => {
  const { _id: id, translations } = await aMedia({ translations: titled('Kept') })
  const { user, actor } = await signedIn()
  const ended = db.updateTable('sessions').set({ endedAt: '2026-01-01' }).where('userId', '=', user._id)
  const { _id: session } = await ended.returning('_id').executeTakeFirstOrThrow()
  const answer = await saveBatch([{ id, translations: { en: { title: 'Late' } } }], { actor: { ...actor, session } })
  expect(answer).toMatchObject({ success: false, count: 0, errors: [{ id, code: 'unauthorized' }] })
  expect((await media.find(id))?.translations).toEqual(translations)
})

test('a batch says which media were merged into others in the meantime', async () => {
  const { call } = await signedIn()
  const [from, into] = [await aMedia(), await aMedia()]
  await call(mediaApi.merge, { id: into._id, body: { from: { _id: from._id, version: 1 }, pick: {} } })
  const body = [{ id: from._id, translations: titled('Late'), version: from.version }]
  const message = 'This entry was merged into another one. Reload to see that one.'
  expect((await call(aiApi.saveBatch, { body })).errors).toEqual([{ id: from._id, code: 'merged', message }])
})

test('a batch fails as a whole if it is empty, has no existing media, or its user may not edit them', async () => {
  const { call } = await signedIn()
  await expect(call(aiApi.saveBatch, { body: [] })).rejects.toMatchObject({
    status: 400,
    errors: [{ message: 'No standardized data to save' }],
  })
  const { _id: id } = await aMedia()
  const none = await call(aiApi.saveBatch, { body: [{ id: 'nothing', translations: titled() }] })
  expect(none).toMatchObject({ success: false, count: 0, message: 'Media not found', batch: null })
  await aTier(80, { canCreateMedia: true, canEditOwnContent: true })
  const user = await signedIn({ role: 'user', scores: 80 })
  await expect(user.call(aiApi.saveBatch, { body: [{ id, translations: titled() }] })).rejects.toMatchObject({
    status: 403,
  })
})

test('a batch does not overwrite a text that has changed since the given version', async () => {
  const { call } = await signedIn()
  const { _id: id, version } = await aMedia({
    translations: { ...titled('Seen'), ja: { title: '見た', description: '' } },
  })
  await media.update(
    id,
    { translations: { ...titled('Newer'), ja: { title: '見た', description: '' } } },
    { actor: SYSTEM },
  )
  const save = (translations: Record<string, { title: string }>) =>
    call(aiApi.saveBatch, { body: [{ id, translations, version }] })
  expect(await save({ en: { title: 'Standard' } })).toMatchObject({ success: false, errors: [{ id, code: 'stale' }] })
  expect(await save({ ja: { title: '標準' } })).toMatchObject({ success: true })
  expect((await media.find(id))?.translations).toEqual({ ...titled('Newer'), ja: { title: '標準', description: '' } })
})
