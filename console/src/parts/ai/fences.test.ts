import { expect, test } from 'vitest'
import { withoutFences } from './fences.ts'

test('removes the code fences of an answer, complete or still streaming', () => {
  expect(withoutFences('Known.\n\n```json\n{ "a": 1 }\n```\n')).toBe('Known.\n\n{ "a": 1 }\n')
  expect(withoutFences('```json\n{ "a": 1 }```')).toBe('{ "a": 1 }')
  expect(withoutFences('Known.\n```js')).toBe('Known.\n')
  expect(withoutFences('a `word` and ``two``')).toBe('a `word` and ``two``')
})

// With a regular expression that tries every way to divide them, these would take minutes.
test.each([`\`\`\`${' '.repeat(100_000)}x!`, `${'`'.repeat(200_000)}!`])(
  'keeps a long line that is no fence',
  (line) => {
    expect(withoutFences(line)).toBe(line)
  },
)
