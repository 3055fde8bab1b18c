import * as z from 'zod/mini'
import { MediaQuery } from '@mokuroku/contract/media'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { panels, ticks } from './chart.ts'
import { daysUntil, longDate, longDateTime, longMoment, shortDate } from './dates.ts'
import { loadOnce } from './loadOnce.ts'
import { count, fileSize } from './sizes.ts'
import { languageName } from '#parts/titles.ts'
import { languagesOf, humanize, initialOf, translated, guessLanguage } from './text.ts'
import { isExpired } from './token.ts'
import { readUrl, writeUrl } from './urlQuery.ts'
import { parseSearch, stringifySearch } from './urlState.ts'

describe('translated text', () => {
  const translations = {
    ja: { title: '銀河鉄道の夜', description: '' },
    'zh-Hans': { title: '银河铁道之夜', description: '两个孩子' },
    en: { title: 'Night on the Galactic Railroad', description: '' },
  }
  test('is chosen by language, then English, then any language that has the field', () => {
    expect(translated(translations, 'title', 'ja')).toEqual({ text: '銀河鉄道の夜', lang: 'ja' })
    expect(translated(translations, 'title', 'fr')?.lang).toBe('en')
    expect(translated(translations, 'description', 'ja')).toEqual({ text: '两个孩子', lang: 'zh-Hans' })
    expect(translated(translations, 'name')).toBeUndefined()
    expect(translated({}, 'title')).toBeUndefined()
  })
  test('falls back to a related language', () => expect(translated(translations, 'title', 'zh')?.lang).toBe('zh-Hans'))
  test('lists the languages that have a text', () => {
    expect(languagesOf({ en: { title: 'A' }, zh: { title: '', description: '' } })).toEqual(['en'])
  })
  test('guesses the language of an original title from its script', () => {
    const titles = [
      '銀河の夜',
      '신과 함께',
      'Night',
      '三体',
      'مدينة',
      'שלום',
      'Солярис',
      'ดาบพิฆาตอสูร',
      'Οδύσσεια',
      "μ's",
    ]
    const languages = ['ja', 'ko', undefined, 'ja', 'ar', 'he', 'ru', 'th', 'el', undefined]
    expect(titles.map(guessLanguage)).toEqual(languages)
  })
  test('names the language of a text, also an undetermined one', () => {
    const names = ['ja', 'und', 'und-Hant', 'x'].map((tag) => languageName(tag, 'en'))
    expect(names).toEqual(['Japanese', 'Unknown language', 'Unknown language (Traditional)', 'x'])
  })
  test('names the languages of a whole screen without looking up the locale for each', () => {
    const { DisplayNames } = Intl
    const lookedUp = vi.spyOn(Intl, 'DisplayNames').mockImplementation(function construct(...given) {
      return new DisplayNames(...given)
    })
    onTestFinished(() => lookedUp.mockRestore())
    const names = ['fr', 'ko', 'th'].map((tag) => languageName(tag, 'de'))
    expect(names).toEqual(['Französisch', 'Koreanisch', 'Thailändisch'])
    expect(lookedUp).toHaveBeenCalledTimes(1)
  })
  test('finds the initial of a name, whole and as a capital', () => {
    expect(['mori', 'élan', '森', '𠮷野', ''].map(initialOf)).toEqual(['M', 'É', '森', '𠮷', ''])
  })
  test('shows underscores as spaces', () => expect(humanize('CONTENT_WARNING')).toBe('CONTENT WARNING'))
})

