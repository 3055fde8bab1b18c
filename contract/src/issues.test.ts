import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { aiApi, StandardizeInput } from './ai.ts'
import { Login, PasswordChange, Reauthentication } from './auth.ts'
import { SENTENCES } from './faults.ts'
import { issueLines } from './issues.ts'

const [LONG, TEXTS] = ['x'.repeat(1001), { title: 'A title' }]

test.each([
  ['a missing password', Login, { email: 'ann@example.org' }, 'password: Password is required'],
  ['an overlong password', Login, { email: 'ann@example.org', password: LONG }, 'password: At most 200 characters'],
  ['an overlong password', Reauthentication, { password: LONG }, 'password: At most 200 characters'],
  ['an overlong password', PasswordChange, { current: LONG, password: '12 words' }, 'current: At most 200 characters'],
  ['no texts', aiApi.processLong.body, { text: '5' }, 'text: No translations to enhance'],
  [
    'an overlong language',
    aiApi.processLong.body,
    { text: { ['x'.repeat(36)]: TEXTS } },
    `text.${'x'.repeat(36)}: ${SENTENCES.languageTag}`,
  ],
  [
    'an overlong language',
    StandardizeInput,
    { text: [{ id: 'm', translations: { ['x'.repeat(36)]: TEXTS } }] },
    `text.0.translations.${'x'.repeat(36)}: ${SENTENCES.languageTag}`,
  ],
] as [string, z.ZodMiniType, object, string][])('%s is called what it is', (_, schema, value, line) => {
  const { error } = schema.safeParse(value)
  expect(error && issueLines(error, value)).toEqual([line])
})
