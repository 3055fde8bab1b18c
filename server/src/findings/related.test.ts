import { charactersApi } from '@mokuroku/contract/characters'
import { findingsApi } from '@mokuroku/contract/findings'
import { type MediaInput, mediaApi } from '@mokuroku/contract/media'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import { assets } from '#store/assets'
import { findings } from '#store/findings'
import { media } from '#store/media'
import { purge } from '#ledger/purge.ts'
import { app, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, mediaInput } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'
import { analyze, expectIndexed } from '#test/plans.ts'

withApp()

const title = (text: string) => ({ title: text, description: '' })
let count = 0
/** The input of media that nothing else is called like. */
const unlike = (more: Partial<MediaInput> = {}) =>
  mediaInput({ translations: { en: title(`Nothing like it ${++count}`) }, ...more })

async function codesOf(id: string): Promise<string[]> {
  const { call } = await signedIn()
  return (await call(findingsApi.find, { id })).data.map(({ code }) => code)
}
const areDuplicates = (...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await codesOf(id)).includes('duplicate')))

async function pairs(): Promise<{ ids: string[]; titles: string[] }[]> {
  const { token } = await signedIn()
  const headers = { authorization: `Bearer ${token}` }
  const answer = await app.inject({ url: '/api/media/duplicates?limit=100', headers })
  const rows = answer.json<{ first: { _id: string }; second: { _id: string }; evidence: { titles: string[] } }[]>()
  expect(answer.headers['x-total-count']).toBe(String(rows.length))
  return rows.map(({ first, second, evidence }) => ({ ids: [first._id, second._id], titles: evidence.titles }))
}
const pairsOf = async (id: string) => (await pairs()).filter(({ ids }) => ids.includes(id))

async function counted(): Promise<number> {
  const { call } = await signedIn()
  const { data } = await call(findingsApi.list, { query: { entityType: 'Media', code: 'duplicate' } })
  return data[0]?.count ?? 0
}

test('two of one title, type and day are found in the moment of the write, whichever is written, and leave together', async () => {
  const { call } = await signedIn()
  const before = await counted()
  const { _id: one } = await aMedia({
    translations: { ja: title('シュタインズ・ゲート ゼロ'), en: title('STEINS;GATE 0') },
  })
  expect(await areDuplicates(one)).toEqual([false])
  const { _id: other } = await aMedia({ translations: { en: title(' steins gate　０') } })
  expect(await areDuplicates(one, other)).toEqual([true, true])
  expect(await pairsOf(one)).toEqual([{ ids: [one, other].toSorted(), titles: [expect.stringMatching(/gate/i)] }])
  expect(await counted()).toBe(before + 2)

  await call(mediaApi.update, { id: other, body: unlike() })
  expect(await areDuplicates(one, other)).toEqual([false, false])
  await call(mediaApi.update, { id: other, body: unlike({ originalTitle: 'シュタインズゲートゼロ' }) })
  expect(await areDuplicates(one, other)).toEqual([true, true])

  await call(mediaApi.remove, { id: one })
  expect([await areDuplicates(other), await pairsOf(other)]).toEqual([[false], []])
  await call(mediaApi.restore, { id: one })
  expect(await areDuplicates(one, other)).toEqual([true, true])
  await call(mediaApi.remove, { id: one })
  await purge('Media', one, { actor: SYSTEM })
  expect([await areDuplicates(other), await counted()]).toEqual([[false], before])
})

test('another type, day or season is another thing; a third one keeps the pair of the others', async () => {
  const same = { translations: { en: title('Bakuman'), ja: title('バクマン 第2シリーズ') } }
  const { _id: one } = await aMedia(same)
  for (const more of [
    { ...same, mediaType: 'MANGA' as const },
    { ...same, releaseDate: '2020-04-03T00:00:00.000Z' },
    { translations: { en: title('Bakuman 3rd Season') } },
  ])
    expect(await areDuplicates((await aMedia(more))._id, one)).toEqual([false, false])
  const { _id: second } = await aMedia({ translations: { en: title('Bakuman Season 2') } })
  const { _id: third } = await aMedia({ ...same, releaseDate: '2020-04-01T23:00:00.000Z' })
  expect(await areDuplicates(one, second, third)).toEqual([true, true, true])
  expect(await pairsOf(one)).toHaveLength(2)
  const { call } = await signedIn()
  await call(mediaApi.remove, { id: second })
  expect(await areDuplicates(one, third)).toEqual([true, true])
})

