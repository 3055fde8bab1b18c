import { describe, expect, test } from 'vitest'
import { spanAt } from './place.ts'

const text = '{\n  "translations": { "en": { "title": "Kokoro" } },\n  "tags": ["a", "b"],\n  "more": 1\n}'
const found = (place: PropertyKey[]) => {
  const { from, to } = spanAt(text, place)
  return text.slice(from, to)
}

describe('a place in the text', () => {
  test('is the value that the path leads to', () => {
    expect(found(['translations', 'en', 'title'])).toBe('"Kokoro"')
    expect(found(['tags', 1])).toBe('"b"')
    expect(found(['more'])).toBe('1')
  })
  test('is the deepest value on the way when the path ends early', () => {
    expect(found(['translations', 'en', 'description'])).toBe('{ "title": "Kokoro" }')
    expect(found(['nothing'])).toBe('{')
    expect(found([])).toBe('{')
  })
  test('of a text that is not there is its beginning', () => expect(spanAt('', ['a'])).toEqual({ from: 0, to: 0 }))
})
