import { expect, test } from 'vitest'
import { labelWidth, numberAt, wrapped } from './chart.ts'

const LABELS = ['GENRE', 'CHARACTER TRAIT', 'CONTENT WARNING']

test('labels stay on one line if they fit, and wrap if they do not', () => {
  expect(wrapped(LABELS, 200)).toEqual([['GENRE'], ['CHARACTER TRAIT'], ['CONTENT WARNING']])
  expect(wrapped(LABELS, 90)).toEqual([['GENRE'], ['CHARACTER', 'TRAIT'], ['CONTENT', 'WARNING']])
})

test('returns no labels if a single word is too wide', () => {
  expect(wrapped(LABELS, 60)).toBeUndefined()
  expect(wrapped(['题材', '角色属性'], 50)).toEqual([['题材'], ['角色属性']])
})

test('no line exceeds the available width', () => {
  for (let room = 40; room < 300; room += 7)
    for (const line of wrapped(LABELS, room)?.flat() ?? []) expect(labelWidth(line)).toBeLessThanOrEqual(room)
})

test('the value labels of two lines do not overlap', () => {
  expect(numberAt(50, undefined, 100)).toBe(-9)
  expect(numberAt(50, 60, 100)).toBe(-9)
  expect(numberAt(60, 50, 100)).toBe(17)
  expect(numberAt(98, 95, 100)).toBeUndefined()
  expect(numberAt(98, 20, 100)).toBe(-9)
})
