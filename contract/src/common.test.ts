import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { AuditQuery } from './audit.ts'
import { toFieldErrors } from './issues.ts'
import { MediaQuery } from './media.ts'
import { notificationsApi } from './notifications.ts'
import { SearchQuery } from './search.ts'
import { TrashQuery } from './trash.ts'

const messagesOf = (schema: z.ZodMiniType, query: object): string[] => {
  const { error } = schema.safeParse(query)
  return error ? toFieldErrors(error, query).map(({ message }) => message) : []
}

test.each<[name: string, schema: z.ZodMiniType]>([
  ['page', MediaQuery],
  ['limit', MediaQuery],
  ['limit', AuditQuery],
  ['before', AuditQuery],
  ['limit', SearchQuery],
  ['page', TrashQuery],
  ['limit', notificationsApi.list.query],
])('%s in a query string is a whole number in digits', (name, schema) => {
  for (const value of ['1', '7', '20', '007', 7]) expect(messagesOf(schema, { [name]: value })).toEqual([])
  for (const value of ['0x10', '1e1', ' 5', '5 ', '+5', '5.0', '0b1', '５', '1_0', '-0', 'five', 'NaN'])
    expect([value, ...messagesOf(schema, { [name]: value })]).toEqual([value, 'Must be a whole number'])
})

test('a rating in a query string may have decimals', () => {
  for (const value of ['7', '7.5', '0.1', 7.5]) expect(messagesOf(MediaQuery, { ratingMin: value })).toEqual([])
  for (const value of ['0x7', '1e0', ' 5', '+5', '.5', '5.', '7,5'])
    expect([value, ...messagesOf(MediaQuery, { ratingMin: value })]).toEqual([value, 'Must be a number'])
})

test('a negative number in a query string is too small', () => {
  expect(messagesOf(MediaQuery, { page: '-1' })).toEqual(['Must be at least 1'])
  expect(messagesOf(MediaQuery, { ratingMin: '-1' })).toEqual(['Must be at least 0'])
})
