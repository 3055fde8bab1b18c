import { expect, test } from 'vitest'
import { secretsIn, redactSecrets } from './secrets.ts'

const without = (text: string) => redactSecrets(text, ['password'])

test('empties a secret and leaves the rest of the text unchanged', () => {
  const text = '{\n  "username": "ane",\n  "password": "a \\"good\\" one",\n  "role": "user"\n}'
  expect(without(text)).toBe('{\n  "username": "ane",\n  "password": "",\n  "role": "user"\n}')
  expect(redactSecrets(text, [])).toBe(text)
  expect(without('{"role":"user"}')).toBe('{"role":"user"}')
})

test.each([
  '{"password":"hunter22","role":"user"}',
  '{"p\\u0061ssword":"hunter22"}',
  '{"password":["hunter22"]}',
  '{"password":{"old":"hunter22"}}',
  '{"password":"hunter11","password":"hunter22"}',
  '{\n  "password": "hunter22\n}',
  '{\n  "password": "hun"ter22",\n  "role": "user"\n}',
  '{\n  "password":\n    hunter22',
  "{ password: 'hunter22' }",
  '{\n  "password": "hunter\nhunter22"\n}',
])('leaves no secret in %j', (text) => expect(without(text)).not.toMatch(/hunter/))

test('keeps what is not secret in invalid JSON', () => {
  const text = '{\n  "username": "ane",\n  "password": "hunter22,\n  "role": "user"\n'
  expect(without(text)).toBe('{\n  "username": "ane",\n  "password": ""\n  "role": "user"\n')
})

test('extracts the values of secret fields', () => {
  expect(secretsIn('{"password":"hunter22","role":"user"}', ['password'])).toEqual({ password: 'hunter22' })
  expect(secretsIn('{"role":"user"}', ['password'])).toEqual({})
  expect(secretsIn('{', ['password'])).toEqual({})
  expect(secretsIn('{"password":"hunter22"}')).toEqual({})
})
