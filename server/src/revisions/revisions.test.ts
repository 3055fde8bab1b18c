import { assetsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { usersApi } from '@mokuroku/contract/users'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import { media } from '#store/media'
import { revisions } from '#store/revisions'
import { users } from '#store/users'
import { app, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, mediaInput, titled } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'
import { expectIndexed } from '#test/plans.ts'

withApp()

const context = { actor: SYSTEM }

async function revisionsOf(
  entityId: string,
  entityType: 'Media' | 'Character' | 'User' | 'Rating' | 'Asset' = 'Media',
) {
  const { call } = await signedIn()
  return (await call(revisionsApi.list, { query: { entityType, entityId } })).data
}

test('lists every write of an entity, newest first, each with a snapshot', async () => {
  const { call, user } = await signedIn()
  const { _id: id } = await call(mediaApi.create, { body: mediaInput({ translations: titled('Kokoro') }) })
  await call(mediaApi.update, { id, body: mediaInput({ translations: titled('Botchan'), episodes: 3 }) })
  await call(mediaApi.remove, { id })
  await call(mediaApi.restore, { id })
  const rows = await revisionsOf(id)
  expect(rows.map(({ action, version }) => [version, action])).toEqual([
    [4, 'restore'],
    [3, 'delete'],
    [2, 'update'],
    [1, 'create'],
  ])
  expect(rows[2]).toMatchObject({
    entityType: 'Media',
    entityId: id,
    origin: 'person',
    username: user.username,
    paths: expect.arrayContaining(['translations.en.title', 'episodes']),
  })
  expect(rows[2]).not.toHaveProperty('snapshot')
  const query = { entityType: 'Media', entityId: id, limit: 1, skip: 3 } as const
  const [first] = (await call(revisionsApi.list, { query })).data
  expect(await call(revisionsApi.find, { id: first?._id ?? '' })).toMatchObject({
    version: 1,
    snapshot: { translations: titled('Kokoro') },
  })
})

test('restores a whole revision, and removes what was added since', async () => {
  const { call } = await signedIn()
  const [tag, character] = [await aTag(), await aCharacter()]
  const { _id: id } = await aMedia({ translations: titled('Kokoro'), tags: [tag], characters: [character] })
  await media.update(id, { translations: titled('こころ', 'ja'), episodes: 3, tags: [], characters: [] }, context)
  const [, created] = await revisionsOf(id)
  const done = await call(revisionsApi.restore, { id: created?._id ?? '', body: {} })
  expect(done).toEqual({ success: true, entityType: 'Media', entityId: id, version: 3, isChanged: true })
  const found = await call(mediaApi.find, { id })
  expect(found).toMatchObject({ tags: [{ _id: tag }], characters: [character] })
  expect(found.translations).toEqual(titled('Kokoro'))
  expect(found).not.toHaveProperty('episodes')
  expect((await call(charactersApi.find, { id: character })).mediaRefs).toEqual([id])
  expect((await revisionsOf(id))[0]).toMatchObject({ origin: 'rollback', action: 'update' })
})

test('restores only the given paths', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia({ translations: { ...titled('One'), ...titled('Un', 'fr') }, episodes: 1 })
  await media.update(id, { translations: { ...titled('Two'), ...titled('Deux', 'fr') }, episodes: 2 }, context)
  const [, created] = await revisionsOf(id)
  const restore = (paths: string[]) => call(revisionsApi.restore, { id: created?._id ?? '', body: { paths } })
  await restore(['translations.fr'])
  expect(await call(mediaApi.find, { id })).toMatchObject({
    translations: { ...titled('Two'), ...titled('Un', 'fr') },
    episodes: 2,
  })
  await restore(['translations.en.title', 'episodes'])
  expect(await call(mediaApi.find, { id })).toMatchObject({ translations: titled('One'), episodes: 1 })
  await media.update(id, { translations: titled('One') }, context)
  await restore(['translations.fr.title'])
  expect((await call(mediaApi.find, { id })).translations).toEqual({ ...titled('One'), ...titled('Un', 'fr') })
  await media.update(id, { translations: { ...titled('One'), ...titled('Un', 'fr'), ...titled('Uno', 'es') } }, context)
  await restore(['translations.es.title'])
  expect((await call(mediaApi.find, { id })).translations).not.toHaveProperty('es')
  await expect(restore(['ratingSum'])).rejects.toMatchObject({ status: 400, errors: [{ path: 'paths' }] })
})

