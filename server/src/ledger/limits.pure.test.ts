import { MAX_NAMES } from '@mokuroku/contract/common'
import { expect, test } from 'vitest'
import { limitGrowth } from './limits.ts'

test('a list beyond its limit may stay as long as it is, but not grow', () => {
  const withNames = (count: number) => ({ aliases: Array.from({ length: count }, (_, at) => `Name ${at}`) })
  const grow = (before: number, after: number) => () =>
    limitGrowth({ kind: 'Media' }, withNames(before), withNames(after))
  expect(grow(MAX_NAMES - 1, MAX_NAMES)).not.toThrow()
  expect(grow(MAX_NAMES + 1, MAX_NAMES + 1)).not.toThrow()
  expect(grow(MAX_NAMES, MAX_NAMES + 1)).toThrow(/^aliases: /)
  expect(grow(MAX_NAMES + 1, MAX_NAMES + 2)).toThrow(/^aliases: /)
})
