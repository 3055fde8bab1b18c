import { MediaInput } from '@mokuroku/contract/media'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TextChange } from '../jsonEditor/place.ts'
import { changesTo, type Place } from './changes.ts'

const applied = (text: string, changes: readonly TextChange[]): string =>
  changes.reduceRight((result, { from, to, insert }) => result.slice(0, from) + insert + result.slice(to), text)

const set = (text: string, place: Place, value: unknown, names?: readonly string[]) =>
  applied(text, changesTo(text, place, value, names && ((at) => (at.length === 0 ? names : []))))

const words = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'en', 'x-y', 'title', '"', '\\', '{', '目', '🜁', '\n', ': ', '__'),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)
// A V8 bug: after JSON.parse has read a name that is a backslash, it also takes `"\\""` for that name.
const names = words.filter((name) => name !== '__proto__' && !name.includes('\\'))
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -1.5, 1e30),
    words,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
}))
const documents = fc.dictionary(names, json, { maxKeys: 5 })
const indents = fc.constantFrom(undefined, 1, 2, 4, '\t')

/** Every path in a value, and some that do not exist yet. */
function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place]
  const steps: [string | number, unknown][] = Array.isArray(value)
    ? value.map((each, at) => [at, each])
    : Object.entries(value)
  const fresh: Place = [...place, Array.isArray(value) ? value.length : 'new one']
  return [place, fresh, ...steps.flatMap(([step, each]) => placesIn(each, [...place, step]))]
}

/** The value after the same assignment in plain JavaScript. */
function assigned(value: unknown, [step, ...rest]: Place, next: unknown): unknown {
  if (step === undefined) return next
  const copy: unknown = structuredClone(value)
  const inner = (copy as Record<string | number, unknown>)[step]
  const put = rest.length === 0 ? next : assigned(inner, rest, next)
  if (put !== undefined) (copy as Record<string | number, unknown>)[step] = put
  else if (Array.isArray(copy)) copy.splice(Number(step), 1)
  else delete (copy as Record<string, unknown>)[step]
  return copy
}

test('setting a value at a path equals the same assignment in JavaScript, whatever the indentation', () => {
  fc.assert(
    fc.property(documents, json, indents, fc.nat(), fc.boolean(), (document, next, indent, pick, takesOut) => {
      const text = JSON.stringify(document, null, indent)
      const places = placesIn(document).filter((place) => place.length > 0)
      const place = places[pick % places.length] ?? ['new']
      const value = takesOut ? undefined : next
      const result = set(text, place, value)
      expect(JSON.parse(result)).toEqual(assigned(document, place, value))
    }),
    { numRuns: 3000 },
  )
})

test('keeps the layout when the whole document is replaced', () => {
  fc.assert(
    fc.property(documents, documents, (document, next) => {
      const result = set(JSON.stringify(document, null, 2), [], next)
      expect(JSON.parse(result)).toEqual(next)
      expect(result.split('\n').length).toBe(JSON.stringify(next, null, 2).split('\n').length)
    }),
    { numRuns: 2000 },
  )
})

test('setting the previous value restores the original text', () => {
  fc.assert(
    fc.property(documents, json, fc.nat(), (document, next, pick) => {
      const text = JSON.stringify(document, null, 2)
      const leaves = placesIn(document).filter((place) => {
        const value = place.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document)
        return place.length > 0 && value !== undefined
      })
      const place = leaves[pick % Math.max(leaves.length, 1)]
      if (!place) return
      const before = place.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document)
      expect(set(set(text, place, next), place, before)).toBe(text)
    }),
    { numRuns: 2000, examples: [[{ a: { b: null, c: null } }, { c: null }, 0]] },
  )
})

test('edits only what changed, and keeps unknown fields, spaces and order', () => {
  const text = '{ "b":1,\n   "unknown" : [ 1,2 ],\n "list": ["one",  "two"]\n}'
  expect(set(text, ['b'], 12)).toBe(text.replace('1', '12'))
  expect(set(text, ['list'], ['one', 'two', 'three'])).toBe(text.replace('"two"', '"two",  "three"'))
  expect(set(text, ['list'], ['two'])).toBe(text.replace('"one",  ', ''))
  expect(set(text, ['unknown'], undefined)).toBe('{ "b":1,\n "list": ["one",  "two"]\n}')
  expect(changesTo(text, ['list', 1], 'twos')).toEqual([
    { from: text.indexOf('two"') + 3, to: text.indexOf('two"') + 3, insert: 's' },
  ])
})

test('inserts a new field in schema order', () => {
  const text = JSON.stringify({ mediaType: 'NOVEL', extra: 1, isOngoing: true, cover: '' }, null, 2)
  const order = Object.keys(MediaInput.shape)
  const inOrder = (place: Place, value: unknown) => Object.keys(JSON.parse(set(text, place, value, order)) as object)
  expect(inOrder(['translations', 'en', 'title'], 'Kokoro')).toEqual([
    'mediaType',
    'translations',
    'extra',
    'isOngoing',
    'cover',
  ])
  expect(inOrder(['releaseDate'], '')).toEqual(['mediaType', 'extra', 'isOngoing', 'releaseDate', 'cover'])
  expect(inOrder(['relatedMedia'], [])).toEqual(['mediaType', 'extra', 'isOngoing', 'cover', 'relatedMedia'])
  expect(set('{}', ['translations', 'en', 'title'], 'A')).toBe(
    '{\n  "translations": {\n    "en": {\n      "title": "A"\n    }\n  }\n}',
  )
})
