import { charactersApi } from '@mokuroku/contract/characters'
import { findingsApi } from '@mokuroku/contract/findings'
import { type MediaInput, mediaApi } from '@mokuroku/contract/media'
import { tagsApi } from '@mokuroku/contract/tags'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import { assets } from '#store/assets'
import { findings } from '#store/findings'
import { media } from '#store/media'
import { purge } from '#ledger/purge.ts'
import { app, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, mediaInput, title } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'
import { analyze, expectIndexed, plansOf } from '#test/plans.ts'

withApp()

let count = 0
/** The input of a media item with a title that no other has. */
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
  const total = Number(answer.headers['x-total-count'])
  if (total <= 100) expect(rows).toHaveLength(total)
  return rows.map(({ first, second, evidence }) => ({ ids: [first._id, second._id], titles: evidence.titles }))
}
const pairsOf = async (id: string) => (await pairs()).filter(({ ids }) => ids.includes(id))

async function counted(): Promise<number> {
  const { call } = await signedIn()
  const { data } = await call(findingsApi.list, { query: { entityType: 'Media', code: 'duplicate' } })
  return data[0]?.count ?? 0
}

test('finds media with the same title, type and day on write, and clears both findings together', async () => {
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

test('does not match another type, day or season; deleting one of three duplicates keeps the others', async () => {
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

test('dismissing a duplicate clears it for both entries, until a title changes', async () => {
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

test('characters of the same name are duplicates within a media item, tags within a type', async () => {
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
  const pair = (ids: string[]) => ({ first: { _id: ids[0] }, second: { _id: ids[1] }, evidence: { titles: ['Rei'] } })
  expect(await call(charactersApi.duplicates, { query: {} })).toMatchObject([pair([one, other].toSorted())])
  expect(await call(tagsApi.duplicates, { query: {} })).toMatchObject([pair(tags.toSorted())])
})

test('filters and findings count a cover and a tag in the trash until they are deleted permanently', async () => {
  const editor = await signedIn()
  const cover = (await send(await aPicture(), 'cover.png', editor)).body._id
  const tag = await aTag()
  const { _id: id } = await aMedia(unlike({ cover, tags: [tag] }))
  const state = async () => {
    const codes = await codesOf(id)
    const isListed = async (query: { hasCover?: 'true'; tags?: string }) =>
      (await editor.call(mediaApi.list, { query: { ...query, limit: 100 } })).some(({ _id }) => _id === id)
    return {
      hasCover: [await isListed({ hasCover: 'true' }), codes.includes('noCover'), codes.includes('brokenLink')],
      hasTag: [await isListed({ tags: tag }), codes.includes('noTags')],
    }
  }
  await assets.remove(cover, { actor: SYSTEM })
  await editor.call(tagsApi.remove, { id: tag })
  expect(await state()).toEqual({ hasCover: [true, false, true], hasTag: [true, false] })
  await purge('Asset', cover, { actor: SYSTEM })
  await purge('Tag', tag, { actor: SYSTEM })
  expect(await state()).toEqual({ hasCover: [false, true, false], hasTag: [false, true] })
})

test('a change of a file updates the broken link findings of the entries that use it', async () => {
  const editor = await signedIn()
  const asset = (await send(await aPicture(), 'cover.png', editor)).body._id
  const { _id: id } = await aMedia(unlike({ cover: asset, assets: [asset] }))
  const character = await aCharacter({ cover: asset })
  const broken = async () => [
    (await codesOf(id)).filter((code) => code === 'brokenLink').length,
    (await codesOf(character)).filter((code) => code === 'brokenLink').length,
  ]
  expect(await broken()).toEqual([0, 0])
  const plans = await plansOf(() => assets.remove(asset, { actor: SYSTEM }))
  // The entries are not compared with others again: very many may use the file.
  expect(plans.filter((line) => /titleKeys|duplicatePairs/.test(line))).toEqual([])
  expect(await broken()).toEqual([1, 1])
  const { data } = await editor.call(findingsApi.find, { id })
  expect(data.find(({ code }) => code === 'brokenLink')?.links).toEqual(
    ['assets', 'cover'].map((field) => ({ field, _id: asset, filename: 'cover.png', state: 'trash' })),
  )
  await editor.call(findingsApi.dismiss, { body: { entityId: character, code: 'brokenLink' } })
  expect(await broken()).toEqual([1, 0])
  await assets.restore(asset, { actor: SYSTEM })
  expect(await broken()).toEqual([0, 0])

  const { storageKey } = await db
    .selectFrom('assets')
    .select('storageKey')
    .where('_id', '=', asset)
    .executeTakeFirstOrThrow()
  await transaction((tx) => assets.storeFindings(tx, asset, storageKey, { status: 'ERROR', failure: 'unfit' }))
  expect(await broken()).toEqual([1, 0])
  await editor.call(mediaApi.update, { id, body: unlike({ cover: '', assets: [] }) })
  expect(await broken()).toEqual([0, 0])

  await assets.remove(asset, { actor: SYSTEM })
  await purge('Asset', asset, { actor: SYSTEM })
  expect([await broken(), (await codesOf(character)).includes('noCover')]).toEqual([[0, 0], true])
})

test('a dismissed broken link is found again once one of the fields with it has another file', async () => {
  const editor = await signedIn()
  const upload = async (size: number) => (await send(await aPicture(size), `${size}.png`, editor)).body._id
  const [asset, other] = [await upload(8), await upload(9)]
  const input = unlike({ cover: asset, assets: [asset, other] })
  const { _id: id } = await aMedia(input)
  await assets.remove(asset, { actor: SYSTEM })
  await editor.call(findingsApi.dismiss, { body: { entityId: id, code: 'brokenLink' } })
  expect(await codesOf(id)).not.toContain('brokenLink')
  await editor.call(mediaApi.update, { id, body: { ...input, cover: other } })
  expect(await codesOf(id)).toContain('brokenLink')
  const rows = db.selectFrom('findings').select('field').where('entityId', '=', id).where('code', '=', 'brokenLink')
  expect(await rows.execute()).toEqual([{ field: 'assets' }])
})

test('matches aliases like titles, and the same season in different notations', async () => {
  const { call } = await signedIn()
  const one = await aMedia({ translations: { en: title('Frieren Season 2') } })
  const other = await aMedia({ translations: { ja: title('葬送のフリーレン 第2期') }, aliases: ['FRIEREN'] })
  const [pair] = await call(mediaApi.duplicates, { query: { limit: 100 } }).then((rows) =>
    rows.filter(({ first, second }) => [first._id, second._id].includes(one._id)),
  )
  expect(new Set([pair?.first._id, pair?.second._id])).toEqual(new Set([one._id, other._id]))
  expect(pair?.evidence).toMatchObject({ daysApart: 0, season: 2, titles: [expect.stringMatching(/frieren/i)] })
  await call(mediaApi.update, { id: other._id, body: mediaInput({ translations: other.translations, aliases: null }) })
  expect(await pairsOf(one._id)).toEqual([])
})

test('returns likely duplicates of an entry before it is stored', async () => {
  const { call } = await signedIn({ role: 'user' })
  const there = await aMedia({
    translations: { ja: title('銀河鉄道の夜') },
    aliases: ['Night on the Galactic Railroad'],
  })
  const likely = (document: object, id?: string) =>
    call(mediaApi.likely, { body: { document, ...(id && { _id: id }) } }).then(({ data }) => data)
  const typed = { mediaType: 'ANIME' as const, translations: { en: title('night on the galactic  RAILROAD') } }
  expect(await likely(typed)).toMatchObject([
    {
      entity: { _id: there._id, releaseDate: there.releaseDate },
      evidence: { titles: [expect.stringMatching(/night/i)] },
    },
  ])
  expect(await likely(typed, there._id)).toEqual([])
  expect(await likely({ ...typed, mediaType: 'NOVEL' })).toEqual([])
  expect(await likely({})).toEqual([])
  const name = { en: { name: 'Giovanni', description: '' } }
  const character = await aCharacter({ translations: name, mediaRefs: [there._id] })
  const document = { translations: name, mediaRefs: [there._id] }
  expect((await call(charactersApi.likely, { body: { document } })).data).toMatchObject([
    { entity: { _id: character } },
  ])
})

test('reads pages of pairs from an index, and rejects invalid queries', async () => {
  const { token } = await signedIn()
  const headers = { authorization: `Bearer ${token}` }
  for (const query of ['page=0', 'limit=101', 'limit=x', 'sort=title'])
    expect((await app.inject({ url: `/api/media/duplicates?${query}`, headers })).statusCode).toBe(400)
  expect((await app.inject({ url: '/api/media/duplicates' })).statusCode).toBe(401)
  const inputs = Array.from({ length: 300 }, () => ({ input: mediaInput({ translations: { en: title('Untitled') } }) }))
  await transaction((tx) =>
    media.createManyIn(
      tx,
      inputs.map(({ input }, at) => ({ id: `many-${String(at).padStart(4, '0')}`, input, context: { actor: SYSTEM } })),
    ),
  )
  await analyze()
  await expectIndexed(() => findings.duplicatePairs('Media', 40, 20))
  const document = mediaInput({ translations: { en: title('untitled'), fr: title('sans titre') } })
  await expectIndexed(() => findings.likeliest('Media', document))
  // Of many duplicates, each is paired with the nearest ten before and after it.
  expect((await pairs()).filter(({ ids }) => ids.includes('many-0000'))).toHaveLength(10)
  const { total } = await findings.duplicatePairs('Media', 0, 1)
  await transaction(async (tx) => {
    for (const id of ['many-0001', 'many-0150']) await media.removeIn(tx, id, { actor: SYSTEM })
  })
  expect((await findings.duplicatePairs('Media', 0, 1)).total).toBe(total - 20)
  expect((await pairs()).filter(({ ids }) => ids.includes('many-0000'))).toHaveLength(10)
  expect(await areDuplicates('many-0000', 'many-0299')).toEqual([true, true])
})
