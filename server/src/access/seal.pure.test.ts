import { expect, test } from 'vitest'
import { seal, unseal } from './seal.ts'
import { signWith } from './session.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
signWith(bytes('a secret that only the tests know, 32 bytes'))

test('what is sealed is opened again, for the same purpose only', () => {
  const sealed = seal('sk-ключ', 'https://a.example.org')
  expect(sealed).not.toContain('sk')
  expect(unseal(sealed, 'https://a.example.org')).toBe('sk-ключ')
  expect(unseal(sealed, 'https://b.example.org')).toBeUndefined()
  expect(seal('sk-ключ', 'https://a.example.org')).not.toBe(sealed)
})

test.each(['', 'AAAA', 'no base64 at all!'])('%j opens nothing', (sealed) => {
  expect(unseal(sealed, '')).toBeUndefined()
})

test('what was changed is not opened', () => {
  const changed = Buffer.from(seal('secret', 'x'), 'base64url')
  for (let at = 0; at < changed.length; at++) {
    const other = Buffer.from(changed)
    other[at] = (other[at] ?? 0) ^ 1
    expect(unseal(other.toString('base64url'), 'x')).toBeUndefined()
  }
})

test('another secret of the server opens nothing', () => {
  const sealed = seal('secret', 'x')
  signWith(bytes('another secret, also of 32 bytes or more'))
  expect(unseal(sealed, 'x')).toBeUndefined()
  signWith(bytes('a secret that only the tests know, 32 bytes'))
})
