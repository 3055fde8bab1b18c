import { aiApi } from '@mokuroku/contract/ai'
import { batchesApi } from '@mokuroku/contract/batches'
import { charactersApi } from '@mokuroku/contract/characters'
import { commentsApi } from '@mokuroku/contract/comments'
import { mediaApi } from '@mokuroku/contract/media'
import { tagsApi } from '@mokuroku/contract/tags'
import { viewsApi } from '@mokuroku/contract/views'
import { expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { momentIn } from '#lib/clock.ts'
import { idle, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, mediaInput } from '#test/factories.ts'
import { deleteExpiredKeys } from './idempotency.ts'

withApp()

const KEY = 'k'.repeat(40)
const count = async (table: 'media' | 'comments') =>
  Number(
    (
      await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

test('a request that is repeated with its key creates one entity, even if both arrive at once', async () => {
  const { call } = await signedIn()
  const before = await count('media')
  const body = mediaInput()
  const create = () => call(mediaApi.create, { body, key: KEY })
  const [one, other] = await Promise.all([create(), create()])
  expect(other).toEqual(one)
  expect(await create()).toEqual(one)
  expect(await count('media')).toBe(before + 1)
})

test('the keys of others, other keys, no key, and the same key with another body create another one', async () => {
  const [ann, bob] = [await signedIn(), await signedIn()]
  const before = await count('media')
  const body = mediaInput()
  await ann.call(mediaApi.create, { body, key: KEY })
  await bob.call(mediaApi.create, { body, key: KEY })
  await bob.call(mediaApi.create, { body, key: `${KEY}2` })
  for (const _ of ['one', 'two']) await bob.call(mediaApi.create, { body })
  await bob.call(mediaApi.create, { body: { ...body, isOngoing: !body.isOngoing }, key: KEY })
  expect(await count('media')).toBe(before + 6)
})

test('a refused request leaves its key unused', async () => {
  const { call } = await signedIn()
  const body = mediaInput()
  await expect(call(mediaApi.create, { body: { ...body, tags: ['nothing'] }, key: KEY })).rejects.toMatchObject({
    status: 400,
  })
  expect(await call(mediaApi.create, { body, key: KEY })).toMatchObject({ version: 1 })
})

test('what no longer exists is created again, once', async () => {
  const { call } = await signedIn({ role: 'admin' })
  const body = mediaInput()
  const create = () => call(mediaApi.create, { body, key: KEY })
  const { _id: id } = await create()
  await call(mediaApi.remove, { id })
  const [again, other] = await Promise.all([create(), create()])
  expect(again._id).not.toBe(id)
  expect(other).toEqual(again)
  const comment = () =>
    call(commentsApi.create, { body: { entityType: 'Media', entityId: again._id, text: 'Once' }, key: KEY })
  const { _id: first } = await comment()
  await call(commentsApi.remove, { id: first })
  expect((await comment())._id).not.toBe(first)
})

test('another call with the same key and body creates another one', async () => {
  const { call } = await signedIn()
  const body = { translations: { en: { title: 'Once', description: '' } }, characters: [], tags: [] }
  const { _id: one } = await call(aiApi.createMedia, { body, key: KEY })
  const whole = { ...mediaInput(), ...body }
  const { _id: other } = await call(mediaApi.create, { body: whole, key: KEY })
  expect(other).not.toBe(one)
})

test('a saved view is created once, too, and not again after it was changed', async () => {
  const { call } = await signedIn()
  const body = { name: 'Mine', entityType: 'Media' as const }
  const create = () => call(viewsApi.create, { body, key: KEY })
  const [one, other] = await Promise.all([create(), create()])
  expect(other).toEqual(one)
  await call(viewsApi.update, { id: one._id, body: { ...body, name: 'Renamed' } })
  expect(await create()).toMatchObject({ _id: one._id, name: 'Renamed' })
})

test('a comment and a media item of AI Compare are created once, too', async () => {
  const { call } = await signedIn()
  const { _id: entityId } = await aMedia()
  const comments = await count('comments')
  const comment = () => call(commentsApi.create, { body: { entityType: 'Media', entityId, text: 'Once' }, key: KEY })
  expect(await comment()).toEqual(await comment())
  expect(await count('comments')).toBe(comments + 1)
  const media = await count('media')
  const body = { translations: { en: { title: 'Once', description: '' } }, characters: [], tags: [] }
  const save = () => call(aiApi.createMedia, { body, key: KEY })
  expect(await save()).toEqual(await save())
  expect(await count('media')).toBe(media + 1)
})

test('keys are forgotten after a day', async () => {
  const { call } = await signedIn()
  const body = mediaInput()
  const create = () => call(mediaApi.create, { body, key: KEY })
  const one = await create()
  await deleteExpiredKeys()
  expect(await create()).toEqual(one)
  await db
    .updateTable('creations')
    .set({ createdAt: momentIn(-25 * 60 * 60_000) })
    .execute()
  await deleteExpiredKeys()
  expect((await create())._id).not.toBe(one._id)
})

test('a bulk change that is repeated with its key starts one batch, also if its filter matches nothing any more', async () => {
  const { call } = await signedIn({ role: 'admin' })
  await aMedia({ mediaType: 'MANGA' })
  const body = { filter: { type: 'MANGA' as const }, change: { mediaType: 'NOVEL' as const } }
  const start = () => call(mediaApi.bulk, { body, key: KEY })
  const [one, other] = await Promise.all([start(), start()])
  expect(other).toEqual(one)
  await idle()
  expect(await start()).toEqual(one)
  await call(batchesApi.rollback, { id: (one as { batch: string }).batch, body: { reason: 'A mistake' } })
  await idle()
  // It is not in effect any more.
  expect(await start()).not.toEqual(one)
})

test('bulk changes of characters and tags take a key, too', async () => {
  const { call } = await signedIn({ role: 'admin' })
  const change = { delete: true } as const
  const characters = { ids: [await aCharacter()], change }
  const started = await call(charactersApi.bulk, { body: characters, key: KEY })
  expect(await call(charactersApi.bulk, { body: characters, key: KEY })).toEqual(started)
  const tags = { ids: [await aTag()], change }
  const other = await call(tagsApi.bulk, { body: tags, key: KEY })
  expect(await call(tagsApi.bulk, { body: tags, key: KEY })).toEqual(other)
  expect(other).not.toEqual(started)
})
