import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { normalize } from '@mokuroku/contract/normalize'

const ROOT = join(import.meta.dirname, '../../..')

test('keeps at most 30 marks of a character in a long text, in whatever form they are written', () => {
  for (const marks of ['\u0301\u0327', '\uff9e\u0301', '\u0344\u0327']) {
    const text = `a${marks.repeat(100_000)}b`
    expect(normalize(text, 'NFKC').length).toBeLessThan(100)
    expect(normalize(text, 'NFKC')).toMatch(/b$/)
  }
})

test('is the same as the built-in function for everything else', () => {
  const zalgo = `Z${'\u0301\u0327'.repeat(15)}`
  for (const text of ['ｶﾞﾝﾀﾞﾑ', 'e\u0301', `${'が\u3099ﬁ'.repeat(500)}ﷺ`, zalgo.repeat(100), 'e\u0301\u0327'.repeat(60)])
    for (const form of ['NFC', 'NFD', 'NFKC'] as const) expect(normalize(text, form)).toBe(text.normalize(form))
})

test('no other file of the server or the contract normalizes texts', async () => {
  const others = []
  for await (const file of glob('{contract,server}/src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }))
    if (/\.normalize\(/.test(readFileSync(join(ROOT, file), 'utf8'))) others.push(file)
  expect(others).toEqual(['contract/src/normalize.ts'])
})
