import { ApiError } from '@mokuroku/contract/call'
import { denial, type DenialCode, DENIALS } from '@mokuroku/contract/denials'
import { expect, test } from 'vitest'
import { en } from '#i18n/en.ts'
import { showLanguage } from '#i18n/messages.ts'
import { messageOf } from './errors.ts'

test('why something may not be done is told in Chinese, with the tier that the server names', async () => {
  await showLanguage('zh')
  try {
    for (const code of Object.keys(DENIALS) as DenialCode[]) {
      const body = { message: en.errors[403], code: 'forbidden', reason: denial(code, '见习 $& “A”') }
      const message = messageOf(new ApiError(403, body))
      expect(message).not.toMatch(/[a-z]{4}/)
      expect(message.includes('“见习 $& “A””')).toBe(DENIALS[code].includes('{tier}'))
    }
  } finally {
    await showLanguage('en')
  }
})
