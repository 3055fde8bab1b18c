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

test('does not recognize any other text', () => {
  expect(reasonIn('The name is taken')).toBeUndefined()
  expect(reasonIn(`${reasonText('fileEmpty')} Really.`)).toBeUndefined()
})