describe('dates', () => {
  test('have a long form, with and without the time', () => {
    expect(longDate('2026-01-05T09:30:00.000Z', 'en', 'UTC')).toBe('January 5, 2026')
    expect(longDateTime('2026-01-05T09:30:00.000Z', 'en', 'UTC')).toMatch(/^January 5, 2026 at 09:30\sAM$/)
    expect(longDate('2026-01-05T09:30:00.000Z', 'zh', 'UTC')).toBe('2026年1月5日')
  })
  test('of entries have their time in UTC, unless that is midnight', () => {
    expect(longMoment('1914-04-20T00:00:00.000Z', 'en')).toBe('April 20, 1914')
    expect(longMoment('1914-04-20T00:00:00+09:00', 'en')).toMatch(/^April 19, 1914 at 03:00\sPM UTC$/)
    expect(longMoment('2023-13-01T00:00:00Z', 'en')).toBe('Invalid date')
  })
  test.each(['0001-01-01', '2026-01-05', '9999-12-31'])('have the same width in columns: %s', (day) =>
    expect(shortDate(`${day}T00:00:00.000Z`, 'en', 'UTC')).toBe(day),
  )
  test.each(['', 'soon', '2026-13-45'])('that cannot be parsed are shown as invalid: %j', (moment) => {
    expect(longDate(moment)).toBe('Invalid date')
    expect(longDateTime(moment)).toBe('Invalid date')
  })
  test.each([
    ['2026-02-04T00:00:00.000Z', 30],
    ['2026-01-06T01:00:00.000Z', 2],
    ['2026-01-05T23:59:59.000Z', 0],
    ['2025-12-31T00:00:00.000Z', 0],
  ])('give the days remaining, rounded up: %s', (moment, days) =>
    expect(daysUntil(moment, '2025-12-06T00:00:00.000Z', Date.parse('2026-01-05T00:00:00.000Z'))).toBe(days),
  )
})

test.each([
  [0, '0 Bytes'],
  [1, '1 Bytes'],
  [1023, '1023 Bytes'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [5_242_880, '5 MB'],
  [1_234_567, '1.18 MB'],
  [1024 ** 5, '1024 TB'],
])('%d bytes are formatted as %s', (bytes, text) => expect(fileSize(bytes)).toBe(text))
test('counts have thousands separators', () => expect(count(12480)).toBe('12,480'))

describe('the URL', () => {
  test('keeps values as plain text, with sorted keys', () => {
    expect(stringifySearch({ search: '123', page: 2, type: undefined })).toBe('?page=2&search=123')
    expect(parseSearch('?search=123&page=2')).toEqual({ search: '123', page: '2' })
  })
  test('is parsed by the contract schema, ignoring invalid values', () => {
    expect(readUrl(MediaQuery, { page: '3', isOngoing: 'true' })).toMatchObject({ page: 3, isOngoing: true })
    expect(readUrl(MediaQuery, { page: 'x', type: 'OPERA', search: ' a ', what: 'ever' })).toEqual({
      page: 1,
      limit: 10,
      search: 'a',
    })
  })
  test('omits default values', () => {
    expect(writeUrl(MediaQuery, { ...z.parse(MediaQuery, {}), page: 2 })).toEqual({ page: 2 })
  })
})

describe('a token', () => {
  const token = (claims: object) => `h.${btoa(JSON.stringify(claims))}.s`
  test('expires at its exp claim, in seconds', () => {
    expect(isExpired(token({ exp: 1000 }), 999)).toBe(false)
    expect(isExpired(token({ exp: 1000 }), 1000)).toBe(true)
    for (const more of ['\n', 'é', '\ud800']) expect(isExpired(token({ exp: 1000 }) + more, 999)).toBe(true)
  })
  test.each(['', 'abc', 'a.b.c', token({})])('that cannot be decoded counts as expired: %j', (text) => {
    expect(isExpired(text)).toBe(true)
  })
})

describe('a chart', () => {
  test('has round ticks that reach the maximum', () => {
    expect(ticks(7)).toEqual([0, 2, 4, 6, 8])
    expect(ticks(25_466, 3)).toEqual([0, 10_000, 20_000, 30_000])
    expect(ticks(0)).toEqual([0, 1])
    expect(ticks(8483).at(-1)).toBeGreaterThanOrEqual(8483)
  })
  test('gives series of very different magnitudes separate axes', () => {
    expect(panels([[1, 2], [3]])).toEqual([[0, 1]])
    expect(panels([[1, 2], [300]])).toEqual([[0], [1]])
    expect(panels([[0], [0]])).toEqual([[0, 1]])
  })
})

test('what was loaded once is kept, and what failed is loaded again', async () => {
  const answers = [Promise.reject(new Error('offline')), Promise.resolve('loaded')]
  const load = loadOnce((_key: string) => answers.shift() ?? Promise.resolve('again'))
  await expect(load('a')).rejects.toThrow('offline')
  const loading = load('a')
  expect(await loading).toBe('loaded')
  expect(load('a')).toBe(loading)
})
