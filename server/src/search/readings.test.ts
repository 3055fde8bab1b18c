import { mediaApi } from '@mokuroku/contract/media'
import { searchApi } from '@mokuroku/contract/search'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import type { Label } from '#ledger/definition.ts'
import { titled } from '#ledger/texts.ts'
import { newId } from '#lib/ids.ts'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { search } from '#store/search'
import { app, idle, signedIn, startEmpty, withApp } from '#test/app.ts'
import { withDictionary } from '#test/dictionary.ts'
import { aCharacter, aMedia, mediaInput } from '#test/factories.ts'
import { withReadings } from './readings.ts'

withApp()
withDictionary()

const context = { actor: SYSTEM }
const inJapanese = (title: string) => ({ ja: { title, description: '' } })
const found = async (q: string) => (await search.find('Media', q, 3)).matches.map(({ entityId }) => entityId)

test('finds a Japanese title by its reading at once, in kana and any romanization', async () => {
  await startEmpty()
  const ids: Record<string, string> = {}
  for (const title of [
    '葬送のフリーレン',
    '進撃の巨人',
    '銀河鉄道の夜',
    '君の名は。',
    '千と千尋の神隠し',
    '吾輩は猫である',
    '風立ちぬ',
    '東京物語',
  ])
    ids[title] = (await aMedia({ translations: inJapanese(title) }))._id
  for (const [q, title] of [
    ['sousou no frieren', '葬送のフリーレン'],
    ['sosou no furiren', '葬送のフリーレン'],
    ['そうそうのふりーれん', '葬送のフリーレン'],
    ['shingeki no kyojin', '進撃の巨人'],
    ['singeki no kyozin', '進撃の巨人'],
    ['しんげきのきょじん', '進撃の巨人'],
    ['シンゲキノキョジン', '進撃の巨人'],
    ['ginga tetsudou no yoru', '銀河鉄道の夜'],
    ['ginga tetudo no yoru', '銀河鉄道の夜'],
    ['kimi no na wa', '君の名は。'],
    ['きみのなは', '君の名は。'],
    ['sen to chihiro no kamikakushi', '千と千尋の神隠し'],
    ['wagahai wa neko de aru', '吾輩は猫である'],
    ['kaze tachinu', '風立ちぬ'],
    ['tōkyō monogatari', '東京物語'],
  ] as const)
    expect([q, await found(q)]).toEqual([q, expect.arrayContaining([ids[title]])])
})

test('a write does not wait for the readings of very many texts, which are found afterwards', async () => {
  const aliases = Array.from({ length: 21 }, (_, at) => `第${at}話の${'東京'.repeat(190)}`)
  const { _id: id } = await aMedia({ translations: inJapanese('秋刀魚の歌'), aliases })
  expect(await db.selectFrom('jobs').select('_id').where('kind', '=', 'search.readings').execute()).toHaveLength(1)
  await idle()
  expect(await found('sanma no uta')).toEqual([id])
  await media.update(id, { translations: inJapanese('秋刀魚の塩焼き') }, context)
  expect(await found('sanma no shioyaki')).toEqual([id])
})

test('given readings replace derived ones, also for characters', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia({ translations: inJapanese('今日から俺は') })
  expect(await found('kyou kara ore wa')).toEqual([id])
  const body = mediaInput({ translations: inJapanese('今日から俺は'), readings: ['こんにちからおれわ'] })
  await call(mediaApi.update, { id, body })
  expect(await found('konnichi kara ore wa')).toEqual([id])
  expect(await found('きょうからおれは')).toEqual([])
  expect((await call(mediaApi.find, { id })).readings).toEqual(['こんにちからおれわ'])
  await media.update(id, { readings: null }, context)
  expect(await found('きょうからおれは')).toEqual([id])
  const one = await aCharacter({
    translations: { ja: { name: '草薙素子', description: '' } },
    readings: ['Kusanagi Motoko'],
  })
  expect((await search.find('Character', 'kusanagi', 3)).matches).toMatchObject([{ entityId: one }])
  await characters.update(one, { readings: ['くさなぎもとこ'] }, context)
  expect((await search.find('Character', 'くさなぎ', 3)).matches).toMatchObject([{ entityId: one }])
})

