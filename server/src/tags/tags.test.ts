import { dashboardApi } from '@mokuroku/contract/dashboard'
import { mediaApi } from '@mokuroku/contract/media'
import { newTag, tagsApi } from '@mokuroku/contract/tags'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import { definitionOf } from '#ledger/registry.ts'
import { removeIn } from '#ledger/write.ts'
import { signedIn, withApp } from '#test/app.ts'
import { aCharacter, addLinks, aMedia, aTag, mediaInput } from '#test/factories.ts'
import { analyze, plansOf } from '#test/plans.ts'
import { untilWaiting } from '#test/waiting.ts'
import { replaceTag } from './replace.ts'

withApp()

const body = (name: string, more: object = {}) => ({
  ...newTag(),
  translations: { en: { name, description: '' } },
  ...more,
})

test('a tag is created, read, changed, deleted and restored', async () => {
  const { call } = await signedIn()
  const made = await call(tagsApi.create, { body: body('Drama', { color: '#aB12cd' }) })
  expect(made).toMatchObject({ type: 'GENRE', color: '#aB12cd', icon: null, status: 'ACTIVE', usageCount: 0 })
  const changed = await call(tagsApi.update, { id: made._id, body: body('Tragedy', { status: 'HIDDEN' }), base: 1 })
  expect(changed).toMatchObject({ status: 'HIDDEN', version: 2 })
  await call(tagsApi.remove, { id: made._id })
  await expect(call(tagsApi.find, { id: made._id })).rejects.toMatchObject({ status: 404, message: 'Tag not found' })
  expect(await call(tagsApi.restore, { id: made._id })).toMatchObject({ translations: { en: { name: 'Tragedy' } } })
})

test('rejects a colour that is not a hash and six hex digits', async () => {
  const { call } = await signedIn()
  for (const color of ['red', '#12345', '#12345g', '123456'])
    await expect(call(tagsApi.create, { body: body('x', { color }) })).rejects.toMatchObject({
      errors: [{ path: 'color' }],
    })
})

test('filters the list by type and text, with the total', async () => {
  const { call } = await signedIn()
  await call(tagsApi.create, { body: body('Unreliable narrator', { type: 'THEME' }) })
  await call(tagsApi.create, { body: body('Sea voyage', { type: 'THEME' }) })
  expect(await call(tagsApi.list, { query: { type: 'THEME', limit: 1 } })).toMatchObject({
    total: 2,
    tags: [{ type: 'THEME' }],
  })
  expect(await call(tagsApi.list, { query: { search: 'Unreliable narrator' } })).toMatchObject({ total: 1 })
  expect(await call(tagsApi.list, { query: { search: 'nothing like this' } })).toEqual({ total: 0, tags: [] })
})

test('a tag cannot be its own ancestor', async () => {
  const { call } = await signedIn()
  const top = await aTag()
  const middle = await aTag({ parentTag: top })
  const bottom = await aTag({ parentTag: middle })
  await expect(call(tagsApi.update, { id: top, body: body('Top', { parentTag: bottom }) })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'parentTag' }],
  })
  expect((await call(tagsApi.find, { id: top })).parentTag).toBeNull()
})

test('a child tag does not count as a use of its parent', async () => {
  const { call } = await signedIn()
  const top = await aTag()
  const below = await aTag({ parentTag: top })
  const counts = { usageCount: 0, mediaCount: 0, characterCount: 0 }
  expect(await call(tagsApi.find, { id: top })).toMatchObject(counts)
  await call(tagsApi.remove, { id: below })
  expect(await call(tagsApi.find, { id: top })).toMatchObject(counts)
})

test('counts uses exactly, through every kind of change', async () => {
  const { call } = await signedIn()
  const id = await aTag({ type: 'CUSTOM' })
  const usage = async () => (await call(dashboardApi.stats)).tagUsage
  const media = await aMedia({ tags: [id] })
  await aCharacter({ tags: [id] })
  expect(await call(tagsApi.find, { id })).toMatchObject({ usageCount: 2, mediaCount: 1, characterCount: 1 })
  await call(tagsApi.update, { id, body: body('Moved', { type: 'CONTENT_WARNING' }) })
  expect(await usage()).toMatchObject({
    CUSTOM: { count: 0, totalUsage: 0 },
    CONTENT_WARNING: { count: 1, totalUsage: 2 },
  })
  await call(tagsApi.remove, { id })
  expect(await usage()).toMatchObject({ CONTENT_WARNING: { count: 0, totalUsage: 0 } })
  await call(tagsApi.restore, { id })
  await call(mediaApi.remove, { id: media._id })
  expect(await usage()).toMatchObject({ CONTENT_WARNING: { count: 1, totalUsage: 1 } })
})

