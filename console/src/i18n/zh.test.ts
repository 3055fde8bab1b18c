import { type DenialCode, DENIALS } from '@mokuroku/contract/denials'
import { SENTENCES } from '@mokuroku/contract/faults'
import { expect, test } from 'vitest'
import { zh } from './zh.ts'

const params = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).toSorted()

test.each(Object.entries(zh.faults))(
  '%s is said in Chinese, and names nothing that the fault does not',
  (code, chinese) => {
    expect(chinese).toMatch(/[\u4e00-\u9fff]/)
    const english = params(SENTENCES[code as keyof typeof SENTENCES])
    expect(params(chinese).filter((name) => !english.includes(name))).toEqual([])
  },
)

test.each(Object.entries(DENIALS))('the denial %s is said in Chinese, of the same tier', (code, english) => {
  const chinese = zh.denials[code as DenialCode]
  expect(chinese).toMatch(/[\u4e00-\u9fff]/)
  expect(params(chinese)).toEqual(params(english))
})

test('every fault has its sentence', () => {
  expect(Object.keys(zh.faults).toSorted()).toEqual(Object.keys(SENTENCES).toSorted())
})
