import { expect, test } from 'vitest'
import { namesAfter } from './mentions.ts'

test.each([
  ['@ann', [['ann']]],
  ['@Ann Lee, please', [['Ann Lee, please', 'Ann Lee,', 'Ann Lee', 'Ann']]],
  [
    'ask @田中 or @bob.',
    [
      ['田中 or @bob.', '田中 or @bob', '田中 or'],
      ['bob.', 'bob'],
    ],
  ],
  ['me@example.org', []],
  ['@ nobody, @ab', [[' nobody, @ab', ' nobody,', ' nobody'], []]],
  ['(@ann)', [['ann)', 'ann']]],
  ['@ann\n@bob', [['ann'], ['bob']]],
  ['请@ann看', [['ann看', 'ann']]],
  ['请@夏目漱石看', [['夏目漱石看', '夏目漱石', '夏目漱']]],
])('finds the possible names in %j', (text, expected) => expect(namesAfter(text)).toEqual(expected))

test('considers only the first 20 mentions of a text', () => {
  expect(namesAfter('@ann '.repeat(1000))).toHaveLength(20)
})
