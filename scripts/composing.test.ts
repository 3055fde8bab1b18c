// Enter and Escape also end the composition of a word (Chinese, Japanese, Korean), and must do nothing else then.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '../console/src')
const sources = globSync('**/*.{ts,tsx}', { cwd: src, exclude: ['**/*.test.*', '**/testing.*'] })
const withText = (pattern: RegExp) => sources.filter((file) => pattern.test(readFileSync(path.join(src, file), 'utf8')))

/** Have no field. */
const WITHOUT_FIELDS = new Set(['tiers/TierMatrix.tsx', 'ui/LineChart.tsx'])

test('whoever acts on Enter or Escape asks whether a word is being composed', () => {
  const asks = new Set(withText(/\bisComposing\(/))
  const acts = withText(/\bkey [!=]== '(?:Enter|Escape)'/)
  expect(acts).toContain('ui/onEscape.ts')
  expect(acts.filter((file) => !asks.has(file) && !WITHOUT_FIELDS.has(file))).toEqual([])
})

test('key events are asked by isComposing(), which also knows the ones of Safari', () => {
  // Of events of input, which have no key.
  expect(withText(/\.isComposing\b/)).toEqual(['lib/useDebounced.ts'])
})
