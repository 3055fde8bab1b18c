import { FILE_FIELDS } from '@mokuroku/contract/assets'
import { describe, expect, test } from 'vitest'
import { differences, fieldsOf } from './differences.ts'

const ASSET = { together: { field: 'file', fields: FILE_FIELDS } }
const text = (title: string, description = '') => ({ title, description })

describe('the differences of two versions', () => {
  test('are listed field by field, texts with their language', () => {
    const from = { episodes: 1, tags: ['a'], translations: { en: text('Heart'), ja: text('心') } }
    const to = { tags: ['a', 'b'], translations: { en: text('Kokoro'), ja: text('心'), zh: text('心') } }
    expect(differences({}, from, to)).toEqual([
      { field: 'episodes', language: undefined, paths: ['episodes'], from: 1, to: undefined },
      { field: 'tags', language: undefined, paths: ['tags'], from: ['a'], to: ['a', 'b'] },
      { field: 'title', language: 'en', paths: ['translations.en.title'], from: 'Heart', to: 'Kokoro' },
      { field: 'title', language: 'zh', paths: ['translations.zh.title'], from: undefined, to: '心' },
    ])
  })
  test('are all set fields when there is no earlier version', () => {
    expect(differences({}, undefined, { color: '#112233', icon: null }).map(({ field }) => field)).toEqual(['color'])
  })
  test('group the fields of a file', () => {
    const from = { filename: 'a.png', size: 1, contentHash: 'x', storageKey: '1.png' }
    const to = { filename: 'a.png', size: 2, contentHash: 'y', storageKey: '2.png' }
    expect(differences(ASSET, from, to)).toMatchObject([
      { field: 'file', paths: ['size', 'contentHash', 'storageKey'], from: 1, to: 2 },
    ])
  })
})

test('lists each changed field once', () => {
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
