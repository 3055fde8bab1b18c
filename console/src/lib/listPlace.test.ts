import { describe, expect, test } from 'vitest'
import { nextHistoryState, openedFrom } from './listPlace.ts'

const list = { pathname: '/media', search: '?page=7', state: {} }
const opened = { pathname: '/media/1/edit', search: '', state: { list: '?page=7', top: 120 } }

describe('the history state keeps the position in a list', () => {
  test.each([
    ['in what is opened from it', list, '/media/1', { list: '?page=7', top: 40 }],
    ['in its editor', list, '/media/1/edit?x=1', { list: '?page=7', top: 40 }],
    ['from one thing to the next', opened, '/media/2', { list: '?page=7', top: 120 }],
    ['on the way back', opened, '/media?page=7', { top: 120 }],
    ['over a sign-in', opened, '/login', { list: '?page=7', top: 120, returnPath: '/media/1/edit' }],
    [
      'after it',
      { pathname: '/login', search: '', state: { list: '?page=7', top: 120, returnPath: '/media/1/edit' } },
      '/media/1/edit',
      { list: '?page=7', top: 120 },
    ],
    [
      'not when it leads elsewhere',
      { pathname: '/login', search: '', state: { list: '?page=7', top: 120, returnPath: '/media/1/edit' } },
      '/media/2',
      {},
    ],
    ['not in another list', opened, '/media', {}],
    ['not in another area', opened, '/characters/1', {}],
    ['not of the dashboard', { pathname: '/', search: '', state: {} }, '/media/1', {}],
    ['not of a list that it was not opened from', { ...opened, state: {} }, '/media', {}],
  ] as const)('%s', (_, from, to, state) => expect(nextHistoryState(from, to, 40)).toEqual(state))
})

test('returns to the row that the previous screen was opened from', () => {
  expect(openedFrom('/media', '/media/1/edit')).toBe('/media/1')
  expect(openedFrom('/media', '/characters/1')).toBeUndefined()
  expect(openedFrom('/', '/media')).toBeUndefined()
})
