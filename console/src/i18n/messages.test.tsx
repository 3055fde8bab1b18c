import { expect, test } from 'vitest'
import { en } from './en.ts'
import { areaTexts, messages, showLanguage } from './messages.ts'
import { zh } from './zh.ts'

const texts = areaTexts(
  {
    by: (name: string, date: string) => `By ${name}, ${date}`,
    counts: { of: (names: readonly string[], count: number) => `${names.join(', ')}: ${count}` },
  },
  {
    by: (name, date) => `${name}，${date}`,
    counts: { of: (names, count) => `${names.join('、')}：${count}` },
  },
)

test('isolates interpolated words that are written from right to left, and no others', () => {
  expect(texts.in('en').by('שירה', '12 May')).toBe('By \u2068שירה\u2069, 12 May')
  expect(texts.in('zh').counts.of(['Shira', 'مدينة'], 2)).toBe('Shira、\u2068مدينة\u2069：2')
  expect(texts.in('en').by('Élodie 直美', '12 May')).toBe('By Élodie 直美, 12 May')
})

test.each([
  ['en', en],
  ['zh', zh],
] as const)(
  'isolates them in the texts that all screens share, in %s, but no messages of the server',
  async (language, plain) => {
    await showLanguage(language)
    expect(messages().common.viewOne('שירה')).toBe(plain.common.viewOne('\u2068שירה\u2069'))
    const message = 'The tier “שירה” already has the required score 5.'
    expect(messages().localized({ message })).toBe(plain.localized({ message }))
  },
)
