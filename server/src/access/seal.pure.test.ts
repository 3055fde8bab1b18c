import { expect, test } from 'vitest'
import { seal, unseal } from './seal.ts'
import { setSigningKey } from './session.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
setSigningKey(bytes('a secret that only the tests know, 32 bytes'))

test('unseals a sealed text, for the same purpose only', () => {
  const sealed = seal('sk-ключ', 'https://a.example.org')
  expect(Buffer.from(sealed, 'base64url').includes('ключ')).toBe(false)
  expect(unseal(sealed, 'https://a.example.org')).toBe('sk-ключ')
  expect(unseal(sealed, 'https://b.example.org')).toBeUndefined()
  expect(seal('sk-ключ', 'https://a.example.org')).not.toBe(sealed)
})

test.each(['', 'AAAA', 'no base64 at all!'])('does not unseal %j', (sealed) => {
  expect(unseal(sealed, '')).toBeUndefined()
})

test('does not unseal a text that was tampered with', () => {
  const changed = Buffer.from(seal('secret', 'x'), 'base64url')
  for (let at = 0; at < changed.length; at++) {
    const other = Buffer.from(changed)
    other[at] = (other[at] ?? 0) ^ 1
    expect(unseal(other.toString('base64url'), 'x')).toBeUndefined()
  }
})

test('does not unseal with another server secret', () => {
  const sealed = seal('secret', 'x')
  setSigningKey(bytes('another secret, also of 32 bytes or more'))
  expect(unseal(sealed, 'x')).toBeUndefined()
  setSigningKey(bytes('a secret that only the tests know, 32 bytes'))
})