test('no longer finds the reading of a title that has changed', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia({ translations: inJapanese('鉄腕大作戦') })
  expect(await found('てつわんだいさくせん')).toEqual([id])
  await media.update(id, { translations: inJapanese('別の話') }, context)
  expect(await found('てつわんだいさくせん')).toEqual([])
  const { hits } = await call(searchApi.search, { query: { q: 'betsu no hanashi' } })
  expect(hits).toMatchObject([{ _id: id, match: { text: '別の話', language: 'ja' } }])
})

test('reads every title of a large write, even if there are more than the cache holds', async () => {
  const titles = (count: number, city: string) =>
    Array.from({ length: count }, (_, at) => ({ language: 'ja', text: `${city}${at}` }))
  await withReadings(titles(5000, '東京'))
  // The oldest one is dropped from the cache for a new one.
  for (const labels of [[...titles(1, '東京'), ...titles(2, '大阪')], titles(5001, '京都')])
    expect((await withReadings(labels)).filter(({ reading }) => !reading)).toEqual([])
})

test('finds texts with most of the words if none has all, and says so', async () => {
  const { token } = await signedIn()
  const { _id: id } = await aMedia({
    translations: { en: { title: 'Legend of the Galactic Heroes', description: '' } },
  })
  const ask = async (q: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await app.inject({ url: `/api/search?q=${encodeURIComponent(q)}`, headers })
    const ids = answer.json<{ hits: { _id: string }[] }>().hits.map(({ _id }) => _id)
    return { ids, words: answer.headers['x-search-words'] }
  }
  expect(await ask('galactic heroes legend')).toEqual({ ids: [id], words: undefined })
  expect(await ask('legend galactic heroes bluray')).toEqual({ ids: [id], words: 'most' })
  expect(await ask('legend galactic heroes bluray remastered')).toEqual({ ids: [id], words: 'most' })
  expect(await ask('zzz yyy')).toEqual({ ids: [], words: undefined })
  expect(await ask('legend qqqqq wwwww eeeee')).toEqual({ ids: [], words: undefined })
})

test('any change of the texts of an entity leaves the same index rows as writing it anew', async () => {
  // Spellings that are equal in a search, titles with a reading, and readings that are other titles.
  const text = fc.constantFrom('', '…', '君の名は。', 'きみのなわ', '進撃の巨人', 'Shingeki no Kyojin')
  const changes = fc.record(
    {
      originalTitle: text,
      en: text,
      ja: text,
      zh: text,
      aliases: fc.uniqueArray(text.filter(Boolean), { maxLength: 2 }),
      readings: fc.uniqueArray(fc.constantFrom('しんげきのきょじん', 'Shingeki'), { maxLength: 1 }),
    },
    { requiredKeys: [] },
  )
  // Includes an original whose reading only the Japanese title would also have.
  const start = fc.oneof(changes, fc.constant({ originalTitle: '君の名は。', zh: '君の名は。', en: 'きみのなわ' }))
  const documentOf = ({ en, ja, zh, ...fields }: Record<string, unknown>) => ({
    ...fields,
    translations: Object.fromEntries(
      Object.entries({ en, ja, zh }).flatMap(([tag, title]) => (title === undefined ? [] : [[tag, { title }]])),
    ),
  })
  const { labels: labelsOf } = titled('Media')
  const rows = async (entityId: string) =>
    (await db.selectFrom('labels').select(['language', 'text', 'compact']).where('entityId', '=', entityId).execute())
      .map((row) => JSON.stringify(row))
      .toSorted()
  await fc.assert(
    fc.asyncProperty(start, fc.array(changes, { minLength: 1, maxLength: 3 }), async (first, others) => {
      const [changed, fresh] = [newId(), newId()]
      const fields = {}
      let before: Label[] = []
      for (const version of [first, ...others]) {
        Object.assign(fields, version)
        const after = labelsOf(documentOf(fields)).filter(({ text: each }) => each.trim())
        await transaction((tx) => search.index(tx, 'Media', changed, before, after))
        before = after
      }
      await transaction((tx) => search.add(tx, 'Media', [{ id: fresh, labels: before }]))
      expect(await rows(changed)).toEqual(await rows(fresh))
    }),
    { numRuns: 300 },
  )
})