test('what is no duplicate is none for the others either, until its titles change', async () => {
  const { call } = await signedIn()
  const [one, other] = [
    await aMedia({ translations: { en: title('Emma') } }),
    await aMedia({ translations: { en: title('Emma') } }),
  ]
  const target = { entityId: one._id, code: 'duplicate' } as const
  await call(findingsApi.dismiss, { body: target })
  expect(await areDuplicates(one._id, other._id)).toEqual([false, false])
  expect(await pairsOf(one._id)).toEqual([])
  const body = mediaInput({ translations: { en: title('Emma') }, isOngoing: true })
  await call(mediaApi.update, { id: one._id, body })
  expect(await areDuplicates(one._id, other._id)).toEqual([false, false])
  await call(findingsApi.undismiss, { query: target })
  expect(await areDuplicates(one._id, other._id)).toEqual([true, true])
  await call(findingsApi.dismiss, { body: target })
  await call(mediaApi.update, {
    id: one._id,
    body: { ...body, translations: { en: title('Emma'), ja: title('エマ') } },
  })
  expect(await areDuplicates(one._id, other._id)).toEqual([true, true])
})

test('characters of one name are the same in one media, tags in one type', async () => {
  const { call } = await signedIn()
  const name = { en: { name: 'Rei', description: '' } }
  const [{ _id: here }, { _id: there }] = [await aMedia(unlike()), await aMedia(unlike())]
  const [one, other] = [
    await aCharacter({ translations: name, mediaRefs: [here] }),
    await aCharacter({ translations: name, mediaRefs: [there] }),
  ]
  expect(await areDuplicates(one, other)).toEqual([false, false])
  await call(charactersApi.update, { id: other, body: { translations: name, mediaRefs: [here, there] } })
  expect(await areDuplicates(one, other)).toEqual([true, true])
  const tags = [await aTag({ translations: name }), await aTag({ translations: name })]
  expect(await areDuplicates(...tags)).toEqual([true, true])
})

test('what links to a file that is in the trash, gone or unfit is found by the write of the file', async () => {
  const editor = await signedIn()
  const asset = (await send(await aPicture(), 'cover.png', editor)).body._id
  const { _id: id } = await aMedia(unlike({ cover: asset, assets: [asset] }))
  const character = await aCharacter({ cover: asset })
  const broken = async () => [
    (await codesOf(id)).filter((code) => code === 'brokenLink').length,
    (await codesOf(character)).filter((code) => code === 'brokenLink').length,
  ]
  expect(await broken()).toEqual([0, 0])
  await assets.remove(asset, { actor: SYSTEM })
  expect(await broken()).toEqual([1, 1])
  await editor.call(findingsApi.dismiss, { body: { entityId: character, code: 'brokenLink' } })
  expect(await broken()).toEqual([1, 0])
  await assets.restore(asset, { actor: SYSTEM })
  expect(await broken()).toEqual([0, 0])

  const { storageKey } = await db
    .selectFrom('assets')
    .select('storageKey')
    .where('_id', '=', asset)
    .executeTakeFirstOrThrow()
  await assets.found(asset, storageKey, { status: 'ERROR', failure: 'unfit' })
  expect(await broken()).toEqual([1, 0])
  await editor.call(mediaApi.update, { id, body: unlike({ cover: '', assets: [] }) })
  expect(await broken()).toEqual([0, 0])

  await assets.remove(asset, { actor: SYSTEM })
  await purge('Asset', asset, { actor: SYSTEM })
  expect([await broken(), (await codesOf(character)).includes('noCover')]).toEqual([[0, 0], true])
})

test('pages of pairs are read by index, and refuse what is no page', async () => {
  const { token } = await signedIn()
  const headers = { authorization: `Bearer ${token}` }
  for (const query of ['page=0', 'limit=101', 'limit=x', 'sort=title'])
    expect((await app.inject({ url: `/api/media/duplicates?${query}`, headers })).statusCode).toBe(400)
  expect((await app.inject({ url: '/api/media/duplicates' })).statusCode).toBe(401)
  const inputs = Array.from({ length: 300 }, () => ({ input: mediaInput({ translations: { en: title('Untitled') } }) }))
  await transaction((tx) =>
    media.createManyIn(
      tx,
      inputs.map(({ input }, at) => ({ id: `many-${String(at).padStart(4, '0')}`, input, by: { actor: SYSTEM } })),
    ),
  )
  await analyze()
  await expectIndexed(() => findings.duplicatePairs('Media', 0, 20), { sorted: 'the pairs of a hundred entities' })
  expect((await findings.duplicatePairs('Media', 10_000, 5)).total).toBe(10_001)
  expect(await areDuplicates('many-0000', 'many-0299')).toEqual([true, true])
})
