// Responses omit links into the trash, so saving what a response showed must not remove them.
import { charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import type { Document } from '@mokuroku/contract/merge'
import { revisionsApi } from '@mokuroku/contract/revisions'
import type { Route } from '@mokuroku/contract/route'
import { tagsApi } from '@mokuroku/contract/tags'
import { describe, expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import { linkFields } from '#ledger/fields.ts'
import { definitionOf } from '#ledger/registry.ts'
import { media } from '#store/media'
import { tags } from '#store/tags'
import { signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, mediaInput } from '#test/factories.ts'
import { KIND_SAMPLES, MANY_KINDS } from '#test/kinds.ts'

withApp()

/** Every link field of every kind that may be empty. */
const FIELDS = await (async () => {
  await import('../app.ts')
  return MANY_KINDS.flatMap((kind) => {
    const definition = definitionOf(kind)
    return linkFields(definition).flatMap(([field, target]) => {
      const empty = (definition.empty as Document)[field]
      return empty === undefined ? [] : [{ kind, field, target: target as typeof kind, isList: Array.isArray(empty) }]
    })
  })
})()

test('there are link fields to test', () => expect(FIELDS.length).toBeGreaterThan(8))

describe.each(FIELDS)('a link into the trash in $field of $kind', ({ kind, field, target, isList }) => {
  const isHidden = definitionOf(kind).hidden?.includes(field) ?? false
  const none = isList ? [] : field === 'parentTag' ? null : ''

  /** An entity that links to three others, the second of which is then deleted, or only to that one. */
  async function aLinking() {
    const { call, actor } = await signedIn()
    const { api, body, create } = KIND_SAMPLES[kind]
    const of = KIND_SAMPLES[target]
    const [first, hidden, last] = [await of.create({ actor }), await of.create({ actor }), await of.create({ actor })]
    const [id, fields] = [await create({ actor }), body()]
    const send = (route: Route, input: object) => call(route, input as never) as Promise<Document>
    const update = (links: unknown, more: object = {}) =>
      send(api.update, { id, body: { ...fields, [field]: links }, ...more })
    const shown = async () => [(await send(api.find, { id }))[field]].flat().map(idOf).filter(Boolean)
    const all = isList ? [first, hidden, last] : [hidden]
    await update(isList ? all : hidden)
    expect(await shown()).toEqual(all)
    await send(of.api.remove, { id: hidden })
    const restore = () => send(of.api.restore, { id: hidden })
    const newest = async () => (await call(revisionsApi.list, { query: { entityType: kind, entityId: id } })).data[0]
    return { first, hidden, last, all, shown, update, restore, newest }
  }

  test('is shown, unless the field is declared as hidden', async () => {
    const { first, last, all, shown } = await aLinking()
    expect(await shown()).toEqual(isHidden ? (isList ? [first, last] : []) : all)
  })

  test('keeps its place when the visible links are saved, without a new version', async () => {
    const { all, shown, update, restore, newest } = await aLinking()
    const version = (await newest())?.version
    const seen = await shown()
    await update(isList ? seen : (seen[0] ?? none))
    expect((await newest())?.version).toBe(version)
    await restore()
    expect(await shown()).toEqual(all)
  })

  test('is removed when it is dropped explicitly', async () => {
    const { first, hidden, last, shown, update, restore } = await aLinking()
    await update(isList ? [first, last] : none, { dropped: isHidden ? [hidden] : [] })
    await restore()
    expect(await shown()).toEqual(isList ? [first, last] : [])
  })

  test.runIf(isHidden)('stays when other links are removed, even after a concurrent save', async () => {
    const { hidden, last, shown, update, restore, newest } = await aLinking()
    const base = (await newest())?.version ?? 0
    await update(isList ? [last] : none, { base })
    await update(isList ? [last] : none, { base })
    await restore()
    expect(await shown()).toEqual(isList ? [hidden, last] : [hidden])
  })

  test('gives way to links that are replaced or reordered', async () => {
    const { first, last, shown, update, restore } = await aLinking()
    await update(isList ? [last, first] : last)
    await restore()
    expect((await shown()).slice(0, 2)).toEqual(isList ? [last, first] : [last])
  })
})

test('a relation to a trashed tag stays on both sides', async () => {
  const { call } = await signedIn()
  const tag = await aTag()
  const character = await aCharacter({ tags: [tag] })
  const { _id: id } = await aMedia({ characters: [character], tags: [tag] })
  await call(tagsApi.remove, { id: tag })
  await call(mediaApi.update, { id, body: mediaInput({ characters: [], tags: [] }) })
  await call(tagsApi.restore, { id: tag })
  expect(await call(mediaApi.find, { id })).toMatchObject({ characters: [], tags: [{ _id: tag }] })
  expect(await call(charactersApi.find, { id: character })).toMatchObject({ mediaRefs: [], tags: [{ _id: tag }] })
  expect(await call(tagsApi.find, { id: tag })).toMatchObject({ mediaCount: 1, characterCount: 1 })
})

const idOf = (value: unknown) => (value as { _id?: string } | null)?._id ?? value

test('a refused link into the trash does not keep the same transaction from removing another one', async () => {
  const tag = await aTag()
  const [one, other] = [await aMedia(), await aMedia({ tags: [tag] })]
  await tags.remove(tag, { actor: SYSTEM })
  await transaction(async (tx) => {
    const linking = media.updateIn(tx, one._id, { tags: [tag] }, { actor: SYSTEM })
    await expect(linking).rejects.toMatchObject({ status: 400 })
    await media.updateIn(tx, other._id, { tags: [] }, { actor: SYSTEM })
  })
  expect(await db.selectFrom('links').select('fromId').where('toId', '=', tag).execute()).toEqual([])
})
