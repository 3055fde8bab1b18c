import { suggestionsApi } from '@mokuroku/contract/work'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { media } from '#store/media'
import { tags } from '#store/tags'
import { signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, title } from '#test/factories.ts'

withApp()

async function suggested(query: {
  entityId: string
  language: string
  entityType?: 'Media' | 'Character'
  field?: string
}) {
  const { call } = await signedIn()
  return (await call(suggestionsApi.list, { query: { entityType: 'Media', ...query } })).data
}

test('suggests a title from the reference data, and names the source', async () => {
  const { _id } = await aMedia({
    translations: { ja: title('葬送のフリーレン'), 'zh-Hans': title('葬送のフリーレン') },
  })
  // The reference data is loaded on first use.
  await expect
    .poll(() => suggested({ entityId: _id, language: 'zh-Hans' }))
    .toContainEqual({
      text: '葬送的芙莉莲',
      origin: 'reference',
      source: 'bangumi-data',
      url: expect.stringContaining('https://'),
    })
})

test('suggests the title of another season, with the season number of this one', async () => {
  const first = await aMedia({ translations: { ja: title('架空の庭'), 'zh-Hans': title('虚构之庭') } })
  const third = await aMedia({ translations: { ja: title('架空の庭 第3期') } })
  const related = { origin: 'related', source: '架空の庭', entityId: first._id }
  expect(await suggested({ entityId: third._id, language: 'zh-Hans' })).toEqual([
    { ...related, text: '虚构之庭 第三季' },
  ])
  const linked = await aMedia({ originalTitle: '架空の庭', relatedMedia: [third._id], translations: {} })
  expect(await suggested({ entityId: linked._id, language: 'zh-Hans' })).toEqual([{ ...related, text: '虚构之庭' }])
})

test('does not suggest texts from the trash, of other works or in the wrong script', async () => {
  const gone = await aMedia({ translations: { ja: title('消えた庭'), 'zh-Hans': title('消失之庭') } })
  await aMedia({ translations: { ja: title('消えた庭 秘密'), 'zh-Hans': title('消失之庭 秘密') } })
  await aMedia({ translations: { ja: title('消えた庭'), 'zh-Hans': title('きえたにわのはなし') } })
  const { _id } = await aMedia({ translations: { ja: title('消えた庭 第2期') } })
  await media.remove(gone._id, { actor: SYSTEM })
  expect(await suggested({ entityId: _id, language: 'zh-Hans' })).toEqual([])
})

test('suggests a Chinese title or description converted to the other script', async () => {
  const { _id } = await aMedia({ translations: { 'zh-Hant': title('臺灣的後宮', '頭髮') } })
  const from = { origin: 'converted', source: 'zh-Hant' }
  expect(await suggested({ entityId: _id, language: 'zh-Hans' })).toEqual([{ ...from, text: '台湾的后宫' }])
  expect(await suggested({ entityId: _id, language: 'zh-Hans', field: 'description' })).toEqual([
    { ...from, text: '头发' },
  ])
  const simplified = await aMedia({ translations: { 'zh-Hans': title('皇后的头发') } })
  expect(await suggested({ entityId: simplified._id, language: 'zh-Hant' })).toEqual([
    { origin: 'converted', source: 'zh-Hans', text: '皇后的頭髮' },
  ])
})

test('suggests a title of mixed Chinese in the script of its language', async () => {
  const mixed = await aMedia({ translations: { 'zh-Hans': title('死神劇場版 刃牙 大赛事編') } })
  const converted = { origin: 'converted', source: 'zh-Hans', text: '死神剧场版 刃牙 大赛事编' }
  expect(await suggested({ entityId: mixed._id, language: 'zh-Hans' })).toEqual([converted])
  const plain = await aMedia({ translations: { 'zh-Hans': title('架空的剧场'), zh: title('架空的劇場版') } })
  expect(await suggested({ entityId: plain._id, language: 'zh-Hans' })).toEqual([])
  expect(await suggested({ entityId: plain._id, language: 'zh' })).toEqual([])
})

test('suggests a title in Chinese without a script for either script', async () => {
  const { _id } = await aMedia({ translations: { zh: title('庭院和剧場') } })
  const from = { origin: 'converted', source: 'zh' }
  expect(await suggested({ entityId: _id, language: 'zh-Hans' })).toEqual([{ ...from, text: '庭院和剧场' }])
  expect(await suggested({ entityId: _id, language: 'zh-Hant' })).toEqual([{ ...from, text: '庭院和劇場' }])
})

test('suggests names from entries of the same name, and returns 404 for an entry in the trash', async () => {
  await aCharacter({
    translations: { ja: { name: '架空花子', description: '' }, ko: { name: '가공 하나코', description: '' } },
  })
  const other = await aCharacter({ translations: { ja: { name: '架空花子', description: '' } } })
  expect(await suggested({ entityType: 'Character', entityId: other, language: 'ko' })).toEqual([
    expect.objectContaining({ text: '가공 하나코' }),
  ])
  const tag = await aTag({ translations: { en: { name: 'Imaginary', description: '' } } })
  const { call } = await signedIn()
  const query = { entityType: 'Tag', entityId: tag, language: 'ja' } as const
  expect((await call(suggestionsApi.list, { query })).data).toEqual([])
  await tags.remove(tag, { actor: SYSTEM })
  await expect(call(suggestionsApi.list, { query })).rejects.toMatchObject({ status: 404 })
})

test.each([
  [{ field: 'cover' }, 'field'],
  [{ field: 'name' }, 'field'],
  [{ language: 'e' }, 'language'],
  [{ entityType: 'User' }, 'entityType'],
  [{ limit: '1000' }, 'limit'],
])('rejects %j with an error at %s', async (wrong, path) => {
  const { call } = await signedIn()
  const { _id } = await aMedia()
  const query = { entityType: 'Media', entityId: _id, language: 'ja', ...wrong } as never
  await expect(call(suggestionsApi.list, { query })).rejects.toMatchObject({
    status: 400,
    errors: [expect.objectContaining({ path })],
  })
})
