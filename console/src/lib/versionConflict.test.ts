import { getPath } from '@mokuroku/contract/merge'
import { describe, expect, test } from 'vitest'
import { autoMerged, resolveConflict, type VersionConflict } from './versionConflict.ts'

const text = (title: string, description = '') => ({ title, description })

const stale: VersionConflict = {
  code: 'stale',
  base: { mediaType: 'NOVEL', episodes: 1, tags: ['a', 'b'], translations: { en: text('Heart'), ja: text('心') } },
  mine: { mediaType: 'MANGA', tags: ['a', 'c'], translations: { en: text('Kokoro'), ja: text('心'), zh: text('心') } },
  theirs: {
    mediaType: 'NOVEL',
    episodes: 1,
    tags: ['b', 'd'],
    translations: { en: text('The Heart', 'A novel.'), ja: text('こころ') },
  },
  conflicts: ['translations.en.title'],
  version: 4,
  updatedAt: '2026-01-05T09:30:00.000Z',
}

describe('resolving a version conflict', () => {
  test('keeps the changes of one side alone, and the chosen side of a conflict', () => {
    expect(resolveConflict(stale, { 'translations.en.title': 'mine' })).toEqual({
      mediaType: 'MANGA',
      tags: ['d', 'c'],
      translations: { en: text('Kokoro', 'A novel.'), ja: text('こころ'), zh: text('心') },
    })
    expect(getPath(resolveConflict(stale, { 'translations.en.title': 'theirs' }), 'translations.en.title')).toBe(
      'The Heart',
    )
  })
  test('throws if a conflict has no choice', () => expect(() => resolveConflict(stale, {})).toThrow('No choice'))
  test('works without a base', () => {
    const { base: _, ...rest } = stale
    const merged = resolveConflict({ ...rest, conflicts: ['mediaType'] }, { mediaType: 'mine' })
    expect(merged.mediaType).toBe('MANGA')
  })
  test('can keep a removal of mine', () => {
    const both = { ...stale, conflicts: ['episodes', 'translations.en.title'] }
    const merged = resolveConflict(both, { episodes: 'mine', 'translations.en.title': 'theirs' })
    expect(merged).not.toHaveProperty('episodes')
  })
  test('lists what is merged automatically', () => {
    expect(autoMerged(stale, 'mine')).toEqual([
      'mediaType',
      'episodes',
      'tags',
      'translations.zh.title',
      'translations.zh.description',
    ])
    expect(autoMerged(stale, 'theirs')).toEqual(['tags', 'translations.en.description', 'translations.ja.title'])
  })
})
