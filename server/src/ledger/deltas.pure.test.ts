import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deltaOf, withDelta } from './deltas.ts'

type Json = Parameters<typeof deltaOf>[0]

// Few keys and few values, so that the documents have much in common.
const { document } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, -1.5, '', 'text', '"\\\u0000\ud800'),
    fc.array(tie('value'), { maxLength: 5 }),
    tie('document'),
  ),
  document: fc
    .array(fc.tuple(fc.constantFrom('a', 'b', '2', '10', 'in', 'set', '', '標題', '__proto__', 'at'), tie('value')), {
      maxLength: 6,
    })
    .map((entries) => Object.fromEntries(entries)),
}))
/** The value as parsed from JSON, where `__proto__` is a key like any other. */
const asRead = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json

test('applying a delta reproduces the document byte for byte, even after a JSON round trip', () => {
  fc.assert(
    fc.property(document.map(asRead), document.map(asRead), fc.boolean(), (one, other, isEdit) => {
      const after = isEdit ? { ...one, ...other } : other
      const delta = asRead(deltaOf(one, after)) as ReturnType<typeof deltaOf>
      expect(JSON.stringify(withDelta(one, delta))).toBe(JSON.stringify(after))
    }),
    { numRuns: 2000 },
  )
})

test('a delta contains only what changed', () => {
  const before = {
    id: 1,
    texts: { en: { title: 'One', about: 'Long' }, ja: { title: '一', about: '' } },
    cast: [1, 2, 3],
  }
  expect(deltaOf(before, structuredClone(before))).toEqual({})
  const after = {
    id: 1,
    texts: { en: { title: 'Two', about: 'Long' }, ja: { title: '一', about: '' } },
    cast: [1, 3, 4],
  }
  expect(deltaOf(before, after)).toEqual({
    in: { texts: { in: { en: { set: { title: 'Two' } } } }, cast: { at: 1, cut: 2, put: [3, 4] } },
  })
  expect(deltaOf({ one: 1, two: 2 }, { two: 2, one: 1 })).toEqual({ keys: ['two', 'one'] })
})
