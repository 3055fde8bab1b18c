import type { Uses } from '@mokuroku/contract/uses'
import { expect, test } from 'vitest'
import { KINDS } from '#lib/areas.ts'
import { usesTexts } from './usesTexts.ts'

const en = usesTexts.in('en')
const zh = usesTexts.in('zh')

const use = (count: number, entityType: string, more: Partial<Uses['by'][number]> = {}) => ({
  entityType,
  fields: [],
  count,
  isAtLeast: false,
  ...more,
})

test('describes uses in both languages, with the correct plural of each kind', () => {
  const sentence = (uses: typeof en) => uses.usedBy([uses.count(use(1, 'Character')), uses.count(use(9, 'Rating'))])
  expect(sentence(en)).toBe('It is used by 1 character and 9 ratings.')
  expect(sentence(zh)).toBe('它被 1 个角色和 9 条评分使用。')
  expect(en.count(use(1, 'Tag', { fields: ['parentTag'] }))).toBe('1 tag as its parent')
  expect(en.count(use(2, 'Tag', { fields: ['parentTag'] }))).toBe('2 tags as their parent')
})

test.each(KINDS)('%s has a singular and a plural in both languages', (kind) => {
  for (const count of [1, 2]) {
    expect(en.count(use(count, kind))).toMatch(/^\d [a-z ]+$/)
    expect(zh.count(use(count, kind))).toMatch(/^ \d [条部个位]/)
  }
})

test('counts have separators', () => {
  expect(en.count(use(8483, 'Media'))).toBe('8,483 media')
  expect(zh.count(use(8483, 'Media'))).toBe(' 8,483 部作品')
})

test('an incomplete count says "at least"', () => {
  expect(en.count(use(10_000, 'Media', { isAtLeast: true }))).toBe('at least 10,000 media')
  expect(zh.count(use(10_000, 'Media', { isAtLeast: true }))).toBe(' 至少 10,000 部作品')
})
