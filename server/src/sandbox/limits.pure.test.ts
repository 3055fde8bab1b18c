import { expect, test } from 'vitest'
import { isExceeded } from './limits.ts'

const LIMITS = [3000, 60_000, 1024]
const USED = { cpuMs: 20, moment: 50_000, bytes: 512 }

test('a job exceeds its limits by CPU time, time or memory, and none is exceeded without a job', () => {
  const limits = Float64Array.from(LIMITS)
  expect(isExceeded(limits, () => USED)).toBe(false)
  expect(isExceeded(limits, () => ({ ...USED, cpuMs: 3001 }))).toBe(true)
  expect(isExceeded(limits, () => ({ ...USED, moment: 60_001 }))).toBe(true)
  expect(isExceeded(limits, () => ({ ...USED, bytes: 1025 }))).toBe(true)
  expect(isExceeded(new Float64Array(3), () => USED)).toBe(false)
})

test('a job that ends while its limits are read has not exceeded them', () => {
  const limits = Float64Array.from(LIMITS)
  const whileItEnds = () => {
    limits.fill(0)
    return USED
  }
  expect(isExceeded(limits, whileItEnds)).toBe(false)
})

test('nor has one that is followed by another meanwhile', () => {
  const limits = Float64Array.from(LIMITS)
  const whileTheNextBegins = () => {
    limits.fill(0)
    limits.set([3020, 1000, 1])
    return USED
  }
  expect(isExceeded(limits, whileTheNextBegins)).toBe(false)
})
