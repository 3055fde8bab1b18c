import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { excerpt, wordDiff } from './wordDiff.ts'

describe('a word diff', () => {
  test('marks the words that changed', () => {
    expect(wordDiff('The old heart', 'The new heart', 'en')).toEqual([
      { text: 'The ', kind: 'same' },
      { text: 'old', kind: 'old' },
      { text: 'new', kind: 'new' },
      { text: ' heart', kind: 'same' },
    ])
  })
  test('joins consecutive changed words into one phrase', () => {
    expect(wordDiff('mèo biến mất dần', 'mèo tan biến dần', 'vi')).toEqual([
      { text: 'mèo ', kind: 'same' },
      { text: 'biến mất', kind: 'old' },
      { text: 'tan biến', kind: 'new' },
      { text: ' dần', kind: 'same' },
    ])
  })
  test('segments Japanese into words', () => {
    const parts = wordDiff('私は東京に行きます', '私は京都に行きます', 'ja')
    expect(parts.filter(({ kind }) => kind === 'new').map(({ text }) => text)).toEqual(['京都'])
  })
  test('reconstructs both texts', () => {
    const words = fc.array(fc.constantFrom('a ', 'b ', '心', '。', 'ナ')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(words, words, (before, after) => {
        const parts = wordDiff(before, after)
        const without = (kind: string) =>
          parts
            .filter((part) => part.kind !== kind)
            .map(({ text }) => text)
            .join('')
        return without('new') === before && without('old') === after
      }),
    )
  })
  test('limits the parts for long texts that have nothing in common', () => {
    const [before, after] = ['a b '.repeat(5000), 'c d '.repeat(5000)]
    expect(wordDiff(before, after).length).toBeLessThan(10_000)
  })
})

describe('an excerpt of a diff', () => {
  const around = 'It was a dark and stormy night; the rain fell in torrents, except at occasional intervals. '.repeat(4)
  test('keeps some context around a change', () => {
    const { parts, isWhole } = excerpt(wordDiff(`${around}old${around}`, `${around}new${around}`, 'en'))
    expect(isWhole).toBe(false)
    expect(parts.map(({ kind }) => kind)).toEqual(['same', 'old', 'new', 'same'])
    expect(parts[0]?.text).toMatch(/^….{70,80}$/)
    expect(parts.at(-1)?.text).toMatch(/^.{70,80}…$/)
  })
  test('leaves a short text whole', () => {
    const parts = wordDiff('The old heart', 'The new heart', 'en')
    expect(excerpt(parts)).toEqual({ parts, isWhole: true })
  })
  test('truncates a long new text without splitting a character', () => {
    const { parts, isWhole } = excerpt([{ text: '👩🏽‍🚀'.repeat(400), kind: 'new' }])
    expect(isWhole).toBe(false)
    expect(parts[0]?.text).toMatch(/^(👩🏽‍🚀)+…$/)
  })
})