test('with a base, keeps what others changed since, and refuses conflicts', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia({ translations: titled('One'), episodes: 1 })
  await media.update(id, { translations: titled('Two') }, context)
  const [, created] = await revisionsOf(id)
  const restore = (body: object) => call(revisionsApi.restore, { id: created?._id ?? '', body })
  await media.update(id, { episodes: 9 }, context)
  await restore({ base: 2 })
  expect(await call(mediaApi.find, { id })).toMatchObject({ translations: titled('One'), episodes: 9 })
  await media.update(id, { translations: titled('Three') }, context)
  await expect(restore({ base: 2 })).rejects.toMatchObject({ status: 412, code: 'stale' })
  expect((await call(mediaApi.find, { id })).translations).toEqual(titled('Three'))
})

test('says that it changes nothing if others have restored the same values since', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia({ translations: titled('One') })
  await media.update(id, { translations: titled('Two') }, context)
  const [, created] = await revisionsOf(id)
  const restore = () => call(revisionsApi.restore, { id: created?._id ?? '', body: { base: 2 } })
  expect(await restore()).toMatchObject({ version: 3, isChanged: true })
  expect(await restore()).toMatchObject({ version: 3, isChanged: false })
})

test('restores once the conflicts are resolved, and only on the version they were resolved for', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia({ translations: titled('One'), episodes: 1, tags: [] })
  await media.update(id, { translations: titled('Two'), episodes: 2 }, context)
  const [, created] = await revisionsOf(id)
  const tag = await aTag()
  await media.update(id, { translations: titled('Three'), tags: [tag] }, context)
  const restore = (settled: { version: number; paths: string[] }, paths?: string[]) =>
    call(revisionsApi.restore, { id: created?._id ?? '', body: { paths, base: 2, settled } })
  for (const settled of [
    { version: 3, paths: [] },
    { version: 2, paths: ['translations.en.title'] },
  ])
    await expect(restore(settled)).rejects.toMatchObject({
      status: 412,
      body: { conflicts: ['translations.en.title'], version: 3 },
    })
  await restore({ version: 3, paths: [] }, ['episodes'])
  expect(await call(mediaApi.find, { id })).toMatchObject({ translations: titled('Three'), episodes: 1 })
  await restore({ version: 4, paths: ['translations.en.title'] })
  expect(await call(mediaApi.find, { id })).toMatchObject({
    translations: titled('One'),
    episodes: 1,
    tags: [{ _id: tag }],
  })
})

test('a language that was removed, and is kept for the title of the restored version, keeps all its texts', async () => {
  const { call } = await signedIn()
  const french = (title: string) => ({ ...titled('Kim'), fr: { title, description: 'B' } })
  const { _id: id } = await aMedia({ translations: french('One') })
  await media.update(id, { translations: french('Two') }, context)
  await media.update(id, { translations: titled('Kim') }, context)
  const [, , created] = await revisionsOf(id)
  const settled = { version: 3, paths: ['translations.fr.title'] }
  await call(revisionsApi.restore, { id: created?._id ?? '', body: { base: 2, settled } })
  expect((await call(mediaApi.find, { id })).translations).toEqual(french('One'))
})

test('restores a version that lacks a text of a language with an empty one', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia({ translations: titled('One') })
  await media.update(id, { translations: titled('Two') }, context)
  const [, { _id: created } = { _id: '' }] = await revisionsOf(id)
  const { snapshot } = await call(revisionsApi.find, { id: created })
  const lacking = { ...snapshot, translations: { en: { title: 'One' } } }
  await db.updateTable('revisions').set({ snapshot: lacking }).where('_id', '=', created).execute()
  await call(revisionsApi.restore, { id: created, body: {} })
  expect((await call(mediaApi.find, { id })).translations).toEqual(titled('One'))
})

