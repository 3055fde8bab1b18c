import { expect, test } from 'vitest'
import { labelWidth, numberAt, wrapped } from './chart.ts'

const LABELS = ['GENRE', 'CHARACTER TRAIT', 'CONTENT WARNING']

test('names stand on one line where there is room, and are wrapped where there is less', () => {
  expect(wrapped(LABELS, 200)).toEqual([['GENRE'], ['CHARACTER TRAIT'], ['CONTENT WARNING']])
  expect(wrapped(LABELS, 90)).toEqual([['GENRE'], ['CHARACTER', 'TRAIT'], ['CONTENT', 'WARNING']])
})

test('where a word alone is too wide, nothing is wrapped', () => {
  expect(wrapped(LABELS, 60)).toBeUndefined()
  expect(wrapped(['题材', '角色属性'], 50)).toEqual([['题材'], ['角色属性']])
})

test('no line is wider than the room', () => {
  for (let room = 40; room < 300; room += 7)
    for (const line of wrapped(LABELS, room)?.flat() ?? []) expect(labelWidth(line)).toBeLessThanOrEqual(room)
})

test('numbers of two lines keep apart', () => {
  expect(numberAt(50, undefined, 100)).toBe(-9)
  expect(numberAt(50, 60, 100)).toBe(-9)
  expect(numberAt(60, 50, 100)).toBe(17)
  expect(numberAt(98, 95, 100)).toBeUndefined()
  expect(numberAt(98, 20, 100)).toBe(-9)
})
