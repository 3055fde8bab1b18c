import { FILE_FIELDS } from '@mokuroku/contract/assets'
import { describe, expect, test } from 'vitest'
import { differences, fieldsOf } from './differences.ts'

const ASSET = { together: { field: 'file', of: FILE_FIELDS } }
const text = (title: string, description = '') => ({ title, description })

describe('what two versions hold differently', () => {
  test('is named field by field, and a text with its language', () => {
    const from = { episodes: 1, tags: ['a'], translations: { en: text('Heart'), ja: text('心') } }
    const to = { tags: ['a', 'b'], translations: { en: text('Kokoro'), ja: text('心'), zh: text('心') } }
    expect(differences({}, from, to)).toEqual([
      { field: 'episodes', language: undefined, paths: ['episodes'], from: 1, to: undefined },
      { field: 'tags', language: undefined, paths: ['tags'], from: ['a'], to: ['a', 'b'] },
      { field: 'title', language: 'en', paths: ['translations.en.title'], from: 'Heart', to: 'Kokoro' },
      { field: 'title', language: 'zh', paths: ['translations.zh.title'], from: undefined, to: '心' },
    ])
  })
  test('is everything that is there, when there was nothing before', () => {
    expect(differences({}, undefined, { color: '#112233', icon: null }).map(({ field }) => field)).toEqual(['color'])
  })
  test('keeps together what a file is', () => {
    const from = { filename: 'a.png', size: 1, contentHash: 'x', storageKey: '1.png' }
    const to = { filename: 'a.png', size: 2, contentHash: 'y', storageKey: '2.png' }
    expect(differences(ASSET, from, to)).toMatchObject([
      { field: 'file', paths: ['size', 'contentHash', 'storageKey'], from: 1, to: 2 },
    ])
  })
})

test('a change names each field once', () => {
  expect(fieldsOf(ASSET, ['size', 'storageKey', 'filename'])).toEqual([
    { field: 'file', language: undefined },
    { field: 'filename', language: undefined },
  ])
  expect(fieldsOf({}, ['translations.zh-Hans.title', 'translations.zh-Hans.description', 'deletedAt'])).toEqual([
    { field: 'title', language: 'zh-Hans' },
    { field: 'description', language: 'zh-Hans' },
    { field: 'deletedAt', language: undefined },
  ])
})