test('restores the file of an asset as a whole, and processes it again', async () => {
  const { token, call } = await signedIn()
  const { body: first } = await send(await aPicture(40, 30), 'a.png', { token })
  const put = { token, url: `/api/assets/${first._id}/file`, method: 'PUT' as const }
  for (const side of [50, 60]) await send(await aPicture(side, side), 'b.png', put)
  const rows = await revisionsOf(first._id, 'Asset')
  const restore = (body: object) => call(revisionsApi.restore, { id: rows[2]?._id ?? '', body })
  await expect(restore({ base: 2, paths: ['contentHash'] })).rejects.toMatchObject({
    status: 412,
    body: { conflicts: expect.arrayContaining(['contentHash', 'storageKey']) },
  })
  expect(await call(assetsApi.find, { id: first._id })).toMatchObject({ dimensions: { width: 60, height: 60 } })
  const conflicts = ['contentHash', 'storageKey', 'size']
  await restore({ base: 2, paths: ['contentHash'], settled: { version: 3, paths: conflicts } })
  const { url, size, dimensions } = first
  const restored = () => call(assetsApi.find, { id: first._id })
  await expect.poll(restored).toMatchObject({ url, size, dimensions, status: 'READY' })
  expect((await app.inject({ url })).statusCode).toBe(200)
})

test('restoring requires the permission to edit', async () => {
  const reader = await signedIn({ role: 'user' })
  const { _id: id } = await aMedia()
  await media.update(id, { episodes: 4 }, context)
  const [, created] = await revisionsOf(id)
  const revision = created?._id ?? ''
  expect((await reader.call(revisionsApi.find, { id: revision })).version).toBe(1)
  await expect(reader.call(revisionsApi.restore, { id: revision, body: {} })).rejects.toMatchObject({ status: 403 })
})

test('only moderators and administrators see revisions of accounts, and only the latter restore them', async () => {
  const [admin, moderator, reader] = [
    await signedIn(),
    await signedIn({ role: 'moderator' }),
    await signedIn({ role: 'user' }),
  ]
  const id = reader.user._id
  await users.update(id, { scores: 5 }, context)
  const [, created] = await revisionsOf(id, 'User')
  const revision = created?._id ?? ''
  const query = { entityType: 'User', entityId: id } as const
  expect((await moderator.call(revisionsApi.list, { query })).data).toHaveLength(2)
  await expect(reader.call(revisionsApi.list, { query })).rejects.toMatchObject({ status: 403 })
  await expect(reader.call(revisionsApi.find, { id: revision })).rejects.toMatchObject({ status: 403 })
  await expect(moderator.call(revisionsApi.restore, { id: revision, body: {} })).rejects.toMatchObject({ status: 403 })
  await admin.call(revisionsApi.restore, { id: revision, body: {} })
  expect((await admin.call(usersApi.find, { id })).scores).toBe(0)
})

test('shows revisions of an entity in the trash only to users who may restore it', async () => {
  const [owner, other] = [await signedIn({ role: 'user' }), await signedIn({ role: 'user' })]
  const { _id: mediaId } = await aMedia()
  const { _id: id } = await owner.call(ratingsApi.create, { body: { mediaId, score: 3, comment: 'Regretted' } })
  await owner.call(ratingsApi.remove, { id })
  const [, created] = await revisionsOf(id, 'Rating')
  const revision = created?._id ?? ''
  expect((await owner.call(revisionsApi.find, { id: revision })).snapshot).toMatchObject({ comment: 'Regretted' })
  await expect(other.call(revisionsApi.find, { id: revision })).rejects.toMatchObject({ status: 403 })
  await expect(owner.call(revisionsApi.restore, { id: revision, body: {} })).rejects.toMatchObject({ status: 404 })
})

test('revisions are read from an index', async () => {
  const { _id: entityId } = await aMedia()
  await expectIndexed(() => revisions.list({ entityType: 'Media', entityId, limit: 20, skip: 0 }))
})
