import { expect, test } from 'vitest'
import { kinds, SEARCHED_KINDS } from './kinds.ts'

test('each kind that is searched has one letter of its own', () => {
  const letters = SEARCHED_KINDS.map((kind) => kinds[kind].searchLetter)
  expect(letters.filter((letter) => letter.length !== 1)).toEqual([])
  expect(new Set(letters).size).toBe(letters.length)
})