test('names the uses of a tag in each language', async () => {
  const { call } = await signedIn()
  const id = await aTag()
  const translations = { en: { title: 'Kokoro', description: '' }, 'zh-Hans': { title: '心', description: '' } }
  await aMedia({ tags: [id], translations })
  expect((await call(tagsApi.uses, { id })).first).toMatchObject([
    { entityType: 'Media', title: 'Kokoro', translations: { en: { name: 'Kokoro' }, 'zh-Hans': { name: '心' } } },
  ])
})

test('replaces a tag wherever it is used', async () => {
  const { call } = await signedIn()
  const [old, next] = [await aTag(), await aTag()]
  const [one, both] = [await aMedia({ tags: [old] }), await aMedia({ tags: [next, old] })]
  await aCharacter({ tags: [old] })
  expect(await call(tagsApi.replace, { id: old, body: { with: next } })).toEqual({ success: true, count: 3 })
  expect((await call(mediaApi.find, { id: one._id })).tags.map(({ _id }) => _id)).toEqual([next])
  expect((await call(mediaApi.find, { id: both._id })).tags.map(({ _id }) => _id)).toEqual([next])
  expect(await call(tagsApi.find, { id: next })).toMatchObject({ usageCount: 3, mediaCount: 2, characterCount: 1 })
  expect(await call(tagsApi.uses, { id: old })).toEqual({ total: 0, by: [], first: [] })
})

test('replaces a tag in the order of kinds and entries, whenever they got it', async () => {
  const { call } = await signedIn()
  const [old, next] = [await aTag(), await aTag()]
  const [early, late] = [await aMedia(), await aMedia({ tags: [old] })]
  const character = await aCharacter({ tags: [old] })
  await call(mediaApi.update, { id: early._id, body: mediaInput({ tags: [old] }) })
  await analyze()
  await call(tagsApi.replace, { id: old, body: { with: next } })
  const written = await db
    .selectFrom('revisions')
    .select('entityId')
    .where('batch', 'is not', null)
    .orderBy('_id')
    .execute()
  const ids = [character, early._id, late._id]
  expect(written.map(({ entityId }) => entityId).filter((id) => ids.includes(id))).toEqual(ids)
})

test('replaces neither a tag by itself, nor one that is missing or has more than 2,000 uses', async () => {
  const { call, actor } = await signedIn()
  const [old, next] = [await aTag(), await aTag()]
  const replace = (id: string, other: string) => call(tagsApi.replace, { id, body: { with: other } })
  await expect(replace(old, old)).rejects.toMatchObject({ status: 400, errors: [{ path: 'with' }] })
  await expect(replace(old, 'missing')).rejects.toMatchObject({ status: 404 })
  await expect(replace('missing', next)).rejects.toMatchObject({ status: 404 })
  await addLinks(old, 2000)
  expect(await replace(old, next)).toMatchObject({ success: true })
  await addLinks(old, 1)
  await expect(replace(old, next)).rejects.toMatchObject({ status: 400, errors: [{ path: 'with' }] })
  // Finding this out does not read and sort all uses.
  const plans = await plansOf(() => replaceTag(old, next, actor).catch(() => undefined))
  expect(plans.join('\n')).not.toMatch(/sort|temp b-tree/i)
})

test('replaces a tag in all other entries if one is deleted at the same moment', async () => {
  const { call } = await signedIn()
  const [old, next] = [await aTag(), await aTag()]
  const [kept, deleted] = [await aMedia({ tags: [old] }), await aMedia({ tags: [old] })]
  let replaced: Promise<unknown> | undefined
  await transaction(async (tx) => {
    await removeIn(definitionOf('Media'), tx, deleted._id, { actor: SYSTEM })
    replaced ??= call(tagsApi.replace, { id: old, body: { with: next } })
    await untilWaiting(1)
  })
  expect(await replaced).toEqual({ success: true, count: 1 })
  expect((await call(mediaApi.find, { id: kept._id })).tags.map(({ _id }) => _id)).toEqual([next])
  expect((await call(mediaApi.restore, { id: deleted._id })).tags.map(({ _id }) => _id)).toEqual([old])
})
