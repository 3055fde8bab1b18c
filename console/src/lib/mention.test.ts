import { expect, test } from 'vitest'
import { mentionAt } from './mention.ts'

test.each([
  ['Ask @mo', { from: 4, name: 'mo' }],
  ['@Mori Og', { from: 0, name: 'Mori Og' }],
  ['请@夏目', { from: 1, name: '夏目' }],
  ['(@なつ', { from: 1, name: 'なつ' }],
  ['one @a and @b', { from: 11, name: 'b' }],
  ['write to mori@example', undefined],
  ['Ask @', undefined],
  ['Ask @ mori', undefined],
  ['@mori said that all is well', undefined],
  ['@mori\nand', undefined],
  ['@mori ', undefined],
])('finds the mention, if any, at the end of %j', (text, found) => {
  expect(mentionAt(text, text.length)).toEqual(found)
})

test('ignores text after the caret', () => {
  expect(mentionAt('Ask @mori again', 7)).toEqual({ from: 4, name: 'mo' })
})
