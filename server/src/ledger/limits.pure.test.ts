import { MAX_ENTITY_BYTES, MAX_NAMES } from '@mokuroku/contract/common'
import { expect, test } from 'vitest'
import { isTooLarge, limitGrowth } from './limits.ts'

test('a list beyond its limit may stay as long as it is, but not grow', () => {
  const withNames = (count: number) => ({ aliases: Array.from({ length: count }, (_, at) => `Name ${at}`) })
  const grow = (before: number, after: number) => () =>
    limitGrowth({ kind: 'Media' }, withNames(before), withNames(after))
  expect(grow(MAX_NAMES - 1, MAX_NAMES)).not.toThrow()
  expect(grow(MAX_NAMES + 1, MAX_NAMES + 1)).not.toThrow()
  expect(grow(MAX_NAMES, MAX_NAMES + 1)).toThrow(/^aliases: /)
  expect(grow(MAX_NAMES + 1, MAX_NAMES + 2)).toThrow(/^aliases: /)
})

test('the size of an entity is limited in bytes; a larger one may become smaller', () => {
  const sized = (bytes: number) => ({ text: 'é'.repeat((bytes - '{"text":""}'.length - 1) / 2) + 'x' })
  expect(isTooLarge(undefined, sized(MAX_ENTITY_BYTES))).toBe(false)
  expect(isTooLarge(undefined, sized(MAX_ENTITY_BYTES + 2))).toBe(true)
  expect(isTooLarge(sized(MAX_ENTITY_BYTES + 4), sized(MAX_ENTITY_BYTES + 2))).toBe(false)
  expect(isTooLarge(sized(MAX_ENTITY_BYTES + 2), sized(MAX_ENTITY_BYTES + 4))).toBe(true)
})
