import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { draftsOf, draftTime, dropDraft, keepDraft, pruneDrafts } from './drafts.ts'
import { token } from './session.ts'

const LIMIT = 2_500_000

/** A local storage with a quota, like a browser's. */
function storage() {
  const entries = new Map<string, string>()
  const methods = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => {
      const others = [...entries].reduce((sum, [name, text]) => (name === key ? sum : sum + text.length), 0)
      if (others + value.length > LIMIT) throw new Error('QuotaExceededError')
      entries.set(key, value)
    },
    removeItem: (key: string) => void entries.delete(key),
  }
  return new Proxy(methods, {
    ownKeys: () => [...entries.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })
}

const draft = (id: string, day = 1, text = 'mine') => ({
  id,
  text,
  base: 'stored',
  version: 3,
  at: `2026-01-0${day}T00:00:00.000Z`,
})

const tokenUntil = (moment: string, issued = '2026-01-01T00:00:00Z') =>
  `h.${btoa(JSON.stringify({ iat: Date.parse(issued) / 1000, exp: Date.parse(moment) / 1000 }))}.s`

beforeEach(() => void vi.stubGlobal('localStorage', storage()))

describe('drafts', () => {
  test('are stored per user and entity, newest first', () => {
    keepDraft('u1', 'media/a', draft('one', 1))
    keepDraft('u1', 'media/a', draft('two', 2))
    keepDraft('u1', 'media/b', draft('three'))
    expect(draftsOf('u1', 'media/a').map(({ id }) => id)).toEqual(['two', 'one'])
    expect(draftsOf('u2', 'media/a')).toEqual([])
    dropDraft('u1', 'media/a', 'two')
    expect(draftsOf('u1', 'media/a')).toEqual([draft('one', 1)])
  })
  test('are rejected when too long', () =>
    expect(keepDraft('u1', 'x', draft('one', 1, 'x'.repeat(1_000_001)))).toBe(false))
  test('are evicted, oldest first, when a new one exceeds the quota', () => {
    for (const day of [1, 2]) keepDraft('u1', `media/${day}`, draft('d', day, 'x'.repeat(900_000)))
    expect(keepDraft('u1', 'media/3', draft('d', 3, 'x'.repeat(900_000)))).toBe(true)
    expect(draftsOf('u1', 'media/1')).toEqual([])
    expect(draftsOf('u1', 'media/2')).toHaveLength(1)
  })
  test('are removed after thirty days, or when unreadable', () => {
    keepDraft('u1', 'media/a', draft('old', 1))
    localStorage.setItem('draft:u1:media/a:broken', '{')
    localStorage.setItem('theme', 'dark')
    token.set(tokenUntil('2026-02-01T00:00:00Z'))
    pruneDrafts(Date.parse('2026-01-30T23:00:00Z'))
    expect(draftsOf('u1', 'media/a')).toHaveLength(1)
    pruneDrafts(Date.parse('2026-01-31T01:00:00Z'))
    expect(Object.keys(localStorage)).toEqual(['theme', token.key])
  })
  test('are kept while the clock is so far ahead that the session has expired by it', () => {
    keepDraft('u1', 'media/a', draft('one', 1))
    token.set(tokenUntil('2026-01-02T00:00:00Z'))
    pruneDrafts(Date.parse('2026-03-01T00:00:00Z'))
    expect(draftsOf('u1', 'media/a')).toHaveLength(1)
  })
  test('have the time of the clock, but none before the session', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-05T00:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    for (const [issued, time] of [
      ['2026-01-04T20:00:00Z', '2026-01-05T00:00:00.000Z'],
      ['2026-03-01T00:00:00Z', '2026-03-01T00:00:00.000Z'],
    ] as const) {
      token.set(tokenUntil('2026-04-01T00:00:00Z', issued))
      expect(draftTime()).toBe(time)
    }
    token.set('unreadable')
    expect(draftTime()).toBe('2026-01-05T00:00:00.000Z')
  })
})
