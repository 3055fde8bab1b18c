import { expect, test } from 'vitest'
import { extended, isSelected, NOTHING, pageToggled, type Selection, toggled } from './selection.ts'

type Row = { _id: string }
const rows = (ids: string): Row[] => Array.from(ids, (_id) => ({ _id }))
const first = rows('abcde')
const second = rows('fgh')
const none: Selection<Row> = NOTHING
const ids = (selection: Selection<Row>) => selection.rows.map(({ _id }) => _id).join('')

test('toggles a row', () => {
  const one = toggled(none, 'b', first)
  expect([ids(one), isSelected(one, 'b'), isSelected(one, 'a')]).toEqual(['b', true, false])
  expect(ids(toggled(one, 'b', first))).toBe('')
})

test('a range extends from the last row in either direction, and replaces the previous range', () => {
  const down = extended(toggled(none, 'c', first), 'e', first)
  expect(ids(down)).toBe('cde')
  expect(ids(extended(down, 'd', first))).toBe('cd')
  expect(ids(extended(down, 'a', first))).toBe('cab')
})

test('rows selected earlier stay selected when a range over them shrinks', () => {
  const apart = toggled(toggled(none, 'e', first), 'b', first)
  expect(ids(extended(extended(apart, 'e', first), 'c', first))).toBe('ebc')
})

test('a range without an anchor on its page selects only the row', () => {
  expect(ids(extended(none, 'b', first))).toBe('b')
  expect(ids(extended(toggled(none, 'b', first), 'g', second))).toBe('bg')
})

test('toggles a page without affecting other pages', () => {
  const both = pageToggled(pageToggled(none, first), second)
  expect(ids(both)).toBe('abcdefgh')
  expect(ids(pageToggled(both, first))).toBe('fgh')
  expect(ids(pageToggled(toggled(none, 'a', first), first))).toBe('abcde')
})

test('deselecting a row from everything leaves the rest of its page', () => {
  const all: Selection<Row> = { ...NOTHING, isAll: true }
  expect(isSelected(all, 'z')).toBe(true)
  expect(extended(all, 'b', first)).toBe(all)
  expect(ids(toggled(all, 'b', first))).toBe('acde')
  expect(pageToggled(all, first)).toEqual(NOTHING)
})
