import { expect, test } from 'vitest'
import type { Translated } from '../kinds.ts'
import { duplicateKeys, MAX_DAYS_APART, seasonOf } from './duplicate.ts'

type Titles = Record<string, string>
const media = (titles: Titles, more: object = {}) => ({
  mediaType: 'ANIME',
  releaseDate: '2018-04-11T00:00:00.000Z',
  translations: Object.fromEntries(Object.entries(titles).map(([tag, title]) => [tag, { title, description: '' }])),
  ...more,
})

/** Whether two entities are likely duplicates. */
function areAlike(one: object, other: object, kind: Translated = 'Media'): boolean {
  const [first, second] = [duplicateKeys(kind, { ...one }), duplicateKeys(kind, { ...other })]
  return Math.abs(first.day - second.day) <= MAX_DAYS_APART && first.keys.some((key) => second.keys.includes(key))
}

test.each([
  ['the same title', { en: 'STEINS;GATE 0' }, { en: 'STEINS;GATE 0' }],
  ['another case, width and punctuation', { en: 'STEINS;GATE 0' }, { en: 'Ｓｔｅｉｎｓ Gate　０' }],
  ['another language', { ja: 'Bloodivores' }, { en: 'BLOODIVORES' }],
  ['half-width kana', { ja: 'ｼｭﾀｲﾝｽﾞ･ｹﾞｰﾄ' }, { ja: 'シュタインズゲート' }],
  ['one of several titles', { ja: '魔法少女 俺', zh: '魔法少女☆俺' }, { ja: 'まほう', zh: '魔法少女俺' }],
  ['the season said otherwise', { en: 'Bakuman 2nd Season' }, { en: 'Bakuman Season 2' }],
  ['signs alone', { en: '!!!' }, { ja: '！！ ！' }],
  ['a × typed as x', { ja: 'SPY×FAMILY' }, { en: 'Spy x Family' }],
  ['another form of a character', { ja: '葛󠄀の葉' }, { ja: '葛の葉' }],
  ['the season said otherwise in Japanese and Korean', { ja: 'X シーズン2', ko: 'Y 2기' }, { ja: 'X 2期', ko: 'Z' }],
])('treats two media as likely duplicates: %s', (_, one, other) => {
  expect(areAlike(media(one), media(other))).toBe(true)
})

test('the original title and other names count as titles', () => {
  for (const more of [{ originalTitle: '銀魂' }, { aliases: ['Gintama', '銀魂'] }]) {
    expect(areAlike(media({ en: 'Silver Soul' }, more), media({ ja: '銀魂' }))).toBe(true)
    expect(areAlike(media({ en: 'Silver Soul' }, more), media({ en: 'Golden Soul' }, more))).toBe(true)
  }
})

test('entries of another type, year, season or title are not duplicates', () => {
  const title = { ja: 'インド版 忍者ハットリくん' }
  expect(areAlike(media(title), media(title, { mediaType: 'MANGA' }))).toBe(false)
  expect(areAlike(media(title), media(title, { releaseDate: '2019-04-11T00:00:00.000Z' }))).toBe(false)
  // Two time zones may date one broadcast differently.
  expect(areAlike(media(title), media(title, { releaseDate: '2018-04-10T15:00:00.000Z' }))).toBe(true)
  // Days are those of UTC.
  expect(areAlike(media(title), media(title, { releaseDate: '2018-04-12T23:59:59.999Z' }))).toBe(true)
  expect(areAlike(media(title), media(title, { releaseDate: '2018-04-13T00:00:00.000Z' }))).toBe(false)
  const [fifth, sixth] = ['新 忍者哈特利 第五季', '新 忍者哈特利 第六季']
  expect(areAlike(media({ ...title, zh: fifth }), media({ ...title, zh: sixth }))).toBe(false)
  expect(areAlike(media({ ja: '銀魂' }), media({ ja: '銀魂゜' }))).toBe(false)
  expect(areAlike(media({ en: '' }), media({ en: ' ' }))).toBe(false)
})

test('duplicate characters share a media item or have none, duplicate tags share their type', () => {
  const named = (name: string, more: object) => ({ translations: { en: { name, description: '' } }, ...more })
  expect(areAlike(named('Rei', { mediaRefs: ['a', 'b'] }), named('REI', { mediaRefs: ['b'] }), 'Character')).toBe(true)
  expect(areAlike(named('Rei', { mediaRefs: ['a'] }), named('Rei', { mediaRefs: ['b'] }), 'Character')).toBe(false)
  expect(areAlike(named('Rei', { mediaRefs: [] }), named('Rei', { mediaRefs: [] }), 'Character')).toBe(true)
  expect(areAlike(named('School', { type: 'GENRE' }), named('school', { type: 'GENRE' }), 'Tag')).toBe(true)
  expect(areAlike(named('School', { type: 'GENRE' }), named('School', { type: 'THEME' }), 'Tag')).toBe(false)
})

test.each([
  ['第五季', 5],
  ['第二十一期', 21],
  ['第十二季', 12],
  ['X 2nd Season', 2],
  ['Season 10', 10],
  ['第2シリーズ', 2],
  ['第2シーズン', 2],
  ['시즌 2', 2],
  ['2ndシーズン', 2],
  ['레벨업 2기', 2],
  ['中学2期生', 0],
  ['Seasonal', 0],
])('the season in %s is %i', (title, season) => {
  expect(seasonOf(title)).toBe(season)
})

test('of many names and places, only the first keys are made', () => {
  const long = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x-${at}`, String(at).padEnd(1000, 'ﷺ')]))
  const aliases = Array.from({ length: 200 }, (_, at) => `a${at}`.padEnd(1000, 'ﷺ'))
  const mediaRefs = Array.from({ length: 1000 }, (_, at) => `place ${at}`)
  const translations = Object.fromEntries(Object.entries(long).map(([tag, name]) => [tag, { name, description: '' }]))
  const { keys } = duplicateKeys('Character', { translations, aliases, mediaRefs })
  expect(keys).toHaveLength(200)
  expect(Math.max(...keys.map(({ length }) => length))).toBeLessThan(1200)
  expect(keys).toEqual(keys.toSorted())
  const few = {
    mediaRefs: ['b', 'a"', 'a'],
    translations: { en: { name: 'Z z' }, ja: { name: 'ä\\' }, zh: { name: 'zzz' } },
  }
  const every = ['a', 'a"', 'b'].flatMap((place) =>
    ['zz', 'zzz', 'ä'].map((name) => JSON.stringify(['Character', '', 0, place, name])),
  )
  expect(duplicateKeys('Character', few).keys).toEqual(every.toSorted())
})
