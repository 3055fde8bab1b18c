import { describe, expect, test } from 'vitest'
import { spanAt } from './place.ts'

const text = '{\n  "translations": { "en": { "title": "Kokoro" } },\n  "tags": ["a", "b"],\n  "more": 1\n}'
const found = (place: PropertyKey[]) => {
  const { from, to } = spanAt(text, place)
  return text.slice(from, to)
}

describe('the range of a path', () => {
  test('is that of the value at the path', () => {
    expect(found(['translations', 'en', 'title'])).toBe('"Kokoro"')
    expect(found(['tags', 1])).toBe('"b"')
    expect(found(['more'])).toBe('1')
  })
  test('is that of the deepest existing ancestor if there is no such value', () => {
    expect(found(['translations', 'en', 'description'])).toBe('{ "title": "Kokoro" }')
    expect(found(['nothing'])).toBe('{')
    expect(found([])).toBe('{')
  })
  test('is the start of an empty text', () => expect(spanAt('', ['a'])).toEqual({ from: 0, to: 0 }))
})
