import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AnswerCache } from './answerCache.ts'

const MB = 1024 * 1024
const answer = (bytes = 10) => ({ headers: {}, text: Buffer.alloc(bytes) })

// A minute that ended during a test would empty the cache.
beforeEach(() => void vi.useFakeTimers({ now: 60_000 * 1000 }))
afterEach(() => void vi.useRealTimers())

test('finds an answer while the state is the same, and never afterwards', () => {
  const cache = new AnswerCache()
  expect(cache.find('1', 'a')).toBeUndefined()
  const given = answer()
  cache.keep('1', 'a', given)
  expect(cache.find('1', 'a')).toBe(given)
  expect(cache.find('1', 'b')).toBeUndefined()
  expect(cache.find('2', 'a')).toBeUndefined()
  expect(cache.find('1', 'a')).toBeUndefined()
})

test('does not keep an answer if the state has changed since it was read', () => {
  const cache = new AnswerCache()
  cache.find('1', 'a')
  cache.find('2', 'b')
  cache.keep('1', 'a', answer())
  expect(cache.find('1', 'a')).toBeUndefined()
})

test('drops answers at the end of the minute, because signed URLs expire', () => {
  vi.setSystemTime(60_000 * 1000 + 59_999)
  const cache = new AnswerCache()
  cache.find('1', 'a')
  cache.keep('1', 'a', answer())
  expect(cache.find('1', 'a')).toBeDefined()
  vi.advanceTimersByTime(1)
  expect(cache.find('1', 'a')).toBeUndefined()
})

test('returns nothing if a fresh answer is requested', () => {
  const cache = new AnswerCache()
  cache.find('1', 'a')
  cache.keep('1', 'a', answer())
  expect(cache.find('1', 'a', { anew: true })).toBeUndefined()
  expect(cache.find('1', 'a')).toBeDefined()
})

test('uses a bounded amount of memory', () => {
  const cache = new AnswerCache(8)
  cache.find('1', '')
  cache.keep('1', 'too large', answer(MB))
  expect(cache.find('1', 'too large')).toBeUndefined()
  const names = Array.from({ length: 1000 }, (_, at) => `${at} ${'long'.repeat(1000)}`)
  for (const name of names) cache.keep('1', name, answer(100_000))
  const found = names.flatMap((name) => cache.find('1', name) ?? [])
  expect(found.length).toBeGreaterThan(0)
  expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(8 * MB)
})
