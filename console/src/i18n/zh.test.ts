import { DENIALS } from '@mokuroku/contract/denials'
import { SENTENCES } from '@mokuroku/contract/faults'
import { REASONS, withParams } from '@mokuroku/contract/reasons'
import { expect, test } from 'vitest'
import { denialsInChinese, faultsInChinese, localized, reasonsInChinese } from './chineseSentences.ts'

const params = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).toSorted()

test.each(Object.entries(faultsInChinese))(
  '%s has a Chinese text that uses no other parameters than the English one',
  (code, chinese) => {
    expect(chinese).toMatch(/[\u4e00-\u9fff]/)
    const english = params(SENTENCES[code as keyof typeof SENTENCES])
    expect(params(chinese).filter((name) => !english.includes(name))).toEqual([])
  },
)

const chinese: Record<string, string> = { ...denialsInChinese, ...reasonsInChinese }

test.each(Object.entries({ ...DENIALS, ...REASONS }))(
  '%s has a Chinese text with the same parameters',
  (code, english) => {
    expect(chinese[code]).toMatch(/[\u4e00-\u9fff]/)
    expect(params(chinese[code] ?? '')).toEqual(params(english))
    const values = Object.fromEntries(params(english).map((name) => [name.slice(1, -1), '见习 $& “A”']))
    expect(localized({ message: withParams(english, values) })).toBe(withParams(chinese[code] ?? '', values))
  },
)

test('every validation error has a Chinese text', () => {
  expect(Object.keys(faultsInChinese).toSorted()).toEqual(Object.keys(SENTENCES).toSorted())
})

test('translates that an entity of any kind was not found', () => {
  expect(localized({ message: 'Media not found' })).toBe('作品不存在。')
  expect(localized({ message: 'Permission tier not found' })).toBe('权限等级不存在。')
})

test('does not translate a text that is not a message of the server', () =>
  expect(localized({ message: 'Not yours.' })).toBeUndefined())
