import { expect, test } from 'vitest'
import { areRelated, canonical, isInFamily, missingLanguages } from './languageTags.ts'

test('the family of a language is its own tag and every narrower one', () => {
  for (const tag of ['zh', 'zh-Hans', 'zh-Hant', 'zh-TW', 'zh-Hant-HK', 'ZH-hans'])
    expect(isInFamily(tag, 'zh')).toBe(true)
  expect(isInFamily('pt-BR', 'pt')).toBe(true)
  expect(isInFamily('zh-Hant-TW', 'zh-hant')).toBe(true)
})

test('the family of a tag excludes wider tags, sibling tags and tags that merely share a prefix', () => {
  expect(isInFamily('zh', 'zh-Hans')).toBe(false)
  expect(isInFamily('zh-Hant', 'zh-Hans')).toBe(false)
  expect(isInFamily('es-419', 'es-4')).toBe(false)
  expect(isInFamily('fil', 'fi')).toBe(false)
  expect(isInFamily('', 'zh')).toBe(false)
  expect(isInFamily('not a tag', 'zh')).toBe(false)
})

test.each([
  ['zh-hans', 'zh-Hans'],
  ['qaa', 'qaa'],
  ['art-x-klingon', 'art-x-klingon'],
  ['de-u-co-phonebk', 'de-u-co-phonebk'],
  ['x-klingon', undefined],
  ['i-default', undefined],
  ['en_US', undefined],
  [`en-x-${'abcdefgh-'.repeat(3)}abc`, `en-x-${'abcdefgh-'.repeat(3)}abc`],
  [`en-x-${'abcdefgh-'.repeat(3)}abcd`, undefined],
])('the canonical form of %s is %s', (tag, form) => {
  expect(canonical(tag)).toBe(form)
})

test('tags are related when their primary language is the same', () => {
  expect(areRelated('zh-Hans', 'zh-Hant')).toBe(true)
  expect(areRelated('zh', 'zh-TW')).toBe(true)
  expect(areRelated('fi', 'fil')).toBe(false)
})

test('a language is missing unless its family has a text', () => {
  expect(missingLanguages(['zh', 'en', 'zh-Hant', 'ja'], ['zh-Hans', 'en-GB'])).toEqual(['zh-Hant', 'ja'])
  expect(missingLanguages(['zh', 'zh-Hans'], ['zh'])).toEqual(['zh-Hans'])
})
