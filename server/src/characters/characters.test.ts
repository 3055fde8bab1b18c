import { charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import { expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, aTier, mediaInput, named } from '#test/factories.ts'

withApp()

const body = (more: object = {}) => ({ translations: named('Sensei'), ...more })

test('a character is created, read, changed, deleted and restored', async () => {
  const { call } = await signedIn()
  const [tag, media] = [await aTag(), await aMedia()]
  const made = await call(charactersApi.create, {
    body: body({ originalName: '先生', tags: [tag], mediaRefs: [media._id] }),
  })
  expect(made).toMatchObject({
    originalName: '先生',
    tags: [{ _id: tag }],
    mediaRefs: [media._id],
    cover: '',
    version: 1,
  })
  const changed = await call(charactersApi.update, { id: made._id, body: body({ originalName: null }), base: 1 })
  expect(changed).not.toHaveProperty('originalName')
  await call(charactersApi.remove, { id: made._id })
  await expect(call(charactersApi.find, { id: made._id })).rejects.toMatchObject({
    status: 404,
    message: 'Character not found',
  })
  expect(await call(charactersApi.restore, { id: made._id })).toMatchObject({ tags: [{ _id: tag }] })
})

test('the list has the total and the number of pages', async () => {
  const { call, user } = await signedIn()
  const before = await call(charactersApi.list)
  const own = await call(charactersApi.create, { body: body() })
  for (let each = 0; each < 11; each++) await aCharacter()
  const { characters, pagination } = await call(charactersApi.list, { query: { page: 2, limit: 10 } })
  const total = before.pagination.total + 12
  expect(pagination).toEqual({ total, pages: Math.ceil(total / 10), page: 2, limit: 10 })
  expect(characters).toHaveLength(Math.min(10, total - 10))
  const recent = await call(charactersApi.list, { query: { userId: user._id, limit: 20 } })
  expect(recent.characters.map(({ _id }) => _id)).toEqual([own._id])
})

test('characters of media and media of characters are one relation, edited from both sides', async () => {
  const { call } = await signedIn()
  const character = await aCharacter()
  const [first, second] = [await aMedia({ characters: [character] }), await aMedia()]
  expect((await call(charactersApi.find, { id: character })).mediaRefs).toEqual([first._id])

  await call(charactersApi.update, { id: character, body: body({ mediaRefs: [second._id] }) })
  expect((await call(mediaApi.find, { id: first._id })).characters).toEqual([])
  expect((await call(mediaApi.find, { id: second._id })).characters).toEqual([character])
  expect((await call(charactersApi.ofMedia, { id: second._id })).map(({ _id }) => _id)).toEqual([character])
  expect((await call(charactersApi.media, { id: character })).map(({ _id }) => _id)).toEqual([second._id])

  await call(mediaApi.update, { id: second._id, body: mediaInput({ characters: [] }) })
  expect((await call(charactersApi.find, { id: character })).mediaRefs).toEqual([])
  const links = await db
    .selectFrom('links')
    .select('field')
    .where('fromId', 'in', [character, first._id, second._id])
    .execute()
  expect(links).toEqual([])
})

test('a change from one side adds a revision to the other, so that stale saves are merged', async () => {
  const { call } = await signedIn()
  const character = await aCharacter()
  const { _id: id, version } = await aMedia()
  await call(charactersApi.update, { id: character, body: body({ mediaRefs: [id] }) })
  const merged = await call(mediaApi.update, {
    id,
    base: version,
    body: mediaInput({ characters: [], isOngoing: true }),
  })
  expect(merged).toMatchObject({ characters: [character], isOngoing: true, version: version + 2 })
})

test('a user who may not edit a media item cannot add a character to it', async () => {
  await aTier(10, { canCreateCharacter: true, canEditOwnContent: true })
  const { call } = await signedIn({ role: 'user', scores: 10 })
  const { _id: media } = await aMedia()
  await expect(call(charactersApi.create, { body: body({ mediaRefs: [media] }) })).rejects.toMatchObject({
    status: 403,
  })
  expect((await call(mediaApi.find, { id: media })).characters).toEqual([])
})

test('media in the trash are not counted for a character, and leave no gap in a page', async () => {
  const { call } = await signedIn()
  const character = await aCharacter()
  const [first, second, third] = [
    await aMedia({ characters: [character] }),
    await aMedia({ characters: [character] }),
    await aMedia({ characters: [character] }),
  ]
  const counted = async () => (await call(charactersApi.find, { id: character })).mediaCount
  const shown = async (page: number) =>
    (await call(charactersApi.media, { id: character, query: { page, limit: 2 } })).map(({ _id }) => _id)
  expect(await counted()).toBe(3)
  await call(mediaApi.remove, { id: first._id })
  expect(await counted()).toBe(2)
  expect((await shown(1)).toSorted()).toEqual([second._id, third._id].toSorted())
  expect(await shown(2)).toEqual([])
  await call(mediaApi.restore, { id: first._id })
  expect(await counted()).toBe(3)
})

test('characters in the trash are not counted for a media item, and leave no gap in a page', async () => {
  const { call } = await signedIn()
  const [gone, one, two] = [await aCharacter(), await aCharacter(), await aCharacter()]
  const { _id: id } = await aMedia({ characters: [gone, one, two] })
  await call(charactersApi.remove, { id: gone })
  const shown = await call(charactersApi.ofMedia, { id, query: { page: 1, limit: 2 } })
  expect(shown.map(({ _id }) => _id)).toEqual([one, two])
  expect((await call(mediaApi.find, { id })).characterCount).toBe(2)
})

test('returns the uses of a character', async () => {
  const { call } = await signedIn()
  const character = await aCharacter()
  const media = await aMedia({ characters: [character], translations: { en: { title: 'Kokoro', description: '' } } })
  expect(await call(charactersApi.uses, { id: character })).toEqual({
    total: 1,
    by: [{ entityType: 'Media', fields: ['characters'], count: 1, isAtLeast: false }],
    first: [
      {
        entityType: 'Media',
        entityId: media._id,
        title: 'Kokoro',
        translations: { en: { name: 'Kokoro' } },
        fields: ['characters'],
      },
    ],
  })
})
