import type { Call } from '@mokuroku/contract/call'
import { historyApi } from '@mokuroku/contract/history'
import { languagesApi } from '@mokuroku/contract/languages'
import { settingsApi } from '@mokuroku/contract/settings'
import { expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { characters } from '#store/characters'
import { history } from '#store/history'
import { languages } from '#store/languages'
import { media } from '#store/media'
import { tags } from '#store/tags'
import { app, signedIn, startEmpty, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, aUser, name, title } from '#test/factories.ts'
import { analyze, expectIndexed } from '#test/plans.ts'

withApp()

const context = { actor: SYSTEM }

const tagsOf = async (call: Call) => (await call(languagesApi.list)).data.map(({ tag }) => tag)

test('lists the languages of names, titles and past changes', async () => {
  await startEmpty()
  const { call } = await signedIn()
  await aUser()
  expect(await tagsOf(call)).toEqual(['en', 'zh'])
  const { _id } = await aMedia({
    translations: { ja: title('こころ'), 'zh-Hant': title('心'), 'zh-Hans': title('《心》小说') },
    originalTitle: '心の本',
  })
  await aTag({ translations: { 'pt-BR': name('Romance') } })
  await aCharacter({ translations: { de: name('Der Lehrer') } })
  expect(await tagsOf(call)).toEqual(['en', 'zh', 'de', 'ja', 'pt-BR', 'zh-Hans', 'zh-Hant'])
  await media.update(_id, { translations: { ko: title('마음') } }, context)
  expect(await tagsOf(call)).toEqual(['en', 'zh', 'de', 'ja', 'ko', 'pt-BR', 'zh-Hans', 'zh-Hant'])
  await media.remove(_id, context)
  // Its changes stay in the history.
  expect(await tagsOf(call)).toEqual(['en', 'zh', 'de', 'ja', 'ko', 'pt-BR', 'zh-Hans', 'zh-Hant'])
})

test('updates the coverage of a language with every write', async () => {
  const { call } = await signedIn()
  const row = async (tag: string) => (await call(languagesApi.list)).data.find((each) => each.tag === tag)
  await aMedia({ translations: { 'zh-Hant': title('門') } })
  const [zh, hant] = [await row('zh'), await row('zh-Hant')]
  const { filled = 0, of = 0 } = zh?.Media ?? {}
  expect(zh).toMatchObject({ tag: 'zh', name: 'Chinese', family: 'zh', wanted: true })
  expect(hant).toMatchObject({ name: 'Traditional Chinese', family: 'zh', wanted: false })

  // An entity with two tags of a family counts once for the family; a blank title does not count.
  const translations = { 'zh-Hant-TW': title('心'), 'zh-Hans': title('心'), zh: title(' \u3000') }
  const { _id } = await aMedia({ translations })
  expect(await row('zh')).toMatchObject({ Media: { filled: filled + 1, of: of + 1 } })
  expect(await row('zh-Hant')).toMatchObject({ Media: { filled: (hant?.Media.filled ?? 0) + 1, of: of + 1 } })
  await media.update(_id, { translations: { 'zh-Hans': title('心') } }, context)
  expect(await row('zh')).toMatchObject({ Media: { filled: filled + 1 } })
  expect(await row('zh-Hant')).toMatchObject({ Media: { filled: hant?.Media.filled ?? 0 } })
  await media.remove(_id, context)
  expect(await row('zh')).toMatchObject({ Media: { filled, of } })
  await media.restore(_id, context)
  expect(await row('zh')).toMatchObject({ Media: { filled: filled + 1, of: of + 1 } })
})

test('lists the languages of the settings first, in their order, even without texts', async () => {
  const { call } = await signedIn()
  const general = { languages: ['is', 'zh-Hant', 'en'], defaultLanguage: 'en' }
  await call(settingsApi.update, { body: { general } })
  const { data } = await call(languagesApi.list)
  expect(data.filter(({ wanted }) => wanted).map(({ tag }) => tag)).toEqual(general.languages)
  expect(data.slice(0, 3).map(({ tag }) => tag)).toEqual(general.languages)
  expect(data[0]).toMatchObject({ tag: 'is', name: 'Icelandic', Tag: { filled: 0 } })
  await call(settingsApi.update, { body: { general: { languages: ['en', 'zh'] } } })
})

test('class 16: made-up languages do not push out those with more entries', async () => {
  const { call } = await signedIn()
  for (let each = 0; each < 2; each++) await aMedia({ translations: { zu: title('Umoya') } })
  for (const from of [100, 200, 300]) {
    const made = Array.from({ length: 100 }, (_, at) => [`aa-x-${from + at}`, title('x')])
    await aMedia({ translations: Object.fromEntries(made) })
  }
  const listed = await tagsOf(call)
  expect(listed).toContain('zu')
  // Two are wanted. A broader language without texts is not listed.
  expect([listed.length, listed.includes('aa')]).toEqual([202, false])
})

test('the history of a language includes its family, newest first, by kind and page', async () => {
  await startEmpty()
  const { call, token } = await signedIn()
  const { _id } = await aMedia()
  const tag = await aTag()
  const character = await aCharacter()
  const texts = ['zh', 'zh-Hans', 'zh-Hant', 'zh-TW', 'zhx', 'en', 'pt-BR', 'zh-Hant', 'zh']
  for (const [at, language] of texts.entries())
    await media.update(_id, { translations: { en: title('x'), [language]: title(`text ${at}`) } }, context)
  await tags.update(tag, { translations: { 'zh-Hans': name('标签') } }, context)
  await characters.update(character, { translations: { 'zh-Hant': name('角色') } }, context)

  const recent = async (query: object) => (await call(historyApi.recent, { query: { limit: 100, ...query } })).data
  const all = await recent({})
  const inFamily = (pattern: RegExp) => all.filter(({ language }) => pattern.test(language))
  expect(inFamily(/^zh(-|$)/).length).toBeGreaterThan(8)
  expect(await recent({ language: 'zh' })).toEqual(inFamily(/^zh(-|$)/))
  expect(await recent({ language: 'zh-Hant' })).toEqual(inFamily(/^zh-Hant/))
  expect(await recent({ language: 'pt' })).toEqual(inFamily(/^pt-BR/))
  expect(await recent({ language: 'ZH-hans', entityType: 'Tag' })).toMatchObject([{ newValue: '标签' }])
  expect(await recent({ language: 'zh', entityType: 'Character' })).toMatchObject([{ newValue: '角色' }])
  expect(await recent({ language: 'zh', limit: 3, skip: 2 })).toEqual(inFamily(/^zh(-|$)/).slice(2, 5))
  expect(await recent({ language: 'tlh' })).toEqual([])
  // A requested language is never used as a pattern.
  for (const language of ['%', '_h', 'z', "zh' OR 1=1"]) {
    const query = new URLSearchParams({ language })
    const { statusCode } = await app.inject({
      url: `/api/translation-history/recent?${query}`,
      headers: { authorization: `Bearer ${token}` },
    })
    expect({ language, statusCode }).toEqual({ language, statusCode: 400 })
  }
})

test('finds languages by an index skip scan, and reads a family from an index', async () => {
  const { actor } = await signedIn()
  const { _id } = await aMedia()
  await media.update(_id, { translations: { zh: title('one') } }, context)
  const [entry] = await db.selectFrom('history').selectAll().orderBy('_id', 'desc').limit(1).execute()
  if (!entry) throw new Error('The change has no entry')
  const row = (at: number) => {
    const language = ['zh', 'zh-Hans', 'zh-Hant', 'en', 'fr'][at % 5] ?? 'en'
    return { ...entry, _id: `${entry._id}-${at}`, language }
  }
  for (let from = 0; from < 2000; from += 500)
    await db
      .insertInto('history')
      .values(Array.from({ length: 500 }, (_, at) => row(from + at)))
      .execute()
  await analyze()
  await expectIndexed(() => languages.inUse(), { sorted: 'a bounded number of counters' })
  const sorted = 'a page of each language of the family'
  for (const entityType of [undefined, 'Media'] as const)
    await expectIndexed(() => history.recent({ limit: 20, skip: 0, language: 'zh', entityType }, actor), { sorted })
})
