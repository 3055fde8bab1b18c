import { historyApi } from '@mokuroku/contract/history'
import { languagesApi } from '@mokuroku/contract/languages'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { settingsApi } from '@mokuroku/contract/settings'
import { expect, test } from 'vitest'
import { languages } from '#store/languages'
import { media } from '#store/media'
import { tags } from '#store/tags'
import { backgroundDone } from '#lib/background.ts'
import { signedIn, withApp } from '#test/app.ts'
import { aMedia, aTag, name, title } from '#test/factories.ts'
import { plansOf } from '#test/plans.ts'

withApp()

const FOLD = { from: 'zh', to: 'zh-Hans' }

const countsOf = (kinds: { entityType: string; count: number; kept: number }[]) =>
  Object.fromEntries(kinds.map(({ entityType, count, kept }) => [entityType, [count, kept]]))

test('moves texts to the other tag as one batch, and keeps the texts already there', async () => {
  const { call } = await signedIn()
  const { _id: plain } = await aMedia({ translations: { zh: title('少爷', '教师'), ja: title('坊っちゃん') } })
  // The same title in two languages is a single search label, but must be folded nevertheless.
  const { _id: both } = await aMedia({ translations: { zh: title('心', '小说'), 'zh-Hans': title('《心》') } })
  const tag = await aTag({ translations: { zh: name('爱情') } })
  await aTag({ translations: { 'zh-Hant': name('愛情') } })

  const preview = await call(languagesApi.preview, { query: FOLD })
  expect(preview).toMatchObject({ ...FOLD, batch: null })
  expect(countsOf(preview.kinds)).toEqual({ Media: [2, 1], Character: [0, 0], Tag: [1, 0] })
  expect(preview.first).toContainEqual({ entityType: 'Media', _id: both, title: '心', kept: true })
  expect((await media.find(plain))?.translations).toHaveProperty('zh')

  const { batch, kinds } = await call(languagesApi.fold, { body: FOLD })
  expect(countsOf(kinds)).toEqual({ Media: [2, 1], Character: [0, 0], Tag: [1, 0] })
  expect((await media.find(plain))?.translations).toEqual({
    ja: title('坊っちゃん'),
    'zh-Hans': title('少爷', '教师'),
  })
  expect((await media.find(both))?.translations).toEqual({ 'zh-Hans': title('《心》', '小说') })
  expect((await tags.find(tag))?.translations).toEqual({ 'zh-Hans': name('爱情') })
  const { general } = await call(settingsApi.find)
  expect(general.languages).toEqual(['en', 'zh-Hans'])

  // The replaced text is in the history, in the same batch.
  const { data } = await call(revisionsApi.list, { query: { entityType: 'Media', entityId: both } })
  expect(data[0]).toMatchObject({ batch, reason: 'zh folded into zh-Hans' })
  const { data: changes } = await call(historyApi.recent, { query: { language: 'zh', limit: 100 } })
  expect(changes).toContainEqual(expect.objectContaining({ entityId: both, field: 'title', oldValue: '心' }))

  expect(countsOf((await call(languagesApi.preview, { query: FOLD })).kinds).Media).toEqual([0, 0])
  expect((await call(languagesApi.fold, { body: FOLD })).batch).toBeNull()
  await backgroundDone()
})

test('reads a bounded number of rows at a time, however few have texts in the language', async () => {
  const all: string[] = []
  for (const language of ['fr', 'fr', 'fr-CA', 'fr', 'fr', 'fr-CA', 'fr', 'fr-CA'])
    all.push((await aMedia({ translations: { [language]: title('Titre') } }))._id)
  const pages: number[][] = []
  for (let cursor: string | undefined = all[0] ?? ''; cursor !== undefined;) {
    const { rows, next } = await languages.having('Media', 'fr-CA', cursor, 2)
    pages.push(rows.map(({ _id }) => all.indexOf(_id)))
    cursor = next
  }
  // After the first media: of 1 and 2, of 3 and 4, of 5 and 6, of 7.
  expect(pages).toEqual([[2], [], [5], [7]])
  const plans = await plansOf(() => languages.having('Media', 'fr-CA', all[0] ?? '', 2))
  expect(plans.filter((line) => /Seq Scan on media|SCAN media\b(?! USING)/.test(line))).toEqual([])
})

test('rejects folding into the same tag or into another language family', async () => {
  const { call } = await signedIn()
  for (const to of ['zh', 'ja'])
    await expect(call(languagesApi.fold, { body: { from: 'zh', to } })).rejects.toMatchObject({ status: 400 })
})
