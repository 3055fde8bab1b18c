import { expect, test } from 'vitest'
import { dayOf, lastDayOf, startOf } from './days.ts'

test('a day and the end of a range are the same after a round trip', () => {
  for (const day of ['1970-01-01', '2024-02-29', '2038-01-20', '9999-12-30']) {
    expect(dayOf(startOf(day))).toBe(day)
    expect(lastDayOf(startOf(day, 1))).toBe(day)
  }
})

test('a day with more digits than a moment may have is none, instead of an error', () => {
  for (const day of ['20266-01-01', '275760-09-13', '1969-12-31', '', '0002-01-01'])
    expect([startOf(day), startOf(day, 1)]).toEqual([undefined, undefined])
  expect([startOf('9999-12-31'), startOf('9999-12-31', 1)]).toEqual(['9999-12-31T00:00:00.000Z', undefined])
})
