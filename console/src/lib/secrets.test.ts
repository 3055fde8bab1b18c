import { expect, test } from 'vitest'
import { secretsIn, redactSecrets } from './secrets.ts'

const without = (text: string) => redactSecrets(text, ['password'])

test('a secret is emptied, and the rest of the text stays as it was written', () => {
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
])('no secret is left of %j', (text) => expect(without(text)).not.toMatch(/hunter/))

test('a text that is no JSON yet keeps what is not secret', () => {
  const text = '{\n  "username": "ane",\n  "password": "hunter22,\n  "role": "user"\n'
  expect(without(text)).toBe('{\n  "username": "ane",\n  "password": ""\n  "role": "user"\n')
})

test('what stands in the fields is told', () => {
  expect(secretsIn('{"password":"hunter22","role":"user"}', ['password'])).toEqual({ password: 'hunter22' })
  expect(secretsIn('{"role":"user"}', ['password'])).toEqual({})
  expect(secretsIn('{', ['password'])).toEqual({})
  expect(secretsIn('{"password":"hunter22"}')).toEqual({})
})
