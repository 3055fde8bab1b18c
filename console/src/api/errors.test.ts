import { ApiError } from '@mokuroku/contract/call'
import { expect, test } from 'vitest'
import { messageOf } from './errors.ts'

test.each([
  [401, {}, 'Session expired. Please login again.'],
  [403, { message: 'Not yours' }, 'Access denied. You do not have permission for this action.'],
  [404, {}, 'Resource not found.'],
  [429, {}, 'Too many requests. Please try again later.'],
  [500, { message: 'stack' }, 'Server error. Please try again later.'],
  [502, undefined, 'Server error. Please try again later.'],
  [503, undefined, 'Server error. Please try again later.'],
  [504, undefined, 'Server error. Please try again later.'],
  [409, { message: 'The name is taken' }, 'The name is taken'],
  [400, {}, 'An unexpected error occurred'],
  [400, { message: 7 }, 'An unexpected error occurred'],
  [501, undefined, 'An unexpected error occurred'],
  [0, undefined, 'Network error. Please check your connection.'],
])('status %i says what specification 8 says', (status, body, message) => {
  expect(messageOf(new ApiError(status, body))).toBe(message)
})

test('what is not an answer of the server is unexpected', () => {
  expect(messageOf(new TypeError('x is undefined'))).toBe('An unexpected error occurred')
})
