import { expect, test } from 'vitest'
import { parseMoment } from './moments.ts'

test.each([
  '2023-9-29',
  '2023-09-29',
  '2023/9/29',
  '2023.09.29',
  '29 Sep 2023',
  '29th September, 2023',
  'Sep 29, 2023',
  'Sept. 29 2023',
  '2023年9月29日',
  '2023 年 9 月 29 日',
  '2023년 9월 29일',
  '２０２３年９月２９日',
])('parses %s as a date', (text) => expect(parseMoment(text)).toBe('2023-09-29T00:00:00.000Z'))

test('parses a date with a time', () => {
  expect(parseMoment('2023-09-29 7:05')).toBe('2023-09-29T07:05:00.000Z')
  expect(parseMoment('2023-09-29T23:59:59')).toBe('2023-09-29T23:59:59.000Z')
})

test.each(['', '2023', '2023-09', 'Sep 2023', '1/2/2023', '2023-02-30', '29 Sepp 20', 'tomorrow', '2023-09-29 25:00'])(
  'rejects "%s" as a date',
  (text) => expect(parseMoment(text)).toBeUndefined(),
)
