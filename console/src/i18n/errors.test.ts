import { ApiError } from '@mokuroku/contract/call'
import { expect, test } from 'vitest'
import { messageOf } from './errors.ts'

test.each([
  [401, {}, 'Session expired. Please login again.'],
  [403, {}, 'Access denied. You do not have permission for this action.'],
  [
    403,
    { message: 'Access denied. You do not have permission for this action.', reason: 'Not yours.' },
    'Access denied. You do not have permission for this action. Not yours.',
  ],
  [404, { message: 'Media not found', code: 'notFound' }, 'Resource not found.'],
  [404, { message: 'This was deleted for good.', code: 'gone' }, 'Resource not found. This was deleted for good.'],
  [
    429,
    { message: 'Too many requests. Please try again later.', code: 'tooMany' },
    'Too many requests. Please try again later.',
  ],
  [
    429,
    { message: 'You have reached the limit of 500 uploads a day. Send the rest after midnight UTC.', code: 'tooMany' },
    'Too many requests. Please try again later. You have reached the limit of 500 uploads a day. Send the rest after midnight UTC.',
  ],
  [
    500,
    { message: 'Server error. Please try again later.', code: 'internal' },
    'Server error. Please try again later.',
  ],
  [
    500,
    { message: 'Server error. Please try again later.', code: 'internal', requestId: '0197-ab' },
    'Server error. Please try again later. Request id: 0197-ab',
  ],
  [
    503,
    { message: 'The database is unavailable.', code: 'unavailable', requestId: '0197-ab' },
    'Server error. Please try again later. The database is unavailable.',
  ],
  [507, { message: 'The disk is full.', code: 'full' }, 'The disk is full.'],
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
  [
    413,
    undefined,
    'An unexpected error occurred (HTTP 413): A proxy in front of the server refused this as too large. Send less, or have its limit raised.',
  ],
  [0, undefined, 'Network error. Please check your connection.'],
])('status %i with %o shows the message for its status, and the reason from the server', (status, body, message) => {
  expect(messageOf(new ApiError(status, body))).toBe(message)
})

test('reports an error without a response as unexpected', () => {
  expect(messageOf(new TypeError('x is undefined'))).toBe('An unexpected error occurred')
})
