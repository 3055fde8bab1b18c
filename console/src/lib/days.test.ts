import { afterEach, beforeEach, expect, test } from 'vitest'
import { dayOf, endOfMinute, lastDayOf, localMinute, startOf } from './days.ts'

const { TZ } = process.env
beforeEach(() => void (process.env.TZ = 'UTC'))
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

test('a day and the end of a range are the same after a round trip', () => {
  // In Cairo, 24 April 2026 begins at one o'clock.
  for (process.env.TZ of ['UTC', 'America/St_Johns', 'Pacific/Kiritimati', 'Africa/Cairo'])
    for (const day of ['1970-01-01', '2024-02-29', '2026-04-24', '2038-01-20', '9999-12-30']) {
      expect(dayOf(startOf(day))).toBe(day)
      expect(lastDayOf(startOf(day, 1))).toBe(day)
    }
})

test('a minute ends with its second occurrence as clocks are set back', () => {
  for (const [zone, minute, end] of [
    ['America/St_Johns', '2026-11-01T01:30', '2026-11-01T05:00:59.999Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:40', '2026-04-04T15:10:59.999Z'],
    ['America/St_Johns', '2026-11-01T02:00', '2026-11-01T05:30:59.999Z'],
    ['UTC', '2026-11-01T01:30', '2026-11-01T01:30:59.999Z'],
  ] as const) {
    process.env.TZ = zone
    expect(endOfMinute(minute).toISOString()).toBe(end)
    expect(localMinute(Date.parse(end))).toBe(minute)
  }
  expect(endOfMinute('').getTime()).toBeNaN()
})

test('a day with more digits than a moment may have is none, instead of an error', () => {
  for (const day of ['20266-01-01', '275760-09-13', '1969-12-31', '', '0002-01-01'])
    expect([startOf(day), startOf(day, 1)]).toEqual([undefined, undefined])
  expect([startOf('9999-12-31'), startOf('9999-12-31', 1)]).toEqual(['9999-12-31T00:00:00.000Z', undefined])
})
