import { describe, expect, test } from 'vitest'
import { at, autoMerged, resolveConflict, type VersionConflict } from './versionConflict.ts'

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

describe('settling a stale save', () => {
  test('keeps what only one side changed, and of a conflict what was chosen', () => {
    expect(resolveConflict(stale, { 'translations.en.title': 'mine' })).toEqual({
      mediaType: 'MANGA',
      tags: ['d', 'c'],
      translations: { en: text('Kokoro', 'A novel.'), ja: text('こころ'), zh: text('心') },
    })
    expect(at(resolveConflict(stale, { 'translations.en.title': 'theirs' }), 'translations.en.title')).toBe('The Heart')
  })
  test('never decides by itself', () => expect(() => resolveConflict(stale, {})).toThrow('No choice'))
  test('goes without the base when it is no longer known', () => {
    const { base: _, ...rest } = stale
    const merged = resolveConflict({ ...rest, conflicts: ['mediaType'] }, { mediaType: 'mine' })
    expect(merged.mediaType).toBe('MANGA')
  })
  test('can keep what I removed', () => {
    const both = { ...stale, conflicts: ['episodes', 'translations.en.title'] }
    const merged = resolveConflict(both, { episodes: 'mine', 'translations.en.title': 'theirs' })
    expect(merged).not.toHaveProperty('episodes')
  })
  test('names what is kept without a question', () => {
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
