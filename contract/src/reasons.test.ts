import { expect, test } from 'vitest'
import { denial, type DenialCode, DENIALS } from './denials.ts'
import { SENTENCES } from './faults.ts'
import { reasonIn, type ReasonCode, REASONS, reasonText, withParams } from './reasons.ts'

const TIER = '见习 $& “A” (10 MB).'

test('each code is unique', () => {
  const codes = [SENTENCES, DENIALS, REASONS].flatMap((table) => Object.keys(table))
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([])
})

test.each(Object.entries(REASONS) as [ReasonCode, string][])(
  'recognizes the reason %s and its parameters',
  (code, sentence) => {
    const names = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const params = Object.fromEntries(names.map((name, at) => [name, name === 'tier' ? TIER : `${at + 3}`]))
    expect(reasonIn(withParams(sentence, params))).toEqual({ code, params })
  },
)

test.each(Object.entries(DENIALS) as [DenialCode, string][])(
  'recognizes the denial %s and its tier',
  (code, sentence) => {
    expect(reasonIn(denial(code, TIER))).toEqual({ code, params: sentence.includes('{tier}') ? { tier: TIER } : {} })
  },
)

test('only the sentences for a status say that one should try again later', () => {
  const codes = Object.entries(REASONS).flatMap(([code, sentence]) => (/again later/i.test(sentence) ? code : []))
  expect(codes).toEqual(['tooManyCalls', 'failed'])
})

test('daily limits say when they reset, which is not at midnight for most users', () => {
  const daily = Object.values(REASONS).filter((sentence) => /\bdaily\b|\ba day\b|tomorrow/.test(sentence))
  expect(daily).toHaveLength(3)
  for (const sentence of daily) expect(sentence).toMatch(/midnight UTC\.$/)
})

test('does not recognize any other text', () => {
  expect(reasonIn('The name is taken')).toBeUndefined()
  expect(reasonIn(`${reasonText('fileEmpty')} Really.`)).toBeUndefined()
})
