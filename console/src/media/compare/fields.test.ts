import { MediaSuggestion } from '@mokuroku/contract/suggestion'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { EMPTY, folded, isTaken, oneSource, rowsOf, taken, titlesOf } from './fields.ts'

const suggestion = (given: object) =>
  z.parse(MediaSuggestion, { translations: { en: { title: 'Kokoro', description: '' } }, ...given })
const named = (name: string) => ({ translations: { en: { name, description: '' } } })
const row = (one: object, two: object, key: string) =>
  rowsOf(suggestion(one), suggestion(two)).find((each) => each.key === key)

test('omits fields that neither source provides', () => {
  const keys = rowsOf(suggestion({}), null).map(({ key }) => key)
  expect(keys).toEqual(['translations.en.title'])
})

test('compares the languages of both sources, text by text', () => {
  const ja = { translations: { ja: { title: 'こころ', description: '先生と私' } } }
  const keys = rowsOf(suggestion({}), suggestion(ja)).map(({ key }) => key)
  expect(keys).toEqual(['translations.en.title', 'translations.ja.title', 'translations.ja.description'])
})

test('compares dates regardless of time, and tags regardless of order', () => {
  expect(row({ releaseDate: '1914-04-20' }, { releaseDate: '1914-04-20T15:00:00Z' }, 'releaseDate')?.relation).toBe(
    'alike',
  )
  expect(row({ tags: ['Drama', 'Classic'] }, { tags: ['classic', 'Drama'] }, 'tags')?.relation).toBe('alike')
  expect(row({ episodes: 12 }, { episodes: 13 }, 'episodes')?.relation).toBe('differ')
  expect(row({ episodes: 12 }, {}, 'episodes')?.relation).toBe(undefined)
})

test('compares false as a value', () => {
  expect(row({ isOngoing: false }, { isOngoing: false }, 'isOngoing')?.relation).toBe('alike')
})

describe('a value that both sources provide', () => {
  const from = (...origins: string[]) => ({ ...suggestion({}), origins: { 'translations.en.title': origins } })
  const relation = (one: string[], two: string[]) => rowsOf(from(...one), from(...two))[0]?.relation

  test('is agreement only if one side has an origin that the other lacks', () => {
    expect(relation(['bangumi-data'], ['AniList'])).toBe('agree')
    expect(relation(['bangumi-data'], ['bangumi-data', 'AniList'])).toBe('agree')
    expect(relation(['bangumi-data'], ['bangumi-data'])).toBe('same source')
    // The same model or the same records, asked twice, confirm nothing.
    expect(relation(['small'], ['small'])).toBe('same source')
    expect(relation(['bangumi-data', 'This catalogue'], ['This catalogue', 'bangumi-data'])).toBe('same source')
  })

  test('with an unknown origin is neither agreement nor the same source', () => {
    expect(rowsOf(suggestion({}), from('AniList'))[0]?.relation).toBe('alike')
  })

  test('has one source only if every row comes from it', () => {
    const one = from('bangumi-data')
    expect(oneSource(rowsOf(one, one))).toEqual(['bangumi-data'])
    expect(oneSource(rowsOf(one, from('AniList')))).toBeUndefined()
    expect(oneSource(rowsOf(one, null))).toBeUndefined()
    expect(oneSource([])).toBeUndefined()
  })
})

test('marks only the chosen side as taken', () => {
  const episodes = row({ episodes: 12 }, { episodes: 13 }, 'episodes')
  if (!episodes) throw new Error('no row')
  const selected = taken(EMPTY, episodes.field, 13)
  expect([isTaken(selected, episodes, 0), isTaken(selected, episodes, 1)]).toEqual([false, true])
})

test('taking a text replaces only that text', () => {
  const start = { ...EMPTY, translations: { en: { title: 'Kokoro', description: 'A novel' } } }
  const next = taken(start, { kind: 'text', lang: 'en', name: 'title' }, 'The Heart')
  expect(next.translations).toEqual({ en: { title: 'The Heart', description: 'A novel' } })
})

test('collects the characters of both sources without duplicates', () => {
  const characters = row({ characters: [named('Sensei')] }, { characters: [named('SENSEI'), named('K')] }, 'characters')
  if (!characters) throw new Error('no row')
  const one = taken(EMPTY, characters.field, characters.values[0])
  const both = taken(one, characters.field, characters.values[1])
  expect(both.characters?.map((each) => JSON.stringify(each).includes('Sensei'))).toEqual([true, false])
  expect(isTaken(one, characters, 1)).toBe(false)
  expect(isTaken(both, characters, 1)).toBe(true)
})

test('lists the titles to search for, original first, without duplicates', () => {
  const translations = { en: { title: 'Kokoro', description: '' }, ja: { title: 'こころ', description: '' } }
  expect(titlesOf({ ...EMPTY, originalTitle: 'こころ', translations })).toEqual(['こころ', 'Kokoro'])
  expect(titlesOf(EMPTY)).toEqual([])
})

test('folds width, case and punctuation of a title', () => {
  expect(folded('ＫＯＫＯＲＯ！ ')).toBe(folded('Kokoro'))
  expect(folded('K')).not.toBe(folded('L'))
})

test('drops excess combining marks of a title, which would take minutes to sort', () => {
  expect(folded(`k${'\u0302\u0323'.repeat(500)}`).length).toBeLessThan(40)
})
